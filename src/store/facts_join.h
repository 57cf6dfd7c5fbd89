/* SPDX-License-Identifier: MIT */
/* The facts of runs that several programs or machines have made, as those of one file. */
#ifndef STORE_FACTS_JOIN_H
#define STORE_FACTS_JOIN_H

#include "base/arena.h"
#include "run/results.h"

struct joined_facts {
    const struct provenance *facts;
    size_t count;
    const char
        *differing;      /* facts with several values but the commit, "processor, blas"; or NULL */
    const char *commits; /* "A | B"; NULL where it is one */
};

/* The facts that `like` names, in its order, each with all values that the sets have for it, once
 * and sorted: "A | B". A set that lacks a fact of others has it as "unknown"; "not used" is no
 * value beside others. Of what tells of the sweep and not of its runs, `like` has the word; a fact
 * that no set has is left out. It points into `like` and the sets. */
bool facts_join(const struct result_set *const *sets, size_t count, const struct result_set *like,
                struct arena *arena, struct joined_facts *out, struct error *err) MUST_CHECK;

#endif
