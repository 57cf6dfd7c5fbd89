/* SPDX-License-Identifier: MIT */
/* Means, spreads and order statistics of plain arrays. */
#include "numeric/statistics.h"

#include "numeric/lanes.h"
#include "numeric/matrix.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Up to here a sum is plain; beyond, it is the sum of the sums of its halves. */
#define PAIRWISE_MIN 256
/* Rows whose moments are found together. */
#define ROWS_AT_ONCE ((size_t)8)
/* So few numbers are sorted without a heap. */
#define FEW 40
/* Below this a sum of squares may have lost digits to underflow. */
#define SQUARES_MIN 1e-280
/* Squares about a centre are turned into those about the mean where at least so much is left. */
#define SHARE_LEFT 0.25

/* Sum of scale * (x - shift), in one order whoever asks. */
PART_OF_TARGETS double sum_in_lanes(size_t n, const double *x, double shift, double scale)
{
    double sums[LANES] = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        EACH_LANE
        {
            sums[lane] += (x[i + lane] - shift) * scale;
        }
    }
    double rest = 0;
    for (size_t i = n - n % LANES; i < n; i++) {
        rest += (x[i] - shift) * scale;
    }
    return lanes_sum(sums) + rest;
}

MANY_TARGETS(double, sum_few, (size_t n, const double *x, double shift, double scale),
             (n, x, shift, scale))
{
    return sum_in_lanes(n, x, shift, scale);
}

/* The same pairwise: the error grows with log n, not with n. */
static double sum_shifted(size_t n, const double *x, double shift, double scale)
{
    if (n <= PAIRWISE_MIN) {
        return sum_few(n, x, shift, scale);
    }
    size_t half = n / 2;
    return sum_shifted(half, x, shift, scale) + sum_shifted(n - half, x + half, shift, scale);
}

double statistics_mean(size_t n, const double *x)
{
    double count = (double)n;
    double mean = sum_shifted(n, x, 0, 1) / count;
    /* The sum can overflow where the mean does not. */
    return isfinite(mean) || n == 0 ? mean : sum_shifted(n, x, 0, 1 / count);
}

double statistics_rms(size_t n, const double *x)
{
    return n == 0 ? (double)NAN : matrix_norm(n, x) / sqrt((double)n);
}

static bool is_constant(size_t n, const double *x)
{
    size_t i = 0;
    while (i < n && x[i] == x[0]) {
        i++;
    }
    return i == n && isfinite(x[0]);
}

/* Sum of squares of scale (x - shift - rest). */
PART_OF_TARGETS double squares_in_lanes(size_t n, const double *x, double shift, double rest,
                                        double scale)
{
    double sums[LANES] = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        EACH_LANE
        {
            double deviation = (x[i + lane] - shift - rest) * scale;
            sums[lane] += deviation * deviation;
        }
    }
    double sum = 0;
    for (size_t i = n - n % LANES; i < n; i++) {
        double deviation = (x[i] - shift - rest) * scale;
        sum += deviation * deviation;
    }
    return lanes_sum(sums) + sum;
}

MANY_TARGETS(double, squared_deviations,
             (size_t n, const double *x, double shift, double rest, double scale),
             (n, x, shift, rest, scale))
{
    return squares_in_lanes(n, x, shift, rest, scale);
}

/* The mean in two parts, and the sum of squared deviations from it. */
struct spread {
    double shift, rest, squares;
};

/* Of rows of n numbers each, n <= PAIRWISE_MIN. */
MANY_TARGETS_VOID(spread_rows, (size_t rows, size_t n, const double *x, struct spread *spreads),
                  (rows, n, x, spreads))
{
    double count = (double)n;
    for (size_t r = 0; r < rows; r++) {
        const double *row = x + r * n;
        double shift = sum_in_lanes(n, row, 0, 1) / count;
        double rest = sum_in_lanes(n, row, shift, 1) / count;
        spreads[r] = (struct spread){shift, rest, squares_in_lanes(n, row, shift, rest, 1)};
    }
}

struct deviations deviations_from(double centre, size_t n, const double *x)
{
    return (struct deviations){sum_shifted(n, x, centre, 1),
                               squared_deviations(n, x, centre, 0, 1)};
}

/* Squares about the mean from those about a centre. */
static double squares_about_mean(struct deviations all, double count)
{
    return all.squares - all.sum / count * all.sum;
}

bool deviations_moments(struct deviations all, double centre, double count, struct moments *out)
{
    double squares = squares_about_mean(all, count);
    *out = (struct moments){count, centre + all.sum / count, squares, 1};
    return squares >= SHARE_LEFT * all.squares && squares >= SQUARES_MIN;
}

