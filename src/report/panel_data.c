/* SPDX-License-Identifier: MIT */
/* The panel's data as JSON; see panel_data.h. Numbers come with their text, so that the page rounds
 * nothing by itself. */
#include "report/panel_data.h"

#include "report/json.h"
#include "report/labels.h"
#include "report/scope.h"
#include "report/weights.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WEIGHT_DIGITS = 4, HASH_SHOWN = 12 };

enum { MEASURES = 6 };

static const enum measurement_field panel_measures[MEASURES] = {
    MEASURE_INPUT_STD,      MEASURE_SCORE_STD,          MEASURE_ROW_MAX_MEAN,
    MEASURE_SATURATED_ROWS, MEASURE_JACOBIAN_NORM_MEAN, MEASURE_JACOBIAN_TRACE_MEAN};

/* What is written, and the distinct lists of words met so far. */
struct writer {
    struct text *out;
    enum measurement_field measures[MEASURES]; /* those that the results hold */
    size_t measure_count;
    const struct panel_choice *choice;
    struct arena *arena;
    const char **words;
    size_t word_count, word_capacity;
    size_t start;  /* bytes in front of the data */
    bool left_out; /* a matrix had no room */
};

static void append_count(struct text *out, bool *first, const char *name, size_t count)
{
    json_append_name(out, first, name);
    text_append_format(out, "%zu", count);
}

static void append_member(struct text *out, bool *first, const char *name, const char *value)
{
    json_append_name(out, first, name);
    json_append_string(out, value);
}

static const char *provenance_of(const struct result_set *set, const char *name)
{
    const char *value = result_fact(set, name);
    return value == NULL ? "" : value;
}

static void append_head(struct writer *writer, bool *first)
{
    const struct result_set *set = writer->choice->set;
    char hash[HASH_SHOWN + 1];
    snprintf(hash, sizeof hash, "%.*s", HASH_SHOWN, provenance_of(set, "sweep_sha256"));
    append_member(writer->out, first, "title", labels_title(set));
    append_member(writer->out, first, "name", set->name);
    append_member(writer->out, first, "version", provenance_of(set, "rowmax_version"));
    append_member(writer->out, first, "sweep", hash);
}

static void append_measures(struct writer *writer, bool *first)
{
    struct text *out = writer->out;
    json_append_name(out, first, "measures");
    text_append(out, "[");
    for (size_t m = 0; m < writer->measure_count; m++) {
        const struct field *field = &measurement_fields[writer->measures[m]];
        bool inner = true;
        text_append(out, m == 0 ? "{" : ",{");
        append_member(out, &inner, "name", field->name);
        append_member(out, &inner, "label", field->label);
        append_member(out, &inner, "help", field->help);
        text_append(out, "}");
    }
    text_append(out, "]");
}

/* "8 sentences" under the name of a corpus; NULL where nothing is to be said. */
static const char *note_of(const struct summary *summary, const struct summary_axis *axis,
                           size_t value, struct arena *arena, struct error *err)
{
    double sentences =
        axis->field == RUN_CORPUS ? labels_sentences(summary, axis, value) : (double)NAN;
    char number[NUMBER_SIZE];
    return isnan(sentences)
               ? ""
               : arena_format(arena, err, "%s sentence%s", number_given(sentences, number),
                              sentences == 1 ? "" : "s");
}

static bool append_axis(struct writer *writer, const struct summary_axis *axis, struct error *err)
{
    struct text *out = writer->out;
    bool first = true;
    text_append(out, "{");
    append_member(out, &first, "name", axis->name);
    append_member(out, &first, "label", view_axis_label(axis));
    json_append_name(out, &first, "values");
    for (size_t v = 0; v < axis->count; v++) {
        bool inner = true;
        const char *label = view_value_label(axis, v, writer->arena, err);
        const char *phrase = view_value_phrase(axis, v, writer->arena, err);
        const char *note = note_of(writer->choice->summary, axis, v, writer->arena, err);
        if (label == NULL || phrase == NULL || note == NULL) {
            return false;
        }
        text_append(out, v == 0 ? "[{" : ",{");
        append_member(out, &inner, "label", label);
        append_member(out, &inner, "phrase", phrase);
        append_member(out, &inner, "note", note);
        text_append(out, "}");
    }
    text_append(out, "]}");
    return true;
}

