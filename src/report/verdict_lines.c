/* SPDX-License-Identifier: MIT */
/* One bullet for each line of the figure: where along x it saturates. Declared in sections.h. */
#include "report/labels.h"
#include "report/numbers.h"
#include "report/onsets.h"
#include "report/sections.h"
#include "summary/saturation.h"

#include <math.h>
#include <string.h>

enum { NAMED_VALUES = 6, NAMED_CROSSINGS = 4 };

static const struct estimate *row_max_at(const struct view_point *point)
{
    return &point->group->measures[MEASURE_ROW_MAX_MEAN];
}

static void append_row_max(struct text *out, const struct summary_group *group)
{
    char number[NUMBER_SIZE];
    text_append(out, number_measure(group, MEASURE_ROW_MAX_MEAN, number));
}

/* The x of a point in words: "harbour", "d_k = 64", "512 sentences". */
static bool append_place(const struct sections *sections, const struct view_point *point,
                         struct error *err)
{
    const struct view *view = sections->view;
    char number[NUMBER_SIZE];
    if (view->x->field == RUN_SENTENCE_LIMIT) {
        text_append_format(sections->out, "%s sentences", number_given(point->x, number));
        return true;
    }
    if (view->x->numeric) {
        text_append_format(sections->out, "%s = %s", view->x->name,
                           view_x_number(view, point->x, number));
        return true;
    }
    size_t value = point->group->place[view->x - view->summary->axes];
    if (view->x->field == AXIS_GUARDS) {
        text_append(sections->out, view_guards_name(run_guards_mask(view->x->samples[value])));
        return true;
    }
    return sections_append_value(sections, view->x, value, err);
}

static const char *preposition(const struct view *view)
{
    if (view->x->field == AXIS_GUARDS) {
        return "under";
    }
    return view->x->numeric ? "at" : view->x->field == RUN_CORPUS ? "on" : "for";
}

/* The points of one verdict with their row-max: "on demo (0.18 ± 0.01), kitchen (0.53 ± 0.01)". */
static bool append_points(const struct sections *sections, const struct view_curve *curve,
                          enum saturation verdict, struct error *err)
{
    size_t named = 0;
    size_t all = 0;
    for (size_t i = 0; i < curve->count; i++) {
        if (saturation_of(curve->points[i].group) != verdict) {
            continue;
        }
        if (all++ >= NAMED_VALUES) {
            continue;
        }
        text_append_format(sections->out, "%s ", named++ == 0 ? preposition(sections->view) : ",");
        if (!append_place(sections, &curve->points[i], err)) {
            return false;
        }
        text_append(sections->out, " (");
        append_row_max(sections->out, curve->points[i].group);
        text_append(sections->out, ")");
    }
    if (all > named) {
        text_append_format(sections->out, " and %zu more", all - named);
    }
    return true;
}

static const struct summary_group *group_at(const struct view_curve *curve, double x)
{
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->points[i].x == x) {
            return curve->points[i].group;
        }
    }
    return NULL;
}

/* Whether the intervals at both ends of the bracket contain the threshold. */
static bool is_open(const struct view_curve *curve, const struct saturation_crossing *crossing)
{
    const struct summary_group *from = group_at(curve, crossing->from);
    const struct summary_group *to = group_at(curve, crossing->to);
    return from != NULL && to != NULL && saturation_of(from) == SATURATION_UNDECIDED &&
           saturation_of(to) == SATURATION_UNDECIDED;
}

/* Of the first crossing that enters; its interval is "" where there is none. */
static bool find_words(const struct sections *sections, const struct view_curve *curve,
                       struct onset_words *out, struct error *err)
{
    const struct onset_table *table = sections->view->onsets;
    for (size_t c = 0; table != NULL && c < table->found.count; c++) {
        const struct onset_curve *onset = &table->found.curves[c];
        if (onset->groups[0] == curve->points[0].group && onset->count == curve->count &&
            !onset_words(&table->found, onset, &onset->of[ONSET_ROW_MAX], sections->arena, out,
                         err)) {
            return false;
        }
    }
    return true;
}

