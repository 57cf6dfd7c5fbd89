/* SPDX-License-Identifier: MIT */
/* What somebody who wrote a value or a key that does not fit probably meant. */
#include "sweep/sweep_internal.h"

#include <stdio.h>
#include <string.h>

/* Whether the text is of two numbers and one of the marks that other notations put between. */
static bool spells_range(const char *text, char ends[2][TEXT_REAL_SIZE])
{
    static const char *const marks[] = {"...", "..", "-", " to "};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        /* A sign in front is no mark. */
        const char *mark = text[0] == '\0' ? NULL : strstr(text + 1, marks[i]);
        size_t length = mark == NULL ? 0 : (size_t)(mark - text);
        const char *rest = mark == NULL ? "" : mark + strlen(marks[i]);
        double number;
        if (mark == NULL || length >= TEXT_REAL_SIZE || strlen(rest) >= TEXT_REAL_SIZE) {
            continue;
        }
        snprintf(ends[0], TEXT_REAL_SIZE, "%.*s", (int)length, text);
        snprintf(ends[1], TEXT_REAL_SIZE, "%s", rest);
        if (text_to_real(ends[0], &number) && text_to_real(ends[1], &number)) {
            return true;
        }
    }
    return false;
}

static size_t count_choices(const struct field *field)
{
    size_t count = 0;
    while (field->choices != NULL && field->choices[count] != NULL) {
        count++;
    }
    return count;
}

const char *hint_for_value(struct reader *reader, const struct setting *setting, const char *text)
{
    const struct field *field = &run_fields[setting->fields[0]];
    bool number = field->kind == FIELD_INTEGER || field->kind == FIELD_REAL;
    const char *where = setting->use == SETTING_FIXED ? " under 'grid'" : "";
    const char *hint = "";
    char ends[2][TEXT_REAL_SIZE];
    if (!problems_open(&reader->problems) || field_is_text(field)) {
        return "";
    }
    if (strchr(text, ',') != NULL) {
        hint = arena_format(reader->arena, reader->err, "; a list has brackets%s: [%s]", where,
                            problems_shown(&reader->problems, text));
    } else if (number && spells_range(text, ends)) {
        hint = arena_format(reader->arena, reader->err, "; a range is written {from: %s, to: %s}%s",
                            ends[0], ends[1], where);
    } else if (field->kind == FIELD_CHOICE) {
        const char *nearest = text_nearest(text, field->choices, count_choices(field));
        hint = nearest == NULL
                   ? ""
                   : arena_format(reader->arena, reader->err, "; did you mean '%s'?", nearest);
    }
    return hint == NULL ? "" : hint;
}

/* The field that has a choice of this name, or NULL. */
static const struct field *field_of_choice(const char *text)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        size_t count = count_choices(&run_fields[i]);
        for (size_t c = 0; c < count; c++) {
            if (strcmp(run_fields[i].choices[c], text) == 0) {
                return &run_fields[i];
            }
        }
    }
    return NULL;
}

const char *hint_for_key(struct reader *reader, const struct node *node, const struct node *value)
{
    const char *key = node->text;
    const char *hint = NULL;
    double number;
    if (strcmp(key, "temperature") == 0) {
        return "set score_factor to 1/temperature, such as score_factor: 0.5 for a temperature of "
               "2";
    }
    if (sweep_key_find(key) < SWEEP_TOP_KEYS) {
        return node->place.origin == 0 /* it was put a level too deep */
                   ? "it is a key of the sweep itself and stands beside 'fixed' and 'grid'"
                   : "--set sets fields, name, title, keep, measures, saturation.row_max and "
                     "saturation.gradient";
    }
    if (value == NULL || !node_is_empty(value)) {
        return NULL;
    }
    /* {weights: softmax, sparsemax} is YAML for two keys. */
    const struct field *field = field_of_choice(key);
    if (field != NULL) {
        hint = arena_format(reader->arena, reader->err, "a list has brackets, such as %s: [%s, %s]",
                            field->name, field->choices[strcmp(field->choices[0], key) == 0], key);
    } else if (text_to_real(key, &number)) {
        hint = "a list has brackets, such as [1, 2]";
    }
    return hint;
}
