/* SPDX-License-Identifier: MIT */
/* See step.h. */
#include "summary/step.h"

#include "numeric/statistics.h"

#include <math.h>
#include <string.h>

/* Median distance to three standard deviations of normal noise: 3 / Phi^-1(3/4). */
#define NOISE_FACTOR 4.4478

static double middle(size_t n, const double *sorted)
{
    return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

static void insert(size_t n, double *sorted, double value)
{
    size_t place = n;
    while (place > 0 && sorted[place - 1] > value) {
        sorted[place] = sorted[place - 1];
        place--;
    }
    sorted[place] = value;
}

static double spread(size_t n, const double *sorted)
{
    double median = middle(n, sorted);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += fabs(sorted[i] - median);
    }
    return sum;
}

/* costs[k] gets the spread of the first k + 1 numbers, taken from the end when `reversed`. */
static void add_costs(size_t n, const double *y, bool reversed, double *sorted, double *costs)
{
    for (size_t k = 0; k < n; k++) {
        insert(k, sorted, y[reversed ? n - 1 - k : k]);
        costs[k] = spread(k + 1, sorted);
    }
}

static size_t best_split(size_t n, const double *y, double *scratch)
{
    double *sorted = scratch;
    double *left = scratch + n;
    double *right = scratch + 2 * n;
    add_costs(n, y, false, sorted, left);
    add_costs(n, y, true, sorted, right);
    size_t best = 1;
    for (size_t k = 2; k < n; k++) {
        /* The first k are left, the other n - k right. */
        if (left[k - 1] + right[n - k - 1] < left[best - 1] + right[n - best - 1]) {
            best = k;
        }
    }
    return best;
}

static double median_of(size_t n, const double *y, double *scratch)
{
    memcpy(scratch, y, n * sizeof *y);
    return statistics_median(n, scratch);
}

struct step step_find(size_t n, const double *y, struct tolerance tolerance, double *scratch)
{
    struct step step = {0, (double)NAN, (double)NAN};
    if (n < 2) {
        return step;
    }
    size_t at = best_split(n, y, scratch);
    step.before = median_of(at, y, scratch);
    step.after = median_of(n - at, y + at, scratch);
    for (size_t i = 0; i < n; i++) {
        scratch[i] = fabs(y[i] - (i < at ? step.before : step.after));
    }
    double noise = NOISE_FACTOR * statistics_median(n, scratch);
    double allowed = tolerance.atol + tolerance.rtol * fabs(step.before);
    double height = fabs(step.after - step.before);
    step.at = height > allowed && height > noise ? at : 0;
    return step;
}
