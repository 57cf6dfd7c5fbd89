/* SPDX-License-Identifier: MIT */
/* numeric/eigen_repeat: the basis of a repeated eigenvalue depends on its space alone. */
#include "numeric/eigen_internal.h"

#include "base/random.h"
#include "support.h"

#include <string.h>

#define N 8

/* Turns two of the vectors by an angle: another basis of the same space. */
static void rotate(double *a, double *b, double angle)
{
    for (size_t i = 0; i < N; i++) {
        double x = a[i];
        double y = b[i];
        a[i] = cos(angle) * x - sin(angle) * y;
        b[i] = sin(angle) * x + cos(angle) * y;
    }
}

/* Mixes three vectors well. */
static void mix(double vectors[3 * N], double angle)
{
    rotate(vectors, vectors + N, angle);
    rotate(vectors + N, vectors + 2 * N, 2 * angle + 1);
    rotate(vectors, vectors + 2 * N, 3 * angle - 2);
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Three orthonormal vectors without structure, by Gram and Schmidt. */
static void random_basis(double vectors[3 * N])
{
    random_normal_matrix(5, RANDOM_TEST, 3, N, vectors);
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = 0; j < k; j++) {
            double along = dot(vectors + k * N, vectors + j * N);
            for (size_t i = 0; i < N; i++) {
                vectors[k * N + i] -= along * vectors[j * N + i];
            }
        }
        double length = sqrt(dot(vectors + k * N, vectors + k * N));
        for (size_t i = 0; i < N; i++) {
            vectors[k * N + i] /= length;
        }
    }
}

static const double same[3] = {2, 2, 2};

START_TEST(the_space_of_unit_vectors_gives_the_unit_vectors)
{
    double vectors[3 * N] = {0};
    double mirror[3];
    vectors[1] = 1;
    vectors[N + 4] = 1;
    vectors[2 * N + 6] = 1;
    mix(vectors, 0.7);
    eigen_settle(N, 3, same, vectors, mirror);
    assert_within(fabs(vectors[1]), 1, 1e-14);
    assert_within(fabs(vectors[N + 4]), 1, 1e-14);
    assert_within(fabs(vectors[2 * N + 6]), 1, 1e-14);
}
END_TEST

START_TEST(twins_are_found_in_the_order_of_the_first_of_each)
{
    double vectors[3 * N] = {0};
    double mirror[3];
    double half = sqrt(0.5);
    for (size_t k = 0; k < 3; k++) {
        vectors[k * N + 2 * k] = half;
        vectors[k * N + 2 * k + 1] = -half;
    }
    mix(vectors, -1.3);
    eigen_settle(N, 3, same, vectors, mirror);
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < N; i++) {
            assert_within(fabs(vectors[k * N + i]), i / 2 == k ? half : 0, 1e-14);
        }
        ck_assert(vectors[k * N + 2 * k] * vectors[k * N + 2 * k + 1] < 0);
    }
}
END_TEST

START_TEST(every_basis_of_a_space_gives_the_same_one)
{
    double first[3 * N];
    double second[3 * N];
    double mirror[3];
    random_basis(first);
    memcpy(second, first, sizeof second);
    mix(second, 2.1);
    eigen_settle(N, 3, same, first, mirror);
    eigen_settle(N, 3, same, second, mirror);
    for (size_t k = 0; k < 3; k++) {
        double sign = dot(first + k * N, second + k * N) < 0 ? -1 : 1;
        for (size_t i = 0; i < N; i++) {
            assert_within(first[k * N + i], sign * second[k * N + i], 1e-13);
        }
        for (size_t j = 0; j <= k; j++) {
            assert_within(dot(first + k * N, first + j * N), j == k ? 1 : 0, 1e-14);
        }
    }
}
END_TEST

START_TEST(vectors_of_distinct_values_are_left_alone)
{
    const double values[3] = {3, 2.9999, -3};
    double vectors[3 * N];
    double before[3 * N];
    double mirror[3];
    random_basis(vectors);
    memcpy(before, vectors, sizeof before);
    eigen_settle(N, 3, values, vectors, mirror);
    ck_assert(memcmp(before, vectors, sizeof before) == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numeric/eigen_repeat");
    TCase *tests = tcase_create("eigen_repeat");
    tcase_add_test(tests, the_space_of_unit_vectors_gives_the_unit_vectors);
    tcase_add_test(tests, twins_are_found_in_the_order_of_the_first_of_each);
    tcase_add_test(tests, every_basis_of_a_space_gives_the_same_one);
    tcase_add_test(tests, vectors_of_distinct_values_are_left_alone);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
