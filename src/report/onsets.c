/* SPDX-License-Identifier: MIT */
/* Finding onsets and the theory's; see onsets.h. */
#include "report/onsets.h"

#include "attention/theory.h"
#include "report/comparison.h"

#include <math.h>

/* Spreads of the theory by number of tokens: curves share them. */
struct spread_memory {
    size_t count, capacity;
    struct spread {
        size_t tokens;
        double threshold, spread;
    } * list;
};

static bool spread_at(struct spread_memory *memory, size_t tokens, double threshold, double *spread,
                      struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < memory->count; i++) {
        if (memory->list[i].tokens == tokens && memory->list[i].threshold == threshold) {
            *spread = memory->list[i].spread;
            return true;
        }
    }
    struct spread *list =
        arena_grow(arena, memory->list, memory->count, &memory->capacity, sizeof *list, err);
    if (list == NULL) {
        return false;
    }
    memory->list = list;
    *spread = theory_spread_at_row_max(tokens, threshold);
    list[memory->count++] = (struct spread){tokens, threshold, *spread};
    return true;
}

/* ln of the score spread in a row over the theory's; NaN where the theory does not speak. Spreads
 * follow powers of most axes, so that their logarithm is straight between two values. */
static bool excess_of(const struct summary_group *group, struct spread_memory *memory,
                      double *excess, struct arena *arena, struct error *err)
{
    size_t tokens = comparison_group_tokens(group);
    double spread = (double)NAN;
    *excess = (double)NAN;
    if (!comparison_applies(group) || tokens < 2) {
        return true;
    }
    if (!spread_at(memory, tokens, group->sample->saturation_row_max, &spread, arena, err)) {
        return false;
    }
    *excess = log(group->measures[MEASURE_SCORE_ROW_STD].mean / spread);
    return true;
}

static enum onset_state state_of(size_t count, const double *excess, bool crosses, bool enters)
{
    bool above = false;
    bool below = false;
    for (size_t p = 0; p < count; p++) {
        above = above || excess[p] >= 0;
        below = below || excess[p] < 0;
    }
    return crosses          ? (enters ? ONSET_WITHIN : ONSET_LEAVES)
           : above && below ? ONSET_HIDDEN
           : above          ? ONSET_THROUGHOUT
           : below          ? ONSET_NOWHERE
                            : ONSET_UNKNOWN;
}

static bool find_theory(const struct onsets *found, const struct onset_curve *curve,
                        struct spread_memory *memory, struct onset *out, struct arena *arena,
                        struct error *err)
{
    double *excess = arena_alloc(arena, curve->count, sizeof *excess, err);
    struct saturation_crossing *crossings =
        arena_alloc(arena, curve->count, sizeof *crossings, err);
    if (excess == NULL || crossings == NULL) {
        return false;
    }
    for (size_t p = 0; p < curve->count; p++) {
        if (!excess_of(curve->groups[p], memory, &excess[p], arena, err)) {
            return false;
        }
    }
    size_t count =
        saturation_crossings(curve->count, curve->x, excess, 0, found->logarithmic, crossings);
    size_t first = 0;
    while (first < count && !crossings[first].enters) {
        first++;
    }
    *out = (struct onset){.state = state_of(curve->count, excess, count > 0, first < count),
                          .count = count,
                          .crossings = crossings,
                          .at = first < count ? crossings[first].at : (double)NAN,
                          .low = (double)NAN,
                          .high = (double)NAN,
                          .within = (double)NAN};
    return true;
}

static bool add_theory(struct onset_table *table, struct arena *arena, struct error *err)
{
    struct spread_memory memory = {0};
    struct onset *theory = arena_alloc(arena, table->found.count, sizeof *theory, err);
    if (theory == NULL) {
        return false;
    }
    for (size_t c = 0; c < table->found.count; c++) {
        if (!find_theory(&table->found, &table->found.curves[c], &memory, &theory[c], arena, err)) {
            return false;
        }
    }
    table->theory = theory;
    return true;
}

bool onsets_make(const struct result_set *set, const struct view *view, struct arena *arena,
                 const struct onset_table **out, struct error *err)
{
    const struct view *along = view->told != NULL ? view->told : view;
    const struct summary *summary = along->summary;
    *out = NULL;
    if (along->x == NULL || !along->x->numeric || summary->failed == summary->planned) {
        return true;
    }
    struct onset_table *table = arena_alloc(arena, 1, sizeof *table, err);
    double *x = arena_alloc(arena, summary->group_count, sizeof *x, err);
    if (table == NULL || x == NULL) {
        return false;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        x[g] = along->places[g].x;
    }
    if (!onsets_find(set, summary, along->x, x, along->scale == SCALE_LOG, arena, &table->found,
                     err) ||
        !add_theory(table, arena, err)) {
        return false;
    }
    *out = table->found.longest < 2 ? NULL : table;
    return true;
}
