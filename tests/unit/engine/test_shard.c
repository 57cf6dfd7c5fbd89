/* SPDX-License-Identifier: MIT */
/* engine/shard: every run in one shard, the same for everyone, and no shard much dearer. */
#include "engine/shard.h"
#include "support.h"

#define RUNS 960

static uint32_t owners[RUNS];

static void divide(const double *costs, size_t count, size_t shards)
{
    struct error err = ERROR_INIT;
    assert_ok(shard_divide(costs, count, shards, owners, &err), err);
}

START_TEST(the_dearest_run_goes_first_to_the_least_loaded_shard)
{
    /* By hand: 9 to 0, 7 to 1, 6 to 1 (7 < 9), 5 to 0 (9 < 13), 4 to 1 (13 < 14), 1 to 0 (14 < 17).
     */
    const double costs[] = {5, 9, 4, 7, 1, 6};
    const uint32_t wanted[] = {0, 0, 1, 1, 0, 1};
    divide(costs, 6, 2);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(owners[i], wanted[i]);
    }
}
END_TEST

START_TEST(equal_costs_are_dealt_out_in_the_order_of_the_plan)
{
    double costs[12];
    for (size_t i = 0; i < 12; i++) {
        costs[i] = 0.1;
    }
    divide(costs, 12, 5);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(owners[i], i % 5);
    }
}
END_TEST

START_TEST(one_shard_has_all_and_more_shards_than_runs_leave_some_empty)
{
    const double costs[] = {3, 1, 2};
    divide(costs, 3, 1);
    ck_assert_uint_eq(owners[0] + owners[1] + owners[2], 0);
    divide(costs, 3, 7);
    ck_assert_uint_eq(owners[0], 0);
    ck_assert_uint_eq(owners[2], 1);
    ck_assert_uint_eq(owners[1], 2);
    divide(costs, 0, 3);
}
END_TEST

START_TEST(an_inner_axis_of_sizes_is_balanced_where_every_nth_run_is_not)
{
    /* Six widths 16 to 512 as the innermost axis, cost ~ width^2: dealing runs out in turn to 6
     * shards gives one of them all the widest, 4.5 times the mean. */
    double costs[RUNS];
    double total = 0;
    for (size_t i = 0; i < RUNS; i++) {
        double width = 16 << i % 6;
        costs[i] = width * width;
        total += costs[i];
    }
    for (size_t shards = 2; shards <= 16; shards++) {
        double loads[16] = {0};
        double most = 0;
        divide(costs, RUNS, shards);
        for (size_t i = 0; i < RUNS; i++) {
            ck_assert_uint_lt(owners[i], shards);
            loads[owners[i]] += costs[i];
        }
        for (size_t i = 0; i < shards; i++) {
            most = fmax(most, loads[i]);
        }
        ck_assert_double_le(most, 1.1 * total / (double)shards);
    }
}
END_TEST

START_TEST(a_failed_allocation_is_an_error)
{
    struct error err = ERROR_INIT;
    const double costs[] = {1};
    ck_assert(!shard_divide(costs, SIZE_MAX / 4, 2, owners, &err));
    assert_error(err, ERROR_INTERNAL, "memory");
}
END_TEST

static Suite *shard_suite(void)
{
    Suite *suite = suite_create("engine/shard");
    TCase *cases = tcase_create("shard");
    tcase_add_test(cases, the_dearest_run_goes_first_to_the_least_loaded_shard);
    tcase_add_test(cases, equal_costs_are_dealt_out_in_the_order_of_the_plan);
    tcase_add_test(cases, one_shard_has_all_and_more_shards_than_runs_leave_some_empty);
    tcase_add_test(cases, an_inner_axis_of_sizes_is_balanced_where_every_nth_run_is_not);
    tcase_add_test(cases, a_failed_allocation_is_an_error);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(shard_suite());
}
