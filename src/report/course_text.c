/* SPDX-License-Identifier: MIT */
/* The text of the files of course data: a value a line, so that two versions compare well. */
#include "report/course_files.h"
#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void append_member(struct text *text, const char *name, const char *value)
{
    text_append_format(text, ",\n  \"%s\": ", name);
    json_append_string(text, value);
}

static void append_head(struct text *text)
{
    text_append_format(text, "{\n  \"rowmax_module\": %d", COURSE_FORMAT);
}

const char *course_note(const struct course *course, struct arena *arena, struct error *err)
{
    size_t all = course->pair_count * COURSE_COMBINATIONS;
    return arena_format(arena, err,
                        "weights of %zu of %zu combinations are not in the results; rowmax run "
                        "SWEEP --set 'keep=[weights]' -o FILE stores them all",
                        all - course->weights_kept, all);
}

static void append_setting(struct text *text, const struct course_setting *setting)
{
    switch (run_fields[setting->field].kind) {
    case FIELD_INTEGER:
    case FIELD_REAL:
        text_append(text, setting->value);
        break;
    case FIELD_SWITCH:
        text_append(text, strcmp(setting->value, "on") == 0 ? "true" : "false");
        break;
    case FIELD_CHOICE:
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        json_append_string(text, setting->value);
        break;
    }
}

static void append_settings(struct text *text, const struct course *course)
{
    const char *row_max = course_setting_value(course, RUN_SATURATION_ROW_MAX);
    append_member(text, "sentence", course_setting_value(course, RUN_SENTENCE));
    text_append_format(text, ",\n  \"thresholds\": {\"row_max\": %s},\n  \"settings\": {",
                       row_max == NULL ? "null" : row_max);
    for (size_t i = 0; i < course->setting_count; i++) {
        const struct course_setting *setting = &course->settings[i];
        text_append_format(text, "%s\n    \"%s\": ", i == 0 ? "" : ",",
                           run_fields[setting->field].name);
        append_setting(text, setting);
    }
    text_append(text, "\n  }");
}

static bool has(const struct course *course, int measure)
{
    return (course->lacking >> measure & 1) == 0;
}

static void append_measures(struct text *text, const struct course *course)
{
    const char *between = "";
    text_append(text, ",\n  \"guards\": [");
    for (unsigned mask = 0; mask < COURSE_COMBINATIONS; mask++) {
        text_append_format(text, "%s\"%s\"", mask == 0 ? "" : ", ", run_guards_name(mask));
    }
    text_append(text, "],\n  \"measures\": [");
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        const struct field *field = &measurement_fields[m];
        if (!has(course, m)) {
            continue;
        }
        text_append_format(text, "%s\n    {\"name\": \"%s\", \"label\": ", between, field->name);
        json_append_string(text, field->label);
        text_append(text, ", \"unit\": ");
        json_append_string(text, field->unit);
        text_append(text, ", \"description\": ");
        json_append_string(text, field->help);
        text_append(text, "}");
        between = ",";
    }
    text_append(text, "\n  ]");
}

/* The size of a corpus, from a run of it that got so far. */
static double corpus_measure(const struct course *course, size_t corpus, int measure)
{
    for (size_t p = 0; p < course->pair_count; p++) {
        for (int c = 0; course->pairs[p].corpus == corpus && c < COURSE_COMBINATIONS; c++) {
            double value = course->pairs[p].combinations[c].measures[measure];
            if (!isnan(value)) {
                return value;
            }
        }
    }
    return (double)NAN;
}

static void append_corpora(struct text *text, const struct course *course)
{
    static const struct {
        const char *name;
        int measure;
    } sizes[] = {{"sentences", MEASURE_CORPUS_SENTENCES},
                 {"words", MEASURE_CORPUS_WORDS},
                 {"vocabulary", MEASURE_VOCABULARY}};
    text_append(text, ",\n  \"corpora\": [");
    for (size_t c = 0; c < course->corpus_count; c++) {
        const struct course_corpus *corpus = &course->corpora[c];
        text_append_format(text, "%s\n    {\"name\": ", c == 0 ? "" : ",");
        json_append_string(text, corpus->name);
        text_append(text, ", \"folder\": ");
        json_append_string(text, corpus->folder);
        text_append(text, ", \"sha256\": ");
        json_append_string(text, corpus->digest);
        for (size_t i = 0; i < 3; i++) {
            text_append_format(text, ", \"%s\": ", sizes[i].name);
            json_append_number(text, corpus_measure(course, c, sizes[i].measure));
        }
        text_append(text, "}");
    }
    text_append(text, "\n  ]");
}

static size_t weights_of(const struct course_pair *pair)
{
    size_t count = 0;
    for (int c = 0; c < COURSE_COMBINATIONS; c++) {
        count += pair->combinations[c].weights != NULL;
    }
    return count;
}

static void append_note(struct text *text, const char *note)
{
    append_member(text, "note", note);
}

