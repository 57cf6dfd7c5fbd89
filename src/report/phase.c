/* SPDX-License-Identifier: MIT */
/* Choosing the map of saturation; see phase.h. */
#include "report/phase.h"

#include "report/comparison.h"

#include <string.h>

/* Levels of the row-max nearer than this to each other have one line. */
static const double least_distance = 0.1;

static bool usable(const struct summary_axis *axis)
{
    return axis->numeric && axis->field != RUN_SATURATION_ROW_MAX && axis->count >= PHASE_VALUES;
}

/* The longest axis but one that is taken. */
static const struct summary_axis *longest_but(const struct summary *summary,
                                              const struct summary_axis *taken)
{
    const struct summary_axis *best = NULL;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (usable(axis) && axis != taken && (best == NULL || axis->count > best->count)) {
            best = axis;
        }
    }
    return best;
}

static void choose_axes(struct phase *out)
{
    const struct summary_axis *tokens = summary_axis_find(out->summary, RUN_TOKENS);
    if (tokens != NULL && usable(tokens)) {
        out->y = tokens;
        out->x = longest_but(out->summary, tokens);
    } else {
        out->x = longest_but(out->summary, NULL);
        out->y = out->x == NULL ? NULL : longest_but(out->summary, out->x);
    }
    if (out->x == NULL || out->y == NULL) {
        out->x = NULL;
        out->y = NULL;
    }
}

/* The only axis besides the two when it has more values than there are panels; else NULL. */
static const struct summary_axis *thinned_axis(const struct phase *phase)
{
    const struct summary_axis *other = NULL;
    for (size_t a = 0; a < phase->summary->axis_count; a++) {
        const struct summary_axis *axis = &phase->summary->axes[a];
        if (axis != phase->x && axis != phase->y) {
            if (other != NULL) {
                return NULL;
            }
            other = axis;
        }
    }
    return other != NULL && other->count > PHASE_PANELS ? other : NULL;
}

/* Whether a group has one of the values that are taken evenly, from the first to the last. */
static bool is_taken(const struct phase *phase, const struct summary_axis *thinned,
                     const struct summary_group *group)
{
    if (thinned == NULL) {
        return true;
    }
    size_t value = summary_place(phase->summary, group, thinned);
    for (size_t p = 0; p < PHASE_PANELS; p++) {
        if (value == p * (thinned->count - 1) / (PHASE_PANELS - 1)) {
            return true;
        }
    }
    return false;
}

static bool same_panel(const struct phase *phase, const struct summary_group *a,
                       const struct summary_group *b)
{
    for (size_t i = 0; i < phase->summary->axis_count; i++) {
        const struct summary_axis *axis = &phase->summary->axes[i];
        if (axis != phase->x && axis != phase->y && a->place[i] != b->place[i]) {
            return false;
        }
    }
    return true;
}

static bool add_panel(struct phase *out, const struct summary_group *sample, struct arena *arena,
                      struct error *err)
{
    struct phase_panel *panel = &out->panels[out->panel_count++];
    size_t cells = out->x->count * out->y->count;
    panel->sample = sample;
    panel->groups = arena_alloc(arena, cells, sizeof(const struct summary_group *), err);
    return panel->groups != NULL;
}

/* Puts a group in its cell; groups of further panels are counted by whoever asks. */
static bool place_group(struct phase *out, const struct summary_group *group, bool *placed,
                        struct arena *arena, struct error *err)
{
    size_t p = 0;
    while (p < out->panel_count && !same_panel(out, out->panels[p].sample, group)) {
        p++;
    }
    *placed = p < PHASE_PANELS;
    if (!*placed) {
        return true;
    }
    if (p == out->panel_count && !add_panel(out, group, arena, err)) {
        return false;
    }
    size_t row = summary_place(out->summary, group, out->y);
    size_t column = summary_place(out->summary, group, out->x);
    out->panels[p].groups[row * out->x->count + column] = group;
    return true;
}

double phase_place(size_t count, const double *spreads, double onset)
{
    double place = (double)NAN;
    for (size_t i = 0; i + 1 < count; i++) {
        double low = spreads[i];
        double high = spreads[i + 1];
        if (low > 0 && low <= onset && high > onset && isfinite(high)) {
            place = (double)i + log(onset / low) / log(high / low);
        }
    }
    return place;
}

/* The spreads of a row of cells; NaN where the theory has no say. */
static void row_spreads(const struct phase *phase, const struct phase_panel *panel, size_t row,
                        double *spreads)
{
    for (size_t i = 0; i < phase->x->count; i++) {
        const struct summary_group *group = panel->groups[row * phase->x->count + i];
        bool known = group != NULL && comparison_applies(group);
        spreads[i] = known ? group->measures[MEASURE_SCORE_ROW_STD].mean : (double)NAN;
    }
}

