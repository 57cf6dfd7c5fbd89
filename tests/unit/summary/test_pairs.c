/* SPDX-License-Identifier: MIT */
/* Tests src/summary/pairs.c: the same runs in two results sets. */
#include "rows.h"
#include "summary/pairs.h"

struct pairs_case {
    struct rows now, before;
    struct result_set sets[2]; /* before, now */
    struct pairs pairs;
    struct arena arena;
};

/* Seeds 1 to 3 on both sides, with keys 1 to 3. */
static struct pairs_case *pairs_case_make(void)
{
    struct pairs_case *test = calloc(1, sizeof *test);
    ck_assert_ptr_nonnull(test);
    for (int64_t seed = 1; seed <= 3; seed++) {
        rows_add(&test->now, 0, 8, seed, 0.5)->key = (uint64_t)seed;
        rows_add(&test->before, 0, 8, seed, 0.5)->key = (uint64_t)seed;
    }
    return test;
}

static struct result_set set_of(const struct rows *rows)
{
    return (struct result_set){
        .name = "rows", .planned = (int64_t)rows->count, .whole = rows->list, .count = rows->count};
}

static const struct pairs *pair(struct pairs_case *test)
{
    struct error err = ERROR_INIT;
    test->sets[0] = set_of(&test->before);
    test->sets[1] = set_of(&test->now);
    assert_ok(pairs_by_fields(&test->sets[1], &test->sets[0], &test->arena, &test->pairs, &err),
              err);
    return &test->pairs;
}

static void new_keys(struct pairs_case *test)
{
    for (size_t i = 0; i < test->now.count; i++) {
        test->now.list[i].key += 100;
    }
}

static void pairs_case_end(struct pairs_case *test)
{
    arena_release(&test->arena);
    free(test);
}

START_TEST(equal_keys_make_pairs_whatever_their_order)
{
    struct pairs_case *test = pairs_case_make();
    test->now.list[0].key = 3;
    test->now.list[2].key = 1;
    rows_add(&test->before, 0, 8, 9, 0.5)->key = 9;
    rows_add(&test->now, 0, 8, 8, 0.5)->key = 8;
    const struct pairs *pairs = pair(test);
    ck_assert_uint_eq(pairs->count, 5);
    ck_assert_uint_eq(pairs->by_key, 3);
    ck_assert_uint_eq(pairs->by_fields, 0);
    ck_assert_uint_eq(pairs->items[0].now, 0);
    ck_assert_uint_eq(pairs->items[0].before, 2);
    ck_assert_uint_eq(pairs->items[3].before, PAIR_NO_ROW);
    ck_assert_uint_eq(pairs->items[4].now, PAIR_NO_ROW);
    ck_assert_uint_eq(pairs->items[4].before, 3);
    pairs_case_end(test);
}
END_TEST

START_TEST(other_keys_of_equal_fields_make_pairs_too)
{
    struct pairs_case *test = pairs_case_make();
    test->now.list[1].key = 55;
    test->before.list[0].run.d_k = 4; /* of no matter where the keys agree */
    const struct pairs *pairs = pair(test);
    ck_assert_uint_eq(pairs->by_key, 2);
    ck_assert_uint_eq(pairs->by_fields, 1);
    ck_assert_uint_eq(pairs->count, 3);
    ck_assert_uint_eq(pairs->items[1].before, 1);
    ck_assert_uint_eq(pairs->held, 0);
    pairs_case_end(test);
}
END_TEST

START_TEST(a_field_fixed_to_other_values_is_held)
{
    struct pairs_case *test = pairs_case_make();
    new_keys(test);
    for (size_t i = 0; i < 3; i++) {
        test->now.list[i].run.input_spread = 2;
        test->now.list[i].run.given = UINT64_C(1) << RUN_INPUT_SPREAD;
    }
    const struct pairs *pairs = pair(test);
    ck_assert_uint_eq(pairs->by_fields, 3);
    ck_assert_uint_eq(pairs->count, 3);
    ck_assert_uint_eq(pairs->held, UINT64_C(1) << RUN_INPUT_SPREAD);
    /* one value is shared: that run is in both, and nothing is held */
    test->now.list[1].run.input_spread = 1;
    pairs = pair(test);
    ck_assert_uint_eq(pairs->by_fields, 1);
    ck_assert_uint_eq(pairs->count, 5);
    ck_assert_uint_eq(pairs->held, 0);
    pairs_case_end(test);
}
END_TEST

START_TEST(seeds_sources_and_many_fields_are_not_held)
{
    struct pairs_case *test = pairs_case_make();
    new_keys(test);
    for (size_t i = 0; i < 3; i++) {
        test->now.list[i].run.seed += 10;
    }
    ck_assert_uint_eq(pair(test)->by_fields, 0);
    ck_assert_uint_eq(test->pairs.count, 6);
    for (size_t i = 0; i < 3; i++) {
        test->now.list[i].run.seed -= 10;
        test->now.list[i].run.source = SOURCE_SCORES;
    }
    ck_assert_uint_eq(pair(test)->by_fields, 0);
    for (size_t i = 0; i < 3; i++) {
        struct run *run = &test->now.list[i].run;
        run->source = SOURCE_GAUSSIAN;
        run->d_k = 2;
        run->d_model = 2;
        run->softcap = 2;
        run->tokens = 2;
        run->given = UINT64_MAX;
    }
    ck_assert_uint_eq(pair(test)->by_fields, 0);
    for (size_t i = 0; i < 3; i++) {
        test->now.list[i].run.tokens = test->before.list[i].run.tokens;
    }
    ck_assert_uint_eq(pair(test)->by_fields, 3);
    pairs_case_end(test);
}
END_TEST

START_TEST(runs_outside_the_plan_are_left_out)
{
    struct pairs_case *test = pairs_case_make();
    test->now.list[0].index = -1;
    test->before.list[2].index = -1;
    const struct pairs *pairs = pair(test);
    ck_assert_uint_eq(pairs->count, 3); /* seed 2 in both, seeds 3 and 1 in one */
    ck_assert_uint_eq(pairs->by_key, 1);
    pairs_case_end(test);
}
END_TEST

START_TEST(empty_sets_have_no_pairs)
{
    struct pairs_case *test = pairs_case_make();
    test->now.count = 0;
    ck_assert_uint_eq(pair(test)->count, 3);
    ck_assert_uint_eq(test->pairs.by_key + test->pairs.by_fields, 0);
    test->before.count = 0;
    ck_assert_uint_eq(pair(test)->count, 0);
    pairs_case_end(test);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary.pairs");
    TCase *cases = tcase_create("pairs");
    tcase_add_test(cases, equal_keys_make_pairs_whatever_their_order);
    tcase_add_test(cases, other_keys_of_equal_fields_make_pairs_too);
    tcase_add_test(cases, a_field_fixed_to_other_values_is_held);
    tcase_add_test(cases, seeds_sources_and_many_fields_are_not_held);
    tcase_add_test(cases, runs_outside_the_plan_are_left_out);
    tcase_add_test(cases, empty_sets_have_no_pairs);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
