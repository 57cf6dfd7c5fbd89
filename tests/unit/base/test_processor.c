/* SPDX-License-Identifier: MIT */
/* base/processor: the best level unless one is forced, and what is refused. */
#include "base/processor.h"

#include "base/clones.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

/* Whether the kernel lists a feature of the processor; found without the compiler's help. */
static bool kernel_lists(const char *feature)
{
    char line[8192];
    char word[32];
    snprintf(word, sizeof word, " %s ", feature);
    FILE *file = fopen("/proc/cpuinfo", "re");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = ' ';
        found = strncmp(line, "flags", 5) == 0 && strstr(line, word) != NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

START_TEST(the_best_level_is_the_most_that_the_kernel_lists)
{
    enum processor_level expected = PROCESSOR_PLAIN;
    if (kernel_lists("avx2") && kernel_lists("fma")) {
        expected =
            kernel_lists("avx512f") && kernel_lists("avx512dq") ? PROCESSOR_AVX512 : PROCESSOR_AVX2;
    }
    ck_assert_int_eq(processor_best(), expected);
    ck_assert_int_eq(processor_level(), expected);
    ck_assert(!processor_is_forced());
}
END_TEST

START_TEST(a_level_is_forced_by_its_name_and_stays)
{
    const char *const names[] = {"plain", "avx2", "avx512"};
    struct error err = ERROR_INIT;
    for (int level = 0; level <= (int)processor_best(); level++) {
        ck_assert_str_eq(processor_level_name((enum processor_level)level), names[level]);
        assert_ok(processor_force(names[level], &err), err);
        ck_assert_int_eq((int)processor_level(), level);
        ck_assert(processor_is_forced());
    }
}
END_TEST

START_TEST(an_unknown_name_is_refused_with_those_there_are)
{
    const char *const wrong[] = {"", "AVX2", "avx", "avx512f", "plain "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error err = ERROR_INIT;
        ck_assert(!processor_force(wrong[i], &err));
        assert_error(err, ERROR_USAGE, "choose among: plain");
        assert_error(err, ERROR_USAGE, wrong[i]);
    }
    ck_assert(!processor_is_forced());
}
END_TEST

/* Only where the machine lacks a level can it be refused; the best one is never refused. */
START_TEST(a_level_that_is_missing_is_refused)
{
    for (int level = 0; level < PROCESSOR_LEVEL_COUNT; level++) {
        struct error err = ERROR_INIT;
        bool has = level <= (int)processor_best();
        ck_assert(processor_force(processor_level_name((enum processor_level)level), &err) == has);
        if (!has) {
            assert_error(err, ERROR_INPUT, "this processor lacks 'avx");
            assert_error(err, ERROR_INPUT, "choose among: plain");
        }
    }
}
END_TEST

/* Functions that differ, where the ones of the program may not. */
#ifdef MANY_PROCESSORS
TARGET_AVX512 static int number_avx512(int add)
{
    return PROCESSOR_AVX512 + add;
}

TARGET_AVX2 static int number_avx2(int add)
{
    return PROCESSOR_AVX2 + add;
}
#endif

static int number_plain(int add)
{
    return PROCESSOR_PLAIN + add;
}

PICK_TARGET(int, number, (int add), (add))

MANY_TARGETS(double, halve, (size_t n, const double *x), (n, x))
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] / 2;
    }
    return sum;
}

MANY_TARGETS_VOID(double_all, (size_t n, double *x), (n, x))
{
    for (size_t i = 0; i < n; i++) {
        x[i] *= 2;
    }
}

START_TEST(the_function_of_the_level_in_use_is_called)
{
    for (int level = 0; level <= (int)processor_best(); level++) {
        double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        ck_assert(support_use_level((enum processor_level)level));
        ck_assert_int_eq(number(10), level + 10);
        ck_assert(halve(9, x) == 22.5);
        double_all(9, x);
        ck_assert(halve(9, x) == 45);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("processor");
    TCase *tests = tcase_create("processor");
    tcase_add_test(tests, a_level_is_forced_by_its_name_and_stays);
    tcase_add_test(tests, an_unknown_name_is_refused_with_those_there_are);
    tcase_add_test(tests, a_level_that_is_missing_is_refused);
    tcase_add_test(tests, the_function_of_the_level_in_use_is_called);
    suite_add_tcase(suite, tests);
    /* The kernel lists what the processor has, not what valgrind shows of it. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, the_best_level_is_the_most_that_the_kernel_lists);
    suite_add_tcase(suite, native);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