/* The number of keys of a row of cells; 0 where they differ. */
static size_t row_tokens(const struct phase *phase, const struct phase_panel *panel, size_t row)
{
    double tokens = (double)NAN;
    for (size_t i = 0; i < phase->x->count; i++) {
        const struct summary_group *group = panel->groups[row * phase->x->count + i];
        double here = group == NULL ? (double)NAN : group->measures[MEASURE_TOKENS].mean;
        if (!isnan(here) && !isnan(tokens) && here != tokens) {
            return 0;
        }
        tokens = isnan(here) ? tokens : here;
    }
    return tokens >= 1 ? (size_t)tokens : 0;
}

static bool find_onsets(struct phase *out, struct arena *arena, struct error *err)
{
    size_t rows = out->y->count;
    double *spreads = arena_alloc(arena, out->x->count, sizeof *spreads, err);
    double *onsets = arena_alloc(arena, rows * PHASE_PANELS, sizeof *onsets, err);
    if (spreads == NULL || onsets == NULL) {
        return false;
    }
    for (size_t p = 0; p < out->panel_count; p++) {
        for (size_t row = 0; row < rows; row++) {
            size_t tokens = row_tokens(out, &out->panels[p], row);
            row_spreads(out, &out->panels[p], row, spreads);
            onsets[p * rows + row] = tokens == 0 ? (double)NAN
                                                 : phase_place(out->x->count, spreads,
                                                               theory_spread_at_trace(tokens, 0.9));
        }
        out->panels[p].onset = onsets + p * rows;
    }
    return true;
}

/* Whether a panel is filled well enough to be read as a map; settings that were planned one by one
 * leave most of it empty. */
static bool is_filled(const struct phase *phase)
{
    size_t cells = phase->x->count * phase->y->count;
    for (size_t p = 0; p < phase->panel_count; p++) {
        size_t filled = 0;
        for (size_t c = 0; c < cells; c++) {
            filled += phase->panels[p].groups[c] == NULL ? 0 : 1;
        }
        if (4 * filled >= 3 * cells) {
            return true;
        }
    }
    return false;
}

static bool find_contours(struct phase *out, struct arena *arena, struct error *err)
{
    size_t cells = out->x->count * out->y->count;
    double *values = arena_alloc(arena, cells, sizeof *values, err);
    for (size_t p = 0; values != NULL && p < out->panel_count; p++) {
        struct phase_panel *panel = &out->panels[p];
        panel->levels[0] = panel->sample->sample->saturation_row_max;
        panel->levels[1] = 0.5;
        for (size_t c = 0; c < cells; c++) {
            const struct summary_group *group = panel->groups[c];
            values[c] = group == NULL ? (double)NAN : group->measures[MEASURE_ROW_MAX_MEAN].mean;
        }
        for (size_t level = 0; level < PHASE_LEVELS; level++) {
            bool apart = level == 0 || fabs(panel->levels[0] - panel->levels[1]) >= least_distance;
            if (apart && !contour_find(out->y->count, out->x->count, values, panel->levels[level],
                                       arena, &panel->contours[level], err)) {
                return false;
            }
        }
    }
    return values != NULL;
}

bool phase_choose(const struct summary *summary, struct arena *arena, struct phase *out,
                  struct error *err)
{
    memset(out, 0, sizeof *out);
    out->summary = summary;
    choose_axes(out);
    if (out->x == NULL) {
        return true;
    }
    const struct summary_axis *thinned = thinned_axis(out);
    for (size_t g = 0; g < summary->group_count; g++) {
        bool placed = false;
        if (is_taken(out, thinned, &summary->groups[g]) &&
            !place_group(out, &summary->groups[g], &placed, arena, err)) {
            return false;
        }
        out->settings_left_out += !placed;
    }
    if (!is_filled(out)) {
        out->x = NULL;
        return true;
    }
    return find_onsets(out, arena, err) && find_contours(out, arena, err);
}

const char *phase_panel_name(const struct phase *phase, size_t panel, struct arena *arena,
                             struct error *err)
{
    struct text name = TEXT_INIT(arena);
    const struct summary_group *sample = phase->panels[panel].sample;
    text_append(&name, "");
    for (size_t i = 0; i < phase->summary->axis_count && phase->panel_count > 1; i++) {
        const struct summary_axis *axis = &phase->summary->axes[i];
        if (axis == phase->x || axis == phase->y) {
            continue;
        }
        const char *value = view_value_phrase(axis, sample->place[i], arena, err);
        if (value == NULL) {
            return NULL;
        }
        text_append_format(&name, "%s%s", name.length == 0 ? "" : ", ", value);
    }
    return text_finish(&name, err);
}

bool phase_has_onset(const struct phase *phase)
{
    for (size_t p = 0; p < phase->panel_count; p++) {
        for (size_t row = 0; row < phase->y->count; row++) {
            if (!isnan(phase->panels[p].onset[row])) {
                return true;
            }
        }
    }
    return false;
}

bool phase_has_contour(const struct phase *phase, size_t level)
{
    for (size_t p = 0; p < phase->panel_count; p++) {
        if (phase->panels[p].contours[level].count > 0) {
            return true;
        }
    }
    return false;
}
