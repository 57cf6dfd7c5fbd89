/* SPDX-License-Identifier: MIT */
/* From runs to their distinct inputs: every file read, every sentence checked, nothing learned. */
#include "base/hash.h"
#include "base/text.h"
#include "engine/engine_internal.h"
#include "run/fields.h"
#include "run/score_rows.h"

#include <inttypes.h>
#include <string.h>

/* Fields that decide the word vectors, and those that cut an input from them. */
static const enum run_field learning_fields[] = {
    RUN_CORPUS, RUN_LEARNER,  RUN_WINDOW,       RUN_POWER,     RUN_CONTEXT_SMOOTHING,
    RUN_SHIFT,  RUN_NEGATIVE, RUN_SUBSAMPLE,    RUN_EPOCHS,    RUN_LEARNING_RATE,
    RUN_X_MAX,  RUN_ALPHA,    RUN_LEARNER_SEED, RUN_MIN_COUNT, RUN_SENTENCE_LIMIT,
    RUN_D_MODEL};
static const enum run_field input_fields[] = {
    RUN_SOURCE,  RUN_SENTENCE, RUN_UNKNOWN_WORDS, RUN_TOKENS, RUN_X,    RUN_W_Q,       RUN_W_K,
    RUN_Q,       RUN_K,        RUN_TRANSPOSED,    RUN_HEADS,  RUN_HEAD, RUN_KEY_HEADS, RUN_SCORES,
    RUN_POSITION};
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Those of them in which the runs at hand differ. */
struct deciding {
    enum run_field input[LENGTH(input_fields)], learning[LENGTH(learning_fields)];
    size_t input_count, learning_count;
};

static bool fields_equal(const struct run *a, const struct run *b, const enum run_field *fields,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!field_value_equal(&run_fields[fields[i]], a, b)) {
            return false;
        }
    }
    return true;
}

static bool same_input(const struct deciding *deciding, const struct run *a, const struct run *b)
{
    /* The files of an array input bring d_model, which one of the two may know already. */
    return fields_equal(a, b, deciding->input, deciding->input_count) &&
           (a->source == SOURCE_ARRAYS ||
            fields_equal(a, b, deciding->learning, deciding->learning_count));
}

static size_t list_varying(const struct run_list *runs, const enum run_field *fields, size_t count,
                           enum run_field *varying)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!run_list_shares(runs, (size_t)fields[i])) {
            varying[found++] = fields[i];
        }
    }
    return found;
}

/* A name for the word vectors that a run needs. */
static uint64_t learning_name(const struct run *run)
{
    char text[HASH_HEX_SIZE - 1 + LENGTH(learning_fields) * sizeof(double)];
    size_t used = 0;
    memcpy(text, run->corpus_digest, HASH_HEX_SIZE - 1);
    used += HASH_HEX_SIZE - 1;
    for (size_t i = 1; i < LENGTH(learning_fields); i++) {
        double value = field_value_number(&run_fields[learning_fields[i]], run);
        memcpy(text + used, &value, sizeof value);
        used += sizeof value;
    }
    return hash_short(text, used);
}

struct embedding_options engine_embedding_options(const struct run *run)
{
    struct embedding_options options = {.dimension = (size_t)run->d_model,
                                        .window = (size_t)run->window,
                                        .power = run->power,
                                        .context_smoothing = run->context_smoothing,
                                        .shift = run->shift,
                                        .negative = (size_t)run->negative,
                                        .subsample = run->subsample,
                                        .epochs = (size_t)run->epochs,
                                        .learning_rate = run->learning_rate,
                                        .x_max = run->x_max,
                                        .alpha = run->alpha,
                                        .seed = (uint64_t)run->learner_seed,
                                        .min_count = (size_t)run->min_count,
                                        .sentence_limit = (size_t)run->sentence_limit};
    return options;
}

static const struct vocabulary_source *vocabulary_of(struct engine *engine,
                                                     const struct corpus_source *source,
                                                     const struct run *run, struct error *err)
{
    for (size_t i = 0; i < engine->vocabulary_count; i++) {
        const struct vocabulary_source *known = engine->vocabularies[i];
        if (known->source == source && known->min_count == run->min_count &&
            known->sentence_limit == run->sentence_limit) {
            return known;
        }
    }
    struct vocabulary_source *made = arena_alloc(engine->arena, 1, sizeof *made, err);
    engine->vocabularies =
        arena_grow(engine->arena, engine->vocabularies, engine->vocabulary_count,
                   &engine->vocabulary_capacity, sizeof *engine->vocabularies, err);
    if (made == NULL || engine->vocabularies == NULL) {
        return NULL;
    }
    struct embedding_options options = engine_embedding_options(run);
    if (!vocabulary_make(&source->corpus, &options, engine->arena, &made->vocabulary, err)) {
        error_add_context(err, "corpus '%s'", run->corpus);
        return NULL;
    }
    made->source = source;
    made->min_count = run->min_count;
    made->sentence_limit = run->sentence_limit;
    engine->vocabularies[engine->vocabulary_count++] = made;
    return made;
}

