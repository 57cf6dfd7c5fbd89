/* SPDX-License-Identifier: MIT */
/* What stops saturation besides guards: values of an axis under which nothing saturates. Declared
 * in sections.h. */
#include "report/numbers.h"
#include "report/sections.h"
#include "report/together.h"
#include "summary/saturation.h"

enum { AXES_NAMED = 2, VALUES_NAMED = 4 };

/* Choices can be made; numbers are what curves run along, and settings what the bullets name. */
static bool is_choice(const struct summary_axis *axis)
{
    return axis->field < RUN_FIELD_COUNT && !axis->numeric && axis->field != RUN_SENTENCE &&
           axis->field != RUN_SCORES && axis->field != RUN_HEAD;
}

static bool is_free(const struct summary *summary, const struct summary_axis *axis, size_t value)
{
    struct saturation_tally tally = saturation_count(summary, axis, value);
    return tally.saturated == 0 && tally.undecided == 0 && tally.unknown == 0;
}

static size_t count_free(const struct summary *summary, const struct summary_axis *axis)
{
    size_t count = 0;
    for (size_t v = 0; v < axis->count; v++) {
        count += is_free(summary, axis, v) ? 1 : 0;
    }
    return count;
}

/* Whether an axis that is told before this one says the same: the guards, or an earlier choice. */
static bool is_told(const struct summary *summary, size_t axis, size_t *partner)
{
    for (size_t other = 0; other < summary->axis_count; other++) {
        bool before = summary->axes[other].field == AXIS_GUARDS ||
                      (other < axis && is_choice(&summary->axes[other]));
        if (before && together_moves(summary, axis, other, partner)) {
            return true;
        }
    }
    return false;
}

static bool append_axis(const struct sections *sections, const struct summary_axis *axis,
                        size_t count, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    size_t written = 0;
    for (size_t v = 0; v < axis->count; v++) {
        char number[NUMBER_SIZE];
        if (!is_free(summary, axis, v)) {
            continue;
        }
        text_append(out, written == 0 ? axis->field == RUN_CORPUS ? " Nothing saturates on "
                                                                  : " Nothing saturates with "
                         : written + 1 == count ? " and "
                                                : ", ");
        written++;
        text_append(out, "**");
        if (!sections_append_value(sections, axis, v, err)) {
            return false;
        }
        text_append(out, "**");
        if (!together_append(sections, axis, v, err)) {
            return false;
        }
        text_append_format(out, " (at most %s)",
                           number_measure(saturation_count(summary, axis, v).highest,
                                          MEASURE_ROW_MAX_MEAN, number));
    }
    text_append(out, ".");
    return true;
}

/* "Of the values of learner only count-svd saturates." */
static bool append_only(const struct sections *sections, const struct summary_axis *axis,
                        struct error *err)
{
    for (size_t v = 0; v < axis->count; v++) {
        if (!is_free(sections->view->summary, axis, v)) {
            text_append_format(sections->out, " Of %zu values of %s only **", axis->count,
                               view_axis_label(axis));
            const char *value = view_value_label(axis, v, sections->arena, err);
            if (value == NULL) {
                return false;
            }
            markdown_text(sections->out, value);
            text_append(sections->out, "**");
            if (!together_append(sections, axis, v, err)) {
                return false;
            }
            text_append(sections->out, " saturates or is undecided anywhere.");
        }
    }
    return true;
}

bool verdict_append_axes(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    size_t named = 0;
    size_t most = 0;
    for (size_t a = 0; a < summary->axis_count; a++) {
        most = summary->axes[a].count > most ? summary->axes[a].count : most;
    }
    size_t *partner = arena_alloc(sections->arena, most, sizeof *partner, err);
    if (partner == NULL) {
        return false;
    }
    for (size_t a = 0; a < summary->axis_count && named < AXES_NAMED; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        size_t count = is_choice(axis) ? count_free(summary, axis) : 0;
        bool only = count > VALUES_NAMED && count + 1 == axis->count;
        if (count == 0 || (count > VALUES_NAMED && !only) || is_told(summary, a, partner)) {
            continue;
        }
        named++;
        if (!(only ? append_only(sections, axis, err) : append_axis(sections, axis, count, err))) {
            return false;
        }
    }
    return true;
}
