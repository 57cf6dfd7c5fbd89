/* SPDX-License-Identifier: MIT */
/* How large a gradient reaches the projections: closed forms over iid unit-variance upstream at
 * the weights, one row at a time (docs/method.md, "Gradients").
 *   E|dL/dW_Q|^2 = c^2 sum_i |x_i|^2 sum_j p_ij^2 |k_j - kbar_i|^2
 *   E|dL/dW_K|^2 = c^2 sum_i |q_i|^2 sum_j p_ij^2 |x_j - xbar_i|^2 */
#ifndef ATTENTION_GRADIENT_H
#define ATTENTION_GRADIENT_H

#include "attention/weigh_row.h"

#include <stddef.h>

/* sqrt(sum_j p_j^2 |v_j - vbar|^2) = |J V|_F for one row of weights p (n) and vectors v (n, d),
 * vbar = sum_j p_j v_j. Differences are taken from v at arg_max and the small weights are scaled
 * by their sum `others`, so nothing cancels and squares do not underflow. scratch holds d. */
double gradient_row(size_t n, size_t d, const double *p, size_t arg_max, double others,
                    const double *v, double *scratch);

/* The same for uniform weights 1/n. */
double gradient_row_uniform(size_t n, size_t d, const double *v, double *scratch);

/* |J V|_F for any weights: the root of sum_i |a_i D_i - b_i w + defect_i v_m|^2 with m = arg_max,
 * D_j = v_j - v_m, w = sum_j a_j D_j. scratch holds d. */
double gradient_row_general(size_t n, size_t d, const struct row_slopes *slopes, const double *v,
                            double *scratch);

/* |J Y|_F where y_j is the outer product of x_j (d) and u_j (d_k): what reaches W_K when each key
 * has a derivative of its own. scratch holds d * d_k; n d d_k operations, where gradient_outer.h
 * has a shorter way that keeps fewer digits. */
double gradient_row_outer(size_t n, size_t d, size_t d_k, const struct row_slopes *slopes,
                          const double *x, const double *u, double *scratch);

#endif
