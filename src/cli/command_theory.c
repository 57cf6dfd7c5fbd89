/* SPDX-License-Identifier: MIT */
/* rowmax theory: what a row of independent normal scores must show, without a run. */
#include "attention/theory.h"
#include "base/text.h"
#include "cli/cli_internal.h"

#include <math.h>
#include <stdio.h>

/* The threshold of a saturated row unless a sweep sets another. */
#define SATURATED_ROW_MAX 0.9

struct line {
    const char *name;
    double value;
    const char *words; /* beside the value, for people */
};

#define LINES_MAX 16

struct lines {
    struct line list[LINES_MAX];
    size_t count;
};

static void add(struct lines *lines, const char *name, double value, const char *words)
{
    lines->list[lines->count++] = (struct line){name, value, words};
}

static void add_means(struct lines *lines, size_t tokens, double spread)
{
    struct theory theory;
    theory_iid(tokens, spread, &theory);
    add(lines, "row_max", theory.row_max, "mean of max p");
    add(lines, "sum_of_squares", theory.sum_of_squares, "mean of sum p^2");
    add(lines, "jacobian_trace", theory.jacobian_trace,
        "mean of 1 - sum p^2; the measure jacobian_trace_mean has it over 1 - 1/n");
    add(lines, "jacobian_rms", theory.jacobian_rms, "root of the mean of |J|^2");
    add(lines, "entropy", theory.entropy, "mean of -sum p ln p, nats");
}

static void add_thresholds(struct lines *lines, size_t tokens)
{
    struct theory_thresholds thresholds;
    bool some = tokens > 1;
    const char *none = "none: a single key has the weight 1 at any spread";
    theory_thresholds(tokens, &thresholds);
    add(lines, "onset", thresholds.onset,
        some ? "spread at which a tenth of the gradient is gone" : none);
    add(lines, "saturated", thresholds.saturated,
        some ? "spread at which half the gradient is gone" : none);
    add(lines, "collapsed", thresholds.collapsed,
        some ? "spread at which nine tenths of the gradient are gone" : none);
    add(lines, "row_max_at_0_9", theory_spread_at_row_max(tokens, SATURATED_ROW_MAX),
        some ? "spread at which the mean row-max is 0.9, where reports say saturated" : none);
}

static void print_text(const struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->list[i];
        char text[TEXT_REAL_SIZE];
        printf("%-15s %-22s %s\n", line->name, text_from_real(line->value, text), line->words);
    }
}

static void print_json(const struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->list[i];
        char text[TEXT_REAL_SIZE];
        /* JSON has no word for what is undefined but this. */
        printf("%s\"%s\": %s", i == 0 ? "{" : ", ", line->name,
               isnan(line->value) ? "null" : text_from_real(line->value, text));
    }
    printf("}\n");
}

bool command_theory(const struct options *options, struct arena *arena, struct error *err)
{
    (void)arena;
    if (options->tokens == 0) {
        return command_refuse("theory", "--tokens", err);
    }
    struct lines lines = {.count = 0};
    size_t tokens = (size_t)options->tokens;
    add(&lines, "tokens", (double)tokens, "keys of a row, n");
    if (!isnan(options->spread)) {
        add(&lines, "spread", options->spread, "standard deviation of the scores");
        add_means(&lines, tokens, options->spread);
    }
    add_thresholds(&lines, tokens);
    if (options->layout == LAYOUT_JSON) {
        print_json(&lines);
    } else {
        print_text(&lines);
    }
    return true;
}
