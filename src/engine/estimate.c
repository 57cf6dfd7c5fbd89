/* SPDX-License-Identifier: MIT */
/* See estimate.h. Rates are in seconds of one core of an Intel Xeon with AVX-512 at 2 GHz;
 * docs/performance.md says how well they hold. */
#include "engine/estimate.h"

#include "attention/gradient_block.h"
#include "attention/gradient_outer.h"
#include "attention/head.h"
#include "attention/softmax_stream.h"
#include "attention/upstream.h"
#include "engine/engine_internal.h"
#include "engine/estimate_inputs.h"
#include "engine/positions.h"
#include "run/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_OF_START 0.024
#define SECONDS_A_MEASURE 9e-8        /* of a row of the file, one thread */
#define SECONDS_A_NORMAL 1.9e-9       /* drawn */
#define SECONDS_OF_WHOLE_ROWS 1.45e-9 /* the same in rows of whole blocks */
#define NORMALS_AT_ONCE 64.0
#define SECONDS_A_PRODUCT 2.8e-11 /* multiplied and added in a matrix product */
#define SECONDS_A_QUERY 3.4e-7    /* a row of scores, beside them */
#define SECONDS_A_SCORE 3.6e-9    /* weighed and measured */
#define SECONDS_A_PIECE 1.2e-9    /* the same in a long row of softmax, piece by piece */
#define SECONDS_A_COLUMN 8e-10    /* added to its mean, in such a piece */
/* What the gradients of softmax add to these three, beside their products. */
#define SECONDS_A_GRADIENT 1.4e-7
#define SECONDS_A_SHARE 1.7e-9
#define SECONDS_A_SHARE_OF_A_PIECE 2.3e-9
#define SECONDS_A_ROUNDING 2.2e-8
#define SECONDS_AN_OUTER_SLOPE 9.8e-10 /* where each key has a derivative of its own */
#define SECONDS_A_PULLED_SLOPE 1e-8    /* the same by products, beside them */
#define SECONDS_AN_UPSTREAM 3.5e-9     /* an element of a drawn upstream and of what it becomes */
#define SECONDS_A_FAR_UPSTREAM 5e-9    /* of one in long rows */
#define SECONDS_A_REFLECTION 2.4e-10   /* of an element by another token, in a collapsed draw */
#define SECONDS_AN_ENTRY 3e-9          /* of the input, measured */
#define SECONDS_A_FAR_ENTRY 1.1e-8     /* of one that the caches do not hold */
#define ENTRIES_AT_HAND 3e6
#define SECONDS_A_POSITION 1.4e-8   /* of an entry, made; and added where it is kept */
#define SECONDS_AN_ORTHOGONAL 4e-10 /* of an entry by another token, made orthogonal */
#define SECONDS_A_KEPT_POSITION 4e-10
/* Rows of softmax with few weights above 2^-100, which is exp(-69), need no product. */
#define GAP_OF_FEW 69.0
#define FEW_WEIGHTS 32.0

#define BYTES_AT_START 1.6e7
#define BYTES_A_ROW_IN_MEMORY 900.0
#define BYTES_A_ROW_IN_THE_FILE 150.0
#define BYTES_OF_A_FILE 3.4e5

/* Where weights are no plain softmax: seconds of a score, and of a dimension of the tokens and keys
 * in its gradient; the first is softmax with a cap or without its stabilisation. */
static const struct {
    double score, slope;
} general_rates[] = {
    [WEIGHTS_SOFTMAX] = {6.9e-8, 4.4e-10},  [WEIGHTS_SOFTMAX_PLUS_ONE] = {4.7e-8, 5.5e-10},
    [WEIGHTS_SIGMOID] = {2.6e-8, 5.3e-10},  [WEIGHTS_SPARSEMAX] = {3.7e-8, 3.3e-10},
    [WEIGHTS_ENTMAX15] = {4.4e-8, 3.8e-10}, [WEIGHTS_SOFTPLUS] = {6.7e-8, 5.3e-10},
    [WEIGHTS_SQUARE] = {4.6e-8, 5.2e-10},   [WEIGHTS_SUM] = {5.4e-8, 6e-10},
    [WEIGHTS_ARGMAX] = {1.7e-8, 3.7e-10},
};
/* Where most keys have weight, they read an input that no cache holds for each row. */
#define SECONDS_A_FAR_SLOPE 8.5e-10

