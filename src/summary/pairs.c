/* SPDX-License-Identifier: MIT */
/* Finds the same runs in two results files; see pairs.h. */
#include "summary/pairs.h"

#include "base/order.h"
#include "summary/summary_internal.h"

#include <stdlib.h>
#include <string.h>

/* A row that can be found by its key. */
struct keyed {
    uint64_t key; /* first, for order_keys */
    uint32_t row;
    bool paired;
};

struct pairing {
    const struct result_set *now, *before;
    struct arena *arena;
    struct error *err;
    struct keyed *keyed; /* of before, by rising key */
    size_t keyed_count;
    struct pair *items;
    struct pairs *out;
};

static bool index_before(struct pairing *pairing)
{
    const struct result_set *before = pairing->before;
    struct keyed *keyed = arena_alloc(pairing->arena, before->count, sizeof *keyed, pairing->err);
    if (keyed == NULL) {
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        if (result_index(before, i) >= 0) {
            keyed[count++] = (struct keyed){result_key(before, i), (uint32_t)i, false};
        }
    }
    if (count > 0) {
        qsort(keyed, count, sizeof *keyed, order_keys);
    }
    pairing->keyed = keyed;
    pairing->keyed_count = count;
    return true;
}

static struct keyed *find_keyed(const struct pairing *pairing, uint64_t key)
{
    const struct keyed wanted = {key, 0, false};
    return pairing->keyed_count == 0
               ? NULL
               : bsearch(&wanted, pairing->keyed, pairing->keyed_count, sizeof wanted, order_keys);
}

bool pairs_by_key(const struct result_set *now, const struct result_set *before,
                  struct arena *arena, struct pairs *out, struct error *err)
{
    struct pairing pairing = {now, before, arena, err, NULL, 0, NULL, out};
    struct pair *items = arena_alloc(arena, now->count + before->count, sizeof *items, err);
    if (items == NULL || !index_before(&pairing)) {
        return false;
    }
    *out = (struct pairs){.now = now, .before = before, .items = items};
    for (size_t i = 0; i < now->count; i++) {
        if (result_index(now, i) < 0) {
            continue;
        }
        struct keyed *found = find_keyed(&pairing, result_key(now, i));
        if (found != NULL) {
            found->paired = true;
            out->by_key++;
        }
        items[out->count++] = (struct pair){(uint32_t)i, found == NULL ? PAIR_NO_ROW : found->row};
    }
    /* By place, not by key. */
    for (size_t i = 0; i < before->count; i++) {
        const struct keyed *found = find_keyed(&pairing, result_key(before, i));
        if (found != NULL && !found->paired && found->row == i) {
            items[out->count++] = (struct pair){PAIR_NO_ROW, (uint32_t)i};
        }
    }
    return true;
}

/* Runs that have no partner yet, those of before first; equal when all fields but `left_out` are.
 */
struct single {
    const struct result_set *set;
    uint32_t row;
    struct pair *pair; /* where it stands */
};

static const void *member(const struct single *single, int field)
{
    return result_run_member(single->set, single->row, (size_t)field);
}

struct singles {
    struct single *list;
    size_t count, before;
    uint64_t left_out; /* bits of fields */
};

static bool equal_runs(const void *context, size_t a, size_t b)
{
    const struct singles *singles = context;
    const struct single *left = &singles->list[a];
    const struct single *right = &singles->list[b];
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        if ((singles->left_out >> f & 1) == 0 &&
            !field_member_equal(&run_fields[f], member(left, f), member(right, f))) {
            return false;
        }
    }
    return true;
}

/* FNV-1a with a last shift: quicker than a digest, of which a run has fifty fields. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash ^ hash >> 32;
}

static uint64_t run_hash(const struct single *single, uint64_t left_out)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        const struct field *field = &run_fields[f];
        if ((left_out >> f & 1) != 0) {
            continue;
        }
        if (field_is_text(field)) {
            char buffer[FIELD_VALUE_SIZE];
            const char *text = field_member_text(field, member(single, f), buffer);
            hash = mix(hash, text, strlen(text));
        } else {
            double number =
                field_member_number(field, member(single, f)) + 0.0; /* one hash for both zeros */
            hash = mix(hash, &number, sizeof number);
        }
    }
    return hash;
}

