/* SPDX-License-Identifier: MIT */
/* Annotations for GitHub Actions; see check_internal.h. */
#include "base/escape.h"
#include "cli/check_internal.h"

#include <inttypes.h>

#define SHOWN_LIMIT 10

static void append_line(struct text *text, const char *level, const char *title,
                        const char *message)
{
    text_append_format(text, "::%s title=", level);
    escape_github(text, title, true);
    text_append(text, "::");
    escape_github(text, message == NULL ? "" : message, false);
    text_append(text, "\n");
}

static void append_deviation(struct text *text, const struct check *check, const char *level,
                             const char *title, const struct gate_deviation *deviation)
{
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    struct text message = TEXT_INIT(&scratch);
    const struct gate_run *run = &check->gate.runs[deviation->run];
    struct result space;
    const struct result *result = gate_result(&check->gate, run, &space);
    char baseline[TEXT_REAL_SIZE];
    char now[TEXT_REAL_SIZE];
    char delta[TEXT_REAL_SIZE];
    char allowed[TEXT_REAL_SIZE];
    int measure = deviation->measure;
    text_append_format(&message, "%s of run %" PRId64 " (", gate_measure_name(measure),
                       result->index);
    gate_append_where(&message, check->gate.varying, &result->run);
    text_append_format(&message, "): baseline %s, now %s",
                       check_value(measure, deviation->baseline, baseline),
                       check_value(measure, deviation->now, now));
    if (measure != GATE_STATUS) {
        text_append_format(&message, ", delta %s, allowed %s; %s",
                           text_from_real(deviation->delta, delta),
                           text_from_real(deviation->allowed, allowed), check_direction(measure));
    } else if (result->status != RESULT_OK) {
        text_append_format(&message, ": %s", result->message);
    }
    append_line(text, level, title, text_finish(&message, &ignored));
    arena_release(&scratch);
}

/* GitHub shows ten annotations of a level; the last of more says how many there are. */
static void append_list(struct text *text, const struct check *check, const char *level,
                        const char *title, const struct gate_list *list)
{
    size_t shown = list->count > SHOWN_LIMIT ? SHOWN_LIMIT - 1 : list->stored;
    for (size_t i = 0; i < shown; i++) {
        append_deviation(text, check, level, title, &list->items[i]);
    }
    if (list->count > shown) {
        text_append_format(text, "::%s title=%s::and %" PRIu64 " more, %" PRIu64 " in all\n", level,
                           title, list->count - shown, list->count);
    }
}

void check_append_github(struct text *text, const struct check *check)
{
    const struct gate *gate = &check->gate;
    append_list(text, check, "error", "rowmax regression", &gate->regressions);
    append_list(text, check, check->fail_on_improvement ? "error" : "notice", "rowmax improvement",
                &gate->improvements);
    for (size_t i = 0; i < check->warning_count && i < SHOWN_LIMIT; i++) {
        append_line(text, "warning", "rowmax check", check->warnings[i]);
    }
    if (gate->verdict == GATE_NOTHING_COMPARED) {
        append_line(text, "error", "rowmax check", "too few runs were compared");
    }
}

void check_append_github_error(struct text *text, const struct error *error)
{
    append_line(text, "error", "rowmax check", error->message);
}
