/* SPDX-License-Identifier: MIT */
/* See shard.h. The shards are a heap whose top has the least cost so far. */
#include "engine/shard.h"

#include <stdlib.h>
#include <string.h>

/* What is dealt out in one piece: `count` places of the list of runs, from `first` on. */
struct piece {
    double cost;
    size_t first, count;
};

struct load {
    double cost;
    uint32_t shard;
};

/* A place in the plan, to be sorted by what it belongs to. */
struct place {
    uint64_t group;
    uint32_t owner;
    size_t run;
};

static int dearest_first(const void *a, const void *b)
{
    const struct piece *x = a;
    const struct piece *y = b;
    int order = (x->cost < y->cost) - (x->cost > y->cost);
    return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

/* By group, then owner; the plan's order settles the rest. */
static int by_group(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    int order = (x->group > y->group) - (x->group < y->group);
    order = order != 0 ? order : (x->owner > y->owner) - (x->owner < y->owner);
    return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

static bool is_lighter(struct load a, struct load b)
{
    return a.cost < b.cost || (a.cost <= b.cost && a.shard < b.shard);
}

/* Moves the top, which has grown, down to its place. */
static void sink_top(struct load *heap, size_t count)
{
    struct load moved = heap[0];
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_lighter(heap[child + 1], heap[child])) {
            child++;
        }
        if (!is_lighter(heap[child], moved)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Deals the pieces out; the runs of each stand in `places`. */
static void deal(struct piece *pieces, size_t count, const struct place *places, struct load *heap,
                 size_t shards, uint32_t *owners)
{
    for (size_t i = 0; i < shards; i++) {
        heap[i] = (struct load){0, (uint32_t)i};
    }
    qsort(pieces, count, sizeof *pieces, dearest_first);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < pieces[i].count; j++) {
            owners[places[pieces[i].first + j].run] = heap[0].shard;
        }
        heap[0].cost += pieces[i].cost;
        sink_top(heap, shards);
    }
}

/* Pieces of places that are sorted by group: whole groups, or single runs. Returns how many. */
static size_t cut(const struct shard_run *runs, const struct place *places, size_t count,
                  bool whole, struct piece *pieces)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct shard_run *run = &runs[places[i].run];
        bool joins =
            whole && i > 0 && places[i].group != 0 && places[i].group == places[i - 1].group;
        if (!joins) {
            pieces[used++] = (struct piece){whole ? run->shared : 0, i, 0};
        }
        pieces[used - 1].cost += run->cost;
        pieces[used - 1].count++;
    }
    return used;
}

/* The cost of the largest shard, what is shared counted once a shard. */
static double largest(const struct shard_run *runs, const uint32_t *owners, size_t count,
                      struct place *places, double *loads, size_t shards)
{
    double most = 0;
    memset(loads, 0, shards * sizeof *loads);
    for (size_t i = 0; i < count; i++) {
        places[i] = (struct place){runs[i].group, owners[i], i};
    }
    qsort(places, count, sizeof *places, by_group);
    for (size_t i = 0; i < count; i++) {
        const struct shard_run *run = &runs[places[i].run];
        bool paid = i > 0 && places[i].group == places[i - 1].group &&
                    places[i].owner == places[i - 1].owner;
        loads[places[i].owner] += run->cost + (paid || run->group == 0 ? 0 : run->shared);
    }
    for (size_t i = 0; i < shards; i++) {
        most = loads[i] > most ? loads[i] : most;
    }
    return most;
}

struct workshop {
    struct place *places;
    struct piece *pieces;
    struct load *heap;
    double *loads;
    uint32_t *whole; /* owners when groups stay together */
};

static bool equip(struct workshop *shop, struct arena *arena, size_t count, size_t shards,
                  struct error *err)
{
    shop->places = arena_alloc(arena, count, sizeof *shop->places, err);
    shop->pieces = arena_alloc(arena, count, sizeof *shop->pieces, err);
    shop->heap = arena_alloc(arena, shards, sizeof *shop->heap, err);
    shop->loads = arena_alloc(arena, shards, sizeof *shop->loads, err);
    shop->whole = arena_alloc(arena, count, sizeof *shop->whole, err);
    return shop->places != NULL && shop->pieces != NULL && shop->heap != NULL &&
           shop->loads != NULL && shop->whole != NULL;
}

/* Takes the division by groups where it is the better one. */
static void divide_groups(const struct shard_run *runs, size_t count, size_t shards,
                          const struct workshop *shop, uint32_t *owners)
{
    double single = largest(runs, owners, count, shop->places, shop->loads, shards);
    for (size_t i = 0; i < count; i++) {
        shop->places[i] = (struct place){runs[i].group, 0, i};
    }
    qsort(shop->places, count, sizeof *shop->places, by_group);
    size_t pieces = cut(runs, shop->places, count, true, shop->pieces);
    deal(shop->pieces, pieces, shop->places, shop->heap, shards, shop->whole);
    if (largest(runs, shop->whole, count, shop->places, shop->loads, shards) < single) {
        memcpy(owners, shop->whole, count * sizeof *owners);
    }
}

bool shard_divide(const struct shard_run *runs, size_t count, size_t shards, uint32_t *owners,
                  struct error *err)
{
    struct arena arena = {NULL};
    struct workshop shop;
    bool shares = false;
    bool good = equip(&shop, &arena, count, shards, err);
    for (size_t i = 0; good && i < count; i++) {
        shop.places[i] = (struct place){0, 0, i};
        shares = shares || (runs[i].group != 0 && runs[i].shared > 0);
    }
    if (good) {
        size_t pieces = cut(runs, shop.places, count, false, shop.pieces);
        deal(shop.pieces, pieces, shop.places, shop.heap, shards, owners);
    }
    if (good && shares) {
        divide_groups(runs, count, shards, &shop, owners);
    }
    arena_release(&arena);
    return good;
}
