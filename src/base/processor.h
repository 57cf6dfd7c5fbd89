/* SPDX-License-Identifier: MIT */
/* Which vector instructions the program's own loops use. One binary holds each of them several
 * times over (base/clones.h); what the processor has is found out once, unless a level is forced.
 * All levels give the same bits, but for products, exponentials of softmax and normal numbers,
 * where the plain level does not fuse a multiplication with an addition (numeric/product.h,
 * attention/softmax.h, base/random.h). */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include "base/error.h"

/* Each has all that those before it have. */
enum processor_level {
    PROCESSOR_PLAIN,  /* what every processor of its kind has */
    PROCESSOR_AVX2,   /* AVX2 and FMA */
    PROCESSOR_AVX512, /* AVX-512F and DQ as well */
    PROCESSOR_LEVEL_COUNT
};

/* The level in use: the one forced, or else the best one. */
enum processor_level processor_level(void);

/* The best level that this processor and its system have. */
enum processor_level processor_best(void);

bool processor_is_forced(void);

/* "plain", "avx2", "avx512". */
const char *processor_level_name(enum processor_level level);

/* Makes the level of that name the one in use, from now on and for every thread: to be called
 * before any other starts. ERROR_USAGE where there is none of that name, ERROR_INPUT where this
 * processor lacks it; both name those it has. */
bool processor_force(const char *name, struct error *err) MUST_CHECK;

#endif
