/* SPDX-License-Identifier: MIT */
/* Tests of attention/theory and theory_integrals: tables made apart from this code, closed forms,
 * identities between integrals, and halved steps. */
#include "attention/theory.h"
#include "attention/theory_internal.h"
#include "orthonormal_theory.h"
#include "support.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PI 3.14159265358979323846
#define LAST_DIGIT 5.1e-7

/* To six decimals, by another rule (trapezoids over scores and rows of 400,000 drawn ones). */
static const struct {
    size_t n;
    double spread, row_max, squares, trace, rms, entropy;
} table[] = {
    {8, 0.25, 0.174775, 0.131883, 0.868117, 0.335617, 2.052421},
    {8, 0.5, 0.233549, 0.152846, 0.847154, 0.347332, 1.975295},
    {8, 1, 0.361200, 0.232313, 0.767687, 0.366773, 1.721807},
    {8, 1.5, 0.475990, 0.334212, 0.665788, 0.366880, 1.437519},
    {8, 2, 0.566328, 0.429653, 0.570347, 0.355673, 1.191940},
    {8, 3, 0.686640, 0.572655, 0.427345, 0.325562, 0.849377},
    {8, 4, 0.758221, 0.664529, 0.335471, 0.297979, 0.643744},
    {8, 6, 0.835918, 0.768758, 0.231242, 0.256430, 0.424774},
    {8, 8, 0.876367, 0.824554, 0.175446, 0.227669, 0.314289},
    {8, 16, 0.938078, 0.911326, 0.088674, 0.166748, 0.152436},
    {8, 32, 0.969081, 0.955549, 0.044451, 0.119872, 0.074767},
    {64, 0.25, 0.027378, 0.016614, 0.983386, 0.127683, 4.128168},
    {64, 0.5, 0.045584, 0.019926, 0.980074, 0.138984, 4.036652},
    {64, 1, 0.107274, 0.038804, 0.961196, 0.184609, 3.684746},
    {64, 1.5, 0.199864, 0.086028, 0.913972, 0.242140, 3.176213},
    {64, 2, 0.302818, 0.160735, 0.839265, 0.284451, 2.642502},
    {64, 3, 0.476813, 0.326311, 0.673689, 0.317453, 1.810468},
    {64, 4, 0.593586, 0.458152, 0.541848, 0.317471, 1.308141},
    {64, 6, 0.724864, 0.621352, 0.378648, 0.294757, 0.807583},
    {64, 8, 0.793477, 0.711777, 0.288223, 0.270369, 0.575589},
    {64, 16, 0.897308, 0.854048, 0.145952, 0.206576, 0.263986},
    {64, 32, 0.948915, 0.926821, 0.073179, 0.151257, 0.126126},
    {512, 0.25, 0.004069, 0.002079, 0.997921, 0.045540, 6.207142},
    {512, 0.5, 0.008035, 0.002506, 0.997494, 0.049959, 6.113674},
    {512, 1, 0.026604, 0.005235, 0.994765, 0.071567, 5.741890},
    {512, 1.5, 0.069782, 0.015786, 0.984214, 0.117595, 5.141083},
    {512, 2, 0.142040, 0.046386, 0.953614, 0.178103, 4.390143},
    {512, 3, 0.318745, 0.171909, 0.828091, 0.266080, 2.980562},
    {512, 4, 0.463724, 0.312265, 0.687735, 0.299874, 2.065132},
    {512, 6, 0.637047, 0.511038, 0.488962, 0.304262, 1.191843},
    {512, 8, 0.728496, 0.626453, 0.373547, 0.288490, 0.818648},
    {512, 16, 0.865857, 0.810483, 0.189517, 0.228991, 0.356901},
    {512, 32, 0.933473, 0.904961, 0.095039, 0.170190, 0.166891},
};

START_TEST(tabulated_means_are_met_to_the_last_digit)
{
    struct theory theory;
    theory_iid(table[_i].n, table[_i].spread, &theory);
    assert_within(theory.row_max, table[_i].row_max, LAST_DIGIT);
    assert_within(theory.sum_of_squares, table[_i].squares, LAST_DIGIT);
    assert_within(theory.jacobian_trace, table[_i].trace, LAST_DIGIT);
    assert_within(theory.jacobian_rms, table[_i].rms, LAST_DIGIT);
    assert_within(theory.entropy, table[_i].entropy, LAST_DIGIT);
}
END_TEST

