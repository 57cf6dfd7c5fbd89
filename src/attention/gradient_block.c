/* SPDX-License-Identifier: MIT */
/* |J V|_F of many rows at once. With m = arg_max, epsilon the sum of the other weights and
 * s_j = p_j / epsilon (s_m = 0), a row's square over epsilon^2 is, as in gradient.c,
 *   T = p_m^2 |b|^2 + sum s_j^2 |D_j - epsilon b|^2,  D_j = v_j - v_m,  b = sum s_j D_j.
 *
 * By distances R_jl = |v_j - v_l|^2, with r = R s, beta = s·R_m, gamma = s·r:
 *   D_j·b = (R_jm + beta - r_j) / 2,  |b|^2 = beta - gamma / 2,
 *   T = p_m^2 (beta - gamma / 2) + p_m sum s_j^2 (R_jm - epsilon beta)
 *       + epsilon sum s_j^2 (r_j - epsilon gamma / 2).
 * By vectors, all from the origin: with B = sum s_j v_j, W = sum s_j^2 v_j, b = B - v_m and
 * c = v_m + epsilon b,
 *   T = p_m^2 |b|^2 + sum s_j^2 |v_j|^2 - 2 W·c + |c|^2 sum s_j^2.
 * Either way the rows of a block take one product.
 *
 * What is taken away is seldom much of what it is taken from. Where it is, and where something
 * leaves the range of numbers, gradient_row does the row again, from differences. */
#include "attention/gradient_block.h"

#include "attention/gradient.h"
#include "attention/gradient_internal.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* The least result beside the sizes of its terms. */
#define RESULT_SHARE 0.03125
/* Smaller shares are taken for 0. The result must then be at least 2^57 times what one of them can
 * have moved. */
#define SHARE_MIN 0x1p-100
#define DROPPED_BOUND 0x1p-43
/* Rows of so few shares need no product. */
#define FEW ((size_t)32)
/* T, and the sum of the sizes of its terms. */
struct squares {
    double sum, size;
};

size_t gradient_shares_size(size_t n)
{
    return GRADIENT_BLOCK * n;
}

/* The shares of a row, 0 for what is small, for arg_max and behind the keys. Returns how many are
 * not 0. */
MANY_TARGETS(size_t, find_shares, (size_t n, const struct gradient_row *row, double *shares),
             (n, row, shares))
{
    double others = row->others;
    if (others == 0) {
        memset(shares, 0, n * sizeof *shares);
        return 0;
    }
    size_t count = 0;
    size_t keys = row->keys;
    for (size_t j = 0; j < keys; j++) {
        double share = row->p[j] / others;
        bool kept = share >= SHARE_MIN;
        shares[j] = kept ? share : 0;
        count += kept ? 1 : 0;
    }
    count -= row->p[row->arg_max] / others >= SHARE_MIN ? 1 : 0;
    shares[row->arg_max] = 0;
    for (size_t j = keys; j < n; j++) {
        shares[j] = 0;
    }
    return count;
}

/* T from shares s, R_jm in `to_largest`, and r. */
MANY_TARGETS(struct squares, squares_by_distances,
             (size_t n, double row_max, double others, const double *s, const double *to_largest,
              const double *r),
             (n, row_max, others, s, to_largest, r))
{
    double beta[LANES] = {0};
    double gamma[LANES] = {0};
    double shares[LANES] = {0};
    double near[LANES] = {0};
    double far[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest[3];
        const double *share = lanes_of(n - j, s + j, &rest[0]);
        const double *distances = lanes_of(n - j, to_largest + j, &rest[1]);
        const double *means = lanes_of(n - j, r + j, &rest[2]);
        EACH_LANE
        {
            double distance = distances[lane] * share[lane];
            double mean = means[lane] * share[lane];
            beta[lane] += distance;
            gamma[lane] += mean;
            shares[lane] += share[lane] * share[lane];
            near[lane] += share[lane] * distance;
            far[lane] += share[lane] * mean;
        }
    }
    double first = lanes_sum(beta);
    double half = lanes_sum(gamma) / 2;
    double top = row_max * row_max;
    double direct = row_max * lanes_sum(near) + others * lanes_sum(far);
    double shift = others * lanes_sum(shares) * (row_max * first + others * half);
    return (struct squares){top * (first - half) + (direct - shift),
                            top * (first + half) + (direct + shift)};
}

