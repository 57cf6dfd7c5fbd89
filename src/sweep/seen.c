/* SPDX-License-Identifier: MIT */
/* Equal runs in a list, found by a hash of the fields that vary in it; see plan_internal.h. */
#include "sweep/plan_internal.h"

#include <string.h>

/* Open addressing; a slot holds a position + 1. */
struct seen {
    const struct run_list *list;
    uint32_t *slots;
    size_t mask;
    size_t fields[RUN_FIELD_COUNT]; /* that vary */
    size_t field_count;
};

static uint64_t add(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return add(hash, 1);
}

static uint64_t hash_of(const struct seen *seen, size_t place)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < seen->field_count; i++) {
        const struct field *field = &run_fields[seen->fields[i]];
        const void *member = run_list_at(seen->list, place, seen->fields[i]);
        if (field_is_text(field)) {
            char space[FIELD_VALUE_SIZE];
            hash = add_text(hash, field_member_text(field, member, space));
            continue;
        }
        uint64_t bits;
        if (field->kind == FIELD_INTEGER) {
            memcpy(&bits, member, sizeof bits);
        } else {
            /* Adding zero makes -0 the 0 that it equals. */
            double number = field_member_number(field, member) + 0.0;
            memcpy(&bits, &number, sizeof bits);
        }
        hash = add(hash, bits);
    }
    return hash;
}

static bool equal(const struct seen *seen, size_t a, size_t b)
{
    bool same = true;
    for (size_t i = 0; same && i < seen->field_count; i++) {
        size_t field = seen->fields[i];
        same = field_member_equal(&run_fields[field], run_list_at(seen->list, a, field),
                                  run_list_at(seen->list, b, field));
    }
    return same;
}

/* Whether the run equals one of those put in before; if not it is put in. */
static bool is_seen(struct seen *seen, size_t place)
{
    size_t slot = (size_t)hash_of(seen, place) & seen->mask;
    while (seen->slots[slot] != 0) {
        if (equal(seen, seen->slots[slot] - 1, place)) {
            return true;
        }
        slot = (slot + 1) & seen->mask;
    }
    seen->slots[slot] = (uint32_t)(place + 1);
    return false;
}

bool seen_thin(struct run_list *list, unsigned char *keep, struct error *err)
{
    struct arena arena = {NULL};
    struct seen seen = {.list = list};
    size_t slots = 16;
    size_t kept = 0;
    while (slots / 2 < list->count) {
        slots *= 2;
    }
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (!run_list_shares(list, i)) {
            seen.fields[seen.field_count++] = i;
        }
    }
    seen.mask = slots - 1;
    seen.slots = arena_alloc(&arena, slots, sizeof *seen.slots, err);
    for (size_t i = 0; seen.slots != NULL && i < list->count; i++) {
        run_list_move(list, kept, i);
        if (keep != NULL) {
            keep[kept] = keep[i];
        }
        kept += is_seen(&seen, kept) ? 0 : 1;
    }
    if (seen.slots != NULL) {
        run_list_cut(list, kept);
    }
    bool good = seen.slots != NULL;
    arena_release(&arena);
    return good;
}
