/* SPDX-License-Identifier: MIT */
/* Co-occurrence counts: a hash table of pairs, then compressed rows; see embedding.h. */
#include "corpus/embedding.h"

#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 12)

struct pair_slot {
    uint32_t low, high; /* vocabulary ids, low <= high */
    double count;       /* 0 where the slot is free */
};

/* Invariant: at most half of the slots are taken. */
struct pairs {
    struct arena *scratch;
    struct pair_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t used;
    size_t window;
    bool by_distance; /* a pair counts 1/distance instead of 1 */
};

/* 64 bits mixed by a multiplication with 2^64 / golden ratio; the high bits are the good ones. */
static size_t pair_hash(uint32_t low, uint32_t high, size_t slot_count)
{
    uint64_t key = (uint64_t)low << 32 | high;
    key ^= key >> 29;
    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 24) & (slot_count - 1);
}

static struct pair_slot *find_slot(struct pair_slot *slots, size_t slot_count, uint32_t low,
                                   uint32_t high)
{
    size_t at = pair_hash(low, high, slot_count);
    while (slots[at].count != 0 && (slots[at].low != low || slots[at].high != high)) {
        at = (at + 1) & (slot_count - 1);
    }
    return &slots[at];
}

static bool grow(struct pairs *pairs, struct error *err)
{
    size_t count = pairs->slot_count == 0 ? FIRST_SLOTS : 2 * pairs->slot_count;
    struct pair_slot *slots = arena_alloc(pairs->scratch, count, sizeof *slots, err);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < pairs->slot_count; i++) {
        const struct pair_slot *old = &pairs->slots[i];
        if (old->count != 0) {
            *find_slot(slots, count, old->low, old->high) = *old;
        }
    }
    pairs->slots = slots;
    pairs->slot_count = count;
    return true;
}

/* Counts the pair of words at two places, once for each order. */
static bool count_pair(struct pairs *pairs, uint32_t a, uint32_t b, double weight,
                       struct error *err)
{
    if (2 * pairs->used >= pairs->slot_count && !grow(pairs, err)) {
        return false;
    }
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    struct pair_slot *slot = find_slot(pairs->slots, pairs->slot_count, low, high);
    pairs->used += slot->count == 0;
    slot->low = low;
    slot->high = high;
    slot->count += low == high ? 2 * weight : weight;
    return true;
}

static bool count_sentence(struct pairs *pairs, const uint32_t *ids, size_t length,
                           struct error *err)
{
    for (size_t i = 0; i + 1 < length; i++) {
        size_t last = length - 1 - i > pairs->window ? i + pairs->window : length - 1;
        for (size_t j = i + 1; j <= last; j++) {
            double weight = pairs->by_distance ? 1 / (double)(j - i) : 1;
            if (!count_pair(pairs, ids[i], ids[j], weight, err)) {
                return false;
            }
        }
    }
    return true;
}

static bool count_all(struct pairs *pairs, const struct corpus *corpus,
                      const struct vocabulary *vocabulary, struct error *err)
{
    uint32_t *ids = arena_alloc(pairs->scratch, vocabulary->tokens, sizeof *ids, err);
    if (ids == NULL) {
        return false;
    }
    for (size_t s = 0; s < vocabulary->sentences; s++) {
        size_t length = 0;
        for (size_t t = corpus->sentence_start[s]; t < corpus->sentence_start[s + 1]; t++) {
            uint32_t id = vocabulary->ids[corpus->tokens[t]];
            if (id != VOCABULARY_NONE) {
                ids[length++] = id;
            }
        }
        if (!count_sentence(pairs, ids, length, err)) {
            return false;
        }
    }
    return true;
}

/* Compressed rows while they are filled; `next` is where each row goes on. */
struct rows {
    size_t *start, *next;
    uint32_t *column;
    double *count;
};

static bool rows_alloc(struct rows *rows, size_t order, size_t entries, struct arena *arena,
                       struct arena *scratch, struct error *err)
{
    rows->start = arena_alloc(arena, order + 1, sizeof *rows->start, err);
    rows->next = arena_alloc(scratch, order, sizeof *rows->next, err);
    rows->column = arena_alloc(arena, entries, sizeof *rows->column, err);
    rows->count = arena_alloc(arena, entries, sizeof *rows->count, err);
    return rows->start != NULL && rows->next != NULL && rows->column != NULL && rows->count != NULL;
}

static void rows_put(struct rows *rows, uint32_t row, uint32_t column, double count)
{
    size_t at = rows->next[row]++;
    rows->column[at] = column;
    rows->count[at] = count;
}

/* Both triangles, columns in the order of the hash table. */
static void rows_fill(struct rows *rows, const struct pairs *pairs, size_t order)
{
    for (size_t i = 0; i < pairs->slot_count; i++) {
        const struct pair_slot *slot = &pairs->slots[i];
        if (slot->count != 0) {
            rows->start[slot->low + 1]++;
            rows->start[slot->high + 1] += slot->low != slot->high;
        }
    }
    for (size_t row = 0; row < order; row++) {
        rows->start[row + 1] += rows->start[row];
    }
    memcpy(rows->next, rows->start, order * sizeof *rows->next);
    for (size_t i = 0; i < pairs->slot_count; i++) {
        const struct pair_slot *slot = &pairs->slots[i];
        if (slot->count != 0) {
            rows_put(rows, slot->low, slot->high, slot->count);
        }
        if (slot->count != 0 && slot->low != slot->high) {
            rows_put(rows, slot->high, slot->low, slot->count);
        }
    }
}

/* Transposing sorts each row's columns, and the transpose of a symmetric matrix is itself. */
static void rows_transpose(const struct rows *from, struct rows *to, size_t order)
{
    memcpy(to->start, from->start, (order + 1) * sizeof *to->start);
    memcpy(to->next, from->start, order * sizeof *to->next);
    for (size_t row = 0; row < order; row++) {
        for (size_t e = from->start[row]; e < from->start[row + 1]; e++) {
            rows_put(to, from->column[e], (uint32_t)row, from->count[e]);
        }
    }
}

static bool compress(const struct pairs *pairs, size_t order, struct arena *arena,
                     struct cooccurrence *out, struct error *err)
{
    struct rows unsorted;
    struct rows sorted;
    size_t entries = 2 * pairs->used; /* at most: the diagonal has one each */
    if (!rows_alloc(&unsorted, order, entries, pairs->scratch, pairs->scratch, err)) {
        return false;
    }
    rows_fill(&unsorted, pairs, order);
    entries = unsorted.start[order];
    if (!rows_alloc(&sorted, order, entries, arena, pairs->scratch, err)) {
        return false;
    }
    rows_transpose(&unsorted, &sorted, order);
    *out = (struct cooccurrence){order, sorted.start, sorted.column, sorted.count};
    return true;
}

static bool count_and_compress(const struct corpus *corpus, const struct vocabulary *vocabulary,
                               size_t window, bool by_distance, struct arena *arena,
                               struct cooccurrence *out, struct error *err)
{
    struct arena scratch = {0};
    struct pairs pairs = {.scratch = &scratch, .window = window, .by_distance = by_distance};
    bool counted = count_all(&pairs, corpus, vocabulary, err) &&
                   compress(&pairs, vocabulary->count, arena, out, err);
    arena_release(&scratch);
    return counted;
}

bool cooccurrence_count(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err)
{
    return count_and_compress(corpus, vocabulary, options->window, false, arena, out, err);
}

bool cooccurrence_weigh(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err)
{
    return count_and_compress(corpus, vocabulary, options->window, true, arena, out, err);
}
