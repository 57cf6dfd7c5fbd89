/* SPDX-License-Identifier: MIT */
/* Tests src/report/report.c: the folder as a whole, from good sets and from bad ones. */
#include "example.h"

#include "base/files.h"
#include "base/hash.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static struct arena arena;

static struct report_options options_in(const char *name, unsigned formats)
{
    struct error err = ERROR_INIT;
    const char *folder = arena_copy_text(&arena, support_path(name), &err);
    return (struct report_options){folder, formats, "gnuplot", 60};
}

static const char *content(const struct report_options *options, const char *name, size_t *size)
{
    struct error err = ERROR_INIT;
    size_t ignored;
    const char *path = files_join(&arena, options->folder, name, &err);
    const char *bytes =
        files_read(path, (size_t)1 << 26, &arena, size == NULL ? &ignored : size, &err);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    return bytes;
}

static bool has_file(const struct report_options *options, const char *name)
{
    struct error err = ERROR_INIT;
    return files_exists(files_join(&arena, options->folder, name, &err));
}

static void expect_part(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%.1500s", part, text);
}

static void write_good(const struct result_set *set, const struct report_options *options)
{
    struct error err = ERROR_INIT;
    assert_ok(report_write(set, NULL, options, &arena, &err), err);
}

/* Copies the rows of a set so that a test can change them. */
static struct result *own_rows(struct result_set *set)
{
    struct error err = ERROR_INIT;
    struct result *rows = arena_alloc(&arena, set->count, sizeof *rows, &err);
    ck_assert_ptr_nonnull(rows);
    memcpy(rows, set->whole, set->count * sizeof *rows);
    set->whole = rows;
    return rows;
}

static void fail_row(struct result *row, const char *message)
{
    row->status = RESULT_FAILED;
    row->message = message;
    row->kept.weights = NULL;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        const struct field *field = &measurement_fields[m];
        char *member = (char *)&row->measurement + field->offset;
        const double undefined = (double)NAN;
        const int64_t none = 0;
        bool real = field->kind == FIELD_REAL;
        memcpy(member, real ? (const void *)&undefined : (const void *)&none, 8);
    }
}

START_TEST(the_main_sweep_has_figures_tables_and_an_answer)
{
    struct result_set set = example_set(&arena, 8);
    struct report_options options = options_in("main", REPORT_PNG | REPORT_SVG | REPORT_PDF);
    write_good(&set, &options);
    static const char *const names[] = {"saturation.png", "saturation.svg", "saturation.pdf",
                                        "saturation.gp",  "saturation.tsv", "weights.png",
                                        "weights.gp",     "weights.tsv",    "theory.png",
                                        "theory.gp",      "theory.tsv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert_msg(has_file(&options, names[i]), "no %s", names[i]);
    }
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "# The same recipe on three corpora\n");
    expect_part(text, "of 24 settings saturate");
    expect_part(text, "**init + scale + norm** (at most 0.3");
    expect_part(text,
                "Two guards are not always enough: with harbour, guards init + scale the mean "
                "row-max is 0.95");
    expect_part(text, "with norm added the mean row-max is 0.");
    expect_part(text, "(every report writes the script anew: copy it before you edit it)");
    expect_part(text, "![Where attention saturates](saturation.png)");
    expect_part(text, "### How much gradient is left?");
    expect_part(text, "## Measurement and theory\n\n![Measured settings over the theory");
    expect_part(text, "For orientation: if the scores of a row are independent normal numbers, "
                      "then with 8 tokens");
    expect_part(text, "kitchen (312 sentences)");
    expect_part(text, "- seed: 1–8\n");
    expect_part(text, "| sweep\\_sha256 | 0123abcd |");
}
END_TEST