static double normals(double rows, double columns)
{
    bool whole = fmod(columns, NORMALS_AT_ONCE) == 0;
    return rows * columns * (whole ? SECONDS_OF_WHOLE_ROWS : SECONDS_A_NORMAL);
}

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

static double general_slope(const struct run *run, double n, double d)
{
    bool sparse = run->weights == WEIGHTS_SPARSEMAX || run->weights == WEIGHTS_ENTMAX15 ||
                  run->weights == WEIGHTS_ARGMAX;
    return !sparse && n * d > ENTRIES_AT_HAND ? SECONDS_A_FAR_SLOPE
                                              : general_rates[run->weights].slope;
}

/* Whether a drawn upstream goes by products of tokens. */
static bool goes_by_tokens(const struct run *run, double n, double d, double k)
{
    return run->upstream == UPSTREAM_DRAWN && run->qk_norm == QK_NORM_NONE &&
           run->position != POSITION_ROPE && n <= (double)UPSTREAM_FEW_TOKENS && n <= d && n <= k;
}

/* Of one drawn upstream: at the products of queries and keys, and from there at W_Q and W_K; or by
 * products of tokens where these are few. For ratios comes the same through uniform weights. */
static void price_drawn(const struct run *run, double n, double d, double k, bool ratios,
                        struct estimate_run *cost)
{
    double compared = ratios ? 1 : 0;
    bool few = is_plain_softmax(run) && n * share_that_counts(run, n) <= (double)UPSTREAM_FEW;
    double ways = compared + (few ? 0 : 1);
    double products = 2 * n * k * (ways * n + (1 + compared) * d);
    if (goes_by_tokens(run, n, d, k)) {
        products = ways * 4 * n * n * n;
    }
    double element = n > (double)STREAM_PIECE ? SECONDS_A_FAR_UPSTREAM : SECONDS_AN_UPSTREAM;
    cost->own += fmin(ways, 1) * normals(n, n) + (1 + compared) * n * n * element;
    cost->products += products * SECONDS_A_PRODUCT;
}

/* Where each key has a derivative of its own: by products of tokens, or one by one. */
static void price_outer(double rows, double n, double d, double k, bool ratios,
                        struct estimate_run *cost)
{
    if (gradient_gram_size((size_t)n) > 0) {
        cost->products += rows * n * n * k * (ratios ? 2 : 1) * SECONDS_A_PRODUCT;
        cost->slopes += rows * n * k * SECONDS_A_PULLED_SLOPE;
    } else {
        cost->slopes += rows * n * d * k * (ratios ? 2 : 1) * SECONDS_AN_OUTER_SLOPE;
    }
}

/* Over tokens of d and keys of k dimensions. */
static void price_gradients(const struct run *run, double rows, double n, double d, double k,
                            uint64_t lacking, struct estimate_run *cost)
{
    if (run->upstream == UPSTREAM_DRAWN) {
        price_drawn(run, n, d, k, !task_needs_no_ratios(lacking), cost);
        return;
    }
    if (run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE) {
        price_outer(rows, n, d, k, !task_needs_no_ratios(lacking), cost);
        return;
    }
    if (!is_plain_softmax(run)) {
        cost->slopes += rows * n * (d + k) * general_slope(run, n, d);
        return;
    }
    double share = share_that_counts(run, n);
    if (n * share > FEW_WEIGHTS || share > 0.25) {
        cost->products += rows * (products_a_row(n, d) + products_a_row(n, k)) * SECONDS_A_PRODUCT;
        cost->own +=
            rows * (SECONDS_A_GRADIENT +
                    n * (n > (double)STREAM_PIECE ? SECONDS_A_SHARE_OF_A_PIECE : SECONDS_A_SHARE));
    }
}

