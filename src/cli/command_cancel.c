/* SPDX-License-Identifier: MIT */
/* rowmax cancel: ends the jobs that a planned folder has noted, and no others. */
#include "cli/slurm.h"

#include <string.h>

#define CANCEL_SECONDS 60

static bool cancel(const char *id, struct arena *arena, struct error *err)
{
    const char *const arguments[] = {"scancel", id, NULL};
    const char *output;
    int status;
    if (!slurm_call(arguments, CANCEL_SECONDS, arena, &output, &status, err)) {
        return error_add_context(
            err, "Slurm is needed on this machine; call this where scancel is installed");
    }
    /* A job that has long ended is unknown, which is as good. */
    return status == 0 || strstr(output, "Invalid job id") != NULL ||
           strstr(output, "already completing or completed") != NULL ||
           error_set(err, ERROR_FILE, "scancel cannot end job %s: %.*s", id,
                     (int)strcspn(output, "\n"), output);
}

bool command_cancel(const struct options *options, struct arena *arena, struct error *err)
{
    size_t count;
    const struct folder *folder = folder_read(options->operands[0], arena, err);
    const struct slurm_job *jobs = folder == NULL ? NULL : slurm_jobs(folder, arena, &count, err);
    if (jobs == NULL) {
        return false;
    }
    if (count == 0) {
        return error_set(err, ERROR_INPUT, "'%s' was not submitted; 'rowmax submit' does that",
                         folder->path);
    }
    for (size_t i = 0; i < count; i++) {
        /* The merge first: it waits for nothing but the end of the array. */
        if ((jobs[i].merge[0] != '-' && !cancel(jobs[i].merge, arena, err)) ||
            !cancel(jobs[i].array, arena, err)) {
            return false;
        }
    }
    if (!options->quiet) {
        const char *word = cli_word(folder->path, arena, err);
        if (word == NULL) {
            return false;
        }
        cli_say("the jobs of '%s' are told to end; finished runs are kept; to go on: rowmax submit "
                "%s --engine slurm --missing",
                folder->path, word);
    }
    return true;
}
