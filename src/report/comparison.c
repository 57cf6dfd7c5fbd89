/* SPDX-License-Identifier: MIT */
/* Choosing what stands beside the theory; see comparison.h. */
#include "report/comparison.h"

#include "report/canvas.h"

#include <stdlib.h>
#include <string.h>

static const double least_factor = 1.5;

bool comparison_applies(const struct summary_group *group)
{
    const struct run *run = group->sample;
    return run->source != SOURCE_SCORES && run->weights == WEIGHTS_SOFTMAX &&
           run->mask == MASK_NONE;
}

size_t comparison_group_tokens(const struct summary_group *group)
{
    const struct estimate *tokens = &group->measures[MEASURE_TOKENS];
    return tokens->mean >= 1 && tokens->mean == tokens->maximum ? (size_t)tokens->mean : 0;
}

static bool is_comparable(const struct summary_group *group)
{
    double spread = group->measures[MEASURE_SCORE_ROW_STD].mean;
    return comparison_applies(group) && comparison_group_tokens(group) >= 2 && isfinite(spread) &&
           spread > 0 && isfinite(group->measures[MEASURE_ROW_MAX_MEAN].mean) &&
           isfinite(group->measures[MEASURE_JACOBIAN_TRACE_MEAN].mean);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a;
    size_t right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* Tokens of the groups that pass, rising. */
static size_t *sorted_tokens(const struct summary *summary,
                             bool (*passes)(const struct summary_group *), size_t *count,
                             struct arena *arena, struct error *err)
{
    size_t *tokens = arena_alloc(arena, summary->group_count, sizeof *tokens, err);
    *count = 0;
    if (tokens == NULL) {
        return NULL;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (passes(group) && comparison_group_tokens(group) >= 2) {
            tokens[(*count)++] = comparison_group_tokens(group);
        }
    }
    qsort(tokens, *count, sizeof *tokens, compare_sizes);
    return tokens;
}

size_t comparison_tokens(const struct summary *summary, bool *several, struct arena *arena,
                         struct error *err)
{
    size_t count;
    const size_t *tokens = sorted_tokens(summary, comparison_applies, &count, arena, err);
    if (tokens == NULL || count == 0) {
        return 0;
    }
    *several = tokens[0] != tokens[count - 1];
    return tokens[(count - 1) / 2];
}

/* The number of tokens with a curve that is nearest to another one by factors. */
static size_t nearest_size(const struct comparison *comparison, size_t tokens)
{
    size_t best = 0;
    for (size_t s = 1; s < comparison->size_count; s++) {
        double distance = fabs(log((double)comparison->sizes[s] / (double)tokens));
        if (distance < fabs(log((double)comparison->sizes[best] / (double)tokens))) {
            best = s;
        }
    }
    return comparison->sizes[best];
}

/* The numbers of tokens that get a curve, and the one that names the thresholds. */
static bool choose_sizes(struct comparison *out, struct arena *arena, struct error *err)
{
    size_t count;
    size_t *tokens = sorted_tokens(out->view->summary, is_comparable, &count, arena, err);
    if (tokens == NULL) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    size_t median = tokens[(count - 1) / 2];
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        if (distinct == 0 || tokens[i] != tokens[distinct - 1]) {
            tokens[distinct++] = tokens[i];
        }
    }
    out->size_count = distinct < COMPARISON_SIZES ? distinct : COMPARISON_SIZES;
    out->sizes_left_out = distinct - out->size_count;
    for (size_t s = 0; s < out->size_count; s++) {
        size_t steps = out->size_count > 1 ? out->size_count - 1 : 1;
        out->sizes[s] = tokens[(s * (distinct - 1) + steps / 2) / steps];
    }
    out->tokens = nearest_size(out, median);
    return true;
}

static size_t size_of(const struct comparison *comparison, size_t tokens)
{
    size_t s = 0;
    while (s < comparison->size_count && comparison->sizes[s] != tokens) {
        s++;
    }
    return s;
}

/* By their guards where the figure has them as lines, or as a part of settings. */
static bool marks_guards(const struct comparison *comparison)
{
    const struct view *view = comparison->view;
    bool settings = view->note != NULL && summary_axis_find(view->measured, AXIS_GUARDS) != NULL;
    return settings || (view->lines != NULL && view->lines->field == AXIS_GUARDS);
}

bool comparison_by_size(const struct comparison *comparison)
{
    return comparison->size_count > 1;
}

static size_t kind_of(const struct comparison *comparison, size_t g)
{
    const struct summary_group *group = &comparison->view->summary->groups[g];
    if (comparison_by_size(comparison)) {
        return size_of(comparison, comparison_group_tokens(group));
    }
    return marks_guards(comparison) ? run_guards_mask(group->sample)
                                    : comparison->view->places[g].line;
}

size_t comparison_style(const struct comparison *comparison, size_t kind)
{
    bool plain = comparison_by_size(comparison) || marks_guards(comparison);
    return plain ? kind : view_line_style(comparison->view, kind);
}

const char *comparison_name(const struct comparison *comparison, size_t kind, struct arena *arena,
                            struct error *err)
{
    if (comparison_by_size(comparison)) {
        return arena_format(arena, err, "n = %zu", comparison->sizes[kind]);
    }
    if (marks_guards(comparison)) {
        return view_guards_name((unsigned)kind);
    }
    return comparison->view->lines == NULL ? "measured"
                                           : view_line_name(comparison->view, kind, arena, err);
}