double deviations_std(struct deviations all, double centre, double count)
{
    double squares = squares_about_mean(all, count);
    double trace = 4 * DBL_EPSILON * centre;
    bool told = squares >= SQUARES_MIN && isfinite(squares) && squares > count * trace * trace;
    return told ? sqrt(squares / count) : -1;
}

static struct spread spread_of(size_t n, const double *x)
{
    double shift = statistics_mean(n, x);
    double rest = sum_shifted(n, x, shift, 1) / (double)n;
    return (struct spread){shift, rest, squared_deviations(n, x, shift, rest, 1)};
}

/* A power of two near `size`, but not smaller than one whose inverse is finite. */
static double power_near(double size)
{
    return fmax(scalbn(1.0, ilogb(size)), 0x1p-1000);
}

/* A power of two near the largest deviation, as far as one exists. */
static double deviation_unit(size_t n, const double *x, double mean)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i] - mean));
    }
    return largest > 0 && isfinite(largest) ? power_near(largest) : 1;
}

static struct moments moments_from(size_t n, const double *x, struct spread spread)
{
    struct moments moments = {(double)n, 0, 0, 1};
    if (is_constant(n, x)) {
        /* Exactly no spread, where a rounded mean would leave a trace of one. */
        moments.mean = x[0];
        return moments;
    }
    if (!isfinite(spread.shift)) {
        spread = spread_of(n, x);
    }
    moments.mean = spread.shift + spread.rest;
    moments.squares = spread.squares;
    if (moments.squares < SQUARES_MIN || isinf(moments.squares)) {
        moments.unit = deviation_unit(n, x, moments.mean);
        moments.squares = squared_deviations(n, x, spread.shift, spread.rest, 1 / moments.unit);
    }
    return moments;
}

void moments_of_rows(size_t rows, size_t n, const double *x, struct moments *moments)
{
    for (size_t start = 0; start < rows; start += ROWS_AT_ONCE) {
        struct spread spreads[ROWS_AT_ONCE];
        size_t count = rows - start < ROWS_AT_ONCE ? rows - start : ROWS_AT_ONCE;
        if (n > 0 && n <= PAIRWISE_MIN) {
            spread_rows(count, n, x + start * n, spreads);
        }
        for (size_t r = 0; r < count; r++) {
            const double *row = x + (start + r) * n;
            if (n > PAIRWISE_MIN) {
                spreads[r] = spread_of(n, row);
            }
            moments[start + r] =
                n == 0 ? (struct moments){0, 0, 0, 1} : moments_from(n, row, spreads[r]);
        }
    }
}

struct moments moments_of(size_t n, const double *x)
{
    struct moments moments;
    moments_of_rows(1, n, x, &moments);
    return moments;
}

/* The squares in another unit; exact, unless they fall out of the range. */
static double squares_in(struct moments m, double unit)
{
    double ratio = m.unit == unit ? 1 : m.unit / unit;
    return m.squares * ratio * ratio;
}

/* The unit that a difference asks for; 0 for none. */
static double difference_unit(double difference)
{
    double size = fabs(difference);
    if (size == 0) {
        return 0;
    }
    bool extreme = size < 1e-140 || (size > 1e140 && isfinite(size));
    return extreme ? power_near(size) : 1;
}

struct moments moments_merge(struct moments a, struct moments b)
{
    if (a.count == 0 || b.count == 0) {
        return a.count == 0 ? b : a;
    }
    double difference = b.mean - a.mean;
    double unit = difference_unit(difference);
    unit = a.squares == 0 || unit > a.unit ? unit : a.unit;
    unit = b.squares == 0 || unit > b.unit ? unit : b.unit;
    struct moments both = {a.count + b.count, 0, 0, unit == 0 ? 1 : unit};
    double step = difference * (b.count / both.count);
    both.mean = a.mean + step;
    both.squares = squares_in(a, both.unit) + squares_in(b, both.unit) +
                   difference / both.unit * (step / both.unit) * a.count;
    return both;
}

double moments_std(struct moments m)
{
    return sqrt(m.squares / m.count) * m.unit;
}

/* Restores the heap order below `root`: each parent at least as large as its children. */
static void sift(size_t n, double *x, size_t root)
{
    double value = x[root];
    size_t child = 2 * root + 1;
    while (child < n) {
        if (child + 1 < n && x[child + 1] > x[child]) {
            child++;
        }
        if (x[child] <= value) {
            break;
        }
        x[root] = x[child];
        root = child;
        child = 2 * root + 1;
    }
    x[root] = value;
}

/* Each number in turn moves down to its place. */
static void sort_few(size_t n, double *x)
{
    for (size_t i = 1; i < n; i++) {
        double value = x[i];
        size_t place = i;
        for (; place > 0 && x[place - 1] > value; place--) {
            x[place] = x[place - 1];
        }
        x[place] = value;
    }
}

