/* SPDX-License-Identifier: MIT */
/* Two result sets to compare; a test changes them and looks at the verdict. */
#ifndef GATE_FIXTURE_H
#define GATE_FIXTURE_H

#include "rows.h"
#include "summary/gate.h"

struct gate_case {
    struct rows now, baseline;
    struct gate_options options;
    struct result_set now_set, baseline_set;
    struct arena arena;
    struct error err;
    struct gate gate;
};

/* `count` runs on both sides with seeds and keys 1, 2, ..., all alike. */
static inline struct gate_case gate_case_make(int64_t count)
{
    struct gate_case test;
    memset(&test, 0, sizeof test);
    for (int64_t seed = 1; seed <= count; seed++) {
        rows_add(&test.now, 0, 8, seed, 0.5)->key = (uint64_t)seed;
        rows_add(&test.baseline, 0, 8, seed, 0.5)->key = (uint64_t)seed;
    }
    return test;
}

static inline bool gate_case_try(struct gate_case *test)
{
    struct result_set *const sets[] = {&test->now_set, &test->baseline_set};
    const struct rows *const rows[] = {&test->now, &test->baseline};
    for (size_t i = 0; i < 2; i++) {
        sets[i]->name = "rows";
        sets[i]->planned = (int64_t)rows[i]->count;
        sets[i]->whole = rows[i]->list;
        sets[i]->count = rows[i]->count;
    }
    return gate_compare(&test->now_set, &test->baseline_set, &test->options, &test->arena,
                        &test->gate, &test->err);
}

static inline void gate_case_compare(struct gate_case *test)
{
    assert_ok(gate_case_try(test), test->err);
}

#endif
