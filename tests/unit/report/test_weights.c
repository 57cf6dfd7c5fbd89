/* SPDX-License-Identifier: MIT */
/* Tests src/report/weights.c: which kept weights are shown. */
#include "example.h"

#include "report/weights.h"

static struct arena arena;

static bool choose(struct result_set *set, struct summary *summary, struct weights *weights)
{
    struct error err = ERROR_INIT;
    assert_ok(summary_make(set, &arena, summary, &err), err);
    return weights_choose(set, summary, weights);
}

START_TEST(the_main_sweep_shows_three_guard_sets_on_three_corpora)
{
    struct result_set set = example_set(&arena, 2);
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_uint_eq(weights.rows, 3);
    ck_assert_uint_eq(weights.columns, 3);
    ck_assert_int_eq(weights.seed, 1);
    ck_assert_str_eq(run_guards_text(&weights.panels[0][0]->run), "none");
    ck_assert_str_eq(run_guards_text(&weights.panels[1][0]->run), "init+scale");
    ck_assert_str_eq(run_guards_text(&weights.panels[2][2]->run), "init+scale+norm");
    ck_assert_str_eq(weights.panels[2][2]->run.corpus, "harbour");
    ck_assert(weights.same_words);
}
END_TEST

START_TEST(without_kept_weights_there_is_no_heat_map)
{
    struct result_set set = example_set(&arena, 1);
    struct result *rows = arena_alloc(&arena, set.count, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.rows, set.count * sizeof *rows);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].kept.weights = NULL;
    }
    set.rows = rows;
    struct summary summary;
    struct weights weights;
    ck_assert(!choose(&set, &summary, &weights));
}
END_TEST

START_TEST(a_panel_that_was_not_kept_stays_empty)
{
    struct result_set set = example_set(&arena, 1);
    struct result *rows = arena_alloc(&arena, set.count, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.rows, set.count * sizeof *rows);
    rows[3].kept.weights = NULL; /* demo, init + scale */
    set.rows = rows;
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_ptr_null(weights.panels[1][0]);
    ck_assert_ptr_nonnull(weights.panels[1][1]);
}
END_TEST

START_TEST(many_values_are_thinned_from_the_first_to_the_last)
{
    static double kept[EXAMPLE_TOKENS * EXAMPLE_TOKENS];
    struct result rows[10];
    for (size_t i = 0; i < 10; i++) {
        memset(&rows[i], 0, sizeof rows[i]);
        example_fill(&rows[i], 0, 3, 1, kept);
        rows[i].index = (int64_t)i;
        rows[i].run.d_k = (int64_t)1 << i;
    }
    struct result_set set = {.rows = rows, .count = 10, .planned = 10};
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_uint_eq(weights.columns, WEIGHTS_COLUMNS);
    ck_assert_int_eq(weights.panels[0][0]->run.d_k, 1);
    ck_assert_int_eq(weights.panels[0][3]->run.d_k, 512);
    ck_assert_uint_eq(weights.columns_left_out, 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("weights");
    TCase *cases = tcase_create("choice");
    tcase_add_test(cases, the_main_sweep_shows_three_guard_sets_on_three_corpora);
    tcase_add_test(cases, without_kept_weights_there_is_no_heat_map);
    tcase_add_test(cases, a_panel_that_was_not_kept_stays_empty);
    tcase_add_test(cases, many_values_are_thinned_from_the_first_to_the_last);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