START_TEST(two_reports_of_one_set_are_the_same_bytes)
{
    static const char *const names[] = {
        "saturation.png", "saturation.svg", "saturation.pdf", "weights.png",    "weights.svg",
        "weights.pdf",    "report.md",      "saturation.gp",  "saturation.tsv", "theory.png",
        "theory.svg",     "theory.pdf",     "theory.gp",      "theory.tsv"};
    struct result_set set = example_set(&arena, 3);
    unsigned all = REPORT_PNG | REPORT_SVG | REPORT_PDF;
    struct report_options first = options_in("first", all);
    struct report_options second = options_in("second", all);
    write_good(&set, &first);
    struct timespec pause = {1, 100000000}; /* the hour must not show */
    nanosleep(&pause, NULL);
    write_good(&set, &second);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t a;
        size_t b;
        const char *left = content(&first, names[i], &a);
        const char *right = content(&second, names[i], &b);
        ck_assert_msg(a == b && memcmp(left, right, a) == 0, "%s differs", names[i]);
    }
}
END_TEST

START_TEST(hostile_names_are_drawn_and_never_run)
{
    static const char hostile[] = "x `touch PWNED` it's \"q\" ' ; system \"touch PWNED\"; ' "
                                  "$(touch PWNED) {a}^2_3 @b &c ~d %d "
                                  "\\n # \\";
    struct result_set set = example_set(&arena, 1);
    struct result *rows = own_rows(&set);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.corpus = rows[i].run.corpus[0] == 'd' ? "` `touch PWNED` '|\n\"" : "a\\";
        rows[i].kept.words = "`touch PWNED` ' \" \\ @a {b} c_1";
    }
    set.title = hostile;
    struct report_options options = options_in("hostile", REPORT_PNG | REPORT_SVG);
    write_good(&set, &options);
    ck_assert(!has_file(&options, "PWNED"));
    ck_assert(!files_exists("PWNED"));
    const char *svg = content(&options, "saturation.svg", NULL);
    expect_part(svg, "x `touch PWNED` it's \"q\" ' ; system \"touch PWNED\"; ' $(touch");
    expect_part(svg, "` `touch PWNED` '| \"");
    const char *words = content(&options, "weights.svg", NULL);
    expect_part(words, "`touch");
    expect_part(words, "{b}");
    expect_part(words, "c_1");
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "# x \\`touch PWNED\\` it's");
    expect_part(text, "\\` \\`touch PWNED\\` '\\| \"");
}
END_TEST

START_TEST(a_missing_gnuplot_leaves_text_scripts_and_data)
{
    struct result_set set = example_set(&arena, 2);
    struct report_options options = options_in("missing", REPORT_PNG | REPORT_SVG);
    write_good(&set, &options);
    ck_assert(has_file(&options, "saturation.png"));
    struct error err = ERROR_INIT;
    options.gnuplot = "no-gnuplot-here";
    ck_assert(!report_write(&set, NULL, &options, &arena, &err));
    assert_error(err, ERROR_FIGURES, "6 of 6 pictures could not be rendered: cannot start");
    ck_assert(!has_file(&options, "saturation.png"));
    ck_assert(has_file(&options, "saturation.gp"));
    ck_assert(has_file(&options, "weights.tsv"));
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "> **The figure could not be rendered**: cannot start 'no-gnuplot-here'");
    expect_part(text, "run `gnuplot -d saturation.gp` in this folder");
    expect_part(text, "## Limits and errata");
}
END_TEST

START_TEST(a_script_draws_its_figure_again)
{
    struct result_set set = example_set(&arena, 2);
    struct report_options options = options_in("again", REPORT_PNG);
    write_good(&set, &options);
    size_t size;
    const char *before = content(&options, "saturation.png", &size);
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && rm saturation.png && gnuplot -d saturation.gp",
             options.folder);
    ck_assert_int_eq(system(command), 0);
    size_t again;
    const char *after = content(&options, "saturation.png", &again);
    /* but for the note of where it comes from, which stands behind the head of 33 bytes */
    ck_assert_uint_lt(again, size);
    ck_assert(memcmp(before, after, 33) == 0);
    ck_assert(memcmp(before + (size - again) + 33, after + 33, again - 33) == 0);
}
END_TEST

