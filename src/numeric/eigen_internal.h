/* SPDX-License-Identifier: MIT */
/* What the eigensolvers share. Each takes the caller's workspace and says how much it needs; sizes
 * are in doubles and cannot overflow for orders up to EIGEN_LARGEST_ORDER. */
#ifndef NUMERIC_EIGEN_INTERNAL_H
#define NUMERIC_EIGEN_INTERNAL_H

#include "numeric/eigen.h"

#include <limits.h>
#include <stdint.h>

/* Keeps an order times a workspace factor within a Fortran integer. */
#define EIGEN_LARGEST_ORDER ((size_t)INT_MAX / 64)

/* y = A x. False when an entry of y is not finite, which neither library survives reliably. */
bool eigen_apply(const struct eigen_problem *problem, const double *x, double *y,
                 struct error *err) MUST_CHECK;

/* Takes the problem's count of leading pairs from the two ends of `found` rising values; `columns`
 * holds their vectors of `length` numbers end to end. */
void eigen_take(const struct eigen_problem *problem, size_t length, size_t found,
                const double *rising, const double *columns, double *values, double *vectors);

/* Size of the basis that the iterations keep: more than the pairs wanted, at most n. */
size_t eigen_basis(const struct eigen_problem *problem);

/* Replaces the vectors of equal neighbours among `values` by a basis that their space alone
 * decides; `vectors` holds `count` of n numbers end to end, `mirror` room for count numbers. */
void eigen_settle(size_t n, size_t count, const double *values, double *vectors, double *mirror);

/* Turns a vector so that its entry of largest magnitude is positive. */
void eigen_orient(size_t n, double *vector);

/* All pairs of the symmetric (n, n) `matrix`, which is destroyed: values rising, vectors end to
 * end. */
uint64_t eigen_lapack_workspace(size_t n);
bool eigen_lapack(size_t n, double *matrix, double *rising, double *columns, double *workspace,
                  struct error *err) MUST_CHECK;

/* ARPACK. *closed is set instead of failing when its basis closed on itself (a matrix of low rank,
 * values repeated many times) or it ran out of restarts: eigen_block can still solve those. */
uint64_t eigen_arpack_workspace(const struct eigen_problem *problem);
bool eigen_arpack(const struct eigen_problem *problem, double *values, double *vectors,
                  double *workspace, bool *closed, struct error *err) MUST_CHECK;

/* Iteration on a whole block of vectors: slow where magnitudes fall slowly, but whatever the rank
 * and the repetitions. */
uint64_t eigen_block_workspace(const struct eigen_problem *problem);
bool eigen_block(const struct eigen_problem *problem, double *values, double *vectors,
                 double *workspace, struct error *err) MUST_CHECK;

#endif
