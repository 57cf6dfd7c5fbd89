/* SPDX-License-Identifier: MIT */
/* Tests of attention/gradient: against the explicit Jacobian, and where that has no digits left. */
#include "attention/gradient.h"
#include "attention/softmax.h"
#include "base/random.h"
#include "support.h"

#include <float.h>

#define KEYS 12
#define WIDTH 7

static double scores[KEYS];
static double weights[KEYS];
static double vectors[KEYS * WIDTH];
static double scratch[WIDTH];

static void fill(uint64_t seed, double spread)
{
    random_normals(seed, RANDOM_TEST, 0, 0, KEYS, scores);
    random_normal_matrix(seed + 1000, RANDOM_TEST, KEYS, WIDTH, vectors);
    for (size_t j = 0; j < KEYS; j++) {
        scores[j] *= spread;
    }
}

static double gradient(size_t n, size_t d)
{
    struct row_measures m = softmax_row(n, scores, weights);
    return gradient_row(n, d, weights, m.arg_max, m.others, vectors, scratch);
}

/* |(diag(p) - p pᵀ) V|_F entry by entry. */
static double explicit_norm(size_t n, size_t d, const double *p, const double *v)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d; c++) {
            double entry = 0;
            for (size_t j = 0; j < n; j++) {
                entry += ((i == j ? p[i] : 0) - p[i] * p[j]) * v[j * d + c];
            }
            squares += entry * entry;
        }
    }
    return sqrt(squares);
}

START_TEST(the_closed_form_is_the_explicit_jacobian_product)
{
    static const double spreads[] = {0, 0.1, 1, 3, 6};
    for (uint64_t seed = 0; seed < 50; seed++) {
        fill(seed, spreads[_i]);
        double closed = gradient(KEYS, WIDTH);
        assert_near(closed, explicit_norm(KEYS, WIDTH, weights, vectors), 1e-11);
    }
}
END_TEST

START_TEST(uniform_weights_are_the_uniform_case)
{
    fill(3, 0);
    double uniform = gradient_row_uniform(KEYS, WIDTH, vectors, scratch);
    assert_near(gradient(KEYS, WIDTH), uniform, 1e-14);
    assert_near(explicit_norm(KEYS, WIDTH, weights, vectors), uniform, 1e-14);
}
END_TEST

START_TEST(two_keys_by_hand)
{
    /* J V = p (1 - p) (v_0 - v_1) up to sign in both rows; |v_0 - v_1| = 5. */
    scores[0] = 0;
    scores[1] = log(3);
    const double pair[] = {1, 2, 4, 6};
    for (size_t i = 0; i < 4; i++) {
        vectors[i] = pair[i];
    }
    assert_near(gradient(2, 2), sqrt(2) * 5 * 3 / 16, 1e-15);
    assert_near(gradient_row_uniform(2, 2, vectors, scratch), sqrt(2) * 5 / 4, 1e-15);
}
END_TEST

START_TEST(the_identity_gives_the_jacobian_norm)
{
    fill(4, 2);
    double identity[KEYS * KEYS] = {0};
    double centre[KEYS];
    for (size_t j = 0; j < KEYS; j++) {
        identity[j * KEYS + j] = 1;
    }
    struct row_measures m = softmax_row(KEYS, scores, weights);
    double norm = gradient_row(KEYS, KEYS, weights, m.arg_max, m.others, identity, centre);
    assert_near(norm, m.jacobian_norm, 1e-14);
    double uniform = gradient_row_uniform(KEYS, KEYS, identity, centre);
    assert_near(uniform, sqrt(KEYS - 1.0) / KEYS, 1e-15);
}
END_TEST

START_TEST(a_saturated_row_keeps_its_digits)
{
    /* One runner-up at gap g: |J V| = sqrt(2) p (1 - p) |v_0 - v_1|, far below rounding of 1. */
    static const double gaps[] = {50, 300, 600, 700};
    scores[0] = 0;
    scores[1] = -gaps[_i];
    scores[2] = -2000;
    const double triple[] = {1, 2, 4, 6, 9, 9};
    for (size_t i = 0; i < 6; i++) {
        vectors[i] = triple[i];
    }
    assert_near(gradient(3, 2), sqrt(2) * 5 * exp(-gaps[_i]), 1e-14);
    scores[1] = -1000;
    ck_assert(gradient(3, 2) == 0);
}
END_TEST

START_TEST(a_common_offset_does_not_cancel)
{
    fill(5, 1);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        vectors[i] = nearbyint(vectors[i] * 64) / 64; /* so that the offset is exact */
    }
    double plain = gradient(KEYS, WIDTH);
    double uniform = gradient_row_uniform(KEYS, WIDTH, vectors, scratch);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        vectors[i] += 1e9;
    }
    ck_assert(gradient(KEYS, WIDTH) == plain);
    ck_assert(gradient_row_uniform(KEYS, WIDTH, vectors, scratch) == uniform);
}
END_TEST

START_TEST(squares_neither_overflow_nor_underflow)
{
    static const double scales[] = {0x1p700, 0x1p-700, 0x1p1000, 0x1p-1000};
    fill(6, 1);
    double plain = gradient(KEYS, WIDTH);
    double uniform = gradient_row_uniform(KEYS, WIDTH, vectors, scratch);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        vectors[i] *= scales[_i];
    }
    assert_near(gradient(KEYS, WIDTH), plain * scales[_i], 1e-14);
    assert_near(gradient_row_uniform(KEYS, WIDTH, vectors, scratch), uniform * scales[_i], 1e-14);
}
END_TEST

START_TEST(equal_vectors_and_single_keys_give_zero)
{
    fill(7, 1);
    for (size_t i = 0; i < (size_t)KEYS * WIDTH; i++) {
        vectors[i] = 0.1 + (double)(i % WIDTH);
    }
    ck_assert(gradient(KEYS, WIDTH) == 0);
    ck_assert(gradient_row_uniform(KEYS, WIDTH, vectors, scratch) == 0);
    ck_assert(gradient(1, WIDTH) == 0);
    ck_assert(gradient_row_uniform(1, WIDTH, vectors, scratch) == 0);
}
END_TEST

START_TEST(non_finite_input_gives_nan)
{
    fill(8, 1);
    scores[2] = (double)NAN;
    ck_assert(isnan(gradient(KEYS, WIDTH)));
    fill(8, 1);
    vectors[5] = (double)NAN;
    ck_assert(isnan(gradient(KEYS, WIDTH)));
    ck_assert(isnan(gradient_row_uniform(KEYS, WIDTH, vectors, scratch)));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("gradient");
    TCase *tests = tcase_create("gradient");
    tcase_add_loop_test(tests, the_closed_form_is_the_explicit_jacobian_product, 0, 5);
    tcase_add_test(tests, uniform_weights_are_the_uniform_case);
    tcase_add_test(tests, two_keys_by_hand);
    tcase_add_test(tests, the_identity_gives_the_jacobian_norm);
    tcase_add_loop_test(tests, a_saturated_row_keeps_its_digits, 0, 4);
    tcase_add_test(tests, a_common_offset_does_not_cancel);
    tcase_add_loop_test(tests, squares_neither_overflow_nor_underflow, 0, 4);
    tcase_add_test(tests, equal_vectors_and_single_keys_give_zero);
    tcase_add_test(tests, non_finite_input_gives_nan);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
