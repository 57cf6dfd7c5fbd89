/* SPDX-License-Identifier: MIT */
/* Statistics of plain arrays. No allocation, no I/O. NaN in gives NaN out; nothing is skipped. */
#ifndef NUMERIC_STATISTICS_H
#define NUMERIC_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Count, mean and sum of squared deviations; merged by Chan's formula, so that blocks of rows can
 * be summed apart. Zero-initialised is empty. */
struct moments {
    double count;
    double mean;
    double squares; /* sum of squared deviations from the mean, in units of unit * unit */
    double unit;    /* 1, or a power of two where squares would leave the range of a double */
};

/* Moments of n numbers in two passes (no cancellation). */
struct moments moments_of(size_t n, const double *x);

/* moments_of each of some rows of n, one behind the other. */
void moments_of_rows(size_t rows, size_t n, const double *x, struct moments *moments);

/* Moments of both samples together. */
struct moments moments_merge(struct moments a, struct moments b);

/* Population standard deviation. NaN when empty, 0 for one number. */
double moments_std(struct moments m);

/* Sum, and sum of squares, of what numbers differ by from a centre: of parts of a sample these are
 * added up, and nothing cancels where the centre is near the mean of all. */
struct deviations {
    double sum, squares;
};
struct deviations deviations_from(double centre, size_t n, const double *x);

/* The standard deviation of `count` numbers that differ so much from a centre near their mean;
 * negative where underflow or the rounding of the centre leave it untold. */
double deviations_std(struct deviations all, double centre, double count);

/* The moments of numbers that differ so much from any centre; false where underflow may have cost
 * digits, or where so much cancels that the centre is too far from their mean. */
bool deviations_moments(struct deviations all, double centre, double count, struct moments *out);

/* Arithmetic mean by pairwise summation; NaN when n is 0. */
double statistics_mean(size_t n, const double *x);

/* Root of the mean square; NaN when n is 0. */
double statistics_rms(size_t n, const double *x);

/* Median (mean of the middle two); reorders x; NaN when n is 0 or any x is NaN. */
double statistics_median(size_t n, double *x);

/* Sample standard deviation (n - 1); NaN when n < 2. */
double statistics_sample_std(size_t n, const double *x);

/* Half width of the 95 % Student interval of the mean: t(0.975, n - 1) s / sqrt(n); NaN when n < 2.
 */
double statistics_interval(size_t n, const double *x);

/* t(0.975, degrees): 12.706 at 1, 1.960 at infinity; relative error below 1e-4. */
double statistics_student(size_t degrees);

#endif
