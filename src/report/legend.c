/* SPDX-License-Identifier: MIT */
/* Head, legend and caption of the main figure; see labels.h. */
#include "report/coincidence.h"
#include "report/labels.h"
#include "report/markdown.h"
#include "report/numbers.h"
#include "report/onsets.h"
#include "report/projections.h"
#include "report/scope.h"
#include "report/wrap.h"

#include <stdio.h>
#include <string.h>

enum {
    TITLE_LIMIT = 76,
    HEADING_LIMIT = 110,
    NAME_LIMIT = 40,
    VALUES_SPELLED = 12, /* full texts in a caption, */
    VALUE_LIMIT = 300,   /* each up to here, */
    LABEL_LIMIT = 20     /* when labels are longer than this */
};

static const double legend_left = 44;
static const double legend_right = 1960;
static const double legend_row = 40;

const char *labels_title(const struct result_set *set)
{
    bool titled = set->title != NULL && *set->title != '\0';
    bool named = set->name != NULL && *set->name != '\0';
    return titled ? set->title : named ? set->name : "A sweep without a title";
}

const char *labels_seeds(const struct summary *summary, struct arena *arena, struct error *err)
{
    size_t fewest = summary->seeds;
    for (size_t g = 0; g < summary->group_count; g++) {
        size_t runs = summary->groups[g].measures[MEASURE_ROW_MAX_MEAN].count;
        fewest = runs < fewest ? runs : fewest;
    }
    const struct scope scope = scope_of(summary);
    if (!scope.drawn) {
        return "nothing drawn by seed";
    }
    if (summary->seeds <= 1) {
        return "one seed a point";
    }
    return arena_format(arena, err, "%s%zu seeds a point", fewest < summary->seeds ? "up to " : "",
                        summary->seeds);
}

static const char *interval_words(const struct panels *panels)
{
    if (panels->view->summary->seeds <= 1) {
        return ", so no interval";
    }
    return panels->view->scale == SCALE_CATEGORIES ? "; bars are 95 % intervals of the mean"
                                                   : "; bands are 95 % intervals of the mean";
}

static const char *conditions(const struct panels *panels, struct arena *arena, struct error *err)
{
    struct text line = TEXT_INIT(arena);
    text_append(&line, "Where attention saturates. ");
    double tokens = labels_shared_tokens(panels->view->summary);
    const char *seeds = labels_seeds(panels->view->summary, arena, err);
    if (seeds == NULL) {
        return NULL;
    }
    const struct scope scope = scope_of(panels->view->summary);
    if (!scope.drawn && isnan(tokens)) {
        text_append(&line, "Nothing is drawn by seed, so there is no interval.");
        return text_finish(&line, err);
    }
    if (!isnan(tokens)) {
        text_append_format(&line, "%.0f token%s, ", tokens, tokens == 1 ? "" : "s");
    } else if (strncmp(seeds, "up to", 5) == 0 || strncmp(seeds, "one", 3) == 0) {
        text_append(&line, "With ");
    }
    text_append_format(&line, "%s%s.", seeds, interval_words(panels));
    return text_finish(&line, err);
}

/* What is not as it should be with the runs; "" when all are there. */
static const char *missing(const struct result_set *set, const struct summary *summary,
                           struct arena *arena, struct error *err)
{
    struct text line = TEXT_INIT(arena);
    char some[TEXT_COUNT_SIZE];
    char all[TEXT_COUNT_SIZE];
    uint64_t rows = summary->planned;
    text_append(&line, "");
    if ((uint64_t)set->planned > rows) {
        text_append_format(&line, "Not complete: %s of %s planned runs.",
                           text_from_count(rows, some),
                           text_from_count((uint64_t)set->planned, all));
    }
    if (summary->failed > 0) {
        text_append_format(&line, "%s%s of %s runs failed and %s left out.",
                           line.length > 0 ? " " : "", text_from_count(summary->failed, some),
                           text_from_count(rows, all), summary->failed == 1 ? "is" : "are");
    }
    return text_finish(&line, err);
}

/* How to read what a logarithmic axis has no place for; "" when nothing is. */
static const char *zeros(const struct panels *panels, struct arena *arena, struct error *err)
{
    bool bars = panels->view->scale == SCALE_CATEGORIES;
    return arena_format(arena, err, "%s%s%s",
                        panels->reaching == 0 ? ""
                        : panels->view->rows
                            ? "Pale bars reach left to 0, beyond any logarithmic axis."
                        : bars ? "Pale bars reach down to 0, below any "
                                 "logarithmic axis."
                               : "Bands that run to the foot of a logarithmic axis "
                                 "reach down to 0.",
                        panels->reaching > 0 && panels->zeros > 0 ? " " : "",
                        panels->zeros == 0   ? ""
                        : panels->view->rows ? "▽ at the left end of an axis: exactly 0."
                                             : "▽ at the foot of an axis: exactly 0.");
}

