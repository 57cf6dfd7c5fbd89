/* SPDX-License-Identifier: MIT */
/* Softmax piece by piece; see softmax_stream.h. Sums are relative to r, the second largest score so
 * far. Where a piece raises r by delta, the sums of before shrink:
 *   sum f -> e sum f,  sum f (r - s) -> e (sum f (r - s) + delta sum f),  e = exp(-delta),
 * and where it raises the largest, the former one joins the others. All terms are positive, so that
 * nothing is lost. */
#include "attention/softmax_stream.h"

#include "attention/softmax_internal.h"

#include <math.h>

/* One pass over a piece. */
struct scan {
    struct deviations deviations; /* of the scores from a centre */
    double least;
    struct tops tops;
};

struct softmax_stream softmax_stream_start(void)
{
    const double infinite = (double)INFINITY;
    return (struct softmax_stream){.least = infinite, .largest = -infinite, .second = -infinite};
}

/* Multiplies by the factor on the way. */
MANY_TARGETS_VOID(scan, (size_t n, double factor, double centre, double *scores, struct scan *out),
                  (n, factor, centre, scores, out))
{
    const double infinite = (double)INFINITY;
    double sums[LANES] = {0};
    double squares[LANES] = {0};
    double least[LANES];
    lanes_fill(infinite, least);
    size_t vectors = n / LANES * LANES;
    *out = (struct scan){.tops = tops_of_none()};
    for (size_t start = 0; start < vectors; start += FEW_SCORES) {
        size_t end = vectors - start < FEW_SCORES ? vectors : start + FEW_SCORES;
        double top[LANES];
        lanes_fill(-infinite, top);
        for (size_t j = start; j < end; j += LANES) {
            EACH_LANE
            {
                double score = scores[j + lane] * factor;
                double difference = score - centre;
                scores[j + lane] = score;
                sums[lane] += difference;
                squares[lane] += difference * difference;
                least[lane] = score < least[lane] ? score : least[lane];
                top[lane] = score > top[lane] ? score : top[lane];
            }
        }
        tops_add(&out->tops, start, lanes_largest(top));
    }
    out->deviations.sum = lanes_sum(sums);
    out->deviations.squares = lanes_sum(squares);
    out->least = lanes_least(least);
    for (size_t j = vectors; j < n; j++) {
        scores[j] *= factor;
        double difference = scores[j] - centre;
        out->deviations.sum += difference;
        out->deviations.squares += difference * difference;
        out->least = scores[j] < out->least ? scores[j] : out->least;
        tops_add(&out->tops, j, scores[j]);
    }
}

/* Writes f_j, 0 for arg_max, and adds them and their powers up. */
MANY_TARGETS_VOID(exponentiate,
                  (size_t n, const struct leaders *leaders, bool near, const double *scores,
                   double *out, struct others *others),
                  (n, leaders, near, scores, out, others))
{
    double exponentials[LANES] = {0};
    double gaps[LANES] = {0};
    double squares[LANES] = {0};
    double cubes[LANES] = {0};
    for (size_t start = 0; start < n; start += FEW_SCORES) {
        size_t count = n - start < FEW_SCORES ? n - start : FEW_SCORES;
        double gap[FEW_SCORES];
        double part[FEW_SCORES];
        exponentiate_few(count, leaders->arg_max - start, leaders->second, near, scores + start,
                         gap, part);
        for (size_t i = 0; i < count; i += LANES) {
            EACH_LANE
            {
                double square = part[i + lane] * part[i + lane];
                exponentials[lane] += part[i + lane];
                gaps[lane] += part[i + lane] * gap[i + lane];
                squares[lane] += square;
                cubes[lane] += square * part[i + lane];
            }
            lanes_store(count - i, (const lanes *)(part + i), out + start + i);
        }
    }
    *others = (struct others){lanes_sum(exponentials), lanes_sum(gaps), lanes_sum(squares),
                              lanes_sum(cubes)};
}

static struct moments moments_of_scan(size_t n, const double *scores, double centre,
                                      const struct scan *scan)
{
    struct moments moments;
    bool told = deviations_moments(scan->deviations, centre, (double)n, &moments);
    return told ? moments : moments_of(n, scores);
}

