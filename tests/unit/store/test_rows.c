/* SPDX-License-Identifier: MIT */
/* Results in memory, and what counts as the same result: saving relies on it to trust a new file.
 */
#include "sample.h"
#include "bare_arena.h"

#include "store/rows.h"

START_TEST(rows_are_found_by_key_even_when_keys_share_bits)
{
    struct rows rows;
    struct error err = ERROR_INIT;
    rows_init(&rows, &arena);
    ck_assert(rows_find(&rows, 5) == ROWS_NONE);
    for (uint64_t i = 0; i < 1000; i++) {
        struct result result = sample_result(1, &arena);
        result.key = i << 54;
        result.index = (int64_t)i;
        assert_ok(rows_put_copy(&rows, &result, &err), err);
    }
    ck_assert_uint_eq(rows.table.count, 1000);
    const struct result_set set = rows_set(&rows);
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(rows_find(&rows, i << 54), i);
        ck_assert_int_eq(result_index(&set, i), (int64_t)i);
    }
    ck_assert(rows_find(&rows, 1) == ROWS_NONE);
}
END_TEST

START_TEST(a_change_in_any_value_is_a_difference)
{
    struct result a = sample_result(0, &arena);
    sample_keep(&a, 3, true, true, &arena);
    struct result b = a;
    ck_assert(rows_equal(&a, &b));
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (i == RUN_SOURCE || !run_field_applies(&a.run, (enum run_field)i)) {
            continue;
        }
        b = a;
        sample_set(&run_fields[i], &b.run, 5, i + 1, &arena);
        if (!field_value_equal(&run_fields[i], &a.run, &b.run)) {
            ck_assert_msg(!rows_equal(&a, &b), "%s", run_fields[i].name);
        }
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        b = a;
        sample_set(&measurement_fields[i], &b.measurement, 1, i + 3, &arena);
        ck_assert_msg(!rows_equal(&a, &b), "%s", measurement_fields[i].name);
    }
}
END_TEST

START_TEST(identity_texts_and_matrices_count)
{
    struct result a = sample_result(0, &arena);
    sample_keep(&a, 3, true, true, &arena);
    struct result b = a;
    b.key++;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.index++;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.status = RESULT_FAILED;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.message = "other";
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.run.corpus_digest = "other";
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.kept.words = NULL;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.kept.weights = a.kept.scores;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.kept.queries = 1;
    b.kept.tokens = 9;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.kept.scores = NULL;
    ck_assert(!rows_equal(&a, &b));
    b = a;
    b.run.given ^= UINT64_C(1) << RUN_SEED;
    ck_assert(!rows_equal(&a, &b));
}
END_TEST

static Suite *rows_suite(void)
{
    Suite *suite = suite_create("store/rows");
    TCase *cases = tcase_create("rows");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, rows_are_found_by_key_even_when_keys_share_bits);
    tcase_add_test(cases, a_change_in_any_value_is_a_difference);
    tcase_add_test(cases, identity_texts_and_matrices_count);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(rows_suite());
}
