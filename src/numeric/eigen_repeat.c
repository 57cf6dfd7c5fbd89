/* SPDX-License-Identifier: MIT */
/* One basis for repeated eigenvalues. Any orthonormal basis of their space solves the problem, and
 * which one a solver returns hangs on the last bit of its arithmetic: on the processor, that is.
 * The basis chosen here depends on the space alone. Its first vector is the projection of the unit
 * vector that lies nearest to the space (the first of equals), made unit; the next ones are found
 * the same way in what is left. */
#include "numeric/eigen_internal.h"

#include <math.h>

/* Values this close, relative to the largest magnitude, count as one: a vector's error is rounding
 * over the gap, so that wider gaps leave 1e-7 at most. */
#define REPEAT_TOLERANCE 1e-9
/* Unit vectors whose squared distances differ by less count as equally near. */
#define NEAREST_TOLERANCE 1e-6

/* Entries of vectors `first` .. `count - 1` at coordinate i. */
static double squared_row(size_t n, size_t first, size_t count, const double *vectors, size_t i)
{
    double sum = 0;
    for (size_t k = first; k < count; k++) {
        sum += vectors[k * n + i] * vectors[k * n + i];
    }
    return sum;
}

static size_t nearest_unit(size_t n, size_t first, size_t count, const double *vectors)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, squared_row(n, first, count, vectors, i));
    }
    size_t nearest = 0;
    while (nearest + 1 < n &&
           squared_row(n, first, count, vectors, nearest) < largest * (1 - NEAREST_TOLERANCE)) {
        nearest++;
    }
    return nearest;
}

/* Turns vectors `first` .. `count - 1` among themselves by the Householder reflection that leaves
 * the whole of coordinate i to vector `first`. */
static void turn(size_t n, size_t first, size_t count, double *vectors, size_t i, double *mirror)
{
    double length = sqrt(squared_row(n, first, count, vectors, i));
    for (size_t k = first; k < count; k++) {
        mirror[k - first] = vectors[k * n + i];
    }
    /* Away from zero, so that nothing cancels; the sign of the vector is settled later. */
    mirror[0] += mirror[0] < 0 ? -length : length;
    double squares = 0;
    for (size_t k = 0; k < count - first; k++) {
        squares += mirror[k] * mirror[k];
    }
    for (size_t row = 0; squares > 0 && row < n; row++) {
        double along = 0;
        for (size_t k = first; k < count; k++) {
            along += mirror[k - first] * vectors[k * n + row];
        }
        along *= 2 / squares;
        for (size_t k = first; k < count; k++) {
            vectors[k * n + row] -= mirror[k - first] * along;
        }
    }
}

void eigen_settle(size_t n, size_t count, const double *values, double *vectors, double *mirror)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(values[k]));
    }
    size_t first = 0;
    while (first < count) {
        size_t end = first + 1;
        while (end < count && fabs(values[end] - values[end - 1]) <= REPEAT_TOLERANCE * largest) {
            end++;
        }
        for (size_t k = first; k + 1 < end; k++) {
            turn(n, k, end, vectors, nearest_unit(n, k, end, vectors), mirror);
        }
        first = end;
    }
}
