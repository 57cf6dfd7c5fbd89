/* SPDX-License-Identifier: MIT */
/* Orders at the ends of their types, where a difference would overflow or lose its sign. */
#include "base/order.h"
#include "support.h"

#include <float.h>
#include <math.h>

START_TEST(integers_rise_over_their_whole_range)
{
    const int64_t rising[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            ck_assert_int_eq(order_integers(&rising[i], &rising[j]), (i > j) - (i < j));
        }
    }
}
END_TEST

START_TEST(keys_have_no_sign)
{
    const uint64_t low = 1;
    const uint64_t high = UINT64_MAX;
    ck_assert_int_eq(order_keys(&low, &high), -1);
    ck_assert_int_eq(order_keys(&high, &low), 1);
    ck_assert_int_eq(order_keys(&high, &high), 0);
}
END_TEST

START_TEST(reals_rise_from_infinity_to_infinity_and_zeros_are_equal)
{
    const double rising[] = {-(double)INFINITY, -DBL_MAX, -DBL_TRUE_MIN,   0,
                             DBL_TRUE_MIN,      1,        (double)INFINITY};
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < 7; j++) {
            ck_assert_int_eq(order_reals(&rising[i], &rising[j]), (i > j) - (i < j));
        }
    }
    const double zeros[] = {-0.0, 0.0};
    ck_assert_int_eq(order_reals(&zeros[0], &zeros[1]), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base/order");
    TCase *order = tcase_create("order");
    tcase_add_test(order, integers_rise_over_their_whole_range);
    tcase_add_test(order, keys_have_no_sign);
    tcase_add_test(order, reals_rise_from_infinity_to_infinity_and_zeros_are_equal);
    suite_add_tcase(suite, order);
    return support_run(suite);
}
