/* SPDX-License-Identifier: MIT */
/* Tests of attention/gradient_general: against the explicit Jacobian of any slopes, against
 * gradient_row for softmax, and where squares and differences have no digits left. */
#include "attention/gradient.h"
#include "attention/softmax.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define KEYS 7
#define WIDTH 5
#define INNER 3

static double vectors[KEYS * WIDTH * INNER];
static double x[KEYS * WIDTH];
static double u[KEYS * INNER];
static double a[KEYS], b[KEYS], defect[KEYS];
static double scratch[WIDTH * INNER];

static double entry(const struct row_slopes *slopes, size_t i, size_t j)
{
    return slopes->a[j] * ((i == j) - slopes->b[i]);
}

/* |J V|_F, entry by entry. */
static double explicit_norm(const struct row_slopes *slopes, size_t d)
{
    double squares = 0;
    for (size_t i = 0; i < KEYS; i++) {
        for (size_t c = 0; c < d; c++) {
            double sum = 0;
            for (size_t j = 0; j < KEYS; j++) {
                sum += entry(slopes, i, j) * vectors[j * d + c];
            }
            squares += sum * sum;
        }
    }
    return sqrt(squares);
}

static void fill_vectors(uint64_t seed)
{
    random_normal_matrix(seed, RANDOM_TEST, KEYS, WIDTH, x);
    random_normal_matrix(seed + 100, RANDOM_TEST, KEYS, INNER, u);
    for (size_t j = 0; j < KEYS; j++) {
        for (size_t r = 0; r < WIDTH; r++) {
            for (size_t c = 0; c < INNER; c++) {
                vectors[(j * WIDTH + r) * INNER + c] = x[j * WIDTH + r] * u[j * INNER + c];
            }
        }
    }
}

/* Slopes of any size and sign, the shares not summing to 1. */
static struct row_slopes any_slopes(uint32_t number)
{
    random_normals(1, RANDOM_TEST, number, 0, KEYS, a);
    random_normals(2, RANDOM_TEST, number, 0, KEYS, b);
    for (size_t i = 0; i < KEYS; i++) {
        defect[i] = a[i];
        for (size_t j = 0; j < KEYS; j++) {
            defect[i] -= b[i] * a[j];
        }
    }
    return (struct row_slopes){a, b, defect, number % KEYS, (double)NAN};
}

/* Those of softmax for scores of a spread. */
static struct row_slopes softmax_slopes(uint32_t number, double spread)
{
    random_normals(3, RANDOM_TEST, number, 0, KEYS, a);
    for (size_t j = 0; j < KEYS; j++) {
        a[j] *= spread;
    }
    struct row_measures m = softmax_row(KEYS, a, a);
    return (struct row_slopes){a, a, NULL, m.arg_max, m.others};
}

/* The row (0, -gap, far, ...): p = (1 - e, e, 0, ...). */
static struct row_slopes saturated_slopes(double gap)
{
    memset(a, 0, sizeof a);
    double e = exp(-gap) / (1 + exp(-gap));
    a[0] = 1 / (1 + exp(-gap));
    a[1] = e;
    return (struct row_slopes){a, a, NULL, 0, e};
}

START_TEST(any_slopes_give_the_explicit_product)
{
    for (uint32_t number = 0; number < 60; number++) {
        fill_vectors(number);
        struct row_slopes slopes = any_slopes(number);
        double wanted = explicit_norm(&slopes, WIDTH * INNER);
        assert_near(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch), wanted, 1e-12);
        assert_near(gradient_row_general(KEYS, WIDTH * INNER, &slopes, vectors, scratch), wanted,
                    1e-12);
    }
}
END_TEST

START_TEST(softmax_gives_what_its_own_form_gives)
{
    static const double spreads[] = {0, 1, 10, 100};
    for (uint32_t number = 0; number < 40; number++) {
        fill_vectors(number);
        struct row_slopes slopes = softmax_slopes(number, spreads[_i]);
        double wanted =
            gradient_row(KEYS, WIDTH * INNER, a, slopes.arg_max, slopes.others, vectors, scratch);
        assert_near(gradient_row_general(KEYS, WIDTH * INNER, &slopes, vectors, scratch), wanted,
                    1e-12);
        assert_near(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch), wanted, 1e-12);
    }
}
END_TEST

START_TEST(a_saturated_row_keeps_its_digits)
{
    /* |J V| = sqrt(2) e (1 - e) |v_0 - v_1|, far below rounding of 1 and, squared, below the
     * smallest double. */
    static const double gaps[] = {1, 40, 300, 400, 600, 690};
    fill_vectors(5);
    double squares = 0;
    for (size_t c = 0; c < (size_t)WIDTH * INNER; c++) {
        squares += pow(vectors[c] - vectors[WIDTH * INNER + c], 2);
    }
    struct row_slopes slopes = saturated_slopes(gaps[_i]);
    double wanted = sqrt(2 * squares) * a[0] * a[1];
    assert_near(gradient_row_general(KEYS, WIDTH * INNER, &slopes, vectors, scratch), wanted,
                1e-13);
    assert_near(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch), wanted, 1e-13);
}
END_TEST

