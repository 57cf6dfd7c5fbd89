/* SPDX-License-Identifier: MIT */
/* Draws attention weights as heat maps with their words; declared in figures.h. */
#include "report/heatmap.h"

#include "report/figures.h"
#include "report/labels.h"
#include "report/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WORD_LIMIT = 14,    /* characters of a word on an axis at the edge of the page, */
    INNER_LIMIT = 9,    /* and between panels */
    SLANTED_CELL = 34,  /* words under narrower cells stand upright */
    LINE_HEIGHT = 110,  /* of the lines of panels that are wider than high, */
    LEAST_HEIGHT = 240, /* and of such a panel, at the least, */
    LEAST_OF_MANY = 90, /* where there are more than two rows of them */
    BAR_HEIGHT = 240,   /* of the bar of colours, at the least */
    TITLE_LIMIT = 76,
    LINE_LIMIT = 150, /* of what is shown, in a line below the title */
    LINES = 3,        /* of the words on all panels, */
    CUT_LINES = 2     /* and up to two more where panels are cut */
};

static const double page_width = 2000;
static const double left_margin = 190;
static const double right_margin = 216;
static const double name_height = 60; /* of its two lines */
static const double inner_gap = 130;  /* between panels that have words or names of their own */

/* Most queries of a panel; 0 when one has as many queries as keys. */
static size_t most_queries_of_wide(const struct weights *weights)
{
    size_t most = 0;
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            const struct result *row = weights->panels[r][c];
            if (row != NULL && row->kept.queries >= row->kept.tokens) {
                return 0;
            }
            most = row != NULL && row->kept.queries > most ? row->kept.queries : most;
        }
    }
    return most;
}

/* Room for the words or numbers below a panel that is not the last. */
static double room_below(const struct weights *weights)
{
    const struct result *first = weights->panels[0][0];
    bool words = first == NULL || weights_keys_by_words(first);
    return weights->same_words ? 0 : words ? 100 : 40;
}

static struct layout layout_of(const struct weights *weights, double top)
{
    double gap = weights->listed || !weights->same_words ? inner_gap : 40;
    double columns = (double)weights->columns;
    double width = (page_width - left_margin - right_margin - gap * (columns - 1)) / columns;
    width = width > 640 ? 640 : width;
    double height = width < 420 ? 0.72 * width : 0.62 * width;
    size_t lines = most_queries_of_wide(weights);
    if (lines > 0) {
        double least = weights->rows > 2 ? LEAST_OF_MANY : LEAST_HEIGHT;
        height = fmin(height, fmax((least / LEAST_HEIGHT) * LINE_HEIGHT * (double)lines, least));
    }
    double names = weights->listed ? 96 + name_height : 96;
    return (struct layout){left_margin, top,         width,
                           height,      width + gap, height + names + room_below(weights)};
}

static bool has_finite(const struct result *row)
{
    for (size_t i = 0; i < weights_queries_shown(row); i++) {
        for (size_t j = 0; j < weights_keys_shown(row); j++) {
            if (isfinite(row->kept.weights[i * row->kept.tokens + j])) {
                return true;
            }
        }
    }
    return false;
}

/* Cell by cell: key, query, weight. gnuplot draws no image of fewer than 2 by 2 cells, so a single
 * line or column is doubled; the axes show the first. */
static void append_block(struct text *script, const struct result *row, size_t r, size_t c)
{
    size_t queries = weights_queries_shown(row);
    size_t keys = weights_keys_shown(row);
    text_append_format(script, "$r%zuc%zu << ROWMAX_EOD\n", r, c);
    for (size_t i = 0; i < queries || i < 2; i++) {
        for (size_t j = 0; j < keys || j < 2; j++) {
            size_t at = (i < queries ? i : 0) * row->kept.tokens + (j < keys ? j : 0);
            double weight = row->kept.weights[at];
            bool seen = at % row->kept.tokens < weights_keys_seen(row, at / row->kept.tokens);
            if (isfinite(weight) && seen) {
                text_append_format(script, "%zu %zu %.6g\n", j, i, weight);
            } else {
                text_append_format(script, "%zu %zu NaN\n", j, i);
            }
        }
    }
    text_append(script, "ROWMAX_EOD\n");
}

