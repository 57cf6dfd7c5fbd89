/* SPDX-License-Identifier: MIT */
/* Course data read from an earlier export; see course.h. */
#include "summary/course.h"

#include "base/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* A file being read. */
struct document {
    const char *path;
    struct arena *arena;
    struct error *err;
};

static bool refuse(const struct document *document, const char *what)
{
    return error_set(document->err, ERROR_INPUT,
                     "'%s': %s; 'rowmax export --format module' has not written this, name "
                     "another folder",
                     document->path, what);
}

static json_t *load(const struct document *document, const char *text, size_t size)
{
    json_error_t fault;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    const json_t *format = json_object_get(root, "rowmax_module");
    if (root == NULL) {
        error_set(document->err, ERROR_INPUT, "%s:%d:%d: %s", document->path,
                  fault.line > 0 ? fault.line : 1, fault.column > 0 ? fault.column : 1, fault.text);
        return NULL;
    }
    if (!json_is_integer(format) || json_integer_value(format) != COURSE_FORMAT) {
        refuse(document, "'rowmax_module' is not 1");
        json_decref(root);
        return NULL;
    }
    return root;
}

/* A text in the arena. */
static bool take_text(const struct document *document, const json_t *object, const char *name,
                      const char **out)
{
    const char *value = json_string_value(json_object_get(object, name));
    *out = value == NULL ? NULL : arena_copy_text(document->arena, value, document->err);
    if (value == NULL) {
        char what[64];
        snprintf(what, sizeof what, "'%s' is missing or no text", name);
        refuse(document, what);
    }
    return *out != NULL;
}

/* The same where there may be none. */
static bool take_text_or_null(const struct document *document, const json_t *object,
                              const char *name, const char **out)
{
    *out = NULL;
    const json_t *value = json_object_get(object, name);
    return value == NULL || json_is_null(value) || take_text(document, object, name, out);
}

static bool read_setting(const struct document *document, const json_t *value, const char **out)
{
    char number[TEXT_REAL_SIZE];
    const char *text = NULL;
    if (json_is_string(value)) {
        text = json_string_value(value);
    } else if (json_is_boolean(value)) {
        text = json_is_true(value) ? "on" : "off";
    } else if (json_is_number(value)) {
        text = text_from_real(json_number_value(value), number);
    } else {
        return refuse(document, "a setting is no value");
    }
    *out = arena_copy_text(document->arena, text, document->err);
    return *out != NULL;
}

/* Fields of another version are left out. */
static bool read_settings(const struct document *document, json_t *root, struct course *out)
{
    json_t *settings = json_object_get(root, "settings");
    struct course_setting *list =
        arena_alloc(document->arena, json_object_size(settings), sizeof *list, document->err);
    const char *name = NULL;
    json_t *value = NULL;
    if (!json_is_object(settings) || list == NULL) {
        return list != NULL && refuse(document, "'settings' is missing or no object");
    }
    json_object_foreach(settings, name, value)
    {
        const struct field *field = run_field_find(name);
        struct course_setting *setting = &list[out->setting_count];
        if (field == NULL) {
            continue;
        }
        setting->field = (int)run_field_index(field);
        if (!read_setting(document, value, &setting->value)) {
            return false;
        }
        out->setting_count++;
    }
    out->settings = list;
    return true;
}

static bool read_measures(const struct document *document, const json_t *root, struct course *out)
{
    const json_t *measures = json_object_get(root, "measures");
    if (!json_is_array(measures)) {
        return refuse(document, "'measures' is missing or no list");
    }
    out->lacking = measurement_fields_all();
    for (size_t i = 0; i < json_array_size(measures); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(measures, i), "name"));
        const struct field *field = name == NULL ? NULL : measurement_field_find(name);
        if (field != NULL) {
            out->lacking &= ~(UINT64_C(1) << (field - measurement_fields));
        }
    }
    return true;
}

