/* SPDX-License-Identifier: MIT */
/* What the files of the head share: its buffers, and what it remembers of its last runs. */
#ifndef ATTENTION_INTERNAL_H
#define ATTENTION_INTERNAL_H

#include "attention/gradient_block.h"
#include "attention/gradient_outer.h"
#include "attention/head.h"
#include "attention/query_key.h"
#include "attention/score_row.h"
#include "attention/softmax_stream.h"
#include "attention/upstream.h"
#include "attention/weigh_row.h"
#include "numeric/lapack.h"
#include "numeric/statistics.h"

/* Rows of scores made by one product. No result depends on it. */
#define ROW_BLOCK GRADIENT_BLOCK
/* From row to row of a piece of scores: no power of two. */
#define PIECE_STRIDE (STREAM_PIECE + 8)
/* Parts that wait for each other: more of them, less waiting. */
#define PARTS_A_WORKER ((size_t)4)

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* A block of numbers that only grows. */
struct buffer {
    double *data;
    size_t capacity;
};

/* Vectors over which rows are weighed, X or K0, and what their gradients share; known from the
 * first run on that asks for it. */
struct weighed_vectors {
    bool prepared, uniform_known;
    bool collapsed; /* for a collapsed draw, where L stands for X */
    struct gradient_vectors vectors;
    struct buffer origin, squares, distances;
    struct buffer uniform; /* n: gradients of uniform weights over the first vectors */
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
    double std;
    bool measured;           /* what follows is known: only a head's own input needs it */
    struct buffer row_norms; /* |x_i| */
    bool repeats;            /* some token equals an earlier one */
    struct buffer twins;     /* n: the place of the first token equal to this one */
    double rms;
    double norm;    /* |X|_F */
    double uniform; /* |J X|_F of a row of uniform weights */
    struct weighed_vectors weighed;
    bool grams_known;
    struct buffer grams; /* X Xᵀ, and that of X less its first row; head_upstream_grams.c */
    bool gram_known;
    struct buffer gram; /* X Xᵀ, for gradients through a query/key guard */
};

/* The unit draws Z_Q and Z_K. */
struct draws_key {
    bool drawn; /* false: nothing remembered */
    int draw;   /* enum run_draw */
    int64_t seed;
    size_t d_model, d_k;
};

struct draws {
    struct draws_key key;
    struct buffer z_q, z_k; /* (d, d_k) */
};

/* Q0 = X Z_Q and K0 = X Z_K, or what stands for them where the draw is collapsed. */
struct projections_key {
    struct guarded_key input;
    struct draws_key draws;
};

struct projections {
    struct projections_key key;
    struct buffer q, k;             /* (n, d_k) */
    struct buffer q_norms, k_norms; /* |q_i|, |k_j| */
    double norm;                    /* |Q0|_F */
    bool uniform_known;
    double uniform;         /* |J K0|_F of a row of uniform weights */
    bool in_strips;         /* the head's k_strips is that of k */
    struct buffer products; /* Q0 K0ᵀ of few tokens, for runs that follow */
    size_t products_known;  /* its rows that are there */
    bool grams_known;
    struct buffer grams; /* Q0 Q0ᵀ, K0 K0ᵀ, and that of K0 less its first row */
    struct weighed_vectors weighed;
};

/* Queries and keys after the query/key guard and rotation, where a run has these. */
struct adjusted {
    struct buffer q, k;                   /* (n, d_k) */
    struct buffer q_divisors, k_divisors; /* n each */
    struct buffer turns;                  /* (n, d_k) */
    size_t places, width;                 /* that they are for, 0 before any are */
    double base;
};

/* What collapsed draws have of their own; collapsed.c. */
struct collapsed {
    struct head_shape reserved; /* that there was room for last */
    struct lapack lapack;       /* once a factor is needed */
    struct guarded inputs[2];   /* L in the place of X: (n, m) with L Lᵀ = X Xᵀ */
    struct buffer factors[2];   /* L where it is not X itself */
    struct buffer workspace;    /* to find it */
    struct buffer normals;      /* (m, m) */
    struct buffer chis;         /* m */
    struct buffer draw;         /* (m, m) */
    struct buffer rest;         /* (n, m): queries beside the span of the keys */
};

/* What one drawn upstream gradient comes to, by the run's weights or by uniform ones. */
struct upstream_flow {
    struct buffer at_scores; /* (ROW_BLOCK, apart) for each part in hand */
    struct buffer at_q;      /* (n, d_k): at the queries of the products */
    struct buffer at_k;      /* (d_k, apart): at their keys, transposed */
    int exponent;            /* by so many powers of two at_scores was made larger */
    double at_w_q, at_w_k;   /* lengths at Z_Q and Z_K */
};

