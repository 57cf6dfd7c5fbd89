/* SPDX-License-Identifier: MIT */
/* The figures of two results files: pages, captions and data; declared in changes.h. */
#include "report/changes_internal.h"

#include "report/labels.h"

#include <math.h>

enum { COLUMNS_ON_A_PAGE = 4 };

static bool append_place(struct text *data, const struct changes *changes, size_t group,
                         struct arena *arena, struct error *err)
{
    const struct summary *summary = &changes->summaries[1];
    for (size_t a = 0; a < summary->axis_count; a++) {
        char buffer[FIELD_VALUE_SIZE];
        const char *value =
            summary_axis_value(&summary->axes[a], summary->groups[group].place[a], buffer);
        const char *label = gnuplot_label(arena, value, SIZE_MAX, err);
        if (label == NULL) {
            return false;
        }
        text_append_format(data, "%s\t", label);
    }
    return true;
}

static void append_number(struct text *data, double value)
{
    char number[TEXT_REAL_SIZE];
    text_append_format(data, "\t%s", text_from_real(value, number));
}

/* Every setting, drawn or not. */
static const char *make_data(const struct changes *changes, struct arena *arena, struct error *err)
{
    static const char *const kinds[CHANGE_KINDS] = {"equal", "within", "scattered", "moved"};
    const struct summary *summary = &changes->summaries[1];
    struct text data = TEXT_INIT(arena);
    for (size_t a = 0; a < summary->axis_count; a++) {
        text_append_format(&data, "%s\t", summary->axes[a].name);
    }
    text_append(&data, "runs");
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        const char *name = measurement_fields[changes_measures[drawn]].name;
        text_append_format(&data, "\t%s_a\t%s_b\t%s_change\t%s_half_width\t%s_verdict", name, name,
                           name, name, name);
    }
    text_append(&data, "\n");
    for (size_t g = 0; g < summary->group_count; g++) {
        if (!append_place(&data, changes, g, arena, err)) {
            return NULL;
        }
        text_append_format(&data, "%zu", summary->groups[g].runs);
        for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
            const size_t measure = (size_t)changes_measures[drawn];
            const struct change *change = changes_of(changes, g, measure);
            append_number(&data, changes_mean(changes, 0, g, measure)->mean);
            append_number(&data, changes_mean(changes, 1, g, measure)->mean);
            append_number(&data, change->difference.mean);
            append_number(&data, change->difference.half_width);
            text_append_format(&data, "\t%s", kinds[change->kind]);
        }
        text_append(&data, "\n");
    }
    return text_finish(&data, err);
}

static void append_layout(struct text *caption, const struct view *view)
{
    const struct summary_axis *axes[] = {view->x, view->lines};
    const char *const uses[] = {view->rows                        ? ", one row for each "
                                : view->scale == SCALE_CATEGORIES ? " by "
                                                                  : " along ",
                                ", one colour for each value of "};
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] != NULL && !(i == 1 && view->split)) {
            text_append(caption, uses[i]);
            markdown_text(caption, view_axis_label(axes[i]));
        }
    }
    text_append(caption, view->split ? ", one colour for each setting of the guards init and "
                                       "scale; on the left the input as it comes, on the right the "
                                       "same runs with the norm guard on"
                                     : "");
}

/* Values that have no place: counted over the settings that are drawn. */
static size_t count_lost(const struct overlay *overlay)
{
    const struct view *view = overlay->panels->view;
    size_t lost = 0;
    for (size_t g = 0; g < view->summary->group_count; g++) {
        const struct view_point point = {0, &view->summary->groups[g]};
        for (size_t drawn = 0; drawn < CHANGES_DRAWN && view->places[g].facet < view->facet_count;
             drawn++) {
            double numbers[OVERLAY_NUMBERS];
            overlay_numbers(overlay, &point, drawn, numbers);
            bool lacks_a = isnan(numbers[0]) && (overlay->differences || isnan(numbers[2]));
            bool lacks_b = !overlay->differences && isnan(numbers[1]) && isnan(numbers[3]);
            lost += (size_t)lacks_a + (size_t)lacks_b;
        }
    }
    return lost;
}

static bool has_zeros(const struct overlay *overlay)
{
    for (size_t drawn = 1; drawn < CHANGES_DRAWN && !overlay->differences; drawn++) {
        for (size_t g = 0; g < overlay->changes->summaries[1].group_count; g++) {
            const size_t measure = (size_t)changes_measures[drawn];
            if (changes_mean(overlay->changes, 0, g, measure)->mean == 0 ||
                changes_mean(overlay->changes, 1, g, measure)->mean == 0) {
                return overlay->scales[drawn].logarithmic;
            }
        }
    }
    return false;
}

