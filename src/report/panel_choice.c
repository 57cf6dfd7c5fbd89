/* SPDX-License-Identifier: MIT */
/* Whether a panel can be made, and what it lets the reader choose; declared in panel_data.h. */
#include "report/panel_data.h"
#include "report/scope.h"

static const char *const lacks_guards =
    "no two runs differ in their guards: `guards: all` in the grid of the sweep runs every "
    "combination";
static const char *const lacks_weights =
    "no run with switched guards keeps its weights: `keep: {matrices: [weights], where: {seed: "
    "1}}` in the sweep keeps those of one seed";
static const char *const lacks_row_max =
    "the results do not hold the mean row-max: `row_max_mean` among the `measures` of the sweep "
    "stores it";
static const char *const has_too_many =
    "it would have more than 2,000 settings: shorter axes in the sweep leave fewer";

/* The summary whose guards are an axis of their own. Merged settings are fewer to choose from. */
static const struct summary *choose_summary(const struct view *view)
{
    return summary_axis_find(view->summary, AXIS_GUARDS) != NULL ? view->summary : view->measured;
}

/* What grows in the lesson: the corpora, else what the figures have along x, else the longest axis
 * there is. */
static const struct summary_axis *choose_trend(const struct summary *summary,
                                               const struct summary_axis *x)
{
    const struct summary_axis *best = summary_axis_find(summary, RUN_CORPUS);
    if (best == NULL && x != NULL && x->field != AXIS_GUARDS) {
        best = summary_axis_find(summary, x->field);
    }
    for (size_t a = 0; a < summary->axis_count && best == NULL; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        best = axis->field != AXIS_GUARDS ? axis : NULL;
    }
    return best;
}

static bool has_seed(const struct panel_choice *choice, int64_t seed)
{
    for (size_t s = 0; s < choice->seed_count; s++) {
        if (choice->seeds[s] == seed) {
            return true;
        }
    }
    return false;
}

static bool keeps_weights(const struct result_set *set, size_t row)
{
    const struct kept kept = result_kept(set, row);
    return result_index(set, row) >= 0 && result_status(set, row) == RESULT_OK &&
           kept.weights != NULL && kept.queries > 0 && kept.tokens > 0;
}

/* The seeds of runs that keep their weights. */
static bool collect_seeds(struct panel_choice *choice, struct arena *arena, struct error *err)
{
    const struct result_set *set = choice->set;
    int64_t *seeds = NULL;
    size_t capacity = 0;
    for (size_t row = 0; row < set->count; row++) {
        int64_t seed = *(const int64_t *)result_run_member(set, row, RUN_SEED);
        if (!keeps_weights(set, row) || has_seed(choice, seed)) {
            continue;
        }
        seeds = arena_grow(arena, seeds, choice->seed_count, &capacity, sizeof *seeds, err);
        if (seeds == NULL) {
            return false;
        }
        choice->seeds = seeds;
        seeds[choice->seed_count++] = seed;
    }
    return true;
}

static const char *lack_of(const struct panel_choice *choice, const struct summary_axis *guards)
{
    if (guards == NULL) {
        return lacks_guards;
    }
    if (choice->seed_count == 0) {
        return lacks_weights;
    }
    if (!scope_holds(choice->summary, MEASURE_ROW_MAX_MEAN)) {
        return lacks_row_max;
    }
    return choice->summary->group_count > PANEL_DATA_SETTINGS ? has_too_many : NULL;
}

bool panel_choose(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct panel_choice *out, struct error *err)
{
    struct panel_choice choice = {.set = set, .summary = choose_summary(view)};
    const struct summary_axis *guards = summary_axis_find(choice.summary, AXIS_GUARDS);
    if (!collect_seeds(&choice, arena, err)) {
        return false;
    }
    choice.lack = lack_of(&choice, guards);
    if (choice.lack == NULL) {
        choice.guards = guards;
        choice.trend = choose_trend(choice.summary, view->x);
    }
    *out = choice;
    return true;
}
