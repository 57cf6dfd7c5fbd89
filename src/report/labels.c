/* SPDX-License-Identifier: MIT */
/* The x axis of a panel: range, marks and names; see labels.h. */
#include "report/labels.h"

#include "report/numbers.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LIMIT = 24 };

static const double name_size = 17;

double labels_shared_threshold(const struct summary *summary)
{
    double shared = (double)NAN;
    for (size_t g = 0; g < summary->group_count; g++) {
        double threshold = summary->groups[g].sample->saturation_row_max;
        if (!isnan(shared) && shared != threshold) {
            return (double)NAN;
        }
        shared = threshold;
    }
    return shared;
}

double labels_shared_tokens(const struct summary *summary)
{
    double shared = (double)NAN;
    for (size_t g = 0; g < summary->group_count; g++) {
        double tokens = summary->groups[g].measures[MEASURE_TOKENS].mean;
        if (isnan(tokens)) {
            continue;
        }
        if (!isnan(shared) && shared != tokens) {
            return (double)NAN;
        }
        shared = tokens;
    }
    return shared;
}

double labels_sentences(const struct summary *summary, const struct summary_axis *corpus,
                        size_t value)
{
    double most = (double)NAN;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        double sentences = group->measures[MEASURE_CORPUS_SENTENCES].maximum;
        if (group->place[corpus - summary->axes] == value && sentences > 0) {
            most = fmax(most, sentences);
        }
    }
    return most;
}

/* The names of a category: one below the other. */
struct category {
    size_t count;
    const char *lines[3];
};

static bool describe_category(const struct view *view, size_t value, bool spelled,
                              struct category *out, struct arena *arena, struct error *err)
{
    const struct summary_axis *axis = view->x;
    memset(out, 0, sizeof *out);
    if (axis->field == AXIS_GUARDS) {
        unsigned mask = run_guards_mask(axis->samples[value]);
        for (unsigned bit = 1; bit < 8; bit *= 2) {
            if ((mask & bit) != 0) {
                out->lines[out->count++] = view_guards_name(bit);
            }
        }
        if (mask == 0) {
            out->lines[out->count++] = view_guards_name(0);
        }
        return true;
    }
    const char *name = view_value_label(axis, value, arena, err);
    name = name == NULL ? NULL : gnuplot_label(arena, name, NAME_LIMIT, err);
    out->lines[out->count++] = name;
    double sentences = (double)NAN;
    if (axis->field == RUN_CORPUS) {
        sentences = labels_sentences(view->summary, axis, value);
    }
    if (name != NULL && !isnan(sentences)) {
        out->lines[1] = arena_format(arena, err, "%.0f%s", sentences,
                                     !spelled         ? ""
                                     : sentences == 1 ? " sentence"
                                                      : " sentences");
        out->count = out->lines[1] == NULL ? 1 : 2;
    }
    return name != NULL;
}

/* One name below the axis; slanted and alone when names are too long to stand side by side. */
static void append_category(struct canvas *canvas, size_t value, const struct category *category,
                            bool slanted)
{
    for (size_t i = 0; i < category->count && !(slanted && i > 0); i++) {
        text_append(&canvas->script, "set label ");
        gnuplot_quote(&canvas->script, category->lines[i]);
        text_append_format(&canvas->script, " at first %zu, graph 0 ", value);
        if (slanted) {
            text_append(&canvas->script, "offset 0.8,-0.7 right rotate by 30 ");
        } else {
            text_append_format(&canvas->script, "offset 0,%.2f center ", -0.95 - 1.1 * (double)i);
        }
        bool main_line = i == 0 || category->lines[1] == view_guards_name(2) ||
                         category->lines[1] == view_guards_name(4);
        text_append_format(&canvas->script, "font FONT.',%d' textcolor rgb %s\n",
                           main_line ? (int)name_size : 15, main_line ? CANVAS_INK : CANVAS_SOFT);
    }
}

/* Names of every step-th category. Numbers of sentences stand bare where the word does not fit,
 * and the word stands once below. */
