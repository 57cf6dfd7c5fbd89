/* SPDX-License-Identifier: MIT */
/* What the learners by steps share: chance, where they start, when they give up. */
#include "corpus/corpus_internal.h"

void draws_init(struct draws *draws, uint64_t seed)
{
    draws->seed = seed;
    draws->filled = 0;
    draws->used = DRAWS_AT_ONCE;
}

double draws_next(struct draws *draws)
{
    if (draws->used == DRAWS_AT_ONCE) {
        uint32_t row = (uint32_t)draws->filled;
        uint32_t column = (uint32_t)(draws->filled >> 32) * (uint32_t)DRAWS_AT_ONCE;
        random_uniforms(draws->seed, RANDOM_STEP, row, column, DRAWS_AT_ONCE, draws->values);
        draws->filled++;
        draws->used = 0;
    }
    return draws->values[draws->used++];
}

size_t draws_below(struct draws *draws, size_t n)
{
    /* Below n even when rounded: 1 - u is at least 2^-53. */
    return (size_t)(draws_next(draws) * (double)n);
}

/* Columns that hold less than their share, from the front, and more, from the back. */
struct shares {
    uint32_t *list;
    size_t poor, rich; /* list[0 .. poor - 1] and list[rich .. count - 1] */
};

static void shares_put(struct shares *shares, uint32_t column, double own)
{
    if (own < 1) {
        shares->list[shares->poor++] = column;
    } else {
        shares->list[--shares->rich] = column;
    }
}

bool alias_make(const double *weights, size_t count, struct arena *arena, struct arena *scratch,
                struct alias *out, struct error *err)
{
    struct alias alias = {count, arena_alloc(arena, count, sizeof *alias.own, err),
                          arena_alloc(arena, count, sizeof *alias.other, err)};
    struct shares shares = {arena_alloc(scratch, count, sizeof *shares.list, err), 0, count};
    if (alias.own == NULL || alias.other == NULL || shares.list == NULL) {
        return false;
    }
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += weights[i];
    }
    for (size_t i = 0; i < count; i++) {
        alias.own[i] = weights[i] / total * (double)count;
        alias.other[i] = (uint32_t)i;
        shares_put(&shares, (uint32_t)i, alias.own[i]);
    }
    while (shares.poor > 0 && shares.rich < count) {
        uint32_t poor = shares.list[--shares.poor];
        uint32_t rich = shares.list[shares.rich++];
        alias.other[poor] = rich;
        alias.own[rich] -= 1 - alias.own[poor];
        shares_put(&shares, rich, alias.own[rich]);
    }
    *out = alias; /* a poor column left over lacks no more than rounding; its other is itself */
    return true;
}

uint32_t alias_draw(const struct alias *alias, struct draws *draws)
{
    double place = draws_next(draws) * (double)alias->count;
    size_t column = (size_t)place;
    bool own = place - (double)column < alias->own[column];
    return own ? (uint32_t)column : alias->other[column];
}

void steps_start(uint64_t seed, enum random_stream stream, size_t count, size_t columns,
                 double divisor, double *out)
{
    for (size_t row = 0; row < count; row++) {
        double *numbers = out + row * columns;
        random_uniforms(seed, stream, (uint32_t)row, 0, columns, numbers);
        for (size_t k = 0; k < columns; k++) {
            numbers[k] = (numbers[k] - 0.5) / divisor;
        }
    }
}

bool steps_go_on(const atomic_int *stop, struct error *err)
{
    return stop == NULL || atomic_load(stop) == 0 ||
           error_set(err, ERROR_INTERRUPTED, "interrupted");
}
