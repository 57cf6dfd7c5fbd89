/* SPDX-License-Identifier: MIT */
/* rowmax plan: what a sweep would do, before it does it. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "engine/engine.h"
#include "run/fields.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the one value that an axis of scores has: who wrote several may have meant as many
 * values. */
static size_t rows_of_value(const struct plan *plan, const struct plan_axis *axis)
{
    size_t rows = 1;
    if (axis->values > 1 || strcmp(axis->name, run_fields[RUN_SCORES].name) != 0) {
        return rows;
    }
    const char *scores = NULL;
    for (size_t i = 0; i < plan->count && scores == NULL; i++) {
        const char *const *own = run_list_at(&plan->runs, i, RUN_SCORES);
        scores = *own;
    }
    for (const char *at = scores == NULL ? "" : scores; *at != '\0'; at++) {
        rows += *at == ';';
    }
    return rows;
}

static void print_axes(const struct plan *plan)
{
    for (size_t i = 0; i < plan->axis_count; i++) {
        const struct plan_axis *axis = &plan->axes[i];
        size_t rows = rows_of_value(plan, axis);
        printf("  %-20s %s value%s", axis->name, cli_count(axis->values),
               axis->values == 1 ? "" : "s");
        if (rows > 1) {
            printf(" of %s rows (for as many values give each row one more bracket)",
                   cli_count(rows));
        }
        printf("\n");
    }
    for (size_t i = 0; i < plan->rule_count; i++) {
        char text[512];
        printf("  %s: %s point%s taken away\n",
               text_printable(plan->rules[i].text, text, sizeof text),
               cli_count(plan->rules[i].excluded), plan->rules[i].excluded == 1 ? "" : "s");
    }
}

/* What a resume would find. */
struct resume {
    bool nameless, is_there; /* no file is named; there is one */
    struct at_hand at_hand;
    struct missing missing;
};

static bool look_at_hand(const struct prepared *prepared, const struct options *options,
                         struct resume *resume, struct arena *arena, struct error *err)
{
    struct result_set set = {.name = NULL};
    const char *journal = arena_format(arena, err, "%s.journal", prepared->output);
    *resume = (struct resume){.nameless = prepared_is_nameless(prepared, options)};
    if (journal == NULL) {
        return false;
    }
    resume->is_there =
        !resume->nameless && (files_exists(prepared->output) || files_exists(journal));
    return (!resume->is_there || store_load(prepared->output, arena, &set, err)) &&
           at_hand_in_set(&set, arena, &resume->at_hand, err) &&
           missing_list(prepared, &resume->at_hand, options->retry_failed, arena, &resume->missing,
                        err);
}

static void print_resume(const struct prepared *prepared, const struct resume *resume,
                         bool retry_failed)
{
    if (resume->nameless) {
        printf("to run: all; to see what is there already, give the sweep a name, or -o\n");
    } else if (!resume->is_there) {
        printf("to run: all, nothing is in %s yet\n", prepared->output);
    } else {
        const struct missing *missing = &resume->missing;
        printf("to run: %s; %s are in %s already; %s failed%s\n", cli_count(missing->count),
               cli_count(missing->served), prepared->output, cli_count(missing->failed),
               missing->failed > 0 && !retry_failed ? ", see --retry-failed" : "");
    }
}

/* Of the runs to do, as 'run' expects them. */
static bool print_estimates(const struct prepared *prepared, const struct missing *missing,
                            size_t jobs, struct error *err)
{
    struct budget budget;
    char time[40];
    char learning[40];
    char file[40];
    char most[40];
    if (!budget_make(prepared, missing->runs, missing->count, jobs, &budget, err)) {
        return false;
    }
    printf("estimate: %s on %zu thread%s", cli_duration(budget.seconds, time), jobs,
           jobs == 1 ? "" : "s");
    if (missing->count < prepared->own) {
        printf(" for the %s run%s to do", cli_count(missing->count),
               missing->count == 1 ? "" : "s");
    }
    if (budget.estimate.learning > 0) {
        printf(", %s of it learning word vectors",
               cli_duration(budget.estimate.learning / budget.speed, learning));
    }
    /* With nothing to do nothing is held and nothing written. */
    if (missing->count > 0) {
        printf("; %s of memory, %s on disk", cli_bytes(budget.estimate.memory, most),
               cli_bytes(budget.estimate.file, file));
    }
    printf("\n");
    return true;
}

static void print_list(const struct prepared *prepared)
{
    printf("run\tkey");
    for (size_t f = 0; f < RUN_FIELD_COUNT; f++) {
        printf("\t%s", run_fields[f].name);
    }
    printf("\n");
    for (size_t i = 0; i < prepared->plan.count; i++) {
        if (!prepared_owns(prepared, i)) {
            continue;
        }
        printf("%zu\t%016llx", i, (unsigned long long)prepared->keys[i]);
        for (size_t f = 0; f < RUN_FIELD_COUNT; f++) {
            char out[FIELD_VALUE_SIZE];
            char safe[512];
            const void *member = run_list_at(&prepared->plan.runs, i, f);
            const char *value = field_member_text(&run_fields[f], member, out);
            printf("\t%s", text_printable(value, safe, sizeof safe));
        }
        printf("\n");
    }
}

bool command_plan(const struct options *options, struct arena *arena, struct error *err)
{
    struct prepared prepared;
    char title[1024];
    if (options->cluster.shards > 0 || options->cluster.folder != NULL) {
        return plan_shards(options, arena, err);
    }
    if (!prepare(options, arena, &prepared, err)) {
        return false;
    }
    if (options->list) {
        print_list(&prepared);
        return true;
    }
    printf("%s\n", text_printable(prepared.sweep.title, title, sizeof title));
    printf("%s run%s of %s point%s\n", cli_count(prepared.plan.count),
           prepared.plan.count == 1 ? "" : "s", cli_count(prepared.plan.points),
           prepared.plan.points == 1 ? "" : "s");
    if (options->shard.count > 0) {
        printf("shard %zu/%zu: %s of them\n", options->shard.index, options->shard.count,
               cli_count(prepared.own));
    }
    print_axes(&prepared.plan);
    struct resume resume;
    if (!look_at_hand(&prepared, options, &resume, arena, err) ||
        !print_estimates(&prepared, &resume.missing, options->jobs, err)) {
        return false;
    }
    print_resume(&prepared, &resume, options->retry_failed);
    return !options->why ||
           print_why(&prepared, &resume.at_hand, options->retry_failed, arena, err);
}
