/* SPDX-License-Identifier: MIT */
/* The verdict of `rowmax check` as one JSON document; see check_internal.h. */
#include "base/escape.h"
#include "cli/check_internal.h"

#include <inttypes.h>
#include <math.h>

static void append_text_member(struct text *text, const char *name, const char *value)
{
    text_append_format(text, "\"%s\": ", name);
    if (value == NULL) {
        text_append(text, "null");
    } else {
        escape_json(text, value);
    }
}

/* What a number is, where JSON's null does not tell. */
static const char *value_status(int measure, double value)
{
    if (measure == GATE_STATUS) {
        return value == 0 ? "ok" : "failed";
    }
    if (isnan(value)) {
        return "nan";
    }
    return isfinite(value) ? "number" : value > 0 ? "infinity" : "-infinity";
}

static void append_value(struct text *text, const char *name, int measure, double value)
{
    text_append_format(text, ", \"%s\": ", name);
    escape_json_number(text, measure == GATE_STATUS ? (double)NAN : value);
    text_append_format(text, ", \"%s_status\": \"%s\"", name, value_status(measure, value));
}

static void append_run(struct text *text, const struct check *check, const struct gate_run *run)
{
    struct result space;
    const struct result *result = gate_result(&check->gate, run, &space);
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    struct text where = TEXT_INIT(&scratch);
    text_append(&where, "");
    gate_append_where(&where, check->gate.varying, &result->run);
    text_append_format(text, "{\"run\": %" PRId64 ", \"key\": \"", result->index);
    check_append_key(text, result->key);
    text_append(text, "\", ");
    append_text_member(text, "where", text_finish(&where, &ignored));
    text->failed = text->failed || ignored.code != ERROR_NONE;
    arena_release(&scratch);
}

static void append_deviation(struct text *text, const struct check *check,
                             const struct gate_deviation *deviation)
{
    int measure = deviation->measure;
    const struct gate_run *run = &check->gate.runs[deviation->run];
    bool status = measure == GATE_STATUS;
    append_run(text, check, run);
    text_append_format(text, ", \"measure\": \"%s\"", gate_measure_name(measure));
    append_value(text, "baseline", measure, deviation->baseline);
    append_value(text, "now", measure, deviation->now);
    text_append(text, ", \"delta\": ");
    escape_json_number(text, status ? (double)NAN : deviation->delta);
    text_append(text, ", \"allowed\": ");
    escape_json_number(text, status ? (double)NAN : deviation->allowed);
    text_append_format(text, ", \"direction\": \"%s\", ", check_direction(measure));
    append_text_member(text, "message", status ? gate_failure(&check->gate, run) : NULL);
    text_append(text, "}");
}

static void append_list(struct text *text, const struct check *check, const char *name,
                        const struct gate_list *list)
{
    text_append_format(text, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < list->stored; i++) {
        text_append(text, i == 0 ? "\n    " : ",\n    ");
        append_deviation(text, check, &list->items[i]);
    }
    text_append_format(text, "],\n  \"%s_left_out\": %" PRIu64, name, list->count - list->stored);
}

static void append_runs(struct text *text, const struct check *check, enum gate_state state)
{
    size_t listed = 0;
    text_append_format(text, ",\n  \"%s\": [", gate_state_names[state]);
    for (size_t i = 0; i < check->gate.run_count && listed < GATE_KEPT_LIMIT; i++) {
        if (check->gate.runs[i].state == state) {
            text_append(text, listed++ == 0 ? "\n    " : ",\n    ");
            append_run(text, check, &check->gate.runs[i]);
            text_append(text, "}");
        }
    }
    text_append(text, "]");
}

static void append_counts(struct text *text, const struct gate *gate)
{
    text_append_format(text,
                       ",\n  \"counts\": {\"runs_compared\": %" PRIu64
                       ", \"measures_compared\": %" PRIu64 ", \"regressions\": %" PRIu64
                       ", \"improvements\": %" PRIu64,
                       gate->runs_compared, gate->measures_compared, gate->regressions.count,
                       gate->improvements.count);
    for (int state = 0; state < GATE_STATE_COUNT; state++) {
        text_append_format(text, ", \"runs_%s\": %" PRIu64, gate_state_names[state],
                           gate->states[state]);
    }
    text_append(text, "}");
}

