/* SPDX-License-Identifier: MIT */
/* What `rowmax check` prints, and the words that its documents share; see check_internal.h. */
#include "cli/check_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const struct check_reason check_reasons[] = {
    {GATE_FOR_REGRESSION, "regression"},    {GATE_FOR_IMPROVEMENT, "improvement"},
    {GATE_FOR_BASELINE, "baseline"},        {GATE_FOR_HOST, "host"},
    {GATE_FOR_TOO_FEW, "too few compared"}, {0, NULL}};

const char *check_verdict_name(enum gate_verdict verdict)
{
    static const char *const names[] = {"pass", "fail", "nothing compared"};
    return names[verdict];
}

void check_append_key(struct text *text, uint64_t key)
{
    text_append_format(text, "%016" PRIx64, key);
}

const char *check_value(int measure, double value, char out[TEXT_REAL_SIZE])
{
    if (measure == GATE_STATUS) {
        return value == 0 ? "ok" : "failed";
    }
    return text_from_real(value, out);
}

const char *check_direction(int measure)
{
    return measure == GATE_STATUS ? "ok is better"
                                  : measure_direction_text(measure_direction(measure));
}

bool check_run_fails(const struct check *check, enum gate_state state)
{
    bool other = state == GATE_NEW || state == GATE_MISSING;
    return state == GATE_REGRESSED || (state == GATE_IMPROVED && check->fail_on_improvement) ||
           (other && check->strict_baseline);
}

/* Texts of a sweep may hold tabs and worse. */
static void append_printable(struct text *text, const char *value)
{
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    char *out = arena_alloc(&scratch, strlen(value) + 1, 1, &ignored);
    text->failed = text->failed || out == NULL;
    text_append(text, out == NULL ? "" : text_printable(value, out, strlen(value) + 1));
    arena_release(&scratch);
}

static void append_where(struct text *text, const struct check *check, const struct result *result)
{
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    struct text where = TEXT_INIT(&scratch);
    text_append(&where, "");
    gate_append_where(&where, check->gate.varying, &result->run);
    const char *value = text_finish(&where, &ignored);
    text->failed = text->failed || value == NULL;
    append_printable(text, value == NULL || value[0] == '\0' ? "-" : value);
    arena_release(&scratch);
}

static void append_run(struct text *text, const char *word, const struct result *result)
{
    text_append_format(text, "%s\t%" PRId64 "\t", word, result->index);
    check_append_key(text, result->key);
}

static void append_number(struct text *text, int measure, double value)
{
    char out[TEXT_REAL_SIZE];
    text_append_format(text, "\t%s", check_value(measure, value, out));
}

static void append_deviation(struct text *text, const struct check *check, const char *word,
                             const struct gate_deviation *deviation)
{
    const struct gate_run *run = &check->gate.runs[deviation->run];
    struct result space;
    const struct result *result = gate_result(&check->gate, run, &space);
    bool status = deviation->measure == GATE_STATUS;
    append_run(text, word, result);
    text_append_format(text, "\t%s", gate_measure_name(deviation->measure));
    append_number(text, deviation->measure, deviation->baseline);
    append_number(text, deviation->measure, deviation->now);
    if (status) {
        text_append(text, "\t-\t-");
    } else {
        append_number(text, deviation->measure, deviation->delta);
        append_number(text, deviation->measure, deviation->allowed);
    }
    text_append_format(text, "\t%s\t", check_direction(deviation->measure));
    append_where(text, check, result);
    if (status) {
        text_append(text, ": ");
        append_printable(text, gate_failure(&check->gate, run));
    }
    text_append(text, "\n");
}

static void append_list(struct text *text, const struct check *check, const char *word,
                        const struct gate_list *list)
{
    for (size_t i = 0; i < list->stored; i++) {
        append_deviation(text, check, word, &list->items[i]);
    }
    if (list->count > list->stored) {
        text_append_format(text, "... and %" PRIu64 " more of '%s'\n", list->count - list->stored,
                           word);
    }
}

static void append_unpaired(struct text *text, const struct check *check, enum gate_state state)
{
    size_t listed = 0;
    const char *word = gate_state_names[state];
    for (size_t i = 0; i < check->gate.run_count && listed < CHECK_LISTED_LIMIT; i++) {
        if (check->gate.runs[i].state == state) {
            struct result space;
            const struct result *result = gate_result(&check->gate, &check->gate.runs[i], &space);
            append_run(text, word, result);
            text_append(text, "\t-\t-\t-\t-\t-\t-\t");
            append_where(text, check, result);
            text_append(text, "\n");
            listed++;
        }
    }
    if (check->gate.states[state] > listed) {
        text_append_format(text, "... and %" PRIu64 " more of '%s'\n",
                           check->gate.states[state] - listed, word);
    }
}

static void append_steps(struct text *text, const struct check *check)
{
    const struct history_steps *steps = &check->steps;
    size_t shown = steps->count < CHECK_LISTED_LIMIT ? steps->count : CHECK_LISTED_LIMIT;
    for (size_t i = 0; i < shown; i++) {
        const struct history_step *step = &steps->items[i];
        char before[TEXT_REAL_SIZE];
        char after[TEXT_REAL_SIZE];
        text_append_format(text, "%s stepped on ", measurement_fields[step->measure].name);
        append_printable(text, step->date);
        text_append_format(text, " from %s to %s", text_from_real(step->before, before),
                           text_from_real(step->after, after));
        text_append(text, step->where[0] == '\0' ? "" : " where ");
        append_printable(text, step->where);
        text_append(text, "\n");
    }
    if (steps->count > shown) {
        text_append_format(text, "... and %zu more steps\n", steps->count - shown);
    }
}

static void append_counted(struct text *text, const char *before, uint64_t count, const char *one)
{
    text_append_format(text, "%s%" PRIu64 " %s%s", before, count, one, count == 1 ? "" : "s");
}

/* The name in documents stands for too few as well, but here the number stands on the same line. */
static const char *sum_word(const struct gate *gate)
{
    bool some = gate->verdict == GATE_NOTHING_COMPARED && gate->runs_compared > 0;
    return some ? "too few compared" : check_verdict_name(gate->verdict);
}

static void append_sum(struct text *text, const struct check *check)
{
    const struct gate *gate = &check->gate;
    append_counted(text, "compared ", gate->runs_compared, "run");
    append_counted(text, ", ", gate->measures_compared, "measure");
    append_counted(text, ": ", gate->regressions.count, "regression");
    append_counted(text, ", ", gate->improvements.count, "improvement");
    text_append_format(text, ", %" PRIu64 " new, %" PRIu64 " missing, %" PRIu64 " failed in both",
                       gate->states[GATE_NEW], gate->states[GATE_MISSING],
                       gate->states[GATE_UNMEASURED]);
    text_append_format(text, ": %s\n", sum_word(gate));
}

void check_append_lines(struct text *text, const struct check *check)
{
    const struct gate *gate = &check->gate;
    uint64_t unpaired = gate->states[GATE_NEW] + gate->states[GATE_MISSING];
    if (gate->regressions.count + gate->improvements.count + unpaired > 0) {
        text_append(text, "verdict\trun\tkey\tmeasure\tbaseline\tnow\tdelta\tallowed\tdirection\t"
                          "where\n");
    }
    append_list(text, check, "regression", &gate->regressions);
    append_list(text, check, "improved", &gate->improvements);
    append_unpaired(text, check, GATE_NEW);
    append_unpaired(text, check, GATE_MISSING);
    append_steps(text, check);
    append_sum(text, check);
}
