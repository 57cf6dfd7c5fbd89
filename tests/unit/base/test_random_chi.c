/* SPDX-License-Identifier: MIT */
/* Tests random_chis of src/base/random.c: its definition, and its distribution. */
#include "base/random.h"
#include "support.h"

#include <Random123/philox.h>

#define SEED UINT64_C(0x123456789A)

static philox4x32_ctr_t bits_of(uint32_t row, uint32_t column)
{
    philox4x32_ctr_t counter = {{column / 2, row, RANDOM_TEST, 0}};
    philox4x32_key_t key = {{(uint32_t)SEED, (uint32_t)(SEED >> 32)}};
    return philox4x32(counter, key);
}

static double uniform_of(philox4x32_ctr_t bits, unsigned half)
{
    uint64_t whole = (uint64_t)bits.v[(size_t)2 * half + 1] << 32 | bits.v[(size_t)2 * half];
    return (double)(whole >> 11) / 9007199254740992.0;
}

static double normal_of(uint32_t row, uint32_t column)
{
    philox4x32_ctr_t bits = bits_of(row, column);
    double radius = sqrt(-2 * log(uniform_of(bits, 0) + 0x1p-53));
    double angle = 2 * acos(-1.0) * uniform_of(bits, 1);
    return radius * (column % 2 == 0 ? cos(angle) : sin(angle));
}

/* The rule of Marsaglia and Tsang (2000) without its short cut; *attempts counts. */
static double by_definition(double degrees, uint32_t i, int *attempts)
{
    double d = degrees / 2 - 1.0 / 3;
    double c = 1 / sqrt(9 * d);
    for (uint32_t attempt = 0;; attempt++) {
        double x = normal_of(2 * attempt, i);
        double u = 1 - uniform_of(bits_of(2 * attempt + 1, i), i % 2);
        double v = pow(1 + c * x, 3);
        ++*attempts;
        if (1 + c * x > 0 && log(u) < x * x / 2 + d - d * v + d * log(v)) {
            return sqrt(2 * d * v);
        }
    }
}

/* The number at i, of that many degrees there. */
static double chi_at(uint32_t i, size_t degrees)
{
    double chis[1000];
    random_chis(SEED, RANDOM_TEST, degrees + i, i + 1, chis);
    return chis[i];
}

/* With two degrees of freedom about one attempt in twenty fails, with many hardly any. */
START_TEST(a_number_is_that_of_its_definition)
{
    static const size_t degrees[] = {2, 3, 4, 5, 1000000};
    int attempts = 0;
    for (size_t k = 0; k < 5; k++) {
        for (uint32_t i = 0; i < 200; i++) {
            double wanted = by_definition((double)degrees[k], i, &attempts);
            assert_near(chi_at(i, degrees[k]), wanted, 1e-13);
        }
    }
    ck_assert_int_gt(attempts, 1000);
    ck_assert_int_lt(attempts, 1080);
}
END_TEST

START_TEST(a_number_depends_on_its_address_and_its_degrees_alone)
{
    double many[300];
    double few[300];
    random_chis(SEED, RANDOM_TEST, 300, 300, many);
    random_chis(SEED, RANDOM_TEST, 300, 7, few);
    for (size_t i = 0; i < 7; i++) {
        ck_assert(many[i] == few[i]);
    }
    random_chis(SEED, RANDOM_TEST, 400, 300, few);
    ck_assert(few[299] != many[299]);
    random_chis(SEED + 1, RANDOM_TEST, 300, 300, few);
    ck_assert(few[0] != many[0] && few[299] != many[299]);
}
END_TEST

START_TEST(one_degree_of_freedom_is_the_magnitude_of_a_normal_number)
{
    double normals[40];
    double chis[40];
    random_normals(SEED, RANDOM_TEST, 0, 0, 40, normals);
    for (size_t i = 0; i < 40; i++) {
        random_chis(SEED, RANDOM_TEST, i + 1, i + 1, chis);
        ck_assert(chis[i] == fabs(normals[i]));
    }
}
END_TEST

/* Quantiles at 0.01, 0.25, 0.5, 0.9 and 0.999: sqrt(2 gammaincinv(k / 2, p)) of scipy 1.10.1. Of
 * 8,000 numbers a share p lies below, give or take four standard errors. */
static const struct {
    size_t degrees;
    double quantiles[5];
} distributions[] = {
    {1, {0.01253346951, 0.318639364, 0.6744897502, 1.644853627, 3.290526731}},
    {2, {0.1417768377, 0.7585276164, 1.177410023, 2.145966026, 3.716922189}},
    {3, {0.3388684138, 1.101150718, 1.538172254, 2.500277711, 4.033142224}},
    {4, {0.5450774995, 1.386563207, 1.832128265, 2.78916481, 4.297304615}},
    {10, {1.599441202, 2.59561183, 3.056438739, 3.998397075, 5.439512703}},
    {100, {8.37047758, 9.493851681, 9.966650854, 10.88567884, 12.22494388}},
    {1000000, {998.3551416, 999.5227683, 999.9996667, 1000.905997, 1002.185586}},
};

START_TEST(numbers_lie_below_known_quantiles_as_often_as_they_should)
{
    static const double shares[] = {0.01, 0.25, 0.5, 0.9, 0.999};
    enum { COUNT = 8000 };
    int below[5] = {0};
    for (uint64_t seed = 0; seed < COUNT; seed++) {
        double chi;
        random_chis(seed, RANDOM_TEST, distributions[_i].degrees, 1, &chi);
        for (int q = 0; q < 5; q++) {
            below[q] += chi < distributions[_i].quantiles[q];
        }
    }
    for (int q = 0; q < 5; q++) {
        double error = sqrt(shares[q] * (1 - shares[q]) / COUNT);
        assert_within((double)below[q] / COUNT, shares[q], 4 * error);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random_chi");
    TCase *tests = tcase_create("random_chi");
    tcase_add_test(tests, a_number_is_that_of_its_definition);
    tcase_add_test(tests, a_number_depends_on_its_address_and_its_degrees_alone);
    tcase_add_test(tests, one_degree_of_freedom_is_the_magnitude_of_a_normal_number);
    tcase_add_loop_test(tests, numbers_lie_below_known_quantiles_as_often_as_they_should, 0,
                        (int)(sizeof distributions / sizeof distributions[0]));
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
