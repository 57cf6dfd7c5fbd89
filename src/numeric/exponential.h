/* SPDX-License-Identifier: MIT */
/* e^x for loops that the compiler turns into vector instructions. The same bits from every
 * processor in files that do not fuse a * b + c, and from every one that does where they do: no
 * addition here has two products to choose from. */
#ifndef NUMERIC_EXPONENTIAL_H
#define NUMERIC_EXPONENTIAL_H

#include "base/clones.h"

#include <stdint.h>
#include <string.h>

/* 2^k for a whole -1022 <= k <= 1023, which stands in the last bits of k + 1.5 2^52. */
PART_OF_TARGETS double exponential_power_shifted(double shifted)
{
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

PART_OF_TARGETS double exponential_power(double k)
{
    return exponential_power_shifted(k + 0x1.8p52);
}

/* e^r for |r| <= ln 2 / 2, by its Taylor series, even and odd powers apart. */
PART_OF_TARGETS double exponential_series(double r)
{
    double z = r * r;
    double even = 1.0 / 479001600;
    even = even * z + 1.0 / 3628800;
    even = even * z + 1.0 / 40320;
    even = even * z + 1.0 / 720;
    even = even * z + 1.0 / 24;
    even = even * z + 0.5;
    double odd = 1.0 / 6227020800;
    odd = odd * z + 1.0 / 39916800;
    odd = odd * z + 1.0 / 362880;
    odd = odd * z + 1.0 / 5040;
    odd = odd * z + 1.0 / 120;
    odd = odd * z + 1.0 / 6;
    return 1 + (r + z * (even + r * odd));
}

/* x = k ln 2 + r; ln 2 in two parts, the first short enough that its product with k is exact. */
PART_OF_TARGETS double exponential_power_of(double x)
{
    return (x * 1.44269504088896340736 + 0x1.8p52) - 0x1.8p52;
}

PART_OF_TARGETS double exponential_rest(double x, double k)
{
    return (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
}

/* e^x for x <= 0, minus infinity included, within one unit of the last place, subnormal results
 * included: 2^k e^r. */
PART_OF_TARGETS double exponential(double x)
{
    double y = x > -800 ? x : -800; /* 0 long before */
    double k = exponential_power_of(y);
    double series = exponential_series(exponential_rest(y, k));
    /* In two steps, so that a subnormal result is rounded once. */
    double first = k > -1000 ? k : -1000;
    return series * exponential_power(first) * exponential_power(k - first);
}

/* The same bits for -690 <= x <= 690, sooner. */
PART_OF_TARGETS double exponential_near(double x)
{
    double shifted = x * 1.44269504088896340736 + 0x1.8p52;
    double k = shifted - 0x1.8p52;
    return exponential_series(exponential_rest(x, k)) * exponential_power_shifted(shifted);
}

#endif
