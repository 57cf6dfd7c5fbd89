/* SPDX-License-Identifier: MIT */
/* See gate.h. */
#include "summary/gate.h"

#include "summary/pairs.h"

#include <math.h>
#include <string.h>

const char *const gate_state_names[GATE_STATE_COUNT] = {"same", "improved", "regressed",
                                                        "new",  "missing",  "unmeasured"};

struct deviations {
    struct gate_deviation *items;
    size_t stored, capacity;
    uint64_t count;
};

struct comparison {
    const struct gate_options *options;
    struct arena *arena;
    struct error *err;
    struct gate_run *runs;
    struct deviations regressions, improvements;
    struct gate *gate;
};

static bool pair_runs(struct comparison *comparison, const struct result_set *now,
                      const struct result_set *baseline)
{
    struct gate *gate = comparison->gate;
    struct pairs pairs;
    if (!pairs_by_key(now, baseline, comparison->arena, &pairs, comparison->err)) {
        return false;
    }
    struct gate_run *runs =
        arena_alloc(comparison->arena, pairs.count, sizeof *runs, comparison->err);
    if (runs == NULL) {
        return false;
    }
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.items[i];
        runs[i] = (struct gate_run){pair->now, pair->before,
                                    pair->now == PAIR_NO_ROW ? GATE_MISSING : GATE_NEW};
    }
    comparison->runs = runs;
    gate->runs = runs;
    gate->run_count = pairs.count;
    return true;
}

/* The set and the row of gate_result. */
static const struct result_set *find_row(const struct gate *gate, const struct gate_run *run,
                                         size_t *row)
{
    bool missing = run->now == GATE_NO_ROW;
    *row = missing ? run->baseline : run->now;
    return missing ? gate->baseline : gate->now;
}

const struct result *gate_result(const struct gate *gate, const struct gate_run *run,
                                 struct result *space)
{
    size_t row;
    const struct result_set *set = find_row(gate, run, &row);
    return result_row(set, row, space);
}

const char *gate_failure(const struct gate *gate, const struct gate_run *run)
{
    if (run->now != GATE_NO_ROW && result_status(gate->now, run->now) != RESULT_OK) {
        return result_message(gate->now, run->now);
    }
    if (run->baseline != GATE_NO_ROW && result_status(gate->baseline, run->baseline) != RESULT_OK) {
        return result_message(gate->baseline, run->baseline);
    }
    return NULL;
}

static bool add_deviation(struct comparison *comparison, bool better,
                          const struct gate_deviation *deviation)
{
    struct deviations *list = better ? &comparison->improvements : &comparison->regressions;
    list->count++;
    if (list->stored == GATE_KEPT_LIMIT) {
        return true;
    }
    struct gate_deviation *items = arena_grow(comparison->arena, list->items, list->stored,
                                              &list->capacity, sizeof *items, comparison->err);
    if (items == NULL) {
        return false;
    }
    list->items = items;
    items[list->stored++] = *deviation;
    return true;
}

static bool is_better(int measure, double baseline, double now)
{
    switch (measure_direction(measure)) {
    case DIRECTION_LOWER:
        return now < baseline;
    case DIRECTION_HIGHER:
        return now > baseline;
    case DIRECTION_NONE:
        break;
    }
    return false;
}

bool gate_is_within(struct tolerance tolerance, double baseline, double now)
{
    if (!isfinite(now) || !isfinite(baseline)) {
        return now == baseline || (isnan(now) && isnan(baseline));
    }
    return fabs(now - baseline) <= tolerance.atol + tolerance.rtol * fabs(baseline);
}

static void note_state(struct gate_run *run, bool better)
{
    if (!better) {
        run->state = GATE_REGRESSED;
    } else if (run->state == GATE_SAME) {
        run->state = GATE_IMPROVED;
    }
}

