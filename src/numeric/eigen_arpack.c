/* SPDX-License-Identifier: MIT */
/* Implicitly restarted Lanczos by ARPACK, with every start vector our own. */
#include "base/random.h"
#include "numeric/eigen_internal.h"
#include "numeric/lapack.h"

#define RESTARTS 3000
/* Of the error that ARPACK estimates for a value, relative to it. Rounding is reached at 1e-16, but
 * a second vector of a repeated value comes up only when the first is as exact as the square of
 * that. With 0 ARPACK would go on until its estimates vanish, with twice as many products. */
#define TOLERANCE 1e-32
#define NO_SHIFTS 3
#define OUT_OF_RESTARTS 1

/* What dsaupd and dseupd share between calls. */
struct lanczos {
    a_int n, pairs, basis, work_size, info;
    a_int parameters[11], pointers[11];
    double *residual; /* n */
    double *vectors;  /* (basis, n): end to end */
    double *products; /* 3 n */
    double *work;     /* work_size */
    double *rising;   /* pairs */
    a_int *select;    /* basis */
};

/* One pair more than wanted, so that a pair +x, -x at the cut is seen whole and its positive half
 * is the one that stays. */
static size_t pair_count(const struct eigen_problem *problem)
{
    return problem->count + 1;
}

uint64_t eigen_arpack_workspace(const struct eigen_problem *problem)
{
    uint64_t n = problem->n;
    uint64_t basis = eigen_basis(problem);
    uint64_t integers = (basis * sizeof(a_int) + sizeof(double) - 1) / sizeof(double);
    return 4 * n + n * basis + basis * (basis + 8) + pair_count(problem) + integers;
}

static void lanczos_init(struct lanczos *lanczos, const struct eigen_problem *problem,
                         double *workspace)
{
    size_t n = problem->n;
    size_t pairs = pair_count(problem);
    size_t basis = eigen_basis(problem);
    *lanczos = (struct lanczos){.n = (a_int)n, .pairs = (a_int)pairs, .basis = (a_int)basis};
    lanczos->work_size = (a_int)(basis * (basis + 8));
    lanczos->parameters[0] = 1; /* exact shifts */
    lanczos->parameters[2] = RESTARTS;
    lanczos->parameters[3] = 1; /* block size */
    lanczos->parameters[6] = 1; /* A x = lambda x */
    lanczos->info = 1;          /* start from `residual` */
    lanczos->residual = workspace;
    lanczos->vectors = lanczos->residual + n;
    lanczos->products = lanczos->vectors + n * basis;
    lanczos->work = lanczos->products + 3 * n;
    lanczos->rising = lanczos->work + basis * (basis + 8);
    lanczos->select = (a_int *)(void *)(lanczos->rising + pairs);
}

/* ARPACK asks by `ask` = -1 to map a new start vector into the range of A: first ours, later a
 * random one of its own when the basis closed on itself. That one depends on every earlier call in
 * the process, so the answer is a fresh vector of ours instead; in a standard problem it need not
 * lie in the range. */
static bool lanczos_iterate(const struct arpack *arpack, struct lanczos *lanczos,
                            const struct eigen_problem *problem, struct error *err)
{
    size_t n = problem->n;
    uint32_t starts = 0;
    a_int ask = 0;
    random_normals(0, RANDOM_EIGEN, 0, 0, n, lanczos->residual);
    for (;;) {
        arpack->dsaupd(&ask, "I", lanczos->n, "LM", lanczos->pairs, TOLERANCE, lanczos->residual,
                       lanczos->basis, lanczos->vectors, lanczos->n, lanczos->parameters,
                       lanczos->pointers, lanczos->products, lanczos->work, lanczos->work_size,
                       &lanczos->info);
        if (ask != 1 && ask != -1) {
            return true;
        }
        const double *x = lanczos->products + lanczos->pointers[0] - 1;
        double *y = lanczos->products + lanczos->pointers[1] - 1;
        if (ask == -1) {
            random_normals(0, RANDOM_EIGEN, starts++, 0, n, y);
        } else if (!eigen_apply(problem, x, y, err)) {
            return false;
        }
    }
}

bool eigen_arpack(const struct eigen_problem *problem, double *values, double *vectors,
                  double *workspace, bool *closed, struct error *err)
{
    struct arpack arpack;
    struct lanczos lanczos;
    lanczos_init(&lanczos, problem, workspace);
    if (!arpack_load(&arpack, err) || !lanczos_iterate(&arpack, &lanczos, problem, err)) {
        return false;
    }
    *closed = lanczos.info == NO_SHIFTS || lanczos.info == OUT_OF_RESTARTS;
    if (*closed) {
        return true;
    }
    if (lanczos.info != 0) {
        return error_set(err, ERROR_INTERNAL, "ARPACK dsaupd failed with info %d",
                         (int)lanczos.info);
    }
    /* The eigenvectors replace the first vectors of the basis, as dseupd allows. */
    arpack.dseupd(1, "A", lanczos.select, lanczos.rising, lanczos.vectors, lanczos.n, 0, "I",
                  lanczos.n, "LM", lanczos.pairs, TOLERANCE, lanczos.residual, lanczos.basis,
                  lanczos.vectors, lanczos.n, lanczos.parameters, lanczos.pointers,
                  lanczos.products, lanczos.work, lanczos.work_size, &lanczos.info);
    if (lanczos.info != 0 || lanczos.parameters[4] < lanczos.pairs) {
        return error_set(err, ERROR_INTERNAL, "ARPACK dseupd failed with info %d",
                         (int)lanczos.info);
    }
    eigen_take(problem, problem->n, (size_t)lanczos.pairs, lanczos.rising, lanczos.vectors, values,
               vectors);
    return true;
}
