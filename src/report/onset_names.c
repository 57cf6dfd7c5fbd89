/* SPDX-License-Identifier: MIT */
/* Names of curves; see onset_names.h. */
#include "report/onset_names.h"

enum { VALUE_LIMIT = 80 };

static size_t axes_apart(const struct onsets *found)
{
    size_t count = 0;
    for (size_t a = 0; a < found->summary->axis_count; a++) {
        count += found->apart[a] ? 1 : 0;
    }
    return count;
}

/* Guards and merged settings are always named, so that something is. */
static bool is_plain(const struct summary_axis *axis, const struct onset_curve *curve,
                     const struct run *plain)
{
    return axis->field < RUN_FIELD_COUNT &&
           field_value_equal(&run_fields[axis->field], curve->sample->sample, plain);
}

bool onset_names_append(const struct sections *sections, const struct onsets *found,
                        const struct onset_curve *curve, struct error *err)
{
    const struct summary *summary = found->summary;
    const struct run plain = run_default_beside(curve->sample->sample);
    const size_t apart = axes_apart(found);
    bool first = true;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (!found->apart[a] || (apart > SECTIONS_AXES && is_plain(axis, curve, &plain))) {
            continue;
        }
        text_append(sections->out, first ? "" : ", ");
        first = false;
        if (!sections_append_value(sections, axis, curve->sample->place[a], err)) {
            return false;
        }
    }
    text_append(sections->out, first && apart > 0 ? "all at their default" : "");
    return true;
}

size_t onset_names_heads(const struct onsets *found, const char **heads)
{
    size_t count = 0;
    if (axes_apart(found) > SECTIONS_AXES) {
        heads[0] = "setting";
        return 1;
    }
    for (size_t a = 0; a < found->summary->axis_count; a++) {
        if (found->apart[a]) {
            heads[count++] = view_axis_label(&found->summary->axes[a]);
        }
    }
    return count;
}

bool onset_names_append_cells(const struct sections *sections, const struct onsets *found,
                              const struct onset_curve *curve, struct error *err)
{
    struct text *out = sections->out;
    if (axes_apart(found) > SECTIONS_AXES) {
        text_append(out, "| ");
        bool good = onset_names_append(sections, found, curve, err);
        text_append(out, " ");
        return good;
    }
    for (size_t a = 0; a < found->summary->axis_count; a++) {
        const struct summary_axis *axis = &found->summary->axes[a];
        if (!found->apart[a]) {
            continue;
        }
        const char *value = view_value_label(axis, curve->sample->place[a], sections->arena, err);
        if (value == NULL) {
            return false;
        }
        text_append(out, "| ");
        markdown_text_cut(out, value, axis->names != NULL ? SIZE_MAX : VALUE_LIMIT);
        text_append(out, " ");
    }
    return true;
}