static bool append_category_names(struct canvas *canvas, const struct view *view,
                                  const struct canvas_area *area, size_t step, struct arena *arena,
                                  struct error *err)
{
    double slot = area->width * (double)step / (double)view->x->count;
    bool spelled = canvas_text_width("0000 sentences", 15) < slot;
    bool slanted = false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t v = 0; v < view->x->count; v += step) {
            struct category category;
            if (!describe_category(view, v, spelled, &category, arena, err)) {
                return false;
            }
            slanted = slanted || canvas_text_width(category.lines[0], name_size) > slot;
            if (pass == 1) {
                append_category(canvas, v, &category, slanted);
            }
        }
    }
    if (view->x->field == RUN_CORPUS && !spelled && !slanted) {
        const struct canvas_text place = {area->left + area->width / 2,
                                          area->top + area->height + 88,
                                          15,
                                          false,
                                          true,
                                          CANVAS_SOFT};
        canvas_write(canvas, &place, "sentences");
    }
    return true;
}

static bool append_categories(struct canvas *canvas, const struct view *view,
                              const struct canvas_area *area, bool labelled, struct arena *arena,
                              struct error *err)
{
    size_t count = view->x->count;
    text_append_format(&canvas->script, "unset logscale x\nset xrange [-0.5:%.1f]\nset xtics (",
                       (double)count - 0.5);
    size_t step = count / 40 + 1;
    for (size_t v = 0; v < count; v += step) {
        text_append_format(&canvas->script, "%s'' %zu", v == 0 ? "" : ", ", v);
    }
    text_append(&canvas->script, ")\n");
    return !labelled || append_category_names(canvas, view, area, step, arena, err);
}

/* Whether every step-th value of the axis leaves room for its label on a logarithmic axis. */
static bool step_fits(const struct view *view, const struct canvas_area *area, size_t step)
{
    double pixels = area->width / log(view->x_most / view->x_least);
    double last = -(double)INFINITY;
    for (size_t v = 0; v < view->x->count; v += step) {
        double at = field_value_number(&run_fields[view->x->field], view->x->samples[v]);
        if (!(at >= view->x_least && at <= view->x_most)) {
            continue;
        }
        char label[NUMBER_SIZE];
        if ((log(at) - last) * pixels < canvas_text_width(number_given(at, label), 17) + 16) {
            return false;
        }
        last = log(at);
    }
    return true;
}

/* Marks at values of the axis itself, every second or third where they are many. */
static void append_factor_marks(struct canvas *canvas, const struct view *view,
                                const struct canvas_area *area, bool labelled)
{
    size_t step = 1;
    size_t count = 0;
    while (step < view->x->count && !step_fits(view, area, step)) {
        step++;
    }
    text_append(&canvas->script, "set xtics (");
    for (size_t v = 0; v < view->x->count; v += step) {
        double at = field_value_number(&run_fields[view->x->field], view->x->samples[v]);
        char label[NUMBER_SIZE];
        if (at >= view->x_least && at <= view->x_most) {
            text_append_format(&canvas->script, "%s'%s' %.10g", count++ == 0 ? "" : ", ",
                               labelled ? number_given(at, label) : "", at);
        }
    }
    text_append(&canvas->script, ")\n");
}

static void append_numeric(struct canvas *canvas, const struct view *view,
                           const struct canvas_area *area, bool labelled)
{
    double low = view->x_least;
    double high = view->x_most;
    if (view->scale == SCALE_LOG) {
        double room = pow(high / low, 0.035);
        text_append_format(&canvas->script,
                           "unset logscale x\nset xrange [%.10g:%.10g]\nset logscale x\n",
                           low / room, high * room);
        append_factor_marks(canvas, view, area, labelled);
    } else {
        double room = high > low ? 0.035 * (high - low) : fmax(0.1 * fabs(high), 0.5);
        struct scale scale = {false, low - room, high + room};
        scale_append(&canvas->script, 'x', &scale, labelled);
    }
    if (labelled) {
        const struct canvas_text place = {area->left + area->width / 2,
                                          area->top + area->height + 74,
                                          18,
                                          false,
                                          true,
                                          CANVAS_INK};
        canvas_write(canvas, &place, view_x_label(view));
    }
}

bool labels_append_x(struct canvas *canvas, const struct view *view, const struct canvas_area *area,
                     bool labelled, struct arena *arena, struct error *err)
{
    if (view->x == NULL) {
        text_append(&canvas->script, "unset logscale x\nset xrange [-1:1]\nset xtics ('' 0)\n");
        return true;
    }
    if (view->scale == SCALE_CATEGORIES) {
        return append_categories(canvas, view, area, labelled, arena, err);
    }
    append_numeric(canvas, view, area, labelled);
    return true;
}

double labels_foot(const struct view *view)
{
    bool stacked = view->x != NULL && view->x->field == AXIS_GUARDS;
    return stacked ? 150 : 124;
}