/* sum s_j^2, and sum s_j^2 |v_j|^2. */
PART_OF_TARGETS void add_lengths(const struct gradient_vectors *vectors, const double *s,
                                 double *shares, double *lengths)
{
    double share_sums[LANES] = {0};
    double length_sums[LANES] = {0};
    for (size_t j = 0; j < vectors->n; j += LANES) {
        lanes rest[2];
        const double *share = lanes_of(vectors->n - j, s + j, &rest[0]);
        const double *length = lanes_of(vectors->n - j, vectors->squares + j, &rest[1]);
        EACH_LANE
        {
            double square = share[lane] * share[lane];
            share_sums[lane] += square;
            length_sums[lane] += square * length[lane];
        }
    }
    *shares = lanes_sum(share_sums);
    *lengths = lanes_sum(length_sums);
}

/* T from shares s and the sums B and W. */
MANY_TARGETS(struct squares, squares_by_vectors,
             (const struct gradient_vectors *vectors, size_t arg_max, double row_max, double others,
              const double *s, const double *mean_sums, const double *square_sums),
             (vectors, arg_max, row_max, others, s, mean_sums, square_sums))
{
    double means[LANES] = {0};
    double gaps[LANES] = {0};
    double centres[LANES] = {0};
    double crosses[LANES] = {0};
    double weighted[LANES] = {0};
    size_t d = vectors->d;
    for (size_t i = 0; i < d; i += LANES) {
        lanes rest[4];
        const double *largest = lanes_of(d - i, vectors->v + arg_max * d + i, &rest[0]);
        const double *origin = lanes_of(d - i, vectors->origin + i, &rest[1]);
        const double *mean = lanes_of(d - i, mean_sums + i, &rest[2]);
        const double *square = lanes_of(d - i, square_sums + i, &rest[3]);
        EACH_LANE
        {
            double top = largest[lane] - origin[lane];
            double gap = mean[lane] - top;
            double centre = top + others * gap; /* c */
            means[lane] += mean[lane] * mean[lane];
            gaps[lane] += gap * gap;
            centres[lane] += centre * centre;
            crosses[lane] += square[lane] * centre;
            weighted[lane] += square[lane] * square[lane];
        }
    }
    double shares;
    double lengths;
    add_lengths(vectors, s, &shares, &lengths);
    double top = row_max * row_max;
    double centre = lanes_sum(centres);
    double direct = lengths + centre * shares;
    double cross = sqrt(lanes_sum(weighted) * centre); /* at least |W·c| */
    return (struct squares){top * lanes_sum(gaps) + (direct - 2 * lanes_sum(crosses)),
                            top * (lanes_sum(means) + vectors->squares[arg_max]) + direct +
                                2 * cross};
}

/* The places of all shares that are not 0. */
static size_t find_few(size_t n, const double *shares, size_t places[FEW])
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) {
        if (shares[j] != 0) {
            places[count++] = j;
        }
    }
    return count;
}

/* T of a row of few shares, by their distances. */
static struct squares few_by_distances(const struct gradient_vectors *vectors, double row_max,
                                       const struct gradient_row *row, const double *shares)
{
    size_t places[FEW];
    double s[FEW];
    double to_largest[FEW];
    double r[FEW];
    size_t count = find_few(vectors->n, shares, places);
    for (size_t i = 0; i < count; i++) {
        const double *distances = vectors->distances + places[i] * vectors->n;
        s[i] = shares[places[i]];
        to_largest[i] = distances[row->arg_max];
        r[i] = 0;
        for (size_t l = 0; l < count; l++) {
            r[i] += shares[places[l]] * distances[places[l]];
        }
    }
    return squares_by_distances(count, row_max, row->others, s, to_largest, r);
}

