/* SPDX-License-Identifier: MIT */
/* engine/shard: every run in one shard, the same for everyone, and no shard much dearer. */
#include "engine/shard.h"
#include "support.h"

#define RUNS 960

static uint32_t owners[RUNS];

static struct shard_run runs[RUNS];

static void divide_runs(size_t count, size_t shards)
{
    struct error err = ERROR_INIT;
    assert_ok(shard_divide(runs, count, shards, owners, &err), err);
}

static void divide(const double *costs, size_t count, size_t shards)
{
    for (size_t i = 0; i < count; i++) {
        runs[i] = (struct shard_run){.cost = costs[i]};
    }
    divide_runs(count, shards);
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

START_TEST(groups_that_share_much_stay_together)
{
    /* Six groups of four runs, one of each group after the other as an axis gives them. To learn a
     * group costs 100 and its runs 1 each: whole groups cost two shards 3 * 104, runs dealt out one
     * by one 6 * 100 + 12. */
    for (size_t i = 0; i < 24; i++) {
        runs[i] = (struct shard_run){1, 1 + i % 6, 100};
    }
    divide_runs(24, 2);
    double loads[2] = {0};
    for (size_t i = 0; i < 24; i++) {
        ck_assert_uint_eq(owners[i], owners[i % 6]);
        loads[owners[i]]++;
    }
    ck_assert(loads[0] == 12 && loads[1] == 12);
}
END_TEST

START_TEST(what_a_group_shares_counts_as_its_cost)
{
    /* 101 to 0, 61 to 1, 51 to 1 (61 < 101), 11 to 0 (101 < 112). */
    const struct shard_run given[] = {{1, 4, 100}, {1, 3, 10}, {1, 2, 60}, {1, 1, 50}};
    const uint32_t wanted[] = {0, 0, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        runs[i] = given[i];
    }
    divide_runs(4, 2);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(owners[i], wanted[i]);
    }
}
END_TEST

START_TEST(a_group_is_divided_where_that_ends_earlier)
{
    /* One group: whole 1 + 12 * 10 = 121, in three parts 1 + 40. */
    for (size_t i = 0; i < 12; i++) {
        runs[i] = (struct shard_run){10, 7, 1};
    }
    divide_runs(12, 3);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(owners[i], i % 3);
    }
}
END_TEST

START_TEST(runs_that_share_nothing_are_dealt_out_beside_the_groups)
{
    /* Two groups of two runs at 50 + 2, and four single runs of 13: 52 + 26 each. */
    const struct shard_run given[] = {{1, 3, 50}, {1, 9, 50}, {13, 0, 0}, {13, 0, 0},
                                      {1, 3, 50}, {1, 9, 50}, {13, 0, 0}, {13, 0, 0}};
    const uint32_t wanted[] = {0, 1, 0, 1, 0, 1, 0, 1};
    for (size_t i = 0; i < 8; i++) {
        runs[i] = given[i];
    }
    divide_runs(8, 2);
    for (size_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(owners[i], wanted[i]);
    }
}
END_TEST

START_TEST(a_failed_allocation_is_an_error)
{
    struct error err = ERROR_INIT;
    ck_assert(!shard_divide(runs, SIZE_MAX / 4, 2, owners, &err));
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
    tcase_add_test(cases, groups_that_share_much_stay_together);
    tcase_add_test(cases, what_a_group_shares_counts_as_its_cost);
    tcase_add_test(cases, a_group_is_divided_where_that_ends_earlier);
    tcase_add_test(cases, runs_that_share_nothing_are_dealt_out_beside_the_groups);
    tcase_add_test(cases, a_failed_allocation_is_an_error);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(shard_suite());
}