static bool shows_guards(const struct view *view)
{
    return summary_axis_find(view->measured, AXIS_GUARDS) != NULL;
}

bool labels_head_make(const struct result_set *set, const struct panels *panels,
                      struct arena *arena, struct labels_head *out, struct error *err)
{
    const struct summary *summary = panels->view->summary;
    const char *name = panels->column_count == 1 ? panels->columns[0].name : "";
    const char *lines[] = {gnuplot_label(arena, name, HEADING_LIMIT, err),
                           conditions(panels, arena, err), missing(set, summary, arena, err),
                           shows_guards(panels->view) ? projections_guards(summary, arena, err)
                                                      : "",
                           zeros(panels, arena, err)};
    out->title = gnuplot_label(arena, labels_title(set), TITLE_LIMIT, err);
    out->line_count = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (lines[i] == NULL || out->title == NULL) {
            return false;
        }
        if (*lines[i] != '\0') {
            out->lines[out->line_count++] = lines[i];
        }
    }
    return true;
}

/* Whether a line has a point in any column. */
static bool line_is_used(const struct panels *panels, size_t line)
{
    for (size_t c = 0; c < panels->column_count; c++) {
        if (panels->columns[c].curves[line].count > 0) {
            return true;
        }
    }
    return false;
}

static const char *legend_heading(const struct view *view)
{
    if (view->split) {
        return "Guards besides norm:";
    }
    return view->lines->field == AXIS_GUARDS ? "Guards:" : view_axis_label(view->lines);
}

/* Places the entries and, when there is a canvas, writes them. Returns the height. */
static double flow_legend(struct canvas *canvas, const struct panels *panels, double y,
                          struct arena *arena, struct error *err)
{
    const struct view *view = panels->view;
    if (view->lines == NULL) {
        return 0;
    }
    double x = legend_left + canvas_text_width(legend_heading(view), 19) + 20;
    double start = x;
    double height = legend_row;
    if (canvas != NULL) {
        const struct canvas_text place = {legend_left, y, 19, false, false, CANVAS_SOFT};
        canvas_write(canvas, &place, legend_heading(view));
    }
    for (size_t line = 0; line < view->line_count; line++) {
        if (!line_is_used(panels, line)) {
            continue;
        }
        const char *name = view_line_name(view, line, arena, err);
        size_t limit = view->lines->field == AXIS_SETTINGS ? SIZE_MAX : NAME_LIMIT;
        name = name == NULL ? NULL : gnuplot_label(arena, name, limit, err);
        if (name == NULL) {
            return height;
        }
        double width = 76 + canvas_text_width(name, 19) + 44;
        if (x > start && x + width > legend_right) {
            x = start;
            y += legend_row;
            height += legend_row;
        }
        if (canvas != NULL) {
            canvas_legend_entry(canvas, x, y, view_line_style(view, line),
                                view->scale != SCALE_CATEGORIES, name);
        }
        x += width;
    }
    return height;
}

double labels_legend_height(const struct panels *panels, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    return flow_legend(NULL, panels, 0, arena, &ignored);
}

bool labels_append_legend(struct canvas *canvas, const struct panels *panels, double y,
                          struct arena *arena, struct error *err)
{
    flow_legend(canvas, panels, y, arena, err);
    return err->code == ERROR_NONE;
}

/* ", one line for each value of " */
static const char *words_for_lines(const struct view *view)
{
    int field = view->lines == NULL ? 0 : view->lines->field;
    if (view->rows) {
        return field == AXIS_GUARDS ? ", one mark for each set of "
                                    : ", one mark for each value of ";
    }
    return field == AXIS_GUARDS     ? ", one line for each set of "
           : field == AXIS_SETTINGS ? ", one line for each "
                                    : ", one line for each value of ";
}

