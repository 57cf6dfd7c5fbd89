/* SPDX-License-Identifier: MIT */
/* |J V|_F of one row for weights of any kind, where J = (I - b 1ᵀ) diag(a). With m = arg_max and
 * differences from v_m, row i of J V is a_i D_i - b_i w + defect_i v_m, w = sum_{j != m} a_j D_j:
 * where the weights ignore a common shift the last term is missing, and nothing cancels in a
 * saturated row. */
#include "attention/gradient.h"

#include "base/clones.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LANES 8

/* Between these a sum of squares has neither over- nor underflowed. */
#define SQUARES_MIN (DBL_MIN / DBL_EPSILON)
#define SQUARES_MAX 1e300

/* Coefficients of row i of J V in D_i, w and v_m. */
struct blend {
    double own, mean, origin;
};

static struct blend blend_of(const struct row_slopes *slopes, size_t i)
{
    double defect = slopes->defect == NULL ? 0 : slopes->defect[i];
    return (struct blend){slopes->a[i], -slopes->b[i], defect};
}

/* |scale (own (v - origin) + mean w + origin_share origin)|^2, in LANES running sums. */
PART_OF_TARGETS double blended_square(size_t d, struct blend blend, const double *v,
                                      const double *origin, const double *w, double scale)
{
    double sums[LANES] = {0};
    for (size_t c = 0; c < d; c++) {
        double term = blend.own * (v[c] - origin[c]) + blend.mean * w[c] + blend.origin * origin[c];
        term *= scale;
        sums[c % LANES] += term * term;
    }
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            sums[lane] += sums[lane + half];
        }
    }
    return sums[0];
}

MANY_TARGETS static double general_squares(size_t n, size_t d, const struct row_slopes *slopes,
                                           const double *v, double *w, double scale)
{
    const double *origin = v + slopes->arg_max * d;
    memset(w, 0, d * sizeof *w);
    for (size_t j = 0; j < n; j++) {
        for (size_t c = 0; slopes->a[j] != 0 && c < d; c++) {
            w[c] += slopes->a[j] * (v[j * d + c] - origin[c]);
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += blended_square(d, blend_of(slopes, i), v + i * d, origin, w, scale);
    }
    return sum;
}

/* Entry (r, c) of the outer product x_j u_jᵀ less that of the origin. */
PART_OF_TARGETS double outer_difference(double x, double u, double origin_x, double origin_u)
{
    return x * u - origin_x * origin_u;
}

PART_OF_TARGETS double outer_row_square(size_t d_k, struct blend blend, const double x[2],
                                        const double *u, const double *origin_u, const double *w)
{
    double sum = 0;
    for (size_t c = 0; c < d_k; c++) {
        double difference = outer_difference(x[0], u[c], x[1], origin_u[c]);
        double term =
            blend.own * difference + blend.mean * w[c] + blend.origin * x[1] * origin_u[c];
        sum += term * term;
    }
    return sum;
}

/* Like general_squares with v_j = x_j u_jᵀ, which is never stored; x is multiplied by `scale`. */
MANY_TARGETS static double outer_squares(size_t n, size_t d, size_t d_k,
                                         const struct row_slopes *slopes, const double *x,
                                         const double *u, double *w, double scale)
{
    const double *origin_x = x + slopes->arg_max * d;
    const double *origin_u = u + slopes->arg_max * d_k;
    memset(w, 0, d * d_k * sizeof *w);
    for (size_t j = 0; j < n; j++) {
        for (size_t r = 0; slopes->a[j] != 0 && r < d; r++) {
            for (size_t c = 0; c < d_k; c++) {
                w[r * d_k + c] +=
                    slopes->a[j] * scale *
                    outer_difference(x[j * d + r], u[j * d_k + c], origin_x[r], origin_u[c]);
            }
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < d; r++) {
            const double pair[2] = {scale * x[i * d + r], scale * origin_x[r]};
            sum += outer_row_square(d_k, blend_of(slopes, i), pair, u + i * d_k, origin_u,
                                    w + r * d_k);
        }
    }
    return sum;
}

static bool in_range(double squares)
{
    return isnan(squares) || (squares > SQUARES_MIN && squares < SQUARES_MAX);
}

/* A power of two that brings numbers of about this size near 1; 1 where none would help. */
static double scale_for(double size)
{
    if (size == 0 || !isfinite(size)) {
        return 1;
    }
    return scalbn(1.0, size < 0x1p-1000 ? 1000 : -ilogb(size));
}

static double largest(size_t n, const double *values)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) {
        size = fabs(values[i]) <= size ? size : fabs(values[i]);
    }
    return size;
}

double gradient_row_general(size_t n, size_t d, const struct row_slopes *slopes, const double *v,
                            double *scratch)
{
    double squares = general_squares(n, d, slopes, v, scratch, 1);
    if (in_range(squares)) {
        return sqrt(squares);
    }
    double scale = scale_for(largest(n, slopes->a)) * scale_for(largest(n * d, v));
    return sqrt(general_squares(n, d, slopes, v, scratch, scale)) / scale;
}

double gradient_row_outer(size_t n, size_t d, size_t d_k, const struct row_slopes *slopes,
                          const double *x, const double *u, double *scratch)
{
    double squares = outer_squares(n, d, d_k, slopes, x, u, scratch, 1);
    if (in_range(squares)) {
        return sqrt(squares);
    }
    double scale = scale_for(largest(n, slopes->a)) * scale_for(largest(n * d, x)) *
                   scale_for(largest(n * d_k, u));
    return sqrt(outer_squares(n, d, d_k, slopes, x, u, scratch, scale)) / scale;
}
