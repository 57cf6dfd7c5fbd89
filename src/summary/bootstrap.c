/* SPDX-License-Identifier: MIT */
/* Drawing seeds again, and the percentile interval; see bootstrap.h. */
#include "summary/bootstrap.h"

#include "base/order.h"
#include "base/random.h"
#include "numeric/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t bootstrap_seed = 1;

void bootstrap_start(struct bootstrap *bootstrap, size_t units)
{
    bootstrap->units = units;
    bootstrap->drawn = 0;
    bootstrap->left = 0;
}

/* Many at once, since few cost as much. Rows of 2^20 numbers: a column has 32 bits. */
static double next_number(struct bootstrap *bootstrap)
{
    if (bootstrap->left == 0) {
        random_uniforms(bootstrap_seed, RANDOM_BOOTSTRAP, (uint32_t)(bootstrap->drawn >> 20),
                        (uint32_t)(bootstrap->drawn & 0xFFFFF), BOOTSTRAP_CHUNK,
                        bootstrap->numbers);
        bootstrap->drawn += BOOTSTRAP_CHUNK;
        bootstrap->left = BOOTSTRAP_CHUNK;
    }
    return bootstrap->numbers[BOOTSTRAP_CHUNK - bootstrap->left--];
}

void bootstrap_draw(struct bootstrap *bootstrap, double *times)
{
    memset(times, 0, bootstrap->units * sizeof *times);
    for (size_t i = 0; i < bootstrap->units; i++) {
        times[(size_t)(next_number(bootstrap) * (double)bootstrap->units)] += 1;
    }
}

/* Between an infinite and a finite neighbour there is nothing to interpolate: the end is open. */
static double quantile(size_t count, const double *sorted, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    double part = place - (double)below;
    double left = sorted[below];
    double right = sorted[below + 1 < count ? below + 1 : below];
    if (part == 0 || left == right) {
        return left;
    }
    return isinf(left) ? left : left + part * (right - left);
}

double bootstrap_tail(size_t units)
{
    double n = (double)units;
    return erfc(statistics_student(units - 1) * sqrt(n / (n - 1)) / sqrt(2)) / 2;
}

struct interval bootstrap_interval(size_t count, double *values, double tail)
{
    if (count == 0) {
        return (struct interval){(double)NAN, (double)NAN};
    }
    qsort(values, count, sizeof *values, order_reals);
    return (struct interval){quantile(count, values, tail), quantile(count, values, 1 - tail)};
}
