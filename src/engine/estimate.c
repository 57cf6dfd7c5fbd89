/* SPDX-License-Identifier: MIT */
/* See estimate.h. Rates are in seconds of one core of an Intel Xeon with AVX-512 at 2 GHz;
 * docs/performance.md says how well they hold. */
#include "engine/estimate.h"

#include "attention/gradient_block.h"
#include "attention/softmax_stream.h"
#include "attention/upstream.h"
#include "engine/engine_internal.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS_OF_START 0.032
#define SECONDS_A_ROW 5e-6        /* journal and file, one thread */
#define SECONDS_A_RUN 8e-6        /* beside what grows with its sizes */
#define SECONDS_A_NORMAL 2.7e-9   /* drawn */
#define SECONDS_A_PRODUCT 3.4e-11 /* multiplied and added in a matrix product */
#define SECONDS_A_SCORE 1.1e-8    /* weighed and measured */
#define SECONDS_A_PIECE 3.5e-9    /* the same in a long row of softmax, piece by piece */
#define SECONDS_A_QUERY 3.5e-7    /* a row of them, beside its scores */
#define SECONDS_A_ROUNDING 2.7e-8
#define SECONDS_A_GENERAL_SLOPE 9e-10  /* an element of the gradients of other weights */
#define SECONDS_AN_OUTER_SLOPE 2.05e-9 /* where each key has a derivative of its own */
#define SECONDS_AN_UPSTREAM 2.5e-9     /* an element of a drawn upstream and of what it becomes */
#define SECONDS_A_REFLECTION 2.4e-10   /* of an element by another token, in a collapsed draw */
#define SECONDS_AN_ENTRY 3e-9          /* of the input, measured */
#define SECONDS_A_FAR_ENTRY 8e-9       /* of one that the caches do not hold */
#define ENTRIES_AT_HAND 1e5
/* Rows of softmax with few weights above 2^-100, which is exp(-69), need no product. */
#define GAP_OF_FEW 69.0
#define FEW_WEIGHTS 32.0

#define BYTES_AT_START 2.6e7
#define BYTES_A_ROW_IN_MEMORY 900.0
#define BYTES_A_ROW_IN_THE_FILE 150.0
#define BYTES_OF_A_FILE 3.4e5

/* Of the weights of softmax, those that count. Scores are taken as normal with the spread that iid
 * projections give an input of spread 1 or, as given, input_spread. */
static double share_that_counts(const struct run *run, double n)
{
    double d = (double)run->d_model;
    double spread = run->guard_init ? 1 : d;
    double input = run->guard_norm || run->source != SOURCE_GAUSSIAN ? 1 : run->input_spread;
    spread *= input * input * (run->guard_scale ? 1 : sqrt((double)run->d_k)) * run->score_factor;
    double lowest = sqrt(2 * log(n + 1)) - GAP_OF_FEW / spread;
    return lowest < -8 ? 1 : fmax(0.5 * erfc(lowest / sqrt(2.0)), 1 / n);
}

static bool is_plain_softmax(const struct run *run)
{
    return run->weights == WEIGHTS_SOFTMAX && run->softcap == 0 && run->stabilise;
}

/* Of a gradient over n vectors. */
static double products_a_row(double n, double d)
{
    return gradient_keeps_distances((size_t)n, (size_t)d) ? n * n : 2 * n * d;
}

/* Of one drawn upstream: at the products of queries and keys, and from there at W_Q and W_K; or by
 * products of tokens where these are few. The same through uniform weights costs as much again, but
 * not where a sweep leaves ratios out. */
static double drawn_gradients(const struct run *run, double n, double d, double k)
{
    const double compared = 0.6;
    bool plain = run->qk_norm == QK_NORM_NONE && run->position != POSITION_ROPE;
    bool few = is_plain_softmax(run) && n * share_that_counts(run, n) <= (double)UPSTREAM_FEW;
    double ways = compared + (few ? 0 : 1);
    double elements = n * n * (fmin(ways, 1) * SECONDS_A_NORMAL + ways * SECONDS_AN_UPSTREAM);
    if (plain && n <= 64 && n <= d && n <= k) {
        return elements + ways * 4 * n * n * n * SECONDS_A_PRODUCT;
    }
    return elements + 2 * n * k * (ways * n + (1 + compared) * d) * SECONDS_A_PRODUCT;
}