static void append_facts(struct text *text, const struct gate *gate)
{
    text_append(text, ",\n  \"differs\": [");
    for (size_t i = 0; i < gate->fact_count; i++) {
        text_append(text, i == 0 ? "{" : ", {");
        append_text_member(text, "name", gate->facts[i].name);
        text_append(text, ", ");
        append_text_member(text, "baseline", gate->facts[i].baseline);
        text_append(text, ", ");
        append_text_member(text, "now", gate->facts[i].now);
        text_append_format(text, ", \"host\": %s}", gate->facts[i].of_host ? "true" : "false");
    }
    text_append(text, "]");
}

/* A field that has other values in the baseline, where no run is in both. */
static void append_fields(struct text *text, const struct contrasts *fields)
{
    text_append(text, ",\n  \"fields\": [");
    for (size_t i = 0; i < fields->count; i++) {
        text_append(text, i == 0 ? "{" : ", {");
        append_text_member(text, "name", fields->items[i].name);
        text_append(text, ", ");
        append_text_member(text, "baseline", fields->items[i].only[0]);
        text_append(text, ", ");
        append_text_member(text, "now", fields->items[i].only[1]);
        text_append(text, "}");
    }
    text_append(text, "]");
}

static void append_steps(struct text *text, const struct check *check)
{
    if (!check->has_history) {
        text_append(text, ",\n  \"steps\": null");
        return;
    }
    text_append(text, ",\n  \"steps\": [");
    for (size_t i = 0; i < check->steps.count; i++) {
        const struct history_step *step = &check->steps.items[i];
        text_append(text, i == 0 ? "\n    {" : ",\n    {");
        append_text_member(text, "date", step->date);
        text_append_format(text, ", \"measure\": \"%s\", ", measurement_fields[step->measure].name);
        append_text_member(text, "where", step->where);
        text_append(text, ", \"before\": ");
        escape_json_number(text, step->before);
        text_append(text, ", \"after\": ");
        escape_json_number(text, step->after);
        text_append(text, "}");
    }
    text_append(text, "]");
}

static void append_head(struct text *text, const char *verdict, int exit_status)
{
    text_append_format(text,
                       "{\n  \"rowmax_check\": 1,\n  \"verdict\": \"%s\",\n  \"exit\": %d,\n  "
                       "\"reasons\": [",
                       verdict, exit_status);
}

static void append_inputs(struct text *text, const char *message, const char *results,
                          const char *baseline, const char *tolerance, const char *name)
{
    text_append(text, "],\n  ");
    append_text_member(text, "message", message);
    text_append(text, ",\n  ");
    append_text_member(text, "results", results);
    text_append(text, ",\n  ");
    append_text_member(text, "baseline", baseline);
    text_append(text, ",\n  ");
    append_text_member(text, "tolerance", tolerance);
    text_append(text, ",\n  ");
    append_text_member(text, "name", name);
}

void check_append_json(struct text *text, const struct check *check)
{
    static const int exits[] = {0, 1, 4};
    const struct gate *gate = &check->gate;
    const char *comma = "";
    append_head(text, check_verdict_name(gate->verdict), exits[gate->verdict]);
    for (const struct check_reason *reason = check_reasons; reason->name != NULL; reason++) {
        if ((gate->reasons & reason->bit) != 0) {
            text_append_format(text, "%s\"%s\"", comma, reason->name);
            comma = ", ";
        }
    }
    append_inputs(text, NULL, check->results, check->baseline, check->tolerance, check->name);
    append_counts(text, gate);
    append_facts(text, gate);
    append_fields(text, &check->fields);
    text_append(text, ",\n  \"warnings\": [");
    for (size_t i = 0; i < check->warning_count; i++) {
        text_append(text, i == 0 ? "" : ", ");
        escape_json(text, check->warnings[i]);
    }
    text_append(text, "]");
    append_list(text, check, "regressions", &gate->regressions);
    append_list(text, check, "improvements", &gate->improvements);
    append_runs(text, check, GATE_NEW);
    append_runs(text, check, GATE_MISSING);
    append_runs(text, check, GATE_UNMEASURED);
    append_steps(text, check);
    text_append(text, "\n}\n");
}

void check_append_json_error(struct text *text, const struct check *check,
                             const struct error *error)
{
    append_head(text, "error", error_exit_status(error->code));
    append_inputs(text, error->message, check->results, check->baseline, check->tolerance, NULL);
    text_append(
        text,
        ",\n  \"counts\": null,\n  \"differs\": [],\n  \"fields\": [],\n  \"warnings\": [],\n  "
        "\"regressions\": [],\n  \"regressions_left_out\": 0,\n  \"improvements\": [],\n  "
        "\"improvements_left_out\": 0,\n  \"new\": [],\n  \"missing\": [],\n  "
        "\"unmeasured\": [],\n  \"steps\": null\n}\n");
}
