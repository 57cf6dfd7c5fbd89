/* SPDX-License-Identifier: MIT */
/* What all rows of weights over the same vectors share: lengths from a common origin, and distances
 * where there is room for them. */
#include "attention/gradient_block.h"

#include "attention/gradient.h"
#include "attention/gradient_internal.h"
#include "numeric/product.h"

#include <string.h>

/* More vectors would need much memory for their distances. */
#define DISTANCES_MAX 1024
/* A squared distance is made from two lengths and a product where it is at least this part of the
 * squares, so that three digits of sixteen are the most it can lose; else from the differences. */
#define DISTANCE_SHARE 0.125

bool gradient_keeps_distances(size_t n, size_t d)
{
    return n <= d && n <= DISTANCES_MAX;
}

/* How many of n or fewer vectors can have their distances kept. */
static size_t most_kept(size_t n, size_t d)
{
    size_t most = n < d ? n : d;
    return most < DISTANCES_MAX ? most : DISTANCES_MAX;
}

size_t gradient_distances_size(size_t n, size_t d)
{
    return most_kept(n, d) * most_kept(n, d);
}

size_t gradient_scratch_size(size_t n, size_t d)
{
    /* Vectors from their origin, some of them in strips, and their products. */
    size_t prepared = most_kept(n, d) * d + GRADIENT_BLOCK * (most_kept(n, d) + d);
    /* The centre of one row, and sums of vectors; or one product. */
    size_t measured = d + GRADIENT_BLOCK * (2 * d > most_kept(n, d) ? 2 * d : most_kept(n, d));
    return prepared > measured ? prepared : measured;
}

/* The mean, by differences from the first vector. */
MANY_TARGETS_VOID(find_origin, (struct gradient_vectors * vectors), (vectors))
{
    size_t d = vectors->d;
    memset(vectors->origin, 0, d * sizeof(double));
    for (size_t j = 1; j < vectors->n; j++) {
        add_difference(d, 1 / (double)vectors->n, vectors->v + j * d, vectors->v, vectors->origin);
    }
    for (size_t c = 0; c < d; c++) {
        vectors->origin[c] += vectors->v[c];
    }
}

MANY_TARGETS_VOID(find_squares, (struct gradient_vectors * vectors), (vectors))
{
    size_t d = vectors->d;
    double largest = 0;
    for (size_t j = 0; j < vectors->n; j++) {
        double square = squared_difference(d, vectors->v + j * d, vectors->origin);
        vectors->squares[j] = square;
        largest = square > largest ? square : largest;
    }
    vectors->spread = 4 * largest;
}

/* The distances of vector j to `count` earlier ones from `start` on, from products of what they
 * differ by from the origin. */
MANY_TARGETS_VOID(find_row_distances,
                  (struct gradient_vectors * vectors, size_t j, size_t start, size_t count,
                   const double *products),
                  (vectors, j, start, count, products))
{
    size_t n = vectors->n;
    size_t d = vectors->d;
    double *row = vectors->distances + j * n + start;
    const double *squares = vectors->squares + start;
    double square = vectors->squares[j];
    bool good = true;
    for (size_t l = 0; l < count; l++) {
        double sum = square + squares[l];
        row[l] = sum - 2 * products[l];
        good = good && row[l] >= DISTANCE_SHARE * sum;
    }
    for (size_t l = 0; !good && l < count; l++) {
        if (!(row[l] >= DISTANCE_SHARE * (square + squares[l]))) {
            const double *other = vectors->v + (start + l) * d;
            row[l] = squared_difference(d, vectors->v + j * d, other);
        }
    }
}

/* The diagonal, and the upper half from the lower; some rows at a time, so that what is written
 * shares lines of the cache. */
static void complete_distances(size_t n, double *distances)
{
    for (size_t start = 0; start < n; start += LANES) {
        size_t end = n - start < LANES ? n : start + LANES;
        for (size_t l = 0; l < end; l++) {
            for (size_t j = l < start ? start : l + 1; j < end; j++) {
                distances[l * n + j] = distances[j * n + l];
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        distances[j * n + j] = 0;
    }
}

static void find_distances(struct gradient_vectors *vectors, double *scratch)
{
    size_t n = vectors->n;
    size_t d = vectors->d;
    double *centred = scratch;
    double *right = centred + n * d;
    double *products = right + GRADIENT_BLOCK * d;
    for (size_t j = 0; j < n; j++) {
        for (size_t c = 0; c < d; c++) {
            centred[j * d + c] = vectors->v[j * d + c] - vectors->origin[c];
        }
    }
    for (size_t start = 0; start < n; start += GRADIENT_BLOCK) {
        size_t rows = n - start < GRADIENT_BLOCK ? n - start : GRADIENT_BLOCK;
        product_make_strips(rows, d, centred + start * d, right);
        product_multiply_strips(n - start, d, rows, centred + start * d, right, products, rows);
        for (size_t j = start; j < n; j++) {
            size_t earlier = j - start < rows ? j - start : rows;
            find_row_distances(vectors, j, start, earlier, products + (j - start) * rows);
        }
    }
    complete_distances(n, vectors->distances);
}

void gradient_prepare(struct gradient_vectors *vectors, double *scratch)
{
    find_origin(vectors);
    find_squares(vectors);
    if (gradient_keeps_distances(vectors->n, vectors->d)) {
        find_distances(vectors, scratch);
    }
}

/* The sum of squared distances from the mean grows by k / (k + 1) |v_k - mean of those before|^2
 * (Welford 1962). */
MANY_TARGETS_VOID(find_prefixes, (size_t n, size_t d, const double *v, double *mean, double *norms),
                  (n, d, v, mean, norms))
{
    double sum = 0;
    memset(mean, 0, d * sizeof *mean); /* less the first vector */
    for (size_t k = 0; k < n; k++) {
        double before = (double)k;
        double square = squared_distance(d, v + k * d, v, mean, 1);
        sum += before / (before + 1) * square;
        norms[k] = sum;
        for (size_t c = 0; c < d; c++) {
            mean[c] += (v[k * d + c] - v[c] - mean[c]) / (before + 1);
        }
    }
}

void gradient_uniform_prefixes(size_t n, size_t d, const double *v, double *scratch, double *norms)
{
    find_prefixes(n, d, v, scratch, norms);
    for (size_t k = 0; k < n; k++) {
        norms[k] = k == 0 || gradient_in_range(norms[k])
                       ? sqrt(norms[k]) / (double)(k + 1)
                       : gradient_row_uniform(k + 1, d, v, scratch);
    }
}
