/* SPDX-License-Identifier: MIT */
/* Where the installed corpora and experiments lie. */
#ifndef BASE_DATA_FOLDER_H
#define BASE_DATA_FOLDER_H

#include "base/arena.h"

/* The folder share/rowmax that was installed with this program: found from the program itself, so
 * that a moved installation finds its own; else the one that the build was told of, whether it is
 * there or not. NULL only without memory. */
const char *data_folder(struct arena *arena, struct error *err) MUST_CHECK;

/* The same for a program at this path. */
const char *data_folder_of(const char *program, struct arena *arena, struct error *err) MUST_CHECK;

#endif
