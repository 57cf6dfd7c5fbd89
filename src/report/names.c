/* SPDX-License-Identifier: MIT */
/* Names of lines, facets and values; declared in view.h. */
#include "report/view.h"

#include "base/files.h"
#include "report/numbers.h"

#include <stdio.h>
#include <string.h>

const char *view_guards_name(unsigned guards)
{
    static const char *const names[8] = {
        "none", "init",        "scale",        "init + scale",
        "norm", "init + norm", "scale + norm", "init + scale + norm"};
    return names[guards & 7U];
}

unsigned view_guards_on(const struct run *run)
{
    return (run->guard_init ? 1U : 0) + (run->guard_scale ? 1U : 0) + (run->guard_norm ? 1U : 0);
}

const char *view_axis_label(const struct summary_axis *axis)
{
    return axis->field == RUN_INPUT_SPREAD ? "spread of the drawn input" : axis->label;
}

const char *view_x_label(const struct view *view)
{
    return view->x == NULL ? "" : view_axis_label(view->x);
}

static bool is_path(const struct summary_axis *axis)
{
    return axis->field != AXIS_GUARDS && run_fields[axis->field].kind == FIELD_PATH;
}

/* Whether no other value of the axis has this stem: two folders may hold files of one name. */
static bool stem_is_unique(const struct summary_axis *axis, size_t value, const char *stem,
                           struct arena *arena, struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    for (size_t v = 0; v < axis->count; v++) {
        const char *other =
            v == value ? "" : files_stem(arena, summary_axis_value(axis, v, buffer), err);
        if (other == NULL || strcmp(other, stem) == 0) {
            return false;
        }
    }
    return true;
}

const char *view_value_label(const struct summary_axis *axis, size_t value, struct arena *arena,
                             struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    if (axis->field == AXIS_GUARDS) {
        return view_guards_name(run_guards_mask(axis->samples[value]));
    }
    const char *text = summary_axis_value(axis, value, buffer);
    if (*text == '\0') {
        return "(not set)";
    }
    if (axis->numeric) {
        char number[NUMBER_SIZE];
        double exact = field_value_number(&run_fields[axis->field], axis->samples[value]);
        return arena_copy_text(arena, number_given(exact, number), err);
    }
    if (is_path(axis)) {
        const char *stem = files_stem(arena, text, err);
        if (stem == NULL) {
            return NULL;
        }
        /* a few hundred comparisons at most: with more values nobody reads the names */
        if (*stem != '\0' && axis->count <= 64 && stem_is_unique(axis, value, stem, arena, err)) {
            return stem;
        }
    }
    return arena_copy_text(arena, text, err);
}

const char *view_value_phrase(const struct summary_axis *axis, size_t value, struct arena *arena,
                              struct error *err)
{
    const char *label = view_value_label(axis, value, arena, err);
    if (label == NULL || axis->field == RUN_CORPUS) {
        return label;
    }
    if (axis->field == AXIS_GUARDS) {
        return arena_format(arena, err, "guards %s", label);
    }
    if (axis->field == RUN_SENTENCE_LIMIT) {
        bool all = strcmp(label, "0") == 0;
        return arena_format(arena, err, "%s sentences", all ? "all" : label);
    }
    return arena_format(arena, err, "%s = %s", axis->name, label);
}

const char *view_line_name(const struct view *view, size_t line, struct arena *arena,
                           struct error *err)
{
    if (view->lines == NULL) {
        return "";
    }
    if (view->split) {
        return view_guards_name((unsigned)line);
    }
    return view->lines->numeric ? view_value_phrase(view->lines, line, arena, err)
                                : view_value_label(view->lines, line, arena, err);
}

size_t view_line_style(const struct view *view, size_t line)
{
    if (view->lines == NULL) {
        return 3;
    }
    if (view->split) {
        return line;
    }
    return view->lines->field == AXIS_GUARDS ? run_guards_mask(view->lines->samples[line]) : line;
}

const char *view_facet_name(const struct view *view, const struct summary_group *group,
                            struct arena *arena, struct error *err)
{
    struct text name = TEXT_INIT(arena);
    for (size_t f = 0; f < view->facet_axis_count; f++) {
        const struct summary_axis *axis = view->facet_axes[f];
        const char *value =
            view_value_phrase(axis, group->place[axis - view->summary->axes], arena, err);
        if (value == NULL) {
            return NULL;
        }
        text_append_format(&name, "%s%s", f == 0 ? "" : ", ", value);
    }
    return text_finish(&name, err);
}
