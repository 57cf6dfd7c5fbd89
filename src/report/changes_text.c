/* SPDX-License-Identifier: MIT */
/* What moved between two results files, in words and counts; declared in changes.h. */
#include "report/changes_internal.h"

#include "report/labels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *const changes_verdicts[CHANGES_STATES] = {"unknown", "not saturated", "undecided",
                                                      "saturated"};

const char *changes_signed(double value, char out[NUMBER_SIZE])
{
    char number[NUMBER_SIZE];
    if (isnan(value) || value == 0) {
        return number_text(value, out);
    }
    snprintf(out, NUMBER_SIZE, "%s%.100s", value > 0 ? "+" : "−", number_text(fabs(value), number));
    return out;
}

void changes_append_interval(struct text *out, const struct estimate *difference)
{
    char low[NUMBER_SIZE];
    char high[NUMBER_SIZE];
    if (!isfinite(difference->mean) || !isfinite(difference->half_width)) {
        text_append(out, "none");
        return;
    }
    changes_signed(difference->mean - difference->half_width, low);
    changes_signed(difference->mean + difference->half_width, high);
    text_append_format(out, "%s to %s", low, high);
}

static const char *count_text(size_t count, char out[TEXT_COUNT_SIZE])
{
    return text_from_count((uint64_t)count, out);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void append_fact(struct text *out, const struct result_set *set, const char *name,
                        const char *before, size_t limit)
{
    const char *value = result_fact(set, name);
    if (value != NULL && *value != '\0') {
        text_append(out, before);
        markdown_text_cut(out, value, limit);
    }
}

/* "A is monday.h5 (rowmax 0.1.0, commit 1234), B is tuesday.h5 (...)." */
static void append_sides(const struct sections *sections, const struct changes *changes)
{
    struct text *out = sections->out;
    for (int side = 0; side < 2; side++) {
        const struct report_side *report = &changes->sides[side];
        text_append(out, side == 0 ? "**A** is " : ", **B** is ");
        markdown_text(out, report->label);
        text_append(out, " (");
        append_fact(out, report->set, "rowmax_version", "rowmax ", 40);
        append_fact(out, report->set, "commit", ", commit ", 24);
        text_append(out,
                    result_fact(report->set, "rowmax_version") == NULL ? "version unknown)" : ")");
    }
    text_append(out, ". A change is B less A.\n\n");
}

/* ": 2 went from not saturated to saturated, 1 from ...". */
static void append_turns(struct text *out, const struct changes *changes)
{
    const char *separator = ": ";
    for (int before = 0; before < CHANGES_STATES; before++) {
        for (int now = 0; now < CHANGES_STATES; now++) {
            size_t count = changes->verdicts[before][now];
            char number[TEXT_COUNT_SIZE];
            if (before != now && count > 0) {
                text_append_format(out, "%s%s from %s to %s", separator, count_text(count, number),
                                   changes_verdicts[before], changes_verdicts[now]);
                separator = ", ";
            }
        }
    }
}

size_t changes_largest(const struct changes *changes, size_t measure)
{
    size_t best = changes->summaries[1].group_count;
    for (size_t g = 0; g < changes->summaries[1].group_count; g++) {
        bool moved = changes_of(changes, g, measure)->kind == CHANGE_MOVED;
        if (moved && (best == changes->summaries[1].group_count ||
                      changes_size(changes, g, measure) > changes_size(changes, best, measure))) {
            best = g;
        }
    }
    return best;
}

void changes_numbers(const struct changes *changes, size_t group, size_t measure,
                     char out[2][NUMBER_SIZE])
{
    double means[2] = {changes_mean(changes, 0, group, measure)->mean,
                       changes_mean(changes, 1, group, measure)->mean};
    bool share = measurement_fields[measure].maximum == 1;
    for (int side = 0; side < 2; side++) {
        const char *text =
            share ? number_share(means[side], out[side]) : number_text(means[side], out[side]);
        if (text != out[side]) { /* words for what is no number */
            snprintf(out[side], NUMBER_SIZE, "%s", text);
        }
    }
    for (int digits = 4; digits <= 17 && means[0] != means[1] && isfinite(means[0]) &&
                         isfinite(means[1]) && strcmp(out[0], out[1]) == 0;
         digits++) {
        snprintf(out[0], NUMBER_SIZE, "%.*g", digits, means[0]);
        snprintf(out[1], NUMBER_SIZE, "%.*g", digits, means[1]);
    }
}

/* The setting whose mean row-max moved most. */
static bool append_largest(const struct sections *sections, const struct changes *changes,
                           struct error *err)
{
    struct text *out = sections->out;
    size_t group = changes_largest(changes, MEASURE_ROW_MAX_MEAN);
    const struct estimate *difference =
        &changes_of(changes, group, MEASURE_ROW_MAX_MEAN)->difference;
    char numbers[2][NUMBER_SIZE];
    char number[NUMBER_SIZE];
    changes_numbers(changes, group, MEASURE_ROW_MAX_MEAN, numbers);
    text_append(out, ", most with ");
    if (!sections_append_setting(sections, &sections->view->summary->groups[group], err)) {
        return false;
    }
    text_append_format(out, ": from %s to %s", numbers[0], numbers[1]);
    if (isfinite(difference->mean)) {
        text_append_format(out, ", a change of %s", changes_signed(difference->mean, number));
    }
    if (isfinite(difference->mean) && isfinite(difference->half_width)) {
        text_append(out, " (95 % interval ");
        changes_append_interval(out, difference);
        text_append(out, ")");
    }
    return true;
}

/* How many of the intervals would leave 0 though nothing moved: one in 20. Settings whose runs are
 * all within the tolerance have none to leave. */
static void append_chance(struct text *out, const struct changes *changes)
{
    size_t intervals = 0;
    char number[TEXT_COUNT_SIZE];
    for (size_t g = 0; g < changes->summaries[1].group_count; g++) {
        const struct change *change = changes_of(changes, g, MEASURE_ROW_MAX_MEAN);
        intervals += change->kind >= CHANGE_SCATTERED && isfinite(change->difference.half_width);
    }
    if (intervals < 2) {
        return;
    }
    text_append(out, "; by chance alone about ");
    if (intervals < 200) {
        text_append_format(out, "%.2g", (double)intervals / 20);
    } else {
        text_append(out, count_text(intervals / 20, number));
    }
    text_append_format(out, " of %s intervals of 95 %% leave 0", count_text(intervals, number));
}

/* Verdicts that differ though no mean does: the intervals are to blame. */
static void append_turned_still(struct text *out, const struct changes *changes, const char *noise)
{
    const size_t settings = changes->summaries[1].group_count;
    char numbers[3][TEXT_COUNT_SIZE];
    text_append_format(out, "**No mean row-max moved%s; with %s seed%s, %s of ", noise,
                       count_text(changes->summaries[1].seeds, numbers[0]),
                       plural(changes->summaries[1].seeds),
                       count_text(changes->turned, numbers[1]));
    text_append_format(out, "%s verdict%s changed**", count_text(settings, numbers[2]),
                       plural(settings));
    append_turns(out, changes);
    text_append(out, ".");
}

static bool append_settings(const struct sections *sections, const struct changes *changes,
                            struct error *err)
{
    struct text *out = sections->out;
    const size_t settings = changes->summaries[1].group_count;
    const char *noise = changes->summaries[1].seeds < 2 ? "" : " beyond noise";
    char numbers[3][TEXT_COUNT_SIZE];
    size_t moved = changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_MOVED, 0);
    size_t up = changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_MOVED, 1);
    size_t down = changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_MOVED, -1);
    if (changes->turned > 0 && moved == 0) {
        append_turned_still(out, changes, noise);
        return true;
    }
    if (changes->turned == 0) {
        text_append_format(out, "**No setting has another verdict**, of %s compared.",
                           count_text(settings, numbers[0]));
    } else {
        text_append_format(out, "**%s of %s setting%s %s another verdict**",
                           count_text(changes->turned, numbers[0]),
                           count_text(settings, numbers[1]), plural(settings),
                           changes->turned == 1 ? "has" : "have");
        append_turns(out, changes);
        text_append(out, ".");
    }
    if (moved == 0) {
        text_append_format(out, " In none did the mean row-max move%s.", noise);
        return true;
    }
    text_append_format(out, " The mean row-max moved%s in %s of %s (%s up, ", noise,
                       count_text(moved, numbers[0]), count_text(settings, numbers[1]),
                       count_text(up, numbers[2]));
    text_append_format(out, "%s down", count_text(down, numbers[0]));
    text_append_format(out, up + down < moved ? ", %zu to or from undefined)" : ")",
                       moved - up - down);
    if (!append_largest(sections, changes, err)) {
        return false;
    }
    append_chance(out, changes);
    text_append(out, ".");
    return true;
}

