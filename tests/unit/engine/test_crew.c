/* SPDX-License-Identifier: MIT */
/* Parts are done once each, by as many hands as there are, round after round. */
#include "engine/crew.h"

#include "arena_fixture.h"

#include <pthread.h>

enum { PARTS = 500, ROUNDS = 200 };

/* Each part has a number of its own to add to, which needs no lock; so has each hand. */
static size_t done_by[8];

static void add_one(void *task, size_t part, size_t hand)
{
    size_t *done = task;
    done[part]++;
    done_by[hand]++;
}

static const size_t hands[] = {1, 2, 3, 8};

START_TEST(every_part_is_done_once_in_every_round)
{
    size_t done[PARTS] = {0};
    struct crew *crew = crew_start(hands[_i], &arena, &err);
    ck_assert_msg(crew != NULL, "%s", err.message);
    ck_assert_uint_eq(crew->hands, hands[_i]);
    for (size_t round = 1; round <= ROUNDS; round++) {
        crew_work(crew, PARTS, add_one, done);
        for (size_t part = 0; part < PARTS; part++) {
            ck_assert_uint_eq(done[part], round);
        }
    }
    crew_end(crew);
    size_t sum = 0;
    for (size_t hand = 0; hand < 8; hand++) {
        sum += done_by[hand];
        ck_assert(hand < hands[_i] || done_by[hand] == 0);
    }
    ck_assert_uint_eq(sum, PARTS * ROUNDS);
}
END_TEST

START_TEST(without_a_crew_the_caller_does_all)
{
    size_t done[PARTS] = {0};
    crew_work(NULL, PARTS, add_one, done);
    for (size_t part = 0; part < PARTS; part++) {
        ck_assert_uint_eq(done[part], 1);
    }
    crew_work(NULL, 0, add_one, done);
    crew_end(NULL);
    ck_assert_uint_eq(done[0], 1);
}
END_TEST

START_TEST(a_crew_may_end_without_work_and_do_none)
{
    size_t done[1] = {0};
    struct crew *crew = crew_start(4, &arena, &err);
    ck_assert(crew != NULL);
    crew_work(crew, 0, add_one, done);
    crew_end(crew);
    ck_assert_uint_eq(done[0], 0);
}
END_TEST

/* Parts that wait for each other: they end only if as many threads are there. */
static void meet(void *task, size_t part, size_t hand)
{
    (void)hand;
    (void)part;
    pthread_barrier_wait(task);
}

START_TEST(as_many_parts_are_in_hand_as_there_are_hands)
{
    pthread_barrier_t barrier;
    struct crew *crew = crew_start(3, &arena, &err);
    ck_assert(crew != NULL && crew->hands == 3);
    pthread_barrier_init(&barrier, NULL, 3);
    for (size_t round = 0; round < 20; round++) {
        crew_work(crew, 3, meet, &barrier);
    }
    crew_end(crew);
    pthread_barrier_destroy(&barrier);
}
END_TEST

static Suite *crew_suite(void)
{
    Suite *suite = suite_create("crew");
    TCase *cases = tcase_create("crew");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, every_part_is_done_once_in_every_round, 0,
                        sizeof hands / sizeof hands[0]);
    tcase_add_test(cases, without_a_crew_the_caller_does_all);
    tcase_add_test(cases, a_crew_may_end_without_work_and_do_none);
    tcase_add_test(cases, as_many_parts_are_in_hand_as_there_are_hands);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(crew_suite());
}
