/* SPDX-License-Identifier: MIT */
/* Dense products through OpenBLAS, and a Euclidean length that cannot overflow on the way. */
#include "numeric/matrix.h"

#include "numeric/lanes.h"

#include <assert.h>
#include <cblas.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* OpenBLAS ends its threads by this before a fork; a build without threads lacks it. */
extern int blas_thread_shutdown_(void) __attribute__((weak));

void matrix_use_one_thread(void)
{
    openblas_set_num_threads(1);
    /* Its idle threads would wait for work by spinning, on the processors that our own need. */
    if (blas_thread_shutdown_ != NULL) {
        blas_thread_shutdown_();
    }
}

const char *matrix_kernel_name(void)
{
    return openblas_get_corename();
}

const char *matrix_blas_version(char out[MATRIX_VERSION_SIZE])
{
    static const char name[] = "OpenBLAS ";
    const char *found = strstr(openblas_get_config(), name);
    const char *version = found == NULL ? "unknown" : found + sizeof name - 1;
    size_t length = strcspn(version, " ");
    length = length < MATRIX_VERSION_SIZE ? length : MATRIX_VERSION_SIZE - 1;
    memcpy(out, version, length);
    out[length] = '\0';
    return out;
}

/* BLAS counts in int; head_reserve and its like refuse larger shapes. */
static int blas_size(size_t size)
{
    assert(size <= INT_MAX);
    return (int)size;
}

/* c = a b with b (m, k), or a bᵀ with b (k, m). */
static void multiply(size_t n, size_t m, size_t k, const double *a, const double *b,
                     bool transposed, double *c)
{
    if (n == 0 || k == 0) {
        return;
    }
    if (m == 0) {
        /* BLAS wants strides of at least 1. */
        memset(c, 0, n * k * sizeof *c);
        return;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, blas_size(n),
                blas_size(k), blas_size(m), 1.0, a, blas_size(m), b, blas_size(transposed ? m : k),
                0.0, c, blas_size(k));
}

void matrix_multiply(size_t n, size_t m, size_t k, const double *a, const double *b, double *c)
{
    multiply(n, m, k, a, b, false, c);
}

void matrix_multiply_transposed(size_t n, size_t m, size_t k, const double *a, const double *b,
                                double *c)
{
    multiply(n, m, k, a, b, true, c);
}

MANY_TARGETS(double, sum_of_squares, (size_t n, const double *x, double scale), (n, x, scale))
{
    lanes sums = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        lanes value = *(const lanes *)(x + i) * scale;
        sums += value * value;
    }
    double sum = 0;
    for (size_t i = n - n % LANES; i < n; i++) {
        sum += x[i] * scale * (x[i] * scale);
    }
    return lanes_sum(&sums) + sum;
}

static double largest_magnitude(size_t n, const double *x)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

double matrix_norm(size_t n, const double *x)
{
    double squares = sum_of_squares(n, x, 1.0);
    if (isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares <= DBL_MAX)) {
        return sqrt(squares);
    }
    double largest = largest_magnitude(n, x);
    if (largest == 0 || isinf(largest)) {
        return largest;
    }
    /* A power of two scales exactly; the limit keeps it finite for subnormal numbers. */
    double scale = scalbn(1.0, largest < 0x1p-1000 ? 1000 : -ilogb(largest));
    return sqrt(sum_of_squares(n, x, scale)) / scale;
}
