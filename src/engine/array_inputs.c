/* SPDX-License-Identifier: MIT */
/* Inputs from array files: X with or without its projections, or Q and K; and of several heads that
 * lie side by side, the one that a run asks for. */
#include "engine/engine_internal.h"

#include "attention/position.h"
#include "run/fields.h"

#include <string.h>

/* The heads of w_q and q, or of w_k and k, and which of them the run measures. */
struct head_choice {
    size_t heads, head;
};

static bool choose_heads(const struct run *run, bool of_keys, struct head_choice *out,
                         struct error *err)
{
    size_t heads = (size_t)run->heads;
    size_t key_heads = run->key_heads == 0 ? heads : (size_t)run->key_heads;
    size_t head = (size_t)run->head;
    if (head >= heads) {
        return error_set(err, ERROR_INPUT,
                         "head %zu is not among the %zu of 'heads'; the first is 0, the last %zu",
                         head, heads, heads - 1);
    }
    if (heads % key_heads != 0) {
        return error_set(err, ERROR_INPUT,
                         "key_heads %zu does not divide heads %zu: each must serve as many query "
                         "heads",
                         key_heads, heads);
    }
    *out = of_keys ? (struct head_choice){key_heads, head / (heads / key_heads)}
                   : (struct head_choice){heads, head};
    return true;
}

/* Copies columns, or rows where the file is transposed, of one head. */
static bool cut(struct engine *engine, const struct array *array, const double *from,
                struct head_choice choice, bool transposed, struct matrix *out, struct error *err)
{
    size_t wide = transposed ? array->rows : array->columns;
    size_t rows = transposed ? array->columns : array->rows;
    size_t columns = wide / choice.heads;
    double *values = arena_alloc(engine->arena, rows * columns, sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    size_t first = choice.head * columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            size_t at =
                transposed ? (first + j) * array->columns + i : i * array->columns + first + j;
            values[i * columns + j] = from[at];
        }
    }
    *out = (struct matrix){rows, columns, values, array->digest};
    return true;
}

/* One head of a file that holds several, side by side or plane by plane. */
static bool select_head(struct engine *engine, const char *name, struct head_choice choice,
                        bool transposed, struct matrix *out, struct error *err)
{
    const struct array *array = engine_array(engine, name, err);
    if (array == NULL) {
        return false;
    }
    size_t size = array->rows * array->columns;
    if (array->planes > 1) {
        if (array->planes != choice.heads) {
            return error_set(err, ERROR_INPUT,
                             "'%s' holds %zu matrices, one a head; set heads or key_heads to %zu, "
                             "not %zu",
                             name, array->planes, array->planes, choice.heads);
        }
        const double *plane = array->values + choice.head * size;
        *out = (struct matrix){array->rows, array->columns, plane, array->digest};
        struct head_choice whole = {1, 0};
        return !transposed || cut(engine, array, plane, whole, true, out, err);
    }
    if (choice.heads == 1 && !transposed) {
        *out = (struct matrix){array->rows, array->columns, array->values, array->digest};
        return true;
    }
    size_t wide = transposed ? array->rows : array->columns;
    if (wide % choice.heads != 0) {
        return error_set(err, ERROR_INPUT, "'%s' has %zu %s, which %zu heads do not divide", name,
                         wide, transposed ? "rows" : "columns", choice.heads);
    }
    return cut(engine, array, array->values, choice, transposed, out, err);
}

static bool check_widths(const char *query_name, const struct matrix *query, const char *key_name,
                         const struct matrix *key, struct error *err)
{
    return query->columns == key->columns ||
           error_set(err, ERROR_INPUT,
                     "'%s' has %zu columns a head and '%s' %zu; both must be d_k: see heads and "
                     "key_heads",
                     query_name, query->columns, key_name, key->columns);
}

static bool check_sizes(const char *name, const struct matrix *matrix, struct error *err)
{
    double limit = run_fields[RUN_TOKENS].maximum;
    return ((double)matrix->rows <= limit && (double)matrix->columns <= limit) ||
           error_set(err, ERROR_INPUT, "'%s' is (%zu, %zu); each size must be at most %.0f", name,
                     matrix->rows, matrix->columns, limit);
}

/* The side of a file of projections that meets x must be d_model long. */
static bool check_draw(const struct run *run, const char *name, const struct array *array,
                       size_t d_model, struct error *err)
{
    size_t meets = run->transposed ? array->columns : array->rows;
    size_t other = run->transposed ? array->rows : array->columns;
    const char *hint = other != d_model  ? ""
                       : run->transposed ? "; leave out transposed"
                                         : "; set transposed: on if it is stored as PyTorch's "
                                           "Linear does, (d_k, d_model)";
    return meets == d_model || error_set(err, ERROR_INPUT,
                                         "'%s' is (%zu, %zu), but d_model, the columns of '%s', is "
                                         "%zu%s",
                                         name, array->rows, array->columns, run->x, d_model, hint);
}