/* The axes but for the guards, and which of them the lesson goes along. */
static bool append_axes(struct writer *writer, bool *first, struct error *err)
{
    const struct panel_choice *choice = writer->choice;
    const struct summary *summary = choice->summary;
    size_t written = 0;
    size_t trend = summary->axis_count;
    json_append_name(writer->out, first, "axes");
    text_append(writer->out, "[");
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (axis == choice->guards) {
            continue;
        }
        trend = axis == choice->trend ? written : trend;
        text_append(writer->out, written++ == 0 ? "" : ",");
        if (!append_axis(writer, axis, err)) {
            return false;
        }
    }
    text_append(writer->out, "]");
    json_append_name(writer->out, first, "trend");
    if (trend < written) {
        text_append_format(writer->out, "%zu", trend);
    } else {
        text_append(writer->out, "null");
    }
    return true;
}

static void append_means(struct writer *writer, const struct summary_group *group)
{
    struct text *out = writer->out;
    char number[NUMBER_SIZE];
    for (size_t m = 0; m < writer->measure_count; m++) {
        const struct estimate *estimate = &group->measures[writer->measures[m]];
        text_append(out, m == 0 ? "[[" : ",[");
        json_append_number(out, estimate->mean);
        text_append(out, ",");
        json_append_number(out, estimate->half_width);
        text_append(out, ",");
        json_append_string(out, number_measure(group, writer->measures[m], number));
        text_append(out, "]");
    }
    text_append(out, "]");
}

/* Of the mean over all seeds. */
static const char *const verdicts[] = {[SATURATION_UNKNOWN] = "unknown",
                                       [SATURATION_NO] = "not saturated",
                                       [SATURATION_UNDECIDED] = "undecided",
                                       [SATURATION_YES] = "saturated"};

static void append_setting(struct writer *writer, const struct summary_group *group)
{
    const struct panel_choice *choice = writer->choice;
    const struct summary *summary = choice->summary;
    struct text *out = writer->out;
    char number[NUMBER_SIZE];
    bool first = true;
    bool inner = true;
    text_append(out, "{");
    json_append_name(out, &first, "place");
    text_append(out, "[");
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (&summary->axes[a] != choice->guards) {
            text_append_format(out, "%s%zu", inner ? "" : ",", group->place[a]);
            inner = false;
        }
    }
    text_append(out, "]");
    append_count(out, &first, "guards", run_guards_mask(group->sample));
    json_append_name(out, &first, "threshold");
    json_append_number(out, group->sample->saturation_row_max);
    append_member(out, &first, "threshold_text",
                  number_given(group->sample->saturation_row_max, number));
    append_member(out, &first, "verdict", verdicts[saturation_of(group)]);
    append_count(out, &first, "runs", group->runs);
    append_count(out, &first, "failed", group->failed);
    json_append_name(out, &first, "means");
    append_means(writer, group);
    text_append(out, "}");
}

static void append_settings(struct writer *writer, bool *first)
{
    const struct summary *summary = writer->choice->summary;
    json_append_name(writer->out, first, "settings");
    text_append(writer->out, "[");
    for (size_t g = 0; g < summary->group_count; g++) {
        text_append(writer->out, g == 0 ? "" : ",");
        append_setting(writer, &summary->groups[g]);
    }
    text_append(writer->out, "]");
}