static void append_count(struct text *out, const char *what, size_t count)
{
    char number[TEXT_COUNT_SIZE];
    if (count > 0) {
        text_append_format(out, "| %s | %s |\n", what, count_text(count, number));
    }
}

static void append_counts(struct text *out, const struct changes *changes)
{
    static const char *const heads[] = {"runs", "number"};
    markdown_table(out, heads, 2, 1);
    append_count(out, "in both, identical bit for bit in every measure", changes->identical);
    append_count(out, "in both, different within the tolerance", changes->within);
    append_count(out, "in both, moved beyond the tolerance", changes->moved);
    append_count(out, "failed in A, not in B", changes->failed_in[0]);
    append_count(out, "failed in B, not in A", changes->failed_in[1]);
    append_count(out, "failed in both", changes->failed_in_both);
    append_count(out, "only in A", changes->alone[0]);
    append_count(out, "only in B", changes->alone[1]);
    text_append(out, "\n");
}

static const char *value_in(const struct result_set *set, uint32_t row, int field,
                            char out[FIELD_VALUE_SIZE])
{
    return field_member_text(&run_fields[field], result_run_member(set, row, (size_t)field), out);
}

static void append_held(struct text *out, const struct changes *changes)
{
    const char *separator = "> **The files differ in what a run is**: ";
    const struct pair *pair = NULL;
    for (size_t i = 0; i < changes->pairs.count && pair == NULL; i++) {
        const struct pair *at = &changes->pairs.items[i];
        pair = pair_is_whole(at) ? at : NULL;
    }
    for (int f = 0; f < RUN_FIELD_COUNT && pair != NULL; f++) {
        char values[2][FIELD_VALUE_SIZE];
        if ((changes->pairs.held >> f & 1) == 0) {
            continue;
        }
        text_append_format(out, "%s`%s` is ", separator, run_fields[f].name);
        markdown_text_cut(out, value_in(changes->pairs.before, pair->before, f, values[0]), 60);
        text_append(out, " in A and ");
        markdown_text_cut(out, value_in(changes->pairs.now, pair->now, f, values[1]), 60);
        text_append(out, " in B");
        separator = ", ";
    }
    text_append(out, changes->pairs.held == 0
                         ? ""
                         : ". Runs are paired that agree in all other fields.\n\n");
}

