/* SPDX-License-Identifier: MIT */
/* See eta.h. Least squares for the pace of each kind, held to the expectation: what one expects of
 * the paces is a normal law in which all are off together, and each a bit by itself. */
#include "cli/eta.h"

#include <math.h>

/* In units of the expected pace: how far all may be off, and each beside that. */
#define OFF_TOGETHER 0.6
#define OFF_ALONE 0.25
/* Memory that a virtual machine was not given yet comes late, and tells nothing of other work. */
#define OFF_INPUTS 1.0
/* How far off is what a part of the whole says: so much when it is a hundredth. */
#define OFF_OF_A_HUNDREDTH 0.3
/* What was done a third of the whole ago counts for 1/e: others come and go on this machine. */
#define MEMORY 0.3

static double sum(const struct engine_work *work)
{
    double all = 0;
    for (size_t k = 0; k < WORK_KINDS; k++) {
        all += work->kind[k];
    }
    return all;
}

struct eta eta_start(const struct engine_work *left, double expected, double after)
{
    return (struct eta){.left = *left, .whole = sum(left), .expected = expected, .after = after};
}

void eta_learn(struct eta *eta, const struct engine_work *work, double seconds)
{
    double done = sum(work);
    if (!(done > 0) || !(eta->whole > 0)) {
        return;
    }
    double fading = exp(-done / (MEMORY * eta->whole));
    double weight = 1 / (OFF_OF_A_HUNDREDTH * OFF_OF_A_HUNDREDTH * 0.01 * eta->whole * done);
    double ratio = seconds / eta->expected;
    for (size_t i = 0; i < WORK_KINDS; i++) {
        for (size_t j = 0; j < WORK_KINDS; j++) {
            eta->products[i][j] *= fading;
            eta->products[i][j] += weight * work->kind[i] * work->kind[j];
        }
        eta->seconds[i] = fading * eta->seconds[i] + weight * work->kind[i] * ratio;
    }
}

/* One over the variance of what a kind is off by itself. */
static double weight_of(size_t kind)
{
    double off = kind == WORK_INPUTS ? OFF_INPUTS : OFF_ALONE;
    return 1 / (off * off);
}

/* The inverse of D + OFF_TOGETHER^2 1 1', where D has the variances of what each kind is off by
 * itself, by the formula of Sherman and Morrison. */
static double prior(size_t i, size_t j)
{
    double together = OFF_TOGETHER * OFF_TOGETHER;
    double weights = 0;
    for (size_t k = 0; k < WORK_KINDS; k++) {
        weights += weight_of(k);
    }
    double own = i == j ? weight_of(i) : 0;
    return own - together * weight_of(i) * weight_of(j) / (1 + together * weights);
}

/* Puts the solution of a y = x into x; a is symmetric and positive definite: no pivot is needed. */
static void solve(double a[WORK_KINDS][WORK_KINDS], double x[WORK_KINDS])
{
    for (size_t k = 0; k < WORK_KINDS; k++) {
        for (size_t i = k + 1; i < WORK_KINDS; i++) {
            double factor = a[i][k] / a[k][k];
            for (size_t j = k; j < WORK_KINDS; j++) {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (size_t k = WORK_KINDS; k-- > 0;) {
        for (size_t j = k + 1; j < WORK_KINDS; j++) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

/* The pace of each kind in units of the expected one. */
static void find_paces(const struct eta *eta, double paces[WORK_KINDS])
{
    double a[WORK_KINDS][WORK_KINDS];
    for (size_t i = 0; i < WORK_KINDS; i++) {
        paces[i] = eta->seconds[i];
        for (size_t j = 0; j < WORK_KINDS; j++) {
            a[i][j] = eta->products[i][j] + prior(i, j);
            paces[i] += prior(i, j); /* times the expected pace, 1 */
        }
    }
    solve(a, paces);
}

double eta_left(const struct eta *eta, double in_hand, size_t threads)
{
    double paces[WORK_KINDS];
    double runs = 0;
    find_paces(eta, paces);
    for (size_t k = 0; k < WORK_KINDS; k++) {
        if (k != WORK_LEARNING) {
            runs += fmax(paces[k], 0) * fmax(eta->left.kind[k], 0);
        }
    }
    double learning = fmax(paces[WORK_LEARNING], 0) * fmax(eta->left.kind[WORK_LEARNING], 0);
    runs = eta->expected * runs - in_hand;
    /* Rows are saved at the pace of their records: who slows the one slows the other. */
    double after = fmax(paces[WORK_RUNS], 0) * eta->after;
    return eta->expected * learning + (runs > 0 ? runs / (double)threads : 0) + after;
}
