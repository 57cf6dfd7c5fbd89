/* SPDX-License-Identifier: MIT */
/* What looking at inputs takes that are no run's own, see estimate_inputs.h: as often as the order
 * of the pool comes to another one. */
#include "engine/estimate_inputs.h"

#include <math.h>
#include <stdlib.h>

bool estimate_inputs_prepare(struct estimate_inputs *inputs, size_t most, struct arena *arena,
                             struct error *err)
{
    struct estimate_look *looks = arena_alloc_raw(arena, most, sizeof *looks, err);
    *inputs = (struct estimate_inputs){.looks = looks, .sorted = true};
    return looks != NULL;
}

void estimate_inputs_add(struct estimate_inputs *inputs, const struct engine *engine, size_t run,
                         double cost)
{
    const struct estimate_look *last = inputs->looks + inputs->count;
    struct estimate_look look = {rank_of(engine, run), cost};
    if (inputs->count > 0 && rank_compare(&last[-1].rank, &look.rank) > 0) {
        inputs->sorted = false;
    }
    inputs->looks[inputs->count++] = look;
}

static int compare_looks(const void *a, const void *b)
{
    const struct estimate_look *x = a;
    const struct estimate_look *y = b;
    return rank_compare(&x->rank, &y->rank);
}

/* What a head has: with the guard off and with it on, as the pool takes it (order.c). Of runs that
 * share an input the dearest pays. */
static double take_look(const struct estimate_look *held[2], const struct estimate_look *look)
{
    bool on = look->rank.norm != 0;
    const struct estimate_look *before = held[on];
    const struct estimate_look *raw = held[false];
    if (raw != NULL && !rank_same_input(&raw->rank, &look->rank)) {
        held[false] = NULL;
    }
    held[on] = look;
    if (before == NULL || !rank_same_input(&before->rank, &look->rank) ||
        !rank_same_guard(&before->rank, &look->rank)) {
        return look->cost;
    }
    held[on] = look->cost > before->cost ? look : before;
    return fmax(look->cost - before->cost, 0);
}

double estimate_inputs_sum(struct estimate_inputs *inputs)
{
    const struct estimate_look *held[2] = {NULL, NULL};
    double sum = 0;
    if (!inputs->sorted) {
        qsort(inputs->looks, inputs->count, sizeof *inputs->looks, compare_looks);
    }
    for (size_t i = 0; i < inputs->count; i++) {
        sum += take_look(held, &inputs->looks[i]);
    }
    return sum;
}
