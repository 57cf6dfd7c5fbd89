/* SPDX-License-Identifier: MIT */
/* See gradient_outer.h. With m = arg_max and D_j = y_j - y_m, row i of J Y is a_i D_i - b_i w +
 * defect_i y_m, w = sum_{j != m} a_j D_j, as in gradient_general.c. Its square, summed over i:
 *   sum a_i^2 |D_i|^2 - 2 <z, w> + |b|^2 |w|^2
 *     + 2 sum a_i defect_i <D_i, y_m> - 2 (sum b_i defect_i) <w, y_m> + |defect|^2 |y_m|^2,
 * where z = sum_{j != m} a_j b_j D_j. Both w and z are sums of the y_j, so that their products come
 * from t_j = <y_j, w> = u_j·(G (alpha∘U))_j, with G = X Xᵀ and alpha_j the share of y_j in w. What
 * comes out small beside the sizes of its terms is left to the long way. */
#include "attention/gradient_outer.h"

#include "attention/gradient.h"
#include "attention/gradient_internal.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

#define GRAM_MAX ((size_t)1 << 22)
/* The least square beside the sizes of its terms. */
#define SQUARE_SHARE 0x1p-8
/* Where the largest x_j·x_j and u_j·u_j lie. Whatever underflows in products of others is then less
 * than 2^-270 of the largest |y_j|^2, with alpha at most 2. */
#define SIDES_LEAST 0x1p-400
#define SIDES_MOST 0x1p400
/* The least square beside the largest |y_j|^2, and as much of it as b makes more of w. */
#define UNDERFLOW_SHARE 0x1p-200

size_t gradient_gram_size(size_t n)
{
    return n <= GRAM_MAX / n ? n * n : 0;
}

/* Columns of U, zeros behind them. */
static size_t whole_width(size_t d_k)
{
    return product_strips_size(1, d_k);
}

size_t gradient_outer_size(size_t n, size_t d_k)
{
    return n * (2 * OUTER_SETS * whole_width(d_k) + OUTER_SETS + 1);
}

/* Where a row's numbers are, in scratch. */
struct outer_row {
    const struct outer_vectors *vectors;
    size_t keys, count, width; /* width: columns of one set */
    const double *u;
    double *strips; /* alpha∘U of all sets, as a product takes it */
    double *mixed;  /* (keys, count * width): G times that */
    double *sizes;  /* keys: |y_j| */
    double largest; /* of these, squared; negative where the range is left */
};

/* One set of weights: its slopes, made so much larger by a power of two, and alpha. */
struct outer_set {
    const struct row_slopes *slopes;
    double scale;
    double *alpha;
};

PART_OF_TARGETS const double *u_of(const struct outer_row *row, size_t j)
{
    return row->u + j * row->vectors->d_k;
}

/* <y_j, y_l>. */
PART_OF_TARGETS double inner(const struct outer_row *row, size_t j, size_t l)
{
    const struct outer_vectors *vectors = row->vectors;
    return vectors->gram[l * vectors->n + j] * lanes_dot(vectors->d_k, u_of(row, j), u_of(row, l));
}

/* alpha of a set; at arg_max what all others take from it. */
static void find_alpha(size_t keys, const struct outer_set *set)
{
    size_t m = set->slopes->arg_max;
    double others = 0;
    for (size_t j = 0; j < keys; j++) {
        set->alpha[j] = set->slopes->a[j] * set->scale;
        others += j == m ? 0 : set->alpha[j];
    }
    set->alpha[m] = -others;
}

/* alpha∘U of a set into its strips. */
MANY_TARGETS_VOID(fill_strips,
                  (size_t keys, size_t d_k, const double *alpha, const double *u, double *strips),
                  (keys, d_k, alpha, u, strips))
{
    for (size_t c = 0; c < d_k; c += LANES) {
        for (size_t j = 0; j < keys; j++) {
            lanes rest;
            const double *from = lanes_of(d_k - c, u + j * d_k + c, &rest);
            double *to = strips + c * keys + j * LANES;
            EACH_LANE
            {
                to[lane] = alpha[j] * from[lane];
            }
        }
    }
}

static void multiply(const struct outer_row *row)
{
    const struct outer_vectors *vectors = row->vectors;
    size_t columns = row->count * row->width;
    memset(row->mixed, 0, row->keys * columns * sizeof *row->mixed);
    product_add_strips(row->keys, row->keys, columns, vectors->gram, vectors->n, row->strips,
                       row->mixed, columns);
}

/* Sums over the keys of one set, and the sizes of what they are made of. */
struct outer_sums {
    double differences, difference_sizes; /* a_i^2 |D_i|^2 */
    double w, w_sizes;                    /* |w|^2, and the sum of |alpha_j y_j| */
    double z, z_sizes;                    /* <z, w>, and as much of z */
    double b;                             /* |b|^2 */
    double at_top;                        /* <w, y_m> */
    double mixed, mixed_sizes;            /* a_i defect_i <D_i, y_m> */
    double cross, cross_sizes;            /* b_i defect_i */
    double defects;                       /* defect_i^2 */
};

/* What the weights of key j other than arg_max bring; t is <y_j, w>. */
PART_OF_TARGETS void add_key(const struct outer_row *row, const struct outer_set *set, size_t j,
                             double t, struct outer_sums *sums, double *beta)
{
    size_t m = set->slopes->arg_max;
    double a = set->alpha[j];
    double own = row->sizes[j] * row->sizes[j];
    double top = row->sizes[m] * row->sizes[m];
    double shared = inner(row, j, m);
    double both = a * set->slopes->b[j];
    sums->differences += a * a * (own + top - 2 * shared);
    sums->difference_sizes += 2 * a * a * (own + top);
    sums->z += both * t;
    sums->z_sizes += fabs(both) * row->sizes[j];
    *beta += both;
    if (set->slopes->defect != NULL) {
        double defect = set->slopes->defect[j] * set->scale;
        sums->mixed += a * defect * (shared - top);
        sums->mixed_sizes += fabs(a * defect) * (row->sizes[j] * row->sizes[m] + top);
    }
}