/* Makes the sums relative to a higher second score. */
static void raise_second(struct softmax_stream *row, double second)
{
    double delta = second - row->second;
    if (!(delta > 0)) {
        return;
    }
    double ratio = exp(-delta);
    row->second = second;
    if (ratio == 0 || row->exponentials == 0) {
        row->exponentials = row->gaps = row->squares = row->cubes = 0;
        return;
    }
    row->gaps = (row->gaps + delta * row->exponentials) * ratio;
    row->exponentials *= ratio;
    row->squares *= ratio * ratio;
    row->cubes *= ratio * ratio * ratio;
}

/* Adds the score that was the largest to the others. */
static void add_former(struct softmax_stream *row, double score)
{
    double gap = row->second - score;
    double part = exp(-gap);
    if (part > 0) {
        row->exponentials += part;
        row->gaps += part * gap;
        row->squares += part * part;
        row->cubes += part * part * part;
    }
}

bool softmax_stream_add(struct softmax_stream *row, size_t count, double factor, double *scores,
                        double *out, struct softmax_mark *mark)
{
    struct scan piece;
    size_t before = (size_t)row->scores.count;
    double centre = before == 0 ? scores[0] * factor : row->scores.mean;
    scan(count, factor, centre, scores, &piece);
    if (!isfinite(piece.deviations.squares) || !isfinite(piece.deviations.sum)) {
        return false;
    }
    row->scores = moments_merge(row->scores, moments_of_scan(count, scores, centre, &piece));
    row->least = piece.least < row->least ? piece.least : row->least;

    double former = row->largest;
    size_t place = count;
    bool higher = piece.tops.largest > former;
    if (piece.tops.largest > row->second) {
        size_t top = tops_find(&piece.tops, count, scores);
        place = higher ? top : count;
        raise_second(row, fmax(fmin(piece.tops.largest, former), piece.tops.second));
    }
    if (higher) {
        row->largest = piece.tops.largest;
        row->arg_max = before + place;
    }
    if (higher && before > 0) {
        add_former(row, former);
    }
    *mark = (struct softmax_mark){row->second, higher ? (double)place : -1};
    double top = higher ? scores[place] : 0;
    struct others others = {0, 0, 0, 0};
    if (before + count > 1) {
        const struct leaders leaders = {place, 0, row->second};
        bool near = row->second - piece.least < NEAR;
        exponentiate(count, &leaders, near, scores, out, &others);
    }
    if (higher) {
        out[place] = top;
    }
    row->exponentials += others.exponentials;
    row->gaps += others.gaps;
    row->squares += others.squares;
    row->cubes += others.cubes;
    return true;
}

static struct odds odds_of(const struct softmax_stream *row)
{
    const struct leaders leaders = {row->arg_max, row->largest, row->second};
    return softmax_odds(&leaders, row->exponentials);
}

struct row_measures softmax_stream_measures(const struct softmax_stream *row)
{
    if (row->scores.count == 1) {
        return (struct row_measures){.row_max = 1,
                                     .sum = 1,
                                     .log_one_minus_row_max = -(double)INFINITY,
                                     .effective_keys = 1};
    }
    double sum = row->exponentials;
    const struct others others = {sum, row->gaps, row->squares / (sum * sum),
                                  row->cubes / (sum * sum * sum)};
    struct odds odds = odds_of(row);
    return softmax_measures(row->arg_max, &odds, &others);
}

MANY_TARGETS_VOID(scale, (size_t n, double factor, double *out), (n, factor, out))
{
    for (size_t j = 0; j < n; j++) {
        out[j] *= factor;
    }
}

void softmax_stream_weights(const struct softmax_stream *row, size_t n,
                            const struct softmax_mark *marks, double *weights)
{
    struct odds odds = odds_of(row);
    for (size_t start = 0; start < n; start += STREAM_PIECE) {
        const struct softmax_mark *mark = &marks[start / STREAM_PIECE];
        size_t count = n - start < STREAM_PIECE ? n - start : STREAM_PIECE;
        size_t place = mark->place < 0 ? count : (size_t)mark->place;
        double former = place < count ? weights[start + place] : 0;
        scale(count, exp(mark->second - row->second) * odds.scale, weights + start);
        if (place < count) {
            weights[start + place] = exp(former - row->second) * odds.scale;
        }
    }
    weights[row->arg_max] = n == 1 ? 1 : odds.row_max;
}
