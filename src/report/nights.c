/* SPDX-License-Identifier: MIT */
/* Chooses what a report shows of a history; declared in nights.h. */
#include "report/nights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const night_mark_names[NIGHT_MARKS] = {
    "pass", "too few compared", "failed a strict check", "improved", "regression"};

/* Drawn whether they stepped or not, then others in the order in which they are preferred. */
enum { ALWAYS = 3 };
static const int preferred[] = {MEASURE_ROW_MAX_MEAN,   MEASURE_JACOBIAN_NORM_MEAN,
                                MEASURE_SCORE_STD,      MEASURE_SATURATED_ROWS,
                                MEASURE_GRADIENT_WQ,    MEASURE_ENTROPY_NORMALISED_MEAN,
                                MEASURE_UNDEFINED_ROWS, MEASURE_INPUT_STD};

/* What the choice needs to know. */
struct choice {
    struct arena *arena;
    struct error *err;
    struct history_night tonight; /* the last night, in the groups of the report */
    struct nights *out;
};

enum night_mark nights_mark(const struct history_night *night)
{
    if (strcmp(night->verdict, "nothing compared") == 0) {
        return NIGHT_NOT_COMPARED;
    }
    if (night->regressions > 0) {
        return NIGHT_REGRESSION;
    }
    if (night->improvements > 0) {
        return NIGHT_IMPROVED;
    }
    return strcmp(night->verdict, "pass") == 0 ? NIGHT_PASS : NIGHT_STRICT;
}

void nights_numbers(double before, double after, char out[2][NIGHTS_NUMBER_SIZE])
{
    int digits = 4;
    do {
        snprintf(out[0], NIGHTS_NUMBER_SIZE, "%.*g", digits, before);
        snprintf(out[1], NIGHTS_NUMBER_SIZE, "%.*g", digits, after);
        digits++;
    } while (strcmp(out[0], out[1]) == 0 && digits <= 17);
}

const char *nights_group_name(const char *where)
{
    return *where == '\0' ? "all runs" : where;
}

/* The latest nights of the sweep. */
static bool select_nights(struct choice *choice, const char *name, const struct history *history)
{
    struct nights *out = choice->out;
    for (size_t n = 0; n < history->count; n++) {
        out->total += strcmp(history->nights[n].name, name) == 0;
    }
    size_t passed = out->total > NIGHTS_LIMIT ? out->total - NIGHTS_LIMIT : 0;
    size_t count = out->total - passed;
    struct history_night *nights = arena_alloc(choice->arena, count, sizeof *nights, choice->err);
    if (nights == NULL) {
        return false;
    }
    size_t used = 0;
    for (size_t n = 0; n < history->count; n++) {
        if (strcmp(history->nights[n].name, name) != 0) {
            continue;
        }
        if (passed > 0) {
            passed--;
        } else {
            nights[used++] = history->nights[n];
        }
    }
    out->shown = (struct history){nights, count};
    return true;
}

static const struct history_group *find_group(const struct history_night *night, const char *where)
{
    for (size_t g = 0; g < night->group_count; g++) {
        if (strcmp(night->groups[g].where, where) == 0) {
            return &night->groups[g];
        }
    }
    return NULL;
}

static bool same_means(const struct history_group *one, const struct history_group *two)
{
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        bool missing = isnan(one->means[m]) && isnan(two->means[m]);
        if (!missing && one->means[m] != two->means[m]) {
            return false;
        }
    }
    return true;
}

/* The last night in the groups of the report, whose samples tell which tolerance holds. */
static bool select_groups(struct choice *choice, const struct summary *summary)
{
    const struct history_night *last = &choice->out->shown.nights[choice->out->shown.count - 1];
    struct history_night now;
    if (!history_groups(summary, choice->arena, &now, choice->err)) {
        return false;
    }
    struct history_group *groups =
        arena_alloc(choice->arena, now.group_count, sizeof *groups, choice->err);
    if (groups == NULL) {
        return false;
    }
    size_t used = 0;
    bool current = now.group_count == last->group_count;
    for (size_t g = 0; g < now.group_count; g++) {
        const struct history_group *found = find_group(last, now.groups[g].where);
        if (found == NULL) {
            current = false;
            continue;
        }
        current = current && same_means(found, &now.groups[g]);
        groups[used] = *found;
        groups[used++].sample = now.groups[g].sample;
    }
    choice->out->current = current;
    choice->out->groups = used;
    choice->tonight = *last;
    choice->tonight.groups = groups;
    choice->tonight.group_count = used;
    return true;
}

