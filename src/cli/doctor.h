/* SPDX-License-Identifier: MIT */
/* What the checks of rowmax doctor share. */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "base/arena.h"

struct health {
    bool figures, all;
};

enum verdict { VERDICT_FAIL, VERDICT_OK, VERDICT_NOTE };

/* The line of a check: its verdict, what was looked at, and what was found with the remedy. */
void doctor_tell(enum verdict verdict, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A small sweep on every thread into a file in `folder`, read back: its numbers are known. */
bool doctor_run(const char *folder, struct arena *arena);

/* Whether a second writer is kept out of a results file in `folder`. */
bool doctor_locks(const char *folder, struct arena *arena);

/* Whether as many threads start as there are processors. */
bool doctor_threads(void);

/* What is installed beside the program; a note where nothing is. */
void doctor_data(struct arena *arena);

#endif