static void append_caption_lines(struct text *caption, const struct panels *panels)
{
    const struct view *view = panels->view;
    const struct summary_axis *axes[] = {view->x, view->lines};
    const char *const uses[] = {view->rows                        ? ", one row for each "
                                : view->scale == SCALE_CATEGORIES ? " by "
                                                                  : " along ",
                                words_for_lines(view)};
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] != NULL && !(i == 1 && view->split)) {
            text_append(caption, uses[i]);
            markdown_text(caption, view_axis_label(axes[i]));
        }
    }
    if (view->split) {
        text_append(caption, ", one line for each setting of the guards init and scale; on the "
                             "left the input as it comes, on the right the same runs with the "
                             "norm guard on");
    }
}

/* The facets of this page: "; for d_k = 1, d_k = 2 and d_k = 4". */
static void append_caption_facets(struct text *caption, const struct panels *panels)
{
    size_t columns = panels->view->split ? 2 : 1;
    size_t count = panels->column_count / columns;
    for (size_t f = 0; f < count && panels->columns[0].name[0] != '\0'; f++) {
        text_append(caption, f == 0 ? "; for " : f + 1 == count ? " and " : ", ");
        markdown_text(caption, panels->columns[f * columns].name);
    }
}

/* Whether a label of these values may be cut in a figure. */
static bool find_long(const struct summary_axis *axis, const size_t *values, size_t count,
                      bool *found, struct arena *arena, struct error *err)
{
    *found = false;
    for (size_t i = 0; i < count; i++) {
        const char *label = view_value_text(axis, values == NULL ? i : values[i], arena, err);
        if (label == NULL) {
            return false;
        }
        *found = *found || wrap_length(label) > LABEL_LIMIT;
    }
    return true;
}

bool labels_append_values(struct text *caption, const struct summary_axis *axis,
                          const size_t *values, size_t count, const char *order,
                          struct arena *arena, struct error *err)
{
    size_t spelled = count < VALUES_SPELLED ? count : VALUES_SPELLED;
    bool found;
    if (!find_long(axis, values, spelled, &found, arena, err) || !found) {
        return err->code == ERROR_NONE;
    }
    text_append(caption, " Values of ");
    markdown_text(caption, view_axis_label(axis));
    text_append_format(caption, "%s: ", order);
    for (size_t i = 0; i < spelled; i++) {
        const char *label = view_value_text(axis, values == NULL ? i : values[i], arena, err);
        if (label == NULL) {
            return false;
        }
        text_append_format(caption, "%s(%zu) ", i == 0 ? "" : "; ", i + 1);
        markdown_text_cut(caption, label, VALUE_LIMIT);
    }
    text_append(caption, count > spelled ? "; and so on." : ".");
    return true;
}

bool labels_append_texts(struct text *caption, const struct view *view, struct arena *arena,
                         struct error *err)
{
    const struct summary_axis *axes[] = {view->x, view->lines};
    static const char *const orders[] = {" from left to right", " in the order of the legend"};
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] != NULL && axes[i]->field < RUN_FIELD_COUNT &&
            !labels_append_values(caption, axes[i], NULL, axes[i]->count, orders[i], arena, err)) {
            return false;
        }
    }
    return true;
}

/* "7 of 13 values of key dimension d_k", behind what there is already. */
static void append_some(struct text *caption, const struct summary_axis *axis, size_t drawn,
                        bool *any)
{
    text_append_format(caption, "%s%zu of %zu values of ", *any ? " and " : " Drawn are ", drawn,
                       axis->count);
    markdown_text(caption, view_axis_label(axis));
    *any = true;
}

/* "Drawn are 40 of 46 settings and 7 of 13 values of key dimension d_k." */
static void append_left_out(struct text *caption, const struct view *view)
{
    bool any = view->rows;
    bool thinned = view->facet_axis_count == 1 && view->facet_count < view->facet_axes[0]->count;
    if (view->groups_left_out == 0) {
        return;
    }
    if (view->rows) {
        text_append_format(caption, " Drawn are %zu of %zu settings",
                           view->x->count < VIEW_ROWS ? view->x->count : (size_t)VIEW_ROWS,
                           view->x->count);
    }
    if (view->line_step > 1) {
        append_some(caption, view->lines, view->line_count, &any);
    }
    if (thinned && !view->rows) {
        append_some(caption, view->facet_axes[0], view->facet_count, &any);
    }
    if (any) {
        text_append(caption, "; the data file beside the figure holds all.");
        return;
    }
    char left_out[TEXT_COUNT_SIZE];
    text_append_format(caption,
                       " %s settings of further combinations are not drawn; they are in the "
                       "data file beside the figure.",
                       text_from_count(view->groups_left_out, left_out));
}

