/* SPDX-License-Identifier: MIT */
/* `rowmax check` as JUnit XML, a test case a run; see check_internal.h. */
#include "base/escape.h"
#include "cli/check_internal.h"

#include <inttypes.h>

/* How the runs of a check count in JUnit. */
struct tally {
    uint64_t tests, failures, errors, skipped;
};

static bool is_skipped(enum gate_state state)
{
    return state == GATE_NEW || state == GATE_MISSING || state == GATE_UNMEASURED;
}

static struct tally count_runs(const struct check *check)
{
    struct tally tally = {.tests = check->gate.run_count};
    for (int state = 0; state < GATE_STATE_COUNT; state++) {
        uint64_t runs = check->gate.states[state];
        if (check_run_fails(check, (enum gate_state)state)) {
            tally.failures += runs;
        } else if (is_skipped((enum gate_state)state)) {
            tally.skipped += runs;
        }
    }
    return tally;
}

static void append_head(struct text *text, const char *name, const struct tally *tally)
{
    text_append(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int level = 0; level < 2; level++) {
        text_append(text, level == 0 ? "<testsuites" : "<testsuite");
        text_append(text, " name=\"rowmax check ");
        escape_xml(text, name);
        text_append_format(
            text, "\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\"",
            tally->tests, tally->failures, tally->errors);
        if (level == 1) {
            text_append_format(text, " skipped=\"%" PRIu64 "\"", tally->skipped);
        }
        text_append(text, ">\n");
    }
}

static void append_tail(struct text *text)
{
    text_append(text, "</testsuite>\n</testsuites>\n");
}

/* "run 3: corpus=demo seed=2": unique by the place in the plan, or by the key where there is none
 * now. */
static void append_case(struct text *text, const struct check *check, const struct gate_run *run)
{
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    struct text where = TEXT_INIT(&scratch);
    struct result space;
    const struct result *result = gate_result(&check->gate, run, &space);
    text_append(&where, "");
    gate_append_where(&where, check->gate.varying, &result->run);
    const char *value = text_finish(&where, &ignored);
    text_append(text, "<testcase classname=\"rowmax.");
    escape_xml(text, check->name);
    text_append(text, "\" name=\"run ");
    if (run->now == GATE_NO_ROW) {
        check_append_key(text, result->key);
    } else {
        text_append_format(text, "%" PRId64, result->index);
    }
    text_append(text, value == NULL || value[0] == '\0' ? "" : ": ");
    escape_xml(text, value == NULL ? "" : value);
    text_append(text, "\">");
    text->failed = text->failed || ignored.code != ERROR_NONE;
    arena_release(&scratch);
}

/* The message of a run that failed, on whichever side. */
static void append_message(struct text *text, const struct check *check, const struct gate_run *run)
{
    const char *message = gate_failure(&check->gate, run);
    if (message != NULL) {
        text_append(text, ": ");
        escape_xml(text, message);
    }
}

static void append_deviation(struct text *text, const struct gate_deviation *deviation)
{
    char baseline[TEXT_REAL_SIZE];
    char now[TEXT_REAL_SIZE];
    char delta[TEXT_REAL_SIZE];
    char allowed[TEXT_REAL_SIZE];
    int measure = deviation->measure;
    text_append_format(text, "%s: baseline %s, now %s", gate_measure_name(measure),
                       check_value(measure, deviation->baseline, baseline),
                       check_value(measure, deviation->now, now));
    if (measure != GATE_STATUS) {
        text_append_format(text, ", delta %s, allowed %s", text_from_real(deviation->delta, delta),
                           text_from_real(deviation->allowed, allowed));
    }
    text_append_format(text, ", %s\n", check_direction(measure));
}

/* The deviations of run `place`, from *next on; lists are in the order of runs. */
static void append_deviations(struct text *text, const struct gate_list *list, size_t place,
                              size_t *next)
{
    while (*next < list->stored && list->items[*next].run == place) {
        append_deviation(text, &list->items[(*next)++]);
    }
}

static const char *state_sentence(enum gate_state state)
{
    static const char *const sentences[GATE_STATE_COUNT] = {
        "",
        "measures improved beyond their tolerance",
        "measures left their tolerance",
        "no baseline for this run",
        "the baseline has this run, the results have not",
        "failed in the baseline and now"};
    return sentences[state];
}

static void append_outcome(struct text *text, const struct check *check, size_t place,
                           size_t next[2])
{
    const struct gate_run *run = &check->gate.runs[place];
    bool fails = check_run_fails(check, run->state);
    if (fails) {
        text_append_format(text, "\n<failure type=\"%s\" message=\"%s",
                           gate_state_names[run->state], state_sentence(run->state));
        append_message(text, check, run);
        text_append(text, "\">");
        append_deviations(text, &check->gate.regressions, place, &next[0]);
        append_deviations(text, &check->gate.improvements, place, &next[1]);
        text_append(text, "</failure>\n");
    } else if (is_skipped(run->state)) {
        text_append_format(text, "\n<skipped message=\"%s", state_sentence(run->state));
        append_message(text, check, run);
        text_append(text, "\"/>\n");
    } else if (run->state == GATE_IMPROVED) {
        text_append_format(text, "\n<system-out>%s\n", state_sentence(run->state));
        append_deviations(text, &check->gate.improvements, place, &next[1]);
        text_append(text, "</system-out>\n");
    }
}

void check_append_junit(struct text *text, const struct check *check)
{
    struct tally tally = count_runs(check);
    size_t next[2] = {0, 0};
    /* Failures that belong to no run. */
    const char *whole = (check->gate.reasons & GATE_FOR_HOST) != 0 ? "another host"
                        : check->gate.verdict == GATE_NOTHING_COMPARED
                            ? "too few runs were compared"
                            : NULL;
    tally.tests += whole != NULL;
    tally.failures += whole != NULL;
    append_head(text, check->name, &tally);
    if (whole != NULL) {
        text_append(text, "<testcase classname=\"rowmax.");
        escape_xml(text, check->name);
        text_append_format(text,
                           "\" name=\"comparison\">\n<failure type=\"comparison\" "
                           "message=\"%s\"/>\n</testcase>\n",
                           whole);
    }
    for (size_t i = 0; i < check->gate.run_count; i++) {
        append_case(text, check, &check->gate.runs[i]);
        append_outcome(text, check, i, next);
        text_append(text, "</testcase>\n");
    }
    append_tail(text);
}

void check_append_junit_error(struct text *text, const struct error *error)
{
    const struct tally tally = {.tests = 1, .errors = 1};
    append_head(text, "", &tally);
    text_append(text, "<testcase classname=\"rowmax\" name=\"check\">\n<error type=\"error\" "
                      "message=\"");
    escape_xml(text, error->message);
    text_append(text, "\"/>\n</testcase>\n");
    append_tail(text);
}
