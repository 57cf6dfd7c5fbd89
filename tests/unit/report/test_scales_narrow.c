/* SPDX-License-Identifier: MIT */
/* Tests src/report/scales_narrow.c: as many marks as have room for their labels. */
#include "report/scales.h"
#include "support.h"

#include <string.h>

static struct arena arena;

static void expect_marks(bool logarithmic, double low, double high, double pixels,
                         const char *marks)
{
    const struct scale scale = {logarithmic, low, high};
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    scale_append_narrow(&text, 'x', &scale, pixels);
    const char *script = text_finish(&text, &err);
    ck_assert_msg(strstr(script, marks) != NULL, "no \"%s\" in: %s", marks, script);
}

/* A label of c characters has 0.74 * 17 * c = 12.58 c pixels, and 14 between two. */

START_TEST(marks_of_a_linear_axis_have_room_for_their_labels)
{
    /* "0.4" and "0.6": 38 + 14 pixels apart at least */
    expect_marks(false, 0, 1, 280, "('0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1.0' 1)");
    expect_marks(false, 0, 1, 200, "('0' 0, '0.5' 0.5, '1.0' 1)");
    expect_marks(false, -1.2, 3.4, 280, "('−1' -1, '0' 0, '1' 1, '2' 2, '3' 3)");
}
END_TEST

START_TEST(powers_of_ten_keep_their_distance)
{
    expect_marks(true, 0.05, 200, 280, "('0.1' 0.1, '1' 1, '10' 10, '100' 100)");
    /* "10⁻¹⁰" needs 63 + 14 pixels: 280 for 41 decades are 6.8 each, and multiples of 12 decades
     * the first that stand clear; fewer still between "1" and its neighbour */
    expect_marks(true, 1e-40, 10, 280, "'1' 1)");
    expect_marks(true, 1e-40, 10, 280, "('10⁻³⁶' 1e-36, '10⁻²⁴' 1e-24, '10⁻¹²' 1e-12, '1' 1)");
}
END_TEST

START_TEST(less_than_a_decade_has_twos_and_fives)
{
    expect_marks(true, 0.15, 1.8, 280, "('1' 1, '0.2' 0.2, '0.5' 0.5)");
    expect_marks(true, 0.15, 1.8, 90, "('1' 1, '0.2' 0.2)");
}
END_TEST

START_TEST(the_range_is_set_before_the_scale)
{
    expect_marks(true, 0.5, 20, 280, "unset logscale x\nset xrange [0.5:20]\nset logscale x\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scales_narrow");
    TCase *cases = tcase_create("scales_narrow");
    tcase_add_test(cases, marks_of_a_linear_axis_have_room_for_their_labels);
    tcase_add_test(cases, powers_of_ten_keep_their_distance);
    tcase_add_test(cases, less_than_a_decade_has_twos_and_fives);
    tcase_add_test(cases, the_range_is_set_before_the_scale);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
