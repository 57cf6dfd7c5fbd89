/* SPDX-License-Identifier: MIT */
/* The one file that stands for a sweep and what it includes: it makes the same plan, whatever is
 * in the texts, and holds the files. */
#include "sweep_support.h"

#include <stdio.h>
#include <sys/stat.h>

static void put(const char *name, const char *text)
{
    support_file(name, text, strlen(text));
}

static void read_main(struct sweep_case *test)
{
    assert_ok(
        sweep_read(support_path("main.yaml"), NULL, 0, &test->arena, &test->sweep, &test->err),
        test->err);
    assert_ok(plan_make(&test->sweep, 1000, &test->arena, &test->plan, &test->err), test->err);
}

static void assert_same_runs(const struct run *a, const struct run *b, size_t place)
{
    for (size_t f = 0; f < RUN_FIELD_COUNT; f++) {
        ck_assert_msg(field_value_equal(&run_fields[f], a, b), "run %zu, %s", place,
                      run_fields[f].name);
    }
}

/* Both sweeps are called the same and store the same. */
static void assert_same_heads(const struct sweep *a, const struct sweep *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->title, b->title);
    ck_assert(a->measures == b->measures);
}

/* Both plans hold the same runs in the same order, and keep the same. */
static void assert_same_plans(const struct plan *a, const struct plan *b)
{
    ck_assert(a->count == b->count && a->points == b->points);
    ck_assert(memcmp(a->keep, b->keep, a->count) == 0);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_runs(run_at(a, i), run_at(b, i), i);
    }
}

START_TEST(without_include_the_text_stays_as_it_is)
{
    struct sweep_case test = CASE_INIT;
    assert_ok(case_read(&test, CORPUS_HEAD "# a comment\n", NULL, 0), test.err);
    ck_assert_str_eq(test.sweep.text, CORPUS_HEAD "# a comment\n");
    case_release(&test);
}
END_TEST

START_TEST(the_resolved_sweep_is_plain)
{
    struct sweep_case test = CASE_INIT;
    put("base.yaml", "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\nzip: [{d_k: [8, 16]}]\n");
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\ngrid:\n  seed: {from: 1, to: 2}\n");
    read_main(&test);
    ck_assert_str_eq(test.sweep.text,
                     "# A sweep with what it includes, as one; the files follow as comments.\n"
                     "rowmax: 1\n"
                     "name: \"main\"\n"
                     "fixed:\n"
                     "  source: gaussian\n"
                     "  tokens: 8\n"
                     "zip:\n"
                     "  - {d_k: [8, 16]}\n"
                     "grid:\n"
                     "  seed: {from: 1, to: 2}\n"
                     "\n"
                     "# ---- the sweep itself\n"
                     "# rowmax: 1\n"
                     "# include: base.yaml\n"
                     "# grid:\n"
                     "#   seed: {from: 1, to: 2}\n"
                     "\n"
                     "# ---- included: base.yaml\n"
                     "# rowmax: 1\n"
                     "# fixed: {source: gaussian, tokens: 8}\n"
                     "# zip: [{d_k: [8, 16]}]\n");
    ck_assert_uint_eq(test.sweep.text_size, strlen(test.sweep.text));
    case_release(&test);
}
END_TEST

