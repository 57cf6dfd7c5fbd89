/* SPDX-License-Identifier: MIT */
/* What runs will take, whether this machine has it, and what they took: OUT.h5.timing. */
#include "base/files.h"
#include "base/text.h"
#include "cli/cli_internal.h"
#include "cli/machine.h"
#include "run/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TIMING_LIMIT 65536

/* Of a run's row in the file; in all it takes about 150. */
#define BYTES_A_MEASURE 4.4

/* Refused is only what is off by more than an estimate is. */
#define MARGIN 1.3

/* Of the time that the runs take, as much goes to finding out how fast this machine is. */
#define SPEED_SHARE 0.01

bool budget_make(const struct prepared *prepared, const uint32_t *runs, size_t count, size_t jobs,
                 struct budget *out, struct error *err)
{
    *out = (struct budget){.runs = count, .jobs = jobs};
    uint64_t lacking = lacking_measures(prepared);
    const struct estimate_sweep sweep = {runs,    count, prepared->own, kept_bytes(prepared),
                                         lacking, jobs};
    if (!engine_estimate(prepared->engine, &sweep, &out->estimate, err)) {
        return false;
    }
    /* A real measure that is not stored. */
    out->estimate.file -=
        BYTES_A_MEASURE * (double)__builtin_popcountll(lacking) * (double)prepared->own;
    out->speed = estimate_speed(SPEED_SHARE * estimate_seconds(&out->estimate, count, jobs, 1));
    out->seconds = estimate_seconds(&out->estimate, count, jobs, out->speed);
    return true;
}

bool budget_check(const struct budget *budget, const char *output, struct error *err)
{
    char needed[40];
    char there[40];
    double memory = machine_memory("");
    double disk = machine_disk(output);
    if (budget->estimate.memory > MARGIN * memory) {
        return error_set(err, ERROR_INPUT,
                         "these runs need about %s of memory and %s are free; use fewer threads "
                         "(-j), --shard or a smaller sweep, or --force",
                         cli_bytes(budget->estimate.memory, needed), cli_bytes(memory, there));
    }
    if (budget->estimate.file > MARGIN * disk) {
        return error_set(err, ERROR_FILE,
                         "'%s' will take about %s and %s are free there; name another place with "
                         "-o, make room, or use --force",
                         output, cli_bytes(budget->estimate.file, needed), cli_bytes(disk, there));
    }
    return true;
}

/* Beside the file itself where `output` is a link to it, as its lock and its journal are. */
static const char *timing_path(const char *output, struct arena *arena, struct error *err)
{
    const char *file = files_follow(output, arena, err);
    return file == NULL ? NULL : arena_format(arena, err, "%s.timing", file);
}

bool timing_write(const struct budget *budget, const char *output, double seconds,
                  struct error *err)
{
    struct arena arena = {NULL};
    const struct engine_estimate *estimate = &budget->estimate;
    const char *path = timing_path(output, &arena, err);
    struct text text = TEXT_INIT(&arena);
    text_append_format(&text, "runs\t%zu\nthreads\t%zu\n", budget->runs, budget->jobs);
    text_append_format(&text, "measured_seconds\t%.3f\npredicted_seconds\t%.3f\n", seconds,
                       budget->seconds);
    text_append_format(&text, "processor_seconds\t%.3f\njournal_processor\t%.3f\n",
                       cli_processor_seconds(), budget->journal);
    text_append_format(&text, "pack_processor\t%.3f\npack_seconds\t%.3f\n", budget->pack,
                       budget->pack_seconds);
    text_append_format(&text, "speed\t%.3f\n", budget->speed);
    text_append_format(&text, "start\t%.3f\nlearning\t%.3f\ndraws\t%.3f\nruns_alone\t%.3f\n",
                       estimate->start, estimate->learning, estimate->draws + estimate->fresh,
                       estimate->runs);
    text_append_format(&text, "rows\t%.3f\npredicted_bytes\t%.0f\npredicted_memory\t%.0f\n",
                       estimate->rows, estimate->file, estimate->memory);
    const char *bytes = path == NULL ? NULL : text_finish(&text, err);
    bool good = bytes != NULL && files_replace_unsynced(path, bytes, text.length, err);
    arena_release(&arena);
    return good;
}

bool timing_print(const char *output, struct arena *arena, struct error *err)
{
    size_t size;
    const char *path = timing_path(output, arena, err);
    if (path == NULL) {
        return false;
    }
    if (!files_exists(path)) {
        return error_set(err, ERROR_INPUT,
                         "'%s' is not there: nothing was run into '%s', or it was merged", path,
                         output);
    }
    char *text = files_read_own(path, TIMING_LIMIT, arena, &size, err);
    if (text == NULL) {
        return false;
    }
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char safe[256];
        char *tab = strchr(line, '\t');
        if (tab != NULL) {
            *tab = '\0';
            printf("%-18s", text_printable(line, safe, sizeof safe));
            printf(" %s\n", text_printable(tab + 1, safe, sizeof safe));
        }
    }
    return true;
}
