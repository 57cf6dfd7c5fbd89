/* SPDX-License-Identifier: MIT */
/* run/result_table and run/results: rows come back from a table as they were put in, and a set
 * shows them in its order, under the names of its plan. */
#include "run/result_table.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3 * RESULT_BLOCK_ROWS + 17 };

static struct arena arena;
static struct error err;
static struct result_table table;

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    result_table_init(&table, &arena);
}

static void tear_down(void)
{
    arena_release(&arena);
}

/* Row i, whose values say which it is. */
static struct result row_of(size_t i)
{
    static const double matrix[4] = {1, 2, 3, 4};
    struct result row;
    memset(&row, 0, sizeof row);
    row.index = (int64_t)i - 1;
    row.key = i * UINT64_C(0x9e3779b97f4a7c15);
    row.status = i % 10 == 3 ? RESULT_FAILED : RESULT_OK;
    row.message = i % 10 == 3 ? "failed" : "";
    row.run = run_default();
    row.run.seed = (int64_t)i;
    row.measurement.tokens = (int64_t)i * 3;
    row.measurement.row_max_mean = i % 2 == 0 ? (double)NAN : (double)i / 7;
    row.measurement.nonfinite = -(int64_t)i;
    if (i % 100 == 5) {
        row.kept = (struct kept){2, 2, matrix, i % 200 == 5 ? matrix : NULL, "a b"};
    }
    return row;
}

static void assert_row(const struct result *row, const struct result *wanted)
{
    ck_assert_int_eq(row->index, wanted->index);
    ck_assert_uint_eq(row->key, wanted->key);
    ck_assert_int_eq(row->status, wanted->status);
    ck_assert_str_eq(row->message, wanted->message);
    ck_assert_int_eq(row->run.seed, wanted->run.seed);
    ck_assert_ptr_eq(row->kept.scores, wanted->kept.scores);
    ck_assert_ptr_eq(row->kept.weights, wanted->kept.weights);
    ck_assert_uint_eq(row->kept.tokens, wanted->kept.tokens);
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        ck_assert(
            field_value_equal(&measurement_fields[m], &row->measurement, &wanted->measurement));
    }
}

static void fill(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct result row = row_of(i);
        assert_ok(result_table_put(&table, i, &row, &err), err);
    }
}

START_TEST(every_row_comes_back)
{
    fill();
    ck_assert_uint_eq(table.count, ROWS);
    struct result_set set = {.table = &table, .count = ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        struct result wanted = row_of(i);
        struct result space;
        assert_row(result_row(&set, i, &space), &wanted);
        ck_assert_int_eq(result_index(&set, i), wanted.index);
        ck_assert_uint_eq(result_key(&set, i), wanted.key);
        ck_assert_int_eq(result_status(&set, i), wanted.status);
        ck_assert_str_eq(result_message(&set, i), wanted.message);
        ck_assert(result_number(&set, i, MEASURE_TOKENS) == (double)i * 3);
    }
}
END_TEST

START_TEST(a_row_can_be_replaced)
{
    fill();
    struct result row = row_of(5); /* with matrices, where there were none */
    assert_ok(result_table_put(&table, 300, &row, &err), err);
    ck_assert_uint_eq(table.count, ROWS);
    struct result_set set = {.table = &table, .count = ROWS};
    struct result space;
    assert_row(result_row(&set, 300, &space), &row);
    struct result after = row_of(301);
    assert_row(result_row(&set, 301, &space), &after);
}
END_TEST

START_TEST(a_set_has_its_own_order_indices_names_and_matrices)
{
    fill();
    struct run_list plan;
    struct run run = run_default();
    run_list_init(&plan, &arena);
    for (int64_t i = 0; i < 2; i++) {
        run.seed = 1000 + i;
        assert_ok(run_list_append(&plan, &run, &err), err);
    }
    const struct result_place places[] = {{205, 0}, {5, 1}, {105, -1}};
    const unsigned char wanted[] = {RESULT_WEIGHTS, 0};
    const struct result_set set = {
        .table = &table, .count = 3, .places = places, .plan = &plan, .wanted = wanted};
    struct result space;
    const struct result *row = result_row(&set, 0, &space);
    ck_assert_int_eq(row->index, 0);
    ck_assert_int_eq(row->run.seed, 1000);
    ck_assert_ptr_null(row->kept.scores);
    ck_assert_ptr_nonnull(row->kept.weights);
    ck_assert(row->measurement.tokens == 205 * 3);
    row = result_row(&set, 1, &space);
    ck_assert_int_eq(row->run.seed, 1001);
    /* Nothing is wanted, so there are no words of it either. */
    ck_assert_ptr_null(row->kept.words);
    ck_assert_uint_eq(row->kept.tokens, 0);
    row = result_row(&set, 2, &space);
    ck_assert_int_eq(row->index, -1);
    ck_assert_int_eq(row->run.seed, 105);
    ck_assert_ptr_nonnull(row->kept.scores);
}
END_TEST