/* "enters saturation between d_k = 32 and 64, at about 42". */
static void append_crossings(const struct sections *sections, const struct view_curve *curve,
                             const struct saturation_crossing *crossings, size_t count,
                             const struct onset_words *words)
{
    struct text *out = sections->out;
    const struct view *view = sections->view;
    bool sentences = view->x->field == RUN_SENTENCE_LIMIT;
    char from[NUMBER_SIZE];
    char to[NUMBER_SIZE];
    char at[NUMBER_SIZE];
    bool known = *words->interval != '\0';
    for (size_t i = 0; i < count && i < NAMED_CROSSINGS; i++) {
        bool is_onset = known && crossings[i].enters;
        text_append_format(out, "%s%s saturation between ", i == 0 ? "" : ", ",
                           crossings[i].enters ? "enters" : "leaves");
        if (!sentences) {
            text_append_format(out, "%s = ", view->x->name);
        }
        text_append_format(out, "%s and %s%s, at about %s",
                           view_x_number(view, crossings[i].from, from),
                           view_x_number(view, crossings[i].to, to), sentences ? " sentences" : "",
                           is_onset ? words->place : number_about(crossings[i].at, at));
        if (is_onset) {
            text_append_format(out, " (95 %% interval %s)", words->interval);
            known = false;
        } else if (is_open(curve, &crossings[i])) {
            text_append(out, " (the intervals at both ends contain the threshold: the seeds leave "
                             "the place open)");
        }
    }
    if (count > NAMED_CROSSINGS) {
        text_append_format(out, " and crosses the threshold %zu times more",
                           count - NAMED_CROSSINGS);
    }
    text_append(out, "; mean row-max ");
    append_row_max(out, curve->points[0].group);
    text_append_format(out, " at %s, ", view_x_number(view, curve->points[0].x, at));
    append_row_max(out, curve->points[curve->count - 1].group);
    text_append_format(out, " at %s", view_x_number(view, curve->points[curve->count - 1].x, at));
}

/* Where a curve over a numeric axis passes the threshold; *found tells whether it does. */
static bool append_numeric(const struct sections *sections, const struct view_curve *curve,
                           bool *found, struct error *err)
{
    double *x = arena_alloc(sections->arena, curve->count, sizeof *x, err);
    double *y = arena_alloc(sections->arena, curve->count, sizeof *y, err);
    struct saturation_crossing *crossings =
        arena_alloc(sections->arena, curve->count, sizeof *crossings, err);
    if (x == NULL || y == NULL || crossings == NULL) {
        return false;
    }
    for (size_t i = 0; i < curve->count; i++) {
        x[i] = curve->points[i].x;
        y[i] = row_max_at(&curve->points[i])->mean;
    }
    double threshold = curve->points[0].group->sample->saturation_row_max;
    bool log_x = sections->view->scale == SCALE_LOG;
    size_t count = saturation_crossings(curve->count, x, y, threshold, log_x, crossings);
    *found = count > 0;
    struct onset_words words = {.interval = ""};
    if (!*found || !find_words(sections, curve, &words, err)) {
        return err->code == ERROR_NONE;
    }
    append_crossings(sections, curve, crossings, count, &words);
    return true;
}

static struct saturation_tally tally_curve(const struct view_curve *curve)
{
    struct saturation_tally tally = {0};
    for (size_t i = 0; i < curve->count; i++) {
        saturation_add(&tally, curve->points[i].group);
    }
    return tally;
}

static void append_range(const struct sections *sections, const struct saturation_tally *tally)
{
    char low[NUMBER_SIZE];
    char high[NUMBER_SIZE];
    number_measure(tally->lowest, MEASURE_ROW_MAX_MEAN, low);
    number_measure(tally->highest, MEASURE_ROW_MAX_MEAN, high);
    bool same = strcmp(low, high) == 0;
    text_append_format(sections->out, "; mean row-max %s%s%s.", low, same ? "" : " to ",
                       same ? "" : high);
}

/* Settings of a line with a verdict, and those that are not saturated. */
static size_t known_in(const struct saturation_tally *tally)
{
    return tally->groups - tally->unknown;
}

static size_t below_in(const struct saturation_tally *tally)
{
    return known_in(tally) - tally->saturated - tally->undecided;
}

/* A line that never changes its verdict; false when it does. */
static bool append_uniform(const struct sections *sections, const struct saturation_tally *tally)
{
    size_t known = known_in(tally);
    if (tally->saturated != known && tally->undecided != known && below_in(tally) != known) {
        return false;
    }
    text_append(sections->out, tally->saturated == known   ? "saturated throughout"
                               : tally->undecided == known ? "undecided throughout"
                                                           : "nowhere saturated");
    append_range(sections, tally);
    return true;
}

/* The counts of a line whose settings are more than one curve. */
static void append_tally(const struct sections *sections, const struct saturation_tally *tally)
{
    text_append_format(sections->out, "%zu of %zu settings saturated", tally->saturated,
                       known_in(tally));
    if (tally->undecided > 0) {
        text_append_format(sections->out, ", %zu undecided", tally->undecided);
    }
    append_range(sections, tally);
}

