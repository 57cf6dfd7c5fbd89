/* SPDX-License-Identifier: MIT */
/* Tests src/base/memory_bound.c. Sanitizers reserve the address space, so that there nothing is
 * bounded. */
#include "base/memory_bound.h"
#include "support.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { BOUNDED = 0 };
#else
enum { BOUNDED = 1 };
#endif

static bool can_have(size_t bytes)
{
    char *volatile block = malloc(bytes);
    bool had = block != NULL;
    free(block);
    return had;
}

START_TEST(beyond_the_bound_nothing_is_had_and_afterwards_all_is)
{
    const size_t megabyte = 1 << 20;
    struct memory_bound bound;
    ck_assert(can_have(400 * megabyte));
    memory_bound_begin(&bound, 100 * megabyte);
    bool little = can_have(50 * megabyte);
    bool much = can_have(400 * megabyte);
    memory_bound_end(&bound);
    ck_assert(little);
    ck_assert_int_eq(much, !BOUNDED);
    ck_assert(can_have(400 * megabyte));
}
END_TEST

START_TEST(a_limit_that_is_lower_already_stays)
{
    struct rlimit before;
    struct rlimit low;
    struct rlimit within;
    struct memory_bound bound;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    low = before;
    low.rlim_cur = (rlim_t)1 << 45;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &low), 0);
    memory_bound_begin(&bound, (size_t)1 << 46);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &within), 0);
    memory_bound_end(&bound);
    ck_assert_uint_eq(within.rlim_cur, low.rlim_cur);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory_bound");
    TCase *cases = tcase_create("memory_bound");
    tcase_add_test(cases, beyond_the_bound_nothing_is_had_and_afterwards_all_is);
    tcase_add_test(cases, a_limit_that_is_lower_already_stays);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
