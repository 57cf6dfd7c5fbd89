/* SPDX-License-Identifier: MIT */
/* The part of a report on number formats; see arithmetic.h, and sections.h for its declaration. */
#include "report/arithmetic.h"

#include "report/cells.h"
#include "report/scope.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6 };

static const double most_in_full = 1e6;

/* In the order of enum run_precision. */
static const enum number_format formats[ARITHMETIC_FORMATS] = {
    FORMAT_FP64, FORMAT_FP32, FORMAT_FP16, FORMAT_BF16, FORMAT_FP8_E4M3, FORMAT_FP8_E5M2};

struct format_limits arithmetic_limits(size_t precision)
{
    return format_limits(formats[precision]);
}

const char *arithmetic_name(size_t precision)
{
    return run_fields[RUN_PRECISION].choices[precision];
}

const char *arithmetic_largest(size_t precision, char out[NUMBER_SIZE])
{
    double largest = arithmetic_limits(precision).largest;
    return largest < most_in_full ? number_given(largest, out) : number_text(largest, out);
}

const char *arithmetic_score(double score, char out[NUMBER_SIZE])
{
    bool grouped = score == round(score) && fabs(score) < most_in_full && score >= 0;
    return grouped ? number_given(score, out) : cell_short(score, DIGITS, out);
}

double arithmetic_share(const struct summary_group *group)
{
    return group->measures[MEASURE_UNDEFINED_ROWS].mean / group->measures[MEASURE_QUERIES].mean;
}

static void count_group(const struct summary_group *group, struct arithmetic *out)
{
    const struct run *run = group->sample;
    struct arithmetic_line *line = &out->lines[run->precision][run->stabilise];
    double largest = group->measures[MEASURE_MAX_LOGIT].mean;
    double share = arithmetic_share(group);
    out->formats[run->precision] = true;
    line->settings++;
    if (share > 0) {
        line->broken++;
        line->first = fmin(line->first, largest);
    } else if (share == 0) {
        line->last = fmax(line->last, largest);
    }
}

bool arithmetic_find(const struct summary *summary, struct arithmetic *out)
{
    bool any = false;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < ARITHMETIC_LINES; i++) {
        struct arithmetic_line *line = &out->lines[i / ARITHMETIC_CHOICES][i % ARITHMETIC_CHOICES];
        line->first = (double)NAN;
        line->last = (double)NAN;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct run *run = summary->groups[g].sample;
        any = any || run->precision != PRECISION_FP64 || !run->stabilise;
        count_group(&summary->groups[g], out);
    }
    return any;
}

bool arithmetic_leads(const struct summary *summary)
{
    return scope_holds(summary, MEASURE_MAX_LOGIT) &&
           (summary_axis_find(summary, RUN_PRECISION) != NULL ||
            summary_axis_find(summary, RUN_STABILISE) != NULL);
}

static void append_cell(struct text *out, double value)
{
    char number[NUMBER_SIZE];
    text_append_format(out, "| %s ", cell_short(value, DIGITS, number));
}

static void append_limits(struct text *out, const struct arithmetic *arithmetic)
{
    static const char *const heads[] = {"format",
                                        "largest number",
                                        "unit roundoff",
                                        "exp overflows from",
                                        "exp is subnormal below",
                                        "exp is 0 up to"};
    markdown_table(out, heads, 6, 1);
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        if (!arithmetic->formats[f]) {
            continue;
        }
        const struct format_limits limits = arithmetic_limits(f);
        char number[NUMBER_SIZE];
        text_append_format(out, "| `%s` | %s ", arithmetic_name(f), arithmetic_largest(f, number));
        text_append_format(out, "| %s ", number_text(limits.roundoff, number));
        append_cell(out, limits.exp_overflow);
        append_cell(out, limits.exp_subnormal);
        append_cell(out, limits.exp_zero);
        text_append(out, "|\n");
    }
    text_append(out, "\n");
}

static void append_line(struct text *out, size_t format, bool stabilise,
                        const struct arithmetic_line *line)
{
    char numbers[4][NUMBER_SIZE];
    text_append_format(out, "| `%s` | %s | %s | %s | %s | %s |\n", arithmetic_name(format),
                       stabilise ? "on" : "off", text_from_count(line->settings, numbers[0]),
                       text_from_count(line->broken, numbers[1]),
                       isnan(line->last) ? "none" : arithmetic_score(line->last, numbers[2]),
                       isnan(line->first) ? "none" : arithmetic_score(line->first, numbers[3]));
}

static void append_lines(struct text *out, const struct arithmetic *arithmetic)
{
    static const char *const heads[] = {
        "format",       "stabilise", "settings", "with undefined rows", "largest score without",
        "smallest with"};
    text_append(out, "Where the settings of this sweep have rows without weights, by their largest "
                     "score:\n\n");
    markdown_table(out, heads, 6, 2);
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        for (size_t choice = ARITHMETIC_CHOICES; choice-- > 0;) {
            if (arithmetic->lines[f][choice].settings > 0) {
                append_line(out, f, choice == 1, &arithmetic->lines[f][choice]);
            }
        }
    }
    text_append(out, "\n");
}

bool arithmetic_append(const struct sections *sections, struct error *err)
{
    struct arithmetic arithmetic;
    struct text *out = sections->out;
    (void)err;
    if (!arithmetic_find(sections->view->summary, &arithmetic)) {
        return true;
    }
    text_append(out, "## Arithmetic\n\n"
                     "Scores are rounded to a number format before they become weights. What a "
                     "format can hold decides where exp of a score leaves it:\n\n");
    append_limits(out, &arithmetic);
    text_append(out,
                "With `stabilise` on, weights and gradients are then computed in double precision, "
                "from the rounded scores. The largest score of a row is subtracted before exp: no "
                "exponential is above 1, and only a score that is itself beyond the largest number "
                "can leave a row without weights. Off, softmax and `softmax_plus_one` take exp of "
                "the scores as they are, and round the exponentials and their sum to the format. A "
                "row then has no weights once the sum overflows, which n nearly equal scores bring "
                "about ln n earlier than the table says, or when every exponential is 0. The other "
                "ways to make weights have no such form and ignore the switch.\n\n");
    append_lines(out, &arithmetic);
    return true;
}
