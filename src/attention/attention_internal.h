/* SPDX-License-Identifier: MIT */
/* What the files of the head share: its buffers, and what it remembers of its last runs. */
#ifndef ATTENTION_INTERNAL_H
#define ATTENTION_INTERNAL_H

#include "attention/head.h"
#include "numeric/statistics.h"

/* Rows of scores made by one product. Part of the results: rounding may depend on it. */
#define ROW_BLOCK 64

/* A block of numbers that only grows. */
struct buffer {
    double *data;
    size_t capacity;
};

/* What X after its guard is made from. */
struct guarded_key {
    uint64_t input_id; /* 0: nothing remembered */
    size_t tokens, d_model;
    bool guard_norm;
    int norm;
    double norm_epsilon;
};

/* X after its guard, and what is known of it. One is kept with the guard off and one with it on. */
struct guarded {
    struct guarded_key key;
    const double *x; /* (n, d): the caller's, or normalised below */
    struct buffer normalised;
    struct buffer row_norms; /* |x_i| */
    double std, rms;
    double norm;    /* |X|_F */
    double uniform; /* |J X|_F of a row of uniform weights */
};

/* The unit draws Z_Q and Z_K. */
struct draws_key {
    bool drawn; /* false: nothing remembered */
    int64_t seed;
    size_t d_model, d_k;
};

struct draws {
    struct draws_key key;
    struct buffer z_q, z_k; /* (d, d_k) */
};

/* Q0 = X Z_Q and K0 = X Z_K. */
struct projections_key {
    struct guarded_key input;
    struct draws_key draws;
};

struct projections {
    struct projections_key key;
    struct buffer q, k;      /* (n, d_k) */
    struct buffer row_norms; /* |q_i| */
    double norm;             /* |Q0|_F */
    double uniform;          /* |J K0|_F of a row of uniform weights */
};

/* One number per row of the scores. */
enum row_array {
    ROW_STD,
    ROW_MAX,
    ROW_LOG_ONE_MINUS_MAX,
    ROW_ENTROPY,
    ROW_EFFECTIVE_KEYS,
    ROW_JACOBIAN_NORM,
    ROW_JACOBIAN_TRACE,
    ROW_GRADIENT_WQ, /* |x_i| |J_i K0|_F */
    ROW_GRADIENT_WK, /* |q0_i| |J_i X|_F */
    ROW_ARRAY_COUNT
};

struct head {
    struct arena *arena;
    struct guarded inputs[2]; /* by guard_norm */
    struct draws draws;
    struct projections projections;
    struct buffer block;                 /* (ROW_BLOCK, n) scores, then weights in their place */
    struct buffer rows[ROW_ARRAY_COUNT]; /* n each */
    struct buffer scratch;               /* the largest of n, d and d_k */
};

/* X after its guard, or before it where `guard_norm` is off; computed or remembered. */
const struct guarded *head_guard_input(struct head *head, const struct head_input *input,
                                       const struct run *run, bool guard_norm);

/* Q0 and K0 for that X, computed or remembered. */
const struct projections *head_project(struct head *head, const struct head_input *input,
                                       const struct guarded *guarded, const struct run *run);

/* The rows of one run: what they are made from and where their matrices go. */
struct rows_task {
    struct head_shape shape;
    const struct guarded *guarded;
    const struct projections *projections;
    double factor;   /* S = factor Q0 K0ᵀ */
    double *scores;  /* (n, n) or NULL */
    double *weights; /* (n, n) or NULL */
};

/* What is added up over all scores. */
struct rows_totals {
    struct moments scores;
    double abs_max; /* NaN as soon as one score is */
    int64_t nonfinite;
};

/* Scores, weights and measures of every row, left in head->rows. */
struct rows_totals head_measure_rows(struct head *head, const struct rows_task *task);

#endif
