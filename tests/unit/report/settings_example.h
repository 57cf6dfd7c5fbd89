/* SPDX-License-Identifier: MIT */
/* A sweep that changes one thing at a time, at three spreads of a drawn input each. */
#ifndef SETTINGS_EXAMPLE_H
#define SETTINGS_EXAMPLE_H

#include "sections_example.h"

enum { ONE_AT_A_TIME = 10, ONE_AT_A_TIME_ROWS = 3 * ONE_AT_A_TIME };

/* The settings in order, and their names: most have init and scale, and nothing else. */
static const char *const one_at_a_time_names[ONE_AT_A_TIME] = {
    "init + scale",
    "without scale",
    "with norm",
    "query/key norm = l2, query/key gain = 9.954, without scale",
    "soft cap = 50",
    "score scale = log_n",
    "score factor = 0.25",
    "mask = causal",
    "query/key norm = l2, query/key gain = 100, without scale",
    "norm = rms, with norm"};

static inline void one_at_a_time_change(struct run *run, size_t setting)
{
    static const unsigned guards[ONE_AT_A_TIME] = {3, 1, 7, 1, 3, 3, 3, 3, 1, 7};
    run->guard_init = true;
    run->guard_scale = (guards[setting] & 2U) != 0;
    run->guard_norm = (guards[setting] & 4U) != 0;
    run->qk_norm = setting == 3 || setting == 8 ? QK_NORM_L2 : QK_NORM_NONE;
    run->qk_gain = setting == 3 ? 9.954 : setting == 8 ? 100 : 1;
    run->softcap = setting == 4 ? 50 : 0;
    run->score_scale = setting == 5 ? SCORE_SCALE_LOG_N : SCORE_SCALE_SQRT;
    run->score_factor = setting == 6 ? 0.25 : 1;
    run->mask = setting == 7 ? MASK_CAUSAL : MASK_NONE;
    run->norm = setting == 9 ? NORM_RMS : NORM_LAYER;
}

/* The first `settings` of them, at input spreads 1, 2 and 4. */
static inline struct result_set one_at_a_time(struct result rows[ONE_AT_A_TIME_ROWS],
                                              size_t settings)
{
    struct result_set set = sections_example_rows(rows, 3 * settings);
    for (size_t i = 0; i < 3 * settings; i++) {
        double spread = (double)(1 << i % 3);
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.input_spread = spread;
        one_at_a_time_change(&rows[i].run, i / 3);
        rows[i].measurement = example_measure(i / 3 + 1, spread * spread, NULL);
        rows[i].measurement.input_std = spread;
        rows[i].measurement.input_rms = spread;
    }
    set.title = "One thing at a time";
    return set;
}

#endif
