/* SPDX-License-Identifier: MIT */
/* rowmax status: how far a planned folder is. Its files say that; what Slurm says is added. */
#include "base/files.h"
#include "cli/slurm.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

#define LINES_SHOWN 100

struct survey {
    const struct folder *folder;
    struct part *parts;
    struct slurm_task *tasks; /* one more than shards: the merge */
    bool slurm_answers;
    size_t done, runs, failed; /* shards, and runs of all */
};

/* A part whose lock file a killed process left is not busy when Slurm runs no such task. */
static const char *state_word(const struct survey *survey, size_t shard)
{
    static const char *const words[] = {[PART_MISSING] = "missing",
                                        [PART_STOPPED] = "stopped",
                                        [PART_BUSY] = "running",
                                        [PART_DONE] = "done",
                                        [PART_DAMAGED] = "damaged"};
    const char *state = survey->tasks[shard].state;
    bool over = survey->slurm_answers && (state == NULL || strcmp(state, "RUNNING") != 0);
    enum part_state part = survey->parts[shard].state;
    return words[part == PART_BUSY && over ? PART_STOPPED : part];
}

static void print_shards(const struct survey *survey)
{
    const struct folder *folder = survey->folder;
    size_t shown = 0;
    for (size_t i = 0; i < folder->shard_count; i++) {
        if (survey->parts[i].state == PART_DONE) {
            continue;
        }
        if (shown++ == LINES_SHOWN) {
            printf("... and %s more\n",
                   cli_count(folder->shard_count - survey->done - LINES_SHOWN));
            return;
        }
        const struct slurm_task *task = &survey->tasks[i];
        printf("shard %zu\t%s\t%zu of %zu runs", i, state_word(survey, i), survey->parts[i].runs,
               folder->shards[i].runs);
        if (task->state != NULL) {
            printf("\tjob %s %s %s", task->job, task->state, task->detail);
        }
        printf("\n");
    }
}

static bool has_active(const struct survey *survey)
{
    for (size_t i = 0; i <= survey->folder->shard_count; i++) {
        if (survey->tasks[i].state != NULL && slurm_is_active(survey->tasks[i].state)) {
            return true;
        }
    }
    return false;
}

/* The step that is next, where it is the user's; `path` is the folder as a word of it. */
static void print_next(const struct survey *survey, size_t submissions, const char *path)
{
    if (has_active(survey)) {
        const struct slurm_task *merge = &survey->tasks[survey->folder->shard_count];
        if (merge->state != NULL) {
            printf("merge\tjob %s %s %s\n", merge->job, merge->state, merge->detail);
        }
    } else if (survey->done == survey->folder->shard_count) {
        printf("all shards are there, not merged: rowmax merge %s\n", path);
    } else if (submissions == 0) {
        printf("not submitted: rowmax submit %s --engine slurm\n", path);
    } else if (survey->slurm_answers) {
        printf("no job is left: rowmax submit %s --engine slurm --missing\n", path);
    } else {
        printf("squeue says nothing about the jobs; if they are gone: rowmax submit %s --engine "
               "slurm --missing\n",
               path);
    }
}

/* True when the merged file is there with every run. */
static bool print_merged(const struct folder *folder, struct arena *arena)
{
    struct result_set set;
    struct error trouble = ERROR_INIT;
    if (!files_exists(folder->merged)) {
        return false;
    }
    if (!store_load(folder->merged, arena, &set, &trouble)) {
        printf("%s cannot be read\n", folder->merged);
        return false;
    }
    printf("merged: %s of %s runs in %s\n", cli_count(set.count), cli_count(folder->runs),
           folder->merged);
    return set.count >= folder->runs;
}

static bool look(struct survey *survey, struct arena *arena, struct error *err)
{
    const struct folder *folder = survey->folder;
    survey->parts = arena_alloc(arena, folder->shard_count, sizeof *survey->parts, err);
    survey->tasks = arena_alloc(arena, folder->shard_count + 1, sizeof *survey->tasks, err);
    if (survey->parts == NULL || survey->tasks == NULL) {
        return false;
    }
    for (size_t i = 0; i < folder->shard_count; i++) {
        struct part *part = &survey->parts[i];
        if (!folder_look(folder, i, part, err)) {
            return false;
        }
        survey->done += part->state == PART_DONE;
        survey->runs += part->runs;
        survey->failed += part->failed;
    }
    return true;
}

bool command_status(const struct options *options, struct arena *arena, struct error *err)
{
    size_t submissions;
    struct survey survey = {.folder = folder_read(options->operands[0], arena, err)};
    const struct slurm_job *jobs =
        survey.folder == NULL ? NULL : slurm_jobs(survey.folder, arena, &submissions, err);
    if (jobs == NULL || !look(&survey, arena, err)) {
        return false;
    }
    survey.slurm_answers = slurm_ask(survey.folder, jobs, submissions, survey.tasks, arena);
    printf("%s: %s of %s shards done, %s of %s runs, %s failed\n", survey.folder->path,
           cli_count(survey.done), cli_count(survey.folder->shard_count), cli_count(survey.runs),
           cli_count(survey.folder->runs), cli_count(survey.failed));
    print_shards(&survey);
    if (print_merged(survey.folder, arena)) {
        return true;
    }
    const char *path = cli_word(survey.folder->path, arena, err);
    if (path == NULL) {
        return false;
    }
    print_next(&survey, submissions, path);
    return true;
}
