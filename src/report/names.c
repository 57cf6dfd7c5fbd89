/* SPDX-License-Identifier: MIT */
/* Names of lines, facets and values; declared in view.h. */
#include "report/view.h"

#include "base/files.h"
#include "report/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_LIMIT = 24, /* characters of rows of scores that stand in full, */
    ROWS_BEGIN = 14  /* and of the beginning that stands for longer ones */
};

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
    return axis->field < RUN_FIELD_COUNT && run_fields[axis->field].kind == FIELD_PATH;
}

/* A path without its folders and ending; a dataset behind it stays whole, as its dots are no
 * ending.
 */
static const char *path_stem(const char *path, struct arena *arena, struct error *err)
{
    const char *colon = strrchr(path, ':');
    if (colon == NULL) {
        return files_stem(arena, path, err);
    }
    const char *file = arena_copy_bytes(arena, path, (size_t)(colon - path), err);
    const char *stem = file == NULL ? NULL : files_stem(arena, file, err);
    return stem == NULL ? NULL : arena_format(arena, err, "%s%s", stem, colon);
}

/* Whether no other value of the axis has this stem: two folders may hold files of one name. */
static bool stem_is_unique(const struct summary_axis *axis, size_t value, const char *stem,
                           struct arena *arena, struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    for (size_t v = 0; v < axis->count; v++) {
        const char *other =
            v == value ? "" : path_stem(summary_axis_value(axis, v, buffer), arena, err);
        if (other == NULL || strcmp(other, stem) == 0) {
            return false;
        }
    }
    return true;
}

const char *view_axis_number(const struct summary_axis *axis, size_t value, char out[NUMBER_SIZE])
{
    const struct field *field = &run_fields[axis->field];
    double at = field_value_number(field, axis->samples[value]);
    double distance = (double)INFINITY;
    if (value > 0) {
        distance = at - field_value_number(field, axis->samples[value - 1]);
    }
    if (value + 1 < axis->count) {
        distance = fmin(distance, field_value_number(field, axis->samples[value + 1]) - at);
    }
    return number_on_axis(at, distance, out);
}

const char *view_x_number(const struct view *view, double x, char out[NUMBER_SIZE])
{
    for (size_t v = 0; view->x->field != RUN_SENTENCE_LIMIT && v < view->x->count; v++) {
        if (field_value_number(&run_fields[view->x->field], view->x->samples[v]) == x) {
            return view_axis_number(view->x, v, out);
        }
    }
    return number_given(x, out);
}

/* Rows of scores with blanks between: "2, 1, 0.1; 1, 1, 1". */
static const char *spaced_rows(const char *rows, struct arena *arena, struct error *err)
{
    struct text out = TEXT_INIT(arena);
    for (; *rows != '\0'; rows++) {
        text_append_format(&out, *rows == ',' || *rows == ';' ? "%c " : "%c", *rows);
    }
    return text_finish(&out, err);
}

static size_t count_of(const char *any, char wanted)
{
    size_t count = 0;
    for (; *any != '\0'; any++) {
        count += *any == wanted;
    }
    return count;
}

/* Long rows by their place on the axis, their size and their first numbers. */
static const char *rows_label(const char *rows, size_t value, struct arena *arena,
                              struct error *err)
{
    const char *spaced = spaced_rows(rows, arena, err);
    if (spaced == NULL || strlen(spaced) <= ROWS_LIMIT) {
        return spaced;
    }
    size_t count = count_of(rows, ';') + 1;
    size_t columns = (count_of(rows, ',') + count) / count;
    int kept = 0;
    for (int i = 0; i < ROWS_BEGIN && spaced[i] != ';'; i++) {
        kept = spaced[i] == ',' ? i : kept;
    }
    return arena_format(arena, err, "(%zu) %zu × %zu: %.*s, …", value + 1, count, columns, kept,
                        spaced);
}