/* Draws the main figure with these variables of gnuplot; whether the file that it writes begins so.
 */
static bool draws(const struct report_options *options, const char *variables, const char *file,
                  const char *start)
{
    char command[1024];
    size_t size;
    snprintf(command, sizeof command, "cd '%s' && gnuplot -d -e \"%s\" saturation.gp",
             options->folder, variables);
    ck_assert_int_eq(system(command), 0);
    const char *drawn = content(options, file, &size);
    return size > strlen(start) && memcmp(drawn, start, strlen(start)) == 0;
}

START_TEST(a_script_takes_the_format_from_the_ending_of_its_output)
{
    static const char png[] = "\x89PNG";
    struct result_set set = example_set(&arena, 2);
    struct report_options options = options_in("ending", REPORT_PNG);
    write_good(&set, &options);
    ck_assert(draws(&options, "OUT='copy.svg'", "copy.svg", "<?xml"));
    ck_assert(draws(&options, "OUT='copy.pdf'", "copy.pdf", "%PDF"));
    ck_assert(draws(&options, "OUT='copy.png'", "copy.png", png));
    ck_assert(draws(&options, "OUT='a'", "a", png));
    ck_assert(draws(&options, "FORMAT='svg'; OUT='other.pdf'", "other.pdf", "<?xml"));
}
END_TEST

START_TEST(failed_runs_are_listed_with_their_messages)
{
    struct result_set set = example_set(&arena, 2);
    struct result *rows = own_rows(&set);
    fail_row(&rows[0], "no word | of `it`\nis known");
    struct report_options options = options_in("failed", REPORT_PNG);
    write_good(&set, &options);
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "**1 of 48 runs failed** and is left out of all means");
    expect_part(text, "| 0 | demo, guards none | 1 | no word \\| of \\`it\\` is known |");
}
END_TEST

START_TEST(a_set_in_which_every_run_failed_has_a_report)
{
    struct result_set set = example_set(&arena, 2);
    struct result *rows = own_rows(&set);
    for (size_t i = 0; i < set.count; i++) {
        fail_row(&rows[i], "no");
    }
    struct report_options options = options_in("all-failed", REPORT_PNG | REPORT_SVG);
    write_good(&set, &options);
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "**Every run failed (48 of 48): nothing can be said about saturation.**");
    expect_part(text, "> No figure is drawn, since no run has a result.");
    expect_part(text, "48 of 48 runs failed; some of them:");
    ck_assert(!has_file(&options, "saturation.svg"));
    ck_assert(!has_file(&options, "saturation.gp"));
    ck_assert(!has_file(&options, "weights.png"));
}
END_TEST

START_TEST(one_run_has_a_report_without_intervals)
{
    struct result_set set = example_set(&arena, 1);
    set.count = 1;
    set.planned = 1;
    struct report_options options = options_in("one", REPORT_PNG | REPORT_SVG);
    write_good(&set, &options);
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "**The setting saturates**: its mean row-max is ");
    expect_part(text, "There is one seed: no interval can be given");
    ck_assert_ptr_null(strstr(text, " ± "));
}
END_TEST

START_TEST(an_empty_set_has_a_report)
{
    struct result_set set = example_set(&arena, 1);
    set.count = 0;
    struct report_options options = options_in("empty", REPORT_PNG);
    write_good(&set, &options);
    expect_part(content(&options, "report.md", NULL), "hold no run of the sweep's plan");
}
END_TEST

/* Every run gets this gradient and score spread. */
static void draw_constant(const char *name, double gradient, double spread, const char *expected)
{
    struct result_set set = example_set(&arena, 3);
    struct result *rows = own_rows(&set);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].measurement.jacobian_norm_mean = gradient;
        rows[i].measurement.score_std = spread;
    }
    struct report_options options = options_in(name, REPORT_SVG | REPORT_PNG);
    write_good(&set, &options);
    expect_part(content(&options, "saturation.svg", NULL), expected);
}

