/* SPDX-License-Identifier: MIT */
/* Householder reflections through LAPACK, a strip of columns at a time: the triangle so far and the
 * strip stand side by side, and their own triangle takes their place. So x is read once and never
 * copied as a whole. */
#include "numeric/triangular.h"

#include "numeric/matrix.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LEAST_STRIP ((size_t)1024)
#define WORK_FACTOR ((size_t)32) /* the block size of LAPACK */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Columns of the triangle and a strip beside it. */
static size_t stack_width(size_t n, size_t d)
{
    return smaller(d, n + (n > LEAST_STRIP ? n : LEAST_STRIP));
}

size_t triangular_workspace(size_t n, size_t d)
{
    return n * stack_width(n, d) + (1 + WORK_FACTOR) * n;
}

/* Replaces the `used` first columns of the stack (n, width) by their triangle. For LAPACK a = Q R
 * goes by columns, R above and reflections below; rows of ours are its columns. */
static void reflect(const struct lapack *lapack, size_t n, size_t width, size_t used, double *stack)
{
    int rows = (int)used;
    int columns = (int)n;
    int stride = (int)width;
    int work_size = (int)(WORK_FACTOR * n);
    int info = 0;
    double *tau = stack + n * width;
    lapack->dgeqrf(&rows, &columns, stack, &stride, tau, tau + n, &work_size, &info);
    for (size_t i = 0; i < n; i++) {
        memset(stack + i * width + i + 1, 0, (n - i - 1) * sizeof *stack);
    }
}

static void turn_columns(size_t n, double *l)
{
    for (size_t j = 0; j < n; j++) {
        bool negative = l[j * n + j] < 0;
        for (size_t i = j; negative && i < n; i++) {
            l[i * n + j] = -l[i * n + j];
        }
    }
}

static bool is_dependent(const double *l, size_t n, size_t i, double tolerance)
{
    return fabs(l[i * n + i]) <= tolerance * matrix_norm(i + 1, l + i * n);
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < n; c++) {
        sum += a[c] * b[c];
    }
    return sum;
}

/* Row i of l in the basis of the rows before it, and the next vector of that basis: Gram and
 * Schmidt, twice. */
static void express_row(size_t n, size_t i, double tolerance, double *l, double *basis)
{
    double *row = l + i * n;
    double *rest = basis + i * n;
    memcpy(rest, row, n * sizeof *rest);
    memset(row, 0, n * sizeof *row);
    double before = matrix_norm(n, rest);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < i; j++) {
            double along = dot(n, rest, basis + j * n);
            row[j] += along;
            for (size_t c = 0; c < n; c++) {
                rest[c] -= along * basis[j * n + c];
            }
        }
    }
    double length = matrix_norm(n, rest);
    bool dependent = length <= tolerance * before;
    row[i] = dependent ? 0 : length;
    for (size_t c = 0; c < n; c++) {
        rest[c] = dependent ? 0 : rest[c] / length;
    }
}

void triangular_factor(const struct lapack *lapack, size_t n, size_t d, const double *x, double *l,
                       double *workspace)
{
    size_t width = stack_width(n, d);
    double *stack = workspace;
    size_t kept = 0;
    size_t taken = 0;
    for (size_t done = 0; done < d; done += taken) {
        taken = smaller(d - done, width - kept);
        for (size_t i = 0; i < n; i++) {
            memcpy(stack + i * width + kept, x + i * d + done, taken * sizeof *x);
        }
        reflect(lapack, n, width, kept + taken, stack);
        kept = n;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(l + i * n, stack + i * width, n * sizeof *l);
    }
    turn_columns(n, l);
    /* What rounding leaves of a dependent row is no direction, yet the reflections follow it, and
     * all rows behind are told by it. */
    double tolerance = 16 * ((double)n + sqrt((double)d)) * DBL_EPSILON;
    bool full = true;
    for (size_t i = 0; i < n; i++) {
        full = full && !is_dependent(l, n, i, tolerance);
    }
    for (size_t i = 0; !full && i < n; i++) {
        express_row(n, i, tolerance, l, workspace);
    }
}
