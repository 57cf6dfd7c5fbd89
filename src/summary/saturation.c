/* SPDX-License-Identifier: MIT */
/* Verdicts about groups and curves; see saturation.h. */
#include "summary/saturation.h"

#include "summary/interval.h"

#include <math.h>

enum saturation saturation_of(const struct summary_group *group)
{
    const struct estimate *row_max = &group->measures[MEASURE_ROW_MAX_MEAN];
    const double threshold = group->sample->saturation_row_max;
    const struct interval interval = interval_of(row_max, true);
    if (isnan(row_max->mean)) {
        return SATURATION_UNKNOWN;
    }
    if (interval.low < threshold && threshold < interval.high) {
        return SATURATION_UNDECIDED;
    }
    return row_max->mean >= threshold ? SATURATION_YES : SATURATION_NO;
}

static double row_max_of(const struct summary_group *group)
{
    return group->measures[MEASURE_ROW_MAX_MEAN].mean;
}

void saturation_add(struct saturation_tally *tally, const struct summary_group *group)
{
    enum saturation verdict = saturation_of(group);
    tally->groups++;
    if (verdict == SATURATION_UNKNOWN) {
        tally->unknown++;
        return;
    }
    tally->saturated += verdict == SATURATION_YES;
    tally->undecided += verdict == SATURATION_UNDECIDED;
    if (tally->highest == NULL || row_max_of(group) > row_max_of(tally->highest)) {
        tally->highest = group;
    }
    if (tally->lowest == NULL || row_max_of(group) < row_max_of(tally->lowest)) {
        tally->lowest = group;
    }
}

struct saturation_tally saturation_count(const struct summary *summary,
                                         const struct summary_axis *axis, size_t value)
{
    struct saturation_tally tally = {0};
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (axis == NULL || summary_place(summary, group, axis) == value) {
            saturation_add(&tally, group);
        }
    }
    return tally;
}

static bool agree_elsewhere(const struct summary *summary, const struct summary_group *a,
                            const struct summary_group *b)
{
    for (size_t x = 0; x < summary->axis_count; x++) {
        if (summary->axes[x].field != AXIS_GUARDS && a->place[x] != b->place[x]) {
            return false;
        }
    }
    return true;
}

const struct summary_group *saturation_partner(const struct summary *summary,
                                               const struct summary_group *group, unsigned guards)
{
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *other = &summary->groups[g];
        if (run_guards_mask(other->sample) == guards && agree_elsewhere(summary, group, other)) {
            return other;
        }
    }
    return NULL;
}

bool saturation_geometric(size_t n, const double *x)
{
    if (n < 2 || !(x[0] > 0)) {
        return false;
    }
    if (n == 2) {
        return x[1] >= 4 * x[0];
    }
    double least_ratio = (double)INFINITY;
    double least_step = (double)INFINITY;
    double most_ratio = 0;
    double most_step = 0;
    for (size_t i = 1; i < n; i++) {
        double step = x[i] - x[i - 1];
        double ratio = log(x[i] / x[i - 1]);
        least_step = fmin(least_step, step);
        most_step = fmax(most_step, step);
        least_ratio = fmin(least_ratio, ratio);
        most_ratio = fmax(most_ratio, ratio);
    }
    return most_ratio * least_step < most_step * least_ratio;
}

static double interpolate(double from, double to, double share, bool logarithmic)
{
    return logarithmic ? from * pow(to / from, share) : from + share * (to - from);
}

size_t saturation_crossings(size_t n, const double *x, const double *y, double threshold,
                            bool logarithmic, struct saturation_crossing *out)
{
    size_t found = 0;
    for (size_t i = 1; i < n; i++) {
        bool known = !isnan(y[i - 1]) && !isnan(y[i]);
        bool before = y[i - 1] >= threshold;
        bool after = y[i] >= threshold;
        if (known && before != after) {
            double share = (threshold - y[i - 1]) / (y[i] - y[i - 1]);
            out[found++] = (struct saturation_crossing){
                interpolate(x[i - 1], x[i], share, logarithmic), x[i - 1], x[i], after};
        }
    }
    return found;
}

bool saturation_is_degenerate(const struct summary_group *group)
{
    /* No number of tokens is below 1, so that a mean of 1 has only ones. */
    return group->measures[MEASURE_TOKENS].mean <= 1;
}
