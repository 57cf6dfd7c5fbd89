/* SPDX-License-Identifier: MIT */
/* What runs are sorted by so that those which share something follow each other, and which of them
 * share an input. */
#include "engine/rank.h"

#include "run/fields.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_reals(double a, double b)
{
    return (a > b) - (a < b);
}

int rank_compare(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    int order = compare(x->leading, y->leading);
    order = order == 0 ? compare(x->seed, y->seed) : order;
    order = order == 0 ? compare(y->d_model, x->d_model) : order;
    order = order == 0 ? compare(x->input, y->input) : order;
    order = order == 0 ? compare_reals(x->spread, y->spread) : order;
    order = order == 0 ? compare(x->norm, y->norm) : order;
    order = order == 0 ? compare_reals(x->norm_epsilon, y->norm_epsilon) : order;
    order = order == 0 ? compare(y->tokens, x->tokens) : order;
    order = order == 0 ? compare(y->d_k, x->d_k) : order;
    return order == 0 ? compare((int64_t)x->run, (int64_t)y->run) : order;
}

static int64_t integer_of(const struct engine *engine, size_t run, enum run_field field)
{
    const int64_t *integer = run_list_at(engine->runs, run, (size_t)field);
    return *integer;
}

static int choice_of(const struct engine *engine, size_t run, enum run_field field)
{
    const int *choice = run_list_at(engine->runs, run, (size_t)field);
    return *choice;
}

/* What tells inputs apart beside their size. */
static void find_input(const struct engine *engine, size_t run, struct rank *rank)
{
    if (choice_of(engine, run, RUN_SOURCE) != SOURCE_GAUSSIAN) {
        rank->input = engine_input(engine, run) - engine->inputs;
        rank->leading = rank->collapsed ? rank->input + 1 : 0;
        return;
    }
    const bool *orthogonal = run_list_at(engine->runs, run, RUN_ORTHOGONAL);
    const double *spread = run_list_at(engine->runs, run, RUN_INPUT_SPREAD);
    bool placed = choice_of(engine, run, RUN_POSITION) == POSITION_SINUSOIDAL;
    rank->input = -1 - (*orthogonal ? 2 : 0) - (placed ? 1 : 0);
    rank->spread = *spread;
}

struct rank rank_of(const struct engine *engine, size_t run)
{
    struct rank rank = {.seed = integer_of(engine, run, RUN_SEED),
                        .d_model = integer_of(engine, run, RUN_D_MODEL),
                        .tokens = (int64_t)engine_tokens(engine, run),
                        .d_k = integer_of(engine, run, RUN_D_K),
                        .run = run,
                        .collapsed = choice_of(engine, run, RUN_DRAW) == DRAW_COLLAPSED};
    const bool *guarded = run_list_at(engine->runs, run, RUN_GUARD_NORM);
    if (*guarded) {
        const double *epsilon = run_list_at(engine->runs, run, RUN_NORM_EPSILON);
        rank.norm = 1 + choice_of(engine, run, RUN_NORM);
        rank.norm_epsilon = *epsilon;
    }
    find_input(engine, run, &rank);
    return rank;
}

bool rank_same_input(const struct rank *a, const struct rank *b)
{
    bool same = a->input == b->input && a->d_model == b->d_model && a->tokens == b->tokens &&
                a->collapsed == b->collapsed;
    return same && (a->input >= 0 || (a->seed == b->seed && a->spread == b->spread));
}

bool rank_same_guard(const struct rank *a, const struct rank *b)
{
    return a->norm == b->norm && a->norm_epsilon == b->norm_epsilon;
}
