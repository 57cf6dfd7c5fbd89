/* SPDX-License-Identifier: MIT */
/* Leading eigenpairs: the choice of a solver, the order and the signs; see eigen.h. */
#include "numeric/eigen_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DENSE_ORDER ((size_t)256)
#define SIGN_TOLERANCE 1e-8

static bool is_dense(const struct eigen_problem *problem)
{
    return problem->n <= DENSE_ORDER || problem->count >= problem->n - problem->count;
}

/* Doubles for both solvers of a problem; 0 if that is too much. */
static size_t workspace_of(const struct eigen_problem *problem, bool quick)
{
    size_t n = problem->n;
    if (n > EIGEN_LARGEST_ORDER) {
        return 0;
    }
    uint64_t doubles = 0;
    if (is_dense(problem)) {
        doubles = 2 * (uint64_t)n * n + n + eigen_lapack_workspace(n);
    } else {
        uint64_t basis = eigen_basis(problem);
        if (basis * (basis + 8) > INT_MAX) {
            return 0;
        }
        uint64_t arpack = eigen_arpack_workspace(problem);
        uint64_t block = quick ? 0 : eigen_block_workspace(problem);
        doubles = arpack > block ? arpack : block;
    }
    return doubles > SIZE_MAX / sizeof(double) ? 0 : (size_t)doubles;
}

size_t eigen_workspace(const struct eigen_problem *problem)
{
    return workspace_of(problem, false);
}

size_t eigen_quick_workspace(const struct eigen_problem *problem)
{
    return workspace_of(problem, true);
}

bool eigen_apply(const struct eigen_problem *problem, const double *x, double *y, struct error *err)
{
    if (problem->stop != NULL && atomic_load(problem->stop) != 0) {
        return error_set(err, ERROR_INTERRUPTED, "interrupted");
    }
    problem->product(problem->matrix, problem->n, x, y);
    for (size_t i = 0; i < problem->n; i++) {
        if (!isfinite(y[i])) {
            return error_set(err, ERROR_INTERNAL, "the matrix of an eigenproblem is not finite");
        }
    }
    return true;
}

void eigen_take(const struct eigen_problem *problem, size_t length, size_t found,
                const double *rising, const double *columns, double *values, double *vectors)
{
    size_t low = 0;
    size_t high = found;
    double largest = fmax(fabs(rising[0]), fabs(rising[found - 1]));
    double tolerance = (double)problem->n * DBL_EPSILON * largest;
    for (size_t k = 0; k < problem->count; k++) {
        bool positive_leads = rising[high - 1] + rising[low] >= -tolerance;
        size_t taken = positive_leads ? --high : low++;
        values[k] = rising[taken];
        memcpy(vectors + k * length, columns + taken * length, length * sizeof *vectors);
    }
}

size_t eigen_basis(const struct eigen_problem *problem)
{
    size_t basis = 2 * problem->count + 3;
    basis = basis < 20 ? 20 : basis;
    return basis < problem->n ? basis : problem->n;
}

/* The leader is the first entry that is largest up to rounding, so that rounding does not choose
 * between entries of equal magnitude. */
void eigen_orient(size_t n, double *vector)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(vector[i]));
    }
    size_t leader = 0;
    while (leader + 1 < n && fabs(vector[leader]) < largest * (1 - SIGN_TOLERANCE)) {
        leader++;
    }
    if (vector[leader] < 0) {
        for (size_t i = 0; i < n; i++) {
            vector[i] = 0 - vector[i]; /* no negative zero */
        }
    }
}

static bool solve_dense(const struct eigen_problem *problem, double *values, double *vectors,
                        double *workspace, struct error *err)
{
    size_t n = problem->n;
    double *matrix = workspace;
    double *columns = matrix + n * n;
    double *rising = columns + n * n;
    double *unit = rising; /* not needed at the same time */
    memset(unit, 0, n * sizeof *unit);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        if (!eigen_apply(problem, unit, matrix + j * n, err)) {
            return false;
        }
        unit[j] = 0;
    }
    if (!eigen_lapack(n, matrix, rising, columns, rising + n, err)) {
        return false;
    }
    eigen_settle(n, n, rising, columns, matrix);
    eigen_take(problem, n, n, rising, columns, values, vectors);
    return true;
}

static bool solve_quick(const struct eigen_problem *problem, double *values, double *vectors,
                        double *workspace, bool *solved, struct error *err)
{
    *solved = true;
    if (is_dense(problem)) {
        return solve_dense(problem, values, vectors, workspace, err);
    }
    bool closed = false;
    if (!eigen_arpack(problem, values, vectors, workspace, &closed, err)) {
        return false;
    }
    *solved = !closed;
    return true;
}

/* One basis where values repeat, and one sign for each vector. */
static void finish(const struct eigen_problem *problem, const double *values, double *vectors,
                   double *workspace)
{
    if (!is_dense(problem)) {
        eigen_settle(problem->n, problem->count, values, vectors, workspace);
    }
    for (size_t k = 0; k < problem->count; k++) {
        eigen_orient(problem->n, vectors + k * problem->n);
    }
}

static bool too_large(const struct eigen_problem *problem, struct error *err)
{
    return error_set(err, ERROR_INTERNAL, "an eigenproblem of order %zu is too large", problem->n);
}

bool eigen_quick(const struct eigen_problem *problem, double *values, double *vectors,
                 double *workspace, bool *solved, struct error *err)
{
    if (eigen_quick_workspace(problem) == 0) {
        return too_large(problem, err);
    }
    if (!solve_quick(problem, values, vectors, workspace, solved, err)) {
        return false;
    }
    if (*solved) {
        finish(problem, values, vectors, workspace);
    }
    return true;
}

bool eigen_leading(const struct eigen_problem *problem, double *values, double *vectors,
                   double *workspace, struct error *err)
{
    bool solved = false;
    if (eigen_workspace(problem) == 0) {
        return too_large(problem, err);
    }
    if (!solve_quick(problem, values, vectors, workspace, &solved, err) ||
        (!solved && !eigen_block(problem, values, vectors, workspace, err))) {
        return false;
    }
    finish(problem, values, vectors, workspace);
    return true;
}