START_TEST(a_common_offset_does_not_cancel)
{
    fill_vectors(6);
    struct row_slopes slopes = softmax_slopes(6, 1);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        x[i] = nearbyint(x[i] * 64) / 64; /* so that the offset is exact */
    }
    double plain = gradient_row_general(KEYS, WIDTH, &slopes, x, scratch);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        x[i] += 1e9;
    }
    ck_assert(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch) == plain);
}
END_TEST

START_TEST(squares_neither_overflow_nor_underflow)
{
    static const struct {
        double x, u, slopes;
    } table[] = {{0x1p700, 1, 1},         {0x1p-700, 1, 1},        {0x1p600, 0x1p-900, 1},
                 {0x1p-600, 0x1p-300, 1}, {0x1p500, 0x1p300, 1},   {1, 1, 0x1p-700},
                 {1, 1, 0x1p600},         {0x1p-600, 1, 0x1p-300}, {0x1p-900, 0x1p900, 0x1p-900}};
    fill_vectors(7);
    struct row_slopes slopes = any_slopes(7);
    double plain = gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch);
    double narrow = gradient_row_general(KEYS, WIDTH, &slopes, x, scratch);
    for (size_t i = 0; i < KEYS; i++) {
        a[i] *= table[_i].slopes;
        defect[i] *= table[_i].slopes;
    }
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        x[i] *= table[_i].x;
    }
    for (size_t i = 0; i < (size_t)KEYS * INNER; i++) {
        u[i] *= table[_i].u;
    }
    assert_near(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch),
                plain * table[_i].x * table[_i].u * table[_i].slopes, 1e-13);
    /* Products below the range are 0. */
    double wanted = narrow * table[_i].x * table[_i].slopes;
    assert_near(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch), wanted, 1e-13);
}
END_TEST

START_TEST(equal_vectors_and_flat_weights_take_nothing)
{
    fill_vectors(8);
    struct row_slopes slopes = softmax_slopes(8, 1);
    for (size_t j = 1; j < KEYS; j++) {
        memcpy(x + j * WIDTH, x, WIDTH * sizeof *x);
        memcpy(u + j * INNER, u, INNER * sizeof *u);
    }
    ck_assert(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch) == 0);
    ck_assert(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch) == 0);
    fill_vectors(8);
    memset(a, 0, sizeof a);
    ck_assert(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch) == 0);
    ck_assert(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch) == 0);
}
END_TEST

START_TEST(weights_that_see_a_shift_see_a_common_vector)
{
    /* sigmoid: a = (0.25, 0.1, 0), b = 0, one vector (3, 4) thrice: |J V| = 5 |a|. */
    const double same[] = {3, 4, 3, 4, 3, 4};
    const double slope[] = {0.25, 0.1, 0};
    const double none[] = {0, 0, 0};
    struct row_slopes slopes = {slope, none, slope, 0, (double)NAN};
    assert_near(gradient_row_general(3, 2, &slopes, same, scratch), 5 * sqrt(0.0725), 1e-15);
    const double unit[] = {1, 1, 1};
    assert_near(gradient_row_outer(3, 2, 1, &slopes, same, unit, scratch), 5 * sqrt(0.0725), 1e-15);
}
END_TEST

START_TEST(what_is_no_number_stays_none)
{
    fill_vectors(9);
    struct row_slopes slopes = any_slopes(9);
    x[3] = (double)NAN;
    ck_assert(isnan(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch)));
    ck_assert(isnan(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch)));
    fill_vectors(9);
    a[2] = (double)NAN;
    ck_assert(isnan(gradient_row_general(KEYS, WIDTH, &slopes, x, scratch)));
    ck_assert(isnan(gradient_row_outer(KEYS, WIDTH, INNER, &slopes, x, u, scratch)));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("gradient_general");
    TCase *tests = tcase_create("gradient_general");
    tcase_add_test(tests, any_slopes_give_the_explicit_product);
    tcase_add_loop_test(tests, softmax_gives_what_its_own_form_gives, 0, 4);
    tcase_add_loop_test(tests, a_saturated_row_keeps_its_digits, 0, 6);
    tcase_add_test(tests, a_common_offset_does_not_cancel);
    tcase_add_loop_test(tests, squares_neither_overflow_nor_underflow, 0, 9);
    tcase_add_test(tests, equal_vectors_and_flat_weights_take_nothing);
    tcase_add_test(tests, weights_that_see_a_shift_see_a_common_vector);
    tcase_add_test(tests, what_is_no_number_stays_none);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
