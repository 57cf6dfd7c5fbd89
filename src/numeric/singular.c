/* SPDX-License-Identifier: MIT */
/* Singular triplets through a symmetric matrix: of twice the order, or A Aᵀ; see singular.h. */
#include "numeric/singular.h"

#include "numeric/eigen_internal.h"
#include "numeric/matrix.h"

#include <math.h>
#include <string.h>

/* Up to this order the matrix of twice the order is solved at once. */
#define SMALL_ORDER ((size_t)128)

static void doubled_product(const void *matrix, size_t order, const double *x, double *y)
{
    const struct singular_problem *problem = matrix;
    size_t n = order / 2;
    problem->product(problem->matrix, n, x + n, y);
    problem->transposed(problem->matrix, n, x, y + n);
}

/* Positive values come before negative ones of their size, so that the last +sigma wanted is pair
 * 2 count - 1. */
static struct eigen_problem doubled(const struct singular_problem *problem)
{
    return (struct eigen_problem){2 * problem->n, 2 * problem->count - 1, doubled_product, problem,
                                  problem->stop};
}

size_t singular_workspace(const struct singular_problem *problem)
{
    struct eigen_problem pairs = doubled(problem);
    size_t inner = problem->n > EIGEN_LARGEST_ORDER ? 0 : eigen_workspace(&pairs);
    uint64_t own = (uint64_t)pairs.count * (1 + pairs.n);
    return inner == 0 || own > SIZE_MAX / sizeof(double) - inner ? 0 : inner + (size_t)own;
}

static void take_left(size_t n, const double *pair, double *left)
{
    double norm = matrix_norm(n, pair);
    for (size_t i = 0; i < n; i++) {
        left[i] = pair[i] / norm;
    }
    eigen_orient(n, left);
}

/* How many pairs have values of this sign, 1 or -1, that count. */
static size_t count_side(const struct eigen_problem *pairs, const double *both, double sign)
{
    size_t count = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        count += sign * both[k] > SINGULAR_LEAST * fabs(both[0]);
    }
    return count;
}

/* The leading ones of that sign, as many as there are up to the problem's count; returns how many.
 */
static size_t take_side(const struct singular_problem *problem, const struct eigen_problem *pairs,
                        double sign, const double *both, const double *vectors, double *values,
                        double *left)
{
    size_t n = problem->n;
    size_t found = 0;
    for (size_t k = 0; k < pairs->count && found < problem->count; k++) {
        if (sign * both[k] > SINGULAR_LEAST * fabs(both[0])) {
            values[found] = sign * both[k];
            take_left(n, vectors + k * pairs->n, left + found * n);
            found++;
        }
    }
    return found;
}

bool singular_leading(const struct singular_problem *problem, double *values, double *left,
                      double *workspace, struct error *err)
{
    size_t n = problem->n;
    struct eigen_problem pairs = doubled(problem);
    if (singular_workspace(problem) == 0) {
        return error_set(err, ERROR_INTERNAL, "a singular value problem of order %zu is too large",
                         n);
    }
    double *both = workspace;
    double *vectors = both + pairs.count;
    if (!eigen_leading(&pairs, both, vectors, vectors + pairs.count * pairs.n, err)) {
        return false;
    }
    /* Of a last value that repeats, most may have come as -sigma: their vectors are as good. */
    bool less = count_side(&pairs, both, 1) < problem->count;
    double sign = less && count_side(&pairs, both, -1) >= problem->count ? -1 : 1;
    size_t found = take_side(problem, &pairs, sign, both, vectors, values, left);
    memset(values + found, 0, (problem->count - found) * sizeof *values);
    memset(left + found * n, 0, (problem->count - found) * n * sizeof *left);
    return true;
}

/* A Aᵀ; `between` is room for Aᵀ x. */
struct squares {
    const struct singular_problem *problem;
    double *between;
};

static void squares_product(const void *matrix, size_t n, const double *x, double *y)
{
    const struct squares *squares = matrix;
    const struct singular_problem *problem = squares->problem;
    problem->transposed(problem->matrix, n, x, squares->between);
    problem->product(problem->matrix, n, squares->between, y);
}

static struct eigen_problem squared(const struct squares *squares)
{
    const struct singular_problem *problem = squares->problem;
    return (struct eigen_problem){problem->n, problem->count, squares_product, squares,
                                  problem->stop};
}

size_t singular_quick_workspace(const struct singular_problem *problem)
{
    struct squares squares = {problem, NULL};
    struct eigen_problem pairs = squared(&squares);
    size_t inner = eigen_quick_workspace(&pairs);
    return inner == 0 || problem->n > SIZE_MAX / sizeof(double) - inner ? 0 : inner + problem->n;
}

bool singular_quick(const struct singular_problem *problem, double *values, double *left,
                    double *workspace, bool *solved, struct error *err)
{
    size_t n = problem->n;
    struct squares squares = {problem, workspace};
    struct eigen_problem pairs = squared(&squares);
    *solved = false;
    if (n <= SMALL_ORDER) {
        return true;
    }
    if (!eigen_quick(&pairs, values, left, workspace + n, solved, err)) {
        return false;
    }
    double least = SINGULAR_QUICK * SINGULAR_QUICK * values[0];
    *solved = *solved && values[0] > 0 && values[problem->count - 1] >= least;
    for (size_t k = 0; *solved && k < problem->count; k++) {
        values[k] = sqrt(values[k]);
    }
    return true;
}
