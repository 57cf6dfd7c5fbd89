/* SPDX-License-Identifier: MIT */
/* Caption, data and guide sentence of the comparison with theory; declared in comparison.h. */
#include "report/comparison.h"
#include "report/labels.h"
#include "report/numbers.h"
#include "report/scope.h"

static void append_sizes(struct text *caption, const struct comparison *comparison)
{
    for (size_t s = 0; s < comparison->size_count; s++) {
        bool last = s + 1 == comparison->size_count;
        char count[TEXT_COUNT_SIZE];
        text_append_format(caption, "%s%s",
                           s == 0 ? ""
                           : last ? " or "
                                  : ", ",
                           text_from_count(comparison->sizes[s], count));
    }
}

static void append_thresholds(struct text *out, const struct theory_thresholds *thresholds)
{
    char onset[NUMBER_SIZE];
    char saturated[NUMBER_SIZE];
    char collapsed[NUMBER_SIZE];
    text_append_format(out,
                       "0.9 of what uniform weights leave at a spread of %s (gradient −10 %%, "
                       "onset), to 0.5 at %s (gradient −50 %%, saturated) and to 0.1 at %s "
                       "(gradient −90 %%, collapsed)",
                       number_text(thresholds->onset, onset),
                       number_text(thresholds->saturated, saturated),
                       number_text(thresholds->collapsed, collapsed));
}

/* Two meanings of one word stand side by side: a verdict is by the row-max. */
static void append_verdict_spread(struct text *out, const struct summary *summary, size_t tokens)
{
    char level[NUMBER_SIZE];
    char spread[NUMBER_SIZE];
    double shared = labels_shared_threshold(summary);
    double threshold = isnan(shared) ? 0.9 : shared;
    double at = theory_spread_at_row_max(tokens, threshold);
    text_append(out,
                ". Onset, saturated and collapsed here describe the theory's gradient, not the "
                "verdicts above; a verdict on a setting goes by its mean row-max");
    if (isfinite(at)) {
        text_append_format(out, ", which that theory brings to %s at a spread of %s",
                           number_given(threshold, level), number_text(at, spread));
    }
    text_append(out, ".");
}

static void append_left_out(struct text *caption, const struct comparison *comparison)
{
    char count[TEXT_COUNT_SIZE];
    if (comparison->sizes_left_out > 0) {
        text_append_format(caption, " Settings of %s further numbers of tokens are not drawn.",
                           text_from_count(comparison->sizes_left_out, count));
    }
    if (comparison->settings_left_out > 0) {
        text_append_format(
            caption,
            " %s setting%s with given scores, a mask or other weights than softmax %s "
            "left out: the theory does not speak of them.",
            text_from_count(comparison->settings_left_out, count),
            comparison->settings_left_out == 1 ? "" : "s",
            comparison->settings_left_out == 1 ? "is" : "are");
    }
}

const char *comparison_caption(const struct comparison *comparison, struct arena *arena,
                               struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    const struct summary *summary = comparison->view->summary;
    const char *seeds = labels_seeds(summary, arena, err);
    if (seeds == NULL) {
        return NULL;
    }
    text_append(&caption,
                "**Measurement and theory.** Each mark is one setting of the sweep: the mean "
                "row-max on the left and the gradient left on the right, against the spread of "
                "its scores within a row. The curves are what rows of ");
    append_sizes(&caption, comparison);
    text_append(&caption, " independent normal scores of that spread show on average, computed and "
                          "not fitted. ");
    const struct scope scope = scope_of(summary);
    if (scope.drawn) {
        text_append_format(&caption, "There %s %s%s.", summary->seeds <= 1 ? "is" : "are", seeds,
                           summary->seeds <= 1 ? ", so no interval"
                                               : "; bars are 95 % intervals of the mean");
    } else {
        text_append(&caption, "Nothing is drawn by seed, so there is no interval.");
    }
    text_append(&caption, comparison->shapes == NULL
                              ? ""
                              : " The colour of a mark tells its line in the legend, its shape the "
                                "corpus.");
    text_append_format(&caption,
                       " Dotted lines are the spreads at which the gradient left of that theory, "
                       "with %zu tokens, falls to ",
                       comparison->tokens);
    append_thresholds(&caption, &comparison->thresholds);
    text_append(&caption, comparison_by_size(comparison)
                              ? "; ticks on the curves are the same for their own numbers of tokens"
                              : "");
    append_verdict_spread(&caption, summary, comparison->tokens);
    text_append(&caption,
                " The scores of a head are not independent, since its keys are correlated, and "
                "their spread varies from row to row, so marks may lie off the curve; how far is "
                "what the figure shows.");
    append_left_out(&caption, comparison);
    return text_finish(&caption, err);
}

static void append_row(struct text *data, const char *kind, size_t tokens, const double values[5])
{
    text_append_format(data, "%s\t%zu", kind, tokens);
    for (size_t i = 0; i < 5; i++) {
        char exact[TEXT_REAL_SIZE];
        text_append_format(data, "\t%s", text_from_real(values[i], exact));
    }
    text_append(data, "\n");
}

const char *comparison_data(const struct comparison *comparison, struct arena *arena,
                            struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append(&data, "kind\ttokens\tscore_row_std\trow_max_mean\trow_max_mean_half_width\t"
                       "jacobian_trace_mean\tjacobian_trace_mean_half_width\n");
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct summary_group *group = comparison->points[i].group;
        const struct estimate *row_max = &group->measures[MEASURE_ROW_MAX_MEAN];
        const struct estimate *trace = &group->measures[MEASURE_JACOBIAN_TRACE_MEAN];
        const double values[5] = {group->measures[MEASURE_SCORE_ROW_STD].mean, row_max->mean,
                                  row_max->half_width, trace->mean, trace->half_width};
        append_row(&data, "measured", comparison_group_tokens(group), values);
    }
    for (size_t s = 0; s < comparison->size_count; s++) {
        for (size_t i = 0; i < comparison->node_count; i++) {
            const struct comparison_node *node = &comparison->curves[s][i];
            const double values[5] = {node->spread, node->row_max, 0, node->gradient_left, 0};
            append_row(&data, "theory", comparison->sizes[s], values);
        }
    }
    return text_finish(&data, err);
}

const char *comparison_sentence(const struct summary *summary, struct arena *arena,
                                struct error *err)
{
    struct text sentence = TEXT_INIT(arena);
    bool several = false;
    size_t tokens = comparison_tokens(summary, &several, arena, err);
    if (tokens == 0) {
        return err->code == ERROR_NONE ? "" : NULL;
    }
    char count[TEXT_COUNT_SIZE];
    struct theory_thresholds thresholds;
    theory_thresholds(tokens, &thresholds);
    text_append_format(&sentence,
                       "For orientation: if the scores of a row are independent normal numbers, "
                       "then with %s tokens%s the gradient left falls to ",
                       text_from_count(tokens, count),
                       several ? ", the median of this sweep," : "");
    append_thresholds(&sentence, &thresholds);
    append_verdict_spread(&sentence, summary, tokens);
    return text_finish(&sentence, err);
}
