/* SPDX-License-Identifier: MIT */
/* Tests src/report/comparison.c, comparison_text.c and comparison_figure.c: what is compared with
 * the theory, by which words, and scripts that render. */
#include "sections_example.h"
#include "rendered_figure.h"

#include "report/comparison.h"

static struct arena arena;
static struct sections_example example;

/* That of the main sweep, made once for the tests that fork from here. */
static struct comparison whole;

static struct comparison comparison_of(const struct result_set *set)
{
    struct comparison comparison;
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(comparison_choose(&example.view, &arena, &comparison, &err), err);
    return comparison;
}

static void make_whole(void)
{
    const struct result_set set = example_set(&arena, 2);
    whole = comparison_of(&set);
}

static const char *script_of(const struct result_set *set)
{
    struct figure figure;
    struct error err = ERROR_INIT;
    bool made;
    sections_example_make(&example, set, &arena);
    assert_ok(comparison_make(set, &example.view, &arena, &figure, &made, &err), err);
    ck_assert(made);
    ck_assert_str_eq(figure.name, "theory");
    return figure.script;
}

static void expect_script_renders(const char *script)
{
    const struct figure figure = {.name = "theory", .script = script};
    expect_renders(&figure, &arena);
}

/* Runs with the tokens named and spreads of 1, 2, 3, ... */
static struct result_set tokens_of(struct result *rows, const int64_t *tokens, size_t count)
{
    struct result_set set = sections_example_rows(rows, count);
    for (size_t i = 0; i < count; i++) {
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.tokens = tokens[i];
        rows[i].measurement.tokens = tokens[i];
        rows[i].measurement.score_row_std = (double)(i + 1);
        rows[i].measurement.row_max_mean = 0.5;
        rows[i].measurement.jacobian_trace_mean = 0.5;
    }
    return set;
}

START_TEST(one_number_of_tokens_has_one_curve_and_marks_by_guards)
{
    const struct comparison comparison = whole;
    struct error err = ERROR_INIT;
    ck_assert_uint_eq(comparison.point_count, 24);
    ck_assert_uint_eq(comparison.size_count, 1);
    ck_assert_uint_eq(comparison.sizes[0], EXAMPLE_TOKENS);
    ck_assert_uint_eq(comparison.settings_left_out, 0);
    ck_assert(!comparison_by_size(&comparison));
    /* init is bit 0 and scale bit 1 of a guard set */
    ck_assert_str_eq(comparison_name(&comparison, 3, &arena, &err), "init + scale");
    ck_assert_uint_eq(comparison_style(&comparison, 3), 3);
    ck_assert(comparison_has_kind(&comparison, 7));
}
END_TEST

START_TEST(curves_are_those_of_the_theory)
{
    const struct comparison comparison = whole;
    const struct comparison_node *nodes = comparison.curves[0];
    for (size_t i = 0; i < comparison.node_count; i++) {
        struct theory theory;
        theory_iid(EXAMPLE_TOKENS, nodes[i].spread, &theory);
        assert_near(nodes[i].row_max, theory.row_max, 1e-15);
        assert_near(nodes[i].gradient_left, theory.jacobian_trace * 8 / 7, 1e-14);
    }
    /* tabulated for 8 scores */
    assert_near(comparison.thresholds.saturated, 2.913, 0.002);
}
END_TEST

START_TEST(curves_run_over_the_whole_axis)
{
    const struct comparison comparison = whole;
    const struct comparison_node *nodes = comparison.curves[0];
    ck_assert_uint_le(comparison.node_count, COMPARISON_NODES);
    assert_near(nodes[0].spread, comparison.x.low, 1e-12);
    assert_near(nodes[comparison.node_count - 1].spread, comparison.x.high, 1e-12);
    for (size_t i = 1; i < comparison.node_count; i++) {
        ck_assert(nodes[i].spread > nodes[i - 1].spread);
    }
}
END_TEST

