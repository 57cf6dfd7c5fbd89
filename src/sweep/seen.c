/* SPDX-License-Identifier: MIT */
/* A table that finds equal runs; see plan_internal.h. */
#include "sweep/plan_internal.h"

#include <string.h>

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* FNV-1a over the values; equal runs hash alike, whatever was given or defaulted. */
static uint64_t run_hash(const struct run *run)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        const char *at = (const char *)run + field->offset;
        if (field_is_text(field)) {
            const char *text;
            memcpy((void *)&text, at, sizeof text);
            text = text == NULL ? "" : text;
            hash = add_bytes(hash, text, strlen(text) + 1);
        } else if (field->kind == FIELD_INTEGER) {
            hash = add_bytes(hash, at, sizeof(int64_t));
        } else {
            /* Adding zero makes -0 the 0 that it equals. */
            double number = field_value_number(field, run) + 0.0;
            hash = add_bytes(hash, &number, sizeof number);
        }
    }
    return hash ^ hash >> 29;
}

static bool runs_equal(const struct run *a, const struct run *b)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (!field_value_equal(&run_fields[i], a, b)) {
            return false;
        }
    }
    return true;
}

bool seen_prepare(struct seen *seen, size_t most, struct arena *arena, struct error *err)
{
    size_t slots = 16;
    while (slots / 2 < most) {
        slots *= 2;
    }
    seen->mask = slots - 1;
    seen->slots = arena_alloc(arena, slots, sizeof *seen->slots, err);
    return seen->slots != NULL;
}

bool seen_before(struct seen *seen, const struct run *runs, size_t count)
{
    size_t slot = (size_t)run_hash(&runs[count]) & seen->mask;
    while (seen->slots[slot] != 0) {
        if (runs_equal(&runs[seen->slots[slot] - 1], &runs[count])) {
            return true;
        }
        slot = (slot + 1) & seen->mask;
    }
    seen->slots[slot] = (uint32_t)(count + 1);
    return false;
}
