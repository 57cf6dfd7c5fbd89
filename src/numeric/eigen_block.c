/* SPDX-License-Identifier: MIT */
/* LAPACK's symmetric eigensolver, and block iteration with Rayleigh-Ritz on top of it. */
#include "base/random.h"
#include "numeric/eigen_internal.h"
#include "numeric/lapack.h"
#include "numeric/matrix.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

#define WORK_FACTOR ((size_t)40) /* dsyevr: at least 26, at best (block size 32) + 6 */
#define INTEGER_FACTOR ((size_t)12)
#define RESIDUAL_TOLERANCE 1e-13
#define ROUNDS 1000

uint64_t eigen_lapack_workspace(size_t n)
{
    uint64_t integers = INTEGER_FACTOR * (uint64_t)n * sizeof(int);
    return WORK_FACTOR * (uint64_t)n + (integers + sizeof(double) - 1) / sizeof(double);
}

bool eigen_lapack(size_t n, double *matrix, double *rising, double *columns, double *workspace,
                  struct error *err)
{
    struct lapack lapack;
    if (!lapack_load(&lapack, err)) {
        return false;
    }
    int *support = (int *)(void *)(workspace + WORK_FACTOR * n);
    int *integers = support + 2 * n;
    int order = (int)n;
    int work_size = (int)(WORK_FACTOR * n);
    int integers_size = (int)((INTEGER_FACTOR - 2) * n);
    int unused_index = 0;
    double unused_bound = 0;
    double tolerance = 0;
    int found = 0;
    int info = 0;
    lapack.dsyevr("V", "A", "L", &order, matrix, &order, &unused_bound, &unused_bound,
                  &unused_index, &unused_index, &tolerance, &found, rising, columns, &order,
                  support, workspace, &work_size, integers, &integers_size, &info, 1, 1, 1);
    if (info != 0 || found != order) {
        return error_set(err, ERROR_INTERNAL, "LAPACK dsyevr failed with info %d", info);
    }
    return true;
}

/* Vectors lie end to end: `basis`, `images` and `next` are (size, n), row-major. Half a block of
 * Ritz vectors X goes on from round to round, beside A X: with X alone, values +x and -x repeated
 * more often than the block is wide would turn round for ever. */
struct block {
    size_t n, half, size; /* size = 2 half */
    double *basis;        /* Q, orthonormal */
    double *images;       /* A q for each q */
    double *next;         /* X, then A X; between rounds, room */
    double *projected;    /* (size, size): Q A Qᵀ */
    double *columns;      /* (size, size): its eigenvectors */
    double *leading;      /* (half, size): the leading ones */
    double *rising;       /* size */
    double *values;       /* half: the leading ones */
    double *tau;          /* size */
    double *work;         /* eigen_lapack_workspace(size) */
};

uint64_t eigen_block_workspace(const struct eigen_problem *problem)
{
    uint64_t size = eigen_basis(problem);
    return 3 * problem->n * size + 3 * size * size + 3 * size +
           eigen_lapack_workspace((size_t)size);
}

static void block_init(struct block *block, const struct eigen_problem *problem, double *workspace)
{
    block->n = problem->n;
    block->half = eigen_basis(problem) / 2;
    block->size = 2 * block->half;
    block->basis = workspace;
    block->images = block->basis + block->n * block->size;
    block->next = block->images + block->n * block->size;
    block->projected = block->next + block->n * block->size;
    block->columns = block->projected + block->size * block->size;
    block->leading = block->columns + block->size * block->size;
    block->rising = block->leading + block->size * block->size;
    block->values = block->rising + block->size;
    block->tau = block->values + block->size;
    block->work = block->tau + block->size;
    for (size_t k = 0; k < block->size; k++) {
        random_normals(0, RANDOM_EIGEN, (uint32_t)k, 0, block->n, block->next + k * block->n);
    }
}

/* An orthonormal basis that holds the span of `next`, full even where its rank is not. */
static bool block_orthonormalise(struct block *block, struct error *err)
{
    struct lapack lapack;
    if (!lapack_load(&lapack, err)) {
        return false;
    }
    int n = (int)block->n;
    int size = (int)block->size;
    int work_size = (int)(WORK_FACTOR * block->size);
    int info = 0;
    memcpy(block->basis, block->next, block->n * block->size * sizeof *block->basis);
    lapack.dgeqrf(&n, &size, block->basis, &n, block->tau, block->work, &work_size, &info);
    if (info == 0) {
        lapack.dorgqr(&n, &size, &size, block->basis, &n, block->tau, block->work, &work_size,
                      &info);
    }
    if (info != 0) {
        return error_set(err, ERROR_INTERNAL, "LAPACK dgeqrf or dorgqr failed with info %d", info);
    }
    return true;
}

/* Rayleigh-Ritz: the best half of the pairs within the span of the basis. */
static bool block_project(struct block *block, const struct eigen_problem *problem,
                          struct error *err)
{
    size_t n = block->n;
    size_t size = block->size;
    for (size_t k = 0; k < size; k++) {
        if (!eigen_apply(problem, block->basis + k * n, block->images + k * n, err)) {
            return false;
        }
    }
    product_transpose(size, n, block->images, block->next);
    product_multiply(size, n, size, block->basis, block->next, block->projected);
    if (!eigen_lapack(size, block->projected, block->rising, block->columns, block->work, err)) {
        return false;
    }
    struct eigen_problem half = *problem;
    half.count = block->half;
    eigen_take(&half, size, size, block->rising, block->columns, block->values, block->leading);
    product_multiply(block->half, size, n, block->leading, block->basis, block->next);
    product_multiply(block->half, size, n, block->leading, block->images,
                     block->next + block->half * n);
    return true;
}

/* The largest |A x - lambda x| among the `count` leading pairs; `images` is overwritten. */
static double block_residual(struct block *block, size_t count)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        const double *vector = block->next + k * block->n;
        const double *image = vector + block->half * block->n;
        for (size_t i = 0; i < block->n; i++) {
            block->images[i] = image[i] - block->values[k] * vector[i];
        }
        largest = fmax(largest, matrix_norm(block->n, block->images));
    }
    return largest;
}

bool eigen_block(const struct eigen_problem *problem, double *values, double *vectors,
                 double *workspace, struct error *err)
{
    struct block block;
    block_init(&block, problem, workspace);
    double residual = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (!block_orthonormalise(&block, err) || !block_project(&block, problem, err)) {
            return false;
        }
        residual = block_residual(&block, problem->count);
        if (residual <= sqrt((double)block.n) * RESIDUAL_TOLERANCE * fabs(block.values[0])) {
            memcpy(values, block.values, problem->count * sizeof *values);
            memcpy(vectors, block.next, problem->count * block.n * sizeof *vectors);
            return true;
        }
    }
    return error_set(err, ERROR_INTERNAL,
                     "the leading eigenvectors of a matrix of order %zu did not converge: the "
                     "residual stays at %g",
                     block.n, residual);
}