/* All distances between n vectors, once for all rows of gradients that need them: each is taken
 * once, at a little less than the rate of large products. */
static double distances(const struct run *run, double n, double d)
{
    bool kept = run->upstream != UPSTREAM_DRAWN && is_plain_softmax(run) &&
                gradient_keeps_distances((size_t)n, (size_t)d);
    return kept ? 0.85 * n * n * d * SECONDS_A_PRODUCT : 0;
}

/* Spreads and lengths of the input, in many passes. */
static double measured_input(double n, double d)
{
    return n * d * (n * d > ENTRIES_AT_HAND ? SECONDS_A_FAR_ENTRY : SECONDS_AN_ENTRY);
}

/* A collapsed draw is measured by a head of m = min(n, d) and at most m dimensions, drawn in two
 * squares of that and what is left of d_k beside them. */
static void price_collapsed(const struct run *run, double n, uint64_t lacking,
                            struct estimate_run *cost)
{
    double d = (double)run->d_model;
    double m = fmin(n, d);
    double k = fmin((double)run->d_k, m);
    double rest = fmin((double)run->d_k - k, m);
    cost->products += n * n * k * SECONDS_A_PRODUCT;
    if (!task_needs_no_gradients(lacking)) {
        price_gradients(run, n, n, m, k, lacking, cost);
        cost->products += distances(run, n, k);
        cost->compared = distances(run, n, m);
    }
    cost->draw = 2 * normals(m, k) + (rest < m ? normals(m, rest) : 0);
    cost->projected = n * m * (2 * k + rest) * SECONDS_A_PRODUCT;
    cost->projection = cost->projected;
    cost->input =
        cost->compared + (n < d ? n * n * d * SECONDS_A_REFLECTION : 0) + measured_input(n, d);
}

static void price_weights(const struct run *run, double rows, double n, uint64_t lacking,
                          struct estimate_run *cost)
{
    double d = (double)run->d_model;
    double k = (double)run->d_k;
    cost->products += rows * n * k * SECONDS_A_PRODUCT;
    if (run->q != NULL) {
        return;
    }
    if (!task_needs_no_gradients(lacking)) {
        price_gradients(run, rows, n, d, k, lacking, cost);
        bool by_tokens = goes_by_tokens(run, n, d, k);
        cost->products += distances(run, n, k);
        cost->projected = by_tokens ? 3 * n * n * k * SECONDS_A_PRODUCT : 0;
        cost->compared = by_tokens ? 2 * n * n * d * SECONDS_A_PRODUCT : distances(run, n, d);
    }
    cost->draw = run->w_q == NULL ? 2 * normals(d, k) : 0;
    cost->projected += 2 * n * d * k * SECONDS_A_PRODUCT;
    cost->projection = cost->projected;
    cost->input = cost->compared + measured_input(n, d);
}

/* Rows of scores beside their products. */
static double price_scores(const struct run *run, double rows, double n, bool columns)
{
    bool rounded = run->precision != PRECISION_FP64;
    bool streamed = n > (double)STREAM_PIECE && !rounded;
    double score = rounded ? SECONDS_A_ROUNDING : 0;
    if (!is_plain_softmax(run)) {
        score += general_rates[run->weights].score;
    } else {
        score += streamed ? SECONDS_A_PIECE + (columns ? SECONDS_A_COLUMN : 0) : SECONDS_A_SCORE;
    }
    return rows * (SECONDS_A_QUERY + n * score);
}

/* Positions of drawn tokens. */
static double positions(const struct run *run, double n)
{
    double entries = n * (double)run->d_model;
    bool kept = entries <= (double)POSITIONS_KEPT;
    return run->position == POSITION_SINUSOIDAL
               ? entries * (kept ? SECONDS_A_KEPT_POSITION : SECONDS_A_POSITION)
               : 0;
}

