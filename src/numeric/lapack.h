/* SPDX-License-Identifier: MIT */
/* LAPACK, BLAS and ARPACK from the libraries OpenBLAS and ARPACK, which are loaded when something
 * first asks for them: few sweeps do, and loading takes as long as all else before a first run.
 * Once loaded they stay. */
#ifndef NUMERIC_LAPACK_H
#define NUMERIC_LAPACK_H

#include "base/error.h"

#include <arpack/arpackdef.h>
#include <stddef.h>

/* Fortran's: matrices by columns, arguments by address, the lengths of texts last. */
struct lapack {
    /* All eigenpairs of a symmetric matrix. */
    void (*dsyevr)(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
                   const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
                   const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
                   double *work, const int *lwork, int *iwork, const int *liwork, int *info,
                   size_t jobz_length, size_t range_length, size_t uplo_length);
    /* a = Q R by reflections, and Q from what it leaves. */
    void (*dgeqrf)(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
                   const int *lwork, int *info);
    void (*dorgqr)(const int *m, const int *n, const int *k, double *a, const int *lda,
                   const double *tau, double *work, const int *lwork, int *info);
    /* c = alpha a b + beta c. */
    void (*dgemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                  const double *alpha, const double *a, const int *lda, const double *b,
                  const int *ldb, const double *beta, double *c, const int *ldc,
                  size_t transa_length, size_t transb_length);
    char *(*kernel_name)(void); /* e.g. "SkylakeX" */
    char *(*configuration)(void);
};

/* Lanczos in C's clothes; see ARPACK's manual. */
struct arpack {
    void (*dsaupd)(a_int *ido, const char *bmat, a_int n, const char *which, a_int nev, double tol,
                   double *resid, a_int ncv, double *v, a_int ldv, a_int *iparam, a_int *ipntr,
                   double *workd, double *workl, a_int lworkl, a_int *info);
    void (*dseupd)(a_int rvec, const char *howmny, const a_int *select, double *d, double *z,
                   a_int ldz, double sigma, const char *bmat, a_int n, const char *which, a_int nev,
                   double tol, double *resid, a_int ncv, double *v, a_int ldv, a_int *iparam,
                   a_int *ipntr, double *workd, double *workl, a_int lworkl, a_int *info);
};

/* Asks OpenBLAS for one thread, whatever the environment says: runs are parallel, its products are
 * not. To be called before any thread starts; without effect once it is loaded. */
void lapack_use_one_thread(void);

/* The functions; may be called by several threads and any number of times. ERROR_FILE where a
 * library is missing. */
bool lapack_load(struct lapack *out, struct error *err) MUST_CHECK;
bool arpack_load(struct arpack *out, struct error *err) MUST_CHECK;

/* "OpenBLAS 0.3.21, kernel SkylakeX", in `out`. */
#define LAPACK_NAME_SIZE 96
const char *lapack_name(const struct lapack *lapack, char out[LAPACK_NAME_SIZE]);

#endif
