/* SPDX-License-Identifier: MIT */
/* Caption and data of the heat map; declared in weights.h. */
#include "attention/score_row.h"
#include "attention/weights.h"
#include "report/labels.h"
#include "report/markdown.h"
#include "report/scope.h"
#include "report/weights.h"

#include <string.h>

size_t weights_queries_shown(const struct result *row)
{
    return row->kept.queries < WEIGHTS_TOKENS ? row->kept.queries : WEIGHTS_TOKENS;
}

size_t weights_keys_shown(const struct result *row)
{
    return row->kept.tokens < WEIGHTS_TOKENS ? row->kept.tokens : WEIGHTS_TOKENS;
}

bool weights_keys_by_words(const struct result *row)
{
    return row->kept.words != NULL && row->kept.tokens <= WEIGHTS_WORDS;
}

/* Words name the keys; they name the queries where these are the same tokens. */
bool weights_queries_by_words(const struct result *row)
{
    return weights_keys_by_words(row) && row->kept.queries == row->kept.tokens;
}

size_t weights_keys_seen(const struct result *row, size_t query)
{
    const struct score_rule rule = {.causal = row->run.mask == MASK_CAUSAL};
    return score_row_visible(&rule, row->kept.queries, row->kept.tokens, query);
}

bool weights_any_masked(const struct weights *weights)
{
    for (size_t i = 0; i < weights->rows * weights->columns; i++) {
        const struct result *row = weights->panels[i / weights->columns][i % weights->columns];
        if (row != NULL && weights_keys_seen(row, 0) < row->kept.tokens) {
            return true;
        }
    }
    return false;
}

bool weights_sum_to_one(const struct weights *weights)
{
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            const struct result *row = weights->panels[r][c];
            if (row != NULL && !weights_alternatives[row->run.weights].sums_to_one) {
                return false;
            }
        }
    }
    return true;
}

bool weights_lines_cut(const struct weights *weights)
{
    for (size_t i = 0; i < weights->rows * weights->columns; i++) {
        const struct result *row = weights->panels[i / weights->columns][i % weights->columns];
        if (row != NULL && row->kept.tokens > WEIGHTS_TOKENS &&
            weights_keys_seen(row, weights_queries_shown(row) - 1) > WEIGHTS_TOKENS) {
            return true;
        }
    }
    return false;
}

/* The largest of the panels. */
struct sizes {
    size_t queries, keys;
    bool square;  /* every panel has as many queries as keys */
    bool unequal; /* panels differ in size */
};

static struct sizes sizes_of(const struct weights *weights)
{
    struct sizes sizes = {0, 0, true, false};
    for (size_t i = 0; i < weights->rows * weights->columns; i++) {
        const struct result *row = weights->panels[i / weights->columns][i % weights->columns];
        if (row == NULL) {
            continue;
        }
        const size_t queries = row->kept.queries;
        const size_t keys = row->kept.tokens;
        bool other = queries != sizes.queries || keys != sizes.keys;
        sizes.unequal = sizes.unequal || (sizes.keys > 0 && other);
        sizes.square = sizes.square && queries == keys;
        sizes.queries = queries > sizes.queries ? queries : sizes.queries;
        sizes.keys = keys > sizes.keys ? keys : sizes.keys;
    }
    return sizes;
}

const char *weights_cut_text(const struct weights *weights, struct arena *arena, struct error *err)
{
    const struct sizes sizes = sizes_of(weights);
    const char *most = sizes.unequal ? "up to " : "";
    const bool keys = sizes.keys > WEIGHTS_TOKENS;
    const bool queries = sizes.queries > WEIGHTS_TOKENS && !sizes.square;
    struct text out = TEXT_INIT(arena);
    text_append(&out, !keys && !queries ? "" : sizes.unequal ? "At most the" : "Only the");
    if (queries) {
        text_append_format(&out, " first %d of %s%zu queries", WEIGHTS_TOKENS, most, sizes.queries);
    }
    if (keys) {
        text_append_format(&out, "%s first %d of %s%zu %s", queries ? " and the" : "",
                           WEIGHTS_TOKENS, most, sizes.keys, sizes.square ? "tokens" : "keys");
    }
    text_append(&out, keys || queries ? " are drawn." : "");
    return text_finish(&out, err);
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

/* Whether a weight has no shade: it is negative, or not there. */
static bool lacks_shades(const struct result *row)
{
    for (size_t i = 0; row != NULL && i < row->kept.queries * row->kept.tokens; i++) {
        if (!(row->kept.weights[i] >= 0)) {
            return true;
        }
    }
    return false;
}

/* Whether a panel has a cell left white. */
static bool leaves_white(const struct weights *weights)
{
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            if (lacks_shades(weights->panels[r][c])) {
                return true;
            }
        }
    }
    return false;
}