/* Over tokens of d and keys of k dimensions. */
static double gradients(const struct run *run, double rows, double n, double d, double k)
{
    if (run->upstream == UPSTREAM_DRAWN) {
        return drawn_gradients(run, n, d, k);
    }
    if (run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE) {
        return rows * n * d * k * SECONDS_AN_OUTER_SLOPE;
    }
    if (!is_plain_softmax(run)) {
        return rows * n * (d + k) * SECONDS_A_GENERAL_SLOPE;
    }
    double share = share_that_counts(run, n);
    if (n * share <= FEW_WEIGHTS && share <= 0.25) {
        return 0;
    }
    return rows * (products_a_row(n, d) + products_a_row(n, k)) * SECONDS_A_PRODUCT;
}

/* Spreads and lengths of the input, in many passes. */
static double measured_input(double n, double d)
{
    return n * d * (n * d > ENTRIES_AT_HAND ? SECONDS_A_FAR_ENTRY : SECONDS_AN_ENTRY);
}

/* A collapsed draw is measured by a head of m = min(n, d) and at most m dimensions, drawn in two
 * squares of that and what is left of d_k beside them. */
static void price_collapsed(const struct run *run, double n, struct estimate_run *cost)
{
    double d = (double)run->d_model;
    double m = fmin(n, d);
    double k = fmin((double)run->d_k, m);
    double rest = fmin((double)run->d_k - k, m);
    cost->own += n * n * k * SECONDS_A_PRODUCT + gradients(run, n, n, m, k);
    cost->draw = m * (2 * k + (rest < m ? rest : 0)) * SECONDS_A_NORMAL;
    cost->projection = n * m * (2 * k + rest) * SECONDS_A_PRODUCT +
                       (n < d ? n * n * d * SECONDS_A_REFLECTION : 0) + measured_input(n, d);
}

struct estimate_run estimate_run(const struct run *run, size_t tokens, size_t queries)
{
    double n = (double)tokens;
    double rows = (double)queries;
    double d = (double)run->d_model;
    double k = (double)run->d_k;
    bool rounded = run->precision != PRECISION_FP64;
    bool streamed = n > (double)STREAM_PIECE && !rounded && is_plain_softmax(run);
    double score =
        (streamed ? SECONDS_A_PIECE : SECONDS_A_SCORE) + (rounded ? SECONDS_A_ROUNDING : 0);
    struct estimate_run cost = {.own = SECONDS_A_RUN + rows * (SECONDS_A_QUERY + n * score)};
    if (run->source == SOURCE_SCORES) {
        return cost;
    }
    if (run->draw == DRAW_COLLAPSED) {
        price_collapsed(run, n, &cost);
    } else {
        cost.own += rows * n * k * SECONDS_A_PRODUCT;
        if (run->q != NULL) {
            return cost;
        }
        cost.own += gradients(run, rows, n, d, k);
        cost.draw = run->w_q == NULL ? 2 * d * k * SECONDS_A_NORMAL : 0;
        cost.projection = 2 * n * d * k * SECONDS_A_PRODUCT + measured_input(n, d);
    }
    if (run->source == SOURCE_GAUSSIAN) {
        cost.projection += n * d * SECONDS_A_NORMAL;
    }
    return cost;
}

/* What gradients over n tokens of d and keys of k dimensions have in memory. */
static double gradient_numbers(double n, double d, double k)
{
    size_t tokens = (size_t)n;
    size_t largest = (size_t)fmax(d, k);
    return (double)(2 * gradient_distances_size(tokens, (size_t)d) +
                    gradient_distances_size(tokens, (size_t)k) + gradient_shares_size(tokens) +
                    gradient_scratch_size(tokens, largest));
}

/* What a drawn upstream has beside that: blocks of rows for four parts, and twice what it comes to
 * at queries and keys. */
static double upstream_numbers(const struct run *run, double n, double d, double k)
{
    double block = (double)GRADIENT_BLOCK;
    double rows = n <= 1024 ? fmin(n, block) : 4 * block;
    double few = n <= 64 ? 11 * n * n + 2 * n * fmax(d, k) : 0;
    return run->upstream == UPSTREAM_DRAWN
               ? 2 * rows * n + 6 * n * k + (rows + 128) * k + 256 * block + few
               : 0;
}