/* One number at the scores of a row of the block in hand. */
struct upstream_entry {
    uint32_t slot, key;
    double value;
};

/* A drawn upstream gradient on its way from the weights to W_Q and W_K; head_upstream.c. */
struct upstream {
    struct upstream_flow flows[2]; /* the run's own, and that of uniform weights */
    size_t flow_count;             /* 1 where nothing asks for the second */
    size_t apart;                  /* from row to row over keys: no power of two where it is long */
    bool balanced;                 /* what reaches the scores of a row sums to 0 */
    double longest_key;            /* the largest |k0_j| */
    double longest_input;          /* the largest |x_j| */
    struct buffer keys;            /* those of the products, as these take them */
    struct buffer queries;         /* (d_k, rows in hand) */
    struct buffer turned;          /* (d_k, n) */
    struct buffer lengths;         /* of d / 128 */
    struct buffer entries;         /* ROW_BLOCK * UPSTREAM_FEW for each part in hand */
    bool by_grams;                 /* nothing but at_scores is made above */
    struct buffer moved, strips, terms;
};

/* One number per measured row of the scores. */
enum row_array {
    ROW_STD,
    ROW_MAX,
    ROW_LOG_ONE_MINUS_MAX,
    ROW_ENTROPY,
    ROW_ENTROPY_NORMALISED,
    ROW_EFFECTIVE_KEYS,
    ROW_WEIGHT_SUM,
    ROW_JACOBIAN_NORM,
    ROW_JACOBIAN_TRACE,
    ROW_GRADIENT_WQ,  /* |x_i| |J_i K0|_F, or what stands for it under a query/key guard */
    ROW_GRADIENT_WK,  /* |q0_i| |J_i X|_F */
    ROW_REFERENCE_WQ, /* the same for uniform weights of softmax */
    ROW_REFERENCE_WK,
    ROW_ARRAY_COUNT
};

/* Rows whose gradients are still to come. */
struct waiting_rows {
    struct gradient_block block;
    size_t row[GRADIENT_BLOCK], at[GRADIENT_BLOCK]; /* queries, and places in the row arrays */
};

/* What one worker of a crew has of its own. */
struct head_space {
    struct buffer block; /* (ROW_BLOCK, n) scores, then weights in their place */
    struct buffer cap_slopes, slope, share, unshared, remainder, copy, even; /* n each */
    struct buffer scratch; /* the largest of n, queries, d and d_k */
    struct buffer gradients, shares;
    struct buffer pieces;     /* (ROW_BLOCK, PIECE_STRIDE) scores of a streamed block */
    struct buffer marks;      /* their struct softmax_mark, row by row */
    struct buffer pulled;     /* (n, d_k): keys or queries at the projections */
    struct buffer outer;      /* (d, d_k) */
    struct buffer outer_rows; /* scratch of gradient_outer */
    struct buffer strips;     /* some rows and columns, as a product takes them */
    struct buffer sums;       /* d_k by some columns */
    struct waiting_rows waiting;
};

/* What is added up over all scores and rows. */
struct rows_totals {
    struct moments scores;
    double abs_max; /* NaN as soon as one score is */
    double maximum; /* the same, signed; -infinity without a score */
    int64_t nonfinite;
    int64_t undefined;         /* rows without weights */
    size_t measured;           /* rows in the row arrays */
    double alone_wq, alone_wk; /* gradients of rows of one key, which are not */
};

/* Rows that are measured together by one worker. */
struct rows_part {
    struct head *head;
    const struct rows_task *task;
    struct head_space *space;
    size_t first, count;
    double *columns;       /* n: sums of weights */
    double keys, log_keys; /* of the last row, and their logarithm */
    bool taken[ROW_BLOCK]; /* rows of the block in hand whose upstream counts */
    bool few[ROW_BLOCK];   /* those of them that are known by few entries */
    size_t taken_count, few_count;
    size_t entries;
    struct rows_totals totals; /* their rows are in the row arrays from `first` on */
    bool expired;
};

