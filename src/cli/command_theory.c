/* SPDX-License-Identifier: MIT */
/* rowmax theory: what a row of independent normal scores must show, without a run. */
#include "attention/theory.h"
#include "base/text.h"
#include "cli/cli_internal.h"

#include <math.h>
#include <stdio.h>

static void print_text(const char *const *names, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[TEXT_REAL_SIZE];
        printf("%-15s %s\n", names[i], text_from_real(values[i], text));
    }
}

static void print_json(const char *const *names, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[TEXT_REAL_SIZE];
        /* JSON has no word for what is undefined but this. */
        printf("%s\"%s\": %s", i == 0 ? "{" : ", ", names[i],
               isnan(values[i]) ? "null" : text_from_real(values[i], text));
    }
    printf("}\n");
}

bool command_theory(const struct options *options, struct arena *arena, struct error *err)
{
    static const char *const names[] = {
        "tokens",       "spread",  "row_max", "sum_of_squares", "jacobian_trace",
        "jacobian_rms", "entropy", "onset",   "saturated",      "collapsed"};
    (void)arena;
    bool tokens_given = options->tokens != 0;
    if (!tokens_given || isnan(options->spread)) {
        return error_set(err, ERROR_USAGE,
                         "%s is missing; usage: rowmax theory --tokens N --spread S",
                         tokens_given ? "--spread" : "--tokens");
    }
    struct theory theory;
    theory_iid((size_t)options->tokens, options->spread, &theory);
    struct theory_thresholds thresholds;
    theory_thresholds((size_t)options->tokens, &thresholds);
    const double values[] = {(double)options->tokens, options->spread,       theory.row_max,
                             theory.sum_of_squares,   theory.jacobian_trace, theory.jacobian_rms,
                             theory.entropy,          thresholds.onset,      thresholds.saturated,
                             thresholds.collapsed};
    size_t count = sizeof values / sizeof values[0];
    if (options->layout == LAYOUT_JSON) {
        print_json(names, values, count);
    } else {
        print_text(names, values, count);
    }
    return true;
}