static void append_caption_notes(struct text *caption, const struct weights *weights)
{
    const struct result *base = weights->panels[0][0];
    if (base != NULL && weights_keys_by_words(base) && repeats_a_word(base->kept.words)) {
        text_append(caption, " A word that occurs more than once competes with itself: its copies "
                             "have one vector and differ by their positions only, so they share "
                             "weight where a single word would take it all.");
    }
    if (leaves_white(weights)) {
        text_append(caption, " Negative weights and lines without weights are left white.");
    }
    if (weights_any_masked(weights)) {
        text_append(caption, " Grey cells are masked. A line that sees a single key has no choice: "
                             "its weight of 1 counts in no mean.");
    }
}

/* What a panel and a line of it are. */
static void append_reading(struct text *caption, const struct weights *weights)
{
    const struct scope scope = scope_of(weights->summary);
    const struct result *base = weights->panels[0][0];
    bool scores = (scope.sources & 1U << SOURCE_SCORES) != 0;
    bool given = scope.sources == 1U << SOURCE_SCORES;
    bool same = base != NULL && base->kept.queries == base->kept.tokens;
    bool cut = weights_lines_cut(weights);
    text_append_format(caption, " Each panel is %s",
                       given    ? "one matrix of given scores"
                       : scores ? "one head or one matrix of given scores"
                                : "one head");
    if (weights->row_axis != NULL) {
        text_append(caption, "; rows of panels differ in ");
        markdown_text(caption, view_axis_label(weights->row_axis));
    }
    if (weights->column_axis != NULL) {
        text_append(caption, weights->row_axis != NULL ? ", columns in " : "; columns differ in ");
        markdown_text(caption, view_axis_label(weights->column_axis));
    }
    text_append_format(caption, ". In a panel, line i holds the weights %s%s",
                       given  ? "of row i of the scores"
                       : same ? "that token i gives to every token"
                              : "that query i gives to every key",
                       cut ? ", as far as they are drawn" : "");
    text_append(caption, !weights_sum_to_one(weights)
                             ? "; where weights are no shares it does not sum to 1."
                         : cut ? "; they sum to 1 over all keys, drawn or not."
                               : ", and sums to 1.");
}

/* The names of columns or rows in full, where they may be cut in the figure. */
static bool append_values(struct text *caption, const struct weights *weights, struct arena *arena,
                          struct error *err)
{
    const struct summary_axis *rows = weights->row_axis;
    const struct summary_axis *columns = weights->column_axis;
    return (columns == NULL || columns->field == AXIS_GUARDS ||
            labels_append_values(caption, columns, weights->column_values, weights->columns,
                                 " from left to right", arena, err)) &&
           (rows == NULL || rows->field == AXIS_GUARDS ||
            labels_append_values(caption, rows, weights->row_values, weights->rows,
                                 " from top to bottom", arena, err));
}

const char *weights_caption(const struct weights *weights, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    const char *subject = weights_subject(weights, arena, err);
    const char *scope = weights_scope_text(weights, arena, err);
    const char *cut = weights_cut_text(weights, arena, err);
    if (subject == NULL || scope == NULL || cut == NULL) {
        return NULL;
    }
    text_append_format(&caption, "**%s.** ", subject);
    markdown_text(&caption, scope);
    text_append_format(&caption, "%s%s", *cut == '\0' ? "" : " ", cut);
    append_reading(&caption, weights);
    text_append(&caption, " A saturated line has one yellow cell and is dark "
                          "elsewhere; an even line has the same shade throughout. Shades follow "
                          "the square root of a weight, so that small weights can be told apart. "
                          "Where cells have room for numbers, these are rounded to two decimals, "
                          "and a weight below 0.005 carries none.");
    text_append(&caption, weights_lines_cut(weights)
                              ? " A line that is dark throughout may have its "
                                "weight on keys that are not drawn."
                              : "");
    text_append(&caption, weights->summary->seeds > 1
                              ? " The row-max above a panel is that of this seed; the tables have "
                                "the mean over seeds."
                              : "");
    append_caption_notes(&caption, weights);
    return append_values(&caption, weights, arena, err) ? text_finish(&caption, err) : NULL;
}

/* The drawn weights, one line a cell. */
const char *weights_data(const struct weights *weights, struct arena *arena, struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append(&data, "run\tquery\tkey\tweight\n");
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            const struct result *row = weights->panels[r][c];
            size_t keys = row == NULL ? 0 : weights_keys_shown(row);
            size_t cells = row == NULL ? 0 : weights_queries_shown(row) * keys;
            for (size_t i = 0; i < cells; i++) {
                char number[TEXT_REAL_SIZE];
                double weight = row->kept.weights[i / keys * row->kept.tokens + i % keys];
                text_append_format(&data, "%lld\t%zu\t%zu\t%s\n", (long long)row->index,
                                   i / keys + 1, i % keys + 1, text_from_real(weight, number));
            }
        }
    }
    return text_finish(&data, err);
}