static const struct {
    size_t n;
    double spread;
} places[] = {{2, 1e-9},    {2, 1},        {3, 3.1},     {3, 3.3},       {8, 0.02},
              {64, 2},      {64, 9.3},     {512, 1000},  {5000, 3.19},   {65536, 0.25},
              {65536, 3.3}, {65536, 1000}, {1 << 20, 8}, {1 << 20, 1e12}};

START_TEST(halved_steps_change_nothing)
{
    struct theory_sums whole;
    struct theory_sums half;
    theory_integrate(places[_i].n, places[_i].spread, 1, &whole);
    theory_integrate(places[_i].n, places[_i].spread, 2, &half);
    assert_within(whole.row_max, half.row_max, 1e-12);
    assert_within(whole.sum_of_squares, half.sum_of_squares, 1e-12);
    assert_within(whole.jacobian_trace, half.jacobian_trace, 1e-12);
    assert_within(whole.jacobian_square, half.jacobian_square, 1e-12);
    assert_within(whole.entropy, half.entropy, 1e-12);
}
END_TEST

START_TEST(integrals_meet_their_identities)
{
    size_t n = places[_i].n;
    double spread = places[_i].spread;
    struct theory_sums sums;
    theory_integrate(n, spread, 1, &sums);
    assert_within(sums.mass, 1, 1e-12);
    assert_within(sums.sum_of_squares + sums.jacobian_trace, 1, 1e-12);
    /* By parts: E[sum p s] = spread^2 E[tr J]. */
    assert_near(sums.log_partition, sums.entropy + spread * spread * sums.jacobian_trace, 1e-12);
    ck_assert(sums.jacobian_trace * spread <= theory_expected_maximum(n) * (1 + 1e-12));
    ck_assert(sums.row_max >= sums.sum_of_squares * (1 - 1e-12));
    ck_assert(sums.row_max * sums.row_max <= sums.sum_of_squares);
}
END_TEST

/* Two keys: p = 1 / (1 + e^-d), d of spread sqrt(2) spread, by a trapezoid over d. */
START_TEST(two_keys_agree_with_an_integral_over_their_gap)
{
    static const double spreads[] = {1e-3, 0.5, 2, 3.19, 3.21, 10, 100};
    double spread = sqrt(2) * spreads[_i];
    double end = fmin(10 * spread, 45);
    double step = end / 20000;
    double row_max = 0;
    double trace = 0;
    double square = 0;
    double entropy = 0;
    for (int i = 0; i <= 20000; i++) {
        /* Simpson over one side; the other is its mirror image. */
        double gap = i * step;
        double weight = (i == 0 || i == 20000 ? 1 : i % 2 == 1 ? 4 : 2) * step / 3;
        double z = gap / spread;
        weight *= 2 * exp(-z * z / 2) / (sqrt(2 * PI) * spread);
        double rest = exp(-gap) / (1 + exp(-gap));
        row_max += weight * rest;
        trace += weight * 2 * rest * (1 - rest);
        square += weight * 4 * rest * rest * (1 - rest) * (1 - rest);
        entropy += weight * (log1p(exp(-gap)) + rest * gap);
    }
    struct theory theory;
    theory_iid(2, spreads[_i], &theory);
    assert_within(1 - theory.row_max, row_max, 1e-11);
    assert_near(theory.jacobian_trace, trace, 1e-10);
    assert_near(theory.jacobian_rms, sqrt(square), 1e-10);
    assert_near(theory.entropy, entropy, 1e-10);
}
END_TEST

START_TEST(no_spread_is_uniform_and_one_key_is_certain)
{
    struct theory theory;
    theory_iid(64, 0, &theory);
    ck_assert(theory.row_max == 1.0 / 64 && theory.sum_of_squares == 1.0 / 64);
    ck_assert(theory.jacobian_trace == 63.0 / 64 && theory.entropy == log(64));
    ck_assert(theory.jacobian_rms == sqrt(63) / 64);
    struct theory near;
    theory_iid(64, 1e-9, &near);
    assert_within(near.row_max, theory.row_max, 1e-9);
    assert_near(near.jacobian_rms, theory.jacobian_rms, 1e-12);
    assert_near(near.entropy, theory.entropy, 1e-12);
    theory_iid(1, 7, &theory);
    ck_assert(theory.row_max == 1 && theory.sum_of_squares == 1);
    ck_assert(theory.jacobian_trace == 0 && theory.jacobian_rms == 0 && theory.entropy == 0);
}
END_TEST

