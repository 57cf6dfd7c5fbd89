/* SPDX-License-Identifier: MIT */
/* Tests src/summary/interval.c: symmetric intervals, and those of shares near an end. */
#include "summary/interval.h"
#include "support.h"

START_TEST(a_mean_has_its_half_width_on_both_sides)
{
    const struct estimate inside = {8, 0.8, 0.125, 0.95};
    struct interval interval = interval_of(&inside, true);
    assert_near(interval.low, 0.675, 1e-15);
    assert_near(interval.high, 0.925, 1e-15);
    const struct estimate spread = {8, 0.8, 2, 3};
    interval = interval_of(&spread, false);
    assert_near(interval.low, -1.2, 1e-15);
    assert_near(interval.high, 2.8, 1e-15);
}
END_TEST

/* m = 0.9, h = 0.18 and m(1 - m) = 0.09: logit ln 9 ∓ 2, so 9/(9 + e²) and 9/(9 + e⁻²). */
START_TEST(a_share_stays_between_0_and_1)
{
    const struct estimate high = {8, 0.9, 0.18, 1};
    struct interval interval = interval_of(&high, true);
    assert_near(interval.low, 9 / (9 + exp(2)), 1e-12);
    assert_near(interval.high, 9 / (9 + exp(-2)), 1e-12);
    ck_assert(interval_is_skewed(&high, true));
    const struct estimate low = {8, 0.1, 0.18, 0.5}; /* its mirror image */
    struct interval mirrored = interval_of(&low, true);
    assert_near(mirrored.low, 1 - interval.high, 1e-12);
    assert_near(mirrored.high, 1 - interval.low, 1e-12);
    const struct estimate extreme = {8, 1 - 1e-12, 0.5, 1};
    interval = interval_of(&extreme, true);
    ck_assert(interval.low >= 0 && interval.high <= 1);
}
END_TEST

START_TEST(what_is_no_share_is_left_as_it_is)
{
    const struct estimate negative = {8, 0.9, 0.2, 1.3}; /* weights above 1 */
    assert_near(interval_of(&negative, true).high, 1.1, 1e-15);
    const struct estimate certain = {8, 1, 0, 1};
    assert_near(interval_of(&certain, true).low, 1, 0);
    const struct estimate alone = {1, 0.9, (double)NAN, 0.9};
    ck_assert(isnan(interval_of(&alone, true).low));
    ck_assert(!interval_is_skewed(&alone, true));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interval");
    TCase *cases = tcase_create("interval");
    tcase_add_test(cases, a_mean_has_its_half_width_on_both_sides);
    tcase_add_test(cases, a_share_stays_between_0_and_1);
    tcase_add_test(cases, what_is_no_share_is_left_as_it_is);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
