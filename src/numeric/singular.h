/* SPDX-License-Identifier: MIT */
/* The leading singular triplets of a real square matrix A that need not be symmetric, from the
 * eigenpairs of (0 A; Aᵀ 0): its eigenvalues are +sigma and -sigma, its eigenvectors (u, v) and
 * (u, -v) over root two. Twice the order, but every sigma is right to rounding of the largest;
 * A Aᵀ would leave half of the digits to the small ones. No allocation. */
#ifndef NUMERIC_SINGULAR_H
#define NUMERIC_SINGULAR_H

#include "numeric/eigen.h"

struct singular_problem {
    size_t n;                            /* order of the matrix */
    size_t count;                        /* triplets wanted, 1 .. n */
    eigen_product *product, *transposed; /* y = A x, y = Aᵀ x */
    const void *matrix;
    const atomic_int *stop; /* as in struct eigen_problem */
};

/* Below this part of the largest value rounding would spoil the eighth digit of a value. */
#define SINGULAR_LEAST 1e-7

/* Doubles of workspace that singular_leading needs; 0 if that overflows size_t. */
size_t singular_workspace(const struct singular_problem *problem);

/* Writes the `count` largest singular values to values, falling, and the left vector k to
 * left[k * n .. k * n + n - 1], unit length, its entry of largest magnitude positive (the first
 * such, up to 1e-8). A value below SINGULAR_LEAST counts as 0, and so does its vector. Where values
 * repeat, the vectors are a basis that depends on their space alone. Errors: as eigen_leading. */
bool singular_leading(const struct singular_problem *problem, double *values, double *left,
                      double *workspace, struct error *err) MUST_CHECK;

/* The same at an eighth of the cost or less, from the eigenpairs of A Aᵀ, where every value wanted
 * is at least SINGULAR_QUICK of the largest: relative to itself each is then right to 1e-12.
 * *solved is false where that is not so, where eigen_quick does not solve it, and where the
 * matrix is so small that nothing is gained: singular_leading can tell. */
#define SINGULAR_QUICK 1e-2
size_t singular_quick_workspace(const struct singular_problem *problem);
bool singular_quick(const struct singular_problem *problem, double *values, double *left,
                    double *workspace, bool *solved, struct error *err) MUST_CHECK;

#endif