double estimate_buffers(const struct run *run, size_t tokens, size_t queries)
{
    double n = (double)tokens;
    double most = fmax(n, (double)queries);
    double block = n * fmin((double)queries, 64);
    if (run->source == SOURCE_SCORES) {
        return 8 * (block + 60 * most);
    }
    double d = (double)run->d_model;
    double k = (double)run->d_k;
    if (run->draw == DRAW_COLLAPSED) {
        double m = fmin(n, d);
        double strip = n < d ? n * fmin(d, n + fmax(n, 1024)) : 0;
        return 8 * (2 * n * d + strip + 8 * n * m + 5 * m * m + block + 66 * n + d +
                    gradient_numbers(n, m, fmin(k, m)));
    }
    /* A guard overwrites a long X that can be drawn again; what only some runs use stays untouched.
     */
    bool overwritten =
        run->source == SOURCE_GAUSSIAN && run->guard_norm && n * d > (double)ENGINE_LONG_INPUT;
    bool adjusted = run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE;
    double inputs = (overwritten ? 1 : 2) * n * d + (adjusted ? 3 : 2) * d * k;
    double normals = run->source == SOURCE_GAUSSIAN ? fmin(n * d, 131072) : 0; /* NORMALS_KEPT */
    return 8 * (inputs + normals + (adjusted ? 7 : 3) * most * k + block + 66 * most +
                gradient_numbers(n, d, k) + upstream_numbers(run, n, d, k));
}

double estimate_hand(const struct run *run, size_t tokens)
{
    double n = (double)tokens;
    double d = fmax((double)run->d_model, (double)run->d_k);
    double drawn = run->upstream == UPSTREAM_DRAWN
                       ? 8 * (double)GRADIENT_BLOCK * n + 128 * d + 256 * (double)GRADIENT_BLOCK
                       : 0;
    return 8 * (64 * n + (double)gradient_shares_size(tokens) + 128 * d + 16 * n + drawn);
}

/* What several runs share is paid once: names met before, and the most that one of them cost. Half
 * of a name is kept, the other half says where; chance equalities make an estimate no worse. */
struct met {
    uint32_t *names;
    double *most;
    size_t mask;
};

static bool met_prepare(struct met *met, size_t count, struct arena *arena, struct error *err)
{
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    met->mask = slots - 1;
    met->names = arena_alloc(arena, slots, sizeof *met->names, err);
    met->most = arena_alloc(arena, slots, sizeof *met->most, err);
    return met->names != NULL && met->most != NULL;
}

/* What this adds to the cost of all that has its name, of which the dearest is paid. */
static double met_most(struct met *met, uint64_t name, double cost)
{
    uint32_t kept = (uint32_t)(name >> 32) | 1;
    size_t slot = (size_t)name & met->mask;
    if (cost <= 0) {
        return 0;
    }
    while (met->names[slot] != 0 && met->names[slot] != kept) {
        slot = (slot + 1) & met->mask;
    }
    double before = met->names[slot] == kept ? met->most[slot] : 0;
    met->names[slot] = kept;
    if (cost <= before) {
        return 0;
    }
    met->most[slot] = cost;
    return cost - before;
}

/* A number for several; chance equalities make an estimate no worse. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

uint64_t estimate_draw_name(const struct run *run)
{
    uint64_t widths = mix(mix((uint64_t)run->draw, (uint64_t)run->d_model), (uint64_t)run->d_k);
    return mix(widths, (uint64_t)run->seed);
}

uint64_t estimate_projection_name(const struct engine *engine, const struct run *run, size_t place)
{
    uint64_t input = (uint64_t)(engine_input(engine, place) - engine->inputs);
    return mix(mix(estimate_draw_name(run), input), run->guard_norm);
}

/* By learner: seconds of an operation of engine_learning_cost; what a step takes beside its
 * arithmetic, as so many further dimensions; and bytes for each element of all word vectors, and
 * for each two words that meet. Random ones are drawn in no time. */
static const struct {
    double seconds, dimensions, bytes, entry_bytes;
} learners[] = {
    [LEARNER_COUNT_SVD] = {2.8e-10, 10, 45, 24}, [LEARNER_LOG_COUNT_SVD] = {2.9e-10, 15, 45, 24},
    [LEARNER_PPMI_SVD] = {4e-10, 10, 45, 36},    [LEARNER_RANDOM] = {0, 0, 16, 0},
    [LEARNER_SGNS] = {5.5e-11, 50, 16, 0},       [LEARNER_GLOVE] = {8.5e-11, 8, 60, 36},
};

static double learning_seconds(const struct engine *engine, const struct run *run, size_t place,
                               uint64_t *vectors)
{
    double operations = engine_learning_cost(engine, place, vectors);
    double beside = 1 + learners[run->learner].dimensions / (double)run->d_model;
    return operations > 0 ? operations * beside * learners[run->learner].seconds : 0;
}

