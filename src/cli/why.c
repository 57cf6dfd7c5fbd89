/* SPDX-License-Identifier: MIT */
/* plan --why: for each run whether it would run, and the reason. */
#include "cli/cli_internal.h"

#include "base/order.h"
#include "base/text.h"
#include "run/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plans up to this size are listed whole. */
#define LISTED_MAX 1000
#define SHOWN_OF_MORE 20
/* New runs are compared with those at hand while that takes no time to speak of. */
#define COMPARED_MAX 2000000
#define FIELDS_NAMED 4
#define SHOWN_OF_VALUE 80

enum why {
    WHY_NEW,
    WHY_CONTENT,
    WHY_MATRICES,
    WHY_MEASURES,
    WHY_FAILED,
    WHY_RUNS_END, /* those above run */
    WHY_STAYS_FAILED = WHY_RUNS_END,
    WHY_DONE,
    WHY_COUNT
};

static const char *const reasons[WHY_COUNT] = {
    [WHY_NEW] = "new",
    [WHY_CONTENT] = "a file it reads has other content",
    [WHY_MATRICES] = "matrices to keep are not there",
    [WHY_MEASURES] = "measures to store are not there",
    [WHY_FAILED] = "failed before",
    [WHY_STAYS_FAILED] = "failed, not run again without --retry-failed",
    [WHY_DONE] = "done",
};

/* The key that a run would have if files counted by name. */
static uint64_t name_key(const struct run *run)
{
    struct run named = *run;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        if (field->kind == FIELD_PATH) {
            const char *name;
            memcpy(&name, (const char *)run + field->offset, sizeof name);
            memcpy((char *)&named + field->digest, &name, sizeof name);
        }
    }
    return run_key(&named);
}

struct asking {
    const struct prepared *prepared;
    const struct at_hand *at_hand;
    const uint64_t *names; /* name keys of the rows, sorted */
    bool retry_failed;
};

static enum why ask(const struct asking *asking, size_t i)
{
    const struct prepared *prepared = asking->prepared;
    const struct result_set *set = &asking->at_hand->set;
    size_t found = asking->at_hand->find(asking->at_hand->index, prepared->keys[i]);
    if (found == NO_ROW) {
        struct run run;
        run_list_get(&prepared->plan.runs, i, &run);
        uint64_t name = name_key(&run);
        bool named = set->count > 0 &&
                     bsearch(&name, asking->names, set->count, sizeof name, order_keys) != NULL;
        return named ? WHY_CONTENT : WHY_NEW;
    }
    if (result_status(set, found) == RESULT_FAILED) {
        return asking->retry_failed ? WHY_FAILED : WHY_STAYS_FAILED;
    }
    if ((result_lacking(set, found) & prepared->sweep.measures) != 0) {
        return WHY_MEASURES;
    }
    return result_serves(set, found, prepared->plan.keep[i], 0, asking->retry_failed)
               ? WHY_DONE
               : WHY_MATRICES;
}

/* What the key takes of a field: of a file its content. */
static bool is_same(const struct field *field, const struct run *a, const struct run *b)
{
    if (field->kind != FIELD_PATH) {
        return field_value_equal(field, a, b);
    }
    const char *one;
    const char *other;
    memcpy(&one, (const char *)a + field->digest, sizeof one);
    memcpy(&other, (const char *)b + field->digest, sizeof other);
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Fields in which two runs differ, counted up to `most`. */
static size_t difference(const struct run *a, const struct run *b, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < RUN_FIELD_COUNT && count < most; i++) {
        count += !is_same(&run_fields[i], a, b);
    }
    return count;
}

/* The first of the rows at hand that differ in the fewest fields, and its run; NO_ROW where all
 * differ in more than are worth naming. */
static size_t nearest(const struct asking *asking, const struct run *run, struct run *out)
{
    const struct result_set *set = &asking->at_hand->set;
    size_t found = NO_ROW;
    size_t least = FIELDS_NAMED + 1;
    for (size_t i = 0; i < set->count && least > 1; i++) {
        struct run other;
        result_run(set, i, &other);
        size_t count = difference(run, &other, least);
        if (count < least) {
            least = count;
            found = i;
            *out = other;
        }
    }
    return found;
}

/* "; the nearest in the file, 0123456789abcdef, has seed 1, d_model 64" */
static void print_nearest(const struct asking *asking, size_t i)
{
    struct run run;
    struct run other;
    run_list_get(&asking->prepared->plan.runs, i, &run);
    size_t found = nearest(asking, &run, &other);
    const char *joint = " has ";
    if (found == NO_ROW) {
        return;
    }
    printf("; the nearest in the file, %016llx,",
           (unsigned long long)result_key(&asking->at_hand->set, found));
    for (size_t place = 0; place < RUN_FIELD_COUNT; place++) {
        char out[FIELD_VALUE_SIZE];
        char safe[SHOWN_OF_VALUE];
        const struct field *field = &run_fields[place];
        if (!is_same(field, &run, &other)) {
            const char *value = field_value_text(field, &other, out);
            printf("%s%s %s", joint, field->name, text_printable(value, safe, sizeof safe));
            joint = ", ";
        }
    }
}

static void print_counts(const size_t counts[WHY_COUNT])
{
    for (int why = 0; why < WHY_COUNT; why++) {
        if (counts[why] > 0) {
            printf("  %s %s: %s\n", cli_count(counts[why]),
                   why < WHY_RUNS_END ? "to run" : "not run", reasons[why]);
        }
    }
}

static void print_run(const struct asking *asking, size_t i, enum why why, bool compare)
{
    const struct prepared *prepared = asking->prepared;
    printf("%zu\t%016llx\t%s\t%s", i, (unsigned long long)prepared->keys[i],
           why < WHY_RUNS_END ? "run" : "-", reasons[why]);
    if (why == WHY_NEW && compare) {
        print_nearest(asking, i);
    }
    printf("\n");
}

static void print_runs(const struct asking *asking)
{
    const struct prepared *prepared = asking->prepared;
    bool all = prepared->own <= LISTED_MAX;
    size_t counts[WHY_COUNT] = {0};
    size_t shown = 0;
    printf("run\tkey\tdoes\twhy\n");
    for (size_t i = 0; i < prepared->plan.count; i++) {
        if (!prepared_owns(prepared, i)) {
            continue;
        }
        enum why why = ask(asking, i);
        counts[why]++;
        if (all || (why < WHY_RUNS_END && shown < SHOWN_OF_MORE)) {
            print_run(asking, i, why,
                      shown < SHOWN_OF_MORE || shown * asking->at_hand->set.count < COMPARED_MAX);
            shown++;
        }
    }
    if (!all) {
        printf("... the first %d to run of %s runs\n", SHOWN_OF_MORE, cli_count(prepared->own));
    }
    print_counts(counts);
}

bool print_why(const struct prepared *prepared, const struct at_hand *at_hand, bool retry_failed,
               struct arena *arena, struct error *err)
{
    size_t count = at_hand->set.count;
    uint64_t *names = arena_alloc(arena, count, sizeof *names, err);
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct run run;
        result_run(&at_hand->set, i, &run);
        names[i] = name_key(&run);
    }
    qsort(names, count, sizeof *names, order_keys);
    print_runs(&(struct asking){prepared, at_hand, names, retry_failed});
    return true;
}
