/* SPDX-License-Identifier: MIT */
/* Tests of attention/softmax: by hand, by the reference rows, by property, by finite differences.
 */
#include "attention/softmax.h"
#include "base/random.h"
#include "support.h"
#include "table.h"

#include <float.h>
#include <string.h>

#define UNIT (DBL_EPSILON / 2)
#define LONGEST 100000

static double scores[LONGEST];
static double weights[LONGEST];

static void assert_undefined(size_t n, struct row_measures m)
{
    ck_assert(isnan(m.row_max) && isnan(m.others) && isnan(m.log_one_minus_row_max));
    ck_assert(isnan(m.entropy) && isnan(m.effective_keys));
    ck_assert(isnan(m.jacobian_norm) && isnan(m.jacobian_trace));
    for (size_t j = 0; j < n; j++) {
        ck_assert(isnan(weights[j]));
    }
}

/* Random scores of a spread; returns the number of keys, 2 .. 65. */
static size_t random_row(uint32_t row, double spread)
{
    size_t n = 2 + row % 64;
    random_normals(11, RANDOM_TEST, row, 0, n, scores);
    for (size_t j = 0; j < n; j++) {
        scores[j] *= spread;
    }
    return n;
}

static const double spreads[] = {0.01, 0.5, 1, 3, 10, 40};
#define SPREADS ((int)(sizeof spreads / sizeof spreads[0]))

START_TEST(equal_scores_share_the_row)
{
    for (size_t n = 2; n < 50; n++) {
        for (size_t j = 0; j < n; j++) {
            scores[j] = -7.3;
        }
        struct row_measures m = softmax_row(n, scores, weights);
        double count = (double)n;
        ck_assert(m.arg_max == 0 && m.row_max == 1 / count && weights[n - 1] == 1 / count);
        assert_near(m.others, 1 - 1 / count, 1e-15);
        assert_near(m.log_one_minus_row_max, log1p(-1 / count), 1e-14);
        assert_near(m.entropy, log(count), 1e-15);
        assert_near(m.effective_keys, count, 1e-14);
        assert_near(m.jacobian_norm, sqrt(count - 1) / count, 1e-15);
        assert_near(m.jacobian_trace, 1 - 1 / count, 1e-15);
    }
}
END_TEST

START_TEST(a_single_key_takes_all)
{
    scores[0] = -1e308;
    struct row_measures m = softmax_row(1, scores, weights);
    ck_assert(weights[0] == 1 && m.row_max == 1 && m.others == 0);
    assert_near(m.log_one_minus_row_max, -(double)INFINITY, 0);
    ck_assert(m.entropy == 0 && m.effective_keys == 1);
    ck_assert(m.jacobian_norm == 0 && m.jacobian_trace == 0);
}
END_TEST

START_TEST(small_rows_of_the_course_come_out)
{
    const double first[] = {2, 1, 0.1};
    softmax_row(3, first, weights);
    assert_within(weights[0], 0.659, 5e-4);
    assert_within(weights[1], 0.242, 5e-4);
    assert_within(weights[2], 0.099, 5e-4);
    const double second[] = {1002, 1000, 997};
    struct row_measures m = softmax_row(3, second, weights);
    assert_within(m.row_max, 0.8756, 5e-5);
    assert_within(weights[1], 0.1185, 5e-5);
    assert_within(weights[2], 0.0059, 5e-5);
}
END_TEST

START_TEST(two_keys_have_closed_forms)
{
    static const double gaps[] = {0, 0.1, 1, 20, 40, 300, 699, 701, 705};
    double gap = gaps[_i];
    scores[0] = 3;
    scores[1] = 3 + gap;
    gap = scores[1] - scores[0];
    struct row_measures m = softmax_row(2, scores, weights);
    double small = exp(-gap) / (1 + exp(-gap));
    double pair = 2 * small * (1 / (1 + exp(-gap)));
    assert_near(m.others, small, 1e-15);
    assert_near(m.jacobian_norm, pair, 2e-15);
    assert_near(m.jacobian_trace, pair, 2e-15);
    assert_near(m.log_one_minus_row_max, -gap - log1p(exp(-gap)), 1e-15);
    assert_near(m.entropy, log1p(exp(-gap)) + small * gap, 3e-13);
}
END_TEST

START_TEST(a_gap_of_40_keeps_its_digits)
{
    const double row[] = {40, 0, -1, -3};
    struct row_measures m = softmax_row(4, row, weights);
    ck_assert(m.row_max == 1);
    assert_near(m.jacobian_trace, 1.2045e-17, 5e-5);
    assert_near(m.jacobian_norm * m.jacobian_norm, 9.788e-35, 5e-5);
    assert_near(m.others, exp(-40) + exp(-41) + exp(-43), 1e-15);
}
END_TEST