/* The same by the differences of the vectors. */
MANY_TARGETS(struct squares, few_by_vectors,
             (const struct gradient_vectors *vectors, double row_max,
              const struct gradient_row *row, const double *shares, double *centre),
             (vectors, row_max, row, shares, centre))
{
    size_t d = vectors->d;
    const double *largest = vectors->v + row->arg_max * d;
    size_t places[FEW];
    size_t count = find_few(vectors->n, shares, places);
    memset(centre, 0, d * sizeof *centre);
    for (size_t i = 0; i < count; i++) {
        add_difference(d, shares[places[i]], vectors->v + places[i] * d, largest, centre);
    }
    double sum = row_max * row_max * squared_distance(d, largest, largest, centre, 1);
    for (size_t i = 0; i < d; i++) {
        centre[i] *= row->others;
    }
    for (size_t i = 0; i < count; i++) {
        double share = shares[places[i]];
        sum += share * share * squared_distance(d, vectors->v + places[i] * d, largest, centre, 1);
    }
    return (struct squares){sum, sum};
}

/* epsilon sqrt(T), or the row done again where T has lost digits. */
static double norm_of(const struct gradient_vectors *vectors, const struct gradient_row *row,
                      struct squares squares, double *scratch)
{
    double least =
        fmax(RESULT_SHARE * squares.size, DROPPED_BOUND * (double)vectors->n * vectors->spread);
    if (squares.sum >= least && gradient_in_range(squares.sum)) {
        return row->others * sqrt(squares.sum);
    }
    return gradient_row(row->keys, vectors->d, row->p, row->arg_max, row->others, vectors->v,
                        scratch);
}

static void measure_dense_by_distances(const struct gradient_block *block,
                                       const struct gradient_vectors *vectors, double *scratch,
                                       double *norms)
{
    size_t n = vectors->n;
    double *products = scratch + vectors->d;
    product_multiply(block->dense, n, n, block->shares, vectors->distances, products);
    for (size_t i = 0; i < block->dense; i++) {
        const struct gradient_row *row = &block->rows[block->places[i]];
        struct squares squares =
            squares_by_distances(n, row->p[row->arg_max], row->others, block->shares + i * n,
                                 vectors->distances + row->arg_max * n, products + i * n);
        norms[block->places[i]] = norm_of(vectors, row, squares, scratch);
    }
}

static void measure_dense_by_vectors(const struct gradient_block *block,
                                     const struct gradient_vectors *vectors, double *scratch,
                                     double *norms)
{
    size_t n = vectors->n;
    size_t d = vectors->d;
    double *sums = scratch + d;
    double *square_sums = sums + block->dense * d;
    product_multiply_both(block->dense, n, d, block->shares, vectors->v, vectors->origin, sums,
                          square_sums);
    for (size_t i = 0; i < block->dense; i++) {
        const struct gradient_row *row = &block->rows[block->places[i]];
        struct squares squares =
            squares_by_vectors(vectors, row->arg_max, row->p[row->arg_max], row->others,
                               block->shares + i * n, sums + i * d, square_sums + i * d);
        norms[block->places[i]] = norm_of(vectors, row, squares, scratch);
    }
}

static double measure_few(const struct gradient_vectors *vectors, const struct gradient_row *row,
                          const double *shares, double *scratch)
{
    if (row->others == 0) {
        return 0;
    }
    double row_max = row->p[row->arg_max];
    struct squares squares = gradient_keeps_distances(vectors->n, vectors->d)
                                 ? few_by_distances(vectors, row_max, row, shares)
                                 : few_by_vectors(vectors, row_max, row, shares, scratch);
    return norm_of(vectors, row, squares, scratch);
}

void gradient_share(struct gradient_block *block)
{
    size_t n = block->n;
    size_t last = block->count;
    block->dense = 0;
    for (size_t i = 0; i < block->count; i++) {
        double *shares = block->shares + block->dense * n;
        size_t kept = find_shares(n, &block->rows[i], shares);
        if (kept > FEW || 4 * kept > n) {
            block->places[block->dense++] = i;
        } else {
            /* Behind all rows that may still be dense. */
            last--;
            memmove(block->shares + last * n, shares, n * sizeof *shares);
            block->places[last] = i;
        }
    }
}

void gradient_measure(const struct gradient_block *block, const struct gradient_vectors *vectors,
                      double *scratch, double *norms)
{
    if (gradient_keeps_distances(vectors->n, vectors->d)) {
        measure_dense_by_distances(block, vectors, scratch, norms);
    } else {
        measure_dense_by_vectors(block, vectors, scratch, norms);
    }
    for (size_t i = block->dense; i < block->count; i++) {
        size_t place = block->places[i];
        norms[place] =
            measure_few(vectors, &block->rows[place], block->shares + i * vectors->n, scratch);
    }
}
