/* SPDX-License-Identifier: MIT */
/* A planned sweep in a folder of its own, which many machines read: the sweep and its inputs as
 * they were, the shards with their runs, and in parts/ what each shard has found.
 *
 *   plan                 what the shards are, one fact a line
 *   sweep.yaml, inputs/  copies; nothing else is read
 *   parts/part-00003.h5  results of shard 3, its journal and its lock beside it
 *   sweep.h5             what 'rowmax merge FOLDER' makes of them
 *   slurm/, log/         scripts, job ids and what the jobs said */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "base/hash.h"
#include "base/text.h"
#include "cli/cli_internal.h"

struct folder_shard {
    size_t runs;
    double seconds; /* estimated, on one thread */
};

struct folder {
    const char *path;
    const char *sweep;  /* path of the copied sweep */
    const char *merged; /* path of the merged results */
    const char *digest; /* of the plan, as results files have it */
    const char **sets;  /* the --set of the plan, in order */
    size_t set_count;
    size_t runs;
    struct folder_shard *shards;
    size_t shard_count;
    uint32_t *owners; /* the shard of each run */
};

/* Whether the path is a folder. Commands that take a sweep take a planned folder as well. */
bool folder_is_one(const char *path);

/* Reads the plan. ERROR_INPUT when there is none, it is damaged, or another version made it. */
struct folder *folder_read(const char *path, struct arena *arena, struct error *err) MUST_CHECK;

/* Writes the prepared plan, which is divided into shards, to a new folder; one that holds this very
 * plan is left as it is. ERROR_INPUT when it holds anything else. */
bool folder_write(const char *path, const struct prepared *prepared, const struct options *options,
                  struct arena *arena, struct error *err) MUST_CHECK;

/* The results file of a shard. */
char *folder_part(const struct folder *folder, size_t shard, struct arena *arena,
                  struct error *err) MUST_CHECK;

/* What the files say about a shard. */
enum part_state { PART_MISSING, PART_STOPPED, PART_BUSY, PART_DONE, PART_DAMAGED };

struct part {
    enum part_state state;
    size_t runs, failed; /* of the shard's own */
};

/* Looks at a part without locking it. A part is busy while its lock file is there, which a killed
 * process leaves behind. */
bool folder_look(const struct folder *folder, size_t shard, struct part *out,
                 struct error *err) MUST_CHECK;

/* Appends the chosen places of `count` as "0,3,17-19". */
void ranges_append(struct text *text, const bool *chosen, size_t count);

/* Calls `each` for the numbers of such a list, which are below `end`; false for any other text. */
bool ranges_read(const char *text, size_t end, void (*each)(void *context, size_t place),
                 void *context) MUST_CHECK;

#endif
