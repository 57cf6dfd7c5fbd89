/* SPDX-License-Identifier: MIT */
/* Measured settings beside the theory of independent scores: which settings, which curves, and
 * where the theory sees saturation begin. Chosen by rule; declared here, drawn by comparison_make.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "attention/theory.h"
#include "report/canvas.h"
#include "report/scales.h"
#include "report/view.h"

enum {
    COMPARISON_SIZES = 4,  /* numbers of tokens that have a curve */
    COMPARISON_NODES = 57, /* of a curve, at most */
    COMPARISON_TICKS = 3,  /* on a curve: onset, saturated, collapsed */
    COMPARISON_KINDS = 8,  /* of marks */
    COMPARISON_SHAPES = 6  /* of marks, at most: as many as can be told apart */
};

/* A setting; its spread is score_row_std, all that softmax can see. */
struct comparison_point {
    const struct summary_group *group;
    size_t kind;  /* of its mark, below COMPARISON_KINDS */
    size_t shape; /* place of its corpus; 0 where shapes do not tell corpora apart */
};

struct comparison_node {
    double spread, row_max, gradient_left;
};

struct comparison {
    const struct view *view;
    const struct summary_axis *shapes; /* corpora that shapes tell apart, or NULL */
    size_t point_count;                /* 0: nothing to compare */
    const struct comparison_point *points;
    size_t size_count;
    size_t sizes[COMPARISON_SIZES]; /* numbers of tokens, rising */
    size_t sizes_left_out;          /* further ones, without a curve and without marks */
    size_t settings_left_out;       /* with given scores, a mask, or other weights than softmax */
    size_t tokens; /* the number with a curve that is nearest to the median; 0: none */
    struct theory_thresholds thresholds; /* of that many tokens */
    struct scale x;                      /* holds all points and thresholds */
    /* each curve at its own onset, saturated and collapsed spread */
    struct comparison_node ticks[COMPARISON_SIZES][COMPARISON_TICKS];
    size_t node_count;
    struct comparison_node curves[COMPARISON_SIZES][COMPARISON_NODES]; /* spread rising */
};

/* Settings whose weights are the softmax of a head's unmasked scores, with 2 tokens or more and
 * finite measures. There is nothing to compare when their spreads differ by less than a factor
 * of 1.5. With more than four numbers of tokens the least, the most and two evenly between them are
 * taken.
 */
bool comparison_choose(const struct view *view, struct arena *arena, struct comparison *out,
                       struct error *err) MUST_CHECK;

/* The median number of tokens of settings that the theory can speak of; 0 when there is none, and
 * *several tells whether there are others. */
size_t comparison_tokens(const struct summary *summary, bool *several, struct arena *arena,
                         struct error *err);

/* Whether the theory of independent scores speaks of a setting at all: softmax, no mask, and scores
 * that a head made, not given ones. */
bool comparison_applies(const struct summary_group *group);

/* The tokens of a setting; 0 when its runs differ or have none. */
size_t comparison_group_tokens(const struct summary_group *group);

/* Whether marks differ by number of tokens; otherwise by guards or by what the lines are elsewhere.
 */
bool comparison_by_size(const struct comparison *comparison);

/* Style and name of a kind of mark. */
size_t comparison_style(const struct comparison *comparison, size_t kind);
const char *comparison_name(const struct comparison *comparison, size_t kind, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* The mark of a shape: a type of point of gnuplot, and its size. */
const struct canvas_style *comparison_shape(size_t shape);

/* Whether a point has that kind and that shape. */
bool comparison_has_mark(const struct comparison *comparison, size_t kind, size_t shape);

/* Whether a point has that kind. */
bool comparison_has_kind(const struct comparison *comparison, size_t kind);

/* What is under the figure, Markdown, and its data, tab-separated. */
const char *comparison_caption(const struct comparison *comparison, struct arena *arena,
                               struct error *err) MUST_CHECK;
const char *comparison_data(const struct comparison *comparison, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* "With 12 tokens the theory of independent scores puts the onset ...", for the reader's guide;
 * "" when it says nothing of this sweep. NULL with `err` set when memory ran short. */
const char *comparison_sentence(const struct summary *summary, struct arena *arena,
                                struct error *err) MUST_CHECK;

#endif
