/* SPDX-License-Identifier: MIT */
/* Compares two results files run by run and setting by setting; see changes.h. */
#include "report/changes.h"

#include "numeric/statistics.h"
#include "run/result_table.h"
#include "summary/gate.h"

#include <math.h>
#include <string.h>

static const struct tolerance_set no_rules = {NULL, 0};

/* What both steps of a comparison need. */
struct comparing {
    struct changes *out;
    const struct tolerance_set *tolerances;
    struct arena *arena;
    struct error *err;
};

bool changes_knows(const struct changes *changes, size_t measure)
{
    return (changes->lacking >> measure & 1) == 0;
}

static bool is_equal(double a, double b)
{
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
}

/* How far two runs are apart in a measure: CHANGE_NONE, CHANGE_WITHIN or CHANGE_MOVED. */
static enum change_kind compare_runs(const struct comparing *comparing, double a, double b,
                                     const struct run *now, size_t measure)
{
    if (is_equal(a, b)) {
        return CHANGE_NONE;
    }
    struct tolerance tolerance = tolerance_of(comparing->tolerances, (int)measure, now);
    return gate_is_within(tolerance, a, b) ? CHANGE_WITHIN : CHANGE_MOVED;
}

/* The kind of the measure that differs most. */
static enum change_kind compare_pair(const struct comparing *comparing, const struct result *before,
                                     const struct result *now)
{
    enum change_kind worst = CHANGE_NONE;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT && worst != CHANGE_MOVED; m++) {
        if (changes_knows(comparing->out, m)) {
            const struct field *field = &measurement_fields[m];
            enum change_kind kind =
                compare_runs(comparing, field_value_number(field, &before->measurement),
                             field_value_number(field, &now->measurement), &now->run, m);
            worst = kind > worst ? kind : worst;
        }
    }
    return worst;
}

/* Both rows stand under one description of the run, so that both files have the same settings; what
 * differs in it is the threshold at most, by which each is judged. */
static bool take_pair(struct comparing *comparing, const struct pair *pair,
                      struct result_table *const tables[2])
{
    struct changes *out = comparing->out;
    struct result space;
    struct result before = *result_row(out->pairs.before, pair->before, &space);
    struct result now = *result_row(out->pairs.now, pair->now, &space);
    const double threshold = before.run.saturation_row_max;
    before.index = (int64_t)out->compared;
    now.index = before.index;
    before.run = now.run;
    before.run.saturation_row_max = threshold;
    if (!result_table_put(tables[0], out->compared, &before, comparing->err) ||
        !result_table_put(tables[1], out->compared, &now, comparing->err)) {
        return false;
    }
    switch (compare_pair(comparing, &before, &now)) {
    case CHANGE_NONE:
        out->identical++;
        break;
    case CHANGE_WITHIN:
        out->within++;
        break;
    case CHANGE_SCATTERED:
    case CHANGE_MOVED:
        out->moved++;
        break;
    }
    out->compared++;
    return true;
}

static bool compare_pairs(struct comparing *comparing)
{
    struct changes *out = comparing->out;
    struct result_table *tables[2];
    for (int side = 0; side < 2; side++) {
        tables[side] = arena_alloc(comparing->arena, 1, sizeof *tables[side], comparing->err);
        if (tables[side] == NULL) {
            return false;
        }
        result_table_init(tables[side], comparing->arena);
    }
    for (size_t i = 0; i < out->pairs.count; i++) {
        const struct pair *pair = &out->pairs.items[i];
        if (!pair_is_whole(pair)) {
            out->alone[pair->before == PAIR_NO_ROW]++;
            continue;
        }
        bool failed[2] = {result_status(out->pairs.before, pair->before) != RESULT_OK,
                          result_status(out->pairs.now, pair->now) != RESULT_OK};
        if (failed[0] || failed[1]) {
            out->failed_in_both += failed[0] && failed[1];
            out->failed_in[0] += failed[0] && !failed[1];
            out->failed_in[1] += failed[1] && !failed[0];
        } else if (!take_pair(comparing, pair, tables)) {
            return false;
        }
    }
    for (int side = 0; side < 2; side++) {
        out->common[side] = *out->sides[side].set;
        out->common[side].whole = NULL;
        out->common[side].places = NULL;
        out->common[side].plan = NULL;
        out->common[side].wanted = NULL;
        out->common[side].table = tables[side];
        out->common[side].count = out->compared;
        out->common[side].planned = (int64_t)out->compared;
    }
    return true;
}

/* The difference of two values that may be infinite or undefined; equal ones have none. */
static double difference_of(double before, double now)
{
    return is_equal(before, now) ? 0 : now - before;
}

