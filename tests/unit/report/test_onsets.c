/* SPDX-License-Identifier: MIT */
/* Tests src/report/onsets.c, onset_words.c, onset_names.c, onset_text.c, onset_verdict.c and
 * onset_marks.c: which axis has onsets, what is said of them, and the theory beside them. */
#include "attention/theory.h"
#include "report/figures.h"
#include "report/onsets.h"
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

static void teardown(void)
{
    arena_release(&arena);
}

enum { POINTS = 5, SEEDS = 6, ROWS = 2 * POINTS * SEEDS };

/* Guards init and all three at d_k = 1, 4, 16, 64, 256; the second never saturates. Seeds lie
 * 0.01 apart around the mean. */
static struct result_set curves_set(struct result *rows, const double *row_max, int seeds)
{
    struct result_set set = sections_example_rows(rows, (size_t)2 * POINTS * (size_t)seeds);
    for (int i = 0; i < 2 * POINTS * seeds; i++) {
        int seed = i % seeds;
        int point = i / seeds % POINTS;
        bool init = i < POINTS * seeds;
        double move = 0.01 * (seed - (seeds - 1) / 2.0);
        rows[i].run = example_run("demo", init ? 1 : 7, seed + 1);
        rows[i].run.d_k = 1 << 2 * point;
        rows[i].run.saturation_gradient = 0.05;
        rows[i].measurement.row_max_mean = init ? row_max[point] + move : 0.2 + move;
        rows[i].measurement.jacobian_norm_mean = init ? 0.3 - 0.25 * row_max[point] : 0.3;
        rows[i].measurement.score_row_std = init ? 1 << point : 1;
    }
    return set;
}

static const struct onset_table *table_of(const struct result_set *set)
{
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(onsets_make(set, &example.view, &arena, &example.view.onsets, &err), err);
    return example.view.onsets;
}

static const char *text_of(const struct result_set *set, sections_part *part)
{
    struct error err = ERROR_INIT;
    table_of(set);
    assert_ok(part(&example.sections, &err), err);
    text_append(&example.out, "");
    const char *text = text_finish(&example.out, &err);
    ck_assert_ptr_nonnull(text);
    return text;
}

static const double rising[POINTS] = {0.2, 0.5, 0.7, 0.95, 0.98};

/* 0.9 lies 0.8 of the way from 16 to 64, at 16 · 4^0.8 = 48.5. All seeds move alike, by a standard
 * deviation of 0.017 / √6: the interval is narrow. */
START_TEST(the_first_sentence_tells_where_and_for_whom)
{
    static struct result rows[ROWS];
    const struct result_set set = curves_set(rows, rising, SEEDS);
    const char *text = text_of(&set, onsets_append_verdict);
    expect_part(text, "Attention enters saturation at **d_k = 48.5** (95 % interval 4");
    expect_part(text, ") with guards init. It saturates nowhere in the range with guards init + "
                      "scale + norm. The mean gradient magnitude stays above "
                      "0.05.");
}
END_TEST

START_TEST(every_curve_has_a_row_with_its_theory)
{
    static struct result rows[ROWS];
    const struct result_set set = curves_set(rows, rising, SEEDS);
    const char *text = text_of(&set, onsets_append);
    expect_part(text, "## Onset\n");
    expect_part(text, "| guards | mean row-max reaches 0.9 | gradient magnitude falls to 0.05 | "
                      "theory: row-max |\n");
    expect_part(text, "| init | 48.5 (4");
    expect_part(text, "| init + scale + norm | above 256 | above 256 | above 256 |\n");
    expect_part(text, "the 6 seeds are drawn again 2,000 times");
    expect_no_part(text, "Spread thin");
    /* the spread in a row is √d_k: theory at the square of its spread, 98.1 for 8 tokens */
    double spread = theory_spread_at_row_max(EXAMPLE_TOKENS, 0.9);
    const struct onset_table *table = table_of(&set);
    assert_near(table->theory[0].at, spread * spread, 1e-9);
    assert_within(table->theory[0].at, 98.1, 0.1);
    ck_assert_int_eq(table->theory[1].state, ONSET_NOWHERE);
}
END_TEST

START_TEST(one_seed_and_two_have_no_interval)
{
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, rising, 1);
    expect_part(text_of(&set, onsets_append), "There is one seed: too few for an interval.");
    expect_part(text_of(&set, onsets_append), "| init | 48.5 | above 256 |");
    set = curves_set(rows, rising, 2);
    expect_part(text_of(&set, onsets_append), "There are two seeds: too few for an interval.");
    set = curves_set(rows, rising, 4);
    expect_part(text_of(&set, onsets_append), "With so few seeds it is too short");
}
END_TEST

