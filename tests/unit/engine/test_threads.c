/* SPDX-License-Identifier: MIT */
/* Tests src/engine/threads.c. */
#include "engine/threads.h"
#include "support.h"

#include <sys/resource.h>
#include <unistd.h>

START_TEST(as_many_threads_start_as_are_wanted)
{
    ck_assert_uint_eq(threads_that_start(0), 0);
    ck_assert_uint_eq(threads_that_start(1), 1);
    ck_assert_uint_eq(threads_that_start(12), 12);
}
END_TEST

START_TEST(one_processor_is_the_least_and_all_of_them_the_most)
{
    size_t count = threads_processors();
    ck_assert_uint_ge(count, 1);
    ck_assert_uint_le(count, (size_t)sysconf(_SC_NPROCESSORS_CONF));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *cases = tcase_create("threads");
    tcase_add_test(cases, as_many_threads_start_as_are_wanted);
    tcase_add_test(cases, one_processor_is_the_least_and_all_of_them_the_most);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
