/* SPDX-License-Identifier: MIT */
/* Results against a baseline: runs are paired by their key, and every measure of a pair has to stay
 * within its tolerance. Pure: no I/O. */
#ifndef SUMMARY_GATE_H
#define SUMMARY_GATE_H

#include "run/results.h"
#include "run/tolerance.h"
#include "summary/pairs.h"

/* Deviations kept of either kind; beyond they are only counted. */
#define GATE_KEPT_LIMIT 100000

enum gate_state {
    GATE_SAME,      /* all measures within their tolerance */
    GATE_IMPROVED,  /* some beyond it on the better side, none on the worse */
    GATE_REGRESSED, /* some beyond it that are not better */
    GATE_NEW,       /* the baseline has no such run */
    GATE_MISSING,   /* the baseline alone has it */
    GATE_UNMEASURED /* failed in both */
};
enum { GATE_STATE_COUNT = GATE_UNMEASURED + 1 };

/* "same", "improved", "regressed", "new", "missing", "unmeasured". */
extern const char *const gate_state_names[GATE_STATE_COUNT];

#define GATE_NO_ROW PAIR_NO_ROW

struct gate_run {
    uint32_t now, baseline; /* rows; one of them GATE_NO_ROW for a new or missing run */
    enum gate_state state;
};

/* `measure` of a run that failed in one of the two; its numbers are 0 for ok and 1 for failed. */
enum { GATE_STATUS = MEASUREMENT_FIELD_COUNT };

struct gate_deviation {
    size_t run;            /* in gate.runs */
    int measure;           /* enum measurement_field or GATE_STATUS */
    double baseline, now;  /* may be NaN or infinite */
    double delta, allowed; /* now - baseline, and how large that may be; NaN where not a number */
};

/* By run, then by measure. */
struct gate_list {
    const struct gate_deviation *items;
    size_t stored;
    uint64_t count; /* stored or not */
};

/* A fact about how the results came to be that differs; "unknown" where one of them is silent. */
struct gate_fact {
    const char *name; /* as in the provenance */
    const char *baseline, *now;
    bool of_host; /* processor, BLAS, compiler, C library, arithmetic; else the version */
};

struct gate_options {
    struct tolerance_set tolerances;
    uint64_t min_compared; /* fewer pairs give no verdict */
    bool strict_host, strict_baseline, fail_on_improvement;
};

enum gate_verdict { GATE_PASS, GATE_FAIL, GATE_NOTHING_COMPARED };

/* Why the verdict is not a pass, bits of gate.reasons. */
enum {
    GATE_FOR_REGRESSION = 1,
    GATE_FOR_IMPROVEMENT = 2, /* with fail_on_improvement */
    GATE_FOR_BASELINE = 4,    /* new or missing runs, with strict_baseline */
    GATE_FOR_HOST = 8,        /* with strict_host */
    GATE_FOR_TOO_FEW = 16     /* no pair, or fewer than min_compared */
};

struct gate {
    const struct result_set *now, *baseline; /* what was compared */
    const struct gate_run *runs; /* those of now by their place in the plan, then the missing */
    size_t run_count;
    uint64_t states[GATE_STATE_COUNT]; /* runs in each */
    struct gate_list regressions, improvements;
    uint64_t runs_compared, measures_compared; /* pairs, and values within them */
    uint64_t lacking; /* bit m: one of the two does not know measure m: not compared */
    const struct gate_fact *facts;
    size_t fact_count;
    uint64_t varying; /* bit f: run field f differs among the runs, and so tells them apart */
    unsigned reasons;
    enum gate_verdict verdict;
};

/* Both sets must outlive the comparison. Runs that a plan no longer holds are left out on both
 * sides. ERROR_INPUT when one of the two has no planned run at all. Equal numbers, equal infinities
 * and two NaN are the same; a NaN or an infinity on one side only deviates whatever the tolerance.
 * A deviation is an improvement when the measure has a better side and the number went there; NaN
 * is no side. A run that fails is a regression, one that no longer fails an improvement. A verdict
 * of GATE_FAIL comes before that of too few pairs, but not before that of none. */
bool gate_compare(const struct result_set *now, const struct result_set *baseline,
                  const struct gate_options *options, struct arena *arena, struct gate *out,
                  struct error *err) MUST_CHECK;

/* Whether a value stays within the tolerance of its baseline, as above. */
bool gate_is_within(struct tolerance tolerance, double baseline, double now);

/* The result behind a run: that of now, or the baseline's where it is missing. It may lie in
 * `space`. */
const struct result *gate_result(const struct gate *gate, const struct gate_run *run,
                                 struct result *space);

/* Why a run failed, now or, where it did not, in the baseline; NULL where it failed in neither. */
const char *gate_failure(const struct gate *gate, const struct gate_run *run);

/* "corpus=demo guards=init+scale seed=3": the fields of `fields` (bits) that have a meaning for the
 * run. */
void gate_append_where(struct text *text, uint64_t fields, const struct run *run);

/* "row_max_mean", or "status". */
const char *gate_measure_name(int measure);

#endif