START_TEST(crossings_behind_and_before_the_onset_are_told)
{
    static const double wavy[POINTS] = {0.95, 0.7, 0.95, 0.7, 0.7};
    static const double falling[POINTS] = {0.95, 0.7, 0.6, 0.5, 0.4};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, wavy, 1);
    /* 0.9 is a fifth of the way from 0.95 to 0.7: 4^0.2 = 1.32, 4 · 4^0.8 = 12.1, 16 · 4^0.2 */
    expect_part(text_of(&set, onsets_append),
                "| init | 12.1; above the threshold up to 1.32 as well, leaves at 21.1 |");
    set = curves_set(rows, falling, 1);
    expect_part(text_of(&set, onsets_append), "| init | below 1; leaves at 1.32 |");
    expect_part(text_of(&set, onsets_append_verdict),
                "**No setting enters saturation from d_k = 1 to 256.** It saturates nowhere in the "
                "range with guards init + scale + norm. It is saturated at the lower end of the "
                "range only with guards init.");
}
END_TEST

/* One curve has no name: no sentence ends in "with ." or ",.". */
START_TEST(one_curve_is_spoken_of_without_a_name)
{
    static const double wavy[POINTS] = {0.95, 0.7, 0.95, 0.7, 0.95};
    static const double falling[POINTS] = {0.95, 0.7, 0.6, 0.5, 0.4};
    static const double none[POINTS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN,
                                        (double)NAN};
    static struct result rows[ROWS];
    const double *const curves[] = {wavy, falling, none};
    const char *texts[3];
    for (size_t i = 0; i < 3; i++) {
        struct result_set set = curves_set(rows, curves[i], 1);
        set.count = POINTS;
        set.planned = POINTS;
        texts[i] = text_of(&set, onsets_append_verdict);
    }
    /* the last crossing is four fifths of the way from 64 to 256: 64 * 4^0.8 = 194 */
    expect_part(texts[0], "**d_k = 12.1**, above the threshold up to 1.32 as well, leaves at 21.1, "
                          "enters again at 194. The mean gradient");
    expect_part(texts[1],
                "**No setting enters saturation from d_k = 1 to 256.** It is saturated at "
                "the lower end of the range only. The mean gradient");
    ck_assert_str_eq(texts[2], "");
}
END_TEST

/* Six seeds 0.01 apart around 0.9 at the last point: their mean is 0.9 - 0.004, and reaches 0.9 in
 * a part of the resamples only. */
START_TEST(an_interval_that_leaves_the_range_is_open)
{
    static const double late[POINTS] = {0.2, 0.3, 0.4, 0.5, 0.896};
    static const double over[POINTS] = {0.2, 0.3, 0.4, 0.5, 0.904};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, late, SEEDS);
    const char *text = text_of(&set, onsets_append);
    expect_part(text, "| init | above 256 (from 24");
    expect_part(text, "; within the range in ");
    set = curves_set(rows, over, SEEDS);
    text = text_of(&set, onsets_append);
    expect_part(text, " to above 256; within the range in ");
    expect_part(text_of(&set, onsets_append_verdict), "The mean row-max crosses 0.9 near **d_k = ");
    expect_part(text_of(&set, onsets_append_verdict),
                ", but the seeds do not settle it: no setting is called saturated.");
}
END_TEST

/* The mean of the last point is 0.896 or 0.904, and its interval, 0.017 / 2.45 · 2.57 wide, holds
 * 0.9: neither side is shown. */
START_TEST(what_is_undecided_is_not_said_to_saturate_nowhere)
{
    static const double late[POINTS] = {0.2, 0.3, 0.4, 0.5, 0.896};
    static const double over[POINTS] = {0.904, 0.95, 0.95, 0.95, 0.95};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, late, SEEDS);
    set.count = set.count / 2;
    set.planned /= 2;
    const char *text = text_of(&set, onsets_append_verdict);
    expect_part(text, "**Nowhere is saturation shown from d_k = 1 to 256; one setting is undecided "
                      "(0.89");
    set = curves_set(rows, over, SEEDS);
    set.count = set.count / 2;
    set.planned /= 2;
    text = text_of(&set, onsets_append_verdict);
    expect_part(text, "**The mean row-max reaches the threshold throughout, from d_k = 1 to 256; "
                      "one setting is undecided (0.90");
}
END_TEST

START_TEST(nothing_and_everything_are_said_in_a_sentence)
{
    static const double low[POINTS] = {0.2, 0.2, 0.2, 0.2, 0.2};
    static const double high[POINTS] = {0.95, 0.96, 0.97, 0.98, 0.99};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, low, SEEDS);
    expect_part(text_of(&set, onsets_append_verdict),
                "**Attention saturates nowhere from d_k = 1 to 256.**");
    set = curves_set(rows, high, SEEDS);
    set.count = set.count / 2;
    set.planned /= 2;
    expect_part(text_of(&set, onsets_append_verdict),
                "**Attention is saturated throughout, from d_k = 1 to 256.**");
}
END_TEST

