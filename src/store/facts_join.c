/* SPDX-License-Identifier: MIT */
/* See facts_join.h. */
#include "store/facts_join.h"

#include "base/text.h"
#include "store/merge.h"
#include "store/texts.h"

#include <stdlib.h>
#include <string.h>

#define BETWEEN " | "

static const char *const of_sweep[] = {"sweep_sha256", MERGE_PLAN, MERGE_KEEP, MERGE_SHARD,
                                       MERGE_SHARD_RUNS};

static bool tells_of_sweep(const char *name)
{
    for (size_t i = 0; i < sizeof of_sweep / sizeof of_sweep[0]; i++) {
        if (strcmp(name, of_sweep[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds each value of "A | B". */
static bool add_values(const char *values, struct texts *distinct, struct error *err)
{
    size_t number;
    const char *rest = values;
    for (const char *end; (end = strstr(rest, BETWEEN)) != NULL; rest = end + strlen(BETWEEN)) {
        char *value = arena_copy_bytes(distinct->arena, rest, (size_t)(end - rest), err);
        if (value == NULL || !texts_add(distinct, value, NULL, &number, err)) {
            return false;
        }
    }
    return texts_add(distinct, rest, NULL, &number, err);
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;
    return strcmp(*x, *y);
}

/* All values that the sets have for a fact, in `distinct`. */
static bool gather_values(const struct result_set *const *sets, size_t count, const char *name,
                          struct texts *distinct, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = merge_fact(sets[i], name);
        if (value != NULL && !add_values(value, distinct, err)) {
            return false;
        }
    }
    if (distinct->count > 1) {
        qsort(distinct->list, distinct->count, sizeof *distinct->list, compare_texts);
    }
    return true;
}

static const char *join(const struct texts *distinct, struct error *err)
{
    if (distinct->count == 1) {
        return distinct->list[0];
    }
    struct text joined = TEXT_INIT(distinct->arena);
    for (size_t i = 0; i < distinct->count; i++) {
        text_append(&joined, i == 0 ? "" : BETWEEN);
        text_append(&joined, distinct->list[i]);
    }
    return text_finish(&joined, err);
}

/* Puts a fact of several values where it is to be told of. */
static void note_differing(const struct provenance *fact, struct text *differing,
                           struct joined_facts *out)
{
    if (strcmp(fact->name, MERGE_COMMIT) == 0) {
        out->commits = fact->value;
        return;
    }
    text_append(differing, differing->length == 0 ? "" : ", ");
    text_append(differing, fact->name);
}

bool facts_join(const struct result_set *const *sets, size_t count, const struct result_set *like,
                struct arena *arena, struct joined_facts *out, struct error *err)
{
    struct text differing = TEXT_INIT(arena);
    struct provenance *facts = arena_alloc(arena, like->provenance_count, sizeof *facts, err);
    *out = (struct joined_facts){.facts = facts};
    for (size_t i = 0; facts != NULL && i < like->provenance_count; i++) {
        struct provenance *fact = &facts[out->count];
        struct texts distinct = {.arena = arena};
        *fact = like->provenance[i];
        if (tells_of_sweep(fact->name)) {
            out->count++;
            continue;
        }
        if (!gather_values(sets, count, fact->name, &distinct, err)) {
            return false;
        }
        if (distinct.count == 0) {
            continue;
        }
        fact->value = join(&distinct, err);
        if (fact->value == NULL) {
            return false;
        }
        out->count++;
        if (distinct.count > 1) {
            note_differing(fact, &differing, out);
        }
    }
    out->differing = differing.length == 0 ? NULL : text_finish(&differing, err);
    return facts != NULL && err->code == ERROR_NONE;
}
