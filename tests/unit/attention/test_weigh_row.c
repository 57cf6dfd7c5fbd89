/* SPDX-License-Identifier: MIT */
/* Tests of attention/weigh_row: every alternative's Jacobian with and without a cap, masked keys,
 * rows without weights, and what is left of a row that is saturated. */
#include "attention/score_row.h"
#include "attention/weigh_row.h"
#include "attention/weights.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define MOST 16

static double slope[MOST], share[MOST], unshared[MOST], remainders[MOST], copy[MOST];
static const struct weigh_space space = {slope, share, unshared, remainders, copy};
static double row[MOST];
static double cap_slopes[MOST];

static const double infinity = (double)INFINITY;

static struct weigh_rule rule_of(int weights)
{
    return (struct weigh_rule){(enum run_weights)weights, FORMAT_FP64, true};
}

/* Weights and measures of products under a cap; 0 for none. */
static struct weighed_row weigh(const struct weigh_rule *rule, size_t n, const double *products,
                                double cap)
{
    const struct score_rule scoring = {.factor = 1, .cap = cap, .given = true};
    memcpy(row, products, n * sizeof *row);
    score_row_apply(&scoring, n, row, cap_slopes);
    return weigh_row(rule, n, row, cap > 0 ? cap_slopes : NULL, &space);
}

/* Products for which every alternative has weights and derivatives: some spread, no ties, and a sum
 * that is far from 0. */
static void random_products(uint32_t number, size_t n, double spread, double *products)
{
    random_normals(11, RANDOM_TEST, number, 0, n, products);
    for (size_t j = 0; j < n; j++) {
        products[j] = spread * products[j] + 0.7;
    }
}

static double entry(const struct row_slopes *slopes, size_t i, size_t j)
{
    return slopes->a[j] * ((i == j) - slopes->b[i]);
}

/* The support of projections is the only kink there is. */
static size_t support(size_t n, const double *p)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) {
        count += p[j] > 0;
    }
    return count;
}

static const double caps[] = {0, 1.5, 50};

/* The test number names an alternative and a cap. */
START_TEST(the_jacobian_is_what_differences_say)
{
    enum { KEYS = 6 };
    struct weigh_rule rule = rule_of(_i / 3);
    double cap = caps[_i % 3];
    for (uint32_t number = 0; number < 8; number++) {
        double products[KEYS];
        double up[KEYS];
        double numeric[KEYS][KEYS];
        random_products(number, KEYS, 0.8, products);
        double squares = 0;
        double trace = 0;
        for (size_t j = 0; j < KEYS; j++) {
            double kept = products[j];
            products[j] = kept + 1e-6;
            weigh(&rule, KEYS, products, cap);
            memcpy(up, row, sizeof up);
            products[j] = kept - 1e-6;
            weigh(&rule, KEYS, products, cap);
            products[j] = kept;
            ck_assert_uint_eq(support(KEYS, up), support(KEYS, row));
            for (size_t i = 0; i < KEYS; i++) {
                numeric[i][j] = (up[i] - row[i]) / 2e-6;
                squares += numeric[i][j] * numeric[i][j];
            }
            trace += numeric[j][j];
        }
        struct weighed_row out = weigh(&rule, KEYS, products, cap);
        ck_assert(out.state == ROW_DEFINED && out.keys == KEYS);
        double size = 1 + sqrt(squares);
        for (size_t i = 0; i < KEYS; i++) {
            double total = 0;
            for (size_t j = 0; j < KEYS; j++) {
                assert_within(entry(&out.slopes, i, j), numeric[i][j], 1e-8 * size);
                total += entry(&out.slopes, i, j);
            }
            double defect = out.slopes.defect == NULL ? 0 : out.slopes.defect[i];
            assert_within(defect, total, 1e-13 * size);
        }
        assert_within(out.measures.jacobian_norm, sqrt(squares), 1e-8 * size);
        assert_within(out.measures.jacobian_trace, trace, 1e-8 * size);
    }
}
END_TEST

