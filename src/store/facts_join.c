/* SPDX-License-Identifier: MIT */
/* See facts_join.h. */
#include "store/facts_join.h"

#include "base/text.h"
#include "store/merge.h"
#include "store/texts.h"

#include <stdlib.h>
#include <string.h>

#define BETWEEN " | "
/* Of a library that no run needed: nothing that could make runs differ. */
#define UNUSED "not used"
#define UNKNOWN "unknown"

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

/* What the sets have for a fact. */
struct values {
    struct texts distinct;
    bool unused, lacking; /* some set says UNUSED, or nothing */
};

static bool add_value(struct values *values, const char *value, struct error *err)
{
    size_t number;
    if (strcmp(value, UNUSED) == 0) {
        values->unused = true;
        return true;
    }
    return texts_add(&values->distinct, value, NULL, &number, err);
}

/* Adds each value of "A | B". */
static bool add_values(struct values *values, const char *joined, struct error *err)
{
    const char *rest = joined;
    for (const char *end; (end = strstr(rest, BETWEEN)) != NULL; rest = end + strlen(BETWEEN)) {
        char *value = arena_copy_bytes(values->distinct.arena, rest, (size_t)(end - rest), err);
        if (value == NULL || !add_value(values, value, err)) {
            return false;
        }
    }
    return add_value(values, rest, err);
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;
    return strcmp(*x, *y);
}

/* Each value that the sets have for a fact, sorted; who says nothing of what others tell is
 * unknown. None where nobody tells. */
static bool gather_values(const struct result_set *const *sets, size_t count, const char *name,
                          struct values *values, struct error *err)
{
    struct texts *distinct = &values->distinct;
    for (size_t i = 0; i < count; i++) {
        const char *value = result_fact(sets[i], name);
        values->lacking = values->lacking || value == NULL;
        if (value != NULL && !add_values(values, value, err)) {
            return false;
        }
    }
    bool told = distinct->count > 0 || values->unused;
    size_t number;
    if ((told && values->lacking && !texts_add(distinct, UNKNOWN, NULL, &number, err)) ||
        (distinct->count == 0 && values->unused &&
         !texts_add(distinct, UNUSED, NULL, &number, err))) {
        return false;
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
    if (strcmp(fact->name, MERGE_CHOSEN_BY) == 0) {
        return; /* what was chosen tells */
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
        struct values values = {.distinct = {.arena = arena}};
        *fact = like->provenance[i];
        if (tells_of_sweep(fact->name)) {
            out->count++;
            continue;
        }
        if (!gather_values(sets, count, fact->name, &values, err)) {
            return false;
        }
        if (values.distinct.count == 0) {
            continue;
        }
        fact->value = join(&values.distinct, err);
        if (fact->value == NULL) {
            return false;
        }
        out->count++;
        if (values.distinct.count > 1) {
            note_differing(fact, &differing, out);
        }
    }
    out->differing = differing.length == 0 ? NULL : text_finish(&differing, err);
    return facts != NULL && err->code == ERROR_NONE;
}
