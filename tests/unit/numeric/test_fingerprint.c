/* SPDX-License-Identifier: MIT */
/* Tests src/numeric/fingerprint.c. */
#include "numeric/fingerprint.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* By identities that need no other value of the function: exp(x) exp(-x) = 1, exp(log x) = x,
 * cos 2y = 2 cos^2 y - 1, and tanh from exp. */
START_TEST(functions_are_those_of_the_arguments)
{
    struct fingerprint taken;
    fingerprint_take(&taken);
    assert_near(taken.arguments[0], 20.0 * (2654435769.0 - 2147483648.0) / 2147483648.0, 1e-15);
    for (size_t i = 0; i < FINGERPRINT_ARGUMENTS; i++) {
        double x = taken.arguments[i];
        ck_assert(fabs(x) <= 20);
        assert_near(taken.functions[0][i] * exp(-x), 1, 1e-15);
        assert_near(exp(taken.functions[1][i]), fabs(x), 2e-15);
        double half = cos(x / 2);
        assert_within(taken.functions[2][i], 2 * half * half - 1, 1e-15);
        double e = exp(x / 4);
        assert_within(taken.functions[3][i], (e - 1) / (e + 1), 1e-15);
    }
}
END_TEST

START_TEST(the_product_is_that_of_the_two_matrices)
{
    struct fingerprint taken;
    fingerprint_take(&taken);
    for (size_t i = 0; i < FINGERPRINT_ROWS; i++) {
        for (size_t j = 0; j < FINGERPRINT_COLUMNS; j++) {
            double sum = 0;
            for (size_t m = 0; m < FINGERPRINT_INNER; m++) {
                sum += taken.left[i * FINGERPRINT_INNER + m] *
                       taken.right[m * FINGERPRINT_COLUMNS + j];
            }
            assert_within(taken.product[i * FINGERPRINT_COLUMNS + j], sum, 1e-13);
        }
    }
}
END_TEST

START_TEST(the_same_machine_has_the_same_hash)
{
    struct fingerprint first;
    struct fingerprint second;
    memset(&first, 1, sizeof first);
    memset(&second, 2, sizeof second);
    fingerprint_take(&first);
    fingerprint_take(&second);
    ck_assert_uint_eq(fingerprint_hash(&first), fingerprint_hash(&second));
}
END_TEST

/* One unit in the last place of one value, of each kind. */
START_TEST(the_last_bit_of_any_value_changes_the_hash)
{
    struct fingerprint taken;
    fingerprint_take(&taken);
    uint64_t before = fingerprint_hash(&taken);
    for (size_t f = 0; f < 4; f++) {
        double *value = &taken.functions[f][FINGERPRINT_ARGUMENTS - 1];
        double kept = *value;
        *value = nextafter(kept, 100);
        ck_assert_uint_ne(fingerprint_hash(&taken), before);
        *value = kept;
    }
    double *last = &taken.product[FINGERPRINT_ROWS * FINGERPRINT_COLUMNS - 1];
    *last = nextafter(*last, 100);
    ck_assert_uint_ne(fingerprint_hash(&taken), before);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fingerprint");
    TCase *tests = tcase_create("fingerprint");
    tcase_add_test(tests, functions_are_those_of_the_arguments);
    tcase_add_test(tests, the_product_is_that_of_the_two_matrices);
    tcase_add_test(tests, the_same_machine_has_the_same_hash);
    tcase_add_test(tests, the_last_bit_of_any_value_changes_the_hash);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