/* Groups that stepped, the latest first, then others as planned; drawn in the order of the plan. */
static bool select_lines(struct choice *choice)
{
    struct nights *out = choice->out;
    size_t groups = choice->tonight.group_count;
    bool *chosen = arena_alloc(choice->arena, groups, sizeof *chosen, choice->err);
    if (chosen == NULL) {
        return false;
    }
    memset(chosen, 0, groups * sizeof *chosen);
    size_t count = 0;
    for (size_t s = 0; s < out->steps.count && count < NIGHTS_LINES; s++) {
        const struct history_group *group = find_group(&choice->tonight, out->steps.items[s].where);
        size_t g = (size_t)(group - choice->tonight.groups);
        count += !chosen[g];
        chosen[g] = true;
    }
    for (size_t g = 0; g < groups && count < NIGHTS_LINES; g++) {
        count += !chosen[g];
        chosen[g] = true;
    }
    for (size_t g = 0; g < groups; g++) {
        if (chosen[g]) {
            out->lines[out->line_count++] = choice->tonight.groups[g].where;
        }
    }
    return true;
}

static bool any_value(const struct choice *choice, int measure)
{
    const struct nights *out = choice->out;
    for (size_t n = 0; n < out->shown.count; n++) {
        for (size_t line = 0; line < out->line_count; line++) {
            const struct history_group *group = find_group(&out->shown.nights[n], out->lines[line]);
            if (group != NULL && isfinite(group->means[measure])) {
                return true;
            }
        }
    }
    return false;
}

static void select_measures(struct choice *choice)
{
    struct nights *out = choice->out;
    bool wanted[MEASUREMENT_FIELD_COUNT] = {false};
    for (size_t s = 0; s < out->steps.count; s++) {
        wanted[out->steps.items[s].measure] = true;
    }
    const size_t count = sizeof preferred / sizeof preferred[0];
    for (size_t i = 0; i < count + MEASUREMENT_FIELD_COUNT; i++) {
        int measure = i < count ? preferred[i] : (int)(i - count);
        if ((i < ALWAYS || wanted[measure]) && out->measure_count < NIGHTS_MEASURES &&
            any_value(choice, measure)) {
            out->measures[out->measure_count++] = measure;
        }
        wanted[measure] = wanted[measure] && i >= count;
    }
}

static bool fill_values(struct choice *choice)
{
    struct nights *out = choice->out;
    size_t nights = out->shown.count;
    double *values = arena_alloc(choice->arena, out->measure_count * out->line_count * nights,
                                 sizeof *values, choice->err);
    if (values == NULL) {
        return false;
    }
    for (size_t n = 0; n < nights; n++) {
        for (size_t line = 0; line < out->line_count; line++) {
            const struct history_group *group = find_group(&out->shown.nights[n], out->lines[line]);
            for (size_t m = 0; m < out->measure_count; m++) {
                values[(m * out->line_count + line) * nights + n] =
                    group == NULL ? (double)NAN : group->means[out->measures[m]];
            }
        }
    }
    out->values = values;
    return true;
}

bool nights_make(const char *name, const struct summary *summary, const struct history *history,
                 const struct tolerance_set *tolerances, struct arena *arena, struct nights *out,
                 struct error *err)
{
    struct choice choice = {.arena = arena, .err = err, .out = out};
    memset(out, 0, sizeof *out);
    if (!select_nights(&choice, name, history)) {
        return false;
    }
    if (out->shown.count == 0 || summary->group_count == 0) {
        return true;
    }
    const struct history past = {out->shown.nights, out->shown.count - 1};
    if (!select_groups(&choice, summary) ||
        !history_find_steps(&past, &choice.tonight, tolerances, arena, &out->steps, err) ||
        !select_lines(&choice)) {
        return false;
    }
    select_measures(&choice);
    return fill_values(&choice);
}
