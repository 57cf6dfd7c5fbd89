/* SPDX-License-Identifier: MIT */
/* Tests src/report/figures.c, curves.c, heatmap.c and heatmap_headings.c: pages, data, and scripts
 * that render. */
#include "sections_example.h"
#include "rendered_figure.h"

#include "report/canvas.h"

#include <stdio.h>

static struct arena arena;
static struct sections_example example;

static struct figures figures_of(const struct result_set *set)
{
    struct figures figures;
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(figures_make(set, &example.view, &arena, &figures, &err), err);
    return figures;
}

START_TEST(the_main_sweep_has_one_page_the_theory_and_a_heat_map)
{
    struct result_set set = example_set(&arena, 2);
    struct figures figures = figures_of(&set);
    ck_assert_uint_eq(figures.count, 3);
    ck_assert_uint_eq(figures.curves, 1);
    ck_assert_str_eq(figures.list[0].name, "saturation");
    ck_assert_ptr_null(figures.list[0].heading);
    ck_assert_str_eq(figures.list[1].name, "theory");
    ck_assert_str_eq(figures.list[1].heading, "Measurement and theory");
    ck_assert_str_eq(figures.list[2].name, "weights");
    expect_part(figures.list[0].caption, "**Where attention saturates.**");
    expect_part(figures.list[2].caption, "A word that occurs more than once competes with itself");
    expect_part(figures.list[2].caption, "a weight below 0.005 carries none");
    expect_part(
        figures.list[2].caption,
        "9 of 24 kept matrices are drawn, the most saturated among them; 3 of 8 guard sets.");
    expect_part(figures.list[2].script, "'mean row-max 1.00'");
    expect_no_part(figures.list[2].script, "1 − ");
}
END_TEST

START_TEST(the_heading_is_the_title_and_what_is_shown_stands_below)
{
    struct result_set set = example_set(&arena, 2);
    set.planned = 1048;
    struct figures figures = figures_of(&set);
    const char *script = figures.list[0].script;
    const char *title = strstr(script, "set label 'The same recipe on three corpora'");
    const char *below = strstr(script, "set label 'Where attention saturates. 8 tokens, 2 seeds a "
                                       "point; bars are 95 % intervals of the mean.'");
    ck_assert(title != NULL && below != NULL && title < below);
    expect_part(script, "set label 'Not complete: 48 of 1,048 planned runs.'");
    expect_part(script, "set label 'Pale bars reach down to 0, below any logarithmic axis.'");
    expect_part(script, "projections drawn with variance 1/d_model");
}
END_TEST

/* Three sentences along x, in three key dimensions when `facets`. */
static struct figures sentences_of(bool facets)
{
    static struct result rows[9];
    static struct result_set set;
    static const char *const sentences[3] = {
        "the cat chased the mouse across the garden and the mouse chased the cat",
        "the mouse chased the cat across the garden and the cat chased the mouse", "the garden"};
    set = sections_example_rows(rows, facets ? 9 : 3);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.sentence = sentences[i % 3];
        rows[i].run.learner = LEARNER_COUNT_SVD;
        rows[i].run.position = i / 3 == 1 ? POSITION_NONE : POSITION_SINUSOIDAL;
        rows[i].run.norm = i / 3 == 2 ? NORM_RMS : NORM_LAYER;
        rows[i].measurement.score_std = 1 + (double)i;
        rows[i].measurement.row_max_mean = 0.5;
        rows[i].measurement.jacobian_norm_mean = 0.1;
    }
    return figures_of(&set);
}

START_TEST(long_texts_are_cut_in_the_figure_and_whole_in_the_caption)
{
    struct figures figures = sentences_of(false);
    const char *script = figures.list[0].script;
    expect_part(script, "set label 'the cat chased the' at first 0");
    expect_part(script, "…' at first 0");
    expect_no_part(script, "rotate by 30");
    expect_no_part(script, "across the garden and");
    expect_part(figures.list[0].caption,
                "Values of sentence from left to right: (1) the cat chased the mouse across the "
                "garden and the mouse chased the cat; (2) the mouse");
    expect_renders(&figures.list[0], &arena);
    figures = sentences_of(true);
    expect_renders(&figures.list[0], &arena);
}
END_TEST

START_TEST(lines_between_categories_are_thin_and_pale)
{
    struct figures figures = sentences_of(false);
    expect_part(figures.list[0].script, "with lines linewidth 1.2 linecolor rgb 0x90");
    expect_no_part(figures.list[0].script, "linespoints");
}
END_TEST

