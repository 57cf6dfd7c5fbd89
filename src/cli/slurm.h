/* SPDX-License-Identifier: MIT */
/* Slurm through its command-line programs, as children without a shell. */
#ifndef CLI_SLURM_H
#define CLI_SLURM_H

#include "cli/folder.h"

#include "base/text.h"

/* One submission: a line of slurm/jobs. */
struct slurm_job {
    const char *array, *merge; /* ids, digits only; merge "-" while it is not submitted */
    const char *shards;        /* "0-7" */
};

/* What Slurm says about a task, as it is at this moment. */
struct slurm_task {
    const char *state;  /* "RUNNING"; "" where nothing is known */
    const char *detail; /* node, or why it waits */
    const char *job;    /* "4711_3" */
};

/* Reads the noted submissions, oldest first; none is no error. */
struct slurm_job *slurm_jobs(const struct folder *folder, struct arena *arena, size_t *count,
                             struct error *err) MUST_CHECK;

/* Runs a program of Slurm to its end. *status is its exit status, *output all it says. ERROR_FILE
 * when it cannot be started or does not end within `seconds`. */
bool slurm_call(const char *const *arguments, double seconds, struct arena *arena,
                const char **output, int *status, struct error *err) MUST_CHECK;

/* Asks squeue about every shard of the folder and, in tasks[shard_count], its merge, and sacct
 * about those that squeue has forgotten. False where neither answers or knows any of the jobs,
 * which is no error. `tasks` starts at 0. */
bool slurm_ask(const struct folder *folder, const struct slurm_job *jobs, size_t count,
               struct slurm_task *tasks, struct arena *arena);

/* Whether Slurm still has work to do for a task in this state. */
bool slurm_is_active(const char *state);

/* The largest number of tasks of an array; 0 where Slurm does not say. */
size_t slurm_array_limit(struct arena *arena);

/* The scripts. `program` and `folder` are absolute paths. */
const char *slurm_shards_script(const char *program, const char *folder, size_t shards,
                                const struct cluster_options *options, struct arena *arena,
                                struct error *err) MUST_CHECK;
const char *slurm_merge_script(const char *program, const char *folder,
                               const struct cluster_options *options, struct arena *arena,
                               struct error *err) MUST_CHECK;

#endif
