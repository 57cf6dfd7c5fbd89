/* SPDX-License-Identifier: MIT */
/* See record.h. */
#include "store/record.h"

#include "store/column_values.h"

#include <stdio.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

enum { HAS_SCORES = 1, HAS_WEIGHTS = 2 };

void record_put(struct text *out, uint64_t value, size_t bytes)
{
    char raw[8];
    for (size_t i = 0; i < bytes; i++) {
        raw[i] = (char)(unsigned char)(value >> (8 * i) & 0xff);
    }
    text_append_bytes(out, raw, bytes);
}

uint64_t record_get(const char *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)(unsigned char)from[i] << (8 * i);
    }
    return value;
}

static void put_real(struct text *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    record_put(out, bits, 8);
}

static void put_text(struct text *out, const char *text)
{
    if (text == NULL) {
        record_put(out, NO_TEXT, 4);
        return;
    }
    size_t length = strlen(text);
    record_put(out, length, 4);
    text_append_bytes(out, text, length + 1);
}

static void put_field(struct text *out, const struct field *field, const void *base)
{
    switch (field->kind) {
    case FIELD_INTEGER:
        record_put(out, (uint64_t)value_integer(field, base), 8);
        break;
    case FIELD_REAL:
        put_real(out, value_real(field, base));
        break;
    case FIELD_SWITCH:
        record_put(out, value_switch(field, base), 1);
        break;
    case FIELD_CHOICE:
        put_text(out, field->choices[value_choice(field, base)]);
        break;
    case FIELD_PATH:
        put_text(out, value_text(field, base));
        put_text(out, value_digest(field, base));
        break;
    case FIELD_TEXT:
    case FIELD_ROWS:
        put_text(out, value_text(field, base));
        break;
    }
}

static void put_matrix(struct text *out, const double *matrix, const struct kept *kept)
{
    for (size_t i = 0; matrix != NULL && i < kept->queries * kept->tokens; i++) {
        put_real(out, matrix[i]);
    }
}

void record_encode(struct text *out, const struct result *result)
{
    const struct kept *kept = &result->kept;
    record_put(out, (uint64_t)result->index, 8);
    record_put(out, result->key, 8);
    record_put(out, (uint64_t)result->status, 1);
    put_text(out, result->message == NULL ? "" : result->message);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        record_put(out, result->run.given >> i & 1, 1);
        put_field(out, &run_fields[i], &result->run);
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        put_field(out, &measurement_fields[i], &result->measurement);
    }
    record_put(out, kept->tokens, 8);
    put_text(out, kept->words);
    record_put(
        out, (kept->scores != NULL ? HAS_SCORES : 0U) | (kept->weights != NULL ? HAS_WEIGHTS : 0U),
        1);
    put_matrix(out, kept->scores, kept);
    put_matrix(out, kept->weights, kept);
}

const char *record_layout_text(struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        text_append_format(&text, "run %s %s\n", run_fields[i].name,
                           value_kind_name(run_fields[i].kind));
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        text_append_format(&text, "measurement %s %s\n", measurement_fields[i].name,
                           value_kind_name(measurement_fields[i].kind));
    }
    return text_finish(&text, err);
}

static bool parse_line(char *line, struct record_field *out, struct error *err)
{
    char *rest = NULL;
    const char *part = strtok_r(line, " ", &rest);
    const char *name = strtok_r(NULL, " ", &rest);
    const char *kind_name = strtok_r(NULL, " ", &rest);
    int kind = kind_name == NULL ? -1 : value_kind_find(kind_name);
    if (part == NULL || kind < 0 ||
        (strcmp(part, "run") != 0 && strcmp(part, "measurement") != 0)) {
        return error_set(err, ERROR_FILE, "it lists a field in a way not known here");
    }
    out->of_run = strcmp(part, "run") == 0;
    out->kind = (enum field_kind)kind;
    out->field = out->of_run ? run_field_find(name) : measurement_field_find(name);
    return out->field == NULL || out->field->kind == out->kind ||
           error_set(err, ERROR_FILE, "its field '%s' is of kind %s, here of kind %s", name,
                     kind_name, value_kind_name(out->field->kind));
}

bool record_layout_parse(const char *text, struct arena *arena, struct record_layout *layout,
                         struct error *err)
{
    size_t lines = 0;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        lines++;
    }
    char *copy = arena_copy_text(arena, text, err);
    layout->fields = arena_alloc(arena, lines, sizeof *layout->fields, err);
    layout->count = 0;
    if (copy == NULL || layout->fields == NULL) {
        return false;
    }
    char *rest = NULL;
    char *line = strtok_r(copy, "\n", &rest);
    for (; line != NULL && layout->count < lines; line = strtok_r(NULL, "\n", &rest)) {
        if (!parse_line(line, &layout->fields[layout->count], err)) {
            return false;
        }
        layout->count++;
    }
    return true;
}

/* The rest of a record. Once it ran short, every value is 0. */
struct cursor {
    const char *at;
    size_t left;
    bool failed;
};

