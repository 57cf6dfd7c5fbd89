/* SPDX-License-Identifier: MIT */
/* Parts of one sweep, such as its shards, as one set: the very set that one process would have
 * made. Nothing is read or written here; store_load and store_save do that. */
#ifndef STORE_MERGE_H
#define STORE_MERGE_H

#include "base/arena.h"
#include "base/hash.h"
#include "run/results.h"

/* Facts of a results file that merging goes by. The first two are those of a shard, and no merged
 * file has them. */
#define MERGE_SHARD "shard"           /* "3/64": the fourth of 64 */
#define MERGE_SHARD_RUNS "shard_runs" /* how many runs of the plan are its own */
#define MERGE_PLAN "plan_sha256"      /* of the sweep's name and the key of each of its runs */
#define MERGE_KEEP "keep_sha256" /* of the matrices that it keeps; absent where it keeps none */
#define MERGE_VERSION "rowmax_version"
#define MERGE_COMMIT "commit"
#define MERGE_CHOSEN_BY "cpu_level_from"

/* The value of MERGE_PLAN for a sweep of that name whose runs have these keys, in this order. */
bool merge_plan_digest(const char *name, const uint64_t *keys, size_t count,
                       char hex[HASH_HEX_SIZE], struct error *err) MUST_CHECK;

/* The value of MERGE_KEEP for a sweep that keeps these (RESULT_...) of its runs. */
void merge_keep_digest(const unsigned char *keep, size_t count, char hex[HASH_HEX_SIZE]);

struct merge_part {
    const char *path; /* for messages */
    struct result_set set;
};

struct merge_result {
    struct result_set set; /* its rows in the order of the plan */
    size_t duplicates;     /* runs met again with the same values */
    size_t outside;        /* rows of the parts that the plan no longer holds, left out */
    const char *missing;   /* what is missing and which shards to run again; NULL when complete */
    const char *differing; /* facts in which the parts differ, such as "processor"; NULL for none */
    const char *commits;   /* of rowmax that made the parts, "A | B"; NULL where it is one */
    size_t spellings;      /* sweep files of other words but the same plan */
};

/* Merges at least one part. ERROR_INPUT names the part and the reason: a part of another sweep, of
 * another version than `version`, with other corpora, with other matrices or measures stored, or
 * without the facts above; a run whose values differ between two parts; without `partial`, runs
 * that no part has. The result does not depend on the order of the parts nor on their number. It
 * points into them. */
bool merge_parts(const struct merge_part *parts, size_t count, const char *version, bool partial,
                 struct arena *arena, struct merge_result *out, struct error *err) MUST_CHECK;

#endif