MANY_TARGETS(struct outer_sums, add_up,
             (const struct outer_row *row, const struct outer_set *set, size_t place),
             (row, set, place))
{
    const struct row_slopes *slopes = set->slopes;
    struct outer_sums sums = {0};
    size_t m = slopes->arg_max;
    double beta = 0;
    for (size_t j = 0; j < row->keys; j++) {
        const double *mixed = row->mixed + j * row->count * row->width + place * row->width;
        double t = lanes_dot(row->vectors->d_k, u_of(row, j), mixed);
        sums.w += set->alpha[j] * t;
        sums.w_sizes += fabs(set->alpha[j]) * row->sizes[j];
        sums.b += slopes->b[j] * slopes->b[j];
        if (j == m) {
            sums.at_top = t;
        } else {
            add_key(row, set, j, t, &sums, &beta);
        }
        if (slopes->defect != NULL) {
            double defect = slopes->defect[j] * set->scale;
            sums.cross += slopes->b[j] * defect;
            sums.cross_sizes += fabs(slopes->b[j] * defect);
            sums.defects += defect * defect;
        }
    }
    sums.z -= beta * sums.at_top;
    sums.z_sizes += fabs(beta) * row->sizes[m];
    return sums;
}

/* |J Y|_F of a set; negative where it is not certain enough. */
static double measure(const struct outer_row *row, const struct outer_set *set, size_t place)
{
    const struct outer_sums sums = add_up(row, set, place);
    double top = row->sizes[set->slopes->arg_max];
    double square = sums.differences - 2 * sums.z + sums.b * sums.w + 2 * sums.mixed -
                    2 * sums.cross * sums.at_top + sums.defects * top * top;
    double size = sums.difference_sizes + 2 * sums.z_sizes * sums.w_sizes +
                  sums.b * sums.w_sizes * sums.w_sizes + 2 * sums.mixed_sizes +
                  2 * sums.cross_sizes * sums.w_sizes * top + sums.defects * top * top;
    bool certain = gradient_in_range(square) && square >= SQUARE_SHARE * size &&
                   square >= UNDERFLOW_SHARE * row->largest * (1 + sums.b);
    return certain ? scalbn(sqrt(square), -ilogb(set->scale)) : -1;
}

static bool has_range(double square)
{
    return square >= SIDES_LEAST && square <= SIDES_MOST;
}

MANY_TARGETS_VOID(find_sizes, (struct outer_row * row), (row))
{
    const struct outer_vectors *vectors = row->vectors;
    double largest_x = 0;
    double largest_u = 0;
    row->largest = 0;
    for (size_t j = 0; j < row->keys; j++) {
        double x = vectors->gram[j * vectors->n + j];
        double u = lanes_dot(vectors->d_k, u_of(row, j), u_of(row, j));
        largest_x = x > largest_x ? x : largest_x;
        largest_u = u > largest_u ? u : largest_u;
        row->largest = x * u > row->largest ? x * u : row->largest;
        row->sizes[j] = sqrt(x * u);
    }
    row->largest = has_range(largest_x) && has_range(largest_u) ? row->largest : -1;
}

static struct outer_row make_row(const struct outer_vectors *vectors, size_t keys, const double *u,
                                 size_t count, double *scratch)
{
    size_t width = whole_width(vectors->d_k);
    struct outer_row row = {.vectors = vectors, .keys = keys, .count = count, .width = width};
    row.u = u;
    row.strips = scratch;
    row.mixed = row.strips + OUTER_SETS * width * vectors->n;
    row.sizes = row.mixed + OUTER_SETS * width * vectors->n;
    find_sizes(&row);
    return row;
}

/* The norms of all sets, negative where one is not certain enough; false where none is. */
static bool measure_products(const struct outer_vectors *vectors, size_t keys, const double *u,
                             size_t count, const struct row_slopes *const sets[OUTER_SETS],
                             double *scratch, double norms[OUTER_SETS])
{
    struct outer_set scaled[OUTER_SETS];
    struct outer_row row = make_row(vectors, keys, u, count, scratch);
    if (row.largest < 0) {
        return false;
    }
    for (size_t s = 0; s < count; s++) {
        double scale = gradient_scale_for(gradient_largest_slope(keys, sets[s]));
        scaled[s] = (struct outer_set){sets[s], scale, row.sizes + (s + 1) * vectors->n};
        find_alpha(keys, &scaled[s]);
        fill_strips(keys, vectors->d_k, scaled[s].alpha, u, row.strips + s * row.width * keys);
    }
    multiply(&row);
    for (size_t s = 0; s < count; s++) {
        norms[s] = measure(&row, &scaled[s], s);
    }
    return true;
}

void gradient_outer(const struct outer_vectors *vectors, size_t keys, const double *u, size_t count,
                    const struct row_slopes *const sets[OUTER_SETS], double *scratch, double *outer,
                    double norms[OUTER_SETS])
{
    bool known = vectors->gram != NULL && keys > 1 &&
                 measure_products(vectors, keys, u, count, sets, scratch, norms);
    for (size_t s = 0; s < count; s++) {
        if (!known || norms[s] < 0) {
            norms[s] =
                gradient_row_outer(keys, vectors->d, vectors->d_k, sets[s], vectors->x, u, outer);
        }
    }
}
