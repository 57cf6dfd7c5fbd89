/* SPDX-License-Identifier: MIT */
/* Choosing the map of saturation; see phase.h. */
#include "report/phase.h"

#include "report/comparison.h"

#include <string.h>

static const struct summary_axis *choose_x(const struct summary *summary)
{
    const struct summary_axis *best = NULL;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        bool usable = axis->numeric && axis->field != RUN_TOKENS &&
                      axis->field != RUN_SATURATION_ROW_MAX && axis->count >= PHASE_VALUES;
        if (usable && (best == NULL || axis->count > best->count)) {
            best = axis;
        }
    }
    return best;
}

static bool same_panel(const struct phase *phase, const struct summary_group *a,
                       const struct summary_group *b)
{
    for (size_t i = 0; i < phase->summary->axis_count; i++) {
        const struct summary_axis *axis = &phase->summary->axes[i];
        if (axis != phase->x && axis != phase->tokens && a->place[i] != b->place[i]) {
            return false;
        }
    }
    return true;
}

static bool add_panel(struct phase *out, const struct summary_group *sample, struct arena *arena,
                      struct error *err)
{
    struct phase_panel *panel = &out->panels[out->panel_count++];
    size_t cells = out->x->count * out->tokens->count;
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
    size_t row = summary_place(out->summary, group, out->tokens);
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

static bool find_onsets(struct phase *out, struct arena *arena, struct error *err)
{
    size_t rows = out->tokens->count;
    double *spreads = arena_alloc(arena, out->x->count, sizeof *spreads, err);
    double *onsets = arena_alloc(arena, rows * PHASE_PANELS, sizeof *onsets, err);
    if (spreads == NULL || onsets == NULL) {
        return false;
    }
    for (size_t row = 0; row < rows; row++) {
        double onset = theory_spread_at_trace((size_t)out->tokens->samples[row]->tokens, 0.9);
        for (size_t p = 0; p < out->panel_count; p++) {
            row_spreads(out, &out->panels[p], row, spreads);
            onsets[p * rows + row] = phase_place(out->x->count, spreads, onset);
        }
    }
    for (size_t p = 0; p < out->panel_count; p++) {
        out->panels[p].onset = onsets + p * rows;
    }
    return true;
}

bool phase_choose(const struct summary *summary, struct arena *arena, struct phase *out,
                  struct error *err)
{
    memset(out, 0, sizeof *out);
    out->summary = summary;
    out->tokens = summary_axis_find(summary, RUN_TOKENS);
    out->x = out->tokens == NULL ? NULL : choose_x(summary);
    if (out->x == NULL || out->tokens->count < PHASE_VALUES) {
        out->x = NULL;
        return true;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        bool placed;
        if (!place_group(out, &summary->groups[g], &placed, arena, err)) {
            return false;
        }
        out->settings_left_out += !placed;
    }
    return find_onsets(out, arena, err);
}

const char *phase_panel_name(const struct phase *phase, size_t panel, struct arena *arena,
                             struct error *err)
{
    struct text name = TEXT_INIT(arena);
    const struct summary_group *sample = phase->panels[panel].sample;
    text_append(&name, "");
    for (size_t i = 0; i < phase->summary->axis_count && phase->panel_count > 1; i++) {
        const struct summary_axis *axis = &phase->summary->axes[i];
        if (axis == phase->x || axis == phase->tokens) {
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
        for (size_t row = 0; row < phase->tokens->count; row++) {
            if (!isnan(phase->panels[p].onset[row])) {
                return true;
            }
        }
    }
    return false;
}
