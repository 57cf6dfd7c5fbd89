/* SPDX-License-Identifier: MIT */
/* One row of attention taken piece by piece, for rows longer than a cache: each piece is scaled,
 * measured and exponentiated while it is at hand. The same measures as those of softmax.h and of
 * statistics.h, by sums that are merged piece after piece. */
#ifndef ATTENTION_SOFTMAX_STREAM_H
#define ATTENTION_SOFTMAX_STREAM_H

#include "attention/softmax.h"
#include "numeric/statistics.h"

#include <stdbool.h>

/* Scores of a piece; the last one of a row may be shorter. */
#define STREAM_PIECE ((size_t)1024)

/* What is known of the pieces so far. */
struct softmax_stream {
    struct moments scores;
    double least, largest, second; /* second: -infinity as long as there is one score only */
    size_t arg_max;
    /* Over all but arg_max, f_j = exp(s_j - second): sums of f_j, f_j (second - s_j), f_j^2, f_j^3.
     */
    double exponentials, gaps, squares, cubes;
};

/* What a piece was when its exponentials were taken. */
struct softmax_mark {
    double second;
    double place; /* of arg_max within the piece, where its score stays; -1 elsewhere */
};

/* A row of which nothing is known yet. */
struct softmax_stream softmax_stream_start(void);

/* Takes the next `count` > 0 products, of which all pieces before had STREAM_PIECE. They become
 * scores, times `factor`, in place, and f_j in `out`, which may be the same. False where not all
 * scores, or the sum of their squares, are finite: the row is not one to be taken this way. */
bool softmax_stream_add(struct softmax_stream *row, size_t count, double factor, double *scores,
                        double *out, struct softmax_mark *mark);

/* The measures of the whole row, once all its pieces are known. */
struct row_measures softmax_stream_measures(const struct softmax_stream *row);

/* Turns the f_j of all n keys into weights, by the marks of their pieces. */
void softmax_stream_weights(const struct softmax_stream *row, size_t n,
                            const struct softmax_mark *marks, double *weights);

#endif
