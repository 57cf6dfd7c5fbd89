/* SPDX-License-Identifier: MIT */
/* The faults of a sweep, sorted by position into one message; see problems.h. */
#include "sweep/problems.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORED_LIMIT 1000
#define SHOWN_LIMIT 50
#define SHOWN_TEXT_SIZE 64
#define LINE_SIZE 640

struct problem {
    struct place place;
    size_t sequence;
    const char *message;
};

bool problems_open(const struct problems *problems)
{
    return problems->stored < STORED_LIMIT;
}

void problems_add(struct problems *problems, struct place place, const char *format, ...)
{
    problems->count++;
    if (!problems_open(problems)) {
        return;
    }
    char line[LINE_SIZE];
    char printable[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_printable(line, printable, sizeof printable);
    const char *message = arena_copy_text(problems->arena, printable, problems->err);
    struct problem *list = arena_grow(problems->arena, problems->list, problems->stored,
                                      &problems->capacity, sizeof *list, problems->err);
    if (message == NULL || list == NULL) {
        return;
    }
    problems->list = list;
    list[problems->stored] =
        (struct problem){.place = place, .sequence = problems->stored, .message = message};
    problems->stored++;
}

const char *problems_shown(struct problems *problems, const char *text)
{
    char out[SHOWN_TEXT_SIZE];
    text_printable(text, out, sizeof out);
    const char *copy = arena_format(problems->arena, problems->err, "%s%s", out,
                                    strlen(text) > strlen(out) ? "..." : "");
    return copy == NULL ? "" : copy;
}

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_problems(const void *left, const void *right)
{
    const struct problem *a = left;
    const struct problem *b = right;
    int order = compare_sizes(a->place.origin, b->place.origin);
    order = order != 0 ? order : compare_sizes(a->place.line, b->place.line);
    order = order != 0 ? order : compare_sizes(a->place.column, b->place.column);
    return order != 0 ? order : compare_sizes(a->sequence, b->sequence);
}

/* The path is never cut: editors jump to it. */
static const char *printable_path(struct problems *problems)
{
    size_t size = strlen(problems->path) + 1;
    char *path = arena_alloc(problems->arena, size, 1, problems->err);
    return path == NULL ? "" : text_printable(problems->path, path, size);
}

static void append_problem(struct problems *problems, struct text *text, const char *path,
                           const struct problem *problem)
{
    const struct place *place = &problem->place;
    if (place->origin == 0) {
        text_append_format(text, "%s:%zu:%zu: %s", path, place->line, place->column,
                           problem->message);
    } else {
        const char *set = problems->sets[place->origin - 1];
        text_append_format(text, "--set %s: %s", problems_shown(problems, set), problem->message);
    }
}

bool problems_finish(struct problems *problems)
{
    if (problems->count == 0 || problems->err->code != ERROR_NONE) {
        return problems->err->code == ERROR_NONE;
    }
    qsort(problems->list, problems->stored, sizeof *problems->list, compare_problems);
    const char *path = printable_path(problems);
    size_t longest = strlen(path) + LINE_SIZE + (size_t)2 * SHOWN_TEXT_SIZE;
    struct text text = TEXT_INIT(problems->arena);
    size_t shown = 0;
    while (shown < problems->stored && shown < SHOWN_LIMIT &&
           (shown == 0 || text.length + longest < ERROR_MESSAGE_SIZE)) {
        text_append(&text, shown == 0 ? "" : "\n");
        append_problem(problems, &text, path, &problems->list[shown]);
        shown++;
    }
    if (shown < problems->count) {
        text_append_format(&text, "\n... and %zu more", problems->count - shown);
    }
    bool usage = problems->list[problems->stored - 1].place.origin != 0;
    const char *message = text_finish(&text, problems->err);
    return message != NULL &&
           error_set_lines(problems->err, usage ? ERROR_USAGE : ERROR_INPUT, message);
}