static bool read_corpora(const struct document *document, const json_t *root, struct course *out)
{
    const json_t *list = json_object_get(root, "corpora");
    size_t count = json_array_size(list);
    struct course_corpus *corpora =
        arena_alloc(document->arena, count, sizeof *corpora, document->err);
    if (!json_is_array(list) || corpora == NULL) {
        return corpora != NULL && refuse(document, "'corpora' is missing or no list");
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *corpus = json_array_get(list, i);
        good = take_text(document, corpus, "name", &corpora[i].name) &&
               take_text(document, corpus, "folder", &corpora[i].folder) &&
               take_text_or_null(document, corpus, "sha256", &corpora[i].digest);
    }
    out->corpora = corpora;
    out->corpus_count = count;
    return good;
}

static bool read_seed(const struct document *document, const json_t *object, int64_t *out)
{
    const json_t *seed = json_object_get(object, "seed");
    *out = (int64_t)json_integer_value(seed);
    return (json_is_integer(seed) && *out >= 0) ||
           refuse(document, "'seed' is missing or no whole number");
}

static bool read_listed_pair(const struct document *document, const json_t *object,
                             const struct course *course, struct course_pair *out)
{
    const char *corpus = NULL;
    *out = (struct course_pair){.corpus = course->corpus_count};
    if (!take_text(document, object, "corpus", &corpus) ||
        !read_seed(document, object, &out->seed) ||
        !take_text(document, object, "path", &out->path)) {
        return false;
    }
    for (size_t c = 0; c < course->corpus_count && out->corpus == course->corpus_count; c++) {
        out->corpus = strcmp(course->corpora[c].name, corpus) == 0 ? c : out->corpus;
    }
    if (out->corpus == course->corpus_count) {
        return refuse(document, "a pair is of a corpus that is not in 'corpora'");
    }
    return course_path_is_ours(out->path) ||
           refuse(document, "the path of a pair is not of the form FOLDER/SEED.json");
}

static bool read_pairs(const struct document *document, const json_t *root, struct course *out)
{
    const json_t *list = json_object_get(root, "pairs");
    size_t count = json_array_size(list);
    out->pairs = arena_alloc(document->arena, count, sizeof *out->pairs, document->err);
    if (!json_is_array(list) || out->pairs == NULL) {
        return out->pairs != NULL && refuse(document, "'pairs' is missing or no list");
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = read_listed_pair(document, json_array_get(list, i), out, &out->pairs[i]);
    }
    out->pair_count = count;
    return good;
}

bool course_read_index(const char *path, const char *text, size_t size, struct arena *arena,
                       struct course *out, struct error *err)
{
    const struct document document = {path, arena, err};
    json_t *root = load(&document, text, size);
    *out = (struct course){.pairs = NULL};
    if (root == NULL) {
        return false;
    }
    bool good = take_text(&document, root, "name", &out->name) &&
                take_text(&document, root, "title", &out->title) &&
                take_text_or_null(&document, root, "rowmax_version", &out->version) &&
                take_text_or_null(&document, root, "commit", &out->commit) &&
                take_text_or_null(&document, root, "sweep_sha256", &out->sweep_digest) &&
                read_settings(&document, root, out) && read_measures(&document, root, out) &&
                read_corpora(&document, root, out) && read_pairs(&document, root, out);
    json_decref(root);
    return good;
}

