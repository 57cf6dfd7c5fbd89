/* SPDX-License-Identifier: MIT */
/* The sparse projections: sparsemax, p = (z - tau)_+, and entmax15, p = (z - tau)_+^2, where z is
 * the score, halved for entmax15, less its largest. tau makes the weights sum to 1 and lies in
 * [-1, 0), so z <= -1 has no weight. Nothing is sorted: sum p as a function of tau is convex and
 * falling, so Newton's steps from -1 climb to tau and never pass it, and once the keys above tau
 * are known tau has a closed form. The product of excess and slope falls to a quarter or less at
 * every step, so a few dozen passes are the most that numbers of 53 bits can ask for. */
#include "attention/weights_internal.h"

#include <math.h>

/* The keys above a threshold: their number, and the sums of z, z - tau and (z - tau)^2. */
struct above {
    double count, total, sum, squares;
};

/* z_j of a row. */
struct centred {
    size_t n;
    const double *scores;
    double largest, factor;
};

static double centred_at(const struct centred *row, size_t j)
{
    return row->factor * (row->scores[j] - row->largest);
}

static struct above measure(const struct centred *row, double threshold)
{
    struct above above = {0, 0, 0, 0};
    for (size_t j = 0; j < row->n; j++) {
        double score = centred_at(row, j);
        double over = score - threshold;
        if (over > 0) {
            above.count += 1;
            above.total += score;
            above.sum += over;
            above.squares += over * over;
        }
    }
    return above;
}

/* Newton's step for a piecewise linear sum is the closed form for its piece. It is taken from the
 * scores themselves, so that a score that equals tau is seen to do so. */
static double sparsemax_threshold(const struct centred *row)
{
    double threshold = -1;
    for (;;) {
        struct above above = measure(row, threshold);
        double next = (above.total - 1) / above.count;
        if (!(next > threshold)) {
            return threshold;
        }
        threshold = next;
    }
}

/* The threshold at which these keys, and no others, have squares that sum to 1: the smaller root d
 * of count d^2 - 2 sum d + squares - 1, above `threshold`; NaN if there is none. */
static double entmax15_closed(const struct above *above, double threshold)
{
    double excess = above->squares - 1;
    double root = sqrt(above->sum * above->sum - above->count * excess);
    return threshold + excess / (above->sum + root);
}

static double entmax15_step(const struct above *above, double threshold)
{
    return threshold + (above->squares - 1) / (2 * above->sum);
}

/* The closed form passes tau while there are keys too many, and a step from there leads back below
 * it: the better of that and the step from below goes on. */
static double entmax15_threshold(const struct centred *row)
{
    double threshold = -1;
    for (;;) {
        struct above here = measure(row, threshold);
        double closed = entmax15_closed(&here, threshold);
        double next = entmax15_step(&here, threshold);
        if (!isnan(closed)) {
            struct above there = measure(row, closed);
            if (there.count == here.count) {
                return closed;
            }
            next = fmax(next, entmax15_step(&there, closed));
        }
        if (!(next > threshold)) {
            return threshold;
        }
        threshold = next;
    }
}

void weights_sparsemax(size_t n, const double *scores, const struct weights_row *row)
{
    struct centred centred = {n, scores, weights_largest(n, scores), 1};
    double threshold = sparsemax_threshold(&centred);
    double count = measure(&centred, threshold).count;
    for (size_t j = 0; j < n; j++) {
        double over = centred_at(&centred, j) - threshold;
        bool kept = over > 0;
        row->p[j] = kept ? over : 0;
        row->slope[j] = kept ? 1 : 0;
        row->share[j] = kept ? 1 / count : 0;
        row->unshared[j] = kept ? (count - 1) / count : 1;
    }
    weights_complement(n, row->p, 0, 1, row->remainder);
}

void weights_entmax15(size_t n, const double *scores, const struct weights_row *row)
{
    struct centred centred = {n, scores, weights_largest(n, scores), 0.5};
    double threshold = entmax15_threshold(&centred);
    double total = measure(&centred, threshold).sum;
    for (size_t j = 0; j < n; j++) {
        double over = centred_at(&centred, j) - threshold;
        row->slope[j] = over > 0 ? over : 0;
        row->p[j] = row->slope[j] * row->slope[j];
        row->share[j] = row->slope[j] / total;
    }
    weights_complement(n, row->slope, 0, total, row->unshared);
    weights_complement(n, row->p, 0, 1, row->remainder);
}