static double learning_bytes(const struct engine *engine, const struct run *run, size_t place)
{
    const struct input *input = engine_input(engine, place);
    if (input->vocabulary == NULL) {
        return 0;
    }
    const struct vocabulary *vocabulary = &input->vocabulary->vocabulary;
    double words = (double)vocabulary->count;
    /* One in three neighbours is one not met before. */
    double met = 2 * (double)run->window * (double)vocabulary->kept / 3;
    return words * (double)run->d_model * learners[run->learner].bytes +
           fmin(met, words * words) * learners[run->learner].entry_bytes;
}

static struct estimate_price price(const struct engine *engine, const struct run *run, size_t place)
{
    struct estimate_price price = {.row = SECONDS_A_ROW};
    price.run = estimate_run(run, engine_tokens(engine, place), engine_queries(engine, place));
    price.draw = price.run.draw > 0 ? estimate_draw_name(run) : 0;
    price.learning = learning_seconds(engine, run, place, &price.vectors);
    return price;
}

struct estimate_price estimate_price(const struct engine *engine, size_t run)
{
    struct run values;
    run_list_get(engine->runs, run, &values);
    return price(engine, &values, run);
}

/* What the runs share: draws, and then projections; and word vectors. */
struct sharing {
    struct met draws, projections, vectors;
};

/* Runs of one name have one W, or corners of it; queries and keys of those with one projection are
 * the first columns of the widest. */
static void sharing_names(const struct engine *engine, const struct run *run, size_t place,
                          uint64_t *draw, uint64_t *projection)
{
    struct run widest = *run;
    if (run->draw == DRAW_WEIGHTS) {
        widest.d_k = 0;
    }
    *projection = estimate_projection_name(engine, &widest, place);
    if (run->draw == DRAW_WEIGHTS) {
        widest.d_model = 0;
    }
    *draw = estimate_draw_name(&widest);
}

static void add_run(const struct engine *engine, size_t place, struct sharing *sharing,
                    struct engine_estimate *out)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    struct estimate_price cost = price(engine, &run, place);
    uint64_t draw;
    uint64_t projection;
    sharing_names(engine, &run, place, &draw, &projection);
    out->draws += met_most(&sharing->draws, draw, cost.run.draw) +
                  met_most(&sharing->projections, projection, cost.run.projection);
    out->learning += met_most(&sharing->vectors, cost.vectors, cost.learning);
    out->learned = fmax(out->learned, learning_bytes(engine, &run, place));
    out->runs += cost.run.own;
    size_t tokens = engine_tokens(engine, place);
    double buffers = estimate_buffers(&run, tokens, engine_queries(engine, place));
    if (cost.run.own + cost.run.projection > ESTIMATE_LARGE) {
        out->large += cost.run.own;
        out->together = fmax(out->together, buffers);
        out->hands = fmax(out->hands, estimate_hand(&run, tokens));
    } else {
        out->buffers = fmax(out->buffers, buffers);
    }
}

bool engine_estimate(const struct engine *engine, const uint32_t *runs, size_t count,
                     size_t planned, double kept, size_t threads, struct engine_estimate *out,
                     struct error *err)
{
    struct arena arena = {NULL};
    struct sharing sharing;
    size_t inputs = count < engine->input_count ? count : engine->input_count;
    *out = (struct engine_estimate){.start = SECONDS_OF_START};
    bool good = met_prepare(&sharing.draws, count, &arena, err) &&
                met_prepare(&sharing.projections, count, &arena, err) &&
                met_prepare(&sharing.vectors, inputs, &arena, err);
    for (size_t i = 0; good && i < count; i++) {
        add_run(engine, runs == NULL ? i : runs[i], &sharing, out);
    }
    if (good) {
        out->rows = (double)count * SECONDS_A_ROW;
        double rows = (double)planned;
        /* The store holds what is kept, and the file is built and read back in memory. */
        double small = (double)threads * out->buffers;
        double large = out->together + (double)(threads - 1) * out->hands;
        out->memory = BYTES_AT_START + out->learned + fmax(small, large) +
                      rows * BYTES_A_ROW_IN_MEMORY + 3 * kept;
        out->file = BYTES_OF_A_FILE + rows * BYTES_A_ROW_IN_THE_FILE + kept;
    }
    arena_release(&arena);
    return good;
}

double estimate_seconds(const struct engine_estimate *estimate, size_t count, size_t threads,
                        double speed)
{
    double workers = (double)(threads < count ? threads : count);
    double shared = estimate->draws + estimate->runs - estimate->large;
    return (estimate->start + estimate->learning + estimate->rows +
            (workers > 0 ? shared / workers : 0) + estimate->large / (double)threads) /
           speed;
}