START_TEST(of_many_numbers_of_tokens_four_are_drawn)
{
    static const int64_t tokens[7] = {2, 4, 8, 16, 32, 64, 128};
    static struct result rows[7];
    struct result_set set = tokens_of(rows, tokens, 7);
    struct comparison comparison = comparison_of(&set);
    ck_assert_uint_eq(comparison.size_count, 4);
    /* places 0, 2, 4 and 6 of seven */
    ck_assert_uint_eq(comparison.sizes[0], 2);
    ck_assert_uint_eq(comparison.sizes[1], 8);
    ck_assert_uint_eq(comparison.sizes[2], 32);
    ck_assert_uint_eq(comparison.sizes[3], 128);
    ck_assert_uint_eq(comparison.sizes_left_out, 3);
    ck_assert_uint_eq(comparison.point_count, 4);
    /* of 8 and 32, both a factor 2 from the median 16, the first */
    ck_assert_uint_eq(comparison.tokens, 8);
    const char *script = script_of(&set);
    expect_part(script, "'n = 32'");
    expect_part(script, "Dotted, for n = 8: ");
    /* every curve has its own half-way tick: where its gradient left is 0.5 */
    for (size_t s = 0; s < 4; s++) {
        assert_near(comparison.ticks[s][1].gradient_left, 0.5, 1e-8);
    }
    expect_part(script, "$t3 using 1:($3-0.016):(0):(0.032) with vectors nohead");
    expect_script_renders(script);
}
END_TEST

/* Four settings of eight tokens that differ in d_k. */
static struct result_set four_of(struct result *rows)
{
    static const int64_t tokens[4] = {8, 8, 8, 8};
    struct result_set set = tokens_of(rows, tokens, 4);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
    }
    return set;
}

START_TEST(other_weights_and_masks_are_left_out)
{
    static struct result rows[4];
    struct error err = ERROR_INIT;
    struct result_set set = four_of(rows);
    rows[1].run.mask = MASK_CAUSAL;
    rows[2].run.weights = WEIGHTS_SIGMOID;
    struct comparison comparison = comparison_of(&set);
    ck_assert_uint_eq(comparison.point_count, 2);
    ck_assert_uint_eq(comparison.settings_left_out, 2);
    const char *caption = comparison_caption(&comparison, &arena, &err);
    expect_part(caption,
                "2 settings with given scores, a mask or other weights than softmax are left out");
}
END_TEST

START_TEST(a_masked_sweep_is_not_compared)
{
    static struct result rows[4];
    struct error err = ERROR_INIT;
    struct result_set set = four_of(rows);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.mask = MASK_CAUSAL;
    }
    ck_assert_uint_eq(comparison_of(&set).point_count, 0);
    ck_assert_str_eq(comparison_sentence(&example.summary, &arena, &err), "");
}
END_TEST

START_TEST(spreads_that_hardly_differ_are_not_compared)
{
    static const int64_t tokens[2] = {8, 8};
    static struct result rows[2];
    struct result_set set = tokens_of(rows, tokens, 2);
    rows[1].run.d_k = 7;
    rows[1].measurement.score_row_std = 1.499;
    ck_assert_uint_eq(comparison_of(&set).point_count, 0);
    rows[1].measurement.score_row_std = 1.501;
    ck_assert_uint_eq(comparison_of(&set).point_count, 2);
    rows[1].measurement.score_row_std = (double)INFINITY;
    ck_assert_uint_eq(comparison_of(&set).point_count, 0);
}
END_TEST

START_TEST(single_tokens_and_undefined_measures_are_no_points)
{
    static const int64_t tokens[4] = {1, 8, 8, 8};
    static struct result rows[4];
    struct result_set set = tokens_of(rows, tokens, 4);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
    }
    rows[2].measurement.row_max_mean = (double)NAN;
    struct comparison comparison = comparison_of(&set);
    ck_assert_uint_eq(comparison.point_count, 2);
    ck_assert_uint_eq(comparison.sizes[0], 8);
    expect_script_renders(script_of(&set));
}
END_TEST

START_TEST(the_caption_names_the_thresholds_and_what_differs)
{
    const struct comparison comparison = whole;
    struct error err = ERROR_INIT;
    const char *caption = comparison_caption(&comparison, &arena, &err);
    expect_part(caption, "**Measurement and theory.**");
    expect_part(caption, "rows of 8 independent normal scores");
    expect_part(caption, "at a spread of 0.895 (gradient −10 %, onset)");
    expect_part(caption, "to 0.5 at 2.91 (gradient −50 %, saturated)");
    expect_part(caption, "to 0.1 at 16.2 (gradient −90 %, collapsed)");
    expect_part(caption,
                "The colour of a mark tells its line in the legend, its shape the corpus.");
    expect_part(caption, "marks may lie off the curve");
    expect_no_part(caption, "left out");
}
END_TEST

