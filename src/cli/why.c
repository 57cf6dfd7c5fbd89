/* SPDX-License-Identifier: MIT */
/* plan --why: for each run whether it would run, and the reason. */
#include "cli/cli_internal.h"

#include "run/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plans up to this size are listed whole. */
#define LISTED_MAX 1000
#define SHOWN_OF_MORE 20

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
    const struct result_set *set = asking->at_hand->set;
    size_t found = at_hand_find(asking->at_hand, prepared->keys[i]);
    if (found == NO_ROW) {
        struct run run;
        run_list_get(&prepared->plan.runs, i, &run);
        uint64_t name = name_key(&run);
        bool named = set->count > 0 && bsearch(&name, asking->names, set->count, sizeof name,
                                               cli_compare_keys) != NULL;
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

static void print_counts(const size_t counts[WHY_COUNT])
{
    for (int why = 0; why < WHY_COUNT; why++) {
        if (counts[why] > 0) {
            printf("  %s %s: %s\n", cli_count(counts[why]),
                   why < WHY_RUNS_END ? "to run" : "not run", reasons[why]);
        }
    }
}

static void print_run(const struct prepared *prepared, size_t i, enum why why)
{
    printf("%zu\t%016llx\t%s\t%s\n", i, (unsigned long long)prepared->keys[i],
           why < WHY_RUNS_END ? "run" : "-", reasons[why]);
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
            print_run(prepared, i, why);
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
    size_t count = at_hand->set->count;
    uint64_t *names = arena_alloc(arena, count, sizeof *names, err);
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct run run;
        result_run(at_hand->set, i, &run);
        names[i] = name_key(&run);
    }
    qsort(names, count, sizeof *names, cli_compare_keys);
    print_runs(&(struct asking){prepared, at_hand, names, retry_failed});
    return true;
}
