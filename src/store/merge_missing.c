/* SPDX-License-Identifier: MIT */
/* What a merge lacks, as a line that can be acted on. Declared in merge_parts.h. */
#include "store/merge_parts.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Ranges shown; more would not fit a message. */
#define RANGES_SHOWN 200
#define SHARDS_MAX 1000000

/* "3/64" as 3 of 64; false for a part that is no shard. */
static bool read_shard(const struct merge_part *part, size_t *shard, size_t *shards)
{
    const char *value = result_fact(&part->set, MERGE_SHARD);
    char *end = NULL;
    if (value == NULL) {
        return false;
    }
    unsigned long first = strtoul(value, &end, 10);
    unsigned long all = *end == '/' ? strtoul(end + 1, NULL, 10) : 0;
    *shard = first;
    *shards = all;
    return first < all && all <= SHARDS_MAX;
}

/* Whether a part has all the runs that its shard owns. */
static bool is_whole(const struct merge_part *part)
{
    const char *own = result_fact(&part->set, MERGE_SHARD_RUNS);
    size_t planned = 0;
    for (size_t i = 0; i < part->set.count; i++) {
        planned += result_index(&part->set, i) >= 0;
    }
    return own != NULL && planned >= strtoul(own, NULL, 10);
}

/* Of how many shards the parts are; 0 when not all are shards of one division. */
static size_t find_division(const struct merge_part *parts, size_t count)
{
    size_t division = 0;
    for (size_t i = 0; i < count; i++) {
        size_t shard;
        size_t shards;
        if (!read_shard(&parts[i], &shard, &shards) || (i > 0 && shards != division)) {
            return 0;
        }
        division = shards;
    }
    return division;
}

/* "3,17-19": the places that are not there. */
static void append_ranges(struct text *text, const bool *there, size_t count)
{
    size_t ranges = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = i;
        while (i < count && !there[i]) {
            i++;
        }
        if (i == first) {
            continue;
        }
        if (ranges++ == RANGES_SHOWN) {
            text_append(text, ",...");
            return;
        }
        text_append_format(text, ranges == 1 ? "%zu" : ",%zu", first);
        if (i > first + 1) {
            text_append_format(text, "-%zu", i - 1);
        }
    }
}

/* Marks the shards that have a whole part; false when that is all of them. */
static bool mark_shards(const struct merge_part *parts, size_t count, bool *there, size_t shards)
{
    size_t whole = 0;
    for (size_t i = 0; i < count && shards > 0; i++) {
        size_t shard;
        size_t of;
        if (read_shard(&parts[i], &shard, &of) && is_whole(&parts[i]) && !there[shard]) {
            there[shard] = true;
            whole++;
        }
    }
    return whole < shards;
}

const char *merge_list_missing(const struct merge_part *parts, size_t count,
                               const struct merge_part *const *from, size_t planned,
                               struct arena *arena, struct error *err)
{
    size_t shards = find_division(parts, count);
    size_t missing = 0;
    struct text text = TEXT_INIT(arena);
    bool *whole = arena_alloc(arena, shards, sizeof *whole, err);
    bool *there = arena_alloc(arena, planned, sizeof *there, err);
    if (whole == NULL || there == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < planned; i++) {
        there[i] = from[i] != NULL;
        missing += !there[i];
    }
    text_append_format(&text, "%zu of %zu runs are missing", missing, planned);
    if (mark_shards(parts, count, whole, shards)) {
        text_append_format(&text, "; run again --shard I/%zu for I = ", shards);
        append_ranges(&text, whole, shards);
    } else {
        text_append(&text, ": ");
        append_ranges(&text, there, planned);
    }
    return text_finish(&text, err);
}