START_TEST(measures_are_those_of_the_weights)
{
    enum { KEYS = 7 };
    struct weigh_rule rule = rule_of(_i / 3);
    for (uint32_t number = 0; number < 20; number++) {
        double products[KEYS];
        random_products(number, KEYS, 1, products);
        struct row_measures m = weigh(&rule, KEYS, products, caps[_i % 3]).measures;
        double sum = 0;
        double top = -infinity;
        for (size_t j = 0; j < KEYS; j++) {
            sum += row[j];
            top = fmax(top, row[j]);
        }
        double nats = 0;
        for (size_t j = 0; j < KEYS; j++) {
            double part = row[j] / sum;
            nats -= part == 0 ? 0 : part * log(part); /* NaN for a negative weight */
        }
        assert_near(m.sum, sum, 1e-15);
        ck_assert(m.row_max == top && row[m.arg_max] == top);
        ck_assert(!weights_alternatives[rule.weights].sums_to_one || fabs(sum - 1) < 1e-14);
        assert_within(m.entropy, nats, 1e-14);
        assert_near(m.effective_keys, exp(m.entropy), 1e-15);
        assert_near(m.others, top == 1 ? 0 : 1 - top, 1e-12);
        assert_near(m.log_one_minus_row_max, log(m.others), 1e-13);
    }
}
END_TEST

START_TEST(a_masked_key_might_as_well_not_be_there)
{
    struct weigh_rule rule = rule_of(_i / 3);
    static const bool masked[MOST] = {[0] = true, [3] = true, [4] = true, [MOST - 1] = true};
    double cap = caps[_i % 3];
    double full[MOST];
    double packed[MOST];
    double weights[MOST];
    size_t keys = 0;
    random_products(3, MOST, 1, full);
    for (size_t j = 0; j < MOST; j++) {
        if (!masked[j]) {
            packed[keys++] = full[j];
        }
        full[j] = masked[j] ? -infinity : full[j];
    }
    struct weighed_row without = weigh(&rule, keys, packed, cap);
    memcpy(weights, row, sizeof weights);
    double norms[3] = {without.measures.jacobian_norm, without.measures.jacobian_trace,
                       without.measures.entropy};
    struct weighed_row with = weigh(&rule, MOST, full, cap);
    ck_assert(with.state == ROW_DEFINED && with.keys == keys);
    size_t place = 0;
    for (size_t j = 0; j < MOST; j++) {
        ck_assert(row[j] == (masked[j] ? 0 : weights[place]));
        ck_assert(!masked[j] || (with.slopes.a[j] == 0 && with.slopes.b[j] == 0));
        ck_assert(!masked[j] || with.slopes.defect == NULL || with.slopes.defect[j] == 0);
        ck_assert(j != with.slopes.arg_max || place == without.slopes.arg_max);
        place += !masked[j];
    }
    ck_assert(with.measures.arg_max == with.slopes.arg_max);
    ck_assert(support_near(with.measures.jacobian_norm, norms[0], 0, 0));
    ck_assert(support_near(with.measures.jacobian_trace, norms[1], 0, 0));
    ck_assert(support_near(with.measures.entropy, norms[2], 0, 0));
    ck_assert(support_near(with.slopes.others, without.slopes.others, 0, 0));
}
END_TEST

START_TEST(a_row_that_is_all_masked_has_no_weight)
{
    struct weigh_rule rule = rule_of(_i);
    static const double masked[] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (size_t n = 0; n <= 3; n++) {
        struct weighed_row out = weigh(&rule, n, masked, 0);
        ck_assert(out.state == ROW_MASKED && out.keys == 0);
        ck_assert(isnan(out.measures.row_max) && isnan(out.measures.jacobian_norm));
        for (size_t j = 0; j < n; j++) {
            ck_assert(row[j] == 0);
        }
    }
}
END_TEST

START_TEST(a_score_that_is_no_number_spoils_the_row)
{
    static const double bad[] = {(double)NAN, (double)INFINITY};
    struct weigh_rule rule = rule_of(_i / 2);
    double products[] = {1, bad[_i % 2], -infinity, 0.5};
    struct weighed_row out = weigh(&rule, 4, products, 0);
    ck_assert(out.state == ROW_UNDEFINED && out.keys == 3);
    ck_assert(isnan(out.measures.row_max) && isnan(out.measures.entropy));
    ck_assert(isnan(out.measures.jacobian_norm) && isnan(out.measures.sum));
    for (size_t j = 0; j < 4; j++) {
        ck_assert(isnan(row[j]) && isnan(out.slopes.a[j]));
    }
    ck_assert(isnan(out.slopes.others));
}
END_TEST

