/* SPDX-License-Identifier: MIT */
/* The x axis of a panel: range, marks and names; see labels.h. */
#include "report/labels.h"

#include "report/numbers.h"
#include "report/scope.h"
#include "report/wrap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    WORD_ROOM = 10,    /* characters of a line that make sense */
    SLANTED_LIMIT = 16 /* of a slanted name: the margins hold no more */
};

static const double name_size = 17;
static const double small_size = 15;
static const double slanted_slot = 46; /* between slanted names, in pixels */

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

double labels_uniform_tokens(const struct summary *summary)
{
    const struct scope scope = scope_of(summary);
    return scope.mask ? (double)NAN : labels_shared_tokens(summary);
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

/* The names of a category, one below the other, and below them a number of sentences. */
struct category {
    size_t count, names;
    const char *lines[WRAP_LINES + 1];
};

/* How the names of all categories are written. */
struct naming {
    size_t step;    /* every step-th has a name */
    size_t limit;   /* characters of a line */
    bool slanted;   /* on one line each, when lines of a few characters do not do */
    bool spelled;   /* "300 sentences" rather than "300" */
    double size;    /* of the font */
    size_t deepest; /* lines of the longest */
};

static void describe_guards(unsigned mask, struct category *out)
{
    for (unsigned bit = 1; bit < 8; bit *= 2) {
        if ((mask & bit) != 0) {
            out->lines[out->count++] = view_guards_name(bit);
        }
    }
    if (mask == 0) {
        out->lines[out->count++] = view_guards_name(0);
    }
    out->names = out->count;
}

static bool describe_category(const struct view *view, size_t value, const struct naming *naming,
                              struct category *out, struct arena *arena, struct error *err)
{
    const struct summary_axis *axis = view->x;
    memset(out, 0, sizeof *out);
    if (axis->field == AXIS_GUARDS) {
        describe_guards(run_guards_mask(axis->samples[value]), out);
        return true;
    }
    const char *name = view_value_label(axis, value, arena, err);
    struct wrapped wrapped;
    if (name == NULL || !wrap_label(name, naming->limit, arena, &wrapped, err)) {
        return false;
    }
    memcpy(out->lines, wrapped.lines, sizeof wrapped.lines);
    out->count = wrapped.count;
    if (naming->slanted) {
        out->lines[0] = gnuplot_label(arena, name, naming->limit, err);
        out->count = 1;
    }
    out->names = out->count;
    double sentences =
        axis->field == RUN_CORPUS ? labels_sentences(view->summary, axis, value) : (double)NAN;
    if (!isnan(sentences) && !naming->slanted) {
        char number[NUMBER_SIZE];
        out->lines[out->count++] = arena_format(arena, err, "%s%s", number_given(sentences, number),
                                                !naming->spelled ? ""
                                                : sentences == 1 ? " sentence"
                                                                 : " sentences");
    }
    return out->lines[0] != NULL && out->lines[out->count - 1] != NULL;
}

static void append_category(struct canvas *canvas, size_t value, const struct category *category,
                            const struct naming *naming)
{
    for (size_t i = 0; i < category->count; i++) {
        text_append(&canvas->script, "set label ");
        gnuplot_quote(&canvas->script, category->lines[i]);
        text_append_format(&canvas->script, " at first %zu, graph 0 ", value);
        if (naming->slanted) {
            text_append(&canvas->script, "offset 0.8,-0.7 right rotate by 30 ");
        } else {
            text_append_format(&canvas->script, "offset 0,%.2f center ", -0.95 - 1.1 * (double)i);
        }
        bool is_name = i < category->names;
        text_append_format(&canvas->script, "font FONT.',%.0f' textcolor rgb %s\n",
                           is_name ? naming->size : small_size, is_name ? CANVAS_INK : CANVAS_SOFT);
    }
}

/* Characters of the longest name, or of its longest part where names are stacked. */
static bool longest_name(const struct view *view, size_t step, size_t *longest, struct arena *arena,
                         struct error *err)
{
    *longest = view->x->field == AXIS_GUARDS ? wrap_length("scale") : 0;
    for (size_t v = 0; v < view->x->count && view->x->field != AXIS_GUARDS; v += step) {
        const char *name = view_value_label(view->x, v, arena, err);
        if (name == NULL) {
            return false;
        }
        *longest = wrap_length(name) > *longest ? wrap_length(name) : *longest;
    }
    return true;
}

/* Names stand upright, broken to the room of a category, while that has room for a word; else they
 * are slanted, and only as many and as long as the margins hold. */
static bool choose_naming(const struct view *view, const struct canvas_area *area,
                          struct naming *out, struct arena *arena, struct error *err)
{
    double width = area->width / (double)view->x->count;
    size_t longest = 0;
    *out = (struct naming){.step = view->x->count / 40 + 1, .size = name_size};
    if (!longest_name(view, out->step, &longest, arena, err)) {
        return false;
    }
    double slot = width * (double)out->step;
    out->limit = wrap_room(0.95 * slot, name_size, false);
    out->spelled = canvas_text_width("0,000 sentences", small_size) < slot;
    if (view->x->field == AXIS_GUARDS) {
        out->size = longest > out->limit ? name_size * 0.7 : name_size;
    } else if (longest > out->limit && out->limit < WORD_ROOM) {
        size_t step = (size_t)ceil(slanted_slot / width);
        out->slanted = true;
        out->limit = SLANTED_LIMIT;
        out->step = step > out->step ? step : out->step;
    }
    return true;
}

/* Numbers of sentences stand bare where the word does not fit, and the word stands once below. */
static bool append_category_names(struct canvas *canvas, const struct view *view,
                                  const struct canvas_area *area, struct naming *naming,
                                  struct arena *arena, struct error *err)
{
    for (size_t v = 0; v < view->x->count; v += naming->step) {
        struct category category;
        if (!describe_category(view, v, naming, &category, arena, err)) {
            return false;
        }
        append_category(canvas, v, &category, naming);
        naming->deepest = category.count > naming->deepest ? category.count : naming->deepest;
    }
    if (view->x->field == RUN_CORPUS && !naming->spelled && !naming->slanted) {
        const struct canvas_text place = {area->left + area->width / 2,
                                          area->top + area->height + 30 +
                                              29 * (double)naming->deepest,
                                          small_size,
                                          false,
                                          true,
                                          CANVAS_SOFT};
        canvas_write(canvas, &place, "sentences");
    }
    return true;
}

static void append_axis_name(struct canvas *canvas, const struct view *view,
                             const struct canvas_area *area)
{
    const struct canvas_text place = {
        area->left + area->width / 2, area->top + area->height + 74, 18, false, true, CANVAS_INK};
    canvas_write(canvas, &place, view_x_label(view));
}

static bool append_categories(struct canvas *canvas, const struct view *view,
                              const struct canvas_area *area, bool labelled, struct arena *arena,
                              struct error *err)
{
    size_t count = view->x->count;
    text_append_format(&canvas->script, "unset logscale x\nset xrange [-0.5:%.1f]\nset xtics (",
                       (double)count - 0.5);
    struct naming naming;
    if (!choose_naming(view, area, &naming, arena, err)) {
        return false;
    }
    for (size_t v = 0; v < count; v += naming.step) {
        text_append_format(&canvas->script, "%s'' %zu", v == 0 ? "" : ", ", v);
    }
    text_append(&canvas->script, ")\n");
    if (labelled && !append_category_names(canvas, view, area, &naming, arena, err)) {
        return false;
    }
    if (labelled && view_names_need_axis(view->x) && naming.deepest == 1 && !naming.slanted) {
        append_axis_name(canvas, view, area);
    }
    return true;
}

/* Whether every step-th value of the axis leaves room for its label on a logarithmic axis. */
static bool step_fits(const struct view *view, const struct canvas_area *area, size_t step)
{
    double pixels = area->width / (log(view->x_most) - log(view->x_least));
    double last = -(double)INFINITY;
    for (size_t v = 0; v < view->x->count; v += step) {
        double at = field_value_number(&run_fields[view->x->field], view->x->samples[v]);
        if (!(at >= view->x_least && at <= view->x_most)) {
            continue;
        }
        char label[NUMBER_SIZE];
        if ((log(at) - last) * pixels <
            canvas_text_width(view_axis_number(view->x, v, label), 17) + 16) {
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
                               labelled ? view_axis_number(view->x, v, label) : "", at);
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
        /* Their quotient may overflow, and so may what lies beyond them. */
        double room = exp(0.035 * (log(high) - log(low)));
        text_append_format(&canvas->script,
                           "unset logscale x\nset xrange [%.10g:%.10g]\nset logscale x\n",
                           fmax(low / room, DBL_TRUE_MIN), fmin(fmax(high * room, 1e-300), 1e308));
        append_factor_marks(canvas, view, area, labelled);
    } else {
        double room = high > low ? 0.035 * (high - low) : fmax(0.1 * fabs(high), 0.5);
        struct scale scale = {false, low - room, high + room};
        scale_append(&canvas->script, 'x', &scale, labelled);
    }
    if (labelled) {
        append_axis_name(canvas, view, area);
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
    return view->x != NULL && view->scale == SCALE_CATEGORIES ? 150 : 124;
}