/* Every verdict of a line with its points. */
static bool append_verdicts(const struct sections *sections, const struct view_curve *curve,
                            const struct saturation_tally *tally, struct error *err)
{
    const struct {
        const char *words;
        enum saturation verdict;
        size_t count;
    } parts[] = {{"saturated ", SATURATION_YES, tally->saturated},
                 {"not ", SATURATION_NO, below_in(tally)},
                 {"undecided ", SATURATION_UNDECIDED, tally->undecided}};
    bool first = true;
    for (size_t i = 0; i < 3; i++) {
        if (parts[i].count == 0) {
            continue;
        }
        text_append_format(sections->out, "%s%s", first ? "" : "; ",
                           first && i == 1 ? "not saturated " : parts[i].words);
        first = false;
        if (!append_points(sections, curve, parts[i].verdict, err)) {
            return false;
        }
    }
    text_append(sections->out, ".");
    return true;
}

/* A numeric line without a crossing that is beyond doubt: only the doubtful points are named. */
static bool append_doubts(const struct sections *sections, const struct view_curve *curve,
                          const struct saturation_tally *tally, struct error *err)
{
    text_append(sections->out, tally->saturated > 0 ? "saturated, but undecided "
                                                    : "not saturated, but undecided ");
    if (!append_points(sections, curve, SATURATION_UNDECIDED, err)) {
        return false;
    }
    append_range(sections, tally);
    return true;
}

static bool append_curve(const struct sections *sections, const struct view_curve *curve,
                         struct error *err)
{
    struct saturation_tally tally = tally_curve(curve);
    bool numeric = sections->view->x->numeric;
    bool found = false;
    if (known_in(&tally) == 0) {
        text_append(sections->out, "no defined result.");
        return true;
    }
    if (append_uniform(sections, &tally)) {
        return true;
    }
    if (numeric && (tally.saturated == 0 || below_in(&tally) == 0)) {
        return append_doubts(sections, curve, &tally, err);
    }
    if (numeric && !append_numeric(sections, curve, &found, err)) {
        return false;
    }
    if (!found) {
        return append_verdicts(sections, curve, &tally, err);
    }
    if (tally.undecided > 0) {
        text_append(sections->out, "; undecided ");
        if (!append_points(sections, curve, SATURATION_UNDECIDED, err)) {
            return false;
        }
    }
    text_append(sections->out, ".");
    return true;
}

static bool append_line(const struct sections *sections, size_t value, struct error *err)
{
    const struct view *view = sections->view;
    struct saturation_tally tally = saturation_count(view->summary, view->lines, value);
    if (view->facet_count > 1 || view->x == NULL) {
        if (tally.highest == NULL) {
            text_append(sections->out, "no defined result.");
        } else if (!append_uniform(sections, &tally)) {
            append_tally(sections, &tally);
        }
        return true;
    }
    struct view_curve curve;
    unsigned mask = view->split ? run_guards_mask(view->lines->samples[value]) : 0;
    size_t line = view->split ? mask & 3U : value;
    return view_curve(view, 0, mask > 3, line, sections->arena, &curve, err) &&
           append_curve(sections, &curve, err);
}

static void append_heading(const struct sections *sections)
{
    const struct view *view = sections->view;
    if (view->x == NULL) {
        return;
    }
    text_append(sections->out, view->x->numeric ? "Along " : "By ");
    markdown_text(sections->out, view_x_label(view));
    if (view->x->numeric && isfinite(view->x_least)) {
        char low[NUMBER_SIZE];
        char high[NUMBER_SIZE];
        text_append_format(sections->out, " (%s to %s)", view_x_number(view, view->x_least, low),
                           view_x_number(view, view->x_most, high));
    }
    text_append(sections->out, view->lines == NULL ? ": " : ":\n\n");
}

/* The name of a line in bold; a setting's in full. */
static bool append_line_name(const struct sections *sections, size_t value, struct error *err)
{
    const struct summary_axis *lines = sections->view->lines;
    const char *name = view_names_need_axis(lines)
                           ? view_value_phrase(lines, value, sections->arena, err)
                           : view_value_label(lines, value, sections->arena, err);
    if (name == NULL) {
        return false;
    }
    text_append(sections->out, "- **");
    markdown_text_cut(sections->out, name, lines->field == AXIS_SETTINGS ? SIZE_MAX : 80);
    text_append(sections->out, "**: ");
    return true;
}

static bool append_lines(const struct sections *sections, struct error *err)
{
    const struct view *view = sections->view;
    append_heading(sections);
    for (size_t value = 0; value < (view->lines == NULL ? 1 : view->lines->count); value++) {
        if ((view->lines != NULL && !append_line_name(sections, value, err)) ||
            !append_line(sections, value, err)) {
            return false;
        }
        text_append(sections->out, "\n");
    }
    text_append(sections->out, "\n");
    return true;
}

bool verdict_append_lines(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct sections told = *sections;
    told.view = sections->view->told != NULL ? sections->view->told : sections->view;
    return summary->axis_count == 0 || saturation_count(summary, NULL, 0).highest == NULL ||
           append_lines(&told, err);
}
