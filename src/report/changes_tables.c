/* SPDX-License-Identifier: MIT */
/* The tables on what moved between two results files; declared in changes.h. */
#include "report/changes_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOVES_A_MEASURE = 5, VERDICTS_LISTED = 20, FAILURES_LISTED = 20, MESSAGE_LIMIT = 300 };

const int changes_measures[CHANGES_LISTED] = {
    MEASURE_ROW_MAX_MEAN,      MEASURE_SCORE_STD,           MEASURE_JACOBIAN_NORM_MEAN,
    MEASURE_INPUT_STD,         MEASURE_JACOBIAN_TRACE_MEAN, MEASURE_ENTROPY_NORMALISED_MEAN,
    MEASURE_GRADIENT_WQ_RATIO, MEASURE_UNDEFINED_ROWS};

/* "| setting | A | B | change | 95 % interval |". */
static bool append_move(const struct sections *sections, const struct changes *changes,
                        size_t group, size_t measure, struct error *err)
{
    struct text *out = sections->out;
    const struct estimate *difference = &changes_of(changes, group, measure)->difference;
    char numbers[2][NUMBER_SIZE];
    char number[NUMBER_SIZE];
    changes_numbers(changes, group, measure, numbers);
    text_append(out, "| ");
    if (!sections_append_setting(sections, &sections->view->summary->groups[group], err)) {
        return false;
    }
    text_append_format(out, " | %s | %s | %s | %s | ", measurement_fields[measure].label,
                       numbers[0], numbers[1], changes_signed(difference->mean, number));
    changes_append_interval(out, difference);
    text_append(out, " |\n");
    return true;
}

/* The groups in which the measure moved most, the largest move first; returns how many. */
static size_t find_moves(const struct changes *changes, size_t measure,
                         size_t moves[MOVES_A_MEASURE])
{
    size_t count = 0;
    for (size_t g = 0; g < changes->summaries[1].group_count; g++) {
        if (changes_of(changes, g, measure)->kind != CHANGE_MOVED) {
            continue;
        }
        double size = changes_size(changes, g, measure);
        size_t at = count;
        while (at > 0 && size > changes_size(changes, moves[at - 1], measure)) {
            at--;
        }
        count += count < MOVES_A_MEASURE;
        for (size_t i = count - 1; i > at; i--) {
            moves[i] = moves[i - 1];
        }
        if (at < count) {
            moves[at] = g;
        }
    }
    return count;
}

static bool append_moves(const struct sections *sections, const struct changes *changes,
                         struct error *err)
{
    static const char *const heads[] = {"setting", "mean of", "A", "B", "change", "95 % interval"};
    size_t listed = 0;
    for (size_t i = 0; i < CHANGES_LISTED; i++) {
        size_t moves[MOVES_A_MEASURE];
        size_t measure = (size_t)changes_measures[i];
        size_t count = changes_knows(changes, measure) ? find_moves(changes, measure, moves) : 0;
        if (count > 0 && listed == 0) {
            text_append(sections->out, "## The largest moves\n\n");
            markdown_table(sections->out, heads, 6, 2);
        }
        for (size_t m = 0; m < count; m++) {
            if (!append_move(sections, changes, moves[m], measure, err)) {
                return false;
            }
        }
        listed += count;
    }
    if (listed > 0) {
        text_append_format(sections->out,
                           "\nAt most %d settings a measure, the largest change first: that of a "
                           "share as it is, of other measures relative to the larger mean. Both "
                           "means are over the runs that succeeded in both files, and the interval "
                           "is of the mean of their differences, run by run.\n\n",
                           MOVES_A_MEASURE);
    }
    return true;
}

static bool append_turned(const struct sections *sections, const struct changes *changes,
                          struct error *err)
{
    static const char *const heads[] = {"setting", "verdict in A", "in B", "row-max in A", "in B"};
    struct text *out = sections->out;
    size_t listed = 0;
    if (changes->turned == 0) {
        return true;
    }
    text_append(out, "## Other verdicts\n\n");
    markdown_table(out, heads, 5, 3);
    for (size_t g = 0; g < changes->summaries[1].group_count && listed < VERDICTS_LISTED; g++) {
        enum saturation before = saturation_of(&changes->summaries[0].groups[g]);
        enum saturation now = saturation_of(&changes->summaries[1].groups[g]);
        char numbers[2][NUMBER_SIZE];
        if (before == now) {
            continue;
        }
        listed++;
        text_append(out, "| ");
        if (!sections_append_setting(sections, &sections->view->summary->groups[g], err)) {
            return false;
        }
        const struct summary_group *groups[] = {&changes->summaries[0].groups[g],
                                                &changes->summaries[1].groups[g]};
        text_append_format(out, " | %s | %s | %s | ", changes_verdicts[before],
                           changes_verdicts[now],
                           number_measure(groups[0], MEASURE_ROW_MAX_MEAN, numbers[0]));
        text_append_format(out, "%s |\n",
                           number_measure(groups[1], MEASURE_ROW_MAX_MEAN, numbers[1]));
    }
    text_append(out, "\nA setting is saturated when its mean row-max reaches the threshold, and "
                     "undecided when the 95 % interval of that mean contains it.");
    if (changes->turned > VERDICTS_LISTED) {
        text_append_format(out, " %zu more have another verdict, too.",
                           changes->turned - VERDICTS_LISTED);
    }
    text_append(out, "\n\n");
    return true;
}

