/* SPDX-License-Identifier: MIT */
/* Looks at everything in a set of results that was read from hostile bytes. */
#ifndef TOUCH_SET_H
#define TOUCH_SET_H

#include "run/results.h"

void fuzz_touch_set(const struct result_set *set, struct arena *arena);

#endif