/* Grey boxes over the keys that the mask hides, one a line. */
static void append_mask(struct text *script, const struct result *row)
{
    size_t keys = weights_keys_shown(row);
    for (size_t i = 0; i < weights_queries_shown(row); i++) {
        size_t seen = weights_keys_seen(row, i);
        if (seen < keys) {
            text_append_format(
                script,
                "set object rectangle from first %.1f, first %.1f to first %.1f, "
                "first %.1f front fillcolor rgb " CANVAS_GRID " fillstyle solid noborder\n",
                (double)seen - 0.5, (double)i - 0.5, (double)keys - 0.5, (double)i + 0.5);
        }
    }
}

/* What stands along one side of a panel. */
struct side {
    const char *style; /* "xtics" or "ytics", and how they are set */
    size_t count;
    const char *words; /* NULL: numbers */
};

/* The words as marks of an axis: ('the' 0, 'cat' 1, ...); numbers when there are none. */
static bool append_words(struct text *script, const struct side *side, size_t limit,
                         struct arena *arena, struct error *err)
{
    const char *at = side->words;
    size_t n = side->count;
    size_t step = n <= WEIGHTS_WORDS ? 1 : 10;
    text_append_format(script, "set %s (", side->style);
    for (size_t i = 0; i < n; i++) {
        char word[256] = "";
        if (at != NULL) {
            size_t length = strcspn(at, " ");
            snprintf(word, sizeof word, "%.*s", (int)(length < 200 ? length : 200), at);
            at += length + (at[length] == ' ');
        }
        if (side->words == NULL) {
            snprintf(word, sizeof word, "%zu", i + 1);
        }
        if (i % step != 0) {
            continue;
        }
        const char *label = gnuplot_label(arena, word, limit, err);
        if (label == NULL) {
            return false;
        }
        text_append(script, i == 0 ? "" : ", ");
        gnuplot_quote(script, label);
        text_append_format(script, " %zu", i);
    }
    text_append(script, ")\n");
    return true;
}

/* How the marks of the keys are set: numbers straight, words slanted or, under narrow cells,
 * upright. */
static const char *keys_style(const struct result *row, bool upright)
{
    if (!weights_keys_by_words(row)) {
        return "xtics scale 0 norotate center offset 0,0.4 font FONT.',15' "
               "textcolor rgb " CANVAS_INK;
    }
    return upright ? "xtics scale 0 rotate by 90 right offset 0,0.2 font FONT.',15' "
                     "textcolor rgb " CANVAS_INK
                   : "xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' "
                     "textcolor rgb " CANVAS_INK;
}

/* Marks of both axes: words where the panel stands at the edge, none inside. */
static bool append_axes(struct canvas *canvas, const struct weights *weights,
                        const struct layout *layout, const struct result *row, size_t r, size_t c,
                        struct arena *arena, struct error *err)
{
    bool left = c == 0 || !weights->same_words;
    bool bottom = r + 1 == weights->rows || !weights->same_words;
    size_t queries = weights_queries_shown(row);
    size_t keys = weights_keys_shown(row);
    bool upright = layout->width / (double)keys < SLANTED_CELL;
    size_t limit = weights->same_words ? WORD_LIMIT : INNER_LIMIT;
    const struct side y = {"ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb " CANVAS_INK,
                           queries, weights_queries_by_words(row) ? row->kept.words : NULL};
    const struct side x = {keys_style(row, upright), keys,
                           weights_keys_by_words(row) ? row->kept.words : NULL};
    text_append_format(&canvas->script, "set xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n",
                       keys - 1, queries - 1);
    text_append(&canvas->script, "unset xtics\nunset ytics\n");
    return (!left || append_words(&canvas->script, &y, limit, arena, err)) &&
           (!bottom ||
            append_words(&canvas->script, &x, upright ? INNER_LIMIT : limit, arena, err));
}

/* Numbers in the cells where they fit, and thin lines between the cells of small matrices. */
static void append_image(struct canvas *canvas, const struct layout *layout,
                         const struct result *row, size_t r, size_t c)
{
    size_t queries = weights_queries_shown(row);
    size_t keys = weights_keys_shown(row);
    double cell_width = layout->width / (double)keys;
    double cell_height = layout->height / (double)queries;
    if (keys <= WEIGHTS_WORDS && queries <= WEIGHTS_WORDS) {
        text_append_format(
            &canvas->script,
            "do for [k=1:%zu] {\n"
            "  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front "
            "linewidth 0.7 linecolor rgb 'white'\n}\n"
            "do for [k=1:%zu] {\n"
            "  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front "
            "linewidth 0.7 linecolor rgb 'white'\n}\n",
            keys - 1, queries - 1);
    }
    append_mask(&canvas->script, row);
    text_append_format(&canvas->script, "plot $r%zuc%zu using 1:2:(tone($3)) with @IMAGE", r, c);
    if (cell_width >= 42 && cell_height >= 24) {
        text_append_format(&canvas->script,
                           ", \\\n     $r%zuc%zu using 1:2:(cell($3)):(shade($3)) with "
                           "labels font FONT.',13' textcolor rgb variable",
                           r, c);
    }
    text_append(&canvas->script, "\n");
}