START_TEST(what_all_rows_share_is_known_unless_two_lists_are_read)
{
    fill();
    struct result_set set = {.table = &table, .count = ROWS};
    const int64_t *d_k = result_shared_member(&set, RUN_D_K);
    ck_assert_ptr_nonnull(d_k);
    ck_assert_int_eq(*d_k, run_default().d_k);
    ck_assert_ptr_null(result_shared_member(&set, RUN_SEED));
    const struct result_place places[] = {{1, 0}, {2, -1}};
    set.places = places;
    set.count = 2;
    set.plan = &table.runs;
    ck_assert_ptr_null(result_shared_member(&set, RUN_D_K));
}
END_TEST

START_TEST(rows_can_lie_whole_in_memory)
{
    struct result rows[2] = {row_of(5), row_of(6)};
    const struct result_set set = {.whole = rows, .count = 2};
    struct result space;
    ck_assert_ptr_eq(result_row(&set, 1, &space), &rows[1]);
    ck_assert_ptr_eq(result_hold_run(&set, 1, &arena, &err), &rows[1].run);
    ck_assert_ptr_eq(result_run_member(&set, 0, RUN_SEED), &rows[0].run.seed);
    ck_assert_ptr_eq(result_run_member(&set, 0, RUN_LIST_GIVEN), &rows[0].run.given);
    ck_assert_ptr_eq(result_run_member(&set, 0, run_list_digest(RUN_W_K)), &rows[0].run.w_k_digest);
}
END_TEST

START_TEST(seeds_of_the_plan_rise_each_once)
{
    struct result rows[5] = {row_of(3), row_of(1), row_of(3), row_of(2), row_of(0)};
    const int64_t seeds[] = {30, -7, 30, 12, 5};
    for (size_t i = 0; i < 5; i++) {
        rows[i].index = (int64_t)i;
        rows[i].run.seed = seeds[i];
    }
    rows[4].index = -1;
    struct result_set set = {.whole = rows, .count = 5};
    size_t count;
    const int64_t *found = result_seeds(&set, &arena, &count, &err);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(found[0], -7);
    ck_assert_int_eq(found[1], 12);
    ck_assert_int_eq(found[2], 30);
    set.count = 0;
    ck_assert_ptr_nonnull(result_seeds(&set, &arena, &count, &err));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(measures_that_are_not_filled_in_are_undefined)
{
    const struct run plain = run_default();
    struct result space;
    assert_ok(result_table_fill(&table, &plain, 300, &err), err);
    assert_ok(result_table_add_measures(&table, &err), err);
    result_table_get(&table, 299, &space);
    ck_assert(isnan(space.measurement.row_max_mean));
    ck_assert_int_eq(space.measurement.nonfinite, 0);
    ck_assert_str_eq(space.message, "");
}
END_TEST

START_TEST(facts_are_found_by_name)
{
    static const struct provenance facts[] = {{"blas", "x"}, {"libc", "y"}};
    const struct result_set set = {.provenance = facts, .provenance_count = 2};
    ck_assert_str_eq(result_fact(&set, "libc"), "y");
    ck_assert_ptr_null(result_fact(&set, "commit"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run/result_table");
    TCase *tests = tcase_create("result_table");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, every_row_comes_back);
    tcase_add_test(tests, a_row_can_be_replaced);
    tcase_add_test(tests, a_set_has_its_own_order_indices_names_and_matrices);
    tcase_add_test(tests, what_all_rows_share_is_known_unless_two_lists_are_read);
    tcase_add_test(tests, rows_can_lie_whole_in_memory);
    tcase_add_test(tests, seeds_of_the_plan_rise_each_once);
    tcase_add_test(tests, measures_that_are_not_filled_in_are_undefined);
    tcase_add_test(tests, facts_are_found_by_name);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