struct estimate_run estimate_run_without(const struct run *run, size_t tokens, size_t queries,
                                         uint64_t lacking)
{
    double n = (double)tokens;
    double rows = (double)queries;
    bool columns = !task_needs_no_columns(lacking);
    struct estimate_run cost = {.own = ESTIMATE_A_RUN + price_scores(run, rows, n, columns)};
    if (run->source == SOURCE_SCORES) {
        return cost;
    }
    if (run->draw == DRAW_COLLAPSED) {
        price_collapsed(run, n, lacking, &cost);
    } else {
        price_weights(run, rows, n, lacking, &cost);
    }
    if (run->source == SOURCE_GAUSSIAN && run->q == NULL) {
        double d = (double)run->d_model;
        cost.projection += normals(n, d) + positions(run, n) +
                           (run->orthogonal ? n * n * d * SECONDS_AN_ORTHOGONAL : 0);
    }
    cost.own += cost.products + cost.slopes;
    return cost;
}

/* Where rows are the longer part and one thread does them, the others had better do other runs. */
bool estimate_is_large(const struct estimate_run *cost, size_t queries, double least)
{
    double rows = queries > HEAD_ROWS_OF_ONE ? cost->own : 0;
    double once = cost->projection + cost->input;
    double shared = rows + once;
    return shared > least && shared > 0.5 * (cost->own + once);
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

/* Saving a row, in the journal and in the file. */
static double row_seconds(uint64_t lacking)
{
    uint64_t stored = measurement_fields_all() & ~lacking;
    return ESTIMATE_A_RECORD + SECONDS_A_MEASURE * (double)__builtin_popcountll(stored);
}

static struct estimate_price price(const struct engine *engine, const struct run *run, size_t place,
                                   uint64_t lacking)
{
    const struct input *input = engine_input(engine, place);
    struct estimate_price price = {.row = row_seconds(lacking)};
    price.run = estimate_run_without(run, engine_tokens(engine, place),
                                     engine_queries(engine, place), lacking);
    price.draw = price.run.draw > 0 ? estimate_draw_name(run) : 0;
    price.learning = estimate_learning(input);
    price.vectors = input->vocabulary == NULL ? 0 : input->learning;
    return price;
}

struct estimate_price estimate_price(const struct engine *engine, size_t run, uint64_t lacking)
{
    struct run values;
    run_list_get(engine->runs, run, &values);
    return price(engine, &values, run, lacking);
}

/* What the runs share: draws, and then projections; gaussian inputs, each of one seed, and others;
 * and word vectors. */
struct sharing {
    struct met draws, projections, gaussian, vectors;
    struct estimate_inputs inputs;
    struct positions *positions;
};

/* A gaussian X of fewer tokens is a part of the larger one, and so are its queries and keys. */
static uint64_t projection_name(const struct engine *engine, const struct run *run, size_t place)
{
    if (run->source != SOURCE_GAUSSIAN || run->orthogonal || run->draw == DRAW_COLLAPSED) {
        return estimate_projection_name(engine, run, place);
    }
    uint64_t spread;
    memcpy(&spread, &run->input_spread, sizeof spread);
    uint64_t kind = mix(mix(estimate_draw_name(run), spread), run->position == POSITION_SINUSOIDAL);
    return mix(kind, run->guard_norm);
}

/* Runs of one name have one W, or corners of it; queries and keys of those with one projection are
 * the first columns of the widest. */
static void sharing_names(const struct engine *engine, const struct run *run, size_t place,
                          uint64_t *draw, uint64_t *projection)
{
    struct run widest = *run;
    if (run->draw == DRAW_WEIGHTS) {
        widest.d_k = 0;
    }
    *projection = projection_name(engine, &widest, place);
    if (run->draw == DRAW_WEIGHTS) {
        widest.d_model = 0;
    }
    *draw = estimate_draw_name(&widest);
}

/* Of its X behind its guard. */
static uint64_t gaussian_name(const struct run *run)
{
    uint64_t sizes = mix(mix((uint64_t)run->draw, (uint64_t)run->d_model), (uint64_t)run->tokens);
    return mix(mix(sizes, (uint64_t)run->seed), run->guard_norm);
}

static void add_run(const struct engine *engine, size_t place, uint64_t lacking,
                    struct sharing *sharing, struct engine_estimate *out)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    struct estimate_price cost = price(engine, &run, place, lacking);
    uint64_t draw;
    uint64_t projection;
    sharing_names(engine, &run, place, &draw, &projection);
    out->draws += met_most(&sharing->draws, draw, cost.run.draw) +
                  met_most(&sharing->projections, projection, cost.run.projection);
    if (run.source == SOURCE_GAUSSIAN) {
        out->draws += met_most(&sharing->gaussian, gaussian_name(&run), cost.run.input);
    } else if (cost.run.input > 0) {
        estimate_inputs_add(&sharing->inputs, engine, place, cost.run.input);
    }
    positions_count(sharing->positions, engine, place);
    out->learning += met_most(&sharing->vectors, cost.vectors, cost.learning);
    out->learned = fmax(out->learned, estimate_learning_bytes(engine_input(engine, place)));
    out->runs += cost.run.own;
    size_t tokens = engine_tokens(engine, place);
    double buffers = estimate_buffers(&run, tokens, engine_queries(engine, place));
    if (estimate_is_large(&cost.run, engine_queries(engine, place), ESTIMATE_LARGE)) {
        out->large += cost.run.own;
        out->together = fmax(out->together, buffers);
        out->hands = fmax(out->hands, estimate_hand(&run, tokens));
    } else {
        out->buffers = fmax(out->buffers, buffers);
    }
}