static bool append_measure(const struct sections *sections, const struct changes *changes,
                           size_t measure, struct error *err)
{
    struct text *out = sections->out;
    size_t moved = changes_count(changes, measure, CHANGE_MOVED, 0);
    size_t up = changes_count(changes, measure, CHANGE_MOVED, 1);
    size_t down = changes_count(changes, measure, CHANGE_MOVED, -1);
    text_append_format(out, "| `%s` | %zu | %zu | %zu | %zu | %zu | %zu | ",
                       measurement_fields[measure].name, up, down, moved - up - down,
                       changes_count(changes, measure, CHANGE_SCATTERED, 0),
                       changes_count(changes, measure, CHANGE_WITHIN, 0),
                       changes_count(changes, measure, CHANGE_NONE, 0));
    size_t group = changes_largest(changes, measure);
    if (group == changes->summaries[1].group_count) {
        text_append(out, "none |\n");
        return true;
    }
    char numbers[2][NUMBER_SIZE];
    changes_numbers(changes, group, measure, numbers);
    if (!sections_append_setting(sections, &sections->view->summary->groups[group], err)) {
        return false;
    }
    text_append_format(out, ": %s → %s |\n", numbers[0], numbers[1]);
    return true;
}

static bool append_measures(const struct sections *sections, const struct changes *changes,
                            struct error *err)
{
    static const char *const heads[] = {"measure",   "up",     "down",  "to or from undefined",
                                        "scattered", "within", "equal", "largest move"};
    const size_t settings = changes->summaries[1].group_count;
    size_t equal = 0;
    size_t known = 0;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        if (!changes_knows(changes, m)) {
            continue;
        }
        known++;
        if (changes_count(changes, m, CHANGE_NONE, 0) == settings) {
            equal++;
            continue;
        }
        if (known - equal == 1) {
            text_append(sections->out, "## Settings by measure\n\n");
            markdown_table(sections->out, heads, 8, 1);
        }
        if (!append_measure(sections, changes, m, err)) {
            return false;
        }
    }
    if (equal < known) {
        text_append_format(
            sections->out,
            "\nOf %zu settings. Up and down: moved beyond the tolerance, and the 95 %% interval "
            "of the mean difference leaves out 0. Scattered: some runs left the tolerance, but the "
            "interval holds 0. Of 20 that only scatter about 0, one is expected to be called "
            "moved. "
            "%zu of %zu measures are equal in every run and not listed.\n\n",
            settings, equal, known);
    }
    return true;
}

/* What the run reads: its message where it failed. */
static void append_outcome(struct text *out, const struct result_set *set, uint32_t row)
{
    text_append(out, " | ");
    if (result_status(set, row) == RESULT_OK) {
        text_append(out, "ok");
    } else {
        markdown_text_cut(out, result_message(set, row), MESSAGE_LIMIT);
    }
}

static void append_failures(const struct sections *sections, const struct changes *changes)
{
    static const char *const heads[] = {"run of B", "seed", "in A", "in B"};
    struct text *out = sections->out;
    const struct result_set *now = changes->pairs.now;
    const struct result_set *before = changes->pairs.before;
    size_t failed = changes->failed_in[0] + changes->failed_in[1];
    size_t listed = 0;
    if (failed == 0) {
        return;
    }
    text_append(out, "## Runs that failed in one file\n\n");
    markdown_table(out, heads, 4, 2);
    for (size_t i = 0; i < changes->pairs.count && listed < FAILURES_LISTED; i++) {
        const struct pair *pair = &changes->pairs.items[i];
        if (!pair_is_whole(pair) || (result_status(now, pair->now) == RESULT_OK) ==
                                        (result_status(before, pair->before) == RESULT_OK)) {
            continue;
        }
        const int64_t *seed = result_run_member(now, pair->now, RUN_SEED);
        listed++;
        text_append_format(out, "| %" PRId64 " | %" PRId64, result_index(now, pair->now), *seed);
        append_outcome(out, before, pair->before);
        append_outcome(out, now, pair->now);
        text_append(out, " |\n");
    }
    if (failed > listed) {
        text_append_format(out, "\n%zu more failed in one file.\n", failed - listed);
    }
    text_append(out, "\n");
}

bool changes_append_tables(const struct sections *sections, const struct changes *changes,
                           struct error *err)
{
    if (!append_turned(sections, changes, err) || !append_moves(sections, changes, err) ||
        !append_measures(sections, changes, err)) {
        return false;
    }
    append_failures(sections, changes);
    return true;
}