START_TEST(the_data_hold_every_group_and_measure)
{
    struct result_set set = example_set(&arena, 2);
    struct figures figures = figures_of(&set);
    const char *data = figures.list[0].data;
    size_t lines = 0;
    for (const char *at = data; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    ck_assert_uint_eq(lines, 25);
    ck_assert_msg(strncmp(data, "corpus\tguards\truns\tfailed\t", 26) == 0, "%.60s", data);
    expect_part(data, "\trow_max_mean\trow_max_mean_half_width\t");
    expect_part(data, "\nharbour\tinit+scale+norm\t2\t0\t3020\t0\t");
}
END_TEST

START_TEST(further_axes_make_pages_that_render)
{
    static struct result rows[96];
    const struct result_set set = sections_example_rows(rows, 96);
    for (size_t i = 0; i < 96; i++) {
        rows[i].run.guard_init = i % 2 == 1;
        rows[i].run.d_k = (int64_t)1 << (i / 2 % 3);
        rows[i].run.position = i / 6 % 2 == 0 ? POSITION_SINUSOIDAL : POSITION_NONE;
        rows[i].run.norm = i / 12 % 2 == 0 ? NORM_LAYER : NORM_RMS;
        rows[i].run.unknown_words = i / 24 % 2 == 0 ? UNKNOWN_WORDS_ERROR : UNKNOWN_WORDS_SKIP;
        rows[i].run.mask = i / 48 == 0 ? MASK_NONE : MASK_CAUSAL;
        rows[i].measurement.score_std = (double)i + 1;
        rows[i].measurement.row_max_mean = (double)i / 100;
        rows[i].measurement.jacobian_norm_mean = 1e-300;
    }
    struct figures figures = figures_of(&set);
    ck_assert_uint_eq(figures.count, 3);
    ck_assert_uint_eq(figures.curves, 3);
    ck_assert_str_eq(figures.list[0].name, "saturation-1");
    ck_assert_str_eq(figures.list[1].name, "saturation-2");
    ck_assert_str_eq(figures.list[2].name, "saturation-3");
    /* 16 combinations of six groups, of which nine have room */
    expect_part(figures.list[1].caption, "42 settings of further combinations are not drawn");
    expect_renders(&figures.list[0], &arena);
    expect_renders(&figures.list[2], &arena);
}
END_TEST

START_TEST(many_categories_with_long_names_render)
{
    static struct result rows[60];
    static char names[60][128];
    const struct result_set set = sections_example_rows(rows, 60);
    for (size_t i = 0; i < 60; i++) {
        snprintf(names[i], sizeof names[i], "a corpus with a rather long name, number %zu", i);
        rows[i].run.corpus = names[i];
        rows[i].run.corpus_digest = names[i];
        rows[i].measurement.row_max_mean = 0.5;
    }
    struct figures figures = figures_of(&set);
    expect_part(figures.list[0].script, "rotate by 30");
    expect_renders(&figures.list[0], &arena);
}
END_TEST

/* One run with n tokens whose weights are all `weight`. */
static struct figures weights_of(size_t queries, size_t n, double weight, const char *words)
{
    static struct result row;
    static struct result_set set;
    struct error err = ERROR_INIT;
    double *weights = arena_alloc(&arena, queries * n, sizeof *weights, &err);
    for (size_t i = 0; i < queries * n; i++) {
        weights[i] = weight;
    }
    set = sections_example_rows(&row, 1);
    row.kept = (struct kept){queries, n, NULL, weights, words};
    return figures_of(&set);
}

START_TEST(heat_maps_of_any_size_render)
{
    struct figures figures = weights_of(1, 1, 1, "alone");
    expect_part(figures.list[1].script, "'alone' 0");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(12, 12, 1.0 / 12, NULL);
    expect_part(figures.list[1].script, "'12' 11");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(200, 200, 0.005, NULL);
    expect_part(figures.list[1].caption, "Only the first 96 of 200 tokens are drawn.");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(4, 4, (double)NAN, "a b c d");
    expect_part(figures.list[1].script, "no finite weight");
    expect_renders(&figures.list[1], &arena);
}
END_TEST

START_TEST(a_heat_map_that_is_cut_says_so_in_the_picture)
{
    const char *cut = "'Only the first 96 of 200 tokens are drawn. A line sums to 1 over all keys, "
                      "drawn or not. A dark line may have its weight on others.'";
    struct figures figures = weights_of(200, 200, 0.005, NULL);
    expect_part(figures.list[1].script, cut);
    expect_no_part(figures.list[1].script, "which sum to 1");
    figures = weights_of(96, 96, 1.0 / 96, NULL);
    expect_no_part(figures.list[1].script, "are drawn. ");
    expect_part(figures.list[1].script, "which sum to 1");
    /* lines are left out, but those drawn are whole */
    figures = weights_of(100, 2, 0.5, NULL);
    expect_part(figures.list[1].script, "'Only the first 96 of 100 queries are drawn.'");
    expect_part(figures.list[1].script, "which sum to 1");
}
END_TEST

/* Every grey line below the title of a picture 2000 wide with margins of 44 has room; returns how
 * many there are. They are of size 19 and stand at the left margin, 0.022 of the width. */
static size_t expect_lines_fit(const char *script)
{
    static const char place[] = "' at screen 0.02200";
    static const char size[] = "font FONT.',19'";
    size_t found = 0;
    for (const char *at = script; (at = strstr(at, "set label '")) != NULL; at++) {
        char line[1024];
        const char *from = at + strlen("set label '");
        const char *end = strstr(from, "' at ");
        const char *next = strchr(from, '\n');
        const char *font = strstr(from, size);
        if (end > next || font == NULL || font > next || strncmp(end, place, strlen(place)) != 0) {
            continue;
        }
        snprintf(line, sizeof line, "%.*s", (int)(end - from), from);
        ck_assert_msg(canvas_text_width(line, 19) <= 2000 - 2 * 44, "too long: %s", line);
        found++;
    }
    return found;
}

/* The words about 120 queries and 300 keys take 175 characters, of which 157 have room. */
START_TEST(what_is_said_of_a_heat_map_fits_on_the_picture_at_any_size)
{
    struct figures figures = weights_of(120, 300, 1.0 / 300, NULL);
    const char *script = figures.list[1].script;
    ck_assert_uint_eq(expect_lines_fit(script), 5);
    expect_part(script,
                "'Only the first 96 of 120 queries and the first 96 of 300 keys are drawn.'");
    expect_part(script, "'A line sums to 1 over all keys, drawn or not. A dark line may have its "
                        "weight on others.'");
    ck_assert_uint_eq(expect_lines_fit(weights_of(200, 200, 0.005, NULL).list[1].script), 4);
    ck_assert_uint_eq(expect_lines_fit(weights_of(97, 97, 1.0 / 97, NULL).list[1].script), 4);
    ck_assert_uint_eq(expect_lines_fit(weights_of(1000, 2, 0.5, NULL).list[1].script), 4);
    ck_assert_uint_eq(expect_lines_fit(weights_of(2, 2, 0.5, NULL).list[1].script), 3);
}
END_TEST

/* Three sizes, none of them square. */
START_TEST(what_is_said_of_several_sizes_fits_on_the_picture)
{
    static struct result rows[3];
    static double weights[200 * 300];
    struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.d_k = (int64_t)8 << i;
        rows[i].kept = (struct kept){100 + 50 * i, 200 + 50 * i, NULL, weights, NULL};
    }
    struct figures figures = figures_of(&set);
    const char *script = figures.list[figures.count - 1].script;
    ck_assert_uint_eq(expect_lines_fit(script), 5);
    expect_part(script, "'At most the first 96 of up to 200 queries and the first 96 of up to 300 "
                        "keys are drawn.'");
}
END_TEST