static const char *take(struct cursor *cursor, size_t size)
{
    if (cursor->failed || size > cursor->left) {
        cursor->failed = true;
        return NULL;
    }
    const char *taken = cursor->at;
    cursor->at += size;
    cursor->left -= size;
    return taken;
}

static uint64_t take_number(struct cursor *cursor, size_t bytes)
{
    const char *raw = take(cursor, bytes);
    return raw == NULL ? 0 : record_get(raw, bytes);
}

static double take_real(struct cursor *cursor)
{
    uint64_t bits = take_number(cursor, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const char *take_text(struct cursor *cursor)
{
    uint64_t length = take_number(cursor, 4);
    if (length == NO_TEXT) {
        return NULL;
    }
    const char *text = take(cursor, (size_t)length + 1);
    if (text == NULL || text[length] != '\0') {
        cursor->failed = true;
        return NULL;
    }
    return text;
}

static bool take_choice(struct cursor *cursor, const struct field *field, void *base,
                        struct error *err)
{
    const char *name = take_text(cursor);
    if (name == NULL || field == NULL) {
        return true;
    }
    int choice = value_choice_find(field, name);
    if (choice < 0) {
        return error_set(err, ERROR_FILE, "its field '%s' holds '%s', which is not known here",
                         field->name, name);
    }
    value_set_choice(field, base, choice);
    return true;
}

static void take_texts(struct cursor *cursor, const struct record_field *entry, void *base)
{
    const char *text = take_text(cursor);
    const char *digest = entry->kind == FIELD_PATH ? take_text(cursor) : NULL;
    if (entry->field == NULL) {
        return;
    }
    value_set_text(entry->field, base, text);
    if (entry->kind == FIELD_PATH) {
        value_set_digest(entry->field, base, digest);
    }
}

/* One value, kept where the field is known here. */
static bool take_field(struct cursor *cursor, const struct record_field *entry, void *base,
                       struct error *err)
{
    const struct field *field = entry->field;
    int64_t integer;
    double real;
    bool on;
    switch (entry->kind) {
    case FIELD_INTEGER:
        integer = (int64_t)take_number(cursor, 8);
        if (field != NULL) {
            value_set_integer(field, base, integer);
        }
        break;
    case FIELD_REAL:
        real = take_real(cursor);
        if (field != NULL) {
            value_set_real(field, base, real);
        }
        break;
    case FIELD_SWITCH:
        on = take_number(cursor, 1) != 0;
        if (field != NULL) {
            value_set_switch(field, base, on);
        }
        break;
    case FIELD_CHOICE:
        return take_choice(cursor, field, base, err);
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        take_texts(cursor, entry, base);
        break;
    }
    return true;
}

static bool take_fields(struct cursor *cursor, const struct record_layout *layout,
                        struct result *result, struct error *err)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct record_field *entry = &layout->fields[i];
        void *base = entry->of_run ? (void *)&result->run : (void *)&result->measurement;
        bool given = entry->of_run && take_number(cursor, 1) != 0;
        if (given && entry->field != NULL) {
            result->run.given |= UINT64_C(1) << run_field_index(entry->field);
        }
        if (!take_field(cursor, entry, base, err)) {
            return false;
        }
    }
    return true;
}

static bool take_matrix(struct cursor *cursor, const struct kept *kept, struct arena *arena,
                        const double **matrix, struct error *err)
{
    size_t tokens = kept->tokens;
    if (tokens > 0 && kept->queries > cursor->left / sizeof(double) / tokens) {
        cursor->failed = true;
        return true;
    }
    double *values = arena_alloc(arena, kept->queries * tokens, sizeof *values, err);
    *matrix = values;
    if (values == NULL) {
        return false;
    }
    for (size_t i = 0; i < kept->queries * tokens; i++) {
        values[i] = take_real(cursor);
    }
    return true;
}

static bool take_kept(struct cursor *cursor, struct arena *arena, struct result *result,
                      struct error *err)
{
    struct kept *kept = &result->kept;
    kept->tokens = (size_t)take_number(cursor, 8);
    kept->queries = result_kept_queries(result);
    kept->words = take_text(cursor);
    uint64_t flags = take_number(cursor, 1);
    return ((flags & HAS_SCORES) == 0 || take_matrix(cursor, kept, arena, &kept->scores, err)) &&
           ((flags & HAS_WEIGHTS) == 0 || take_matrix(cursor, kept, arena, &kept->weights, err));
}

bool record_decode(const struct record_layout *layout, const char *bytes, size_t size,
                   struct arena *arena, struct result *result, struct error *err)
{
    struct cursor cursor = {bytes, size, false};
    *result = value_empty_result();
    result->index = (int64_t)take_number(&cursor, 8);
    result->key = take_number(&cursor, 8);
    result->status = (int)take_number(&cursor, 1);
    result->message = take_text(&cursor);
    if (!take_fields(&cursor, layout, result, err) || !take_kept(&cursor, arena, result, err)) {
        return false;
    }
    bool whole = !cursor.failed && cursor.left == 0 && result->message != NULL &&
                 (result->status == RESULT_OK || result->status == RESULT_FAILED);
    return whole || error_set(err, ERROR_FILE, "a record does not fit its field list");
}