/* 400 tokens: uniform weights have a gradient of √399/400 = 0.0499, below the threshold of 0.05. */
START_TEST(points_without_a_result_bound_what_is_said)
{
    static const double low[POINTS] = {0.2, 0.2, 0.2, 0.2, (double)NAN};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, low, 1);
    set.count = POINTS;
    set.planned = POINTS;
    expect_part(text_of(&set, onsets_append), "| above 64 | ");
    expect_part(text_of(&set, onsets_append_verdict),
                "**Attention saturates nowhere from d_k = 1 to 256, as far as it has a result.**");
}
END_TEST

START_TEST(a_gradient_that_is_thin_is_not_called_saturated)
{
    static const double low[POINTS] = {0.4, 0.3, 0.2, 0.1, 0.01};
    static struct result rows[ROWS];
    struct result_set set = curves_set(rows, low, SEEDS);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].measurement.tokens = 400;
        rows[i].measurement.jacobian_norm_mean =
            rows[i].run.d_k == 256 && rows[i].run.guard_init && !rows[i].run.guard_norm ? 0.04
                                                                                        : 0.3;
    }
    expect_part(text_of(&set, onsets_append), ", spread thin |");
    expect_part(text_of(&set, onsets_append_verdict),
                "there the weights are spread thin over many tokens, which is not saturation.");
}
END_TEST

START_TEST(an_axis_of_names_has_no_onset)
{
    struct result_set set = example_set(&arena, 1);
    ck_assert_ptr_null(table_of(&set));
    expect_no_part(text_of(&set, onsets_append), "Onset");
    expect_no_part(text_of(&set, onsets_append_verdict), "saturat");
}
END_TEST

START_TEST(the_figure_marks_onsets_and_names_the_threshold)
{
    static struct result rows[ROWS];
    const struct result_set set = curves_set(rows, rising, SEEDS);
    struct error err = ERROR_INIT;
    struct figure figure = {.name = "saturation"};
    table_of(&set);
    assert_ok(curves_make(&set, &example.view, 0, 1, &arena, &figure, &err), err);
    expect_part(figure.script, "set arrow from first 48.5"); /* the line down */
    expect_part(figure.script, "first 0.9 nohead front linewidth 6");
    expect_part(figure.caption, "an upright line marks the place, and the thick bar across it is "
                                "the 95 % interval of that place; of many");
    example.view.onsets = NULL;
    assert_ok(curves_make(&set, &example.view, 0, 1, &arena, &figure, &err), err);
    expect_no_part(figure.script, "first 0.9 nohead front linewidth 6");
    expect_no_part(figure.caption, "an upright line");
}
END_TEST

START_TEST(no_bar_is_explained_where_seeds_are_too_few_for_an_interval)
{
    static struct result rows[ROWS];
    for (int seeds = 1; seeds <= 2; seeds++) {
        const struct result_set set = curves_set(rows, rising, seeds);
        struct error err = ERROR_INIT;
        struct figure figure = {.name = "saturation"};
        table_of(&set);
        assert_ok(curves_make(&set, &example.view, 0, 1, &arena, &figure, &err), err);
        expect_no_part(figure.script, "nohead front linewidth 6");
        expect_part(figure.caption, "an upright line marks the place; of many curves these stand "
                                    "at the foot of the panel.");
        expect_no_part(figure.caption, "thick bar");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("onsets");
    TCase *cases = tcase_create("onsets");
    tcase_add_checked_fixture(cases, NULL, teardown);
    tcase_add_test(cases, the_first_sentence_tells_where_and_for_whom);
    tcase_add_test(cases, every_curve_has_a_row_with_its_theory);
    tcase_add_test(cases, one_seed_and_two_have_no_interval);
    tcase_add_test(cases, crossings_behind_and_before_the_onset_are_told);
    tcase_add_test(cases, one_curve_is_spoken_of_without_a_name);
    tcase_add_test(cases, an_interval_that_leaves_the_range_is_open);
    tcase_add_test(cases, what_is_undecided_is_not_said_to_saturate_nowhere);
    tcase_add_test(cases, nothing_and_everything_are_said_in_a_sentence);
    tcase_add_test(cases, points_without_a_result_bound_what_is_said);
    tcase_add_test(cases, a_gradient_that_is_thin_is_not_called_saturated);
    tcase_add_test(cases, an_axis_of_names_has_no_onset);
    tcase_add_test(cases, the_figure_marks_onsets_and_names_the_threshold);
    tcase_add_test(cases, no_bar_is_explained_where_seeds_are_too_few_for_an_interval);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