const char *view_value_text(const struct summary_axis *axis, size_t value, struct arena *arena,
                            struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    if (axis->field != RUN_SCORES) {
        return view_value_label(axis, value, arena, err);
    }
    const char *text = summary_axis_value(axis, value, buffer);
    return *text == '\0' ? "(not set)" : spaced_rows(text, arena, err);
}

const char *view_value_label(const struct summary_axis *axis, size_t value, struct arena *arena,
                             struct error *err)
{
    char buffer[FIELD_VALUE_SIZE];
    if (axis->names != NULL) {
        return axis->names[value];
    }
    if (axis->field == AXIS_GUARDS) {
        return view_guards_name(run_guards_mask(axis->samples[value]));
    }
    const char *text = summary_axis_value(axis, value, buffer);
    if (*text == '\0') {
        return "(not set)";
    }
    if (axis->numeric) {
        char number[NUMBER_SIZE];
        return arena_copy_text(arena, view_axis_number(axis, value, number), err);
    }
    if (axis->field == RUN_SCORES) {
        return rows_label(text, value, arena, err);
    }
    if (is_path(axis)) {
        const char *stem = path_stem(text, arena, err);
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
    if (label == NULL || axis->field == RUN_CORPUS || axis->field == AXIS_SETTINGS) {
        return label;
    }
    if (axis->field == AXIS_GUARDS) {
        return arena_format(arena, err, "guards %s", label);
    }
    if (axis->field == RUN_HEAD) {
        return arena_format(arena, err, "head %s", label);
    }
    if (axis->field == RUN_SENTENCE_LIMIT) {
        bool all = strcmp(label, "0") == 0;
        return arena_format(arena, err, "%s sentences", all ? "all" : label);
    }
    return arena_format(arena, err, "%s = %s", axis->name, label);
}

bool view_names_need_axis(const struct summary_axis *axis)
{
    if (axis->field >= RUN_FIELD_COUNT) {
        return false;
    }
    enum field_kind kind = run_fields[axis->field].kind;
    const char *const *choices = run_fields[axis->field].choices;
    for (size_t i = 0; choices != NULL && choices[i] != NULL; i++) {
        if (strcmp(choices[i], "none") == 0) {
            return true;
        }
    }
    return kind == FIELD_INTEGER || kind == FIELD_REAL || kind == FIELD_SWITCH;
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
    size_t value = line * view->line_step;
    return view_names_need_axis(view->lines) ? view_value_phrase(view->lines, value, arena, err)
                                             : view_value_label(view->lines, value, arena, err);
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

/* "norm = rms, mask = causal": the values that a facet has, those of the base left out when there
 * is one. */
static const char *facet_values(const struct view *view, const struct summary_group *group,
                                const struct summary_group *base, struct arena *arena,
                                struct error *err)
{
    struct text name = TEXT_INIT(arena);
    text_append(&name, "");
    for (size_t f = 0; f < view->facet_axis_count; f++) {
        const struct summary_axis *axis = view->facet_axes[f];
        size_t place = summary_place(view->summary, group, axis);
        if (base != NULL && place == summary_place(view->summary, base, axis)) {
            continue;
        }
        const char *value = view_value_phrase(axis, place, arena, err);
        if (value == NULL) {
            return NULL;
        }
        text_append_format(&name, "%s%s", name.length == 0 ? "" : ", ", value);
    }
    return text_finish(&name, err);
}

static bool has_base(const struct view *view)
{
    return view->facet_axis_count > 2 && view->facet_count > 1;
}

const char *view_facet_name(const struct view *view, const struct summary_group *group,
                            struct arena *arena, struct error *err)
{
    const struct summary_group *base = has_base(view) ? view->facet_samples[0] : NULL;
    const char *name = facet_values(view, group, base, arena, err);
    return name != NULL && *name == '\0' && base != NULL ? "base" : name;
}

const char *view_facet_base(const struct view *view, struct arena *arena, struct error *err)
{
    return has_base(view) ? facet_values(view, view->facet_samples[0], NULL, arena, err) : "";
}
