/* SPDX-License-Identifier: MIT */
/* Which figures a set has; see figures.h. */
#include "report/figures.h"

#include "report/gnuplot.h"
#include "report/scope.h"

#include <string.h>

/* Columns of panels that fit a page. */
enum { COLUMNS_ON_A_PAGE = 4 };

static void append_value(struct text *data, const struct summary_axis *axis, size_t place,
                         struct arena *arena, struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    const char *label =
        gnuplot_label(arena, summary_axis_value(axis, place, buffer), SIZE_MAX, err);
    if (label == NULL) {
        data->failed = true;
        return;
    }
    text_append_format(data, "%s\t", label);
}

/* For programs: counts as plain digits, no commas. */
static void append_number(struct text *data, double value)
{
    char exact[TEXT_REAL_SIZE];
    text_append_format(data, "\t%s", text_from_real(value, exact));
}

/* Every group with the estimates of every measure, figure or not. */
static const char *group_table(const struct summary *summary, struct arena *arena,
                               struct error *err)
{
    struct text data = TEXT_INIT(arena);
    for (size_t a = 0; a < summary->axis_count; a++) {
        text_append_format(&data, "%s\t", summary->axes[a].name);
    }
    text_append(&data, "runs\tfailed");
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        if (scope_holds(summary, (enum measurement_field)m)) {
            text_append_format(&data, "\t%s\t%s_half_width", measurement_fields[m].name,
                               measurement_fields[m].name);
        }
    }
    text_append(&data, "\n");
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        for (size_t a = 0; a < summary->axis_count; a++) {
            append_value(&data, &summary->axes[a], group->place[a], arena, err);
        }
        text_append_format(&data, "%zu\t%zu", group->runs, group->failed);
        for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
            if (scope_holds(summary, (enum measurement_field)m)) {
                append_number(&data, group->measures[m].mean);
                append_number(&data, group->measures[m].half_width);
            }
        }
        text_append(&data, "\n");
    }
    return text_finish(&data, err);
}

/* "saturation", or "saturation-1" and on when there are several pages. */
static const char *page_name(size_t page, size_t pages, struct arena *arena, struct error *err)
{
    return pages == 1 ? "saturation" : arena_format(arena, err, "saturation-%zu", page + 1);
}

static bool make_pages(const struct result_set *set, const struct view *view, const char *data,
                       struct arena *arena, struct figures *out, struct error *err)
{
    size_t facets_a_page = view->rows ? 1 : view->split ? COLUMNS_ON_A_PAGE / 2 : COLUMNS_ON_A_PAGE;
    size_t pages = (view->facet_count + facets_a_page - 1) / facets_a_page;
    for (size_t page = 0; page < pages; page++) {
        struct figure *figure = &out->list[out->count++];
        size_t first = page * facets_a_page;
        size_t left = view->facet_count - first;
        figure->name = page_name(page, pages, arena, err);
        figure->data = data;
        if (figure->name == NULL ||
            !curves_make(set, view, first, left < facets_a_page ? left : facets_a_page, arena,
                         figure, err)) {
            return false;
        }
    }
    out->curves = pages;
    return true;
}

bool figures_make(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct figures *out, struct error *err)
{
    memset(out, 0, sizeof *out);
    if (view->summary->failed == view->summary->planned) {
        return true;
    }
    const char *data = group_table(view->measured, arena, err);
    if (data == NULL || !make_pages(set, view, data, arena, out, err)) {
        return false;
    }
    static bool (*const makers[])(const struct result_set *, const struct view *, struct arena *,
                                  struct figure *, bool *, struct error *) = {
        phase_make, comparison_make, heatmap_make, undefined_make};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        bool made = false;
        out->arithmetic = out->count;
        if (!makers[i](set, view, arena, &out->list[out->count], &made, err)) {
            return false;
        }
        out->count += made;
    }
    out->nights = out->count;
    return true;
}
