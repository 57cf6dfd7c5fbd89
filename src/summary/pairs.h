/* SPDX-License-Identifier: MIT */
/* The runs of two results files side by side. Runs that a plan no longer holds are left out. Pure:
 * no I/O. */
#ifndef SUMMARY_PAIRS_H
#define SUMMARY_PAIRS_H

#include "base/arena.h"
#include "run/results.h"

/* One run: its row in each set; one of the two is PAIR_NO_ROW where a file alone has it. */
#define PAIR_NO_ROW UINT32_MAX

struct pair {
    uint32_t now, before;
};

static inline bool pair_is_whole(const struct pair *pair)
{
    return pair->now != PAIR_NO_ROW && pair->before != PAIR_NO_ROW;
}

struct pairs {
    const struct result_set *now, *before;
    const struct pair *items; /* those of now by their place in the plan, then those of before alone
                               */
    size_t count;
    size_t by_key;    /* runs in both files with one key */
    size_t by_fields; /* with equal fields under other keys: of another content, or version */
    uint64_t held;    /* bit f: field f has one value in each file, another in the other, and runs
                         are paired by all other fields */
};

/* Pairs runs by their key alone. */
bool pairs_by_key(const struct result_set *now, const struct result_set *before,
                  struct arena *arena, struct pairs *out, struct error *err) MUST_CHECK;

/* The most fields that a sweep sets and that may tell all runs of one file from all of the other.
 */
enum { PAIRS_HELD_LIMIT = 3 };

/* Pairs runs by their key and those left over by equal fields. Where neither finds a pair, fields
 * other than source and seed that have one value in each file are left out of the comparison, if
 * there are few of them. */
bool pairs_by_fields(const struct result_set *now, const struct result_set *before,
                     struct arena *arena, struct pairs *out, struct error *err) MUST_CHECK;

#endif
