/* SPDX-License-Identifier: MIT */
/* The words around the figure of nights, and the table of steps; declared in nights.h. */
#include "report/nights.h"

#include <string.h>

/* "3 nights, from 2026-11-01 to 2026-11-03". */
static void append_span(const struct sections *sections, const struct nights *nights)
{
    const struct history *shown = &nights->shown;
    text_append_format(sections->out, "The history holds %zu night%s of this sweep, ",
                       nights->total, nights->total == 1 ? "" : "s");
    if (nights->total > shown->count) {
        text_append_format(sections->out, "of which the latest %zu are shown, ", shown->count);
    }
    text_append(sections->out, shown->count == 1 ? "on " : "from ");
    markdown_text(sections->out, shown->nights[0].date);
    if (shown->count > 1) {
        text_append(sections->out, " to ");
        markdown_text(sections->out, shown->nights[shown->count - 1].date);
    }
    text_append(sections->out, ".");
}

static void append_verdicts(const struct sections *sections, const struct nights *nights)
{
    size_t counts[NIGHT_MARKS] = {0};
    size_t elsewhere = 0;
    const char *separator = " Their verdicts: ";
    for (size_t n = 0; n < nights->shown.count; n++) {
        counts[nights_mark(&nights->shown.nights[n])]++;
        elsewhere += nights->shown.nights[n].other_host;
    }
    for (size_t mark = 0; mark < NIGHT_MARKS; mark++) {
        if (counts[mark] > 0) {
            bool plural = mark == NIGHT_REGRESSION && counts[mark] > 1;
            text_append_format(sections->out, "%s%zu %s%s", separator, counts[mark],
                               night_mark_names[mark], plural ? "s" : "");
            separator = ", ";
        }
    }
    text_append(sections->out, ".");
    if (elsewhere > 0) {
        text_append_format(sections->out, " %zu of them ran on another host than the baseline.",
                           elsewhere);
    }
}

void nights_append_lead(const struct sections *sections, const struct nights *nights)
{
    struct text *out = sections->out;
    text_append(out, "## Nights\n\n");
    if (nights->shown.count == 0) {
        text_append(out, "The history holds no night of this sweep.\n\n");
        return;
    }
    append_span(sections, nights);
    append_verdicts(sections, nights);
    if (!nights->current) {
        text_append(out, " **The numbers of this report are not those of the last night**: `rowmax "
                         "check --history` appends them.");
    }
    text_append(out, "\n\n");
    if (nights->measure_count == 0) {
        text_append(out, "No figure is drawn, since the last night has no group of this report in "
                         "which a measure has a mean.\n\n");
    }
}

static void append_row(struct text *out, const struct history_step *step)
{
    char numbers[2][NIGHTS_NUMBER_SIZE];
    nights_numbers(step->before, step->after, numbers);
    text_append(out, "| ");
    markdown_text(out, step->date);
    text_append(out, " | ");
    markdown_text(out, nights_group_name(step->where));
    text_append_format(out, " | `%s` | %s | %s |\n", measurement_fields[step->measure].name,
                       numbers[0], numbers[1]);
}

void nights_append_steps(const struct sections *sections, const struct nights *nights)
{
    static const char *const heads[] = {"night", "group", "measure", "from", "to"};
    const struct history_steps *steps = &nights->steps;
    struct text *out = sections->out;
    if (nights->groups == 0) {
        return;
    }
    if (steps->count == 0) {
        text_append(out, "No measure stepped.\n\n");
        return;
    }
    text_append_format(out,
                       "Steps found, the latest night first: %zu, looked for in %zu group%s and "
                       "all measures. The night is the first of the new level; the numbers are the "
                       "medians of the nights before and from then on.\n\n",
                       steps->count, nights->groups, nights->groups == 1 ? "" : "s");
    markdown_table(out, heads, sizeof heads / sizeof heads[0], 3);
    for (size_t s = 0; s < steps->count && s < NIGHTS_LISTED; s++) {
        append_row(out, &steps->items[s]);
    }
    if (steps->count > NIGHTS_LISTED) {
        text_append_format(out, "\nThe other %zu are not listed.\n", steps->count - NIGHTS_LISTED);
    }
    text_append(out, "\n");
}
