/* SPDX-License-Identifier: MIT */
/* The integrals behind theory.h, with a step that tests can refine. */
#ifndef ATTENTION_THEORY_INTERNAL_H
#define ATTENTION_THEORY_INTERNAL_H

#include <stddef.h>

/* Each is an integral of its own, so that their identities check them: mass is 1,
 * sum_of_squares + jacobian_trace is 1, log_partition - entropy is spread^2 jacobian_trace. */
struct theory_sums {
    double mass;          /* E[sum p] */
    double log_partition; /* E[ln sum exp(s)] */
    double row_max;
    double sum_of_squares;
    double jacobian_trace;
    double jacobian_square; /* E|J|_F^2 */
    double entropy;
};

/* The integrals for n >= 2 scores of a spread > 0. Steps are divided by `refinement`, 1 or 2. */
void theory_integrate(size_t n, double spread, unsigned refinement, struct theory_sums *out);

/* -int_{-inf}^y e^{v - e^v} (v + gamma) dv >= 0, gamma being Euler's constant. */
double theory_entropy_kernel(double y);

/* The standard normal density, and P(Z > x) without cancellation. */
double theory_density(double x);
double theory_tail(double x);

/* How many standard deviations n normal numbers can reach, but for one part in 10^17. */
double theory_reach(size_t n);

#endif