const struct canvas_style *comparison_shape(size_t shape)
{
    static const size_t styles[COMPARISON_SHAPES] = {0, 1, 2, 3, 4, 7}; /* with other marks each */
    return canvas_style_of(styles[shape % COMPARISON_SHAPES]);
}

bool comparison_has_mark(const struct comparison *comparison, size_t kind, size_t shape)
{
    for (size_t i = 0; i < comparison->point_count; i++) {
        if (comparison->points[i].kind == kind && comparison->points[i].shape == shape) {
            return true;
        }
    }
    return false;
}

bool comparison_has_kind(const struct comparison *comparison, size_t kind)
{
    bool has = false;
    for (size_t shape = 0; shape < COMPARISON_SHAPES; shape++) {
        has = has || comparison_has_mark(comparison, kind, shape);
    }
    return has;
}

/* Corpora, where colours tell something else apart and there are enough shapes. */
static const struct summary_axis *shapes_of(const struct comparison *comparison)
{
    const struct view *view = comparison->view;
    const struct summary_axis *corpora = summary_axis_find(view->summary, RUN_CORPUS);
    bool coloured = !comparison_by_size(comparison) && !marks_guards(comparison) &&
                    corpora != NULL && view->lines == corpora;
    return corpora == NULL || coloured || corpora->count < 2 || corpora->count > COMPARISON_SHAPES
               ? NULL
               : corpora;
}

/* The points, and the extent of their spreads. */
static bool choose_points(struct comparison *out, struct extent *extent, struct arena *arena,
                          struct error *err)
{
    const struct summary *summary = out->view->summary;
    struct comparison_point *points = arena_alloc(arena, summary->group_count, sizeof *points, err);
    if (points == NULL) {
        return false;
    }
    out->shapes = shapes_of(out);
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        out->settings_left_out += !comparison_applies(group);
        if (is_comparable(group) &&
            size_of(out, comparison_group_tokens(group)) < out->size_count) {
            size_t shape = out->shapes == NULL ? 0 : group->place[out->shapes - summary->axes];
            points[out->point_count++] = (struct comparison_point){group, kind_of(out, g), shape};
            extent_add(extent, group->measures[MEASURE_SCORE_ROW_STD].mean, (double)NAN);
        }
    }
    out->points = points;
    return true;
}

/* Spreads from one to another by factors, both ends included; the first is there already when
 * others went before. */
static void add_spreads(struct comparison *out, double from, double to, size_t steps)
{
    for (size_t i = out->node_count == 0 ? 0 : 1; from < to && i <= steps; i++) {
        double share = (double)i / (double)steps;
        out->curves[0][out->node_count++].spread = from * exp(share * log(to / from));
    }
}

/* The curves bend between the thresholds, and are nearly straight outside. */
static void choose_spreads(struct comparison *out)
{
    double bend = fmin(fmax(out->thresholds.onset / 5, out->x.low), out->x.high);
    double end = fmin(fmax(out->thresholds.collapsed * 20, bend), out->x.high);
    add_spreads(out, out->x.low, bend, 8);
    add_spreads(out, bend, end, 40);
    add_spreads(out, end, out->x.high, 8);
}

static struct comparison_node node_at(size_t tokens, double spread)
{
    struct theory theory;
    theory_iid(tokens, spread, &theory);
    return (struct comparison_node){spread, theory.row_max,
                                    theory.jacobian_trace / (1 - 1 / (double)tokens)};
}

static void trace_curves(struct comparison *out)
{
    choose_spreads(out);
    for (size_t s = 0; s < out->size_count; s++) {
        for (size_t i = 0; i < out->node_count; i++) {
            out->curves[s][i] = node_at(out->sizes[s], out->curves[0][i].spread);
        }
    }
}

/* The ticks of every curve, and their place in the range. */
static void find_ticks(struct comparison *out, struct extent *extent)
{
    for (size_t s = 0; s < out->size_count; s++) {
        struct theory_thresholds thresholds;
        theory_thresholds(out->sizes[s], &thresholds);
        const double spreads[COMPARISON_TICKS] = {thresholds.onset, thresholds.saturated,
                                                  thresholds.collapsed};
        for (size_t t = 0; t < COMPARISON_TICKS; t++) {
            out->ticks[s][t] = node_at(out->sizes[s], spreads[t]);
            extent_add(extent, spreads[t], (double)NAN);
        }
    }
}

bool comparison_choose(const struct view *view, struct arena *arena, struct comparison *out,
                       struct error *err)
{
    struct extent extent = EXTENT_EMPTY;
    memset(out, 0, sizeof *out);
    out->view = view;
    if (!choose_sizes(out, arena, err) || !choose_points(out, &extent, arena, err)) {
        return false;
    }
    if (out->point_count == 0 || extent.most < least_factor * extent.least) {
        out->point_count = 0;
        return true;
    }
    theory_thresholds(out->tokens, &out->thresholds);
    find_ticks(out, &extent);
    out->x = scale_logarithmic(&extent);
    trace_curves(out);
    return true;
}
