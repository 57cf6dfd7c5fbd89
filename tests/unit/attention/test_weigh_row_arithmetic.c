/* SPDX-License-Identifier: MIT */
/* Tests of attention/weigh_row: rounded scores, softmax without its shift, and the bound on the
 * error of both. */
#include "attention/weigh_row.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define MOST 200

static double slope[MOST], share[MOST], unshared[MOST], remainders[MOST], copy[MOST];
static const struct weigh_space space = {slope, share, unshared, remainders, copy};
static double row[MOST];

static const double infinity = (double)INFINITY;

static struct weighed_row weigh(struct weigh_rule rule, size_t n, const double *scores)
{
    memcpy(row, scores, n * sizeof *row);
    return weigh_row(&rule, n, row, NULL, &space);
}

START_TEST(scores_are_rounded_to_their_format)
{
    /* 1.3 is 1 + 0.3: 0.3 to the nearest 2^-23, 2^-10, 2^-7, 2^-3 and 2^-2. */
    static const struct {
        enum number_format format;
        double rounded;
    } table[] = {{FORMAT_FP32, 1.2999999523162842},
                 {FORMAT_FP16, 1.2998046875},
                 {FORMAT_BF16, 1.296875},
                 {FORMAT_FP8_E4M3, 1.25},
                 {FORMAT_FP8_E5M2, 1.25}};
    const double scores[] = {1.3, 0};
    for (int weights = 0; weights < WEIGHTS_COUNT; weights++) {
        const struct weigh_rule rounded = {(enum run_weights)weights, table[_i].format, true};
        const struct weigh_rule whole = {(enum run_weights)weights, FORMAT_FP64, true};
        const double wanted[] = {table[_i].rounded, 0};
        double weights_of[2];
        weigh(rounded, 2, scores);
        memcpy(weights_of, row, sizeof weights_of);
        weigh(whole, 2, wanted);
        ck_assert_mem_eq(weights_of, row, sizeof weights_of);
    }
}
END_TEST

START_TEST(scores_beyond_the_format)
{
    const struct weigh_rule half = {WEIGHTS_SOFTMAX, FORMAT_FP16, true};
    /* 65519.99 is still 65504; 65520 is infinite. */
    static const double up[] = {65520, 0, 1};
    ck_assert(weigh(half, 3, up).state == ROW_UNDEFINED);
    ck_assert(isnan(row[0]) && isnan(row[1]));
    static const double below[] = {65519.99, 0, 1};
    ck_assert(weigh(half, 3, below).state == ROW_DEFINED && row[0] == 1);
    const double down[] = {-65520, 0, log(3)};
    struct weighed_row out = weigh(half, 3, down);
    /* What cannot be reached has no weight, but remains a key. */
    ck_assert(out.state == ROW_DEFINED && out.keys == 3 && row[0] == 0);
    assert_near(row[2], 0.75, 1e-3);
    /* One format has no infinity to hide behind. */
    const struct weigh_rule eighth = {WEIGHTS_SOFTMAX, FORMAT_FP8_E4M3, true};
    static const double narrow[] = {-500, 0, 1};
    ck_assert(weigh(eighth, 3, narrow).state == ROW_UNDEFINED);
}
END_TEST

START_TEST(a_row_out_of_reach_is_undefined_and_one_key_left_is_certain)
{
    const struct weigh_rule half = {WEIGHTS_SOFTMAX, FORMAT_FP16, true};
    static const double far[] = {-1e5, -(double)INFINITY, -2e5};
    struct weighed_row out = weigh(half, 3, far);
    ck_assert(out.state == ROW_UNDEFINED && out.keys == 2 && isnan(row[0]));
    static const double one[] = {-1e5, 5, -2e5};
    out = weigh(half, 3, one);
    ck_assert(out.state == ROW_DEFINED && out.keys == 3 && out.slopes.arg_max == 1);
    ck_assert(row[0] == 0 && row[1] == 1 && row[2] == 0);
    ck_assert(out.measures.entropy == 0 && out.measures.jacobian_norm == 0);
    assert_near(out.measures.log_one_minus_row_max, -infinity, 0);
}
END_TEST

START_TEST(a_masked_key_is_masked_in_every_format)
{
    /* e4m3 has no infinity, but what is masked is no number of it. */
    static const double scores[] = {-(double)INFINITY, 0, 0};
    for (int format = FORMAT_FP64; format < FORMAT_COUNT; format++) {
        for (int stabilise = 0; stabilise < 2; stabilise++) {
            const struct weigh_rule rule = {WEIGHTS_SOFTMAX, (enum number_format)format,
                                            stabilise == 1};
            struct weighed_row out = weigh(rule, 3, scores);
            ck_assert(out.state == ROW_DEFINED && out.keys == 2);
            ck_assert(row[0] == 0 && row[1] == 0.5 && row[2] == 0.5);
        }
    }
}
END_TEST