static bool open_corpus_input(struct engine *engine, struct run *run, struct input *input,
                              struct error *err)
{
    const struct corpus_source *source = engine_corpus(engine, run->corpus, err);
    if (source == NULL) {
        return false;
    }
    run->corpus_digest = source->corpus.digest;
    input->learning = learning_name(run);
    input->d_model = (size_t)run->d_model;
    input->vocabulary = vocabulary_of(engine, source, run, err);
    if (input->vocabulary == NULL) {
        return false;
    }
    uint32_t *ids = NULL;
    if (!vocabulary_sentence(&input->vocabulary->vocabulary, run->sentence,
                             run->unknown_words == UNKNOWN_WORDS_SKIP, engine->arena, &ids,
                             &input->tokens, &input->words, err)) {
        return error_add_context(err, "corpus '%s'", run->corpus);
    }
    input->ids = ids;
    return true;
}

static bool open_scores_input(struct engine *engine, const struct run *run, struct input *input,
                              struct error *err)
{
    struct score_rows rows;
    if (!score_rows_parse(run->scores, engine->arena, &rows, err)) {
        return error_add_context(err, "scores");
    }
    input->scores = rows.values;
    input->queries = rows.rows;
    input->tokens = rows.columns;
    return true;
}

static bool is_given(const struct run *run, enum run_field field)
{
    return (run->given >> field & 1) != 0;
}

/* The matrix whose columns are d_k; without values where projections are drawn. */
static const struct matrix *given_side(const struct input *input)
{
    return input->q.values != NULL ? &input->q : &input->w_q;
}

/* Hands a run what its input brings: digests, and the sizes of arrays. */
static void adopt(struct run *run, const struct input *input)
{
    run->corpus_digest = input->sample->corpus_digest;
    run->x_digest = input->x_digest;
    run->w_q_digest = input->w_q.digest;
    run->w_k_digest = input->w_k.digest;
    run->q_digest = input->q.digest;
    run->k_digest = input->k.digest;
    if (run->source == SOURCE_ARRAYS) {
        const struct matrix *given = given_side(input);
        run->d_model = (int64_t)input->d_model;
        run->d_k = given->values == NULL ? run->d_k : (int64_t)given->columns;
    }
}

/* What a run says of its arrays that their files do not bear out. */
static bool check_arrays(const struct run *run, const struct input *input, struct error *err)
{
    const struct matrix *given = given_side(input);
    if (is_given(run, RUN_D_K) && given->values != NULL && given->columns != (size_t)run->d_k) {
        return error_set(err, ERROR_INPUT,
                         "d_k is set to %" PRId64
                         ", but '%s' has %zu columns a head; leave out d_k",
                         run->d_k, input->q.values != NULL ? run->q : run->w_q, given->columns);
    }
    if (is_given(run, RUN_D_MODEL) && input->d_model != (size_t)run->d_model) {
        return input->x == NULL
                   ? error_set(err, ERROR_INPUT,
                               "d_model is the width of x, which q and k replace; "
                               "leave it out")
                   : error_set(err, ERROR_INPUT,
                               "d_model is set to %" PRId64 ", but '%s' has %zu columns; leave out "
                               "d_model",
                               run->d_model, run->x, input->d_model);
    }
    if (run->weights_as_given && input->w_q.values == NULL) {
        return error_set(err, ERROR_INPUT, "weights_as_given is on, but no w_q and w_k are given");
    }
    return input->q.values == NULL || !(run->guard_init || run->guard_norm) ||
           error_set(err, ERROR_INPUT,
                     "guards init and norm act on x and its projections, which q and k replace; "
                     "leave them out");
}

/* Of a collapsed draw only products of queries and keys exist, and no weights. */
static bool check_draw(const struct run *run, const struct input *input, struct error *err)
{
    if (run->draw != DRAW_COLLAPSED) {
        return true;
    }
    if (input->w_q.values != NULL || input->q.values != NULL) {
        return error_set(err, ERROR_INPUT,
                         "draw is collapsed, but %s are given and nothing is drawn; leave out draw",
                         input->q.values != NULL ? "q and k" : "w_q and w_k");
    }
    if (run->upstream == UPSTREAM_DRAWN) {
        return error_set(err, ERROR_INPUT,
                         "draw collapsed makes no entries of queries and keys, only their "
                         "products, and upstream drawn needs entries; set draw to weights, or "
                         "upstream to expected");
    }
    if (run->position == POSITION_ROPE) {
        return error_set(
            err, ERROR_INPUT,
            "draw collapsed makes no entries of queries and keys, only their products, "
            "and position rope turns entries; set draw to weights, or another "
            "position");
    }
    return run->qk_norm == QK_NORM_NONE ||
           error_set(err, ERROR_INPUT,
                     "draw collapsed makes no entries of queries and keys, only their products, "
                     "and qk_norm %s divides entries; set draw to weights, or qk_norm to none",
                     run_fields[RUN_QK_NORM].choices[run->qk_norm]);
}