START_TEST(the_depth_stays_finite_where_weights_vanish)
{
    const double row[] = {0, 1000, 0, -1, 2};
    struct row_measures m = softmax_row(5, row, weights);
    ck_assert(m.arg_max == 1 && m.row_max == 1 && m.others == 0);
    ck_assert(m.jacobian_norm == 0 && m.jacobian_trace == 0 && m.entropy == 0);
    assert_near(m.log_one_minus_row_max, log(exp(2) + 2 + exp(-1)) - 1000, 1e-15);
    ck_assert(weights[0] == 0 && weights[1] == 1);
}
END_TEST

START_TEST(the_norm_is_exact_down_to_1e_minus_307)
{
    /* Two equal runners-up: epsilon 2t, |J|_F = epsilon sqrt(1 + 2/2 + 1/2) = 2t sqrt(5/2). */
    const double row[] = {-705, 0, -705};
    struct row_measures m = softmax_row(3, row, weights);
    assert_near(m.jacobian_norm, 2 * exp(-705) * sqrt(2.5), 1e-13);
    assert_near(m.jacobian_trace, 4 * exp(-705), 1e-13);
}
END_TEST

START_TEST(ties_share_the_top)
{
    for (size_t ties = 2; ties < 8; ties++) {
        for (size_t j = 0; j < 8; j++) {
            scores[j] = j < 8 - ties ? -2000 : 5;
        }
        struct row_measures m = softmax_row(8, scores, weights);
        double count = (double)ties;
        ck_assert(m.arg_max == 8 - ties && m.row_max == 1 / count && weights[0] == 0);
        assert_near(m.entropy, log(count), 1e-15);
        assert_near(m.jacobian_norm, sqrt(count - 1) / count, 1e-15);
    }
}
END_TEST

START_TEST(scores_at_the_end_of_the_range_are_data)
{
    const double row[] = {-1e308, 1e308, -1e308};
    struct row_measures m = softmax_row(3, row, weights);
    ck_assert(m.arg_max == 1 && m.row_max == 1 && m.entropy == 0 && m.effective_keys == 1);
    ck_assert(m.jacobian_norm == 0 && m.jacobian_trace == 0 && weights[0] == 0);
    assert_near(m.log_one_minus_row_max, -(double)INFINITY, 0); /* -2e308 */
    const double level[] = {1e308, -1e308, 1e308};
    m = softmax_row(3, level, weights);
    ck_assert(m.row_max == 0.5 && m.jacobian_norm == 0.5 && weights[1] == 0);
    assert_near(m.entropy, log(2), 1e-15);
}
END_TEST

START_TEST(non_finite_scores_make_the_row_undefined)
{
    static const double rows[][3] = {
        {(double)NAN, 0, 1},       {0, (double)NAN, 1},
        {0, 1, (double)NAN},       {(double)INFINITY, 0, 1},
        {0, -(double)INFINITY, 1}, {(double)NAN, (double)NAN, (double)NAN},
        {0, 0, (double)INFINITY},  {(double)INFINITY, (double)INFINITY, 0}};
    assert_undefined(3, softmax_row(3, rows[_i], weights));
    assert_undefined(1, softmax_row(1, rows[5], weights));
}
END_TEST

/* Numbers below the normal range are exact to a few units of the smallest one. */
static void assert_reference(struct table table, const char *row, const char *column, double value)
{
    double wanted = table_number(table, row, column);
    ck_assert_msg(support_near(value, wanted, 1e-12, 1e-323), "%s of %s: %.17g, expected %.17g",
                  column, row, value, wanted);
}

static void compare_row(struct table table, const char *row, size_t n)
{
    struct row_measures m = softmax_row(n, scores, weights);
    assert_reference(table, row, "rowmax", m.row_max);
    assert_reference(table, row, "entropy_nats", m.entropy);
    assert_reference(table, row, "jac_fro", m.jacobian_norm);
    assert_reference(table, row, "jac_trace", m.jacobian_trace);
    if (table_find(table, row, "one_minus_rowmax") != NULL) {
        assert_reference(table, row, "one_minus_rowmax", m.others);
    }
    const struct table_entry *expected = table_find(table, row, "weights");
    for (size_t j = 0; expected != NULL && j < n; j++) {
        ck_assert(support_near(weights[j], expected->values[j], 1e-12, 1e-323));
    }
}