/* Heapsort: n log n at worst and, unlike qsort of some libraries, no memory of its own. */
static void sort(size_t n, double *x)
{
    if (n <= FEW) {
        sort_few(n, x);
        return;
    }
    for (size_t root = n / 2; root-- > 0;) {
        sift(n, x, root);
    }
    for (size_t last = n; last-- > 1;) {
        double largest = x[0];
        x[0] = x[last];
        x[last] = largest;
        sift(last, x, 0);
    }
}

static bool has_nan(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) {
            return true;
        }
    }
    return false;
}

/* Four numbers: what processors of most levels compare at once. */
typedef double reals __attribute__((vector_size(32), aligned(8)));
typedef int64_t wholes __attribute__((vector_size(32), aligned(8)));
#define REALS ((size_t)4)

/* How many of n numbers are less than each of four. */
PART_OF_TARGETS void count_less(size_t n, const double *x, const reals *those, wholes *less)
{
    *less = (wholes){0};
    for (size_t j = 0; j < n; j++) {
        *less -= (reals){x[j], x[j], x[j], x[j]} < *those;
    }
}

/* Raises the best of each lane to the value at hand where that has no more than `place` below. */
PART_OF_TARGETS void raise(const reals *value, const wholes *less, int64_t place, reals *best)
{
    wholes taken = (*less <= place) & (*value > *best);
    *best = (reals)(((wholes)*value & taken) | ((wholes)*best & ~taken));
}

PART_OF_TARGETS double largest_of(const reals *best)
{
    double largest = (*best)[0];
    for (size_t lane = 1; lane < REALS; lane++) {
        largest = (*best)[lane] > largest ? (*best)[lane] : largest;
    }
    return largest;
}

/* The numbers at two places of the order of n <= FEW, each the largest with no more below it,
 * without branches that depend on the numbers. */
MANY_TARGETS_VOID(select_few,
                  (size_t n, const double *x, const size_t places[2], double selected[2]),
                  (n, x, places, selected))
{
    const double none = -(double)INFINITY;
    double padded[FEW];
    reals low = {none, none, none, none};
    reals high = low;
    for (size_t i = 0; i < FEW; i++) {
        padded[i] = i < n ? x[i] : (double)INFINITY;
    }
    for (size_t first = 0; first < n; first += REALS) {
        const reals *those = (const reals *)(padded + first);
        wholes less;
        count_less(n, x, those, &less);
        raise(those, &less, (int64_t)places[0], &low);
        raise(those, &less, (int64_t)places[1], &high);
    }
    selected[0] = largest_of(&low);
    selected[1] = largest_of(&high);
}

double statistics_median(size_t n, double *x)
{
    if (n == 0 || has_nan(n, x)) {
        return (double)NAN;
    }
    const size_t places[2] = {(n - 1) / 2, n / 2};
    double selected[2] = {x[0], x[0]};
    if (n <= FEW) {
        select_few(n, x, places, selected);
    } else {
        sort(n, x);
        selected[0] = x[places[0]];
        selected[1] = x[places[1]];
    }
    double low = selected[0];
    double high = selected[1];
    if (low == high) {
        return low;
    }
    double sum = low + high;
    return isfinite(sum) ? sum / 2 : low / 2 + high / 2;
}

double statistics_sample_std(size_t n, const double *x)
{
    if (n < 2) {
        return (double)NAN;
    }
    struct moments moments = moments_of(n, x);
    return sqrt(moments.squares / (double)(n - 1)) * moments.unit;
}

double statistics_interval(size_t n, const double *x)
{
    if (n < 2) {
        return (double)NAN;
    }
    return statistics_student(n - 1) * statistics_sample_std(n, x) / sqrt((double)n);
}

double statistics_student(size_t degrees)
{
    static const double few[] = {
        (double)NAN, 12.7062047, 4.30265273, 3.18244631, 2.77644511, 2.57058184, 2.44691185,
        2.36462425,  2.30600414, 2.26215716, 2.22813885, 2.20098516, 2.17881283, 2.16036866,
        2.14478669,  2.13144955, 2.11990530, 2.10981558, 2.10092204, 2.09302405, 2.08596345};
    if (degrees < sizeof few / sizeof few[0]) {
        return few[degrees];
    }
    /* Cornish and Fisher's expansion in 1 / degrees about the normal quantile 1.959963985
     * (Abramowitz and Stegun 26.7.5), its coefficients worked out at that quantile. */
    static const double terms[] = {1.959963985, 2.37227123, 2.82249862, 2.55584968, 1.58953405};
    double inverse = 1 / (double)degrees;
    double sum = 0;
    for (size_t i = sizeof terms / sizeof terms[0]; i-- > 0;) {
        sum = sum * inverse + terms[i];
    }
    return sum;
}