/* At a large spread two keys share a row when their gap is small, whose density is a_n / spread. */
START_TEST(large_spreads_follow_their_leading_terms)
{
    static const struct {
        size_t n;
        double spread;
    } large[] = {{8, 1e4}, {65536, 1e5}, {64, 1e299}};
    struct theory theory;
    theory_iid(large[_i].n, large[_i].spread, &theory);
    double near = theory_expected_maximum(large[_i].n) / large[_i].spread;
    assert_near(theory.jacobian_trace, near, 1e-7);
    assert_near(theory.jacobian_rms, sqrt(near / 3), 1e-4);
    assert_near(theory.entropy, near * PI * PI / 6, 1e-3);
    assert_within(1 - theory.row_max, near * log(2), 1e-7);
}
END_TEST

START_TEST(what_is_no_spread_gives_what_it_means)
{
    struct theory theory;
    theory_iid(8, (double)NAN, &theory);
    ck_assert(isnan(theory.row_max) && isnan(theory.entropy) && isnan(theory.jacobian_rms));
    theory_iid(8, (double)INFINITY, &theory);
    ck_assert(theory.row_max == 1 && theory.jacobian_trace == 0 && theory.entropy == 0);
    struct theory mirrored;
    theory_iid(8, -2, &mirrored);
    theory_iid(8, 2, &theory);
    ck_assert(mirrored.row_max == theory.row_max && mirrored.entropy == theory.entropy);
}
END_TEST

/* Spreads at which E[max p] crosses a level, to their last digit. */
START_TEST(the_row_max_crosses_its_levels_where_it_should)
{
    static const struct {
        size_t n;
        double level, spread, digit;
    } crossings[] = {
        {5, 0.5, 1.166, 0.001},    {5, 0.9, 8.05, 0.01},     {5, 0.95, 16.15, 0.01},
        {8, 0.5, 1.620, 0.001},    {8, 0.9, 9.90, 0.01},     {8, 0.95, 19.81, 0.01},
        {64, 0.5, 3.168, 0.001},   {64, 0.9, 16.43, 0.01},   {64, 0.95, 32.69, 0.01},
        {1024, 0.5, 4.649, 0.001}, {1024, 0.9, 22.82, 0.01}, {1024, 0.95, 45.34, 0.01}};
    struct theory below;
    struct theory above;
    theory_iid(crossings[_i].n, crossings[_i].spread - crossings[_i].digit, &below);
    theory_iid(crossings[_i].n, crossings[_i].spread + crossings[_i].digit, &above);
    ck_assert(below.row_max < crossings[_i].level && above.row_max > crossings[_i].level);
}
END_TEST

START_TEST(the_expected_maximum_is_that_of_the_tables)
{
    static const struct {
        size_t n;
        double maximum;
    } maxima[] = {{16, 1.76599},  {32, 2.06967},  {64, 2.34373},   {128, 2.59460},
                  {256, 2.82686}, {512, 3.04390}, {1024, 3.24824}, {10, 1.53875}};
    for (int i = 0; i < COUNT(maxima); i++) {
        assert_within(theory_expected_maximum(maxima[i].n), maxima[i].maximum, 5.1e-6);
    }
    ck_assert(theory_expected_maximum(1) == 0);
    assert_near(theory_expected_maximum(2), 1 / sqrt(PI), 1e-13);
    assert_near(theory_expected_maximum(3), 1.5 / sqrt(PI), 1e-13);
    assert_near(theory_expected_maximum(4), 3 / sqrt(PI) * (0.5 + asin(1.0 / 3) / PI), 1e-13);
    assert_near(theory_expected_maximum(5), 5 / sqrt(PI) * (0.25 + 1.5 * asin(1.0 / 3) / PI),
                1e-13);
}
END_TEST

/* -int_{-inf}^y e^{v - e^v} (v + gamma) dv vanishes at both ends and has its slope within. */
START_TEST(the_entropy_kernel_has_its_slope_and_its_limits)
{
    ck_assert(theory_entropy_kernel(-700) < 1e-300 && theory_entropy_kernel(6) < 1e-100);
    /* E_1(1) = 0.2193839343955203 and e^-1 gamma: tabulated. */
    assert_near(theory_entropy_kernel(0), 0.21938393439552027 + 0.57721566490153286 / exp(1),
                1e-14);
    for (int i = -128; i < 48; i++) {
        double y = i * 0.0625;
        double h = 1e-4;
        double slope = (theory_entropy_kernel(y + h) - theory_entropy_kernel(y - h)) / (2 * h);
        assert_within(slope, -exp(y - exp(y)) * (y + 0.57721566490153286), 1e-7);
        ck_assert(theory_entropy_kernel(y) > 0);
    }
    /* The series and the fraction meet at e^y = 2. */
    assert_near(theory_entropy_kernel(log(2) - 1e-15), theory_entropy_kernel(log(2) + 1e-15),
                1e-13);
}
END_TEST