static const char *make_caption(const struct overlay *overlay, struct arena *arena,
                                struct error *err)
{
    const struct view *view = overlay->panels->view;
    struct text caption = TEXT_INIT(arena);
    text_append(&caption, overlay->differences
                              ? "**What moved, as a difference.** B less A of mean row-max, score "
                                "spread and gradient magnitude, the last two in percent of A"
                              : "**Both files.** Mean row-max, score spread and mean gradient "
                                "magnitude of A and B");
    append_layout(&caption, view);
    text_append(&caption, ". A is ");
    markdown_text(&caption, overlay->changes->sides[0].label);
    text_append(&caption, overlay->differences ? ", B is " : ", pale and with open marks; B is ");
    markdown_text(&caption, overlay->changes->sides[1].label);
    text_append(
        &caption,
        overlay->differences
            ? ". Bars or bands are 95 % intervals of the mean of the differences between runs of "
              "one "
              "seed; a full mark moved beyond the tolerance with an interval clear of 0, a "
              "small open one did not. Marks with bars are moved a little aside of each other."
            : ", full. Means are over the runs that succeeded in both files; where only B "
              "is seen, A lies beneath.");
    size_t lost = count_lost(overlay);
    if (lost > 0) {
        text_append_format(
            &caption, " Gaps stand for values that are undefined%s (%zu).",
            overlay->differences ? ", infinite, or a percentage of 0" : " or infinite", lost);
    }
    if (has_zeros(overlay)) {
        text_append(&caption, " An open triangle at the end of a logarithmic axis stands for a "
                              "value of exactly 0.");
    }
    if (view->note != NULL && *view->note != '\0') {
        text_append(&caption, " A setting is named by what sets it apart from the most common "
                              "values: ");
        markdown_text(&caption, view->note);
        text_append(&caption, ".");
    }
    if (view->groups_left_out > 0) {
        char left_out[TEXT_COUNT_SIZE];
        text_append_format(&caption,
                           " %s settings are not drawn; the data file beside the figure has all.",
                           text_from_count(view->groups_left_out, left_out));
    }
    return labels_append_texts(&caption, view, arena, err) ? text_finish(&caption, err) : NULL;
}

/* "changes", or "changes-1" and on when there are several pages. */
static bool make_page(const struct changes *changes, const struct panels *panels, bool differences,
                      const char *name, struct figure *out, struct arena *arena, struct error *err)
{
    struct overlay overlay = {.changes = changes,
                              .panels = panels,
                              .differences = differences,
                              .canvas = {.script = TEXT_INIT(arena)},
                              .arena = arena,
                              .err = err};
    overlay_find_scales(&overlay);
    *out = (struct figure){.name = name,
                           .title = differences ? "Differences between the two files"
                                                : "Both files over each other"};
    if (panels->view->rows ? !overlay_draw_rows(&overlay, name)
                           : !overlay_draw_grid(&overlay, name)) {
        return false;
    }
    out->script = canvas_end(&overlay.canvas, err);
    out->caption = make_caption(&overlay, arena, err);
    return out->script != NULL && out->caption != NULL;
}

static bool any_difference(const struct changes *changes)
{
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        size_t equal = changes_count(changes, (size_t)changes_measures[drawn], CHANGE_NONE, 0);
        if (equal < changes->summaries[1].group_count) {
            return true;
        }
    }
    return false;
}

bool changes_draw(const struct changes *changes, struct arena *arena, struct figures *out,
                  struct error *err)
{
    const struct view *view = &changes->view;
    memset(out, 0, sizeof *out);
    if (changes->compared == 0) {
        return true;
    }
    const char *data = make_data(changes, arena, err);
    size_t facets = view->rows ? 1 : view->split ? COLUMNS_ON_A_PAGE / 2 : COLUMNS_ON_A_PAGE;
    size_t pages = (view->facet_count + facets - 1) / facets;
    for (int differences = 0; differences <= (int)any_difference(changes); differences++) {
        const char *stem = differences == 1 ? "differences" : "changes";
        for (size_t page = 0; page < pages; page++) {
            struct figure *figure = &out->list[out->count++];
            struct panels *panels = arena_alloc(arena, 1, sizeof *panels, err);
            const char *name =
                pages == 1 ? stem : arena_format(arena, err, "%s-%zu", stem, page + 1);
            size_t left = view->facet_count - page * facets;
            if (data == NULL || panels == NULL || name == NULL ||
                !panels_make(view, page * facets, left < facets ? left : facets, arena, panels,
                             err) ||
                !make_page(changes, panels, differences == 1, name, figure, arena, err)) {
                return false;
            }
            figure->data = data;
        }
    }
    out->curves = out->count; /* all share the data */
    return true;
}
