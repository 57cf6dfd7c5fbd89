/* SPDX-License-Identifier: MIT */
/* What the runs of a summary have in common, as far as the words of a report depend on it. */
#ifndef REPORT_SCOPE_H
#define REPORT_SCOPE_H

#include "summary/summary.h"

struct scope {
    unsigned sources; /* 1 << enum run_source, of all runs */
    unsigned weights; /* 1 << enum run_weights */
    unsigned scales;  /* 1 << enum run_score_scale, of runs with the scale guard on */
    bool inputs;      /* some run reads an input X */
    bool products;    /* some run has queries and keys */
    bool drawn;       /* something is drawn by seed */
    bool qk_norm, rope, factor, cap, mask, rounded, plain_exp; /* some run has that option on */
};

struct scope scope_of(const struct summary *summary);

/* Whether all weights are softmax's. */
bool scope_softmax_only(const struct scope *scope);

/* Whether a row of some of the weights need not sum to 1. */
bool scope_sum_is_free(const struct scope *scope);

/* Whether a report tells the lengths of queries and keys, entropies and sinks: per head, and where
 * norms, caps or other weights are at work. */
bool scope_looks_inside(const struct scope *scope);

/* Runs that have rows without weights. */
size_t scope_undefined_runs(const struct summary *summary);

/* Whether the results hold the measure, with a value or without. */
bool scope_holds(const struct summary *summary, enum measurement_field measure);

/* Whether some group has a value of the measure: an input spread needs an input. */
bool scope_measured(const struct summary *summary, enum measurement_field measure);

/* What the scale guard does to scores: "divided by √d_k", "divided by d_k", ... */
const char *scope_scale_words(const struct scope *scope);

#endif