struct head {
    struct arena *arena;
    struct guarded inputs[2]; /* by guard_norm */
    struct draws draws;
    struct projections projections;
    struct collapsed collapsed;
    struct adjusted adjusted;
    struct upstream upstream;
    struct buffer k_strips;              /* the keys as the products take them */
    struct buffer x_strips;              /* X likewise, while its gram is made */
    struct buffer rows[ROW_ARRAY_COUNT]; /* queries each */
    struct buffer columns;               /* n: sums of weights over rows */
    struct buffer scratch;               /* the largest of n, queries, d and d_k */
    struct crew *crew;                   /* of the run in hand, or NULL */
    size_t worker_count;
    struct head_space *spaces;  /* one a worker */
    struct rows_part *parts;    /* PARTS_A_WORKER a worker: what is done at once */
    struct buffer part_columns; /* n for each of these */
};

/* The scalars that the guards put on Q0 K0ᵀ. */
struct head_factors {
    double weight; /* W = weight Z, for both projections */
    double score;  /* S = score Q Kᵀ, but for the logarithm of log_n */
    double both;   /* S = both Q0 K0ᵀ */
};

/* X after its guard, or before it where `guard_norm` is off; computed or remembered. */
const struct guarded *head_guard_input(struct head *head, const struct head_input *input,
                                       const struct run *run, bool guard_norm);

/* head_by_rows.c: X after its guard into `out`, which may be X; lengths of rows; the standard
 * deviation of all entries; a b; and for each token the first equal to it. */
void head_normalise(const struct head *head, const struct guarded_key *key, const double *x,
                    double *out);
void head_measure_norms(const struct head *head, size_t n, size_t d, const double *x,
                        double *norms);
double head_spread(const struct head *head, size_t n, size_t d, const double *x);
void head_multiply(const struct head *head, size_t n, size_t m, size_t k, const double *a,
                   const double *b, double *c);
void head_find_twins(struct head *head, struct guarded *guarded);

/* Q0 and K0 for that X, computed or remembered. */
const struct projections *head_project(struct head *head, const struct head_input *input,
                                       const struct guarded *guarded, const struct run *run);

/* Room in every space, for the buffer at that place of it. */
bool head_grow_spaces(struct head *head, size_t offset, size_t count, struct error *err) MUST_CHECK;

/* Room for `count` numbers; the old ones are lost where it has to grow, and all that is remembered.
 */
bool head_grow(struct head *head, struct buffer *buffer, size_t count,
               struct error *err) MUST_CHECK;

bool guarded_key_equal(const struct guarded_key *a, const struct guarded_key *b);
bool draws_key_equal(const struct draws_key *a, const struct draws_key *b);

/* Gives equal tokens equal projections: products round differently from row to row, and what is
 * left between equal tokens would pass for a difference where there is no other. */
void head_equalise(const struct guarded *guarded, size_t d_k, double *rows);

/* |Q0|_F and what else is told by the rows of the projections. */
void head_measure_projections(struct head *head, size_t n, size_t d_k);

/* The smaller head that a collapsed draw of a shape is measured by: d_model and d_k are m and at
 * most m, m the smaller of tokens and d_model. */
struct head_shape collapsed_shape(struct head_shape shape);

/* Its X, with the measures of that of the head itself, and its Q0 and K0; computed or remembered.
 * Lengths of queries are those of the head, longer than the rows of Q0. */
const struct guarded *collapsed_input(struct head *head, const struct guarded *guarded);
const struct projections *collapsed_project(struct head *head, const struct head_input *input,
                                            const struct guarded *factor, const struct run *run);

/* The rows of one run: what they are made from and where their matrices go. */
struct rows_task {
    struct head_shape shape; /* what the arrays below have: of the smaller head if collapsed */
    size_t queries;
    const struct guarded *guarded;                        /* NULL without an input */
    const struct projections *projections;                /* NULL without an input */
    struct weighed_vectors *weighed_input, *weighed_keys; /* X and K0; NULL without an input */
    const double *q, *k;    /* the products' sides; NULL where scores are given */
    const double *k_strips; /* product_make_strips of k */
    const double *given;    /* (queries, n) or NULL */
    const double *twins; /* n: the first key equal to each, by place; NULL where all are their own
                          */
    struct query_key_rule query_key; /* what q and k went through */
    struct score_rule scoring;
    struct weigh_rule weighing;
    struct guarded *input_grams; /* `guarded`, where its grams are kept */
    bool upstream_drawn;         /* gradients are those of one upstream, drawn by the seed */
    uint64_t seed;
    const struct head_input *input;
    double *scores;  /* (queries, n) or NULL */
    double *weights; /* (queries, n) or NULL */
};

/* Scores, weights and measures of every row, left in head->rows and head->columns. */
struct rows_totals head_measure_rows(struct head *head, const struct rows_task *task);

