/* SPDX-License-Identifier: MIT */
/* Rising order of plain values, or of what begins with one, as qsort and bsearch ask for it. No
 * value may be NaN. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdint.h>

static inline int order_integers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static inline int order_keys(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static inline int order_reals(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

#endif
