/* SPDX-License-Identifier: MIT */
/* Course data made from results; see course.h. */
#include "summary/course.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fields that course data has an axis for. */
static bool is_axis(int field)
{
    return field == RUN_CORPUS || field == RUN_SEED || run_field_is_guard(field);
}

struct making {
    const struct result_set *set;
    const struct selection *selection;
    const struct result **rows; /* of the selection */
    struct arena *arena;
    struct course *out;
    struct error *err;
};

static const struct run *run_of(const struct making *making, size_t row)
{
    return &making->rows[row]->run;
}

static bool check_source(const struct making *making)
{
    size_t others = 0;
    size_t other = 0;
    for (size_t i = 0; i < making->selection->count; i++) {
        if (run_of(making, i)->source != SOURCE_CORPUS) {
            other = i;
            others++;
        }
    }
    return others == 0 ||
           error_set(making->err, ERROR_INPUT,
                     "course data is by corpus, and %zu of the %zu runs are of another source, as "
                     "%s%s; --format json has all",
                     others, making->selection->count,
                     run_fields[RUN_SOURCE].choices[run_of(making, other)->source],
                     others < making->selection->count ? ": add --where source=corpus" : "");
}

#define VALUES_LISTED 5

/* The values of a field that differs, into `list`. */
static void list_values(const struct making *making, const struct field *field, struct text *list)
{
    size_t shown[VALUES_LISTED];
    size_t count = 0;
    for (size_t i = 0; i < making->selection->count; i++) {
        char out[FIELD_VALUE_SIZE];
        bool known = false;
        for (size_t j = 0; !known && j < count; j++) {
            known = field_value_equal(field, run_of(making, i), run_of(making, shown[j]));
        }
        if (!known && count == VALUES_LISTED) {
            text_append(list, ", ...");
            return;
        }
        if (!known) {
            shown[count] = i;
            text_append_format(list, "%s%s", count++ == 0 ? "" : ", ",
                               field_value_text(field, run_of(making, i), out));
        }
    }
}

static bool differs(const struct making *making, const struct field *field)
{
    bool same = true;
    for (size_t i = 1; same && i < making->selection->count; i++) {
        same = field_value_equal(field, run_of(making, 0), run_of(making, i));
    }
    return !same;
}

/* All fields that differ at once, each with its values and what to add to the command. */
static bool check_axes(const struct making *making)
{
    struct text fields = TEXT_INIT(making->arena);
    struct text remedy = TEXT_INIT(making->arena);
    size_t count = 0;
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        const struct field *field = &run_fields[f];
        char out[FIELD_VALUE_SIZE];
        if (is_axis(f) || !differs(making, field)) {
            continue;
        }
        text_append_format(&fields, "%s%s (", count == 0 ? "" : " and ", field->name);
        list_values(making, field, &fields);
        text_append(&fields, ")");
        if (run_field_applies(run_of(making, 0), (enum run_field)f)) {
            text_append_format(&remedy, " --where '%s=%s'", field->name,
                               field_value_text(field, run_of(making, 0), out));
        }
        count++;
    }
    if (count == 0) {
        return true;
    }
    const char *names = text_finish(&fields, making->err);
    const char *options = text_finish(&remedy, making->err);
    return names != NULL && options != NULL &&
           error_set(making->err, ERROR_INPUT,
                     "the runs differ in %s, and course data has axes for corpus, seed and guards "
                     "alone: choose, as in%s",
                     names, options);
}

static bool take_settings(const struct making *making)
{
    struct course_setting *settings =
        arena_alloc(making->arena, RUN_FIELD_COUNT, sizeof *settings, making->err);
    size_t count = 0;
    for (int f = 0; settings != NULL && f < RUN_FIELD_COUNT; f++) {
        char out[FIELD_VALUE_SIZE];
        if (is_axis(f) || !run_field_applies(run_of(making, 0), (enum run_field)f)) {
            continue;
        }
        const char *text = field_value_text(&run_fields[f], run_of(making, 0), out);
        settings[count++] =
            (struct course_setting){f, arena_copy_text(making->arena, text, making->err)};
    }
    making->out->settings = settings;
    making->out->setting_count = count;
    return making->err->code == ERROR_NONE;
}

const char *course_setting_value(const struct course *course, enum run_field field)
{
    for (size_t i = 0; i < course->setting_count; i++) {
        if (course->settings[i].field == (int)field) {
            return course->settings[i].value;
        }
    }
    return NULL;
}

/* Where a row belongs. */
struct place {
    size_t corpus;
    int64_t seed;
    unsigned mask;
    size_t row;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    if (x->corpus != y->corpus) {
        return x->corpus < y->corpus ? -1 : 1;
    }
    if (x->seed != y->seed) {
        return x->seed < y->seed ? -1 : 1;
    }
    return x->mask < y->mask ? -1 : x->mask > y->mask;
}

/* The place of the row's corpus, which is added where it is new. Rows of a corpus mostly follow one
 * another. */
static bool find_corpus(const struct making *making, size_t row, struct course_corpus **corpora,
                        size_t *capacity, size_t *place)
{
    const struct run *run = run_of(making, row);
    const char *name = run->corpus == NULL ? "" : run->corpus;
    size_t count = making->out->corpus_count;
    for (size_t i = 0; *corpora != NULL && i < count; i++) {
        size_t c = (*place + i) % count;
        if (strcmp((*corpora)[c].name, name) == 0) {
            *place = c;
            return true;
        }
    }
    *corpora = arena_grow(making->arena, *corpora, count, capacity, sizeof **corpora, making->err);
    if (*corpora == NULL) {
        return false;
    }
    (*corpora)[count] =
        (struct course_corpus){.name = name,
                               .folder = course_folder_name(name, making->arena, making->err),
                               .digest = run->corpus_digest};
    *place = making->out->corpus_count++;
    return (*corpora)[count].folder != NULL;
}