START_TEST(nothing_over_nothing_is_undefined)
{
    static const int weights[] = {WEIGHTS_SQUARE, WEIGHTS_SUM};
    struct weigh_rule rule = rule_of(weights[_i]);
    static const double zeros[] = {0, 0, -(double)INFINITY};
    struct weighed_row out = weigh(&rule, 3, zeros, 0);
    ck_assert(out.state == ROW_UNDEFINED && out.keys == 2);
    ck_assert(isnan(row[0]) && isnan(row[1]) && isnan(row[2]));
    ck_assert(isnan(out.measures.row_max));
}
END_TEST

START_TEST(a_single_key_has_nothing_to_choose)
{
    /* softmax_plus_one and sigmoid still choose between the key and nothing: s = 0 is one half. */
    struct weigh_rule rule = rule_of(_i / 3);
    static const double one[] = {1e-9};
    struct weighed_row out = weigh(&rule, 1, one, caps[_i % 3]);
    bool open = rule.weights == WEIGHTS_SOFTMAX_PLUS_ONE || rule.weights == WEIGHTS_SIGMOID;
    ck_assert(out.state == ROW_DEFINED && out.keys == 1 && out.measures.arg_max == 0);
    assert_near(row[0], open ? 0.5 : 1, 1e-9);
    assert_within(out.measures.jacobian_norm, open ? 0.25 : 0, 1e-9);
    ck_assert(out.measures.entropy == 0 && out.measures.effective_keys == 1);
    assert_near(out.measures.log_one_minus_row_max, open ? log(0.5) : -infinity, 1e-8);
}
END_TEST

START_TEST(a_constant_changes_nothing_where_the_table_says_so)
{
    struct weigh_rule rule = rule_of(_i);
    double products[MOST];
    double shifted[MOST];
    double before[MOST];
    random_products(5, MOST, 2, products);
    for (size_t j = 0; j < MOST; j++) {
        products[j] = nearbyint(products[j] * 1024) / 1024; /* so that the sum is exact */
        shifted[j] = products[j] + 512;
    }
    struct weighed_row plain = weigh(&rule, MOST, products, 0);
    struct row_measures m = plain.measures;
    memcpy(before, row, sizeof before);
    struct row_measures moved = weigh(&rule, MOST, shifted, 0).measures;
    bool same =
        memcmp(before, row, sizeof before) == 0 && support_near(moved.entropy, m.entropy, 0, 0);
    ck_assert(same == weights_alternatives[_i].shift_invariant);
    ck_assert((plain.slopes.defect == NULL) == weights_alternatives[_i].shift_invariant);
}
END_TEST

START_TEST(a_cap_hides_nothing_but_slopes)
{
    /* A gap of 1600 under a cap of 1e6 is 1600 less 1.4e-3: the depth is finite though the weight
     * of the other key is not. */
    struct weigh_rule rule = rule_of(WEIGHTS_SOFTMAX);
    static const double products[] = {1600, 0};
    struct row_measures m = weigh(&rule, 2, products, 1e6).measures;
    ck_assert(m.row_max == 1 && row[1] == 0);
    assert_near(m.log_one_minus_row_max, -1e6 * tanh(1600 / 1e6), 1e-15);
    /* Where the cap is far away, it changes neither weights nor derivative. */
    static const double pair[] = {1, 0, -0.5};
    struct row_measures far = weigh(&rule, 3, pair, 1e9).measures;
    struct row_measures none = weigh(&rule, 3, pair, 0).measures;
    assert_near(far.jacobian_norm, none.jacobian_norm, 1e-14);
    assert_near(far.jacobian_trace, none.jacobian_trace, 1e-14);
    assert_near(far.entropy, none.entropy, 1e-14);
}
END_TEST

