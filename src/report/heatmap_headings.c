/* SPDX-License-Identifier: MIT */
/* Names of panels, columns and rows of the heat map; see heatmap.h. */
#include "report/heatmap.h"

#include "report/wrap.h"

#include <string.h>

enum { NAME_LIMIT = 76 };

static const double heading_size = 23;
static const double name_size = 18; /* of the name of a panel of a list */

/* "d_k = 64" with blanks at which no line breaks. */
static const char *glued(const char *name, struct arena *arena, struct error *err)
{
    struct text out = TEXT_INIT(arena);
    for (const char *at = name; *at != '\0'; at++) {
        bool equals = strncmp(at, " = ", 3) == 0;
        if (equals) {
            text_append(&out, "\u00A0=\u00A0");
            at += 2;
        } else {
            text_append_format(&out, "%.1s", at);
        }
    }
    return text_finish(&out, err);
}

bool heatmap_append_panel_name(struct canvas *canvas, const struct weights *weights,
                               const struct layout *layout, size_t r, size_t c, struct arena *arena,
                               struct error *err)
{
    struct wrapped wrapped;
    if (!weights->listed) {
        return true;
    }
    const char *name = weights_panel_name(weights, weights->groups[r][c], arena, err);
    name = name == NULL ? NULL : glued(name, arena, err);
    size_t limit = wrap_room(layout->column_step - 16, name_size, true);
    if (name == NULL || !wrap_label(name, limit, arena, &wrapped, err)) {
        return false;
    }
    for (size_t i = 0; i < wrapped.count; i++) {
        const struct canvas_text place = {layout->left + (double)c * layout->column_step,
                                          layout->top + (double)r * layout->row_step - 52 -
                                              28 * (double)(wrapped.count - 1 - i),
                                          name_size,
                                          true,
                                          false,
                                          "0x0072B2"};
        canvas_write(canvas, &place, wrapped.lines[i]);
    }
    return true;
}

/* "kitchen", "d_k = 64", "init + scale". */
static const char *column_name(const struct weights *weights, size_t c, struct arena *arena,
                               struct error *err)
{
    const struct summary_axis *axis = weights->column_axis;
    return axis->field == AXIS_GUARDS
               ? view_value_label(axis, weights->column_values[c], arena, err)
               : view_value_phrase(axis, weights->column_values[c], arena, err);
}

/* The name of a column, broken to its room. */
static bool wrap_column(const struct weights *weights, const struct layout *layout, size_t c,
                        struct arena *arena, struct wrapped *out, struct error *err)
{
    const char *name = column_name(weights, c, arena, err);
    size_t limit = wrap_room(layout->column_step - 20, heading_size, true);
    return name != NULL && wrap_label(name, limit, arena, out, err);
}

bool heatmap_find_deep(const struct weights *weights, const struct layout *layout, bool *deep,
                       struct arena *arena, struct error *err)
{
    *deep = false;
    for (size_t c = 0; c < weights->columns && weights->column_axis != NULL; c++) {
        struct wrapped wrapped;
        if (!wrap_column(weights, layout, c, arena, &wrapped, err)) {
            return false;
        }
        *deep = *deep || wrapped.count > 1;
    }
    return true;
}

static bool append_column_headings(struct canvas *canvas, const struct weights *weights,
                                   const struct layout *layout, struct arena *arena,
                                   struct error *err)
{
    for (size_t c = 0; c < weights->columns && weights->column_axis != NULL; c++) {
        struct wrapped name;
        if (!wrap_column(weights, layout, c, arena, &name, err)) {
            return false;
        }
        for (size_t i = 0; i < name.count; i++) {
            double y = layout->top - 92 - 36 * (double)(name.count - 1 - i);
            const struct canvas_text place = {layout->left + (double)c * layout->column_step,
                                              y,
                                              heading_size,
                                              true,
                                              false,
                                              "0x0072B2"};
            canvas_write(canvas, &place, name.lines[i]);
        }
    }
    return true;
}

static bool append_row_headings(struct canvas *canvas, const struct weights *weights,
                                const struct layout *layout, struct arena *arena, struct error *err)
{
    for (size_t r = 0; r < weights->rows && weights->row_axis != NULL; r++) {
        const char *phrase =
            view_value_phrase(weights->row_axis, weights->row_values[r], arena, err);
        const char *title = phrase == NULL ? NULL : gnuplot_label(arena, phrase, NAME_LIMIT, err);
        if (title == NULL) {
            return false;
        }
        const struct canvas_text place = {
            layout->left, layout->top - 50 + (double)r * layout->row_step, 19, true, false,
            CANVAS_INK};
        canvas_write(canvas, &place, title);
    }
    return true;
}

bool heatmap_append_headings(struct canvas *canvas, const struct weights *weights,
                             const struct layout *layout, struct arena *arena, struct error *err)
{
    return append_row_headings(canvas, weights, layout, arena, err) &&
           append_column_headings(canvas, weights, layout, arena, err);
}
