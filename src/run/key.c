/* SPDX-License-Identifier: MIT */
/* The run key: what a run is, as 64 bits. Only fields that results depend on, that apply and that
 * differ from their default count, so that a later version with one more field still recognises old
 * results; a change of a formula that moves results raises the number in the first line. Declared
 * in fields.h. */
#include "base/hash.h"
#include "run/run_list.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define KEY_HEAD "rowmax run 1\n"

/* "name=length:value\n": the length keeps a text with a line feed from posing as another field. */
static void append_shown(struct text *text, const char *name, const char *shown, size_t length)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = ':';
    size_t left = length;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    digits[--at] = '=';
    text_append_bytes(text, name, strlen(name));
    text_append_bytes(text, digits + at, sizeof digits - at);
    text_append_bytes(text, shown, length);
    text_append_bytes(text, "\n", 1);
}

static void append_integer(struct text *text, const char *name, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    append_shown(text, name, digits + at, sizeof digits - at);
}

static void append_value(struct text *text, const struct field *field, const struct run *run)
{
    char value[FIELD_VALUE_SIZE];
    if (field->kind == FIELD_PATH) {
        const char *digest;
        memcpy((void *)&digest, (const char *)run + field->digest, sizeof digest);
        assert(digest != NULL);
        text_append_format(text, "%s=sha256:%s\n", field->name, digest);
    } else if (field->kind == FIELD_REAL) {
        text_append_format(text, "%s=%a\n", field->name, field_value_number(field, run));
    } else if (field->kind == FIELD_INTEGER) {
        int64_t integer;
        memcpy(&integer, (const char *)run + field->offset, sizeof integer);
        append_integer(text, field->name, integer);
    } else {
        const char *shown = field_value_text(field, run, value);
        append_shown(text, field->name, shown, strlen(shown));
    }
}

static bool counts(const struct run *run, const struct run *plain, int field)
{
    return !run_fields[field].judges && !field_value_equal(&run_fields[field], run, plain) &&
           run_field_applies(run, (enum run_field)field);
}

const char *run_canonical_text(const struct run *run, struct arena *arena, struct error *err)
{
    const struct run plain = run_default_beside(run);
    struct text text = TEXT_INIT(arena);
    text_append(&text, KEY_HEAD);
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        if (counts(run, &plain, i)) {
            append_value(&text, &run_fields[i], run);
        }
    }
    return text_finish(&text, err);
}

uint64_t run_key(const struct run *run)
{
    struct arena arena = {NULL};
    struct error ignored = ERROR_INIT;
    const char *text = run_canonical_text(run, &arena, &ignored);
    uint64_t key = text == NULL ? 0 : hash_short(text, strlen(text));
    arena_release(&arena);
    return key;
}

/* The canonical text of the runs of one source and learner: pieces that they share, each followed
 * by a field that varies. */
struct pattern {
    bool made;
    struct run plain;
    struct text shared; /* the pieces one behind the other */
    size_t varying;
    int fields[RUN_FIELD_COUNT];
    size_t ends[RUN_FIELD_COUNT]; /* of the piece before the field */
};

enum { LEARNERS = LEARNER_GLOVE + 1, PATTERNS = (SOURCE_SCORES + 1) * LEARNERS };

struct key_writer {
    struct pattern *patterns; /* by source, then by learner */
    struct text text;
    bool varies[RUN_FIELD_COUNT];
    /* A real takes long to spell, and most runs have that of the one before. */
    struct {
        bool known;
        uint64_t bits;
        char bytes[FIELD_VALUE_SIZE];
    } reals[RUN_FIELD_COUNT];
};

/* `run` is the first of its kind; what varies is left to each run. */
static void make_pattern(struct key_writer *writer, struct pattern *pattern, const struct run *run)
{
    pattern->made = true;
    pattern->plain = run_default_beside(run);
    pattern->shared.arena = writer->text.arena;
    text_append(&pattern->shared, KEY_HEAD);
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        if (writer->varies[i] && run_field_applies(run, (enum run_field)i)) {
            pattern->ends[pattern->varying] = pattern->shared.length;
            pattern->fields[pattern->varying++] = i;
        } else if (!writer->varies[i] && counts(run, &pattern->plain, i)) {
            append_value(&pattern->shared, &run_fields[i], run);
        }
    }
    writer->text.failed = writer->text.failed || pattern->shared.failed;
}

static void append_real(struct key_writer *writer, int field, const struct run *run)
{
    double value = field_value_number(&run_fields[field], run);
    char *bytes = writer->reals[field].bytes;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (!writer->reals[field].known || writer->reals[field].bits != bits) {
        snprintf(bytes, FIELD_VALUE_SIZE, "=%a\n", value);
        writer->reals[field].bits = bits;
        writer->reals[field].known = true;
    }
    text_append(&writer->text, run_fields[field].name);
    text_append(&writer->text, bytes);
}

static uint64_t make_key(struct key_writer *writer, const struct run *run)
{
    struct pattern *pattern = &writer->patterns[run->source * LEARNERS + run->learner];
    struct text *text = &writer->text;
    size_t start = 0;
    if (!pattern->made) {
        make_pattern(writer, pattern, run);
    }
    text->length = 0;
    for (size_t i = 0; i < pattern->varying; i++) {
        const struct field *field = &run_fields[pattern->fields[i]];
        text_append_bytes(text, pattern->shared.data + start, pattern->ends[i] - start);
        start = pattern->ends[i];
        if (field_value_equal(field, run, &pattern->plain)) {
            continue;
        }
        if (field->kind == FIELD_REAL) {
            append_real(writer, pattern->fields[i], run);
        } else {
            append_value(text, field, run);
        }
    }
    text_append_bytes(text, pattern->shared.data + start, pattern->shared.length - start);
    return hash_short(text->data, text->length);
}

bool run_list_keys(const struct run_list *list, uint64_t *keys, struct error *err)
{
    struct arena arena = {NULL};
    struct key_writer *writer = arena_alloc(&arena, 1, sizeof *writer, err);
    struct pattern *patterns = arena_alloc(&arena, PATTERNS, sizeof *patterns, err);
    if (writer == NULL || patterns == NULL) {
        arena_release(&arena);
        return false;
    }
    writer->patterns = patterns;
    writer->text.arena = &arena;
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        bool path = run_fields[i].kind == FIELD_PATH;
        /* Source and learner choose the pattern, so within it they are shared. */
        writer->varies[i] = i != RUN_SOURCE && i != RUN_LEARNER && !run_fields[i].judges &&
                            !(run_list_shares(list, (size_t)i) &&
                              (!path || run_list_shares(list, run_list_digest((enum run_field)i))));
    }
    for (size_t i = 0; i < list->count; i++) {
        struct run run;
        run_list_get(list, i, &run);
        keys[i] = make_key(writer, &run);
    }
    bool good = text_finish(&writer->text, err) != NULL || list->count == 0;
    arena_release(&arena);
    return good;
}
