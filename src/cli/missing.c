/* SPDX-License-Identifier: MIT */
/* What is at hand of a sweep, and which of its runs that leaves to do: for run, which does them,
 * and for plan, which says so. */
#include "cli/cli_internal.h"

#include "base/order.h"
#include "store/store.h"

#include <stdlib.h>

bool result_serves(const struct result_set *set, size_t row, unsigned keep, uint64_t measures,
                   bool retry_failed)
{
    if (row == NO_ROW || result_status(set, row) == RESULT_FAILED) {
        return row != NO_ROW && !retry_failed;
    }
    const struct kept kept = result_kept(set, row);
    bool scores = (keep & PLAN_KEEP_SCORES) == 0 || kept.scores != NULL;
    bool weights = (keep & PLAN_KEEP_WEIGHTS) == 0 || kept.weights != NULL;
    return scores && weights && (result_lacking(set, row) & measures) == 0;
}

static size_t find_in_store(const void *index, uint64_t key)
{
    return store_find(index, key);
}

struct at_hand at_hand_in_store(const struct store *store)
{
    return (struct at_hand){store_rows(store), store, find_in_store};
}

/* The rows of a set by rising key. */
struct sorted_rows {
    struct keyed_row *rows;
    size_t count;
};

static size_t find_sorted(const void *index, uint64_t key)
{
    const struct sorted_rows *sorted = index;
    const struct keyed_row wanted = {key, 0};
    const struct keyed_row *found =
        sorted->count == 0
            ? NULL
            : bsearch(&wanted, sorted->rows, sorted->count, sizeof wanted, order_keys);
    return found == NULL ? NO_ROW : found->row;
}

bool at_hand_in_set(const struct result_set *set, struct arena *arena, struct at_hand *out,
                    struct error *err)
{
    struct sorted_rows *sorted = arena_alloc(arena, 1, sizeof *sorted, err);
    struct keyed_row *rows = arena_alloc(arena, set->count, sizeof *rows, err);
    if (sorted == NULL || rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        rows[i] = (struct keyed_row){result_key(set, i), i};
    }
    if (set->count > 0) {
        qsort(rows, set->count, sizeof *rows, order_keys);
    }
    *sorted = (struct sorted_rows){rows, set->count};
    *out = (struct at_hand){*set, sorted, find_sorted};
    return true;
}

bool missing_list(const struct prepared *prepared, const struct at_hand *at_hand, bool retry_failed,
                  struct arena *arena, struct missing *out, struct error *err)
{
    const struct result_set *set = &at_hand->set;
    *out = (struct missing){.runs = arena_alloc(arena, prepared->own, sizeof *out->runs, err)};
    for (size_t i = 0; out->runs != NULL && i < prepared->plan.count; i++) {
        if (!prepared_owns(prepared, i)) {
            continue;
        }
        size_t found = at_hand->find(at_hand->index, prepared->keys[i]);
        out->failed += found != NO_ROW && result_status(set, found) == RESULT_FAILED;
        if (result_serves(set, found, prepared->plan.keep[i], prepared->sweep.measures,
                          retry_failed)) {
            out->served++;
        } else {
            out->runs[out->count++] = (uint32_t)i;
        }
    }
    return out->runs != NULL;
}