static bool open_draw(struct engine *engine, const struct run *run, bool of_keys, size_t d_model,
                      struct matrix *out, struct error *err)
{
    const char *name = of_keys ? run->w_k : run->w_q;
    const struct array *array = engine_array(engine, name, err);
    struct head_choice choice = {1, 0};
    return array != NULL && choose_heads(run, of_keys, &choice, err) &&
           check_draw(run, name, array, d_model, err) &&
           select_head(engine, name, choice, run->transposed, out, err);
}

/* X itself; with a sinusoidal encoding asked for, a copy that holds it. */
static bool open_x(struct engine *engine, const struct run *run, struct input *input,
                   struct error *err)
{
    const struct array *array = engine_array(engine, run->x, err);
    if (array == NULL) {
        return false;
    }
    if (array->planes > 1) {
        return error_set(err, ERROR_INPUT, "'%s' is (%zu, %zu, %zu); x is (tokens, d_model)",
                         run->x, array->planes, array->rows, array->columns);
    }
    struct matrix x = {array->rows, array->columns, array->values, array->digest};
    if (!check_sizes(run->x, &x, err)) {
        return false;
    }
    input->tokens = x.rows;
    input->d_model = x.columns;
    input->x_digest = x.digest;
    input->x = x.values;
    if (run->position == POSITION_SINUSOIDAL) {
        double *copy = arena_alloc(engine->arena, x.rows * x.columns, sizeof *copy, err);
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, x.values, x.rows * x.columns * sizeof *copy);
        position_add_sinusoidal(0, x.rows, x.columns, copy);
        input->x = copy;
    }
    return true;
}

static bool open_projected(struct engine *engine, const struct run *run, struct input *input,
                           struct error *err)
{
    if ((run->w_q == NULL) != (run->w_k == NULL)) {
        return error_set(err, ERROR_INPUT, "%s is given without %s; give both, or neither",
                         run->w_q == NULL ? "w_k" : "w_q", run->w_q == NULL ? "w_q" : "w_k");
    }
    if (run->w_q == NULL &&
        (run->transposed || run->heads > 1 || run->key_heads > 0 || run->head > 0)) {
        return error_set(err, ERROR_INPUT, "%s, but no w_q and w_k are given",
                         run->transposed ? "transposed is on" : "heads, key_heads or head is set");
    }
    if (!open_x(engine, run, input, err)) {
        return false;
    }
    return run->w_q == NULL || (open_draw(engine, run, false, input->d_model, &input->w_q, err) &&
                                open_draw(engine, run, true, input->d_model, &input->w_k, err) &&
                                check_widths(run->w_q, &input->w_q, run->w_k, &input->w_k, err));
}

static bool open_side(struct engine *engine, const struct run *run, bool of_keys,
                      struct matrix *out, struct error *err)
{
    const char *name = of_keys ? run->k : run->q;
    struct head_choice choice = {1, 0};
    return choose_heads(run, of_keys, &choice, err) &&
           select_head(engine, name, choice, false, out, err) && check_sizes(name, out, err);
}

static bool open_sides(struct engine *engine, const struct run *run, struct input *input,
                       struct error *err)
{
    if (run->q == NULL || run->k == NULL) {
        return error_set(err, ERROR_INPUT, "%s is given without %s; give both, or x instead",
                         run->q == NULL ? "k" : "q", run->q == NULL ? "q" : "k");
    }
    if (run->x != NULL || run->w_q != NULL || run->w_k != NULL) {
        return error_set(err, ERROR_INPUT, "q and k stand in place of x, w_q and w_k; leave out %s",
                         run->x != NULL ? "x" : "w_q and w_k");
    }
    if (run->position == POSITION_SINUSOIDAL) {
        return error_set(err, ERROR_INPUT,
                         "position sinusoidal is added to x, which q and k replace; leave it out");
    }
    if (run->transposed) {
        return error_set(err, ERROR_INPUT,
                         "transposed is for w_q and w_k; q and k hold a row for each token, so "
                         "leave it out");
    }
    if (!open_side(engine, run, false, &input->q, err) ||
        !open_side(engine, run, true, &input->k, err) ||
        !check_widths(run->q, &input->q, run->k, &input->k, err)) {
        return false;
    }
    input->queries = input->q.rows;
    input->tokens = input->k.rows;
    return true;
}

bool engine_open_arrays(struct engine *engine, const struct run *run, struct input *input,
                        struct error *err)
{
    if (run->q != NULL || run->k != NULL) {
        return open_sides(engine, run, input, err);
    }
    if (run->x == NULL) {
        return error_set(err, ERROR_INPUT, "source arrays needs x, or q and k");
    }
    return open_projected(engine, run, input, err);
}