START_TEST(it_makes_the_same_plan_with_every_key)
{
    struct sweep_case whole = CASE_INIT;
    struct sweep_case alone = CASE_INIT;
    mkdir(support_path("p"), 0777);
    put("p/base.yaml",
        "\xEF\xBB\xBFrowmax: 1\r\nfixed: {sentence: \"the \\\"cat\\\", a: b # \\u2028 \\L x\", "
        "unknown_words: 'skip'}\r\ngrid: {corpus: [demo, text.txt], guards: [none, init+scale]}\n"
        "zip: {window: [2, 5], d_k: [8, 16]}\nkeep: {matrices: [weights], where: {seed: 1, "
        "corpus: text.txt}}\nmeasures: [score_std]\nsaturation: {gradient: 1e-2}\n");
    put("main.yaml", "rowmax: 1\ninclude: p/base.yaml\nname: odd name\n"
                     "title: |\n  \xC3\xA4: [x], \"y\"\n"
                     "grid: {power: {from: 0, to: 1, step: 0.25}, seed: [1, 2, 3]}\n"
                     "exclude: [{seed: {from: 2, to: 9}, power: [0, .5]}]\n"
                     "saturation: {row_max: +.5}\n");
    read_main(&whole);
    /* 2 corpora, 2 sets, 2 zipped, 5 powers with 3 seeds but for 2 powers with 2 */
    ck_assert_uint_eq(whole.plan.count, 88);
    assert_ok(sweep_parse(support_path("copy.yaml"), whole.sweep.text, whole.sweep.text_size, NULL,
                          0, &alone.arena, &alone.sweep, &alone.err),
              alone.err);
    assert_ok(plan_make(&alone.sweep, 1000, &alone.arena, &alone.plan, &alone.err), alone.err);
    assert_same_plans(&whole.plan, &alone.plan);
    assert_same_heads(&whole.sweep, &alone.sweep);
    ck_assert_str_eq(alone.sweep.text, whole.sweep.text);
    case_release(&whole);
    case_release(&alone);
}
END_TEST

START_TEST(it_makes_the_same_plan_with_scores_and_several_grids)
{
    struct sweep_case whole = CASE_INIT;
    struct sweep_case alone = CASE_INIT;
    put("base.yaml",
        "rowmax: 1\nfixed: {source: scores}\n"
        "grid: [{scores: [[[2, 1], [0, -.inf]], [[1, 3]]]}, {scores: [-inf, 1e-3]}]\n");
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\ngrid: {score_factor: [-1, .5]}\n");
    read_main(&whole);
    ck_assert_uint_eq(whole.plan.count, 6);
    assert_ok(sweep_parse(support_path("main.yaml"), whole.sweep.text, whole.sweep.text_size, NULL,
                          0, &alone.arena, &alone.sweep, &alone.err),
              alone.err);
    assert_ok(plan_make(&alone.sweep, 1000, &alone.arena, &alone.plan, &alone.err), alone.err);
    assert_same_plans(&whole.plan, &alone.plan);
    assert_same_heads(&whole.sweep, &alone.sweep);
    case_release(&whole);
    case_release(&alone);
}
END_TEST

/* Of the line ends that YAML knows none may end the comment that a file stands in. */
START_TEST(no_line_of_a_file_leaves_its_comment)
{
    struct sweep_case test = CASE_INIT;
    struct sweep_case alone = CASE_INIT;
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\n# x\xE2\x80\xA8# y\xE2\x80\xA9# z\n");
    support_file("base.yaml", "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\r# a\r\n# b\n", 56);
    read_main(&test);
    ck_assert_ptr_nonnull(strstr(test.sweep.text, "\n# # x\n# # y\n# # z\n"));
    ck_assert_ptr_nonnull(strstr(test.sweep.text, "tokens: 8}\n# # a\n# # b\n"));
    assert_ok(sweep_parse("copy.yaml", test.sweep.text, test.sweep.text_size, NULL, 0, &alone.arena,
                          &alone.sweep, &alone.err),
              alone.err);
    case_release(&test);
    case_release(&alone);
}
END_TEST

/* A file of line ends alone: each becomes a comment, and the whole too large to be read again. */
START_TEST(what_could_not_be_read_again_is_refused)
{
    struct sweep_case test = CASE_INIT;
    static char text[SWEEP_FILE_LIMIT - 100];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", GAUSSIAN_HEAD);
    memset(text + used, '\n', sizeof text - used);
    support_file("base.yaml", text, sizeof text);
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\n");
    ck_assert(!sweep_read(support_path("main.yaml"), NULL, 0, &test.arena, &test.sweep, &test.err));
    assert_error(test.err, ERROR_INPUT, "takes more than 4194304 bytes, the limit");
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/resolved");
    TCase *tests = tcase_create("resolved");
    tcase_add_test(tests, without_include_the_text_stays_as_it_is);
    tcase_add_test(tests, the_resolved_sweep_is_plain);
    tcase_add_test(tests, it_makes_the_same_plan_with_every_key);
    tcase_add_test(tests, it_makes_the_same_plan_with_scores_and_several_grids);
    tcase_add_test(tests, no_line_of_a_file_leaves_its_comment);
    tcase_add_test(tests, what_could_not_be_read_again_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
