/* SPDX-License-Identifier: MIT */
/* Steps in a history; declared in history.h. */
#include "summary/history.h"
#include "summary/step.h"

#include <math.h>
#include <string.h>

/* One measure of one group through the nights. */
struct series {
    size_t count;
    double values[STEP_LIMIT];
    size_t nights[STEP_LIMIT];
    double scratch[3 * STEP_LIMIT];
};

/* The nights of tonight's sweep, and the group of each that corresponds to one of tonight. */
struct search {
    const struct history *history;
    const struct history_night *tonight;
    const struct tolerance_set *tolerances;
    const struct history_group **past; /* of each night; NULL where it has no such group */
    struct series *series;
    struct arena *arena;
    struct error *err;
    struct history_step *steps;
    size_t count, capacity;
};

static void add_value(struct series *series, size_t night, double value)
{
    if (isnan(value)) {
        return;
    }
    if (series->count == STEP_LIMIT) {
        series->count--;
        memmove(series->values, series->values + 1, series->count * sizeof *series->values);
        memmove(series->nights, series->nights + 1, series->count * sizeof *series->nights);
    }
    series->values[series->count] = value;
    series->nights[series->count++] = night;
}

static const struct history_group *find_group(const struct history_night *night, const char *name,
                                              const struct history_group *wanted)
{
    for (size_t g = 0; g < night->group_count && strcmp(night->name, name) == 0; g++) {
        if (strcmp(night->groups[g].where, wanted->where) == 0) {
            return &night->groups[g];
        }
    }
    return NULL;
}

static bool add_step(struct search *search, const struct history_group *group, int measure,
                     const struct step *step)
{
    size_t night = search->series->nights[step->at];
    bool past = night < search->history->count;
    struct history_step *steps = arena_grow(search->arena, search->steps, search->count,
                                            &search->capacity, sizeof *steps, search->err);
    if (steps == NULL) {
        return false;
    }
    search->steps = steps;
    steps[search->count++] = (struct history_step){
        group->where, measure,
        night,        past ? search->history->nights[night].date : search->tonight->date,
        step->before, step->after};
    return true;
}

static bool follow_measure(struct search *search, const struct history_group *group, int measure)
{
    struct series *series = search->series;
    series->count = 0;
    for (size_t night = 0; night < search->history->count; night++) {
        if (search->past[night] != NULL) {
            add_value(series, night, search->past[night]->means[measure]);
        }
    }
    add_value(series, search->history->count, group->means[measure]);
    struct tolerance tolerance = tolerance_of(search->tolerances, measure, group->sample);
    struct step step = step_find(series->count, series->values, tolerance, series->scratch);
    return step.at == 0 || add_step(search, group, measure, &step);
}

static bool follow_group(struct search *search, const struct history_group *group)
{
    for (size_t night = 0; night < search->history->count; night++) {
        search->past[night] =
            find_group(&search->history->nights[night], search->tonight->name, group);
    }
    bool good = true;
    for (int m = 0; good && m < MEASUREMENT_FIELD_COUNT; m++) {
        good = follow_measure(search, group, m);
    }
    return good;
}

/* The latest night first; within a night they stay in the order in which they were found. */
static bool sort_steps(struct search *search, struct history_steps *out)
{
    struct history_step *sorted =
        arena_alloc(search->arena, search->count, sizeof *sorted, search->err);
    if (sorted == NULL) {
        return false;
    }
    size_t used = 0;
    for (size_t back = 0; used < search->count; back++) {
        for (size_t i = 0; i < search->count; i++) {
            if (search->steps[i].night == search->history->count - back) {
                sorted[used++] = search->steps[i];
            }
        }
    }
    *out = (struct history_steps){sorted, search->count};
    return true;
}

bool history_find_steps(const struct history *history, const struct history_night *tonight,
                        const struct tolerance_set *tolerances, struct arena *arena,
                        struct history_steps *out, struct error *err)
{
    struct search search = {.history = history,
                            .tonight = tonight,
                            .tolerances = tolerances,
                            .arena = arena,
                            .err = err};
    search.past = arena_alloc(arena, history->count, sizeof(struct history_group *), err);
    search.series = arena_alloc(arena, 1, sizeof *search.series, err);
    bool good = search.past != NULL && search.series != NULL;
    for (size_t g = 0; good && g < tonight->group_count; g++) {
        good = follow_group(&search, &tonight->groups[g]);
    }
    return good && sort_steps(&search, out);
}
