/* SPDX-License-Identifier: MIT */
/* Caption and data of the heat map; declared in weights.h. */
#include "report/labels.h"
#include "report/markdown.h"
#include "report/weights.h"

#include <string.h>

size_t weights_tokens_shown(const struct result *row)
{
    return row->kept.tokens < WEIGHTS_TOKENS ? row->kept.tokens : WEIGHTS_TOKENS;
}

bool weights_shows_words(const struct result *row)
{
    return row->kept.words != NULL && row->kept.tokens <= WEIGHTS_WORDS;
}

/* Whether a word of the text stands in it twice. */
static bool repeats_a_word(const char *words)
{
    while (words != NULL && *words != '\0') {
        size_t length = strcspn(words, " ");
        const char *rest = words + length + (words[length] == ' ');
        for (const char *at = rest; *at != '\0';) {
            size_t other = strcspn(at, " ");
            if (other == length && memcmp(at, words, length) == 0) {
                return true;
            }
            at += other + (at[other] == ' ');
        }
        words = rest;
    }
    return false;
}

static void append_caption_notes(struct text *caption, const struct weights *weights)
{
    const struct result *base = weights->panels[0][0];
    if (base != NULL && weights_shows_words(base) && repeats_a_word(base->kept.words)) {
        text_append(caption, " A word that occurs more than once competes with itself: its copies "
                             "have one vector and differ by their positions only, so they share "
                             "weight where a single word would take it all.");
    }
    if (base != NULL && base->kept.tokens > WEIGHTS_TOKENS) {
        text_append_format(caption, " Only the first %d of %zu tokens are drawn.", WEIGHTS_TOKENS,
                           base->kept.tokens);
    }
    if (weights->columns_left_out > 0) {
        text_append_format(caption, " %zu further %s kept weights that %s not drawn.",
                           weights->columns_left_out,
                           weights->columns_left_out == 1 ? "value has" : "values have",
                           weights->columns_left_out == 1 ? "is" : "are");
    }
}

/* Which guard sets are drawn, when not all of the sweep are. */
static void append_guards_shown(struct text *caption, const struct weights *weights)
{
    bool rows = weights->row_axis != NULL;
    const struct summary_axis *guards = rows ? weights->row_axis : weights->column_axis;
    size_t shown = rows ? weights->rows : weights->columns;
    if (guards == NULL || guards->field != AXIS_GUARDS || guards->count == shown) {
        return;
    }
    text_append_format(caption,
                       " The figure shows %zu of %zu guard sets, preferring none, init + scale, "
                       "and init + scale + norm where their weights were kept.",
                       shown, guards->count);
}

const char *weights_caption(const struct weights *weights, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    text_append_format(&caption, "**Attention weights of seed %lld.** Each square is one head",
                       (long long)weights->seed);
    if (weights->row_axis != NULL) {
        text_append(&caption, "; rows of squares differ in the guards");
    }
    if (weights->column_axis != NULL) {
        text_append(&caption, ", columns in ");
        markdown_text(&caption, view_axis_label(weights->column_axis));
    }
    text_append(&caption, ". In a square, line i holds the weights that token i gives to every "
                          "token, and sums to 1. A saturated line has one yellow cell and is dark "
                          "elsewhere; an even line has the same shade throughout. Shades follow "
                          "the square root of a weight, so that small weights can be told apart. "
                          "Where cells have room for numbers, these are rounded to two decimals, "
                          "and a weight below 0.005 carries none. The row-max above a square is "
                          "that of this seed; the tables have the mean over seeds.");
    append_guards_shown(&caption, weights);
    append_caption_notes(&caption, weights);
    const struct summary_axis *columns = weights->column_axis;
    if (columns != NULL && columns->field != AXIS_GUARDS &&
        !labels_append_values(&caption, columns, weights->column_values, weights->columns,
                              " from left to right", arena, err)) {
        return NULL;
    }
    return text_finish(&caption, err);
}

/* The drawn weights, one line a cell. */
const char *weights_data(const struct weights *weights, struct arena *arena, struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append(&data, "run\tquery\tkey\tweight\n");
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            const struct result *row = weights->panels[r][c];
            size_t n = row == NULL ? 0 : weights_tokens_shown(row);
            for (size_t i = 0; i < n * n; i++) {
                char number[TEXT_REAL_SIZE];
                double weight = row->kept.weights[i / n * row->kept.tokens + i % n];
                text_append_format(&data, "%lld\t%zu\t%zu\t%s\n", (long long)row->index, i / n + 1,
                                   i % n + 1, text_from_real(weight, number));
            }
        }
    }
    return text_finish(&data, err);
}
