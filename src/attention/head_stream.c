/* SPDX-License-Identifier: MIT */
/* Blocks of rows too long for a cache, piece by piece: the products of all rows of a block with
 * some keys, and from these at once what the rows need of them. No result depends on what is kept
 * of a row: its weights are finished where somebody asks for them. */
#include "attention/attention_internal.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* The rows of a block. */
struct stream {
    struct rows_part *part;
    size_t start, count;
    bool keeps_weights; /* f_j, then weights, go to the block */
    struct softmax_stream rows[ROW_BLOCK];
    bool refused[ROW_BLOCK]; /* to be measured as a whole */
};

size_t head_marks_size(size_t n)
{
    size_t pieces = (n + STREAM_PIECE - 1) / STREAM_PIECE;
    return ROW_BLOCK * pieces * sizeof(struct softmax_mark) / sizeof(double);
}

bool head_streams(const struct rows_task *task)
{
    return task->shape.tokens > STREAM_PIECE && task->given == NULL && task->twins == NULL &&
           !(task->scoring.cap > 0) && weigh_is_plain_softmax(&task->weighing) &&
           task->weighing.format == FORMAT_FP64;
}

static struct softmax_mark *marks_of(const struct stream *stream, size_t i)
{
    double *marks = stream->part->space->marks.data;
    size_t each = head_marks_size(stream->part->task->shape.tokens) / ROW_BLOCK;
    return (struct softmax_mark *)(void *)(marks + i * each);
}

static size_t visible_keys(const struct stream *stream, size_t i)
{
    const struct rows_task *task = stream->part->task;
    return score_row_visible(&task->scoring, task->queries, task->shape.tokens, stream->start + i);
}

/* Scores of row i from key `first` on, up to `width` of them. */
static void take_piece(struct stream *stream, size_t i, size_t first, size_t width)
{
    const struct rows_task *task = stream->part->task;
    struct head_space *own = stream->part->space;
    size_t n = task->shape.tokens;
    size_t visible = visible_keys(stream, i);
    if (visible <= first || stream->refused[i]) {
        return;
    }
    size_t count = visible - first < width ? visible - first : width;
    double *scores = own->pieces.data + i * PIECE_STRIDE;
    double *out = stream->keeps_weights ? own->block.data + i * n + first : scores;
    double factor = score_row_factor(&task->scoring, visible);
    stream->refused[i] = !softmax_stream_add(&stream->rows[i], count, factor, scores, out,
                                             marks_of(stream, i) + first / STREAM_PIECE);
}

/* The pieces of all rows, from the first keys to the last. */
static void take_pieces(struct stream *stream)
{
    const struct rows_task *task = stream->part->task;
    size_t n = visible_keys(stream, stream->count - 1); /* no row sees more */
    size_t d_k = task->shape.d_k;
    for (size_t first = 0; first < n; first += STREAM_PIECE) {
        size_t width = n - first < STREAM_PIECE ? n - first : STREAM_PIECE;
        product_multiply_strips(stream->count, d_k, width, task->q + stream->start * d_k,
                                task->k_strips + first * d_k, stream->part->space->pieces.data,
                                PIECE_STRIDE);
        for (size_t i = 0; i < stream->count; i++) {
            take_piece(stream, i, first, width);
        }
    }
}

/* The scores of row i once more, as they are kept. */
static void keep_scores(const struct stream *stream, size_t i, size_t visible)
{
    const struct rows_task *task = stream->part->task;
    size_t n = task->shape.tokens;
    size_t row = stream->start + i;
    if (task->scores == NULL) {
        return;
    }
    double *out = stream->part->space->copy.data;
    product_multiply_strips(1, task->shape.d_k, visible, task->q + row * task->shape.d_k,
                            task->k_strips, out, n);
    score_row_apply(&task->scoring, visible, out, NULL);
    head_keep_row(n, row, visible, out, (double)NAN, task->scores);
}

static void finish_row(struct stream *stream, size_t i)
{
    struct rows_part *part = stream->part;
    size_t n = part->task->shape.tokens;
    const struct softmax_stream *row = &stream->rows[i];
    size_t visible = visible_keys(stream, i);
    head_add_scores(part, row->scores, row->least, row->largest);
    keep_scores(stream, i, visible);
    struct row_measures measures = softmax_stream_measures(row);
    double *weights = part->space->block.data + i * n;
    if (stream->keeps_weights) {
        softmax_stream_weights(row, visible, marks_of(stream, i), weights);
        head_keep_row(n, stream->start + i, visible, weights, 0, part->task->weights);
    }
    size_t at;
    if (!head_store_row(part, row->scores, &measures, row->scores.count, &at)) {
        return;
    }
    const struct row_slopes slopes = {weights, weights, NULL, measures.arg_max, measures.others};
    head_measure_row_gradients(part, stream->start + i, visible, &slopes, at);
    for (size_t j = 0; stream->keeps_weights && j < visible; j++) {
        part->columns[j] += weights[j];
    }
}

/* A row with scores that are not finite, from its products on. */
static void measure_whole(struct stream *stream, size_t i)
{
    const struct rows_task *task = stream->part->task;
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    double *row = stream->part->space->block.data + i * n;
    product_multiply_strips(1, d_k, n, task->q + (stream->start + i) * d_k, task->k_strips, row, n);
    head_measure_row(stream->part, stream->start + i, row);
}

bool head_stream_block(struct rows_part *part, size_t start, size_t count)
{
    const struct head_input *input = part->task->input;
    struct stream stream = {.part = part, .start = start, .count = count};
    bool gradients = part->task->guarded != NULL && !input->no_gradients;
    stream.keeps_weights = !input->no_columns || gradients || part->task->weights != NULL;
    for (size_t i = 0; i < count; i++) {
        stream.rows[i] = softmax_stream_start();
        stream.refused[i] = visible_keys(&stream, i) == 0;
    }
    take_pieces(&stream);
    for (size_t i = 0; i < count; i++) {
        if (head_is_expired(part->task)) {
            return false;
        }
        if (stream.refused[i]) {
            measure_whole(&stream, i);
        } else {
            finish_row(&stream, i);
        }
    }
    head_finish_gradients(part);
    return true;
}
