/* SPDX-License-Identifier: MIT */
/* Tests of attention/upstream: Jᵀ g of rows by hand and against J written out. */
#include "attention/upstream.h"

#include "base/random.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define LARGEST 70

/* Entry (i, j) of J = (I - b 1ᵀ) diag(a), in 80 bits. */
static long double entry(const double *a, const double *b, size_t i, size_t j)
{
    return ((i == j ? 1 : 0) - (long double)b[i]) * (long double)a[j];
}

START_TEST(two_keys_by_hand)
{
    /* J of softmax weights 3/4 and 1/4 is 3/16 (1, -1; -1, 1). */
    const double p[] = {0.75, 0.25};
    const struct row_slopes slopes = {p, p, NULL, 0, 0.25};
    double g[] = {5, 1};
    upstream_row(2, &slopes, g);
    ck_assert(g[0] == 0.75 && g[1] == -0.75);
    double even[] = {5, 1};
    double out[2];
    upstream_row_uniform(2, even, out);
    ck_assert(out[0] == 1 && out[1] == -1);
}
END_TEST

START_TEST(a_key_alone_gets_nothing)
{
    const double one[] = {1};
    const struct row_slopes slopes = {one, one, NULL, 0, 0};
    double g[] = {3};
    upstream_row(1, &slopes, g);
    ck_assert(g[0] == 0);
    g[0] = 3;
    upstream_row_uniform(1, g, g);
    ck_assert(g[0] == 0);
}
END_TEST

START_TEST(a_saturated_row_keeps_its_digits)
{
    /* Weights 1 - 3e-30, 2e-30 and 1e-30: with g = (5, 1, 2), t = 2e-30 * 4 + 1e-30 * 3 = 1.1e-29.
     */
    const double p[] = {1, 2e-30, 1e-30};
    const double none = (double)NAN;
    const struct row_slopes rows[] = {{p, p, NULL, 0, 3e-30}, {p, p, NULL, 0, none}};
    for (size_t i = 0; i < 2; i++) {
        double g[] = {5, 1, 2};
        upstream_row(3, &rows[i], g);
        assert_near(g[0], 1.1e-29, 1e-15);
        assert_near(g[1], -8e-30, 1e-15);
        assert_near(g[2], -3e-30, 1e-15);
    }
}
END_TEST

START_TEST(rows_equal_the_matrix_written_out)
{
    double a[LARGEST];
    double b[LARGEST];
    double defect[LARGEST];
    double g[LARGEST];
    double out[LARGEST];
    size_t n = (size_t)_i + 1;
    random_uniforms(n, RANDOM_TEST, 0, 0, n, a);
    random_uniforms(n, RANDOM_TEST, 1, 0, n, b);
    random_normals(n + 1, RANDOM_TEST, 0, 0, n, g);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i];
    }
    for (size_t i = 0; i < n; i++) {
        defect[i] = a[i] - b[i] * sum;
    }
    const struct row_slopes slopes = {a, b, defect, n / 2, (double)NAN};
    memcpy(out, g, sizeof out);
    upstream_row(n, &slopes, out);
    for (size_t j = 0; j < n; j++) {
        long double wanted = 0;
        for (size_t i = 0; i < n; i++) {
            wanted += entry(a, b, i, j) * (long double)g[i];
        }
        assert_within(out[j], (double)wanted, 1e-13 * (double)n);
    }
}
END_TEST

START_TEST(uniform_rows_equal_those_of_equal_weights)
{
    double p[LARGEST];
    double g[LARGEST];
    double out[LARGEST];
    size_t n = (size_t)_i + 1;
    for (size_t i = 0; i < n; i++) {
        p[i] = 1 / (double)n;
    }
    random_normals(n, RANDOM_TEST, 0, 0, n, g);
    upstream_row_uniform(n, g, out);
    const struct row_slopes slopes = {p, p, NULL, 0, 1 - p[0]};
    upstream_row(n, &slopes, g);
    for (size_t j = 0; j < n; j++) {
        assert_within(out[j], g[j], 1e-15);
    }
}
END_TEST

