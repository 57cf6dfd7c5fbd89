/* SPDX-License-Identifier: MIT */
/* Numbers equal things in the order in which they first appear; see summary_internal.h. */
#include "summary/summary_internal.h"

bool numbering_create(struct numbering *numbering, size_t items, struct arena *arena,
                      struct error *err)
{
    size_t slots = 16;
    while (slots < 2 * items) {
        slots *= 2;
    }
    numbering->count = 0;
    numbering->mask = slots - 1;
    numbering->slots = arena_alloc(arena, slots, sizeof *numbering->slots, err);
    numbering->first = arena_alloc(arena, items, sizeof *numbering->first, err);
    return numbering->slots != NULL && numbering->first != NULL;
}

size_t numbering_of(struct numbering *numbering, size_t item, uint64_t hash, numbering_equal *equal,
                    const void *context)
{
    size_t slot = (size_t)hash & numbering->mask;
    while (numbering->slots[slot] != 0) {
        size_t number = numbering->slots[slot] - 1;
        if (equal(context, numbering->first[number], item)) {
            return number;
        }
        slot = (slot + 1) & numbering->mask;
    }
    numbering->first[numbering->count] = item;
    numbering->slots[slot] = ++numbering->count;
    return numbering->count - 1;
}