static bool compare_measure(struct comparison *comparison, size_t place, int measure,
                            const struct run *now)
{
    struct gate_run *run = &comparison->runs[place];
    struct tolerance tolerance = tolerance_of(&comparison->options->tolerances, measure, now);
    struct gate_deviation deviation = {
        .run = place,
        .measure = measure,
        .baseline = result_number(comparison->gate->baseline, run->baseline, (size_t)measure),
        .now = result_number(comparison->gate->now, run->now, (size_t)measure),
    };
    deviation.delta = deviation.now - deviation.baseline;
    deviation.allowed = isfinite(deviation.baseline)
                            ? tolerance.atol + tolerance.rtol * fabs(deviation.baseline)
                            : (double)NAN;
    comparison->gate->measures_compared++;
    if (gate_is_within(tolerance, deviation.baseline, deviation.now)) {
        return true;
    }
    bool better = is_better(measure, deviation.baseline, deviation.now);
    note_state(run, better);
    return add_deviation(comparison, better, &deviation);
}

/* A run without measures on one side only. */
static bool compare_status(struct comparison *comparison, size_t place)
{
    struct gate_run *run = &comparison->runs[place];
    bool better = result_status(comparison->gate->now, run->now) == RESULT_OK;
    note_state(run, better);
    return add_deviation(comparison, better,
                         &(struct gate_deviation){.run = place,
                                                  .measure = GATE_STATUS,
                                                  .baseline = better ? 1 : 0,
                                                  .now = better ? 0 : 1,
                                                  .delta = better ? -1 : 1});
}

static bool compare_pair(struct comparison *comparison, size_t place)
{
    struct gate_run *run = &comparison->runs[place];
    const struct gate *gate = comparison->gate;
    bool now_failed = result_status(gate->now, run->now) != RESULT_OK;
    bool then_failed = result_status(gate->baseline, run->baseline) != RESULT_OK;
    if (now_failed && then_failed) {
        run->state = GATE_UNMEASURED;
        return true;
    }
    run->state = GATE_SAME;
    comparison->gate->runs_compared++;
    if (now_failed || then_failed) {
        return compare_status(comparison, place);
    }
    bool good = true;
    struct run now;
    result_run(gate->now, run->now, &now);
    for (int m = 0; good && m < MEASUREMENT_FIELD_COUNT; m++) {
        bool lacking = (gate->lacking >> m & 1) != 0;
        good = lacking || compare_measure(comparison, place, m, &now);
    }
    return good;
}

static bool compare_runs(struct comparison *comparison)
{
    struct gate *gate = comparison->gate;
    bool good = true;
    for (size_t i = 0; good && i < gate->run_count; i++) {
        bool paired = gate->runs[i].now != GATE_NO_ROW && gate->runs[i].baseline != GATE_NO_ROW;
        good = !paired || compare_pair(comparison, i);
        gate->states[gate->runs[i].state]++;
    }
    const struct deviations *worse = &comparison->regressions;
    const struct deviations *better = &comparison->improvements;
    gate->regressions = (struct gate_list){worse->items, worse->stored, worse->count};
    gate->improvements = (struct gate_list){better->items, better->stored, better->count};
    return good;
}

static bool compare_facts(struct comparison *comparison, const struct result_set *now,
                          const struct result_set *baseline)
{
    static const struct {
        const char *name;
        bool of_host;
    } watched[] = {{"processor", true}, {"cpu_features", true}, {"cpu_level", true},
                   {"blas", true},      {"compiler", true},     {"compiler_flags", true},
                   {"libc", true},      {"numerics", true},     {"rowmax_version", false}};
    enum { WATCHED_COUNT = sizeof watched / sizeof watched[0] };
    struct gate_fact *facts =
        arena_alloc(comparison->arena, WATCHED_COUNT, sizeof *facts, comparison->err);
    if (facts == NULL) {
        return false;
    }
    struct gate *gate = comparison->gate;
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        const char *a = result_fact(baseline, watched[i].name);
        const char *b = result_fact(now, watched[i].name);
        bool same = a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
        if (!same) {
            facts[gate->fact_count++] =
                (struct gate_fact){watched[i].name, a == NULL ? "unknown" : a,
                                   b == NULL ? "unknown" : b, watched[i].of_host};
        }
    }
    gate->facts = facts;
    return true;
}

