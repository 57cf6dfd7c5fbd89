/* SPDX-License-Identifier: MIT */
/* |J V|_F of one row for weights of any kind, where J = (I - b 1ᵀ) diag(a). With m = arg_max and
 * differences from v_m, row i of J V is a_i D_i - b_i w + defect_i v_m, w = sum_{j != m} a_j D_j:
 * where the weights ignore a common shift the last term is missing, and nothing cancels in a
 * saturated row. */
#include "attention/gradient.h"

#include "attention/gradient_internal.h"
#include "numeric/matrix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Coefficients of row i of J V in D_i, w and v_m. */
struct blend {
    double own, mean, origin;
};

/* Powers of two that keep squares in range: of the slopes and defects, of V, or of both factors of
 * an outer product. */
struct scales {
    double slopes, v, u;
};

static struct blend blend_of(const struct row_slopes *slopes, size_t i, double scale)
{
    double defect = slopes->defect == NULL ? 0 : slopes->defect[i];
    return (struct blend){slopes->a[i] * scale, -slopes->b[i], defect * scale};
}

/* |scale own (v - origin) + mean w + scale origin_share origin|^2, in lanes. */
PART_OF_TARGETS double blended_square(size_t d, struct blend blend, const double *v,
                                      const double *origin, const double *w, double scale)
{
    double sums[LANES] = {0};
    for (size_t c = 0; c < d; c += LANES) {
        lanes rest[3];
        const double *own = lanes_of(d - c, v + c, &rest[0]);
        const double *from = lanes_of(d - c, origin + c, &rest[1]);
        const double *mean = lanes_of(d - c, w + c, &rest[2]);
        EACH_LANE
        {
            double term = blend.own * ((own[lane] - from[lane]) * scale) + blend.mean * mean[lane] +
                          blend.origin * (from[lane] * scale);
            sums[lane] += term * term;
        }
    }
    return lanes_sum(sums);
}

MANY_TARGETS(double, general_squares,
             (size_t n, size_t d, const struct row_slopes *slopes, const double *v, double *w,
              struct scales scales),
             (n, d, slopes, v, w, scales))
{
    const double *origin = v + slopes->arg_max * d;
    memset(w, 0, d * sizeof *w);
    for (size_t j = 0; j < n; j++) {
        double slope = slopes->a[j] * scales.slopes;
        for (size_t c = 0; slope != 0 && c < d; c++) {
            w[c] += slope * ((v[j * d + c] - origin[c]) * scales.v);
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct blend blend = blend_of(slopes, i, scales.slopes);
        sum += blended_square(d, blend, v + i * d, origin, w, scales.v);
    }
    return sum;
}

/* Entry (r, c) of the outer product x_j u_jᵀ less that of the origin. */
PART_OF_TARGETS double outer_difference(double x, double u, double origin_x, double origin_u)
{
    return x * u - origin_x * origin_u;
}

PART_OF_TARGETS double outer_row_square(size_t d_k, struct blend blend, const double x[2],
                                        const double *u, const double *origin_u, const double *w,
                                        double scale)
{
    double sum = 0;
    for (size_t c = 0; c < d_k; c++) {
        double origin = origin_u[c] * scale;
        double difference = outer_difference(x[0], u[c] * scale, x[1], origin);
        double term = blend.own * difference + blend.mean * w[c] + blend.origin * (x[1] * origin);
        sum += term * term;
    }
    return sum;
}

/* Like general_squares with v_j = x_j u_jᵀ, which is never stored. */
MANY_TARGETS(double, outer_squares,
             (size_t n, size_t d, size_t d_k, const struct row_slopes *slopes, const double *x,
              const double *u, double *w, struct scales scales),
             (n, d, d_k, slopes, x, u, w, scales))
{
    const double *origin_x = x + slopes->arg_max * d;
    const double *origin_u = u + slopes->arg_max * d_k;
    memset(w, 0, d * d_k * sizeof *w);
    for (size_t j = 0; j < n; j++) {
        double slope = slopes->a[j] * scales.slopes;
        for (size_t r = 0; slope != 0 && r < d; r++) {
            double factor = x[j * d + r] * scales.v;
            double origin = origin_x[r] * scales.v;
            for (size_t c = 0; c < d_k; c++) {
                w[r * d_k + c] += slope * outer_difference(factor, u[j * d_k + c] * scales.u,
                                                           origin, origin_u[c] * scales.u);
            }
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        struct blend blend = blend_of(slopes, i, scales.slopes);
        for (size_t r = 0; r < d; r++) {
            const double pair[2] = {x[i * d + r] * scales.v, origin_x[r] * scales.v};
            sum += outer_row_square(d_k, blend, pair, u + i * d_k, origin_u, w + r * d_k, scales.u);
        }
    }
    return sum;
}

double gradient_scale_for(double size)
{
    if (size == 0 || !isfinite(size)) {
        return 1;
    }
    return scalbn(1.0, size < 0x1p-1000 ? 1000 : -ilogb(size));
}

double gradient_largest_slope(size_t n, const struct row_slopes *slopes)
{
    size_t m = slopes->arg_max;
    double size = fmax(matrix_largest(m, slopes->a), matrix_largest(n - m - 1, slopes->a + m + 1));
    return slopes->defect == NULL ? size : fmax(size, matrix_largest(n, slopes->defect));
}

/* The root of `squares`, taken at these scales. */
static double unscale(double squares, struct scales scales)
{
    /* Together they may be in range where two of them are not. */
    return scalbn(sqrt(squares), -ilogb(scales.slopes) - ilogb(scales.v) - ilogb(scales.u));
}

double gradient_row_general(size_t n, size_t d, const struct row_slopes *slopes, const double *v,
                            double *scratch)
{
    struct scales scales = {1, 1, 1};
    double squares = general_squares(n, d, slopes, v, scratch, scales);
    if (!gradient_in_range(squares) && gradient_largest_slope(n, slopes) > 0) {
        scales.slopes = gradient_scale_for(gradient_largest_slope(n, slopes));
        scales.v = gradient_scale_for(matrix_largest(n * d, v));
        squares = general_squares(n, d, slopes, v, scratch, scales);
    }
    return unscale(squares, scales);
}

double gradient_row_outer(size_t n, size_t d, size_t d_k, const struct row_slopes *slopes,
                          const double *x, const double *u, double *scratch)
{
    struct scales scales = {1, 1, 1};
    double squares = outer_squares(n, d, d_k, slopes, x, u, scratch, scales);
    if (!gradient_in_range(squares) && gradient_largest_slope(n, slopes) > 0) {
        scales.slopes = gradient_scale_for(gradient_largest_slope(n, slopes));
        scales.v = gradient_scale_for(matrix_largest(n * d, x));
        scales.u = gradient_scale_for(matrix_largest(n * d_k, u));
        squares = outer_squares(n, d, d_k, slopes, x, u, scratch, scales);
    }
    return unscale(squares, scales);
}