/* 130 letters W of 0.99 of the size each are as wide as 230 others. */
START_TEST(wide_letters_of_what_is_held_fit_on_the_picture)
{
    static struct result rows[4];
    static const double halves[4] = {0.5, 0.5, 0.5, 0.5};
    static char wide[131];
    struct result_set set = sections_example_rows(rows, 4);
    memset(wide, 'W', sizeof wide - 1);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.d_k = i % 2 == 0 ? 8 : 16;
        rows[i].run.sentence = i < 2 ? wide : "the cat";
        rows[i].kept = (struct kept){2, 2, NULL, i < 2 ? halves : NULL, "a b"};
    }
    struct figures figures = figures_of(&set);
    const char *script = figures.list[figures.count - 1].script;
    ck_assert_uint_eq(expect_lines_fit(script), 3);
    expect_part(script, "'All 2 kept matrices are drawn; all have sentence = WWW");
}
END_TEST

START_TEST(heat_maps_have_as_many_lines_as_queries)
{
    struct figures figures = weights_of(1, 5, 0.2, NULL);
    const char *script = figures.list[1].script;
    expect_part(script, "set xrange [-0.5:4.5]\nset yrange [0.5:-0.5]\n");
    expect_part(script, "textcolor rgb 0x26323C ('1' 0)\n");
    expect_part(script, "('1' 0, '2' 1, '3' 2, '4' 3, '5' 4)\n");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(3, 5, 0.2, "a b c d e");
    script = figures.list[1].script;
    expect_part(script, "set xrange [-0.5:4.5]\nset yrange [2.5:-0.5]\n");
    expect_part(script, "('1' 0, '2' 1, '3' 2)\n"); /* words name the keys only */
    expect_part(script, "('a' 0, 'b' 1, 'c' 2, 'd' 3, 'e' 4)\n");
    expect_part(script, "\n4 2 0.2\n"); /* the last key of the last query */
    expect_no_part(script, "\n4 3 0.2\n");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(5, 1, 1, NULL);
    expect_part(figures.list[1].script, "set xrange [-0.5:0.5]\nset yrange [4.5:-0.5]\n");
    expect_renders(&figures.list[1], &arena);
    figures = weights_of(100, 2, 0.5, NULL);
    expect_part(figures.list[1].caption, "Only the first 96 of 100 queries are drawn.");
}
END_TEST

