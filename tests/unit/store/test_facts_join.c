/* SPDX-License-Identifier: MIT */
/* Facts of several programs and machines as those of one file. */
#include "store/facts_join.h"

#include "arena_fixture.h"
#include "store/merge.h"
#include "support.h"

#include <string.h>

/* A set of these facts, of which it has `count`. */
static struct result_set set_of(const struct provenance *facts, size_t count)
{
    return (struct result_set){.provenance = facts, .provenance_count = count};
}

static struct joined_facts join(const struct result_set *const *sets, size_t count,
                                const struct result_set *like)
{
    struct joined_facts joined;
    assert_ok(facts_join(sets, count, like, &arena, &joined, &err), err);
    return joined;
}

static const struct provenance of_here[] = {{"commit", "c1"},
                                            {"sweep_sha256", "new"},
                                            {"processor", "Xeon"},
                                            {"numerics", "1f"},
                                            {"plan_sha256", "p2"}};
static const struct provenance of_there[] = {
    {"processor", "EPYC"}, {"commit", "c1"}, {"sweep_sha256", "old"}, {"older", "unknown here"}};

START_TEST(each_value_stands_once_and_in_order)
{
    const struct provenance both[] = {{"commit", "c0 | c1"}, {"processor", "Xeon"}};
    const struct result_set here = set_of(of_here, 5);
    const struct result_set there = set_of(of_there, 4);
    const struct result_set joined_before = set_of(both, 2);
    const struct result_set *sets[] = {&here, &there, &joined_before};
    const struct joined_facts joined = join(sets, 3, &here);
    const struct result_set out = set_of(joined.facts, joined.count);
    ck_assert_uint_eq(joined.count, 5);
    ck_assert_str_eq(joined.facts[0].name, "commit");
    ck_assert_str_eq(result_fact(&out, "commit"), "c0 | c1");
    ck_assert_str_eq(result_fact(&out, "processor"), "EPYC | Xeon");
    ck_assert_str_eq(result_fact(&out, "numerics"), "1f | unknown");
    ck_assert_str_eq(joined.commits, "c0 | c1");
    ck_assert_str_eq(joined.differing, "processor, numerics");
}
END_TEST

START_TEST(what_tells_of_the_sweep_is_that_of_the_one_at_hand)
{
    const struct result_set here = set_of(of_here, 5);
    const struct result_set there = set_of(of_there, 4);
    const struct result_set *sets[] = {&there};
    const struct joined_facts joined = join(sets, 1, &here);
    const struct result_set out = set_of(joined.facts, joined.count);
    ck_assert_str_eq(result_fact(&out, "sweep_sha256"), "new");
    ck_assert_str_eq(result_fact(&out, "plan_sha256"), "p2");
    ck_assert_str_eq(result_fact(&out, "processor"), "EPYC");
    ck_assert_ptr_null(joined.differing);
    ck_assert_ptr_null(joined.commits);
}
END_TEST

START_TEST(a_fact_that_nobody_states_is_left_out)
{
    const struct result_set here = set_of(of_here, 5);
    const struct result_set there = set_of(of_there, 4);
    const struct result_set *sets[] = {&there};
    const struct joined_facts joined = join(sets, 1, &here);
    const struct result_set out = set_of(joined.facts, joined.count);
    ck_assert_uint_eq(joined.count, 4);
    ck_assert_ptr_null(result_fact(&out, "numerics"));
    ck_assert_ptr_null(result_fact(&out, "older"));
}
END_TEST

START_TEST(what_no_run_used_is_no_value_beside_others)
{
    const struct provenance kernel[] = {{"blas", "kernel"}, {"zlib", "not used"}};
    const struct provenance none[] = {{"blas", "not used"}, {"zlib", "not used"}};
    const struct result_set some = set_of(kernel, 2);
    const struct result_set others = set_of(none, 2);
    const struct result_set *sets[] = {&others, &some};
    const struct joined_facts joined = join(sets, 2, &others);
    const struct result_set out = set_of(joined.facts, joined.count);
    ck_assert_str_eq(result_fact(&out, "blas"), "kernel");
    ck_assert_str_eq(result_fact(&out, "zlib"), "not used");
    ck_assert_ptr_null(joined.differing);
}
END_TEST

START_TEST(who_chose_the_level_makes_no_difference)
{
    const struct provenance forced[] = {{"cpu_level_from", "ROWMAX_CPU"}};
    const struct provenance found[] = {{"cpu_level_from", "processor"}};
    const struct result_set one = set_of(forced, 1);
    const struct result_set other = set_of(found, 1);
    const struct result_set *sets[] = {&one, &other};
    const struct joined_facts joined = join(sets, 2, &one);
    ck_assert_str_eq(joined.facts[0].value, "ROWMAX_CPU | processor");
    ck_assert_ptr_null(joined.differing);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts_join");
    TCase *tests = tcase_create("facts_join");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, each_value_stands_once_and_in_order);
    tcase_add_test(tests, what_tells_of_the_sweep_is_that_of_the_one_at_hand);
    tcase_add_test(tests, a_fact_that_nobody_states_is_left_out);
    tcase_add_test(tests, what_no_run_used_is_no_value_beside_others);
    tcase_add_test(tests, who_chose_the_level_makes_no_difference);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
