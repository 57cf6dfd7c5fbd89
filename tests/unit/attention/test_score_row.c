/* SPDX-License-Identifier: MIT */
/* Tests of attention/score_row: factors, the cap and the mask by hand, and at the ends of the
 * range. */
#include "attention/score_row.h"
#include "support.h"

#include <float.h>

static const double infinity = (double)INFINITY;

START_TEST(the_causal_mask_shows_the_keys_up_to_the_place)
{
    const struct score_rule causal = {.factor = 1, .causal = true};
    const struct score_rule open = {.factor = 1};
    static const struct {
        size_t queries, keys, row, sees;
    } table[] = {
        {5, 5, 0, 1}, {5, 5, 2, 3}, {5, 5, 4, 5}, {1, 1, 0, 1}, /* as many queries as keys */
        {1, 5, 0, 5}, {3, 5, 0, 3}, {3, 5, 2, 5},               /* the last queries */
        {5, 3, 0, 0}, {5, 3, 1, 0}, {5, 3, 2, 1}, {5, 3, 4, 3}, /* queries before the first key */
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        ck_assert_uint_eq(score_row_visible(&causal, table[t].queries, table[t].keys, table[t].row),
                          table[t].sees);
        ck_assert_uint_eq(score_row_visible(&open, table[t].queries, table[t].keys, table[t].row),
                          table[t].keys);
    }
}
END_TEST

START_TEST(scores_are_products_times_their_factor)
{
    const struct score_rule rule = {.factor = 0.75};
    double scores[] = {2, -4, 0, 1e300};
    score_row_apply(&rule, 3, scores, NULL);
    ck_assert(scores[0] == 1.5 && scores[1] == -3 && scores[2] == 0);
    ck_assert(scores[3] == 1e300); /* behind the visible ones nothing is touched */
}
END_TEST

START_TEST(log_keys_multiplies_by_the_logarithm_of_what_a_row_sees)
{
    const struct score_rule rule = {.factor = 0.5, .log_keys = true};
    ck_assert(score_row_factor(&rule, 1) == 0);
    assert_near(score_row_factor(&rule, 2), 0.5 * log(2), 1e-16);
    assert_near(score_row_factor(&rule, 100), 0.5 * log(100), 1e-16);
    double scores[] = {1, -2};
    score_row_apply(&rule, 2, scores, NULL);
    assert_near(scores[0], 0.5 * log(2), 1e-16);
    assert_near(scores[1], -log(2), 1e-16);
}
END_TEST

START_TEST(the_cap_bounds_keeps_order_and_has_its_slope)
{
    static const double caps[] = {0.5, 30, 50};
    const struct score_rule rule = {.factor = 1, .cap = caps[_i]};
    double before = -infinity;
    for (int k = -60; k <= 60; k++) {
        double size = 0.1 * k;
        double trio[] = {size, size + 1e-5, size - 1e-5};
        double slopes[3];
        score_row_apply(&rule, 3, trio, slopes);
        ck_assert(fabs(trio[0]) <= rule.cap && trio[0] >= before);
        assert_near(trio[0], rule.cap * tanh(size / rule.cap), 1e-15);
        assert_within(slopes[0], (trio[1] - trio[2]) / 2e-5, 1e-8);
        before = trio[0];
    }
}
END_TEST

START_TEST(far_beyond_the_cap_scores_stay_and_slopes_fade)
{
    /* A quotient of exponentials would be inf / inf from 50 * 355 on. */
    const struct score_rule rule = {.factor = 1, .cap = 50};
    double scores[] = {4400, 50 * 355, -50 * 400, 1e308, -1e308, infinity, -infinity, 1e-300};
    double slopes[8];
    score_row_apply(&rule, 8, scores, slopes);
    static const double wanted[] = {50, 50, -50, 50, -50, 50, -50, 1e-300};
    for (size_t j = 0; j < 8; j++) {
        assert_near(scores[j], wanted[j], 1e-15);
    }
    assert_near(slopes[0], 4 * exp(-176), 1e-14);
    assert_near(slopes[1], 4 * exp(-710), 1e-12);
    ck_assert(slopes[3] == 0 && slopes[5] == 0 && slopes[6] == 0 && slopes[7] == 1);
}
END_TEST

START_TEST(a_masked_key_stays_masked)
{
    static const double factors[] = {1, -3, 0, 1e300};
    double scores[] = {-infinity, 2};
    double slopes[2];
    struct score_rule rule = {.factor = factors[_i], .given = true};
    score_row_apply(&rule, 2, scores, NULL);
    ck_assert(scores[0] == -infinity && scores[1] == 2 * factors[_i]);
    rule.cap = 5;
    score_row_apply(&rule, 2, scores, slopes);
    ck_assert(scores[0] == -infinity && slopes[0] == 0 && fabs(scores[1]) <= 5);
}
END_TEST

START_TEST(a_score_that_overflows_is_no_masked_key)
{
    /* Downward as upward: the cap takes it back, given or not; a product's infinity has a sign. */
    double slopes[3];
    for (int given = 0; given < 2; given++) {
        const struct score_rule rule = {.factor = 1e10, .cap = 7, .given = given == 1};
        double scores[] = {1e300, -1e300, 0};
        score_row_apply(&rule, 3, scores, slopes);
        ck_assert(scores[0] == 7 && scores[1] == -7 && scores[2] == 0);
    }
    const struct score_rule negative = {.factor = -1};
    double products[] = {-infinity, infinity};
    score_row_apply(&negative, 2, products, NULL);
    ck_assert(products[0] == infinity && products[1] == -infinity);
}
END_TEST

START_TEST(nan_stays_nan)
{
    const struct score_rule rule = {.factor = 1, .cap = 7, .given = true};
    double scores[] = {(double)NAN};
    double slopes[1];
    score_row_apply(&rule, 1, scores, slopes);
    ck_assert(isnan(scores[0]) && isnan(slopes[0]));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("score_row");
    TCase *tests = tcase_create("score_row");
    tcase_add_test(tests, the_causal_mask_shows_the_keys_up_to_the_place);
    tcase_add_test(tests, scores_are_products_times_their_factor);
    tcase_add_test(tests, log_keys_multiplies_by_the_logarithm_of_what_a_row_sees);
    tcase_add_loop_test(tests, the_cap_bounds_keeps_order_and_has_its_slope, 0, 3);
    tcase_add_test(tests, far_beyond_the_cap_scores_stay_and_slopes_fade);
    tcase_add_loop_test(tests, a_masked_key_stays_masked, 0, 4);
    tcase_add_test(tests, a_score_that_overflows_is_no_masked_key);
    tcase_add_test(tests, nan_stays_nan);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