/* The number of a list of words among those met. */
static bool number_words(struct writer *writer, const char *words, size_t *number,
                         struct error *err)
{
    for (*number = 0; *number < writer->word_count; ++*number) {
        if (strcmp(writer->words[*number], words) == 0) {
            return true;
        }
    }
    writer->words = arena_grow(writer->arena, writer->words, writer->word_count,
                               &writer->word_capacity, sizeof *writer->words, err);
    if (writer->words == NULL) {
        return false;
    }
    writer->words[writer->word_count++] = words;
    return true;
}

static size_t shown(size_t count)
{
    return count < PANEL_DATA_TOKENS ? count : PANEL_DATA_TOKENS;
}

/* A weight with four digits; nothing but 1 prints as 1. */
static void append_weight(struct text *out, double weight)
{
    char digits[TEXT_REAL_SIZE];
    double rounded = weight;
    snprintf(digits, sizeof digits, "%.*g", WEIGHT_DIGITS, weight);
    bool known = isfinite(weight) && text_to_real(digits, &rounded);
    json_append_number(out, known && (rounded != 1 || weight == 1) ? rounded : weight);
}

/* Rows of weights; masked keys are left out of their rows, so a row may be short. */
static void append_matrix(struct text *out, const struct result *row)
{
    for (size_t q = 0; q < shown(row->kept.queries); q++) {
        size_t keys = shown(weights_keys_seen(row, q));
        text_append(out, q == 0 ? "[[" : ",[");
        for (size_t k = 0; k < keys; k++) {
            text_append(out, k == 0 ? "" : ",");
            append_weight(out, row->kept.weights[q * row->kept.tokens + k]);
        }
        text_append(out, "]");
    }
    text_append(out, "]");
}

static bool append_kept(struct writer *writer, bool *first, const struct result *row,
                        struct error *err)
{
    struct text *out = writer->out;
    size_t words = 0;
    if (row->kept.weights == NULL || row->kept.queries == 0 || row->kept.tokens == 0) {
        return true;
    }
    if (out->length - writer->start > PANEL_DATA_BYTES) {
        writer->left_out = true;
        return true;
    }
    append_count(out, first, "tokens", row->kept.tokens);
    append_count(out, first, "queries", row->kept.queries);
    if (row->kept.words != NULL) {
        if (!number_words(writer, row->kept.words, &words, err)) {
            return false;
        }
        append_count(out, first, "words", words);
    }
    json_append_name(out, first, "weights");
    append_matrix(out, row);
    return true;
}

static void append_values(struct writer *writer, const struct measurement *measurement)
{
    struct text *out = writer->out;
    char number[NUMBER_SIZE];
    for (size_t m = 0; m < writer->measure_count; m++) {
        const struct field *field = &measurement_fields[writer->measures[m]];
        double value = field_value_number(field, measurement);
        text_append(out, m == 0 ? "[[" : ",[");
        json_append_number(out, value);
        text_append(out, ",");
        json_append_string(out, field->maximum > 0 ? number_share(value, number)
                                                   : number_text(value, number));
        text_append(out, "]");
    }
    text_append(out, "]");
}

static bool append_run(struct writer *writer, const struct result *row, struct error *err)
{
    bool first = true;
    if (row == NULL) {
        text_append(writer->out, "null");
        return true;
    }
    text_append(writer->out, "{");
    if (row->status != RESULT_OK) {
        append_member(writer->out, &first, "failed", row->message);
    } else {
        json_append_name(writer->out, &first, "values");
        append_values(writer, &row->measurement);
        if (!append_kept(writer, &first, row, err)) {
            return false;
        }
    }
    text_append(writer->out, "}");
    return true;
}

/* The row of a seed in a group; the set's count for none. */
static size_t row_of(const struct result_set *set, const struct summary_group *group, int64_t seed)
{
    for (size_t r = 0; r < group->runs; r++) {
        if (*(const int64_t *)result_run_member(set, group->rows[r], RUN_SEED) == seed) {
            return group->rows[r];
        }
    }
    return set->count;
}