/* Scores that are numbers of the format, on both sides of where exp leaves it: the first of them
 * overflows, the last rounds to 0. */
static const struct {
    enum number_format format;
    double overflows, largest, smallest, vanishes;
} thresholds[] = {
    {FORMAT_FP64, 709.7827128933841, 709.782712893384, -745.133219101, -745.133219102},
    {FORMAT_FP32, 88.72283935546875, 88.7228317260742188, -103.97207, -103.97209},
    {FORMAT_FP16, 11.09375, 11.0859375, -17.328125, -17.34375},
    {FORMAT_BF16, 89, 88.5, -92.5, -93},
    {FORMAT_FP8_E5M2, 12, 10, -10, -12},
    {FORMAT_FP8_E4M3, 6.5, 6, -6.5, -7},
};

START_TEST(softmax_without_its_shift_fails_exactly_where_exp_does)
{
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX, thresholds[_i].format, false};
    const struct weigh_rule shifted = {WEIGHTS_SOFTMAX, thresholds[_i].format, true};
    const double scores[] = {thresholds[_i].overflows, thresholds[_i].largest,
                             thresholds[_i].smallest, thresholds[_i].vanishes};
    for (size_t k = 0; k < 4; k++) {
        bool fails = k == 0 || k == 3; /* inf / inf, 0 / 0 */
        ck_assert(weigh(plain, 1, scores + k).state == (fails ? ROW_UNDEFINED : ROW_DEFINED));
        ck_assert(fails ? isnan(row[0]) : row[0] == 1);
        ck_assert(weigh(shifted, 1, scores + k).state == ROW_DEFINED && row[0] == 1);
    }
}
END_TEST

START_TEST(the_sum_overflows_before_its_parts)
{
    /* ln(DBL_MAX) - ln 2 = 709.0896: two keys beyond it are too many. */
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX, FORMAT_FP64, false};
    static const double below[] = {709.089, 709.089};
    static const double beyond[] = {709.09, 709.09};
    ck_assert(weigh(plain, 2, below).state == ROW_DEFINED && row[0] == 0.5);
    ck_assert(weigh(plain, 2, beyond).state == ROW_UNDEFINED && isnan(row[0]));
    ck_assert(weigh(plain, 1, beyond).state == ROW_DEFINED);
}
END_TEST

START_TEST(the_course_s_row_needs_the_shift)
{
    static const double scores[] = {1002, 1000, 997};
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX, FORMAT_FP64, false};
    const struct weigh_rule shifted = {WEIGHTS_SOFTMAX, FORMAT_FP64, true};
    ck_assert(weigh(plain, 3, scores).state == ROW_UNDEFINED);
    ck_assert(weigh(shifted, 3, scores).state == ROW_DEFINED);
    assert_within(row[0], 0.8756, 5e-5);
    assert_within(row[1], 0.1185, 5e-5);
    assert_within(row[2], 0.0059, 5e-5);
}
END_TEST

START_TEST(plus_one_without_its_shift)
{
    /* The one in the sum keeps a row far below 0 defined; above, it overflows like softmax. */
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX_PLUS_ONE, FORMAT_FP64, false};
    static const double low[] = {-1000, -1000};
    ck_assert(weigh(plain, 2, low).state == ROW_DEFINED && row[0] == 0);
    static const double high[] = {710, 0};
    ck_assert(weigh(plain, 2, high).state == ROW_UNDEFINED);
    const double middle[] = {0, log(2)};
    struct weighed_row out = weigh(plain, 2, middle);
    assert_near(row[0], 0.25, 1e-15);
    assert_near(row[1], 0.5, 1e-15);
    assert_near(out.measures.sum, 0.75, 1e-15);
    assert_near(out.measures.log_one_minus_row_max, log(0.5), 1e-15);
}
END_TEST

START_TEST(exponentials_and_their_sum_are_rounded)
{
    /* In e4m3, 4 digits: exp(1) = 2.718 is 2.75, exp(0) = 1, the sum 3.75; exp(1.5) = 4.48 is 4.5,
     * the sum 4.5 + 2.75 + 1 = 8.25 is 8. */
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX, FORMAT_FP8_E4M3, false};
    static const double two[] = {1, 0};
    weigh(plain, 2, two);
    ck_assert(row[0] == 2.75 / 3.75 && row[1] == 1 / 3.75);
    static const double three[] = {1.5, 1, 0};
    struct weighed_row out = weigh(plain, 3, three);
    ck_assert(row[0] == 4.5 / 8 && row[1] == 2.75 / 8 && row[2] == 0.125);
    ck_assert(out.measures.sum == 8.25 / 8);
}
END_TEST

