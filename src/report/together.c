/* SPDX-License-Identifier: MIT */
/* Axes that move together; see together.h. */
#include "report/together.h"

bool together_moves(const struct summary *summary, size_t axis, size_t other, size_t *partner)
{
    const size_t count = summary->axes[axis].count;
    if (axis == other || count != summary->axes[other].count) {
        return false;
    }
    for (size_t v = 0; v < count; v++) {
        partner[v] = count; /* none yet */
    }
    /* as many values, each with one of the other: no two of them share one */
    for (size_t g = 0; g < summary->group_count; g++) {
        const size_t *place = summary->groups[g].place;
        size_t *known = &partner[place[axis]];
        if (*known != count && *known != place[other]) {
            return false;
        }
        *known = place[other];
    }
    return true;
}

static bool is_file(const struct summary_axis *axis)
{
    return axis->field < RUN_FIELD_COUNT && run_fields[axis->field].kind == FIELD_PATH;
}

/* An axis that moves with another, and its value. */
struct companion {
    const struct summary_axis *axis;
    size_t value;
};

/* Returns how many there are. */
static size_t find_companions(const struct summary *summary, const struct summary_axis *axis,
                              size_t value, size_t *partner, struct companion *found)
{
    size_t count = 0;
    bool file = is_file(axis);
    for (size_t other = 0; other < summary->axis_count; other++) {
        const struct summary_axis *candidate = &summary->axes[other];
        if ((file && is_file(candidate)) ||
            !together_moves(summary, (size_t)(axis - summary->axes), other, partner)) {
            continue;
        }
        found[count++] = (struct companion){candidate, partner[value]};
        file = file || is_file(candidate);
    }
    return count;
}

bool together_append(const struct sections *sections, const struct summary_axis *axis, size_t value,
                     struct error *err)
{
    struct companion companions[RUN_FIELD_COUNT];
    size_t *partner = arena_alloc(sections->arena, axis->count, sizeof *partner, err);
    if (partner == NULL) {
        return false;
    }
    size_t count = find_companions(sections->view->summary, axis, value, partner, companions);
    for (size_t c = 0; c < count; c++) {
        text_append(sections->out, c == 0           ? " together with **"
                                   : c + 1 == count ? " and **"
                                                    : ", **");
        if (!sections_append_value(sections, companions[c].axis, companions[c].value, err)) {
            return false;
        }
        text_append(sections->out, "**");
    }
    return true;
}