START_TEST(what_a_logarithmic_axis_cannot_show_is_said)
{
    draw_constant("zeros", 0, 1, "no value that can be drawn");
    draw_constant("undefined", (double)NAN, (double)INFINITY, "no value that can be drawn");
    draw_constant("tiny", 5e-324, 1e300, "Gradient magnitude");
    draw_constant("negative", -1, -(double)INFINITY, "no value that can be drawn");
}
END_TEST

START_TEST(some_zeros_are_marked_at_the_foot)
{
    struct result_set set = example_set(&arena, 2);
    struct result *rows = own_rows(&set);
    for (size_t i = 0; i < set.count; i++) {
        if (run_guards_mask(&rows[i].run) == 0) {
            rows[i].measurement.jacobian_norm_mean = 0;
        }
    }
    struct report_options options = options_in("some-zeros", REPORT_SVG);
    write_good(&set, &options);
    expect_part(content(&options, "saturation.svg", NULL), "▽ at the foot of an axis: exactly 0.");
    expect_part(content(&options, "saturation.gp", NULL), "with points linewidth 2 pointtype 10");
    expect_part(content(&options, "report.md", NULL),
                "value of exactly 0, which has no place on it");
    expect_part(content(&options, "report.md", NULL),
                "![Where attention saturates](saturation.svg)");
}
END_TEST

START_TEST(ten_thousand_runs_make_a_short_report)
{
    enum { RUNS = 10000 };
    struct error err = ERROR_INIT;
    struct result *rows = arena_alloc(&arena, RUNS, sizeof *rows, &err);
    for (size_t i = 0; i < RUNS; i++) {
        rows[i].index = (int64_t)i;
        rows[i].message = "";
        rows[i].run = example_run("demo", (unsigned)(i % 2) * 3, 1);
        rows[i].run.d_k = (int64_t)(i / 2) + 1;
        rows[i].measurement = example_measure(i, 1 + (double)i / 1000, NULL);
        rows[i].measurement.input_std = 1;
    }
    const struct result_set set = {.name = "large",
                                   .title = "large",
                                   .sweep_text = "x",
                                   .planned = RUNS,
                                   .whole = rows,
                                   .count = RUNS};
    struct report_options options = options_in("large", REPORT_PNG);
    write_good(&set, &options);
    size_t size;
    const char *text = content(&options, "report.md", &size);
    ck_assert_uint_lt(size, 200000);
    expect_part(text, "The tables show the 64 settings with the largest mean row-max of 10,000");
    ck_assert(has_file(&options, "saturation.png"));
}
END_TEST

START_TEST(figures_of_an_older_report_do_not_stay)
{
    struct result_set set = example_set(&arena, 1);
    struct report_options options = options_in("older", REPORT_PNG | REPORT_SVG);
    write_good(&set, &options);
    struct result *rows = own_rows(&set);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].kept.weights = NULL;
    }
    support_file("older/mine.txt", "x", 1);
    options.formats = REPORT_PNG;
    write_good(&set, &options);
    ck_assert(!has_file(&options, "weights.png"));
    ck_assert(!has_file(&options, "weights.gp"));
    ck_assert(!has_file(&options, "saturation.svg"));
    ck_assert(has_file(&options, "mine.txt"));
}
END_TEST

/* Given scores, two number formats, two ways to make weights: every part at once, in its order. */
/* Errata stand where they fit: that on BERT needs a corpus, that on four properties other weights.
 */
START_TEST(errata_fit_the_sweep)
{
    struct result_set set = example_set(&arena, 1);
    struct report_options options = options_in("errata", 0);
    write_good(&set, &options);
    const char *text = content(&options, "report.md", NULL);
    expect_part(text, "- BERT normalises");
    ck_assert_ptr_null(strstr(text, "11.212"));
    ck_assert_ptr_null(strstr(text, "four properties"));
    ck_assert_ptr_null(strstr(text, "only softmax"));
    struct result *rows = arena_alloc(&arena, set.count, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.whole, set.count * sizeof *rows);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.source = SOURCE_GAUSSIAN;
    }
    set.whole = rows;
    write_good(&set, &options);
    ck_assert_ptr_null(strstr(content(&options, "report.md", NULL), "BERT"));
}
END_TEST