/* |p - exact| <= exact u (gap + sum exact gap + n + 4), and a few units where p is subnormal: the
 * rounding of a gap passes through exp, exp is right to a unit of the last place, and n numbers are
 * summed. The exact row has at least 11 more bits. */
static void assert_bounded(size_t n, const double *scores)
{
    double largest = -infinity;
    for (size_t j = 0; j < n; j++) {
        largest = fmax(largest, scores[j]);
    }
    long double total = 0;
    long double gaps = 0;
    for (size_t j = 0; j < n; j++) {
        long double gap = (long double)largest - (long double)scores[j];
        total += expl(-gap);
        gaps += gap * expl(-gap);
    }
    const long double roundoff = (long double)DBL_EPSILON / 2;
    const long double least = 4 * (long double)DBL_TRUE_MIN;
    for (size_t j = 0; j < n; j++) {
        long double gap = (long double)largest - (long double)scores[j];
        long double exact = expl(-gap) / total;
        long double bound = exact * roundoff * (gap + gaps / total + (long double)n + 4) + least;
        ck_assert_msg(fabsl((long double)row[j] - exact) <= bound, "%g of %g at %zu of %zu",
                      (double)fabsl((long double)row[j] - exact), (double)bound, j, n);
    }
}

static size_t random_scores(uint32_t number, double most, double *scores)
{
    size_t n = 1 + number * 7 % MOST;
    double spread = pow(10, (number % 29) / 29.0 * log10(most * 10)) / 10;
    random_normals(21, RANDOM_TEST, number, 0, n, scores);
    for (size_t j = 0; j < n; j++) {
        scores[j] *= spread;
    }
    return n;
}

START_TEST(errors_stay_within_their_bound)
{
    const struct weigh_rule shifted = {WEIGHTS_SOFTMAX, FORMAT_FP64, true};
    const struct weigh_rule plain = {WEIGHTS_SOFTMAX, FORMAT_FP64, false};
    double scores[MOST];
    for (uint32_t number = 0; number < 1600; number++) {
        size_t n = random_scores(number, 300, scores);
        weigh(shifted, n, scores);
        assert_bounded(n, scores);
        /* Without the shift, for scores that stay in range: at most 8.6 spreads. */
        n = random_scores(number, 9, scores);
        ck_assert(weigh(plain, n, scores).state == ROW_DEFINED);
        assert_bounded(n, scores);
    }
}
END_TEST

START_TEST(weights_without_the_shift_are_those_with_it)
{
    double scores[MOST];
    double weights[MOST];
    for (int weights_kind = 0; weights_kind < 2; weights_kind++) {
        const enum run_weights kind = (enum run_weights)weights_kind;
        for (uint32_t number = 0; number < 100; number++) {
            size_t n = random_scores(number, 9, scores);
            struct weighed_row plain =
                weigh((struct weigh_rule){kind, FORMAT_FP64, false}, n, scores);
            struct row_measures m = plain.measures;
            memcpy(weights, row, n * sizeof *weights);
            struct weighed_row shifted =
                weigh((struct weigh_rule){kind, FORMAT_FP64, true}, n, scores);
            for (size_t j = 0; j < n; j++) {
                assert_near(weights[j], row[j], 1e-13);
            }
            ck_assert(plain.slopes.arg_max == shifted.slopes.arg_max);
            assert_near(m.log_one_minus_row_max, shifted.measures.log_one_minus_row_max, 1e-12);
            assert_within(m.entropy, shifted.measures.entropy, 1e-13);
            assert_near(m.jacobian_norm, shifted.measures.jacobian_norm, 1e-12);
            assert_near(m.jacobian_trace, shifted.measures.jacobian_trace, 1e-12);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("weigh_row_arithmetic");
    TCase *tests = tcase_create("weigh_row_arithmetic");
    tcase_add_loop_test(tests, scores_are_rounded_to_their_format, 0, 5);
    tcase_add_test(tests, scores_beyond_the_format);
    tcase_add_test(tests, a_row_out_of_reach_is_undefined_and_one_key_left_is_certain);
    tcase_add_test(tests, a_masked_key_is_masked_in_every_format);
    tcase_add_loop_test(tests, softmax_without_its_shift_fails_exactly_where_exp_does, 0, 6);
    tcase_add_test(tests, the_sum_overflows_before_its_parts);
    tcase_add_test(tests, the_course_s_row_needs_the_shift);
    tcase_add_test(tests, plus_one_without_its_shift);
    tcase_add_test(tests, exponentials_and_their_sum_are_rounded);
    tcase_add_test(tests, weights_without_the_shift_are_those_with_it);
    suite_add_tcase(suite, tests);
    /* Under valgrind a long double is no more exact than a double. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, errors_stay_within_their_bound);
    suite_add_tcase(suite, native);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
