/* SPDX-License-Identifier: MIT */
/* Tests of attention/gradient_outer: by hand, beside gradient_row_outer, which takes differences
 * entry by entry, and where products have no digits left. */
#include "attention/gradient_outer.h"

#include "attention/gradient.h"
#include "attention/softmax.h"
#include "base/random.h"
#include "numeric/product.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define MOST 70
#define WIDTH 24
#define INNER 19

static double x[MOST * WIDTH];
static double u[MOST * INNER];
static double gram[MOST * MOST];
static double p[MOST], a[MOST], b[MOST], defect[MOST];
static double scratch[MOST * 128];
static double outer[WIDTH * INNER];

struct sizes {
    size_t n, d, d_k;
};

static void fill(struct sizes of)
{
    random_normal_matrix(1, RANDOM_TEST, of.n, of.d, x);
    random_normal_matrix(2, RANDOM_TEST, of.n, of.d_k, u);
}

static struct outer_vectors vectors_of(struct sizes of)
{
    static double turned[MOST * WIDTH];
    product_transpose(of.n, of.d, x, turned);
    product_multiply(of.n, of.d, of.n, x, turned, gram);
    ck_assert_uint_le(gradient_outer_size(of.n, of.d_k), sizeof scratch / sizeof *scratch);
    return (struct outer_vectors){of.n, of.d, of.d_k, x, gram};
}

/* Softmax of scores of this spread. */
static struct row_slopes softmax_slopes(size_t keys, double spread)
{
    double scores[MOST];
    random_normals(3, RANDOM_TEST, 0, 0, keys, scores);
    for (size_t j = 0; j < keys; j++) {
        scores[j] *= spread;
    }
    struct row_measures measures = softmax_row(keys, scores, p);
    return (struct row_slopes){p, p, NULL, measures.arg_max, measures.others};
}

/* Slopes of any size and sign, the shares not summing to 1. */
static struct row_slopes any_slopes(size_t keys)
{
    random_normals(4, RANDOM_TEST, 0, 0, keys, a);
    random_normals(5, RANDOM_TEST, 0, 0, keys, b);
    double sum = 0;
    for (size_t j = 0; j < keys; j++) {
        sum += a[j];
    }
    for (size_t j = 0; j < keys; j++) {
        defect[j] = a[j] - b[j] * sum;
    }
    return (struct row_slopes){a, b, defect, keys / 2, (double)NAN};
}

static double one(const struct outer_vectors *vectors, size_t keys, const struct row_slopes *slopes)
{
    const struct row_slopes *const sets[OUTER_SETS] = {slopes};
    double norms[OUTER_SETS];
    gradient_outer(vectors, keys, u, 1, sets, scratch, outer, norms);
    return norms[0];
}

static double long_way(struct sizes of, size_t keys, const struct row_slopes *slopes)
{
    return gradient_row_outer(keys, of.d, of.d_k, slopes, x, u, outer);
}

/* Weights of 1/4 and 3/4: J = 3/16 (1 -1; -1 1), so that |J Y| = 3/16 √2 |y_0 - y_1|. */
START_TEST(two_keys_by_hand)
{
    struct sizes of = {2, 1, 2};
    memcpy(x, (const double[]){2, -1}, 2 * sizeof *x);
    memcpy(u, (const double[]){1, 3, 5, 2}, 4 * sizeof *u);
    const double weights[] = {0.25, 0.75};
    struct row_slopes slopes = {weights, weights, NULL, 1, 0.25};
    struct outer_vectors vectors = vectors_of(of);
    /* y_0 = (2, 6), y_1 = (-5, -2) */
    assert_near(one(&vectors, 2, &slopes), 3.0 / 16 * sqrt(2) * hypot(7, 8), 1e-15);
}
END_TEST

/* From flat rows to such that one key has all but 10^-80 of the weight. */
START_TEST(rows_of_softmax_are_those_of_the_long_way)
{
    static const struct sizes shapes[] = {{2, 1, 1},  {3, 5, 2},    {9, 4, 8},
                                          {17, 8, 7}, {64, 24, 19}, {70, 3, 16}};
    struct sizes of = shapes[_i];
    fill(of);
    struct outer_vectors vectors = vectors_of(of);
    for (double spread = 0.25; spread < 100; spread *= 2) {
        struct row_slopes slopes = softmax_slopes(of.n, spread);
        assert_near(one(&vectors, of.n, &slopes), long_way(of, of.n, &slopes), 1e-13);
    }
}
END_TEST

START_TEST(any_slopes_are_those_of_the_long_way)
{
    struct sizes of = {23, 11, 9};
    fill(of);
    struct outer_vectors vectors = vectors_of(of);
    for (size_t keys = 1; keys <= of.n; keys++) { /* a mask shows the first ones */
        struct row_slopes slopes = any_slopes(keys);
        assert_near(one(&vectors, keys, &slopes), long_way(of, keys, &slopes), 1e-13);
        slopes.defect = NULL;
        assert_near(one(&vectors, keys, &slopes), long_way(of, keys, &slopes), 1e-13);
    }
}
END_TEST

START_TEST(sets_do_not_know_of_each_other)
{
    struct sizes of = {20, 7, 10};
    fill(of);
    struct outer_vectors vectors = vectors_of(of);
    struct row_slopes first = softmax_slopes(of.n, 1);
    struct row_slopes second = any_slopes(of.n);
    const struct row_slopes *const sets[OUTER_SETS] = {&first, &second};
    double norms[OUTER_SETS];
    gradient_outer(&vectors, of.n, u, 2, sets, scratch, outer, norms);
    ck_assert(norms[0] == one(&vectors, of.n, &first));
    ck_assert(norms[1] == one(&vectors, of.n, &second));
}
END_TEST

