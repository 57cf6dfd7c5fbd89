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
#define LAST_LINE_SIZE 40 /* "... and 123 more" */

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
    order = order != 0 ? order : compare_sizes(a->place.file, b->place.file);
    order = order != 0 ? order : compare_sizes(a->place.line, b->place.line);
    order = order != 0 ? order : compare_sizes(a->place.column, b->place.column);
    return order != 0 ? order : compare_sizes(a->sequence, b->sequence);
}

const char *problems_path(const struct problems *problems, size_t file)
{
    return file == 0 || problems->files == NULL ? problems->path : problems->files[file].path;
}

/* The path is never cut: editors jump to it. */
static void append_place(struct problems *problems, struct text *text, const struct place *place)
{
    const char *path = problems_path(problems, place->file);
    size_t size = strlen(path) + 1;
    char *printable = arena_alloc(problems->arena, size, 1, problems->err);
    if (printable != NULL) {
        text_append_format(text, "%s:%zu:%zu", text_printable(path, printable, size), place->line,
                           place->column);
    }
}

static void append_problem(struct problems *problems, struct text *text,
                           const struct problem *problem)
{
    const struct place *place = &problem->place;
    if (place->origin == 0) {
        append_place(problems, text, place);
        text_append_format(text, ": %s", problem->message);
        for (size_t file = place->file; file != 0; file = problems->files[file].place.file) {
            text_append(text, file == place->file ? " (included from " : ", from ");
            append_place(problems, text, &problems->files[file].place);
        }
        text_append(text, place->file == 0 ? "" : ")");
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
    struct text text = TEXT_INIT(problems->arena);
    size_t shown = 0;
    while (shown < problems->stored && shown < SHOWN_LIMIT) {
        struct text line = TEXT_INIT(problems->arena);
        append_problem(problems, &line, &problems->list[shown]);
        const char *written = text_finish(&line, problems->err);
        if (written == NULL) {
            return false;
        }
        if (shown > 0 && text.length + line.length + LAST_LINE_SIZE >= ERROR_MESSAGE_SIZE) {
            break;
        }
        text_append(&text, shown == 0 ? "" : "\n");
        text_append(&text, written);
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