static bool varies(const struct gate *gate, size_t field)
{
    size_t row;
    const void *first = result_shared_member(gate->now, field);
    const void *other = result_shared_member(gate->baseline, field);
    if (first != NULL && other != NULL) {
        return !field_member_equal(&run_fields[field], first, other);
    }
    first = NULL;
    for (size_t i = 0; i < gate->run_count; i++) {
        const struct result_set *set = find_row(gate, &gate->runs[i], &row);
        const void *member = result_run_member(set, row, field);
        if (first != NULL && !field_member_equal(&run_fields[field], first, member)) {
            return true;
        }
        first = first == NULL ? member : first;
    }
    return false;
}

static uint64_t find_varying(const struct gate *gate)
{
    uint64_t varying = 0;
    for (size_t f = 0; f < RUN_FIELD_COUNT; f++) {
        varying |= varies(gate, f) ? UINT64_C(1) << f : 0;
    }
    return varying;
}

static void judge(struct gate *gate, const struct gate_options *options)
{
    bool host = false;
    for (size_t i = 0; i < gate->fact_count; i++) {
        host = host || gate->facts[i].of_host;
    }
    bool other_runs = gate->states[GATE_NEW] + gate->states[GATE_MISSING] > 0;
    bool too_few = gate->runs_compared == 0 || gate->runs_compared < options->min_compared;
    gate->reasons |= gate->regressions.count > 0 ? GATE_FOR_REGRESSION : 0;
    gate->reasons |=
        gate->improvements.count > 0 && options->fail_on_improvement ? GATE_FOR_IMPROVEMENT : 0;
    gate->reasons |= other_runs && options->strict_baseline ? GATE_FOR_BASELINE : 0;
    gate->reasons |= host && options->strict_host ? GATE_FOR_HOST : 0;
    bool fails = gate->reasons != 0 && gate->runs_compared > 0;
    gate->reasons |= too_few ? GATE_FOR_TOO_FEW : 0;
    gate->verdict = fails ? GATE_FAIL : too_few ? GATE_NOTHING_COMPARED : GATE_PASS;
}

bool gate_compare(const struct result_set *now, const struct result_set *baseline,
                  const struct gate_options *options, struct arena *arena, struct gate *out,
                  struct error *err)
{
    if (now->planned == 0 || baseline->planned == 0) {
        return error_set(err, ERROR_INPUT,
                         "%s were made from a sweep without runs; there is nothing to check",
                         now->planned == 0 ? "the results" : "the results of the baseline");
    }
    *out = (struct gate){
        .now = now, .baseline = baseline, .lacking = now->lacking | baseline->lacking};
    struct comparison comparison = {.options = options, .arena = arena, .err = err, .gate = out};
    if (!pair_runs(&comparison, now, baseline) || !compare_runs(&comparison) ||
        !compare_facts(&comparison, now, baseline)) {
        return false;
    }
    out->varying = find_varying(out);
    judge(out, options);
    return true;
}

void gate_append_where(struct text *text, uint64_t fields, const struct run *run)
{
    const char *space = "";
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        char out[FIELD_VALUE_SIZE];
        bool wanted = (fields >> f & 1) != 0 && run_field_applies(run, (enum run_field)f);
        bool guard = run_field_is_guard(f);
        if (wanted && guard) {
            text_append_format(text, "%sguards=%s", space, run_guards_text(run));
            fields &= ~RUN_GUARDS;
        } else if (wanted) {
            text_append_format(text, "%s%s=%s", space, run_fields[f].name,
                               field_value_text(&run_fields[f], run, out));
        }
        space = wanted ? " " : space;
    }
}

const char *gate_measure_name(int measure)
{
    return measure == GATE_STATUS ? "status" : measurement_fields[measure].name;
}
