/* SPDX-License-Identifier: MIT */
/* The run key: what a run is, as 64 bits. Only fields that apply and differ from their default
 * count, so that a later version with one more field still recognises old results; a change of a
 * formula that moves results raises the number in the first line. Declared in fields.h. */
#include "base/hash.h"
#include "run/fields.h"

#include <assert.h>
#include <string.h>

#define KEY_HEAD "rowmax run 1\n"

static void append_value(struct text *text, const struct field *field, const struct run *run)
{
    char value[FIELD_VALUE_SIZE];
    if (field->kind == FIELD_PATH) {
        const char *digest;
        memcpy(&digest, (const char *)run + field->digest, sizeof digest);
        assert(digest != NULL);
        text_append_format(text, "%s=sha256:%s\n", field->name, digest);
    } else if (field->kind == FIELD_REAL) {
        text_append_format(text, "%s=%a\n", field->name, field_value_number(field, run));
    } else {
        /* The length keeps a text with a line feed from posing as another field. */
        const char *shown = field_value_text(field, run, value);
        text_append_format(text, "%s=%zu:%s\n", field->name, strlen(shown), shown);
    }
}

static void append_run(struct text *text, const struct run *run, struct run_defaults *last)
{
    run_defaults_follow(last, run);
    text_append(text, KEY_HEAD);
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        if (!field_value_equal(field, run, &last->plain) &&
            run_field_applies(run, (enum run_field)i)) {
            append_value(text, field, run);
        }
    }
}

const char *run_canonical_text(const struct run *run, struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    struct run_defaults last = {.known = false};
    append_run(&text, run, &last);
    return text_finish(&text, err);
}

uint64_t run_key(const struct run *run)
{
    uint64_t key;
    run_keys(run, 1, &key);
    return key;
}

void run_keys(const struct run *runs, size_t count, uint64_t *keys)
{
    struct arena arena = {NULL};
    struct text text = TEXT_INIT(&arena);
    struct run_defaults last = {.known = false};
    for (size_t i = 0; i < count; i++) {
        text.length = 0;
        append_run(&text, &runs[i], &last);
        keys[i] = hash_short(text.data, text.length);
    }
    arena_release(&arena);
}