START_TEST(rows_equal_the_reference)
{
    struct table table = table_read(TEST_REFERENCE_DIR "/softmax_rows.tsv");
    size_t compared = 0;
    size_t undefined = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct table_entry *entry = &table.entries[i];
        bool finite = true;
        size_t n = entry->count;
        if (strcmp(entry->column, "zeros") == 0) {
            n = (size_t)entry->values[0];
            memset(scores, 0, n * sizeof *scores);
        } else if (strcmp(entry->column, "input") == 0) {
            memcpy(scores, entry->values, n * sizeof *scores);
        } else {
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            finite = finite && isfinite(scores[j]);
        }
        if (finite) {
            compare_row(table, entry->row, n);
            compared++;
        } else {
            assert_undefined(n, softmax_row(n, scores, weights));
            undefined++;
        }
    }
    ck_assert_uint_eq(compared, 23);
    ck_assert_uint_eq(undefined, 7);
}
END_TEST

START_TEST(weights_sum_to_1_and_agree_with_the_plain_form)
{
    for (uint32_t row = 0; row < 200; row++) {
        size_t n = random_row(row, spreads[_i]);
        struct row_measures m = softmax_row(n, scores, weights);
        double sum = 0;
        double plain = 0;
        double largest = scores[m.arg_max];
        for (size_t j = 0; j < n; j++) {
            sum += weights[j];
            plain += exp(scores[j] - largest);
            ck_assert(scores[j] <= largest);
        }
        assert_within(sum, 1, ((double)n + 2) * UNIT);
        for (size_t j = 0; j < n; j++) {
            double gap = largest - scores[j];
            assert_near(weights[j], exp(-gap) / plain, 2 * UNIT * (gap + (double)n + 4));
        }
    }
}
END_TEST

START_TEST(measures_equal_their_definitions)
{
    for (uint32_t row = 0; row < 100; row++) {
        size_t n = random_row(row, spreads[_i]);
        struct row_measures m = softmax_row(n, scores, weights);
        double entropy = 0;
        double trace = 0;
        double norm = 0;
        for (size_t i = 0; i < n; i++) {
            entropy -= weights[i] > 0 ? weights[i] * log(weights[i]) : 0;
            trace += weights[i] * (1 - weights[i]);
            for (size_t j = 0; j < n; j++) {
                double entry = (i == j ? weights[i] : 0) - weights[i] * weights[j];
                norm += entry * entry;
            }
        }
        /* The plain forms themselves lose digits near one-hot rows. */
        assert_within(m.entropy, entropy, 1e-14);
        assert_within(m.jacobian_trace, trace, 1e-15);
        assert_within(m.jacobian_norm, sqrt(norm), 1e-14);
        assert_near(m.effective_keys, exp(m.entropy), 1e-15);
        assert_near(exp(m.log_one_minus_row_max), m.others, 1e-13);
        assert_within(m.others + m.row_max, 1, 2 * DBL_EPSILON);
    }
}
END_TEST

static double row_spread(size_t n)
{
    double mean = 0;
    double squares = 0;
    for (size_t j = 0; j < n; j++) {
        mean += scores[j] / (double)n;
    }
    for (size_t j = 0; j < n; j++) {
        squares += (scores[j] - mean) * (scores[j] - mean);
    }
    return sqrt(squares / (double)n);
}

START_TEST(bounds_hold_for_every_row)
{
    double slack = 1 + 1e-13;
    for (uint32_t row = 0; row < 300; row++) {
        size_t n = random_row(row, spreads[_i]);
        struct row_measures m = softmax_row(n, scores, weights);
        double others = (double)n - 1;
        double purity = 1 - m.jacobian_trace;
        ck_assert(m.entropy >= 0 && m.entropy <= log((double)n) * slack);
        ck_assert(m.jacobian_norm >= 0 && m.jacobian_norm <= 0.5 * slack);
        ck_assert(m.jacobian_trace / sqrt(others) <= m.jacobian_norm * slack);
        ck_assert(m.jacobian_norm * m.jacobian_norm <= purity * m.jacobian_trace * slack);
        ck_assert(m.row_max * slack >= 1 / (double)n && m.row_max <= 1);
        ck_assert(m.effective_keys * slack >= 1 / purity && slack / purity >= 1 / m.row_max);
        /* Zhai et al. 2023, theorem 3.1, for one row of spread tau. */
        double reach = row_spread(n) * (double)n / sqrt(others);
        double tail = others * exp(-reach);
        ck_assert(m.row_max <= slack / (1 + tail));
        ck_assert(m.entropy * slack + 1e-300 >= log1p(tail) + tail * reach / (1 + tail));
    }
}
END_TEST

START_TEST(a_shift_of_the_scores_changes_nothing)
{
    size_t n = random_row(7, 2);
    double shifted[66];
    for (size_t j = 0; j < n; j++) {
        scores[j] = nearbyint(scores[j] * 1024) / 1024; /* so that the shift is exact */
        shifted[j] = scores[j] + 4096;
    }
    struct row_measures m = softmax_row(n, scores, weights);
    struct row_measures same = softmax_row(n, shifted, weights);
    ck_assert(m.arg_max == same.arg_max && m.row_max == same.row_max);
    ck_assert(m.entropy == same.entropy && m.jacobian_norm == same.jacobian_norm);
}
END_TEST

