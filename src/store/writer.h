/* SPDX-License-Identifier: MIT */
/* Makes a results file: its bytes in memory, and the step that puts them in place of the old file.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "run/results.h"

#include "base/arena.h"

/* Name of the column of a run field: its own, or with "_requested" where a measure has that name.
 */
#define WRITER_NAME_SIZE 96
const char *writer_column_name(size_t run_field, char out[WRITER_NAME_SIZE]);

/* The file as bytes; the same set gives the same bytes. HDF5 never sees the disk: on a full one it
 * reports success and may crash. */
bool writer_image(const struct result_set *set, struct arena *arena, const void **bytes,
                  size_t *size, struct error *err) MUST_CHECK;

/* Writes the set to `path`: beside it under the name writer_unfinished gives, synced, read back and
 * compared, renamed. On failure the old file stands (or, where only the folder could not be synced,
 * the new one) and nothing is left behind. */
bool writer_replace(const char *path, const struct result_set *set, struct error *err) MUST_CHECK;

/* Where a file is before it is complete; a kill can leave one behind. */
char *writer_unfinished(const char *path, struct arena *arena, struct error *err) MUST_CHECK;

/* Whether the file reads back as the set, of rows that keep no matrices. It needs no second set in
 * memory. */
bool writer_check(const char *path, const struct result_set *set, struct error *err) MUST_CHECK;

#endif