/* Measures that one file does not know. */
static void append_lacking(struct text *out, const struct changes *changes)
{
    for (int side = 0; side < 2; side++) {
        uint64_t lacking = changes->sides[side].set->lacking;
        const char *separator = side == 0 ? "> A does not know " : "> B does not know ";
        for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
            if ((lacking >> m & 1) != 0) {
                text_append_format(out, "%s`%s`", separator, measurement_fields[m].name);
                separator = ", ";
            }
        }
        text_append(out, lacking == 0 ? "" : ": not compared.\n\n");
    }
}

/* How far the files hold what their sweeps plan. */
static void append_held_runs(struct text *out, const struct changes *changes)
{
    for (int side = 0; side < 2; side++) {
        const struct result_set *set = changes->sides[side].set;
        size_t rows = set->count - changes->beyond[side];
        char numbers[2][TEXT_COUNT_SIZE];
        const char *name = side == 0 ? "A" : "B";
        if ((uint64_t)set->planned > rows) {
            text_append_format(out, "> %s is not complete: %s of %s planned runs.\n\n", name,
                               count_text(rows, numbers[0]),
                               text_from_count((uint64_t)set->planned, numbers[1]));
        }
        if (changes->beyond[side] > 0) {
            text_append_format(out,
                               "> %s holds %s further row%s that belong%s to no run of its sweep "
                               "any more, left out.\n\n",
                               name, count_text(changes->beyond[side], numbers[0]),
                               plural(changes->beyond[side]),
                               changes->beyond[side] == 1 ? "s" : "");
        }
    }
}