START_TEST(the_parts_that_apply_stand_in_their_order)
{
    static const double scores[4] = {12, 0, 12, 0};
    static const double weights[4] = {1, 0, 1, 0};
    struct result rows[4];
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < 4; i++) {
        rows[i].index = (int64_t)i;
        rows[i].message = "";
        rows[i].run = run_default();
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.precision = i % 2 == 0 ? PRECISION_FP64 : PRECISION_FP16;
        rows[i].run.weights = i < 2 ? WEIGHTS_SOFTMAX : WEIGHTS_SUM;
        rows[i].measurement.queries = 2;
        rows[i].measurement.tokens = 2;
        rows[i].measurement.max_logit = (double)(i + 1);
        rows[i].kept = (struct kept){2, 2, scores, weights, NULL};
    }
    const struct result_set set = {.name = "parts",
                                   .title = "parts",
                                   .sweep_text = "",
                                   .planned = 4,
                                   .whole = rows,
                                   .count = 4};
    struct report_options options = options_in("parts", REPORT_SVG);
    write_good(&set, &options);
    const char *at = content(&options, "report.md", NULL);
    static const char *const parts[] = {"**Where formats break**",
                                        "## Arithmetic",
                                        "![Share of rows without weights",
                                        "## The numbers",
                                        "## The attention weights",
                                        "## Row by row",
                                        "## What each way to make weights keeps",
                                        "## How to read this"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        at = strstr(at, parts[i]);
        ck_assert_msg(at != NULL, "no %s behind the part before it", parts[i]);
    }
    ck_assert(has_file(&options, "undefined.tsv"));
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_a_file_error)
{
    struct result_set set = example_set(&arena, 1);
    support_file("plain-file", "x", 1);
    struct report_options options = options_in("plain-file", REPORT_PNG);
    struct error err = ERROR_INIT;
    ck_assert(!report_write(&set, NULL, &options, &arena, &err));
    assert_error(err, ERROR_FILE, "plain-file");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *cases = tcase_create("folder");
    tcase_add_test(cases, the_main_sweep_has_figures_tables_and_an_answer);
    tcase_add_test(cases, two_reports_of_one_set_are_the_same_bytes);
    tcase_add_test(cases, hostile_names_are_drawn_and_never_run);
    tcase_add_test(cases, a_script_draws_its_figure_again);
    tcase_add_test(cases, a_script_takes_the_format_from_the_ending_of_its_output);
    tcase_add_test(cases, figures_of_an_older_report_do_not_stay);
    tcase_add_test(cases, errata_fit_the_sweep);
    tcase_add_test(cases, the_parts_that_apply_stand_in_their_order);
    tcase_add_test(cases, a_folder_that_cannot_be_made_is_a_file_error);
    suite_add_tcase(suite, cases);
    cases = tcase_create("difficult sets");
    tcase_add_test(cases, failed_runs_are_listed_with_their_messages);
    tcase_add_test(cases, a_set_in_which_every_run_failed_has_a_report);
    tcase_add_test(cases, one_run_has_a_report_without_intervals);
    tcase_add_test(cases, an_empty_set_has_a_report);
    tcase_add_test(cases, what_a_logarithmic_axis_cannot_show_is_said);
    tcase_add_test(cases, some_zeros_are_marked_at_the_foot);
    tcase_add_test(cases, ten_thousand_runs_make_a_short_report);
    suite_add_tcase(suite, cases);
    /* Under valgrind a program that is missing starts all the same. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, a_missing_gnuplot_leaves_text_scripts_and_data);
    suite_add_tcase(suite, native);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