/* A number, or null with the word for what it stands for in `not_finite`. */
static bool read_measure(const struct document *document, const json_t *combination,
                         const char *name, double *out)
{
    const json_t *value = json_object_get(json_object_get(combination, "measures"), name);
    const char *word =
        json_string_value(json_object_get(json_object_get(combination, "not_finite"), name));
    *out = json_is_number(value) ? json_number_value(value) : (double)NAN;
    if (word != NULL && strstr(word, "infinity") != NULL) {
        *out = word[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    }
    if (json_is_number(value) || json_is_null(value)) {
        return true;
    }
    char what[96];
    snprintf(what, sizeof what, "the measure '%s' is missing or no number", name);
    return refuse(document, what);
}

static bool fill_row(const json_t *row, size_t tokens, double *out)
{
    bool good = json_is_array(row);
    for (size_t k = 0; good && k < tokens; k++) {
        const json_t *weight = json_array_get(row, k);
        out[k] = json_is_number(weight) ? json_number_value(weight) : (double)NAN;
        good = json_is_number(weight) || json_is_null(weight);
    }
    return good;
}

static bool read_weights(const struct document *document, const json_t *list,
                         struct course_combination *out)
{
    if (json_is_null(list)) {
        return true;
    }
    size_t queries = json_array_size(list);
    size_t tokens = json_array_size(json_array_get(list, 0));
    bool good = queries > 0;
    for (size_t q = 0; good && q < queries; q++) {
        good = json_array_size(json_array_get(list, q)) == tokens;
    }
    /* Only equal rows take the memory that the text has taken before. */
    double *weights = NULL;
    if (good) {
        weights = arena_alloc(document->arena, queries * tokens, sizeof *weights, document->err);
        good = weights != NULL;
    }
    for (size_t q = 0; good && q < queries; q++) {
        good = fill_row(json_array_get(list, q), tokens, weights + q * tokens);
    }
    out->queries = queries;
    out->tokens = tokens;
    out->weights = weights;
    return good || refuse(document, "'weights' is no list of equal rows of numbers");
}

static bool read_combination(const struct document *document, const json_t *object,
                             const struct course *course, struct course_combination *combinations)
{
    const char *guards = NULL;
    const char *status = NULL;
    unsigned mask = 0;
    if (!take_text(document, object, "guards", &guards) ||
        !take_text(document, object, "status", &status)) {
        return false;
    }
    if (!run_guards_parse(guards, &mask) || combinations[mask].message != NULL) {
        return refuse(document, "'guards' is no guard set, or one of them twice");
    }
    struct course_combination *out = &combinations[mask];
    bool good = take_text_or_null(document, object, "message", &out->message);
    out->message = out->message == NULL ? "" : out->message;
    out->status = strcmp(status, "ok") == 0 ? RESULT_OK : RESULT_FAILED;
    for (int m = 0; good && m < MEASUREMENT_FIELD_COUNT; m++) {
        out->measures[m] = (double)NAN;
        bool known = (course->lacking >> m & 1) == 0;
        good =
            !known || read_measure(document, object, measurement_fields[m].name, &out->measures[m]);
    }
    return good && read_weights(document, json_object_get(object, "weights"), out);
}

static bool read_combinations(const struct document *document, const json_t *root,
                              const struct course *course, struct course_pair *pair)
{
    const json_t *list = json_object_get(root, "combinations");
    struct course_combination *combinations =
        arena_alloc(document->arena, COURSE_COMBINATIONS, sizeof *combinations, document->err);
    if (combinations == NULL) {
        return false;
    }
    if (json_array_size(list) != COURSE_COMBINATIONS) {
        return refuse(document, "'combinations' is no list of eight");
    }
    bool good = true;
    for (size_t i = 0; good && i < COURSE_COMBINATIONS; i++) {
        good = read_combination(document, json_array_get(list, i), course, combinations);
    }
    pair->combinations = combinations;
    return good;
}

static bool read_tokens(const struct document *document, const json_t *root,
                        struct course_pair *pair)
{
    const json_t *list = json_object_get(root, "tokens");
    struct text words = TEXT_INIT(document->arena);
    pair->words = NULL;
    if (json_is_null(list)) {
        return true;
    }
    if (!json_is_array(list)) {
        return refuse(document, "'tokens' is missing or no list");
    }
    text_append(&words, "");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (word == NULL) {
            return refuse(document, "a token is no text");
        }
        text_append_format(&words, "%s%s", i == 0 ? "" : " ", word);
    }
    pair->words = text_finish(&words, document->err);
    return pair->words != NULL;
}

bool course_read_pair(const char *path, const char *text, size_t size, struct arena *arena,
                      const struct course *course, struct course_pair *pair, struct error *err)
{
    const struct document document = {path, arena, err};
    json_t *root = load(&document, text, size);
    const char *corpus = NULL;
    int64_t seed = -1;
    if (root == NULL) {
        return false;
    }
    bool good = take_text(&document, root, "corpus", &corpus) &&
                read_seed(&document, root, &seed) && read_tokens(&document, root, pair) &&
                read_combinations(&document, root, course, pair);
    if (good && (seed != pair->seed || strcmp(corpus, course->corpora[pair->corpus].name) != 0)) {
        good = refuse(&document, "corpus or seed is not that of the index");
    }
    json_decref(root);
    return good;
}
