/* SPDX-License-Identifier: MIT */
/* Intervals of means and of shares; see interval.h. */
#include "summary/interval.h"

#include <math.h>

bool interval_is_skewed(const struct estimate *estimate, bool share)
{
    double mean = estimate->mean;
    bool inside = share && mean > 0 && mean < 1 && !(estimate->maximum > 1);
    return inside && (mean - estimate->half_width < 0 || mean + estimate->half_width > 1);
}

struct interval interval_of(const struct estimate *estimate, bool share)
{
    double mean = estimate->mean;
    if (!interval_is_skewed(estimate, share)) {
        return (struct interval){mean - estimate->half_width, mean + estimate->half_width};
    }
    /* d logit(m) / dm = 1 / (m (1 - m)) */
    double factor = exp(estimate->half_width / (mean * (1 - mean)));
    return (struct interval){mean / (mean + (1 - mean) * factor),
                             mean / (mean + (1 - mean) / factor)};
}