START_TEST(slopes_that_are_not_numbers_stay)
{
    const double slopes_of[] = {(double)NAN, 0, 1};
    const double shares[] = {0.5, 0.25, 0.25};
    for (size_t m = 0; m < 3; m++) {
        const struct row_slopes slopes = {slopes_of, shares, NULL, m, (double)NAN};
        double g[] = {1, 2, 3};
        upstream_row(3, &slopes, g);
        ck_assert(isnan(g[0]));
    }
}
END_TEST

START_TEST(few_weights_are_found)
{
    double weights[LARGEST] = {0};
    uint32_t places[3];
    size_t n = (size_t)_i + 1;
    ck_assert_uint_eq(upstream_few(n, weights, 0, 3, places).count, 0);
    weights[0] = 0.5;
    weights[n - 1] = 0.25;
    struct upstream_places found = upstream_few(n, weights, 0, 3, places);
    ck_assert_uint_eq(found.count, n == 1 ? 1 : 2);
    ck_assert(places[0] == 0 && places[found.count - 1] == n - 1 && !found.dropped);
    for (size_t j = 0; j < n; j++) {
        weights[j] = 1;
    }
    size_t count = upstream_few(n, weights, 0, 3, places).count;
    ck_assert_uint_eq(count, n < 3 ? n : n == 3 ? 3 : 4);
}
END_TEST

START_TEST(smaller_weights_are_dropped_and_told)
{
    double weights[LARGEST] = {0};
    uint32_t places[3];
    size_t n = (size_t)_i + 2;
    weights[n - 2] = 1e-5;
    weights[n - 1] = 0x1p-1074;
    struct upstream_places all = upstream_few(n, weights, 0, 3, places);
    ck_assert(all.count == 2 && !all.dropped);
    struct upstream_places found = upstream_few(n, weights, 1e-5, 3, places);
    ck_assert(found.count == 1 && places[0] == n - 2 && found.dropped);
    found = upstream_few(n, weights, 2e-5, 3, places);
    ck_assert(found.count == 0 && found.dropped);
}
END_TEST

START_TEST(subnormal_numbers_are_dropped_where_others_are_so_much_larger)
{
    double mixed[] = {0x1p-900, 0x1p-1023, -0x1p-1074, -0x1p-1022, 0x1p-1022, (double)NAN, -4};
    upstream_drop_subnormal(7, mixed);
    ck_assert(mixed[0] == 0x1p-900 && mixed[1] == 0 && mixed[2] == 0 && mixed[3] == -0x1p-1022);
    ck_assert(mixed[4] == 0x1p-1022 && isnan(mixed[5]) && mixed[6] == -4);
    double small[] = {0x1p-901, 0x1p-1023, -0x1p-1074};
    upstream_drop_subnormal(3, small);
    ck_assert(small[0] == 0x1p-901 && small[1] == 0x1p-1023 && small[2] == -0x1p-1074);
    double negative[] = {-0x1p-900, 0x1p-1074};
    upstream_drop_subnormal(2, negative);
    ck_assert(negative[0] == -0x1p-900 && negative[1] == 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("upstream");
    TCase *tests = tcase_create("upstream");
    tcase_add_test(tests, two_keys_by_hand);
    tcase_add_test(tests, a_key_alone_gets_nothing);
    tcase_add_test(tests, a_saturated_row_keeps_its_digits);
    tcase_add_loop_test(tests, rows_equal_the_matrix_written_out, 0, LARGEST);
    tcase_add_loop_test(tests, uniform_rows_equal_those_of_equal_weights, 0, LARGEST);
    tcase_add_loop_test(tests, few_weights_are_found, 0, LARGEST);
    tcase_add_loop_test(tests, smaller_weights_are_dropped_and_told, 0, LARGEST - 1);
    tcase_add_test(tests, subnormal_numbers_are_dropped_where_others_are_so_much_larger);
    tcase_add_test(tests, slopes_that_are_not_numbers_stay);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