START_TEST(a_saturated_row_under_a_cap_keeps_its_digits)
{
    /* Two keys, p = (1 - e, e): J = e (1 - e) (c_0, -c_1; -c_0, c_1) with the slopes c of the cap.
     * The defects are the sums of its rows, +- e (1 - e) (c_0 - c_1), far below rounding of 1. */
    static const double products[] = {30, -70};
    struct weigh_rule rule = rule_of(WEIGHTS_SOFTMAX);
    struct weighed_row out = weigh(&rule, 2, products, 80);
    double c0 = pow(1 / cosh(30.0 / 80), 2);
    double c1 = pow(1 / cosh(70.0 / 80), 2);
    double e = exp(80 * (tanh(-70.0 / 80) - tanh(30.0 / 80)));
    assert_near(row[1], e, 1e-13);
    assert_near(out.measures.jacobian_norm, e * sqrt(2 * (c0 * c0 + c1 * c1)), 1e-13);
    assert_near(out.measures.jacobian_trace, e * (c0 + c1), 1e-13);
    assert_near(out.slopes.defect[0], e * (c0 - c1), 1e-12);
    assert_near(out.slopes.defect[1], -e * (c0 - c1), 1e-12);
}
END_TEST

START_TEST(the_norm_of_a_saturated_row_does_not_underflow)
{
    /* softmax_plus_one of (s, 0, far): p = (1 - 2 e, e, 0) and 1 left over, e = exp(-s). Column 0
     * is e (2, -1), column 1 e (-1, 1). */
    static const double gaps[] = {20, 300, 600};
    struct weigh_rule rule = rule_of(WEIGHTS_SOFTMAX_PLUS_ONE);
    const double products[] = {gaps[_i], 0, -2000};
    struct weighed_row out = weigh(&rule, 3, products, 0);
    assert_near(out.measures.jacobian_norm, exp(-gaps[_i]) * sqrt(7), 1e-8);
    assert_near(out.measures.jacobian_trace, 3 * exp(-gaps[_i]), 1e-8);
    assert_near(out.measures.log_one_minus_row_max, log(2) - gaps[_i] - log1p(2 * exp(-gaps[_i])),
                1e-14);
}
END_TEST

START_TEST(the_largest_of_weights_that_round_to_one_is_that_of_the_largest_score)
{
    /* 1 - p = e^-(s - ln 3) / (1 + e^-(s - ln 3)), for all three below half a rounding of 1. */
    struct weigh_rule rule = rule_of(WEIGHTS_SIGMOID);
    static const double products[] = {40, 60, 50};
    struct row_measures m = weigh(&rule, 3, products, 0).measures;
    ck_assert(row[0] == 1 && row[1] == 1 && row[2] == 1);
    ck_assert(m.arg_max == 1 && m.row_max == 1);
    assert_near(m.log_one_minus_row_max, log(3) - 60, 1e-15);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("weigh_row");
    TCase *tests = tcase_create("weigh_row");
    const int all = WEIGHTS_COUNT;
    tcase_add_loop_test(tests, the_jacobian_is_what_differences_say, 0, all * 3);
    tcase_add_loop_test(tests, measures_are_those_of_the_weights, 0, all * 3);
    tcase_add_loop_test(tests, a_masked_key_might_as_well_not_be_there, 0, all * 3);
    tcase_add_loop_test(tests, a_row_that_is_all_masked_has_no_weight, 0, all);
    tcase_add_loop_test(tests, a_score_that_is_no_number_spoils_the_row, 0, all * 2);
    tcase_add_loop_test(tests, nothing_over_nothing_is_undefined, 0, 2);
    tcase_add_loop_test(tests, a_single_key_has_nothing_to_choose, 0, all * 3);
    tcase_add_loop_test(tests, a_constant_changes_nothing_where_the_table_says_so, 0, all);
    tcase_add_test(tests, a_cap_hides_nothing_but_slopes);
    tcase_add_test(tests, a_saturated_row_under_a_cap_keeps_its_digits);
    tcase_add_loop_test(tests, the_norm_of_a_saturated_row_does_not_underflow, 0, 3);
    tcase_add_test(tests, the_largest_of_weights_that_round_to_one_is_that_of_the_largest_score);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
