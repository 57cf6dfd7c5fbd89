/* SPDX-License-Identifier: MIT */
/* What the tests of the sweep room share: sweeps from texts, plans from sweeps. */
#ifndef SWEEP_SUPPORT_H
#define SWEEP_SUPPORT_H

#include "run/fields.h"
#include "support.h"
#include "sweep/sweep.h"

#include <string.h>

/* A sweep of one test, released by case_release. */
struct sweep_case {
    struct arena arena;
    struct error err;
    struct sweep sweep;
    struct plan plan;
};

#define CASE_INIT                                                                                  \
    {                                                                                              \
        {NULL}, ERROR_INIT, {0},                                                                   \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* Lines that make a valid sweep of one run; more keys may follow. */
#define CORPUS_HEAD "rowmax: 1\nfixed: {corpus: demo, sentence: the cat}\n"
#define GAUSSIAN_HEAD "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n"

static inline bool case_read(struct sweep_case *test, const char *text, const char *const *sets,
                             size_t set_count)
{
    return sweep_parse("s.yaml", text, strlen(text), sets, set_count, &test->arena, &test->sweep,
                       &test->err);
}

static inline void case_plan_sets(struct sweep_case *test, const char *text,
                                  const char *const *sets, size_t set_count)
{
    assert_ok(case_read(test, text, sets, set_count), test->err);
    assert_ok(plan_make(&test->sweep, SWEEP_RUN_LIMIT, &test->arena, &test->plan, &test->err),
              test->err);
}

static inline void case_plan(struct sweep_case *test, const char *text)
{
    case_plan_sets(test, text, NULL, 0);
}

/* Run `place` of a plan, until the next eight are asked for. */
static inline const struct run *run_at(const struct plan *plan, size_t place)
{
    static struct run runs[8];
    static size_t next;
    struct run *run = &runs[next++ % 8];
    ck_assert_uint_lt(place, plan->count);
    run_list_get(&plan->runs, place, run);
    return run;
}

static inline void case_release(struct sweep_case *test)
{
    arena_release(&test->arena);
}

/* The sweep is refused with this text in the message. */
static inline void assert_refused(const char *text, const char *message)
{
    struct sweep_case test = CASE_INIT;
    ck_assert_msg(!case_read(&test, text, NULL, 0), "accepted: %s", text);
    assert_error(test.err, ERROR_INPUT, message);
    case_release(&test);
}

#endif
