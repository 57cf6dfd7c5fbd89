/* SPDX-License-Identifier: MIT */
/* The integrals of docs/method.md, "Independent scores", by rules that converge spectrally. */
#include "attention/theory_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define EULER 0.57721566490153286061
#define NODES 5
#define CELLS 1024
/* Steps: e^{y - e^y} needs 0.2 (error e^{-49}), the largest of n normal numbers 1/16. */
#define STEP 0.2
#define NORMAL_STEP 0.0625
/* e^{-NEGLIGIBLE} is below the last digit of 1; e^{y - e^y} is so beyond TOP. */
#define NEGLIGIBLE 40.0
#define TOP 4.2
/* e^{-GONE} is 0. */
#define GONE 746.0

static const double node_place[NODES] = {0.04691007703066800, 0.23076534494715846, 0.5,
                                         0.76923465505284154, 0.95308992296933200};
static const double node_weight[NODES] = {0.11846344252809454, 0.23931433524968324,
                                          0.28444444444444444, 0.23931433524968324,
                                          0.11846344252809454};

/* What the integrals over y = tau + spread z need at one tau: y and z run together over the points
 * of a lattice and over the Gauss nodes of its cells. */
struct slice {
    size_t cells;
    double normal[CELLS + 1]; /* phi(z) dz */
    double tail[CELLS + 1];   /* P(Z > z) */
    double first[CELLS + 1];  /* e^{y - e^y} */
    double second[CELLS + 1]; /* e^{2y - e^y} */
    double entropy[CELLS + 1];
    double node_normal[CELLS * NODES]; /* phi(z) times its weight */
    double node_loss[CELLS * NODES];   /* 1 - e^{-e^y} */
    double complement[CELLS + 1];      /* 1 - int_{z' < z} phi(z') e^{-e^{y'}} dz' */
};

/* B_1, B_2, the entropy's and 1 - L at one tau. */
struct means {
    double first, second, entropy, complement;
};

double theory_density(double x)
{
    return 0.39894228040143267794 * exp(-0.5 * x * x);
}

double theory_tail(double x)
{
    return 0.5 * erfc(x * 0.70710678118654752440);
}

double theory_reach(size_t n)
{
    return sqrt(2 * (NEGLIGIBLE + log((double)n)));
}

/* E_1(t) for t >= 2 by its continued fraction, from below. */
static double exponential_integral(double t)
{
    double fraction = t;
    for (int k = 60; k >= 1; k--) {
        fraction = t + (double)k / (1 + (double)k / fraction);
    }
    return exp(-t) / fraction;
}

double theory_entropy_kernel(double y)
{
    double t = exp(y);
    if (t > GONE) {
        return 0;
    }
    if (t >= 2) {
        return exp(-t) * (y + EULER) + exponential_integral(t);
    }
    double sum = 0; /* int_0^t (1 - e^{-s}) / s ds */
    double term = t;
    for (int k = 1; k < 30 && fabs(term) > 1e-18 * sum; k++) {
        sum += term / k;
        term *= -t / (k + 1);
    }
    return sum + expm1(-t) * (y + EULER);
}

/* The kernels from point `first` on: y is the place of point 0. */
static void set_kernels(struct slice *slice, size_t first, double y, double step)
{
    for (size_t j = first; j <= slice->cells; j++) {
        double place = y + (double)j * step;
        double t = exp(place);
        slice->first[j] = t * exp(-t);
        slice->second[j] = t * slice->first[j];
        slice->entropy[j] = theory_entropy_kernel(place);
    }
    for (size_t j = first == 0 ? 0 : first - 1; j < slice->cells; j++) {
        for (size_t i = 0; i < NODES; i++) {
            double place = y + ((double)j + node_place[i]) * step;
            slice->node_loss[j * NODES + i] = -expm1(-exp(place));
        }
    }
}

/* The kernels at a y that lies `shift` points above the last: all but the uppermost are there. */
static void move_kernels(struct slice *slice, size_t shift, double y, double step)
{
    if (shift > slice->cells) {
        set_kernels(slice, 0, y, step);
        return;
    }
    size_t points = slice->cells + 1 - shift;
    size_t nodes = (slice->cells - shift) * NODES;
    memmove(slice->first, slice->first + shift, points * sizeof *slice->first);
    memmove(slice->second, slice->second + shift, points * sizeof *slice->second);
    memmove(slice->entropy, slice->entropy + shift, points * sizeof *slice->entropy);
    memmove(slice->node_loss, slice->node_loss + shift * NODES, nodes * sizeof *slice->node_loss);
    set_kernels(slice, points, y, step);
}

/* The normal numbers of the first points and cells: z is the place of point 0. */
static void set_normals(struct slice *slice, size_t points, size_t cells, double z, double step)
{
    for (size_t j = 0; j < points; j++) {
        double place = z + (double)j * step;
        slice->normal[j] = step * theory_density(place);
        slice->tail[j] = theory_tail(place);
    }
    for (size_t j = 0; j < cells; j++) {
        for (size_t i = 0; i < NODES; i++) {
            double place = z + ((double)j + node_place[i]) * step;
            slice->node_normal[j * NODES + i] = step * node_weight[i] * theory_density(place);
        }
    }
}

