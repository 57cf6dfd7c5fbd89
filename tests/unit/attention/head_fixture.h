/* SPDX-License-Identifier: MIT */
/* A head to test with: made, reserved and run in one call. */
#ifndef HEAD_FIXTURE_H
#define HEAD_FIXTURE_H

#include "attention/head.h"
#include "run/fields.h"
#include "support.h"

struct fixture {
    struct arena arena;
    struct head *head;
};

/* The head keeps a pointer to the arena, so the fixture stays where it is opened. */
static inline void fixture_open(struct fixture *fixture)
{
    struct error err = ERROR_INIT;
    *fixture = (struct fixture){{NULL}, NULL};
    fixture->head = head_create(&fixture->arena, &err);
    assert_ok(fixture->head != NULL, err);
}

static inline void fixture_close(struct fixture *fixture)
{
    arena_release(&fixture->arena);
}

static inline struct measurement fixture_measure(struct fixture *fixture,
                                                 const struct head_input *input,
                                                 const struct run *run, double *scores,
                                                 double *weights)
{
    struct error err = ERROR_INIT;
    struct measurement measurement = {0};
    size_t queries = input->x == NULL ? input->queries : input->shape.tokens;
    assert_ok(run->draw == DRAW_COLLAPSED
                  ? head_reserve_collapsed(fixture->head, input->shape, &err)
                  : head_reserve(fixture->head, input->shape, queries, &err),
              err);
    if (run->upstream == UPSTREAM_DRAWN) {
        assert_ok(head_reserve_upstream(fixture->head, input->shape, &err), err);
    } else if (run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE) {
        assert_ok(head_reserve_outer(fixture->head, input->shape, &err), err);
    }
    head_measure(fixture->head, input, run, &measurement, scores, weights);
    return measurement;
}

/* A default run with the guards of a mask (1 init, 2 scale, 4 norm) and a seed. */
static inline struct run fixture_run(unsigned guards, int64_t seed)
{
    struct run run = run_default();
    run.guard_init = (guards & 1) != 0;
    run.guard_scale = (guards & 2) != 0;
    run.guard_norm = (guards & 4) != 0;
    run.seed = seed;
    return run;
}

#endif
