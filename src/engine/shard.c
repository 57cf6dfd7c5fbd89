/* SPDX-License-Identifier: MIT */
/* See shard.h. The shards are a heap whose top has the least cost so far. */
#include "engine/shard.h"

#include <stdlib.h>

struct priced {
    double cost;
    size_t run;
};

struct load {
    double cost;
    uint32_t shard;
};

static int dearest_first(const void *a, const void *b)
{
    const struct priced *x = a;
    const struct priced *y = b;
    int order = (x->cost < y->cost) - (x->cost > y->cost);
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

bool shard_divide(const double *costs, size_t count, size_t shards, uint32_t *owners,
                  struct error *err)
{
    struct arena arena = {NULL};
    struct priced *order = arena_alloc(&arena, count, sizeof *order, err);
    struct load *heap = arena_alloc(&arena, shards, sizeof *heap, err);
    bool good = order != NULL && heap != NULL;
    for (size_t i = 0; good && i < count; i++) {
        order[i] = (struct priced){costs[i], i};
    }
    for (size_t i = 0; good && i < shards; i++) {
        heap[i] = (struct load){0, (uint32_t)i};
    }
    if (good) {
        qsort(order, count, sizeof *order, dearest_first);
    }
    for (size_t i = 0; good && i < count; i++) {
        owners[order[i].run] = heap[0].shard;
        heap[0].cost += order[i].cost;
        sink_top(heap, shards);
    }
    arena_release(&arena);
    return good;
}
