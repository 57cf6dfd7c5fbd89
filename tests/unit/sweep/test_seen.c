/* SPDX-License-Identifier: MIT */
/* The table that finds equal runs. */
#include "sweep/plan_internal.h"

#include "support.h"

START_TEST(a_run_is_seen_before_when_every_value_is_equal)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct seen seen;
    assert_ok(seen_prepare(&seen, 4, &arena, &err), err);
    char sentence[] = "the cat";
    struct run runs[4];
    for (size_t i = 0; i < 4; i++) {
        runs[i] = run_default();
        runs[i].sentence = "the cat";
    }
    ck_assert(!seen_before(&seen, runs, 0));
    runs[1].sentence = sentence;
    runs[1].given = 7;
    ck_assert(seen_before(&seen, runs, 1));
    runs[1].norm_epsilon = 0;
    ck_assert(!seen_before(&seen, runs, 1));
    runs[2].norm_epsilon = -0.0;
    ck_assert(seen_before(&seen, runs, 2));
    runs[2].sentence = NULL;
    ck_assert(!seen_before(&seen, runs, 2));
    arena_release(&arena);
}
END_TEST

START_TEST(a_full_table_still_finds_every_run)
{
    enum { COUNT = 1000 };
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct seen seen;
    assert_ok(seen_prepare(&seen, COUNT, &arena, &err), err);
    struct run *runs = arena_alloc(&arena, COUNT + 1, sizeof *runs, &err);
    for (size_t i = 0; i < COUNT; i++) {
        runs[i] = run_default();
        runs[i].seed = (int64_t)i;
        ck_assert(!seen_before(&seen, runs, i));
    }
    for (size_t i = 0; i < COUNT; i++) {
        runs[COUNT] = runs[i];
        ck_assert(seen_before(&seen, runs, COUNT));
    }
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/seen");
    TCase *tests = tcase_create("seen");
    tcase_add_test(tests, a_run_is_seen_before_when_every_value_is_equal);
    tcase_add_test(tests, a_full_table_still_finds_every_run);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