/* Sixteen keys: heads on orthonormal rows, and unit normal queries and keys as they are (the last
 * two columns again divided by sqrt(d_k)); traces of the latter relative to 15/16. */
START_TEST(orthonormal_tokens_meet_their_table)
{
    static const struct {
        double rms, row_max, trace, square;
    } heads[] = {{1, .245811, .867572, .093192},
                 {1.5, .504624, .640883, .116173},
                 {2, .694783, .417204, .097361},
                 {3, .861290, .196145, .055785}};
    struct theory theory;
    theory_orthonormal(16, 64, heads[_i].rms, &theory);
    assert_within(theory.row_max, heads[_i].row_max, LAST_DIGIT);
    assert_within(theory.jacobian_trace, heads[_i].trace, LAST_DIGIT);
    assert_within(theory.jacobian_rms * theory.jacobian_rms, heads[_i].square, LAST_DIGIT);
    assert_within(theory.sum_of_squares + theory.jacobian_trace, 1, 1e-12);
}
END_TEST

START_TEST(undivided_scores_saturate_with_the_key_width)
{
    static const struct {
        size_t d_k;
        double row_max, trace, divided_row_max, divided_trace;
    } widths[] = {{1, .20749, .93076, .20749, .93076},   {4, .42564, .75770, .23454, .92626},
                  {16, .68552, .45648, .24342, .92552},  {64, .84403, .23456, .24581, .92541},
                  {256, .92275, .11766, .24642, .92539}, {1024, .96157, .05886, .24657, .92539}};
    struct theory theory;
    theory_orthonormal(16, widths[_i].d_k, pow((double)widths[_i].d_k, 0.25), &theory);
    assert_within(theory.row_max, widths[_i].row_max, 5.1e-6);
    assert_within(theory.jacobian_trace * 16 / 15, widths[_i].trace, 5.1e-6);
    theory_orthonormal(16, widths[_i].d_k, 1, &theory);
    assert_within(theory.row_max, widths[_i].divided_row_max, 5.1e-6);
    assert_within(theory.jacobian_trace * 16 / 15, widths[_i].divided_trace, 5.1e-6);
}
END_TEST

/* With two keys and one dimension the row's odds are e^(a b sqrt 2): two normal numbers. */
START_TEST(one_dimension_agrees_with_a_double_sum)
{
    double trace = 0;
    double step = 0.0625;
    for (int i = -144; i <= 144; i++) {
        for (int j = -144; j <= 144; j++) {
            double a = i * step;
            double b = j * step;
            /* Even in b, so without a corner at equal scores. */
            double p = 1 / (1 + exp(a * b * sqrt(2)));
            trace += step * step * exp(-(a * a + b * b) / 2) / (2 * PI) * 2 * p * (1 - p);
        }
    }
    struct theory theory;
    theory_orthonormal(2, 1, 1, &theory);
    assert_within(theory.jacobian_trace, trace, 1e-11);
}
END_TEST

static Suite *theory_suite(void)
{
    Suite *suite = suite_create("attention/theory");
    TCase *cases = tcase_create("theory");
    tcase_add_loop_test(cases, tabulated_means_are_met_to_the_last_digit, 0, COUNT(table));
    tcase_add_loop_test(cases, halved_steps_change_nothing, 0, COUNT(places));
    tcase_add_loop_test(cases, integrals_meet_their_identities, 0, COUNT(places));
    tcase_add_loop_test(cases, two_keys_agree_with_an_integral_over_their_gap, 0, 7);
    tcase_add_test(cases, no_spread_is_uniform_and_one_key_is_certain);
    tcase_add_loop_test(cases, large_spreads_follow_their_leading_terms, 0, 3);
    tcase_add_test(cases, what_is_no_spread_gives_what_it_means);
    tcase_add_loop_test(cases, the_row_max_crosses_its_levels_where_it_should, 0, 12);
    tcase_add_test(cases, the_expected_maximum_is_that_of_the_tables);
    tcase_add_test(cases, the_entropy_kernel_has_its_slope_and_its_limits);
    tcase_add_loop_test(cases, orthonormal_tokens_meet_their_table, 0, 4);
    tcase_add_loop_test(cases, undivided_scores_saturate_with_the_key_width, 0, 6);
    tcase_add_test(cases, one_dimension_agrees_with_a_double_sum);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(theory_suite());
}