/* The same at a z that lies `shift` points below the last: all but the lowest are there. */
static void move_normals(struct slice *slice, size_t shift, double z, double step)
{
    if (shift > slice->cells) {
        set_normals(slice, slice->cells + 1, slice->cells, z, step);
        return;
    }
    size_t points = slice->cells + 1 - shift;
    size_t nodes = (slice->cells - shift) * NODES;
    memmove(slice->normal + shift, slice->normal, points * sizeof *slice->normal);
    memmove(slice->tail + shift, slice->tail, points * sizeof *slice->tail);
    memmove(slice->node_normal + shift * NODES, slice->node_normal,
            nodes * sizeof *slice->node_normal);
    set_normals(slice, shift, shift, z, step);
}

static struct means slice_means(struct slice *slice)
{
    struct means means = {0};
    double loss = 0;
    for (size_t j = 0; j <= slice->cells; j++) {
        means.first += slice->normal[j] * slice->first[j];
        means.second += slice->normal[j] * slice->second[j];
        means.entropy += slice->normal[j] * slice->entropy[j];
        slice->complement[j] = loss + slice->tail[j];
        for (size_t i = j * NODES; i < (j + 1) * NODES && j < slice->cells; i++) {
            loss += slice->node_normal[i] * slice->node_loss[i];
        }
    }
    means.complement = slice->complement[slice->cells];
    return means;
}

/* (1 - complement)^exponent, also for a large exponent and a small complement. */
static double power(double complement, double exponent)
{
    return exponent == 0 ? 1 : complement < 1 ? exp(exponent * log1p(-complement)) : 0;
}

/* The largest score's part: all others lie below it. `whole` is the sum of the weights. */
static double slice_largest(const struct slice *slice, double others, double whole)
{
    double sum = 0;
    for (size_t j = 0; j <= slice->cells; j++) {
        double weight = slice->normal[j] * slice->first[j];
        if (weight > 1e-20 * whole) {
            sum += weight * power(slice->complement[j], others);
        }
    }
    return sum;
}

/* Adds one tau; returns its part of the mass. */
static double add(const struct slice *slice, const struct means *means, size_t n, double tau,
                  double step, struct theory_sums *out)
{
    double keys = (double)n;
    double one_less = power(means->complement, keys - 1);
    double two_less = power(means->complement, keys - 2);
    double three_less = n > 2 ? power(means->complement, keys - 3) : 0;
    double part = step * keys * means->first;
    double pair = part * (keys - 1);
    out->mass += part * one_less;
    out->log_partition -= part * one_less * (tau + EULER);
    out->sum_of_squares += step * keys * means->second * one_less;
    out->jacobian_trace += pair * means->first * two_less;
    out->entropy += pair * means->entropy * two_less;
    out->jacobian_square +=
        step * keys * means->second * (keys - 1) / 6 *
        (2 * means->second * two_less + (keys - 2) * means->first * means->first * three_less);
    if (part * one_less > 1e-20) {
        out->row_max += step * keys * slice_largest(slice, keys - 1, means->first);
    }
    return part * one_less;
}

/* Points of the lattice in one step of tau, at least 1; more than there are when none is met again.
 */
static size_t points_in_step(double spread)
{
    double ratio = NORMAL_STEP * spread / STEP;
    double points = fmax(ratio, 1 / ratio);
    return points > CELLS ? CELLS + 1 : (size_t)points;
}

void theory_integrate(size_t n, double spread, unsigned refinement, struct theory_sums *out)
{
    struct slice slice;
    double fine = 1.0 / refinement;
    double reach = theory_reach(n);
    double low = -NEGLIGIBLE - log((double)n);
    double start = spread < reach ? low - spread * spread / 2 : -reach * spread;
    double end = TOP + reach * spread;
    /* A narrow lattice goes with tau and covers the normal numbers; a wide one stays and covers
     * what e^{y - e^y} leaves of them. Both lie in y and z at once. */
    bool wide = NORMAL_STEP * spread > STEP;
    double y_step = fine * (wide ? STEP : NORMAL_STEP * spread);
    double z_step = wide ? y_step / spread : fine * NORMAL_STEP;
    slice.cells = (size_t)ceil(wide ? (TOP - low) / y_step : 2 * reach / z_step);
    set_kernels(&slice, 0, wide ? low : start - reach * spread, y_step);
    set_normals(&slice, slice.cells + 1, slice.cells, wide ? (low - start) / spread : -reach,
                z_step);
    /* tau moves by whole points where some are met again */
    size_t shift = points_in_step(spread);
    double step = shift > CELLS ? fine * fmax(STEP, NORMAL_STEP * spread) : (double)shift * y_step;
    *out = (struct theory_sums){0};
    double part = 1;
    double tau = start;
    for (size_t i = 0; tau < end && (out->mass < 0.5 || part > 1e-20); i++) {
        if (i > 0 && wide) {
            move_normals(&slice, shift, (low - tau) / spread, z_step);
        } else if (i > 0) {
            move_kernels(&slice, shift, tau - reach * spread, y_step);
        }
        struct means means = slice_means(&slice);
        part = add(&slice, &means, n, tau, step, out);
        tau = start + (double)(i + 1) * step;
    }
}
