/* SPDX-License-Identifier: MIT */
/* Rows of kept scores worked out key by key, as on paper: exponentials, weights, slopes, Jacobian.
 */
#ifndef REPORT_WORKED_H
#define REPORT_WORKED_H

#include "attention/weigh_row.h"
#include "report/sections.h"

enum {
    WORKED_KEYS = 16,    /* most keys of a row that a sweep gave, */
    WORKED_JACOBIAN = 8, /* and of any other, and of a Jacobian */
    WORKED_GIVEN = 12,   /* most rows shown of a matrix that a sweep gave, */
    WORKED_QUERIES = 4,  /* and rows of any other */
    WORKED_MATRICES = 12,
    WORKED_ROWS = 36 /* in all */
};

/* One row, its derivatives by the scores as they enter the weights, after the cap. A masked key
 * among others has a score of -infinity and a weight of 0. */
struct worked_row {
    size_t keys;                      /* up to the last one that is not masked; 0: none */
    size_t hidden;                    /* masked keys behind them */
    double scores[WORKED_KEYS];       /* as the number format of the run holds them */
    double exponentials[WORKED_KEYS]; /* exp of them; infinite or NaN where the format overflows */
    double total;                     /* of them, with the 1 of softmax_plus_one */
    double shifted[WORKED_KEYS];      /* exp(score - largest score) */
    double weights[WORKED_KEYS];
    double a[WORKED_KEYS];                        /* J_ij = a_j (delta_ij - b_i) */
    double b[WORKED_KEYS], unshared[WORKED_KEYS]; /* b and 1 - b */
    bool overflows;                               /* some exponential does */
    enum row_state state;
    struct row_measures measures;
};

/* Row `query` of a run that kept scores of at most WORKED_KEYS keys. */
void worked_row_make(const struct result *result, size_t query, struct worked_row *out);

/* Where the weights of a row have no derivative: scores at the threshold of sparsemax, or several
 * largest scores for argmax. */
struct worked_kink {
    size_t count;             /* of those keys; 0: no kink */
    bool keys[WORKED_KEYS];   /* which */
    double without, with_all; /* |J|_F of sparsemax with none and with all of them in the support */
};

struct worked_kink worked_row_kink(const struct result *result, const struct worked_row *row);

/* dw_i/ds_j; NaN where there is none. */
double worked_row_jacobian(const struct worked_row *row, size_t i, size_t j);

/* The tables of a row. */
bool worked_row_append(const struct sections *sections, const struct result *result,
                       const struct worked_row *row, struct error *err) MUST_CHECK;

/* The i-th of words apart by one blank, or its number when there are no words. */
const char *worked_key_name(const char *words, size_t i, struct arena *arena,
                            struct error *err) MUST_CHECK;

#endif