static void append_colour_bar(struct canvas *canvas, const struct canvas_area *area, double left)
{
    const double height = fmax(area->height, BAR_HEIGHT);
    text_append_format(
        &canvas->script,
        "set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder\n"
        "set cbtics ('0' 0, '0.01' 0.1, '0.05' sqrt(0.05), '0.1' sqrt(0.1), '0.25' 0.5, "
        "'0.5' sqrt(0.5), '1' 1) scale 0.4 offset -0.6,0 font FONT.',16'\n"
        "set cblabel 'attention weight' offset -0.6,0 font FONT.',17' "
        "textcolor rgb " CANVAS_INK "\n",
        left / canvas->width, 1 - (area->top + height) / canvas->height, 24 / canvas->width,
        height / canvas->height);
}

static bool append_panel(struct canvas *canvas, const struct weights *weights,
                         const struct layout *layout, size_t r, size_t c, struct arena *arena,
                         struct error *err)
{
    const struct result *row = weights->panels[r][c];
    const struct canvas_area area = {left_margin + (double)c * layout->column_step,
                                     layout->top + (double)r * layout->row_step, layout->width,
                                     layout->height};
    text_append_format(&canvas->script, "\n# row %zu, column %zu\n", r + 1, c + 1);
    canvas_area_set(canvas, &area);
    if (row == NULL && weights->listed) {
        return true;
    }
    if (!heatmap_append_panel_name(canvas, weights, layout, r, c, arena, err)) {
        return false;
    }
    if (row == NULL || !has_finite(row)) {
        canvas_placeholder(canvas, row == NULL ? "weights not kept" : "no finite weight");
        canvas_clear(canvas);
        return true;
    }
    char note[64 + NUMBER_SIZE];
    char number[NUMBER_SIZE];
    snprintf(note, sizeof note, "mean row-max %s",
             number_text(row->measurement.row_max_mean, number));
    const struct canvas_text place = {area.left, area.top - 20, 16, false, false, CANVAS_SOFT};
    canvas_write(canvas, &place, note);
    if (r == 0 && c == 0) {
        append_colour_bar(canvas, &area,
                          area.left + (double)(weights->columns - 1) * layout->column_step +
                              layout->width + 40);
    }
    if (!append_axes(canvas, weights, layout, row, r, c, arena, err)) {
        return false;
    }
    append_image(canvas, layout, row, r, c);
    text_append(&canvas->script, "unset colorbox\nunset cblabel\nunset object\n");
    canvas_clear(canvas);
    return true;
}

static void append_palette(struct canvas *canvas)
{
    /* over the square root of a weight, since most weights are small */
    canvas_palette(canvas);
    text_append(&canvas->script,
                "tone(p) = p >= 0 ? sqrt(p) : NaN\n"
                "cell(p) = abs(p) < 0.005 ? '' : (p < 0 ? '−' : '').sprintf('%.2f', abs(p))\n"
                "shade(p) = p > 0.35 || p < 0 ? 0x26323C : 0xFFFFFF\n");
}

static void append_blocks(struct canvas *canvas, const struct weights *weights)
{
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            if (weights->panels[r][c] != NULL && has_finite(weights->panels[r][c])) {
                append_block(&canvas->script, weights->panels[r][c], r, c);
            }
        }
    }
}

static bool append_panels(struct canvas *canvas, const struct weights *weights,
                          const struct layout *layout, struct arena *arena, struct error *err)
{
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            if (!append_panel(canvas, weights, layout, r, c, arena, err)) {
                return false;
            }
        }
    }
    return true;
}

/* "Only the first 96 of 256 tokens are drawn." and what that means for lines: in one line where
 * both have room, else in two; nothing where all is drawn. Counts the lines on. */