/* Tokens that differ by a millionth of what they share: their products know ten digits of it. */
START_TEST(what_products_cannot_tell_goes_the_long_way)
{
    struct sizes of = {12, 5, 4};
    fill(of);
    for (size_t i = 0; i < of.n * of.d; i++) {
        x[i] = 1 + 1e-6 * x[i];
    }
    for (size_t i = of.d_k; i < of.n * of.d_k; i++) {
        u[i] = u[i % of.d_k];
    }
    struct outer_vectors vectors = vectors_of(of);
    struct row_slopes slopes = softmax_slopes(of.n, 1);
    ck_assert(one(&vectors, of.n, &slopes) == long_way(of, of.n, &slopes));
    for (size_t i = 0; i < of.n * of.d; i++) {
        x[i] = x[i % of.d];
    }
    vectors = vectors_of(of);
    ck_assert(one(&vectors, of.n, &slopes) == 0); /* all are equal */
}
END_TEST

START_TEST(far_out_of_range_goes_the_long_way)
{
    static const double factors[] = {1e-170, 1e170};
    struct sizes of = {6, 4, 3};
    for (size_t f = 0; f < 2; f++) {
        fill(of);
        for (size_t i = 0; i < of.n * of.d; i++) {
            x[i] *= factors[f];
        }
        struct outer_vectors vectors = vectors_of(of);
        struct row_slopes slopes = softmax_slopes(of.n, 1);
        double norm = one(&vectors, of.n, &slopes);
        ck_assert(norm == long_way(of, of.n, &slopes));
        ck_assert(norm > 0 && isfinite(norm));
    }
}
END_TEST

/* Products of the x_j, of the u_j, or of both fall below what doubles hold in full, and the other
 * factor or large shares bring what is left of them back into range. */
START_TEST(what_underflows_on_the_way_goes_the_long_way)
{
    static const struct {
        double x, u, b;
    } cases[] = {{1e-158, 1e75, 1}, {1e75, 1e-158, 1}, {1e-75, 1e-82, 1e60}, {1e-110, 1, 1e100}};
    struct sizes of = {8, 6, 5};
    fill(of);
    for (size_t i = 0; i < of.n * of.d; i++) {
        x[i] *= cases[_i].x;
    }
    for (size_t i = 0; i < of.n * of.d_k; i++) {
        u[i] *= cases[_i].u;
    }
    struct outer_vectors vectors = vectors_of(of);
    struct row_slopes slopes = any_slopes(of.n);
    for (size_t i = 0; i < of.n; i++) {
        b[i] *= cases[_i].b;
    }
    slopes.defect = NULL;
    assert_near(one(&vectors, of.n, &slopes), long_way(of, of.n, &slopes), 1e-13);
}
END_TEST

/* All but the largest weight are below 10^-300, as their squares cannot be. */
START_TEST(tiny_slopes_keep_their_digits)
{
    struct sizes of = {8, 4, 3};
    fill(of);
    struct outer_vectors vectors = vectors_of(of);
    struct row_slopes slopes = softmax_slopes(of.n, 1);
    double plain = one(&vectors, of.n, &slopes);
    double factor = scalbn(1, -1010);
    double top = p[slopes.arg_max];
    for (size_t j = 0; j < of.n; j++) {
        a[j] = p[j] * factor;
        b[j] = p[j];
    }
    struct row_slopes tiny = {a, b, NULL, slopes.arg_max, (double)NAN};
    ck_assert(top > 0);
    assert_near(scalbn(one(&vectors, of.n, &tiny), 1010), plain, 1e-14);
    memset(a, 0, sizeof a);
    a[slopes.arg_max] = 1; /* which multiplies a difference of 0 */
    ck_assert(one(&vectors, of.n, &tiny) == 0);
}
END_TEST

START_TEST(without_products_it_is_the_long_way)
{
    struct sizes of = {10, 4, 3};
    fill(of);
    struct outer_vectors vectors = vectors_of(of);
    vectors.gram = NULL;
    struct row_slopes slopes = softmax_slopes(of.n, 1);
    ck_assert(one(&vectors, of.n, &slopes) == long_way(of, of.n, &slopes));
    ck_assert_uint_eq(gradient_gram_size(2048), 2048 * 2048);
    ck_assert_uint_eq(gradient_gram_size(2049), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("gradient_outer");
    TCase *tests = tcase_create("gradient_outer");
    tcase_add_test(tests, two_keys_by_hand);
    tcase_add_loop_test(tests, rows_of_softmax_are_those_of_the_long_way, 0, 6);
    tcase_add_test(tests, any_slopes_are_those_of_the_long_way);
    tcase_add_test(tests, sets_do_not_know_of_each_other);
    tcase_add_test(tests, what_products_cannot_tell_goes_the_long_way);
    tcase_add_test(tests, far_out_of_range_goes_the_long_way);
    tcase_add_loop_test(tests, what_underflows_on_the_way_goes_the_long_way, 0, 4);
    tcase_add_test(tests, tiny_slopes_keep_their_digits);
    tcase_add_test(tests, without_products_it_is_the_long_way);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