START_TEST(lines_without_weights_and_negative_weights_stay_white)
{
    static const double weights[6] = {1.5, -0.5, 0.2, 0.8, (double)NAN, (double)NAN};
    static struct result row;
    struct result_set set = sections_example_rows(&row, 1);
    row.kept = (struct kept){3, 2, NULL, weights, NULL};
    row.run.weights = WEIGHTS_SIGMOID;
    struct figures figures = figures_of(&set);
    const struct figure *figure = &figures.list[figures.count - 1];
    expect_part(figure->script, "\n1 0 -0.5\n0 1 0.2\n1 1 0.8\n0 2 NaN\n1 2 NaN\n");
    expect_part(figure->caption, "Negative weights and lines without weights are left white.");
    expect_part(figure->caption, "where weights are no shares it does not sum to 1");
    expect_part(figure->script, "with its weights over the keys, left to right.'");
    expect_renders(figure, &arena);
}
END_TEST

START_TEST(a_set_without_runs_has_no_figures)
{
    struct result_set set = example_set(&arena, 1);
    set.count = 0;
    ck_assert_uint_eq(figures_of(&set).count, 0);
}
END_TEST

START_TEST(a_panel_without_values_after_a_logarithmic_axis_renders)
{
    static struct result rows[3];
    const struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.score_factor = (double)(1U << i);
        rows[i].measurement.score_std = (double)(1U << i);
        rows[i].measurement.input_std = (double)NAN;
        rows[i].measurement.row_max_mean = (double)NAN;
        rows[i].measurement.jacobian_norm_mean = (double)NAN;
        rows[i].measurement.jacobian_trace_mean = (double)NAN;
    }
    struct figures figures = figures_of(&set);
    ck_assert_uint_eq(figures.count, 1);
    expect_part(figures.list[0].script, "no value that can be drawn");
    expect_part(figures.list[0].caption, "Nothing is drawn by seed, so there is no interval.");
    expect_no_part(figures.list[0].caption, "input");
    expect_renders(&figures.list[0], &arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures");
    TCase *cases = tcase_create("figures");
    tcase_add_test(cases, the_main_sweep_has_one_page_the_theory_and_a_heat_map);
    tcase_add_test(cases, the_heading_is_the_title_and_what_is_shown_stands_below);
    tcase_add_test(cases, long_texts_are_cut_in_the_figure_and_whole_in_the_caption);
    tcase_add_test(cases, lines_between_categories_are_thin_and_pale);
    tcase_add_test(cases, the_data_hold_every_group_and_measure);
    tcase_add_test(cases, further_axes_make_pages_that_render);
    tcase_add_test(cases, many_categories_with_long_names_render);
    tcase_add_test(cases, heat_maps_of_any_size_render);
    tcase_add_test(cases, a_heat_map_that_is_cut_says_so_in_the_picture);
    tcase_add_test(cases, what_is_said_of_a_heat_map_fits_on_the_picture_at_any_size);
    tcase_add_test(cases, what_is_said_of_several_sizes_fits_on_the_picture);
    tcase_add_test(cases, wide_letters_of_what_is_held_fit_on_the_picture);
    tcase_add_test(cases, heat_maps_have_as_many_lines_as_queries);
    tcase_add_test(cases, lines_without_weights_and_negative_weights_stay_white);
    tcase_add_test(cases, a_set_without_runs_has_no_figures);
    tcase_add_test(cases, a_panel_without_values_after_a_logarithmic_axis_renders);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