void course_append_index(struct text *text, const struct course *course)
{
    struct error ignored = ERROR_INIT;
    bool all = course->weights_kept == course->pair_count * COURSE_COMBINATIONS;
    append_head(text);
    append_member(text, "name", course->name);
    append_member(text, "title", course->title);
    append_member(text, "rowmax_version", course->version);
    append_member(text, "commit", course->commit);
    append_member(text, "sweep_sha256", course->sweep_digest);
    append_settings(text, course);
    append_measures(text, course);
    append_corpora(text, course);
    text_append(text, ",\n  \"pairs\": [");
    for (size_t p = 0; p < course->pair_count; p++) {
        const struct course_pair *pair = &course->pairs[p];
        text_append_format(text, "%s\n    {\"corpus\": ", p == 0 ? "" : ",");
        json_append_string(text, course->corpora[pair->corpus].name);
        text_append_format(text, ", \"seed\": %" PRId64 ", \"path\": ", pair->seed);
        json_append_string(text, pair->path);
        text_append_format(text, ", \"weights\": %zu}", weights_of(pair));
    }
    text_append(text, "\n  ]");
    append_note(text, all ? NULL : course_note(course, text->arena, &ignored));
    text_append(text, "\n}\n");
}

static void append_tokens(struct text *text, const char *words)
{
    text_append(text, ",\n  \"tokens\": ");
    if (words == NULL) {
        text_append(text, "null");
        return;
    }
    char *copy = arena_copy_text(text->arena, words, &(struct error)ERROR_INIT);
    char *rest = NULL;
    text_append(text, "[");
    text->failed = text->failed || copy == NULL;
    char *word = copy == NULL ? NULL : strtok_r(copy, " ", &rest);
    for (size_t i = 0; word != NULL; i++) {
        text_append(text, i == 0 ? "" : ", ");
        json_append_string(text, word);
        word = strtok_r(NULL, " ", &rest);
    }
    text_append(text, "]");
}

static void append_special(struct text *text, const struct course *course,
                           const struct course_combination *combination)
{
    const char *between = "";
    text_append(text, "\n      },\n      \"not_finite\": {");
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        double value = combination->measures[m];
        if (has(course, m) && !isfinite(value)) {
            text_append_format(text, "%s\"%s\": \"%s\"", between, measurement_fields[m].name,
                               isnan(value) ? "nan"
                               : value > 0  ? "infinity"
                                            : "-infinity");
            between = ", ";
        }
    }
    text_append(text, "}");
}

static void append_weights(struct text *text, const struct course_combination *combination)
{
    text_append(text, ",\n      \"weights\": ");
    if (combination->weights == NULL) {
        text_append(text, "null");
        return;
    }
    for (size_t q = 0; q < combination->queries; q++) {
        text_append(text, q == 0 ? "[\n        [" : ",\n        [");
        for (size_t k = 0; k < combination->tokens; k++) {
            text_append(text, k == 0 ? "" : ", ");
            json_append_number(text, combination->weights[q * combination->tokens + k]);
        }
        text_append(text, "]");
    }
    text_append(text, "\n      ]");
}

static void append_combination(struct text *text, const struct course *course, unsigned mask,
                               const struct course_combination *combination)
{
    const char *between = "";
    bool failed = combination->status != RESULT_OK;
    text_append_format(text,
                       "%s\n    {\n      \"guards\": \"%s\",\n      \"init\": %s,\n      "
                       "\"scale\": %s,\n      \"norm\": %s,\n      \"status\": \"%s\",\n      "
                       "\"message\": ",
                       mask == 0 ? "" : ",", run_guards_name(mask),
                       (mask & 1U) != 0 ? "true" : "false", (mask & 2U) != 0 ? "true" : "false",
                       (mask & 4U) != 0 ? "true" : "false", selection_status(combination->status));
    json_append_string(text, failed ? combination->message : NULL);
    text_append(text, ",\n      \"measures\": {");
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        if (has(course, m)) {
            text_append_format(text, "%s\n        \"%s\": ", between, measurement_fields[m].name);
            json_append_number(text, combination->measures[m]);
            between = ",";
        }
    }
    append_special(text, course, combination);
    append_weights(text, combination);
    text_append(text, "\n    }");
}

void course_append_pair(struct text *text, const struct course *course,
                        const struct course_pair *pair)
{
    bool all = weights_of(pair) == COURSE_COMBINATIONS;
    append_head(text);
    append_member(text, "corpus", course->corpora[pair->corpus].name);
    text_append_format(text, ",\n  \"seed\": %" PRId64, pair->seed);
    append_tokens(text, pair->words);
    append_note(text, all ? NULL
                          : "weights that are null are not in the results; rowmax run SWEEP --set "
                            "'keep=[weights]' -o FILE stores them all");
    text_append(text, ",\n  \"combinations\": [");
    for (unsigned mask = 0; mask < COURSE_COMBINATIONS; mask++) {
        append_combination(text, course, mask, &pair->combinations[mask]);
    }
    text_append(text, "\n  ]\n}\n");
}