/* What only shows when the sizes are known; before the run takes them over. */
static bool check_run(const struct run *run, const struct input *input, struct error *err)
{
    if (run->source == SOURCE_ARRAYS && !check_arrays(run, input, err)) {
        return false;
    }
    if (!check_draw(run, input, err)) {
        return false;
    }
    const struct matrix *given = given_side(input);
    int64_t d_k = given->values == NULL ? run->d_k : (int64_t)given->columns;
    if (run->source != SOURCE_SCORES && run->position == POSITION_ROPE && d_k % 2 != 0) {
        return error_set(err, ERROR_INPUT,
                         "position rope turns pairs of columns, so d_k must be even, not %" PRId64,
                         d_k);
    }
    return run->source != SOURCE_GAUSSIAN || !run->orthogonal || run->tokens <= run->d_model ||
           error_set(err, ERROR_INPUT,
                     "orthogonal: %" PRId64 " rows cannot be orthogonal in d_model %" PRId64
                     " dimensions; take as many tokens or fewer",
                     run->tokens, run->d_model);
}

static bool open_input(struct engine *engine, struct run *run, struct input *input,
                       struct error *err)
{
    switch (run->source) {
    case SOURCE_CORPUS:
        return open_corpus_input(engine, run, input, err);
    case SOURCE_ARRAYS:
        return engine_open_arrays(engine, run, input, err);
    case SOURCE_SCORES:
        return open_scores_input(engine, run, input, err);
    default:
        input->tokens = (size_t)run->tokens;
        input->d_model = (size_t)run->d_model;
        return true;
    }
}

/* The place of the run's input among the known ones; SIZE_MAX if it is new. In a plan the next run
 * has the input of the one before it, or the one that followed that input last time. */
static size_t known_input(const struct engine *engine, const struct deciding *deciding,
                          const struct run *run, size_t last)
{
    for (size_t i = 0; i < engine->input_count; i++) {
        size_t at = (last + i) % engine->input_count;
        if (same_input(deciding, engine->inputs[at].sample, run)) {
            return at;
        }
    }
    return SIZE_MAX;
}

static bool add_input(struct engine *engine, const struct run *run, struct error *err)
{
    engine->inputs = arena_grow(engine->arena, engine->inputs, engine->input_count,
                                &engine->input_capacity, sizeof *engine->inputs, err);
    if (engine->inputs == NULL) {
        return false;
    }
    struct input *input = &engine->inputs[engine->input_count];
    memset(input, 0, sizeof *input);
    input->sample = arena_alloc(engine->arena, 1, sizeof *input->sample, err);
    if (input->sample == NULL) {
        return false;
    }
    *input->sample = *run;
    if (!open_input(engine, input->sample, input, err)) {
        return false;
    }
    /* Where queries and keys come from one input, there are as many of both. */
    input->queries = input->queries == 0 ? input->tokens : input->queries;
    engine->input_count++;
    return true;
}

/* Notes the input of a run; the first that is not the first input makes a list of all. */
static bool note_input(struct engine *engine, size_t run, size_t at, struct error *err)
{
    if (at > 0 && engine->input_of_run == NULL) {
        engine->input_of_run =
            arena_alloc(engine->arena, engine->runs->count, sizeof *engine->input_of_run, err);
        if (engine->input_of_run == NULL) {
            return false;
        }
    }
    if (engine->input_of_run != NULL) {
        engine->input_of_run[run] = (uint32_t)at;
    }
    return true;
}

/* Finds or opens the input of the run at `place` and hands it what that brings. `last` is the input
 * of the run before it. */
static bool open_run(struct engine *engine, const struct deciding *deciding, size_t place,
                     size_t *last, struct error *err)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    size_t at = known_input(engine, deciding, &run, *last);
    if (at == SIZE_MAX) {
        at = engine->input_count;
        if (!add_input(engine, &run, err)) {
            return false;
        }
    }
    struct input *input = &engine->inputs[at];
    if (!check_run(&run, input, err)) {
        return false;
    }
    adopt(&run, input);
    adopt(input->sample, input);
    *last = at;
    return note_input(engine, place, at, err) && run_list_set(engine->runs, place, &run, err);
}

struct engine *engine_open(struct run_list *runs, const char *folder, struct arena *arena,
                           struct error *err)
{
    struct engine *engine = arena_alloc(arena, 1, sizeof *engine, err);
    if (engine == NULL) {
        return NULL;
    }
    engine->arena = arena;
    engine->folder = folder;
    engine->runs = runs;
    struct deciding deciding;
    deciding.input_count = list_varying(runs, input_fields, LENGTH(input_fields), deciding.input);
    deciding.learning_count =
        list_varying(runs, learning_fields, LENGTH(learning_fields), deciding.learning);
    size_t last = 0;
    for (size_t i = 0; i < runs->count; i++) {
        if (!open_run(engine, &deciding, i, &last, err)) {
            return NULL;
        }
    }
    /* Most sweeps read one corpus, whose digest all runs have. */
    run_list_settle(runs);
    return engine;
}

size_t engine_tokens(const struct engine *engine, size_t run)
{
    return engine_input(engine, run)->tokens;
}

size_t engine_queries(const struct engine *engine, size_t run)
{
    return engine_input(engine, run)->queries;
}
