/* SPDX-License-Identifier: MIT */
/* Chance, start and end of the learners by steps. */
#include "corpus/corpus_internal.h"

#include "embedding_fixture.h"

START_TEST(draws_are_the_uniform_matrix_row_by_row)
{
    static struct draws draws;
    double rows[3][DRAWS_AT_ONCE];
    draws_init(&draws, 99);
    for (uint32_t row = 0; row < 3; row++) {
        random_uniforms(99, RANDOM_STEP, row, 0, DRAWS_AT_ONCE, rows[row]);
        for (size_t k = 0; k < DRAWS_AT_ONCE; k++) {
            ck_assert(draws_next(&draws) == rows[row][k]);
        }
    }
    /* After 2^32 rows come other numbers, not the first ones again. */
    draws.filled = UINT64_C(1) << 32;
    ck_assert(draws_next(&draws) != rows[0][0]);
}
END_TEST

START_TEST(integers_below_a_number_are_as_likely)
{
    /* 70,000 draws below 7: the sum of squares has 6 degrees of freedom, 99.99 % below 28. */
    enum { COUNT = 70000, BELOW = 7 };
    static struct draws draws;
    size_t found[BELOW] = {0};
    draws_init(&draws, 5);
    for (size_t i = 0; i < COUNT; i++) {
        size_t drawn = draws_below(&draws, BELOW);
        ck_assert_uint_lt(drawn, BELOW);
        found[drawn]++;
    }
    double squares = 0;
    for (size_t i = 0; i < BELOW; i++) {
        double expected = (double)COUNT / BELOW;
        squares += ((double)found[i] - expected) * ((double)found[i] - expected) / expected;
    }
    ck_assert(squares < 28);
    for (size_t i = 0; i < 10; i++) {
        ck_assert_uint_eq(draws_below(&draws, 1), 0);
    }
}
END_TEST

/* The chance of each number as the table holds it. */
static void check_chances(const double *weights, size_t count)
{
    struct alias alias;
    assert_ok(alias_make(weights, count, &arena, &arena, &alias, &err), err);
    double *chances = arena_alloc(&arena, count, sizeof *chances, &err);
    ck_assert(chances != NULL);
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        double own = fmin(alias.own[i], 1);
        chances[i] += own / (double)count;
        chances[alias.other[i]] += (1 - own) / (double)count;
        total += weights[i];
    }
    for (size_t i = 0; i < count; i++) {
        assert_within(chances[i], weights[i] / total, 1e-14);
    }
}

START_TEST(the_alias_table_holds_the_chances_themselves)
{
    const double one[] = {3};
    const double even[] = {2, 2, 2, 2};
    const double with_zero[] = {0, 1, 0, 3};
    const double uneven[] = {1000, 1, 1e-3, 20, 7};
    static double zipf[5000];
    for (size_t i = 0; i < 5000; i++) {
        zipf[i] = pow(1e6 / (double)(i + 1), 0.75);
    }
    check_chances(one, 1);
    check_chances(even, 4);
    check_chances(with_zero, 4);
    check_chances(uneven, 5);
    check_chances(zipf, 5000);
}
END_TEST

START_TEST(noise_is_drawn_by_the_powers_of_the_counts)
{
    /* Counts 1, 16, 81, 256: powers 1, 8, 27, 64, of 100. 3 degrees of freedom, 99.99 % below 21.2.
     */
    enum { COUNT = 100000 };
    const double counts[] = {1, 16, 81, 256};
    const double percent[] = {1, 8, 27, 64};
    double weights[4];
    size_t found[4] = {0};
    static struct draws draws;
    struct alias alias;
    for (size_t i = 0; i < 4; i++) {
        weights[i] = pow(counts[i], 0.75);
    }
    assert_ok(alias_make(weights, 4, &arena, &arena, &alias, &err), err);
    draws_init(&draws, 1);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t drawn = alias_draw(&alias, &draws);
        ck_assert_uint_lt(drawn, 4);
        found[drawn]++;
    }
    double squares = 0;
    for (size_t i = 0; i < 4; i++) {
        double expected = COUNT / 100.0 * percent[i];
        squares += ((double)found[i] - expected) * ((double)found[i] - expected) / expected;
    }
    ck_assert_msg(squares < 21.2, "%g", squares);
}
END_TEST

START_TEST(a_start_is_uniform_and_each_row_its_own)
{
    enum { ROWS = 400, COLUMNS = 50 };
    static double start[ROWS * COLUMNS];
    double half[COLUMNS];
    steps_start(3, RANDOM_START, ROWS, COLUMNS, 50, start);
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        ck_assert(fabs(start[i]) <= 0.01);
        sum += start[i];
        squares += start[i] * start[i];
    }
    /* Deviation 0.5/(50 root 3); the square of a uniform varies by root 4/5 of its mean. */
    double deviation = 0.01 / sqrt(3);
    double count = (double)ROWS * COLUMNS;
    assert_within(sum / count, 0, 4 * deviation / sqrt(count));
    assert_within(squares / count / (deviation * deviation), 1, 4 * sqrt(0.8 / count));
    steps_start(3, RANDOM_START, 2, 25, 25, half);
    for (size_t k = 0; k < 25; k++) {
        ck_assert(half[k] == 2 * start[k] && half[25 + k] == 2 * start[COLUMNS + k]);
    }
}
END_TEST

START_TEST(a_stop_is_an_interruption_and_none_is_not)
{
    const atomic_int running = 0;
    const atomic_int stopped = 15;
    ck_assert(steps_go_on(NULL, &err) && steps_go_on(&running, &err));
    ck_assert(!steps_go_on(&stopped, &err));
    assert_error(err, ERROR_INTERRUPTED, "interrupted");
}
END_TEST

START_TEST(a_dot_product_of_any_length_is_the_sum)
{
    /* 1*1 + 2*2 + ... = n (n + 1) (2n + 1) / 6, exact. */
    double numbers[40];
    for (size_t i = 0; i < 40; i++) {
        numbers[i] = (double)(i + 1);
    }
    for (size_t n = 0; n <= 40; n++) {
        ck_assert(steps_dot(n, numbers, numbers) == (double)(n * (n + 1) * (2 * n + 1) / 6));
    }
}
END_TEST

static Suite *steps_suite(void)
{
    Suite *suite = suite_create("steps");
    TCase *cases = tcase_create("steps");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, draws_are_the_uniform_matrix_row_by_row);
    tcase_add_test(cases, integers_below_a_number_are_as_likely);
    tcase_add_test(cases, the_alias_table_holds_the_chances_themselves);
    tcase_add_test(cases, noise_is_drawn_by_the_powers_of_the_counts);
    tcase_add_test(cases, a_start_is_uniform_and_each_row_its_own);
    tcase_add_test(cases, a_stop_is_an_interruption_and_none_is_not);
    tcase_add_test(cases, a_dot_product_of_any_length_is_the_sum);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(steps_suite());
}
