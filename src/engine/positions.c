/* SPDX-License-Identifier: MIT */
/* See positions.h. */
#include "engine/positions.h"

#include "attention/position.h"
#include "engine/engine_internal.h"

/* So many that looking through them takes nothing beside a run. */
#define WIDTHS_MAX 64

struct width {
    size_t d, tokens, uses;
    double *values; /* (tokens, d) or NULL */
};

struct positions {
    struct width widths[WIDTHS_MAX];
    size_t count;
};

struct positions *positions_start(struct arena *arena, struct error *err)
{
    return arena_alloc(arena, 1, sizeof(struct positions), err);
}

static struct width *find_width(struct positions *positions, size_t d)
{
    for (size_t i = 0; i < positions->count; i++) {
        if (positions->widths[i].d == d) {
            return &positions->widths[i];
        }
    }
    if (positions->count == WIDTHS_MAX) {
        return NULL;
    }
    positions->widths[positions->count].d = d;
    return &positions->widths[positions->count++];
}

void positions_count(struct positions *positions, const struct engine *engine, size_t run)
{
    const int *source = run_list_at(engine->runs, run, RUN_SOURCE);
    const int *position = run_list_at(engine->runs, run, RUN_POSITION);
    if (*source != SOURCE_GAUSSIAN || *position != POSITION_SINUSOIDAL) {
        return;
    }
    const int64_t *d = run_list_at(engine->runs, run, RUN_D_MODEL);
    size_t tokens = engine_tokens(engine, run);
    struct width *width = find_width(positions, (size_t)*d);
    if (width != NULL) {
        width->tokens = width->tokens < tokens ? tokens : width->tokens;
        width->uses++;
    }
}

/* Of the first `widths` that were told of: who comes first is served first. */
static size_t numbers_of(const struct positions *positions, size_t widths)
{
    size_t numbers = 0;
    for (size_t i = 0; i < widths; i++) {
        const struct width *width = &positions->widths[i];
        bool fits = width->tokens <= (POSITIONS_KEPT - numbers) / width->d;
        numbers += fits && width->uses > 1 ? width->tokens * width->d : 0;
    }
    return numbers;
}

size_t positions_numbers(const struct positions *positions)
{
    return numbers_of(positions, positions->count);
}

bool positions_make(struct positions *positions, struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < positions->count; i++) {
        struct width *width = &positions->widths[i];
        if (numbers_of(positions, i + 1) > numbers_of(positions, i)) {
            width->values = arena_alloc(arena, width->tokens * width->d, sizeof(double), err);
            if (width->values == NULL) {
                return false;
            }
            position_add_sinusoidal(0, width->tokens, width->d, width->values); /* to zeros */
        }
    }
    return true;
}

const double *positions_of(const struct positions *positions, size_t tokens, size_t d)
{
    for (size_t i = 0; i < positions->count; i++) {
        const struct width *width = &positions->widths[i];
        if (width->d == d) {
            return tokens <= width->tokens ? width->values : NULL;
        }
    }
    return NULL;
}