START_TEST(a_row_in_place_gives_the_same_bits)
{
    size_t n = random_row(20, 3);
    struct row_measures apart = softmax_row(n, scores, weights);
    struct row_measures inside = softmax_row(n, scores, scores);
    ck_assert_mem_eq(scores, weights, n * sizeof *scores);
    ck_assert_mem_eq(&apart, &inside, sizeof apart);
}
END_TEST

/* Scores of all spreads side by side, of 40 with gaps that need the careful exponential. */
START_TEST(rows_together_have_the_bits_that_each_has_alone)
{
    for (size_t n = 2; n <= 40; n++) {
        size_t rows = softmax_rows_at_once(n);
        struct row_measures together[SOFTMAX_ROWS];
        ck_assert_uint_ge(rows, 1);
        ck_assert_uint_le(rows, SOFTMAX_ROWS);
        for (size_t r = 0; r < rows; r++) {
            double *row = scores + r * n;
            random_normals(12, RANDOM_TEST, (uint32_t)(n * SOFTMAX_ROWS + r), 0, n, row);
            for (size_t j = 0; j < n; j++) {
                row[j] *= r == 3 ? 1000 : spreads[r % (size_t)SPREADS];
            }
            row[n - 1] = r == 2 ? row[0] : row[n - 1];
        }
        memcpy(weights, scores, rows * n * sizeof *scores);
        softmax_rows(rows, n, weights, together);
        for (size_t r = 0; r < rows; r++) {
            double alone[40];
            struct row_measures measures = softmax_row(n, scores + r * n, alone);
            ck_assert_mem_eq(&together[r], &measures, sizeof measures);
            ck_assert_mem_eq(weights + r * n, alone, n * sizeof *alone);
        }
    }
    ck_assert_uint_eq(softmax_rows_at_once(1), 1);
    ck_assert_uint_eq(softmax_rows_at_once(12), 4);
    ck_assert_uint_eq(softmax_rows_at_once(33), 1);
}
END_TEST

START_TEST(finite_differences_give_the_jacobian)
{
    enum { KEYS = 6 };
    double step = 1e-5;
    random_normals(5, RANDOM_TEST, 0, 0, KEYS, scores);
    double base[KEYS];
    double up[KEYS];
    double down[KEYS];
    double norm = 0;
    double trace = 0;
    struct row_measures m = softmax_row(KEYS, scores, base);
    for (size_t j = 0; j < KEYS; j++) {
        double kept = scores[j];
        scores[j] = kept + step;
        softmax_row(KEYS, scores, up);
        scores[j] = kept - step;
        softmax_row(KEYS, scores, down);
        scores[j] = kept;
        for (size_t i = 0; i < KEYS; i++) {
            double slope = (up[i] - down[i]) / (2 * step);
            assert_within(slope, (i == j ? base[i] : 0) - base[i] * base[j], 1e-10);
            norm += slope * slope;
            trace += i == j ? slope : 0;
        }
    }
    assert_near(m.jacobian_norm, sqrt(norm), 1e-9);
    assert_near(m.jacobian_trace, trace, 1e-9);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("softmax");
    TCase *tests = tcase_create("softmax");
    tcase_add_test(tests, equal_scores_share_the_row);
    tcase_add_test(tests, a_single_key_takes_all);
    tcase_add_test(tests, small_rows_of_the_course_come_out);
    tcase_add_loop_test(tests, two_keys_have_closed_forms, 0, 9);
    tcase_add_test(tests, a_gap_of_40_keeps_its_digits);
    tcase_add_test(tests, the_depth_stays_finite_where_weights_vanish);
    tcase_add_test(tests, the_norm_is_exact_down_to_1e_minus_307);
    tcase_add_test(tests, ties_share_the_top);
    tcase_add_test(tests, scores_at_the_end_of_the_range_are_data);
    tcase_add_loop_test(tests, non_finite_scores_make_the_row_undefined, 0, 8);
    tcase_add_test(tests, rows_equal_the_reference);
    tcase_add_loop_test(tests, weights_sum_to_1_and_agree_with_the_plain_form, 0, SPREADS);
    tcase_add_loop_test(tests, measures_equal_their_definitions, 0, SPREADS);
    tcase_add_loop_test(tests, bounds_hold_for_every_row, 0, SPREADS);
    tcase_add_test(tests, a_shift_of_the_scores_changes_nothing);
    tcase_add_test(tests, a_row_in_place_gives_the_same_bits);
    tcase_add_test(tests, rows_together_have_the_bits_that_each_has_alone);
    tcase_add_test(tests, finite_differences_give_the_jacobian);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
