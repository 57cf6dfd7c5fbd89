/* SPDX-License-Identifier: MIT */
/* Equal runs are found and taken away. */
#include "sweep/plan_internal.h"

#include "support.h"

static struct arena arena;
static struct error err;

static void add(struct run_list *list, const struct run *run)
{
    assert_ok(run_list_append(list, run, &err), err);
}

static int64_t seed_at(const struct run_list *list, size_t place)
{
    struct run run;
    run_list_get(list, place, &run);
    return run.seed;
}

START_TEST(a_run_goes_when_every_value_equals_one_before_it)
{
    char sentence[] = "the cat";
    struct run_list list;
    unsigned char keep[6] = {1, 2, 3, 4, 5, 6};
    arena = (struct arena){NULL};
    run_list_init(&list, &arena);
    struct run run = run_default();
    run.sentence = "the cat";
    add(&list, &run); /* 1: stays */
    run.sentence = sentence;
    run.given = 7;
    add(&list, &run); /* 2: another copy of the text, given or not */
    run.norm_epsilon = 0;
    add(&list, &run); /* 3: stays */
    run.norm_epsilon = -0.0;
    add(&list, &run); /* 4: -0 is 0 */
    run.sentence = NULL;
    add(&list, &run); /* 5: stays */
    run.sentence = "the cat";
    run.norm_epsilon = run_default().norm_epsilon;
    add(&list, &run); /* 6: the first again */
    assert_ok(seen_thin(&list, keep, &err), err);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_uint_eq(keep[0], 1);
    ck_assert_uint_eq(keep[1], 3);
    ck_assert_uint_eq(keep[2], 5);
    run_list_get(&list, 2, &run);
    ck_assert_ptr_null(run.sentence);
    arena_release(&arena);
}
END_TEST

START_TEST(among_many_runs_the_first_of_each_stays_in_order)
{
    enum { COUNT = 1000 };
    struct run_list list;
    arena = (struct arena){NULL};
    run_list_init(&list, &arena);
    struct run run = run_default();
    for (int64_t i = 0; i < 2 * COUNT; i++) {
        /* 0, 0, 1, 1, ... and then all of them once more */
        run.seed = i / 2;
        add(&list, &run);
    }
    for (int64_t i = 0; i < COUNT; i++) {
        run.seed = i;
        add(&list, &run);
    }
    assert_ok(seen_thin(&list, NULL, &err), err);
    ck_assert_uint_eq(list.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_int_eq(seed_at(&list, i), (int64_t)i);
    }
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/seen");
    TCase *tests = tcase_create("seen");
    tcase_add_test(tests, a_run_goes_when_every_value_equals_one_before_it);
    tcase_add_test(tests, among_many_runs_the_first_of_each_stays_in_order);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