static struct place *make_places(const struct making *making)
{
    size_t count = making->selection->count;
    struct place *places = arena_alloc(making->arena, count, sizeof *places, making->err);
    struct course_corpus *corpora = NULL;
    size_t capacity = 0;
    size_t corpus = 0;
    for (size_t i = 0; places != NULL && i < count; i++) {
        const struct run *run = run_of(making, i);
        if (!find_corpus(making, i, &corpora, &capacity, &corpus)) {
            return NULL;
        }
        places[i] = (struct place){corpus, run->seed, run_guards_mask(run), i};
    }
    making->out->corpora = corpora;
    if (places != NULL) {
        qsort(places, count, sizeof *places, compare_places);
    }
    return places;
}

static void fill_combination(const struct making *making, size_t row,
                             struct course_combination *out)
{
    const struct result *result = making->rows[row];
    *out = (struct course_combination){
        .run = run_of(making, row), .status = result->status, .message = result->message};
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        out->measures[m] = selection_measure(making->set, result, (enum measurement_field)m);
    }
    if (result->kept.weights != NULL) {
        out->queries = result_kept_queries(result);
        out->tokens = result->kept.tokens;
        out->weights = result->kept.weights;
        making->out->weights_kept++;
    }
}

static bool refuse_gap(const struct making *making, const struct course_pair *pair, unsigned mask)
{
    const struct result_set *set = making->set;
    size_t there = set->count - making->selection->outside;
    bool unfinished = set->planned > 0 && there < (size_t)set->planned;
    return error_set(making->err, ERROR_INPUT,
                     "corpus '%s' with seed %" PRId64 " has no run with guards %s; course data has "
                     "all eight guard sets: %s",
                     making->out->corpora[pair->corpus].name, pair->seed, run_guards_name(mask),
                     unfinished ? "the sweep is not finished, 'rowmax run' goes on with it"
                                : "put 'guards: all' into the sweep");
}

/* Fills the pair from its eight rows, which begin at `places`, where there are `count`. */
static bool fill_pair(const struct making *making, const struct place *places, size_t count,
                      struct course_pair *pair)
{
    struct course_combination *combinations =
        arena_alloc(making->arena, COURSE_COMBINATIONS, sizeof *combinations, making->err);
    const struct course_corpus *corpus = &making->out->corpora[places[0].corpus];
    *pair =
        (struct course_pair){.corpus = places[0].corpus,
                             .seed = places[0].seed,
                             .path = arena_format(making->arena, making->err, "%s/%" PRId64 ".json",
                                                  corpus->folder, places[0].seed),
                             .combinations = combinations};
    if (combinations == NULL || pair->path == NULL) {
        return false;
    }
    for (unsigned mask = 0; mask < COURSE_COMBINATIONS; mask++) {
        const struct place *place = &places[mask];
        if (mask >= count || place->corpus != pair->corpus || place->seed != pair->seed ||
            place->mask != mask) {
            return refuse_gap(making, pair, mask);
        }
        fill_combination(making, place->row, &combinations[mask]);
        const char *words = making->rows[place->row]->kept.words;
        pair->words = pair->words == NULL ? words : pair->words;
    }
    return true;
}

/* The sentence reads alike with every seed, so one kept matrix tells the tokens of its corpus. */
static bool share_words(const struct making *making)
{
    const struct course *course = making->out;
    const char **words =
        arena_alloc(making->arena, course->corpus_count, sizeof(char *), making->err);
    for (size_t p = 0; words != NULL && p < course->pair_count; p++) {
        const struct course_pair *pair = &course->pairs[p];
        words[pair->corpus] = pair->words != NULL ? pair->words : words[pair->corpus];
    }
    for (size_t p = 0; words != NULL && p < course->pair_count; p++) {
        course->pairs[p].words = words[course->pairs[p].corpus];
    }
    return words != NULL;
}

static bool take_pairs(const struct making *making)
{
    const struct place *places = make_places(making);
    size_t count = making->selection->count;
    struct course_pair *pairs = NULL;
    if (places != NULL) {
        pairs =
            arena_alloc(making->arena, count / COURSE_COMBINATIONS + 1, sizeof *pairs, making->err);
    }
    bool good = pairs != NULL;
    for (size_t i = 0; good && i < count; i += COURSE_COMBINATIONS) {
        good = fill_pair(making, places + i, count - i, &pairs[making->out->pair_count++]);
    }
    making->out->pairs = pairs;
    return good && share_words(making);
}

static const struct result **hold_rows(const struct selection *selection, struct arena *arena,
                                       struct error *err)
{
    const struct result **rows =
        arena_alloc(arena, selection->count, sizeof(const struct result *), err);
    for (size_t i = 0; rows != NULL && i < selection->count; i++) {
        rows[i] = result_hold(selection->set, selection->rows[i], arena, err);
        if (rows[i] == NULL) {
            return NULL;
        }
    }
    return rows;
}

bool course_make(const struct result_set *set, const struct selection *selection,
                 struct arena *arena, struct course *out, struct error *err)
{
    const struct result **rows = hold_rows(selection, arena, err);
    const struct making making = {set, selection, rows, arena, out, err};
    if (rows == NULL) {
        return false;
    }
    *out = (struct course){.name = set->name,
                           .title = set->title,
                           .version = result_fact(set, "rowmax_version"),
                           .commit = result_fact(set, "commit"),
                           .sweep_digest = result_fact(set, "sweep_sha256"),
                           .lacking = set->lacking};
    return check_source(&making) && check_axes(&making) && take_settings(&making) &&
           take_pairs(&making);
}