static void append_notes(struct text *out, const struct changes *changes)
{
    char number[TEXT_COUNT_SIZE];
    append_held(out, changes);
    if (changes->pairs.by_fields > 0 && changes->pairs.held == 0) {
        text_append_format(out,
                           "> %s run%s another key in B though all fields are equal: the content "
                           "of a file that they read, or the version that made them, is another. "
                           "They are paired by their fields.\n\n",
                           count_text(changes->pairs.by_fields, number),
                           changes->pairs.by_fields == 1 ? " has" : "s have");
    }
    append_lacking(out, changes);
    append_held_runs(out, changes);
    if (changes->moved > 0 && changes->summaries[1].seeds < 2) {
        text_append(out, "> Each setting has one run in both files, so no difference has an "
                         "interval: whatever leaves the tolerance counts as moved.\n\n");
    }
}

/* "; 120 more are in B only". */
static void append_alone(struct text *out, const struct changes *changes)
{
    for (int side = 0; side < 2; side++) {
        char number[TEXT_COUNT_SIZE];
        size_t alone = changes->alone[side];
        if (alone > 0) {
            text_append_format(out, "; %s more %s in %s only", count_text(alone, number),
                               alone == 1 ? "is" : "are", side == 0 ? "A" : "B");
        }
    }
}

/* What is to be said where no run left the tolerance. */
static void append_stillness(struct text *out, const struct changes *changes)
{
    char number[TEXT_COUNT_SIZE];
    text_append_format(out, "**In the %s shared run%s nothing moved%s**",
                       count_text(changes->compared, number), plural(changes->compared),
                       changes->within == 0 ? "" : " beyond the tolerance");
    if (changes->within == 0) {
        text_append(out, ": every measure that both know is equal bit for bit");
    } else {
        text_append_format(out, ": %s differ%s within it", count_text(changes->within, number),
                           changes->within == 1 ? "s" : "");
    }
    append_alone(out, changes);
    text_append(out, ".");
}

/* Runs that one file alone failed to do: no mean shows them, so that they are said beside it. */
static void append_failed_alone(struct text *out, const struct changes *changes)
{
    static const char *const where[2] = {"in A and not in B", "in B and not in A"};
    char number[TEXT_COUNT_SIZE];
    for (int file = 1; file >= 0; file--) {
        if (changes->failed_in[file] > 0) {
            text_append_format(out, " **%s run%s failed %s.**",
                               count_text(changes->failed_in[file], number),
                               plural(changes->failed_in[file]), where[file]);
        }
    }
}

bool changes_append_verdict(const struct sections *sections, const struct changes *changes,
                            struct error *err)
{
    struct text *out = sections->out;
    append_sides(sections, changes);
    bool same_outcome = changes->failed_in[0] + changes->failed_in[1] == 0;
    if (changes->compared == 0) {
        text_append(out, "**No run succeeded in both files**, so no measure is compared.");
    } else if (changes->moved == 0 && same_outcome) {
        append_stillness(out, changes);
    } else if (!append_settings(sections, changes, err)) {
        return false;
    }
    append_failed_alone(out, changes);
    text_append(out, "\n\n");
    append_notes(out, changes);
    append_counts(out, changes);
    return true;
}
