/* SPDX-License-Identifier: MIT */
/* A fingerprint of this machine's arithmetic: two machines, compilers or libraries whose results
 * differ in their last bits mostly differ here, before anybody compares results. */
#ifndef NUMERIC_FINGERPRINT_H
#define NUMERIC_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

/* Arguments tried, and sizes of the product; odd, so that the remainders of a kernel take part. */
enum {
    FINGERPRINT_ARGUMENTS = 61,
    FINGERPRINT_ROWS = 19,
    FINGERPRINT_INNER = 67,
    FINGERPRINT_COLUMNS = 23
};

struct fingerprint {
    double arguments[FINGERPRINT_ARGUMENTS];
    double functions[4][FINGERPRINT_ARGUMENTS]; /* exp, log of the magnitude, cos, tanh */
    double left[FINGERPRINT_ROWS * FINGERPRINT_INNER];
    double right[FINGERPRINT_INNER * FINGERPRINT_COLUMNS];
    double product[FINGERPRINT_ROWS * FINGERPRINT_COLUMNS];
};

/* Computes everything. */
void fingerprint_take(struct fingerprint *out);

/* One number for the computed values, by their bits. */
uint64_t fingerprint_hash(const struct fingerprint *fingerprint);

#endif
