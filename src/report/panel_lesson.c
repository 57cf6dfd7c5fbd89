/* SPDX-License-Identifier: MIT */
/* What the switches of the panel do, and the steps of its lesson; declared in panel_data.h. What
 * the words claim holds for any sweep: the page adds the numbers of this one. */
#include "report/json.h"
#include "report/panel_data.h"
#include "report/projections.h"
#include "report/scope.h"

enum { INIT = 1, SCALE = 2, NORM = 4, ALL = INIT | SCALE | NORM };

/* Which end of the axis of the lesson a step begins at. */
enum lesson_end { FIRST, LAST };

struct step {
    const char *title; /* NULL: by what the runs show */
    unsigned guards;
    unsigned before; /* guards that the numbers are compared with; the same: along the axis */
    enum lesson_end end;
    const char *watch; /* what to look at, without what the guard does */
    const char *along; /* the same where there is an axis to go along; or NULL */
};

static const struct step steps[] = {
    {NULL, INIT | SCALE, INIT | SCALE, FIRST,
     "Two guards are on, init and scale, but the head reads its input at whatever size it comes.",
     NULL},
    {"init alone", INIT, 0, LAST,
     "This divides all scores by one constant: compare the score spread with that of no guard.",
     "The charts show whether it still follows the input."},
    {"scale alone", SCALE, 0, LAST,
     "This factor does not know the input either. Look at the score spread again: is what is left "
     "small enough for a row to share its weight?",
     NULL},
    {"norm alone", NORM, 0, LAST,
     "The input spread no longer depends on where the input came from, but the width of the "
     "vectors still multiplies the scores.",
     "See how flat the lines in the charts are, and where they lie."},
    {"All three", ALL, INIT | SCALE, LAST,
     "Init removes the width of the input from the scores, scale that of the keys, norm the size "
     "of "
     "the input. See in the matrix how many tokens a row now attends to. Then switch one guard off "
     "at a time.",
     NULL},
};

/* What the walk along the axis shows. */
static const char *walk_of(const struct summary_axis *trend)
{
    if (trend == NULL) {
        return "Watch how far the scores spread, and how much weight the largest of a row takes.";
    }
    return trend->field == RUN_CORPUS
               ? "Choose one corpus after the other: nothing changes but the text that the word "
                 "vectors were learned from. Watch input spread, score spread and mean row-max "
                 "together."
               : "Choose one setting after the other and watch input spread, score spread and mean "
                 "row-max together.";
}

static const char *init_words(const struct summary *summary)
{
    static const char *const words[] = {
        [PROJECTIONS_DRAWN] = "W_Q and W_K are drawn with variance 1/d_model instead of 1.",
        [PROJECTIONS_READ] = "W_Q and W_K are divided by √d_model.",
        [PROJECTIONS_UNTOUCHED] = "W_Q and W_K are used as they are: this guard does nothing.",
        [PROJECTIONS_NONE] = "There are no projections: this guard does nothing."};
    return words[projections_of(summary)];
}

static const char *norm_words(const struct summary *summary)
{
    unsigned kinds = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct run *run = summary->groups[g].sample;
        kinds |= run->guard_norm ? 1U << run->norm : 0;
    }
    if (kinds == 1U << NORM_LAYER) {
        return "Each row of the input is brought to mean 0 and spread 1.";
    }
    return kinds == 1U << NORM_RMS ? "Each row of the input is brought to a mean square of 1."
                                   : "Each row of the input is normalised.";
}

/* One sentence on a guard that is on. */
static void append_guard_words(struct text *out, const struct summary *summary, unsigned guard)
{
    const struct scope scope = scope_of(summary);
    struct text sentence = TEXT_INIT(out->arena);
    text_append(&sentence, "");
    if (guard == INIT) {
        text_append(&sentence, init_words(summary));
    } else if (guard == SCALE) {
        text_append_format(&sentence, "Scores are %s.", scope_scale_words(&scope));
    } else {
        text_append(&sentence, norm_words(summary));
    }
    out->failed = out->failed || sentence.failed;
    json_append_string(out, sentence.data);
}

static void append_guards(struct text *out, const struct panel_choice *choice)
{
    static const char *const names[] = {"init", "scale", "norm"};
    unsigned on = 0;
    unsigned off = 0;
    for (size_t v = 0; v < choice->guards->count; v++) {
        unsigned mask = run_guards_mask(choice->guards->samples[v]);
        on |= mask;
        off |= ~mask & ALL;
    }
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool first = true;
        text_append(out, i == 0 ? "[{" : ",{");
        json_append_name(out, &first, "name");
        json_append_string(out, names[i]);
        json_append_name(out, &first, "words");
        append_guard_words(out, choice->summary, 1U << i);
        json_append_name(out, &first, "varies");
        text_append(out, (on & off & 1U << i) != 0 ? "true" : "false");
        text_append(out, "}");
    }
    text_append(out, "]");
}

static bool has_guards(const struct panel_choice *choice, unsigned guards)
{
    for (size_t v = 0; v < choice->guards->count; v++) {
        if (run_guards_mask(choice->guards->samples[v]) == guards) {
            return true;
        }
    }
    return false;
}

/* A failure is one only where the mean of a setting with these guards reaches the threshold. */
static const char *title_of(const struct summary *summary, const struct step *step)
{
    for (size_t g = 0; g < summary->group_count && step->title == NULL; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (run_guards_mask(group->sample) == step->guards &&
            group->measures[MEASURE_ROW_MAX_MEAN].mean >= group->sample->saturation_row_max) {
            return "The failure";
        }
    }
    return step->title == NULL ? "Two guards" : step->title;
}

static void append_step(struct text *out, const struct panel_choice *choice,
                        const struct step *step)
{
    bool first = true;
    bool walks = step->before == step->guards;
    bool alone = step->before == 0;
    json_append_name(out, &first, "title");
    json_append_string(out, title_of(choice->summary, step));
    json_append_name(out, &first, "guards");
    text_append_format(out, "%u", step->guards);
    json_append_name(out, &first, "before");
    text_append_format(out, "%u", step->before);
    json_append_name(out, &first, "end");
    json_append_string(out, step->end == FIRST ? "first" : "last");
    json_append_name(out, &first, "text");
    text_append(out, "[");
    if (alone) {
        append_guard_words(out, choice->summary, step->guards);
        text_append(out, ",");
    }
    json_append_string(out, step->watch);
    const char *along = walks ? walk_of(choice->trend) : choice->trend != NULL ? step->along : NULL;
    if (along != NULL) {
        text_append(out, ",");
        json_append_string(out, along);
    }
    text_append(out, "]");
}

void panel_lesson_append(struct text *out, bool *first, const struct panel_choice *choice)
{
    bool any = false;
    json_append_name(out, first, "guards");
    append_guards(out, choice);
    json_append_name(out, first, "steps");
    text_append(out, "[");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (has_guards(choice, steps[i].guards)) {
            text_append(out, any ? ",{" : "{");
            append_step(out, choice, &steps[i]);
            text_append(out, "}");
            any = true;
        }
    }
    text_append(out, "]");
}
