/* SPDX-License-Identifier: MIT */
/* The learners; see embedding.h. A symmetric matrix has its eigenpairs as singular triplets up to
 * sign: sigma = |lambda|, u = eigenvector. */
#include "corpus/embedding.h"

#include "base/random.h"
#include "corpus/sparse.h"
#include "numeric/eigen.h"
#include "numeric/singular.h"

#include <float.h>
#include <math.h>

/* Singular values, falling in magnitude, and left vectors, end to end. Values up to `noise` in
 * magnitude are rounding: their columns stay zero, whatever the power. */
struct triplets {
    size_t order, count;
    double *values, *left;
    double noise;
};

static void multiply(const void *matrix, size_t n, const double *x, double *y)
{
    (void)n;
    sparse_multiply(matrix, x, y);
}

/* A matrix and its transpose. */
struct both_ways {
    struct sparse straight, transposed;
};

static void multiply_straight(const void *matrix, size_t n, const double *x, double *y)
{
    (void)n;
    const struct both_ways *both = matrix;
    sparse_multiply(&both->straight, x, y);
}

static void multiply_transposed(const void *matrix, size_t n, const double *x, double *y)
{
    (void)n;
    const struct both_ways *both = matrix;
    sparse_multiply(&both->transposed, x, y);
}

static bool too_many(const struct triplets *triplets, struct error *err)
{
    return error_set(err, ERROR_INPUT,
                     "%zu vectors of a vocabulary of %zu words are too many; raise min_count",
                     triplets->count, triplets->order);
}

static bool triplets_alloc(struct triplets *triplets, struct arena *scratch, struct error *err)
{
    triplets->values = arena_alloc(scratch, triplets->count, sizeof *triplets->values, err);
    triplets->left =
        arena_alloc(scratch, triplets->count, triplets->order * sizeof *triplets->left, err);
    return triplets->values != NULL && triplets->left != NULL;
}

/* In little room first; few matrices need more. */
static bool solve_symmetric(const struct eigen_problem *problem, struct triplets *out,
                            struct error *err)
{
    struct arena room = {0};
    size_t size = eigen_workspace(problem);
    if (size == 0) {
        return too_many(out, err);
    }
    bool solved = false;
    double *workspace = arena_alloc(&room, eigen_quick_workspace(problem), sizeof *workspace, err);
    bool good =
        workspace != NULL && eigen_quick(problem, out->values, out->left, workspace, &solved, err);
    arena_release(&room);
    if (good && !solved) {
        workspace = arena_alloc(&room, size, sizeof *workspace, err);
        good = workspace != NULL && eigen_leading(problem, out->values, out->left, workspace, err);
        arena_release(&room);
    }
    return good;
}

static bool solve_any(const struct singular_problem *problem, struct triplets *out,
                      struct error *err)
{
    struct arena room = {0};
    size_t size = singular_workspace(problem);
    if (size == 0) {
        return too_many(out, err);
    }
    bool solved = false;
    double *workspace =
        arena_alloc(&room, singular_quick_workspace(problem), sizeof *workspace, err);
    bool good = workspace != NULL &&
                singular_quick(problem, out->values, out->left, workspace, &solved, err);
    arena_release(&room);
    if (good && !solved) {
        workspace = arena_alloc(&room, size, sizeof *workspace, err);
        good =
            workspace != NULL && singular_leading(problem, out->values, out->left, workspace, err);
        arena_release(&room);
    }
    return good;
}

static bool decompose_symmetric(const struct cooccurrence *matrix,
                                const struct embedding_options *options, struct arena *scratch,
                                struct triplets *out, struct error *err)
{
    struct sparse sparse;
    if (!sparse_make(matrix, options->crew, scratch, &sparse, err) ||
        !triplets_alloc(out, scratch, err)) {
        return false;
    }
    struct eigen_problem problem = {matrix->order, out->count, multiply, &sparse, options->stop};
    if (!solve_symmetric(&problem, out, err)) {
        return false;
    }
    out->noise = (double)matrix->order * DBL_EPSILON * fabs(out->values[0]);
    return true;
}

