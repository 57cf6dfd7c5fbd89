/* SPDX-License-Identifier: MIT */
/* Head, legend and caption of the main figure; see labels.h. */
#include "report/labels.h"
#include "report/markdown.h"
#include "report/numbers.h"

#include <stdio.h>
#include <string.h>

enum { TITLE_LIMIT = 110, HEADING_LIMIT = 110, NAME_LIMIT = 40 };

static const double legend_left = 44;
static const double legend_right = 1960;
static const double legend_row = 40;

const char *labels_seeds(const struct summary *summary, struct arena *arena, struct error *err)
{
    size_t fewest = summary->seeds;
    for (size_t g = 0; g < summary->group_count; g++) {
        size_t runs = summary->groups[g].measures[MEASURE_ROW_MAX_MEAN].count;
        fewest = runs < fewest ? runs : fewest;
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
    double tokens = labels_shared_tokens(panels->view->summary);
    const char *seeds = labels_seeds(panels->view->summary, arena, err);
    if (seeds == NULL) {
        return NULL;
    }
    if (!isnan(tokens)) {
        text_append_format(&line, "%.0f token%s, ", tokens, tokens == 1 ? "" : "s");
    } else if (strncmp(seeds, "up to", 5) == 0) {
        text_append(&line, "With ");
    }
    text_append_format(&line, "%s%s.", seeds, interval_words(panels));
    if (panels->zeros > 0) {
        text_append(&line, " ▽ at the foot of an axis: exactly 0.");
    }
    return text_finish(&line, err);
}

static bool shows_guards(const struct view *view)
{
    return summary_axis_find(view->summary, AXIS_GUARDS) != NULL;
}

bool labels_head_make(const struct result_set *set, const struct panels *panels,
                      struct arena *arena, struct labels_head *out, struct error *err)
{
    out->line_count = 0;
    out->lines[out->line_count++] = gnuplot_label(arena, set->title, TITLE_LIMIT, err);
    const char *name = panels->columns[0].name;
    if (panels->column_count == 1 && name[0] != '\0') {
        out->lines[out->line_count++] = gnuplot_label(arena, name, HEADING_LIMIT, err);
    }
    out->lines[out->line_count++] = conditions(panels, arena, err);
    if (shows_guards(panels->view)) {
        out->lines[out->line_count++] =
            "Guards: init, projections drawn with variance 1/d_model; scale, scores divided by "
            "√d_k; norm, each input row normalised.";
    }
    for (size_t i = 0; i < out->line_count; i++) {
        if (out->lines[i] == NULL) {
            return false;
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
    return view->lines->field == AXIS_GUARDS ? "Guards:" : view->lines->label;
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
        name = name == NULL ? NULL : gnuplot_label(arena, name, NAME_LIMIT, err);
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
            canvas_legend_entry(canvas, x, y, view_line_style(view, line), name);
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

static void append_caption_lines(struct text *caption, const struct panels *panels)
{
    const struct view *view = panels->view;
    const struct summary_axis *axes[] = {view->x, view->lines};
    const bool guards = view->lines != NULL && view->lines->field == AXIS_GUARDS;
    const char *const uses[] = {view->scale == SCALE_CATEGORIES ? " by " : " along ",
                                guards ? ", one line for each set of "
                                       : ", one line for each value of "};
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] != NULL && !(i == 1 && view->split)) {
            text_append(caption, uses[i]);
            markdown_text(caption, axes[i]->label);
        }
    }
    if (view->split) {
        text_append(caption, ", one line for each setting of the guards init and scale; on the "
                             "left the input as it comes, on the right the same runs with the "
                             "norm guard on");
    }
}

/* The facets of this page. */
static void append_caption_facets(struct text *caption, const struct panels *panels)
{
    const char *last = NULL;
    for (size_t c = 0; c < panels->column_count; c++) {
        const char *name = panels->columns[c].name;
        if (*name != '\0' && name != last) {
            text_append(caption, last == NULL ? "; for " : ", and for ");
            markdown_text(caption, name);
        }
        last = *name == '\0' ? last : name;
    }
}

static void append_caption_notes(struct text *caption, const struct panels *panels)
{
    if (panels->reaching > 0) {
        text_append(caption, " A pale bar, or a band, that runs to the foot of a logarithmic axis "
                             "includes 0.");
    }
    if (panels->zeros > 0) {
        text_append(caption, " An open triangle at the foot of a logarithmic axis stands for a "
                             "value of exactly 0, which has no place on it.");
    }
    if (panels->lost > 0) {
        text_append_format(caption, " Gaps stand for undefined or infinite values (%zu).",
                           panels->lost);
    }
    if (panels->same[0]) {
        text_append(caption, " The lines of the input spread fall into one, because the input does "
                             "not depend on what tells them apart.");
    }
    if (panels->view->groups_left_out > 0) {
        text_append_format(caption,
                           " %zu settings of further combinations are not drawn; they are in the "
                           "data file beside the figure.",
                           panels->view->groups_left_out);
    }
}

const char *labels_caption(const struct panels *panels, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(panels->view->summary);
    const char *seeds = labels_seeds(panels->view->summary, arena, err);
    if (seeds == NULL) {
        return NULL;
    }
    text_append(&caption, "**Where attention saturates.** Spread of the head's input, spread of "
                          "its scores, mean over rows of the largest attention weight, and mean "
                          "gradient magnitude of the softmax");
    append_caption_lines(&caption, panels);
    append_caption_facets(&caption, panels);
    text_append(&caption, ".");
    if (!isnan(threshold)) {
        text_append_format(&caption, " The dashed line is the threshold of saturation, %s",
                           number_given(threshold, number));
        text_append(&caption, isnan(labels_shared_tokens(panels->view->summary))
                                  ? "."
                                  : "; the dotted one is the weight that uniform attention gives.");
    }
    text_append_format(&caption, " There %s %s%s.",
                       panels->view->summary->seeds <= 1 ? "is" : "are", seeds,
                       interval_words(panels));
    append_caption_notes(&caption, panels);
    return text_finish(&caption, err);
}