START_TEST(the_data_hold_marks_and_curves)
{
    const struct comparison comparison = whole;
    struct error err = ERROR_INIT;
    const char *data = comparison_data(&comparison, &arena, &err);
    size_t lines = 0;
    for (const char *at = data; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    ck_assert_uint_eq(lines, 1 + 24 + comparison.node_count);
    expect_part(data, "\nmeasured\t8\t");
    expect_part(data, "\ntheory\t8\t");
}
END_TEST

START_TEST(the_sentence_speaks_of_the_tokens_of_the_sweep)
{
    static const int64_t tokens[3] = {8, 64, 1024};
    static struct result rows[3];
    struct error err = ERROR_INIT;
    struct result_set set = example_set(&arena, 1);
    comparison_of(&set);
    expect_part(comparison_sentence(&example.summary, &arena, &err),
                "with 8 tokens the gradient left falls to 0.9 of what uniform weights leave at a "
                "spread of 0.895 (gradient −10 %, onset), to 0.5 at 2.91 (gradient −50 %, "
                "saturated) and to 0.1 at 16.2 (gradient −90 %, collapsed). Onset, saturated and "
                "collapsed here describe the theory's gradient, not the verdicts above; a "
                "verdict on a setting goes by its mean row-max, which that theory brings to 0.9 at "
                "a spread of 9.90.");
    set = tokens_of(rows, tokens, 3);
    comparison_of(&set);
    expect_part(comparison_sentence(&example.summary, &arena, &err),
                "with 64 tokens, the median of this sweep, the gradient");
}
END_TEST

/* The example has three corpora: circles, squares and triangles, the marks of the first styles. */
START_TEST(shapes_tell_corpora_apart_where_colours_tell_guards)
{
    struct result_set set = example_set(&arena, 2);
    const char *script = script_of(&set);
    ck_assert_uint_eq(comparison_of(&set).shapes->count, 3);
    expect_part(script, "$k3 using 1:($8==0?$2:NaN) with points pointtype 7 ");
    expect_part(script, "$k3 using 1:($8==2?$2:NaN) with points pointtype 9 ");
    expect_part(script, "'Corpus:'");
    expect_part(script, "'harbour'");
    set.count /= 3; /* one corpus */
    set.planned = (int64_t)set.count;
    ck_assert_ptr_null(comparison_of(&set).shapes);
    script = script_of(&set);
    expect_no_part(script, "'Corpus:'");
    expect_part(script, "$k0 using 1:($8==0?$2:NaN) with points ");
    expect_script_renders(script);
}
END_TEST

START_TEST(marks_stand_at_their_means_with_their_intervals)
{
    struct result_set set = example_set(&arena, 2);
    const char *script = script_of(&set);
    expect_part(script, "set label 'gradient −10 %: 0.895' at first 0.895");
    expect_part(script, "$k7 using 1:5:6:7 with yerrorbars");
    expect_part(script, "$n0 using 1:2 with lines");
    expect_part(script, "'theory, n = 8'");
    expect_script_renders(script);
    set = example_set(&arena, 1);
    script = script_of(&set);
    expect_no_part(script, "with yerrorbars");
    expect_script_renders(script);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comparison");
    TCase *shared = tcase_create("the main sweep");
    tcase_add_unchecked_fixture(shared, make_whole, NULL);
    suite_add_tcase(suite, shared);
    TCase *cases = tcase_create("comparison");
    tcase_add_test(shared, one_number_of_tokens_has_one_curve_and_marks_by_guards);
    tcase_add_test(shared, curves_are_those_of_the_theory);
    tcase_add_test(shared, curves_run_over_the_whole_axis);
    tcase_add_test(cases, of_many_numbers_of_tokens_four_are_drawn);
    tcase_add_test(cases, other_weights_and_masks_are_left_out);
    tcase_add_test(cases, a_masked_sweep_is_not_compared);
    tcase_add_test(cases, spreads_that_hardly_differ_are_not_compared);
    tcase_add_test(cases, single_tokens_and_undefined_measures_are_no_points);
    tcase_add_test(shared, the_caption_names_the_thresholds_and_what_differs);
    tcase_add_test(shared, the_data_hold_marks_and_curves);
    tcase_add_test(cases, the_sentence_speaks_of_the_tokens_of_the_sweep);
    tcase_add_test(cases, shapes_tell_corpora_apart_where_colours_tell_guards);
    tcase_add_test(cases, marks_stand_at_their_means_with_their_intervals);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
