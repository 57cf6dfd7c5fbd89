/* SPDX-License-Identifier: MIT */
/* The ways to a product, one for each kind of processor. */
#ifndef NUMERIC_PRODUCT_INTERNAL_H
#define NUMERIC_PRODUCT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* c = a (b - 1 originᵀ), m at least 1. */
struct product {
    size_t n, m, k;
    const double *a, *b;
    const double *origin; /* or NULL */
    double *c;
};

struct product_way {
    bool (*usable)(void);
    void (*multiply)(const struct product *product);
};

/* The best first; the last one is usable everywhere. */
extern const struct product_way product_ways[];
extern const size_t product_way_count;

#endif
