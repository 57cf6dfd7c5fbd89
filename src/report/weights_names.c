/* SPDX-License-Identifier: MIT */
/* What the heat map shows of what was kept, in words; declared in weights.h. */
#include "report/scope.h"
#include "report/weights.h"

#include <string.h>

static const char *const not_set = "(not set)";

const char *weights_subject(const struct weights *weights, struct arena *arena, struct error *err)
{
    const struct scope scope = scope_of(weights->summary);
    return scope.drawn ? arena_format(arena, err, "Attention weights of seed %lld",
                                      (long long)weights->seed)
                       : "Attention weights";
}

/* Appends the values that a setting has on the axes of one part, but for those not set.
 * Counts them on. */
static bool append_part(struct text *out, const struct weights *weights,
                        const struct summary_group *group, enum weights_part part, size_t *count,
                        struct arena *arena, struct error *err)
{
    const struct summary *summary = weights->summary;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (weights->parts[a] != part) {
            continue;
        }
        const char *label = view_value_label(axis, group->place[a], arena, err);
        const char *phrase = view_value_phrase(axis, group->place[a], arena, err);
        if (label == NULL || phrase == NULL) {
            return false;
        }
        if (strcmp(label, not_set) != 0) {
            text_append_format(out, "%s%s", *count > 0 ? ", " : "", phrase);
            ++*count;
        }
    }
    return true;
}

/* Whether a value that names the setting is not set, so that others have to. */
static bool lacks_a_name(const struct weights *weights, const struct summary_group *group,
                         struct arena *arena, struct error *err)
{
    const struct summary *summary = weights->summary;
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (weights->parts[a] == WEIGHTS_SHOWN) {
            const char *label = view_value_label(&summary->axes[a], group->place[a], arena, err);
            if (label == NULL || strcmp(label, not_set) == 0) {
                return true;
            }
        }
    }
    return false;
}

const char *weights_panel_name(const struct weights *weights, const struct summary_group *group,
                               struct arena *arena, struct error *err)
{
    struct text name = TEXT_INIT(arena);
    size_t count = 0;
    text_append(&name, "");
    if ((lacks_a_name(weights, group, arena, err) &&
         !append_part(&name, weights, group, WEIGHTS_BOUND, &count, arena, err)) ||
        !append_part(&name, weights, group, WEIGHTS_SHOWN, &count, arena, err)) {
        return NULL;
    }
    return text_finish(&name, err);
}

/* "; 4 of 10 values of d_k" */
static void append_left_out(struct text *out, const struct summary_axis *axis, size_t shown,
                            size_t count)
{
    if (axis != NULL && shown < count) {
        bool guards = axis->field == AXIS_GUARDS;
        text_append_format(out, "; %zu of %zu %s%s", shown, count,
                           guards ? "guard sets" : "values of ",
                           guards ? "" : view_axis_label(axis));
    }
}

/* Axes whose values follow from those shown: "; each comes with its own W_Q file and W_K file". */
static void append_bound(struct text *out, const struct weights *weights)
{
    const struct summary *summary = weights->summary;
    size_t all = 0;
    size_t named = 0;
    for (size_t a = 0; a < summary->axis_count; a++) {
        all += weights->parts[a] == WEIGHTS_BOUND;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (weights->parts[a] == WEIGHTS_BOUND) {
            named++;
            text_append_format(out, "%s%s",
                               named == 1     ? "; each comes with its own "
                               : named == all ? " and "
                                              : ", ",
                               view_axis_label(&summary->axes[a]));
        }
    }
}

const char *weights_scope_text(const struct weights *weights, struct arena *arena,
                               struct error *err)
{
    struct text out = TEXT_INIT(arena);
    struct text held = TEXT_INIT(arena);
    size_t count = 0;
    if (weights->kept == 1) {
        text_append(&out, "The one kept matrix is drawn");
    } else if (weights->shown == weights->kept) {
        text_append_format(&out, "All %zu kept matrices are drawn", weights->kept);
    } else {
        text_append_format(&out,
                           "%zu of %zu kept matrices are drawn, the most saturated among them",
                           weights->shown, weights->kept);
    }
    text_append(&held, "");
    if (!append_part(&held, weights, weights->base, WEIGHTS_HELD, &count, arena, err)) {
        return NULL;
    }
    const char *values = text_finish(&held, err);
    if (values == NULL) {
        return NULL;
    }
    text_append_format(&out, "%s%s", count > 0 ? "; all have " : "", values);
    append_left_out(&out, weights->row_axis, weights->rows, weights->row_count);
    append_left_out(&out, weights->column_axis, weights->columns, weights->column_count);
    if (!weights->listed) {
        append_bound(&out, weights);
    }
    text_append(&out, ".");
    return text_finish(&out, err);
}
