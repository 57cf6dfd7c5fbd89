/* SPDX-License-Identifier: MIT */
/* Rows without weights and weights that are no shares; see undefined.h. */
#include "report/undefined.h"

#include "report/arithmetic.h"

#include <math.h>

enum { SETTINGS_NAMED = 6 };

/* Rows of the runs of a group that have measures. */
static uint64_t rows_of(const struct summary_group *group)
{
    const struct estimate *queries = &group->measures[MEASURE_QUERIES];
    return queries->count == 0 ? 0 : (uint64_t)llround(queries->mean * (double)queries->count);
}

/* "score_factor = 10 (1 of 2 rows)". */
static bool append_setting(const struct sections *sections, const struct summary_group *group,
                           bool first, struct error *err)
{
    char undefined[TEXT_COUNT_SIZE];
    char all[TEXT_COUNT_SIZE];
    text_append(sections->out, first ? ": " : "; ");
    if (!sections_append_setting(sections, group, err)) {
        return false;
    }
    text_append_format(sections->out, " (%s of %s rows%s)",
                       text_from_count((uint64_t)group->undefined_rows, undefined),
                       text_from_count(rows_of(group), all),
                       isnan(group->measures[MEASURE_ROW_MAX_MEAN].mean) ? ", no means" : "");
    return true;
}

bool undefined_append(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    size_t runs = scope_undefined_runs(summary);
    /* of a sweep over formats, the sentences before have said where */
    const size_t limit = arithmetic_leads(sections->view->measured) ? 0 : SETTINGS_NAMED;
    size_t named = 0;
    size_t groups = 0;
    char some[TEXT_COUNT_SIZE];
    char all[TEXT_COUNT_SIZE];
    if (runs == 0) {
        return true;
    }
    text_append_format(sections->out, "**%s of %s runs %s rows without weights**",
                       text_from_count(runs, some), text_from_count(summary->planned, all),
                       runs == 1 ? "has" : "have");
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        groups += group->undefined_runs > 0;
        if (group->undefined_runs == 0 || named == limit) {
            continue;
        }
        if (!append_setting(sections, group, named++ == 0, err)) {
            return false;
        }
    }
    if (groups > named && named > 0) {
        text_append_format(sections->out, "; and %zu further settings", groups - named);
    }
    text_append(sections->out,
                ". Such a row has masked keys only, a score that is NaN or +∞, or a formula that "
                "overflows or comes to 0/0. Rows of masked keys are left out of means; any other "
                "leaves its setting without means, and without a place in the figures.\n\n");
    return true;
}

void undefined_append_weights(struct text *out, const struct scope *scope)
{
    static const struct {
        unsigned weights;
        const char *words;
    } notes[] = {
        {1U << WEIGHTS_SIGMOID, " Weights of sigmoid are set key by key: several keys of a row can "
                                "pass the threshold together."},
        {1U << WEIGHTS_SPARSEMAX | 1U << WEIGHTS_ENTMAX15,
         " Sparsemax and entmax give exact zeros: a row can be one-hot at a finite spread, and its "
         "gradient is then exactly 0."},
        {1U << WEIGHTS_SQUARE, " Squares over their sum ignore signs and the size of the scores: "
                               "no factor changes them."},
        {1U << WEIGHTS_SUM, " Scores over their sum can be negative or exceed 1: a row-max past "
                            "the threshold is no sign of saturation there."},
        {1U << WEIGHTS_ARGMAX, " Argmax is one-hot by construction, ties apart: it reaches any "
                               "threshold and has no gradient."},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        text_append(out, (scope->weights & notes[i].weights) != 0 ? notes[i].words : "");
    }
}
