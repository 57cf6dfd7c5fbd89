/* SPDX-License-Identifier: MIT */
/* Tests of numeric/lapack: functions that compute, from libraries loaded once and by many. */
#include "numeric/lapack.h"
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

START_TEST(a_product_by_hand)
{
    struct error err = ERROR_INIT;
    struct lapack lapack;
    assert_ok(lapack_load(&lapack, &err), err);
    /* By columns: (1 3; 2 4) times (5 7; 6 8), and twice what was there. */
    const double a[] = {1, 2, 3, 4};
    const double b[] = {5, 6, 7, 8};
    double c[] = {100, 0, 0, 1};
    const int two = 2;
    const double one = 1;
    const double twice = 2;
    lapack.dgemm("N", "N", &two, &two, &two, &one, a, &two, b, &two, &twice, c, &two, 1, 1);
    const double wanted[] = {223, 34, 31, 48};
    ck_assert_mem_eq(c, wanted, sizeof c);
}
END_TEST

START_TEST(a_basis_of_one_column_is_its_direction)
{
    struct error err = ERROR_INIT;
    struct lapack lapack;
    assert_ok(lapack_load(&lapack, &err), err);
    double a[] = {3, 4};
    double tau[1];
    double work[8];
    const int rows = 2;
    const int columns = 1;
    const int size = 8;
    int info = 1;
    lapack.dgeqrf(&rows, &columns, a, &rows, tau, work, &size, &info);
    ck_assert_int_eq(info, 0);
    assert_near(fabs(a[0]), 5, 1e-15);
    lapack.dorgqr(&rows, &columns, &columns, a, &rows, tau, work, &size, &info);
    ck_assert_int_eq(info, 0);
    assert_near(fabs(a[0]), 0.6, 1e-15);
    assert_near(a[1] / a[0], 4.0 / 3, 1e-15);
}
END_TEST

START_TEST(it_has_a_name_with_version_and_kernel)
{
    struct error err = ERROR_INIT;
    struct lapack lapack;
    char name[LAPACK_NAME_SIZE];
    char version[LAPACK_NAME_SIZE];
    char kernel[LAPACK_NAME_SIZE];
    assert_ok(lapack_load(&lapack, &err), err);
    ck_assert_int_eq(
        sscanf(lapack_name(&lapack, name), "OpenBLAS %95[0-9.], kernel %95s", version, kernel), 2);
    ck_assert(strchr(version, '.') != NULL);
    ck_assert_str_eq(kernel, lapack.kernel_name());
}
END_TEST

/* The kernel counts the threads of this process in /proc. */
static size_t thread_count(void)
{
    size_t count = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "Threads:", 8) == 0) {
            count = strtoul(line + 8, NULL, 10);
        }
    }
    fclose(file);
    return count;
}

START_TEST(no_thread_comes_with_it)
{
    struct error err = ERROR_INIT;
    struct arpack arpack;
    size_t before = thread_count();
    setenv("OPENBLAS_NUM_THREADS", "3", 1);
    lapack_use_one_thread();
    assert_ok(arpack_load(&arpack, &err), err);
    ck_assert_uint_eq(thread_count(), before);
}
END_TEST

static void *load_all(void *unused)
{
    struct error err = ERROR_INIT;
    struct arpack arpack;
    struct lapack lapack;
    for (int i = 0; i < 20; i++) {
        assert_ok(arpack_load(&arpack, &err) && lapack_load(&lapack, &err), err);
    }
    return unused;
}

START_TEST(threads_may_load_it_at_the_same_time)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    lapack_use_one_thread();
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, load_all, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("lapack");
    TCase *tests = tcase_create("lapack");
    tcase_add_test(tests, a_product_by_hand);
    tcase_add_test(tests, a_basis_of_one_column_is_its_direction);
    tcase_add_test(tests, it_has_a_name_with_version_and_kernel);
    tcase_add_test(tests, no_thread_comes_with_it);
    tcase_add_test(tests, threads_may_load_it_at_the_same_time);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
