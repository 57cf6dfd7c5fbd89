/* SPDX-License-Identifier: MIT */
/* Bytes to results; see record.h. */
#include "store/record.h"

#include "store/column_values.h"

#include <string.h>

uint64_t record_get(const char *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)(unsigned char)from[i] << (8 * i);
    }
    return value;
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
    layout->lacking = measurement_fields_all();
    if (copy == NULL || layout->fields == NULL) {
        return false;
    }
    char *rest = NULL;
    char *line = strtok_r(copy, "\n", &rest);
    for (; line != NULL && layout->count < lines; line = strtok_r(NULL, "\n", &rest)) {
        struct record_field *entry = &layout->fields[layout->count++];
        if (!parse_line(line, entry, err)) {
            return false;
        }
        if (!entry->of_run && entry->field != NULL) {
            layout->lacking &= ~(UINT64_C(1) << (entry->field - measurement_fields));
        }
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
    if (length == RECORD_NO_TEXT) {
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

/* One entry of the list: for a field of the run whether the sweep set it, then the value. */
static bool take_entry(struct cursor *cursor, const struct record_field *entry,
                       struct result *result, struct error *err)
{
    if (!entry->of_run) {
        return take_field(cursor, entry, &result->measurement, err);
    }
    bool given = take_number(cursor, 1) != 0;
    if (entry->field != NULL) {
        uint64_t bit = UINT64_C(1) << run_field_index(entry->field);
        result->run.given = given ? result->run.given | bit : result->run.given & ~bit;
    }
    return take_field(cursor, entry, &result->run, err);
}

static bool take_fields(struct cursor *cursor, const struct record_layout *layout,
                        struct result *result, struct error *err)
{
    for (size_t i = 0; i < layout->count; i++) {
        if (!take_entry(cursor, &layout->fields[i], result, err)) {
            return false;
        }
    }
    return true;
}

static bool take_differences(struct cursor *cursor, const struct record_layout *layout,
                             struct result *result, struct error *err)
{
    const char *mask = take(cursor, (layout->count + 7) / 8);
    for (size_t i = 0; mask != NULL && i < layout->count; i++) {
        if (record_is_marked((const unsigned char *)mask, i) &&
            !take_entry(cursor, &layout->fields[i], result, err)) {
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
    return ((flags & RECORD_HAS_SCORES) == 0 ||
            take_matrix(cursor, kept, arena, &kept->scores, err)) &&
           ((flags & RECORD_HAS_WEIGHTS) == 0 ||
            take_matrix(cursor, kept, arena, &kept->weights, err));
}

static bool check_whole(const struct cursor *cursor, const struct result *result, struct error *err)
{
    bool whole = !cursor->failed && cursor->left == 0 && result->message != NULL &&
                 (result->status == RESULT_OK || result->status == RESULT_FAILED);
    return whole || error_set(err, ERROR_FILE, "a record does not fit its field list");
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
    result->lacking = layout->lacking;
    return take_fields(&cursor, layout, result, err) && take_kept(&cursor, arena, result, err) &&
           check_whole(&cursor, result, err);
}

bool record_decode_compact(const struct record_layout *layout, const struct result *base,
                           const char *bytes, size_t size, struct arena *arena,
                           struct result *result, struct error *err)
{
    struct cursor cursor = {bytes, size, false};
    *result = *base;
    result->kept = (struct kept){0, 0, NULL, NULL, NULL};
    result->index = (int64_t)take_number(&cursor, 8);
    result->key = take_number(&cursor, 8);
    uint64_t flags = take_number(&cursor, 1);
    result->status = (flags & RECORD_IS_FAILED) != 0 ? RESULT_FAILED : RESULT_OK;
    if (!take_differences(&cursor, layout, result, err)) {
        return false;
    }
    result->message = (flags & RECORD_HAS_MESSAGE) != 0 ? take_text(&cursor) : "";
    return ((flags & RECORD_HAS_KEPT) == 0 || take_kept(&cursor, arena, result, err)) &&
           check_whole(&cursor, result, err);
}
