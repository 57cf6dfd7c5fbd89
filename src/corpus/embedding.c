/* SPDX-License-Identifier: MIT */
/* The count-svd learner; see embedding.h. C is symmetric, so its singular triplets are its
 * eigenpairs up to sign: sigma = |lambda|, u = eigenvector. */
#include "corpus/embedding.h"

#include "numeric/eigen.h"

#include <float.h>
#include <math.h>

static void sparse_product(const void *matrix, size_t n, const double *x, double *y)
{
    const struct cooccurrence *counts = matrix;
    for (size_t row = 0; row < n; row++) {
        double sum = 0;
        for (size_t e = counts->row_start[row]; e < counts->row_start[row + 1]; e++) {
            sum += counts->count[e] * x[counts->column[e]];
        }
        y[row] = sum;
    }
}

/* Leading eigenpairs of the counts, in `scratch`. */
static bool decompose(const struct cooccurrence *counts, size_t pairs, const atomic_int *stop,
                      struct arena *scratch, double **values, double **vectors, struct error *err)
{
    struct eigen_problem problem = {counts->order, pairs, sparse_product, counts, stop};
    size_t size = eigen_workspace(&problem);
    if (size == 0) {
        error_set(err, ERROR_INPUT,
                  "%zu vectors of a vocabulary of %zu words are too many; raise min_count", pairs,
                  counts->order);
        return false;
    }
    double *workspace = arena_alloc(scratch, size, sizeof *workspace, err);
    *values = arena_alloc(scratch, pairs, sizeof **values, err);
    *vectors = arena_alloc(scratch, pairs, counts->order * sizeof **vectors, err);
    return workspace != NULL && *values != NULL && *vectors != NULL &&
           eigen_leading(&problem, *values, *vectors, workspace, err);
}

bool embedding_count_svd(const struct corpus *corpus, const struct vocabulary *vocabulary,
                         const struct embedding_options *options, struct arena *arena,
                         struct arena *scratch, const double **vectors, struct error *err)
{
    size_t order = vocabulary->count;
    size_t dimension = options->dimension;
    size_t pairs = dimension < order ? dimension : order;
    struct cooccurrence counts;
    double *values = NULL;
    double *columns = NULL;
    if (!cooccurrence_count(corpus, vocabulary, options, scratch, &counts, err) ||
        !decompose(&counts, pairs, options->stop, scratch, &values, &columns, err)) {
        return false;
    }
    double *learned = arena_alloc(arena, order, dimension * sizeof *learned, err);
    if (learned == NULL) {
        return false;
    }
    /* Below this a singular value is rounding noise and its column stays zero, whatever the power.
     */
    double noise = (double)order * DBL_EPSILON * fabs(values[0]);
    for (size_t k = 0; k < pairs; k++) {
        double sigma = fabs(values[k]);
        double scale = sigma > noise ? pow(sigma, options->power) : 0;
        for (size_t word = 0; scale > 0 && word < order; word++) {
            learned[word * dimension + k] = columns[k * order + word] * scale;
        }
    }
    *vectors = learned;
    return true;
}