static bool decompose(const struct cooccurrence *matrix, const struct embedding_options *options,
                      struct arena *scratch, struct triplets *out, struct error *err)
{
    struct both_ways both;
    struct cooccurrence transposed;
    if (!sparse_transpose(matrix, scratch, &transposed, err) ||
        !sparse_make(matrix, options->crew, scratch, &both.straight, err) ||
        !sparse_make(&transposed, options->crew, scratch, &both.transposed, err) ||
        !triplets_alloc(out, scratch, err)) {
        return false;
    }
    struct singular_problem problem = {matrix->order,       out->count, multiply_straight,
                                       multiply_transposed, &both,      options->stop};
    out->noise = 0; /* singular_leading gives zeros for it */
    return solve_any(&problem, out, err);
}

static struct triplets wanted_triplets(const struct vocabulary *vocabulary,
                                       const struct embedding_options *options)
{
    size_t order = vocabulary->count;
    size_t count = options->dimension < order ? options->dimension : order;
    return (struct triplets){.order = order, .count = count};
}

/* E = U S^power. */
static bool make_vectors(const struct triplets *triplets, const struct embedding_options *options,
                         struct arena *arena, const double **vectors, struct error *err)
{
    size_t order = triplets->order;
    size_t dimension = options->dimension;
    double *learned = arena_alloc(arena, order, dimension * sizeof *learned, err);
    if (learned == NULL) {
        return false;
    }
    for (size_t k = 0; k < triplets->count; k++) {
        double sigma = fabs(triplets->values[k]);
        double scale = sigma > triplets->noise ? pow(sigma, options->power) : 0;
        for (size_t word = 0; scale > 0 && word < order; word++) {
            learned[word * dimension + k] = triplets->left[k * order + word] * scale;
        }
    }
    *vectors = learned;
    return true;
}

bool embedding_count_svd(const struct corpus *corpus, const struct vocabulary *vocabulary,
                         const struct embedding_options *options, struct arena *arena,
                         struct arena *scratch, const double **vectors, struct error *err)
{
    struct triplets triplets = wanted_triplets(vocabulary, options);
    struct cooccurrence counts;
    return cooccurrence_count(corpus, vocabulary, options, scratch, &counts, err) &&
           decompose_symmetric(&counts, options, scratch, &triplets, err) &&
           make_vectors(&triplets, options, arena, vectors, err);
}

bool embedding_log_count_svd(const struct corpus *corpus, const struct vocabulary *vocabulary,
                             const struct embedding_options *options, struct arena *arena,
                             struct arena *scratch, const double **vectors, struct error *err)
{
    struct triplets triplets = wanted_triplets(vocabulary, options);
    struct cooccurrence counts;
    struct cooccurrence logs;
    return cooccurrence_count(corpus, vocabulary, options, scratch, &counts, err) &&
           association_log_count(&counts, scratch, &logs, err) &&
           decompose_symmetric(&logs, options, scratch, &triplets, err) &&
           make_vectors(&triplets, options, arena, vectors, err);
}

/* The counts go when the matrix is made of them: of a large vocabulary either fills the memory. */
static bool count_information(const struct corpus *corpus, const struct vocabulary *vocabulary,
                              const struct embedding_options *options, struct arena *scratch,
                              struct cooccurrence *out, struct error *err)
{
    struct arena room = {0};
    struct cooccurrence counts;
    bool good = cooccurrence_count(corpus, vocabulary, options, &room, &counts, err) &&
                association_ppmi(&counts, options, scratch, out, err);
    arena_release(&room);
    return good;
}

bool embedding_ppmi_svd(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct arena *scratch, const double **vectors, struct error *err)
{
    struct triplets triplets = wanted_triplets(vocabulary, options);
    struct cooccurrence information;
    return count_information(corpus, vocabulary, options, scratch, &information, err) &&
           decompose(&information, options, scratch, &triplets, err) &&
           make_vectors(&triplets, options, arena, vectors, err);
}

bool embedding_random(const struct corpus *corpus, const struct vocabulary *vocabulary,
                      const struct embedding_options *options, struct arena *arena,
                      struct arena *scratch, const double **vectors, struct error *err)
{
    (void)corpus;
    (void)scratch;
    size_t count = vocabulary->count;
    size_t dimension = options->dimension;
    double *drawn = arena_alloc(arena, count, dimension * sizeof *drawn, err);
    if (drawn == NULL) {
        return false;
    }
    random_normal_matrix(0, RANDOM_WORD, count, dimension, drawn);
    double root = sqrt((double)dimension);
    for (size_t i = 0; i < count * dimension; i++) {
        drawn[i] /= root;
    }
    *vectors = drawn;
    return true;
}
