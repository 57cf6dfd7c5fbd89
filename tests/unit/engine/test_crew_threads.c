/* SPDX-License-Identifier: MIT */
/* engine/crew_threads.c and base/crew.h: every part once, no two of one worker at a time, and as
 * often as one likes. */
#include "engine/crew_threads.h"
#include "support.h"

#include <stdatomic.h>
#include <string.h>

#define PARTS 1000
#define SIZES 4

static const size_t sizes[SIZES] = {1, 2, 3, 7};

struct tally {
    atomic_int times[PARTS];
    atomic_int busy[16]; /* by worker */
    atomic_int clashes;
    size_t size;
};

static void count_part(void *work, size_t place, size_t worker)
{
    struct tally *tally = work;
    if (worker >= tally->size || atomic_fetch_add(&tally->busy[worker], 1) != 0) {
        atomic_fetch_add(&tally->clashes, 1);
    }
    atomic_fetch_add(&tally->times[place], 1);
    atomic_fetch_sub(&tally->busy[worker], 1);
}

static void assert_all(const struct crew *crew, size_t count)
{
    static struct tally tally;
    memset(&tally, 0, sizeof tally);
    tally.size = crew_size(crew);
    crew_run(crew, count, count_part, &tally);
    ck_assert_int_eq(atomic_load(&tally.clashes), 0);
    for (size_t i = 0; i < PARTS; i++) {
        ck_assert_int_eq(atomic_load(&tally.times[i]), i < count ? 1 : 0);
    }
}

START_TEST(every_part_is_done_once_however_many_there_are)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const struct crew *crew = crew_threads_open(sizes[_i], &arena, &err);
    assert_ok(crew != NULL, err);
    ck_assert_uint_eq(crew->size, sizes[_i]);
    for (size_t count = 0; count < 20; count++) {
        assert_all(crew, count);
    }
    for (int round = 0; round < 50; round++) {
        assert_all(crew, PARTS);
    }
    crew_threads_close(crew);
    arena_release(&arena);
}
END_TEST

START_TEST(no_crew_is_one_worker_who_goes_from_first_to_last)
{
    ck_assert_uint_eq(crew_size(NULL), 1);
    assert_all(NULL, PARTS);
}
END_TEST

static Suite *crew_suite(void)
{
    Suite *suite = suite_create("engine/crew_threads");
    TCase *cases = tcase_create("crew");
    tcase_add_loop_test(cases, every_part_is_done_once_however_many_there_are, 0, SIZES);
    tcase_add_test(cases, no_crew_is_one_worker_who_goes_from_first_to_last);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(crew_suite());
}
