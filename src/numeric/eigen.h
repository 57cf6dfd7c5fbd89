/* SPDX-License-Identifier: MIT */
/* The leading eigenpairs of a real symmetric matrix, which are its leading singular triplets up to
 * sign: sigma = |lambda|, u = eigenvector. LAPACK dsyevr where the matrix is small or nearly all
 * pairs are wanted, ARPACK (implicitly restarted Lanczos) otherwise, block iteration where a low
 * rank or repeated values stop that. ARPACK keeps static state: call from one thread at a time. No
 * allocation: the caller brings the workspace. */
#ifndef NUMERIC_EIGEN_H
#define NUMERIC_EIGEN_H

#include "base/error.h"

#include <stdatomic.h>

/* y = A x for the (n, n) matrix behind `matrix`. */
typedef void eigen_product(const void *matrix, size_t n, const double *x, double *y);

struct eigen_problem {
    size_t n;     /* order of the matrix */
    size_t count; /* pairs wanted, 1 .. n */
    eigen_product *product;
    const void *matrix;
    const atomic_int *stop; /* non-zero: give up with ERROR_INTERRUPTED; may be NULL */
};

/* Doubles of workspace that eigen_leading needs for a problem; 0 if that overflows size_t. */
size_t eigen_workspace(const struct eigen_problem *problem);

/* Writes the `count` eigenvalues of largest magnitude to values, falling in magnitude (positive
 * before negative where equal), and vector k to vectors[k * n .. k * n + n - 1], unit length, its
 * entry of largest magnitude positive (the first such). "Equal" is up to rounding in both rules: n
 * epsilons of the largest magnitude for values, 1e-8 of the largest entry for signs.
 * Where values repeat, the vectors are a basis that depends on their space alone (eigen_repeat.c);
 * only a space that `count` cuts in two is the solver's choice in the iteration.
 * ERROR_INTERNAL when the iteration does not converge or the matrix is not finite. */
bool eigen_leading(const struct eigen_problem *problem, double *values, double *vectors,
                   double *workspace, struct error *err) MUST_CHECK;

/* The same in less room, for nearly all problems: *solved is false where only eigen_leading can
 * tell, namely where a low rank or repeated values stop ARPACK. */
size_t eigen_quick_workspace(const struct eigen_problem *problem);
bool eigen_quick(const struct eigen_problem *problem, double *values, double *vectors,
                 double *workspace, bool *solved, struct error *err) MUST_CHECK;

#endif