static void append_caption_notes(struct text *caption, const struct panels *panels)
{
    const char *end = panels->view->rows ? "left end" : "foot";
    if (panels->reaching > 0 && panels->view->rows) {
        text_append(caption, " A pale bar that runs to the left end of a logarithmic axis "
                             "includes 0.");
    } else if (panels->reaching > 0) {
        text_append(caption, panels->view->scale == SCALE_CATEGORIES
                                 ? " A pale bar that runs to the foot of a logarithmic axis "
                                   "includes 0."
                                 : " A band that runs to the foot of a logarithmic axis "
                                   "includes 0.");
    }
    if (panels->skewed > 0) {
        text_append(caption, " Where an interval about a row-max would leave 0 to 1, it is that of "
                             "the logit of the mean, and is not symmetric.");
    }
    if (coincidence_any(panels)) {
        text_append(caption, " A line that lies upon another is dashed, and the marks of the other "
                             "show around its own.");
    }
    if (panels->zeros > 0) {
        text_append_format(caption,
                           " An open triangle at the %s of a logarithmic axis stands for a "
                           "value of exactly 0, which has no place on it.",
                           end);
    }
    if (panels->lost > 0) {
        text_append_format(caption, " Gaps stand for undefined or infinite values (%zu).",
                           panels->lost);
    }
    if (panels->same[0] && panels->measures[0].measure == MEASURE_INPUT_STD) {
        text_append(caption, " The lines of the input spread coincide, because the input does not "
                             "depend on what tells them apart.");
    }
    if (panels->view->note != NULL && *panels->view->note != '\0') {
        text_append(caption, " A setting is named by what sets it apart from the most common "
                             "values: ");
        markdown_text(caption, panels->view->note);
        text_append(caption, ".");
    }
    append_left_out(caption, panels->view);
}

/* "Spread of the scores, gradient left, and mean gradient magnitude of the softmax" */
static void append_caption_measures(struct text *caption, const struct panels *panels)
{
    const size_t last = panels->measure_count - 1;
    text_append(caption, "**Where attention saturates.** ");
    for (size_t m = 0; m < panels->measure_count; m++) {
        const char *words = panels->measures[m].caption;
        if (m == 0) {
            char capital = (char)(words[0] - 'a' + 'A'); /* captions of measures begin small */
            text_append_format(caption, "%c%s", capital, words + 1);
        } else {
            text_append_format(caption, "%s%s%s", m == 1 && m == last ? " " : ", ",
                               m == last ? "and " : "", words);
        }
    }
}

static void append_caption_onsets(struct text *caption, const struct panels *panels)
{
    size_t intervals;
    if (onset_marks_count(panels, &intervals) == 0) {
        return;
    }
    text_append_format(
        caption,
        " Where a curve reaches the threshold of saturation, or falls to that of the "
        "gradient, an upright line marks the place%s; of many curves these stand at "
        "the foot of the panel.",
        intervals > 0 ? ", and the thick bar across it is the 95 % interval of that "
                        "place"
                      : "");
}

const char *labels_caption(const struct panels *panels, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(panels->view->summary);
    const struct scope scope = scope_of(panels->view->summary);
    const char *seeds = labels_seeds(panels->view->summary, arena, err);
    if (seeds == NULL) {
        return NULL;
    }
    append_caption_measures(&caption, panels);
    append_caption_lines(&caption, panels);
    append_caption_facets(&caption, panels);
    text_append(&caption, ".");
    const char *base = view_facet_base(panels->view, arena, err);
    if (base == NULL) {
        return NULL;
    }
    if (*base != '\0') {
        text_append(&caption, " Columns are named by what differs from the base, which has ");
        markdown_text(&caption, base);
        text_append(&caption, ".");
    }
    if (!isnan(threshold)) {
        text_append_format(&caption, " The dashed line is the threshold of saturation, %s",
                           number_given(threshold, number));
        text_append(&caption, isnan(labels_uniform_tokens(panels->view->summary))
                                  ? "."
                                  : "; the dotted one is the weight that uniform attention gives.");
    }
    if (scope.drawn) {
        text_append_format(&caption, " There %s %s%s.",
                           panels->view->summary->seeds <= 1 ? "is" : "are", seeds,
                           interval_words(panels));
    } else {
        text_append(&caption, " Nothing is drawn by seed, so there is no interval.");
    }
    append_caption_onsets(&caption, panels);
    append_caption_notes(&caption, panels);
    if (!labels_append_texts(&caption, panels->view, arena, err)) {
        return NULL;
    }
    return text_finish(&caption, err);
}
