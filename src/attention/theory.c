/* SPDX-License-Identifier: MIT */
/* Expectations of independent normal scores, and their limits, which are known exactly. */
#include "attention/theory.h"

#include "attention/theory_internal.h"

#include <math.h>

#define LARGEST_SPREAD 1e300

void theory_iid(size_t n, double spread, struct theory *out)
{
    double keys = (double)n;
    double size = fabs(spread);
    if (isnan(spread)) {
        *out = (struct theory){size, size, size, size, size};
    } else if (n == 1 || size > LARGEST_SPREAD) {
        *out = (struct theory){.row_max = 1, .sum_of_squares = 1};
    } else if (size == 0) {
        *out = (struct theory){1 / keys, 1 / keys, (keys - 1) / keys, sqrt(keys - 1) / keys,
                               log(keys)};
    } else {
        struct theory_sums sums;
        theory_integrate(n, size, 1, &sums);
        *out = (struct theory){sums.row_max, sums.sum_of_squares, sums.jacobian_trace,
                               sqrt(sums.jacobian_square), sums.entropy};
    }
}

double theory_expected_maximum(size_t n)
{
    double keys = (double)n;
    double reach = theory_reach(n);
    double step = 0.0625;
    double sum = 0;
    int points = n > 1 ? (int)(2 * reach / step) + 1 : 0;
    /* n (n - 1) int phi^2 Phi^(n - 2) equals n int x phi Phi^(n - 1) and has one sign. */
    for (int i = 0; i < points; i++) {
        double x = i * step - reach;
        double density = theory_density(x);
        double others = n == 2 ? 1 : exp((keys - 2) * log1p(-theory_tail(x)));
        sum += step * keys * density * (keys - 1) * density * others;
    }
    return sum;
}
