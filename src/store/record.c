/* SPDX-License-Identifier: MIT */
/* Results to bytes; see record.h. */
#include "store/record.h"

#include "store/column_values.h"

#include <string.h>

#define ENTRIES_MAX (RUN_FIELD_COUNT + MEASUREMENT_FIELD_COUNT)

void record_put(struct text *out, uint64_t value, size_t bytes)
{
    char raw[8];
    for (size_t i = 0; i < bytes; i++) {
        raw[i] = (char)(unsigned char)(value >> (8 * i) & 0xff);
    }
    text_append_bytes(out, raw, bytes);
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
        record_put(out, RECORD_NO_TEXT, 4);
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

static void put_kept(struct text *out, const struct kept *kept)
{
    record_put(out, kept->tokens, 8);
    put_text(out, kept->words);
    record_put(out,
               (kept->scores != NULL ? RECORD_HAS_SCORES : 0U) |
                   (kept->weights != NULL ? RECORD_HAS_WEIGHTS : 0U),
               1);
    put_matrix(out, kept->scores, kept);
    put_matrix(out, kept->weights, kept);
}

static bool is_stored(uint64_t lacking, size_t measure)
{
    return (lacking >> measure & 1) == 0;
}

void record_encode(struct text *out, const struct result *result)
{
    record_put(out, (uint64_t)result->index, 8);
    record_put(out, result->key, 8);
    record_put(out, (uint64_t)result->status, 1);
    put_text(out, result->message == NULL ? "" : result->message);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        record_put(out, result->run.given >> i & 1, 1);
        put_field(out, &run_fields[i], &result->run);
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (is_stored(result->lacking, i)) {
            put_field(out, &measurement_fields[i], &result->measurement);
        }
    }
    put_kept(out, &result->kept);
}

/* Whether two values have the same bytes: a NaN equals itself, and 0 differs from -0. */
static bool same_value(const struct field *field, const void *a, const void *b)
{
    const char *left = (const char *)a + field->offset;
    const char *right = (const char *)b + field->offset;
    switch (field->kind) {
    case FIELD_INTEGER:
    case FIELD_REAL:
        return memcmp(left, right, 8) == 0;
    case FIELD_SWITCH:
        return memcmp(left, right, sizeof(bool)) == 0;
    case FIELD_CHOICE:
        return memcmp(left, right, sizeof(int)) == 0;
    case FIELD_PATH:
        return value_texts_equal(value_text(field, a), value_text(field, b)) &&
               value_texts_equal(value_digest(field, a), value_digest(field, b));
    case FIELD_TEXT:
    case FIELD_ROWS:
        break;
    }
    return value_texts_equal(value_text(field, a), value_text(field, b));
}

enum { WORDS = sizeof(struct run) / sizeof(uint64_t) };
_Static_assert(sizeof(struct run) % sizeof(uint64_t) == 0, "a run is whole words");

/* Which eight bytes of two runs differ; most do not, and a field in such is the same. */
static void compare_words(const struct run *a, const struct run *b, bool differs[WORDS])
{
    const char *left = (const char *)a;
    const char *right = (const char *)b;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, left + i * sizeof x, sizeof x);
        memcpy(&y, right + i * sizeof y, sizeof y);
        differs[i] = x != y;
    }
}

/* The bits of the entries in which two results of one layout differ; returns how many entries there
 * are. */
static size_t find_differences(const struct result *a, const struct result *b,
                               unsigned char mask[(ENTRIES_MAX + 7) / 8])
{
    size_t entry = 0;
    uint64_t given = a->run.given ^ b->run.given;
    bool differs[WORDS];
    compare_words(&a->run, &b->run, differs);
    memset(mask, 0, (ENTRIES_MAX + 7) / 8);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++, entry++) {
        const struct field *field = &run_fields[i];
        bool touched = differs[field->offset / sizeof(uint64_t)] ||
                       (field->kind == FIELD_PATH && differs[field->digest / sizeof(uint64_t)]);
        if ((given >> i & 1) != 0 || (touched && !same_value(field, &a->run, &b->run))) {
            mask[entry / 8] |= (unsigned char)(1U << entry % 8);
        }
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (!is_stored(a->lacking, i)) {
            continue;
        }
        if (!same_value(&measurement_fields[i], &a->measurement, &b->measurement)) {
            mask[entry / 8] |= (unsigned char)(1U << entry % 8);
        }
        entry++;
    }
    return entry;
}

/* Numbers gathered before they are appended: one by one they would take longer than to compress. */
struct numbers {
    char bytes[ENTRIES_MAX * 9];
    size_t size;
};

static void flush(struct text *out, struct numbers *numbers)
{
    text_append_bytes(out, numbers->bytes, numbers->size);
    numbers->size = 0;
}

static void add_number(struct numbers *numbers, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        numbers->bytes[numbers->size++] = (char)(unsigned char)(value >> (8 * i) & 0xff);
    }
}

static void add_value(struct text *out, struct numbers *numbers, const struct field *field,
                      const void *base)
{
    uint64_t bits;
    if (field->kind == FIELD_INTEGER || field->kind == FIELD_REAL) {
        memcpy(&bits, (const char *)base + field->offset, sizeof bits);
        add_number(numbers, bits, sizeof bits);
    } else {
        flush(out, numbers);
        put_field(out, field, base);
    }
}

static void put_differences(struct text *out, const struct result *base,
                            const struct result *result)
{
    unsigned char mask[(ENTRIES_MAX + 7) / 8];
    struct numbers numbers;
    size_t count = find_differences(base, result, mask);
    size_t entry = 0;
    text_append_bytes(out, (const char *)mask, (count + 7) / 8);
    numbers.size = 0;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++, entry++) {
        if (record_is_marked(mask, entry)) {
            add_number(&numbers, result->run.given >> i & 1, 1);
            add_value(out, &numbers, &run_fields[i], &result->run);
        }
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (!is_stored(result->lacking, i)) {
            continue;
        }
        if (record_is_marked(mask, entry)) {
            add_value(out, &numbers, &measurement_fields[i], &result->measurement);
        }
        entry++;
    }
    flush(out, &numbers);
}

void record_encode_compact(struct text *out, const struct result *base, const struct result *result)
{
    bool message = result->message != NULL && result->message[0] != '\0';
    bool kept = result->kept.tokens > 0;
    record_put(out, (uint64_t)result->index, 8);
    record_put(out, result->key, 8);
    record_put(out,
               (result->status == RESULT_FAILED ? RECORD_IS_FAILED : 0U) |
                   (message ? RECORD_HAS_MESSAGE : 0U) | (kept ? RECORD_HAS_KEPT : 0U),
               1);
    put_differences(out, base, result);
    if (message) {
        put_text(out, result->message);
    }
    if (kept) {
        put_kept(out, &result->kept);
    }
}

const char *record_layout_text(uint64_t lacking, struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        text_append_format(&text, "run %s %s\n", run_fields[i].name,
                           value_kind_name(run_fields[i].kind));
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (is_stored(lacking, i)) {
            text_append_format(&text, "measurement %s %s\n", measurement_fields[i].name,
                               value_kind_name(measurement_fields[i].kind));
        }
    }
    return text_finish(&text, err);
}