/* `scratch` holds as many numbers as the group has runs. */
static struct change change_of(const struct comparing *comparing, size_t group, size_t measure,
                               double *scratch)
{
    const struct changes *changes = comparing->out;
    const struct summary_group *members = &changes->summaries[1].groups[group];
    enum change_kind worst = CHANGE_NONE;
    for (size_t r = 0; r < members->runs; r++) {
        double before = result_number(&changes->common[0], members->rows[r], measure);
        double now = result_number(&changes->common[1], members->rows[r], measure);
        struct run run;
        result_run(&changes->common[1], members->rows[r], &run);
        enum change_kind kind = compare_runs(comparing, before, now, &run, measure);
        worst = kind > worst ? kind : worst;
        scratch[r] = difference_of(before, now);
    }
    struct change change = {.kind = worst};
    change.difference = (struct estimate){.count = members->runs,
                                          .mean = statistics_mean(members->runs, scratch),
                                          .half_width = statistics_interval(members->runs, scratch),
                                          .maximum = (double)NAN};
    const struct estimate *difference = &change.difference;
    if (worst == CHANGE_MOVED && fabs(difference->mean) <= difference->half_width) {
        change.kind = CHANGE_SCATTERED;
    }
    return change;
}

static bool compare_groups(struct comparing *comparing)
{
    struct changes *out = comparing->out;
    size_t groups = out->summaries[1].group_count;
    struct change *list = arena_alloc(comparing->arena, groups * MEASUREMENT_FIELD_COUNT,
                                      sizeof *list, comparing->err);
    double *scratch = arena_alloc(comparing->arena, out->compared, sizeof *scratch, comparing->err);
    if (list == NULL || scratch == NULL) {
        return false;
    }
    for (size_t g = 0; g < groups; g++) {
        for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
            if (changes_knows(out, m)) {
                list[g * MEASUREMENT_FIELD_COUNT + m] = change_of(comparing, g, m, scratch);
            }
        }
        enum saturation before = saturation_of(&out->summaries[0].groups[g]);
        enum saturation now = saturation_of(&out->summaries[1].groups[g]);
        out->verdicts[before][now]++;
        out->turned += before != now;
    }
    out->list = list;
    return true;
}

static const char *name_of(const struct report_side sides[2], int side)
{
    return sides[side].label;
}

/* "'a.h5' and 'b.h5' have no run in common: source is gaussian in one, corpus in the other". */
static bool refuse(const struct report_side sides[2], struct arena *arena, struct error *err)
{
    static const char *const places[] = {"in the first", "in the second"};
    struct contrasts contrasts;
    struct text what = TEXT_INIT(arena);
    if (!contrasts_find(sides, arena, &contrasts, err)) {
        return false;
    }
    text_append(&what, "");
    contrasts_append(&what, &contrasts, places);
    const char *text = text_finish(&what, err);
    return text != NULL &&
           error_set(err, ERROR_INPUT,
                     "'%s' and '%s' have no run in common, so there is nothing to compare%s",
                     name_of(sides, 0), name_of(sides, 1), text);
}

bool changes_make(const struct report_side sides[2], const struct tolerance_set *tolerances,
                  struct arena *arena, struct changes *out, struct error *err)
{
    struct comparing comparing = {out, tolerances == NULL ? &no_rules : tolerances, arena, err};
    *out =
        (struct changes){.sides = sides, .lacking = sides[0].set->lacking | sides[1].set->lacking};
    if (!pairs_by_fields(sides[1].set, sides[0].set, arena, &out->pairs, err)) {
        return false;
    }
    if (out->pairs.by_key + out->pairs.by_fields == 0) {
        return refuse(sides, arena, err);
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides[side].set->count; i++) {
            out->beyond[side] += result_index(sides[side].set, i) < 0;
        }
    }
    return compare_pairs(&comparing) &&
           summary_make(&out->common[0], arena, &out->summaries[0], err) &&
           summary_make(&out->common[1], arena, &out->summaries[1], err) &&
           compare_groups(&comparing) && view_make(&out->summaries[1], arena, &out->view, err);
}

size_t changes_count(const struct changes *changes, size_t measure, enum change_kind kind,
                     int direction)
{
    size_t count = 0;
    for (size_t g = 0; g < changes->summaries[1].group_count; g++) {
        const struct change *change = changes_of(changes, g, measure);
        double mean = change->difference.mean;
        bool right_way = direction == 0 || (direction > 0 ? mean > 0 : mean < 0);
        count += change->kind == kind && right_way;
    }
    return count;
}

double changes_size(const struct changes *changes, size_t group, size_t measure)
{
    double change = fabs(changes_of(changes, group, measure)->difference.mean);
    double larger = fmax(fabs(changes_mean(changes, 0, group, measure)->mean),
                         fabs(changes_mean(changes, 1, group, measure)->mean));
    if (!isfinite(change)) {
        return (double)INFINITY;
    }
    bool share = measurement_fields[measure].maximum == 1;
    return share || larger == 0 ? change : change / larger;
}