static void collect_singles(struct pairing *pairing, struct singles *out)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < pairing->out->count; i++) {
            struct pair *pair = &pairing->items[i];
            const struct result_set *set = side == 0 ? pairing->before : pairing->now;
            uint32_t row = side == 0 ? pair->before : pair->now;
            if (row != PAIR_NO_ROW && !pair_is_whole(pair)) {
                out->list[out->count++] = (struct single){set, row, pair};
            }
        }
        out->before = side == 0 ? out->count : out->before;
    }
}

/* Moves a run of before beside the first run of now that equals it. */
static bool join_singles(struct pairing *pairing, struct singles *singles, size_t *joined)
{
    struct numbering numbering;
    if (!numbering_create(&numbering, singles->count, pairing->arena, pairing->err)) {
        return false;
    }
    *joined = 0;
    for (size_t i = 0; i < singles->count; i++) {
        uint64_t hash = run_hash(&singles->list[i], singles->left_out);
        size_t number = numbering_of(&numbering, i, hash, equal_runs, singles);
        size_t first = numbering.first[number];
        struct pair *other = singles->list[first].pair;
        if (i >= singles->before && first < singles->before && other->before != PAIR_NO_ROW) {
            singles->list[i].pair->before = other->before;
            other->before = PAIR_NO_ROW;
            ++*joined;
        }
    }
    return true;
}

/* Pairs whose run of before went elsewhere are none any more. */
static void drop_empty(struct pairing *pairing)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairing->out->count; i++) {
        if (pairing->items[i].now != PAIR_NO_ROW || pairing->items[i].before != PAIR_NO_ROW) {
            pairing->items[kept++] = pairing->items[i];
        }
    }
    pairing->out->count = kept;
}

/* Whether the field has one value in all runs from `first` up to `end`. */
static bool is_constant(const struct singles *singles, size_t first, size_t end, int field)
{
    for (size_t i = first + 1; i < end; i++) {
        if (!field_member_equal(&run_fields[field], member(&singles->list[first], field),
                                member(&singles->list[i], field))) {
            return false;
        }
    }
    return true;
}

/* The fields that have one value in each file and not the same; 0 when they are too many, or when
 * the sources differ. */
static uint64_t find_held(const struct singles *singles)
{
    uint64_t held = 0;
    int given = 0;
    if (singles->before == 0 || singles->before == singles->count) {
        return 0;
    }
    const struct single *before = &singles->list[0];
    const struct single *now = &singles->list[singles->before];
    struct run runs[2];
    result_run(before->set, before->row, &runs[0]);
    result_run(now->set, now->row, &runs[1]);
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        if (f != RUN_SEED && !field_value_equal(&run_fields[f], &runs[0], &runs[1]) &&
            is_constant(singles, 0, singles->before, f) &&
            is_constant(singles, singles->before, singles->count, f)) {
            held |= UINT64_C(1) << f;
            given += ((runs[0].given | runs[1].given) >> f & 1) != 0;
        }
    }
    bool alike = (held >> RUN_SOURCE & 1) == 0;
    return alike && given <= PAIRS_HELD_LIMIT ? held : 0;
}

bool pairs_by_fields(const struct result_set *now, const struct result_set *before,
                     struct arena *arena, struct pairs *out, struct error *err)
{
    if (!pairs_by_key(now, before, arena, out, err)) {
        return false;
    }
    struct pair *items = arena_alloc(arena, out->count, sizeof *items, err);
    struct singles singles = {.list = arena_alloc(arena, out->count, sizeof *singles.list, err)};
    struct pairing pairing = {now, before, arena, err, NULL, 0, items, out};
    if (items == NULL || singles.list == NULL) {
        return false;
    }
    if (out->count > 0) {
        memcpy(items, out->items, out->count * sizeof *items);
    }
    out->items = items;
    collect_singles(&pairing, &singles);
    if (!join_singles(&pairing, &singles, &out->by_fields)) {
        return false;
    }
    if (out->by_key + out->by_fields == 0) {
        singles.left_out = find_held(&singles);
        if (singles.left_out != 0 && !join_singles(&pairing, &singles, &out->by_fields)) {
            return false;
        }
        out->held = out->by_fields > 0 ? singles.left_out : 0;
    }
    drop_empty(&pairing);
    return true;
}