bool engine_estimate(const struct engine *engine, const struct estimate_sweep *sweep,
                     struct engine_estimate *out, struct error *err)
{
    struct arena arena = {NULL};
    struct sharing sharing;
    size_t count = sweep->count;
    size_t inputs = count < engine->input_count ? count : engine->input_count;
    *out = (struct engine_estimate){.start = SECONDS_OF_START};
    sharing.positions = positions_start(&arena, err);
    bool good = sharing.positions != NULL && met_prepare(&sharing.draws, count, &arena, err) &&
                met_prepare(&sharing.projections, count, &arena, err) &&
                met_prepare(&sharing.gaussian, count, &arena, err) &&
                met_prepare(&sharing.vectors, inputs, &arena, err) &&
                estimate_inputs_prepare(&sharing.inputs, count, &arena, err);
    for (size_t i = 0; good && i < count; i++) {
        add_run(engine, sweep->runs[i], sweep->lacking, &sharing, out);
    }
    if (good) {
        out->draws += estimate_inputs_sum(&sharing.inputs);
        out->fresh =
            (out->together + (double)sweep->threads * out->buffers) * ESTIMATE_A_FRESH_BYTE;
        out->rows = (double)count * row_seconds(sweep->lacking);
        double rows = (double)sweep->planned;
        /* The store holds what is kept, and the file is built and read back in memory. */
        double small = (double)sweep->threads * out->buffers;
        double large = out->together + (double)(sweep->threads - 1) * out->hands;
        out->memory = BYTES_AT_START + out->learned +
                      8 * (double)positions_numbers(sharing.positions) + fmax(small, large) +
                      rows * BYTES_A_ROW_IN_MEMORY + 3 * sweep->kept;
        out->file = BYTES_OF_A_FILE + rows * BYTES_A_ROW_IN_THE_FILE + sweep->kept;
    }
    arena_release(&arena);
    return good;
}

double estimate_seconds(const struct engine_estimate *estimate, size_t count, size_t threads,
                        double speed)
{
    double workers = (double)(threads < count ? threads : count);
    double shared = estimate->draws + estimate->runs + estimate->fresh - estimate->large;
    return (estimate->start + estimate->learning + estimate->rows +
            (workers > 0 ? shared / workers : 0) + estimate->large / (double)threads) /
           speed;
}