static bool append_cut_lines(const struct canvas *canvas, const struct weights *weights,
                             const char **lines, size_t *count, struct arena *arena,
                             struct error *err)
{
    const char *cut = weights_cut_text(weights, arena, err);
    const char *meaning = !weights_lines_cut(weights) ? ""
                          : weights_sum_to_one(weights)
                              ? "A line sums to 1 over all keys, drawn or not. A dark line may "
                                "have its weight on others."
                              : "A dark line may have its weight on other keys.";
    if (cut == NULL) {
        return false;
    }
    const char *both =
        arena_format(arena, err, "%s%s%s", cut, *meaning == '\0' ? "" : " ", meaning);
    if (both == NULL) {
        return false;
    }
    bool fits = canvas_line_fits(canvas, both);
    if (*cut != '\0') {
        lines[(*count)++] = fits ? both : cut;
    }
    if (!fits) {
        lines[(*count)++] = meaning;
    }
    return true;
}

/* What is shown of what was kept, cut where there is no more room; the caption has the rest. */
static const char *scope_line(const struct canvas *canvas, const struct weights *weights,
                              struct arena *arena, struct error *err)
{
    const char *scope = weights_scope_text(weights, arena, err);
    size_t limit = LINE_LIMIT;
    const char *line = scope == NULL ? NULL : gnuplot_label(arena, scope, limit, err);
    while (line != NULL && !canvas_line_fits(canvas, line)) {
        limit--;
        line = gnuplot_label(arena, scope, limit, err);
    }
    return line;
}

/* The grey lines below the title; false when memory is short. */
static bool make_lines(const struct canvas *canvas, const struct weights *weights,
                       const char **lines, size_t *count, struct arena *arena, struct error *err)
{
    const char *subject = weights_subject(weights, arena, err);
    const char *scope = scope_line(canvas, weights, arena, err);
    if (subject == NULL || scope == NULL) {
        return false;
    }
    bool whole = weights_sum_to_one(weights) && !weights_lines_cut(weights);
    *count = 0;
    lines[(*count)++] = arena_format(
        arena, err, "%s. Each line is a query with its weights over the keys, left to right%s.",
        subject, whole ? ", which sum to 1" : "");
    if (lines[0] == NULL || !append_cut_lines(canvas, weights, lines, count, arena, err)) {
        return false;
    }
    lines[(*count)++] = scope;
    lines[(*count)++] = weights_any_masked(weights)
                            ? "Shades follow the square root of a weight, so that small weights "
                              "can be told apart; grey: masked."
                            : "Shades follow the square root of a weight, so that small weights "
                              "can be told apart.";
    return true;
}

static bool draw(struct canvas *canvas, const struct result_set *set, const struct weights *weights,
                 const char *name, struct arena *arena, struct error *err)
{
    const char *title = gnuplot_label(arena, labels_title(set), TITLE_LIMIT, err);
    const char *lines[LINES + CUT_LINES];
    size_t line_count;
    bool deep;
    canvas->width = page_width;
    if (title == NULL || !make_lines(canvas, weights, lines, &line_count, arena, err)) {
        return false;
    }
    struct layout layout = layout_of(weights, 104 + (double)line_count * 34 + 122);
    if (!heatmap_find_deep(weights, &layout, &deep, arena, err)) {
        return false;
    }
    layout.top += deep ? 36 : 0;
    layout.top -= weights->column_axis == NULL && !weights->listed ? 36 : 0;
    canvas->height =
        layout.top + (double)(weights->rows - 1) * layout.row_step + layout.height + 130;
    canvas_begin(canvas, name, "Attention weights of one seed");
    append_palette(canvas);
    append_blocks(canvas, weights);
    canvas_title(canvas, title, lines, line_count);
    return heatmap_append_headings(canvas, weights, &layout, arena, err) &&
           append_panels(canvas, weights, &layout, arena, err);
}

bool heatmap_make(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct figure *out, bool *made, struct error *err)
{
    struct weights weights;
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    *made = false;
    if (!weights_choose(set, view->measured, arena, &weights, err)) {
        return false;
    }
    if (weights.kept == 0) {
        return true;
    }
    *made = true;
    out->name = "weights";
    out->heading = "The attention weights";
    out->title = "Attention weights of one seed";
    if (!draw(&canvas, set, &weights, out->name, arena, err)) {
        return false;
    }
    out->script = canvas_end(&canvas, err);
    out->caption = weights_caption(&weights, arena, err);
    out->data = weights_data(&weights, arena, err);
    return out->script != NULL && out->caption != NULL && out->data != NULL;
}