/* Row i of the products becomes weights, in place, and its measures go to head->rows. */
void head_measure_row(struct rows_part *part, size_t i, double *row);

/* What both ways to measure a row share. The moments of its scores and their ends go to the totals;
 * its measures, unless masked keys leave it nothing to choose, to the next place in the row arrays;
 * a row of n to its matrix, NULL for none, `masked` behind its visible keys. */
void head_add_scores(struct rows_part *part, struct moments scores, double least, double largest);
bool head_store_row(struct rows_part *part, struct moments scores, const struct row_measures *m,
                    double keys, size_t *at);
void head_keep_row(size_t n, size_t i, size_t visible, const double *row, double masked,
                   double *matrix);

/* head_stream.c: whether rows are taken piece by piece, and a block of such rows; false where the
 * time is over. */
bool head_streams(const struct rows_task *task);
bool head_stream_block(struct rows_part *part, size_t start, size_t count);
size_t head_marks_size(size_t n);

/* Whether there is time left for another row. */
bool head_is_expired(const struct rows_task *task);

/* What gradients of rows share, so that rows can be measured at the same time. */
void head_prepare_gradients(struct head *head, const struct rows_task *task);

/* The gradients of one row and of uniform weights over its `keys` first keys: elements
 * ROW_GRADIENT_WQ and on of the row arrays at `at`. NaN without an input. Those of a row of softmax
 * may wait for others: its slopes must stay until head_finish_gradients. */
void head_measure_row_gradients(struct rows_part *part, size_t row, size_t keys,
                                const struct row_slopes *slopes, size_t at);

/* The same of a row of one key, which has no other measures: to the totals. */
void head_add_lone_gradients(struct rows_part *part, size_t row, const struct row_slopes *slopes);

/* What a gradient of one row is multiplied by; the factor of all rows is left to the summary, but
 * rows may differ in their keys. */
double head_row_factor(const struct rows_task *task, size_t keys);

/* The gradients of all rows that wait. */
void head_finish_gradients(const struct rows_part *part);

/* head_upstream.c: one drawn upstream. Before the rows of a run; of one row, as above; before and
 * after the rows of a block; after the parts in hand; after all rows. */
void head_prepare_upstream(struct head *head, const struct rows_task *task);
void head_begin_upstream(struct rows_part *part, size_t start, size_t count);
void head_take_upstream(struct rows_part *part, size_t row, size_t keys,
                        const struct row_slopes *slopes);
void head_finish_upstream(struct rows_part *part, size_t start, size_t count);
double *head_upstream_row(const struct rows_part *part, size_t flow, size_t slot);
void head_gather_upstream(struct head *head, const struct rows_task *task, size_t parts);
void head_conclude_upstream(struct head *head, const struct rows_task *task);

/* head_upstream_few.c: rows that are known by few entries. Takes such a row, false where it is
 * none; whether a block is all of such rows; if so, what its queries get, and a range of keys from
 * the rows that begin with q; and else writes them out. */
struct upstream_entry *head_upstream_entries(const struct head *head, size_t part);
bool head_take_few(struct rows_part *part, size_t row, size_t keys,
                   const struct row_slopes *slopes);
bool head_is_few(const struct rows_part *part);
void head_multiply_few(const struct rows_part *part, double *at_q);
void head_gather_few(const struct rows_part *part, const double *q, size_t key, size_t width);
void head_spread_few(struct rows_part *part);

/* head_upstream_grams.c: the same for few tokens, from their products with each other; and both
 * ends of a flow at once, false where this takes the products of head_upstream.c. */
bool head_has_grams(const struct rows_task *task);
bool head_reserve_grams(struct head *head, struct head_shape shape, struct error *err) MUST_CHECK;
void head_prepare_grams(struct head *head, const struct rows_task *task);
bool head_conclude_grams(struct head *head, const struct rows_task *task, size_t flow);

/* head_measures.c: from the rows and sides of a task to the measures. `raw` is the input before its
 * guard, NULL without one; `given` tells that the projections are no draw. */
void head_measure_sides(struct head *head, const struct guarded *raw, const struct rows_task *task,
                        struct head_factors factors, struct measurement *m);
void head_predict_spreads(const struct rows_task *task, const struct run *run, bool given,
                          struct head_factors factors, struct measurement *m);
void head_summarise_rows(struct head *head, const struct rows_task *task,
                         const struct rows_totals *totals, double threshold, struct measurement *m);
void head_summarise_gradients(const struct head *head, const struct rows_task *task,
                              const struct rows_totals *totals, struct head_factors factors,
                              struct measurement *m);

#endif
