/* SPDX-License-Identifier: MIT */
/* The sinusoidal encodings that drawn tokens get: the same for all runs of one width, and so made
 * once for all threads. */
#ifndef ENGINE_POSITIONS_H
#define ENGINE_POSITIONS_H

#include "engine/engine.h"

/* Numbers of all that are kept together: 8 MB. Longer ones are made for each run anew, which then
 * takes long beside them. */
#define POSITIONS_KEPT ((size_t)1 << 20)

struct positions;

/* None, in `arena`; NULL with `err` set when memory is short. */
struct positions *positions_start(struct arena *arena, struct error *err) MUST_CHECK;

/* Tells of the run at a place of the plan. */
void positions_count(struct positions *positions, const struct engine *engine, size_t run);

/* How many numbers are kept: those that several of the runs told of add, as far as they fit. */
size_t positions_numbers(const struct positions *positions);

/* Makes these; read-only from then on. False with `err` set when memory is short. */
bool positions_make(struct positions *positions, struct arena *arena, struct error *err) MUST_CHECK;

/* (tokens, d), the first rows of what is kept for that width, or NULL where nothing is. */
const double *positions_of(const struct positions *positions, size_t tokens, size_t d);

#endif