/* The runs of a seed, in the order of the settings. */
static bool append_seed(struct writer *writer, int64_t seed, struct error *err)
{
    const struct result_set *set = writer->choice->set;
    const struct summary *summary = writer->choice->summary;
    text_append(writer->out, "[");
    for (size_t g = 0; g < summary->group_count; g++) {
        struct result space;
        size_t row = row_of(set, &summary->groups[g], seed);
        text_append(writer->out, g == 0 ? "" : ",");
        if (!append_run(writer, row == set->count ? NULL : result_row(set, row, &space), err)) {
            return false;
        }
    }
    text_append(writer->out, "]");
    return true;
}

/* The runs of each seed: as many seeds as have room, the first
 * in any case. Returns how many. */
static bool append_runs(struct writer *writer, bool *first, size_t *seeds, struct error *err)
{
    const struct panel_choice *choice = writer->choice;
    struct text *out = writer->out;
    size_t before = out->length;
    json_append_name(out, first, "runs");
    text_append(out, "[");
    for (*seeds = 0; *seeds < choice->seed_count; ++*seeds) {
        size_t used = out->length - before;
        size_t next = *seeds == 0 ? 0 : used / *seeds;
        if (*seeds > 0 && out->length - writer->start + next > PANEL_DATA_BYTES) {
            break;
        }
        text_append(out, *seeds == 0 ? "" : ",");
        if (!append_seed(writer, choice->seeds[*seeds], err)) {
            return false;
        }
    }
    text_append(out, "]");
    return true;
}

static void append_seeds(struct writer *writer, bool *first, size_t count)
{
    json_append_name(writer->out, first, "seeds");
    text_append(writer->out, "[");
    for (size_t s = 0; s < count; s++) {
        text_append_format(writer->out, "%s%lld", s == 0 ? "" : ",",
                           (long long)writer->choice->seeds[s]);
    }
    text_append(writer->out, "]");
    append_count(writer->out, first, "seeds_kept", writer->choice->seed_count);
    append_count(writer->out, first, "seeds_run", writer->choice->summary->seeds);
    json_append_name(writer->out, first, "matrices_left_out");
    text_append(writer->out, writer->left_out ? "true" : "false");
}

/* Each list of words as an array. */
static bool append_words(struct writer *writer, bool *first, struct error *err)
{
    struct text *out = writer->out;
    json_append_name(out, first, "words");
    text_append(out, "[");
    for (size_t w = 0; w < writer->word_count; w++) {
        const char *at = writer->words[w];
        text_append(out, w == 0 ? "[" : ",[");
        for (size_t i = 0; i < PANEL_DATA_TOKENS && *at != '\0'; i++) {
            size_t length = strcspn(at, " ");
            const char *word = arena_copy_bytes(writer->arena, at, length, err);
            if (word == NULL) {
                return false;
            }
            text_append(out, i == 0 ? "" : ",");
            json_append_string(out, word);
            at += length + (at[length] == ' ');
        }
        text_append(out, "]");
    }
    text_append(out, "]");
    return true;
}

bool panel_data_append(struct text *out, const struct panel_choice *choice, struct arena *arena,
                       struct error *err)
{
    struct writer writer = {.out = out, .choice = choice, .arena = arena, .start = out->length};
    bool first = true;
    size_t seeds = 0;
    for (size_t m = 0; m < MEASURES; m++) {
        if (scope_holds(choice->summary, panel_measures[m])) {
            writer.measures[writer.measure_count++] = panel_measures[m];
        }
    }
    text_append(out, "{");
    append_head(&writer, &first);
    append_measures(&writer, &first);
    if (!append_axes(&writer, &first, err)) {
        return false;
    }
    panel_lesson_append(out, &first, choice);
    append_settings(&writer, &first);
    if (!append_runs(&writer, &first, &seeds, err) || !append_words(&writer, &first, err)) {
        return false;
    }
    append_seeds(&writer, &first, seeds);
    append_count(out, &first, "shown", PANEL_DATA_TOKENS);
    text_append(out, "}");
    return true;
}
