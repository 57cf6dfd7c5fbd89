/* SPDX-License-Identifier: MIT */
/* Weights of one row; see weigh_row.h. Softmax in full range goes through softmax_row, whose
 * measures need no derivative arrays; the alternatives through their table. */
#include "attention/weigh_row.h"

#include "attention/weights_internal.h"
#include "numeric/lanes.h"

#include <math.h>
#include <string.h>

static void fill_with(size_t n, double value, double *out)
{
    for (size_t j = 0; j < n; j++) {
        out[j] = value;
    }
}

static struct row_slopes no_slopes(const double *row)
{
    return (struct row_slopes){row, row, NULL, 0, (double)NAN};
}

/* A row without weights; all its measures are NaN. */
static struct weighed_row undefined_row(enum row_state state, size_t n, size_t keys, double *row)
{
    const double none = (double)NAN;
    fill_with(n, state == ROW_MASKED ? 0 : none, row);
    struct row_measures measures = {0, none, none, none, none, none, none, none, none};
    return (struct weighed_row){state, keys, measures, no_slopes(row)};
}

/* Entropy of the shares p / sum p. With r the share that is not the largest's, the largest adds
 * -(1 - r) ln(1 - r), which keeps its digits for small r. NaN when a weight is negative. */
static double shares_entropy(size_t n, const double *p, size_t arg_max, double sum)
{
    double others = 0;
    double nats = 0;
    for (size_t j = 0; j < n; j++) {
        double share = p[j] / sum;
        if (j != arg_max && share != 0) {
            others += share;
            nats -= share * log(share);
        }
    }
    return nats - (1 - others) * log1p(-others);
}

/* Sum of (b_i / unit)^2 over i other than arg_max, unit the largest |b_i| of these. */
static double other_squares(size_t n, const double *b, size_t arg_max, double *unit)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = i == arg_max || fabs(b[i]) <= largest ? largest : fabs(b[i]);
    }
    double squares = 0;
    for (size_t i = 0; largest > 0 && i < n; i++) {
        double part = b[i] / largest;
        squares += i == arg_max ? 0 : part * part;
    }
    *unit = largest;
    return squares;
}

/* |J|_F, column by column: |a_j| sqrt((1 - b_j)^2 + sum over i != j of b_i^2), in units of the
 * largest column so that no square underflows. `columns` holds n numbers. */
static double jacobian_norm(size_t n, const struct row_slopes *slopes, const double *unshared,
                            double *columns)
{
    double unit;
    double squares = other_squares(n, slopes->b, slopes->arg_max, &unit);
    double top = slopes->b[slopes->arg_max];
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        double rest = unit * sqrt(squares);
        if (j != slopes->arg_max && unit > 0) {
            double part = slopes->b[j] / unit;
            rest = hypot(top, unit * sqrt(squares - part * part));
        }
        columns[j] = fabs(slopes->a[j]) * hypot(unshared[j], rest);
        largest = columns[j] <= largest ? largest : columns[j];
    }
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        double part = largest > 0 ? columns[j] / largest : columns[j];
        sum += part * part;
    }
    return largest > 0 ? largest * sqrt(sum) : sqrt(sum);
}

/* Several weights of sigmoid may round to 1; what they lack tells which is the largest. */
static size_t place_of_largest(size_t n, const double *p, const double *remainder)
{
    size_t m = 0;
    for (size_t j = 1; j < n; j++) {
        m = p[j] > p[m] || (p[j] == p[m] && remainder[j] < remainder[m]) ? j : m;
    }
    return m;
}

static struct row_measures measure_alternative(size_t n, const double *p,
                                               const struct row_slopes *slopes,
                                               const struct weigh_space *space)
{
    struct row_measures measures = {.arg_max = slopes->arg_max};
    size_t m = slopes->arg_max;
    double trace = 0;
    for (size_t j = 0; j < n; j++) {
        measures.sum += p[j];
        trace += slopes->a[j] * space->unshared[j];
    }
    measures.row_max = p[m];
    measures.others = space->remainder[m];
    measures.log_one_minus_row_max = log(space->remainder[m]);
    measures.entropy = shares_entropy(n, p, m, measures.sum);
    measures.effective_keys = exp(measures.entropy);
    measures.jacobian_trace = trace;
    measures.jacobian_norm = jacobian_norm(n, slopes, space->unshared, space->remainder);
    return measures;
}

/* defect_i = a_i (1 - b_i) - b_i sum of the other a, which for the largest weight of a saturated
 * row are both tiny. */
static void find_defects(size_t n, const double *a, const double *b, const double *unshared,
                         double *defect)
{
    weights_complement(n, a, 0, 1, defect);
    for (size_t i = 0; i < n; i++) {
        defect[i] = a[i] * unshared[i] - b[i] * defect[i];
    }
}

/* Rounded exponentials of the scores as they are, their rounded sum, and the quotients. */
static void fill_plain(const struct weigh_rule *rule, size_t n, double *row,
                       const struct weigh_space *space)
{
    double sum = rule->weights == WEIGHTS_SOFTMAX_PLUS_ONE ? 1 : 0;
    for (size_t j = 0; j < n; j++) {
        space->slope[j] = format_round(rule->format, exp(row[j]));
        sum += space->slope[j];
    }
    sum = format_round(rule->format, sum);
    for (size_t j = 0; j < n; j++) {
        /* An infinite sum would make weights of 0 that mean nothing. */
        row[j] = isinf(sum) ? (double)NAN : space->slope[j] / sum;
    }
    weights_complement(n, row, rule->weights == WEIGHTS_SOFTMAX_PLUS_ONE ? 1 / sum : 0, 1,
                       space->unshared);
    memcpy(space->remainder, space->unshared, n * sizeof *row);
    memcpy(space->slope, row, n * sizeof *row);
    memcpy(space->share, row, n * sizeof *row);
}

static bool has_plain_form(const struct weigh_rule *rule)
{
    return !rule->stabilise &&
           (rule->weights == WEIGHTS_SOFTMAX || rule->weights == WEIGHTS_SOFTMAX_PLUS_ONE);
}

bool weigh_is_plain_softmax(const struct weigh_rule *rule)
{
    return rule->stabilise && rule->weights == WEIGHTS_SOFTMAX;
}

bool weigh_is_balanced(const struct weigh_rule *rule)
{
    return weights_alternatives[rule->weights].shift_invariant;
}

bool weigh_moves_alone(const struct weigh_rule *rule)
{
    return !weights_alternatives[rule->weights].sums_to_one; /* else it is 1 */
}

static struct weighed_row weigh_alternative(const struct weigh_rule *rule, size_t n, double *row,
                                            const double *cap_slopes,
                                            const struct weigh_space *space)
{
    const struct weights_alternative *alternative = &weights_alternatives[rule->weights];
    const struct weights_row filled = {row, space->slope, space->share, space->unshared,
                                       space->remainder};
    struct row_measures measures = {0};
    if (weigh_is_plain_softmax(rule)) {
        measures = weights_softmax_measured(n, row, &filled);
    } else if (has_plain_form(rule)) {
        fill_plain(rule, n, row, space);
    } else {
        alternative->fill(n, row, &filled);
    }
    for (size_t j = 0; j < n; j++) {
        if (!isfinite(row[j])) {
            return undefined_row(ROW_UNDEFINED, n, n, row);
        }
        space->slope[j] *= cap_slopes == NULL ? 1 : cap_slopes[j];
    }
    struct weighed_row out = {.state = ROW_DEFINED, .keys = n};
    size_t arg_max = place_of_largest(n, row, space->remainder);
    out.slopes = (struct row_slopes){space->slope, space->share, NULL, arg_max, (double)NAN};
    out.measures = measure_alternative(n, row, &out.slopes, space);
    if (weigh_is_plain_softmax(rule)) {
        /* A cap changes the Jacobian only; the rest goes further than the weights can tell. */
        measures.jacobian_norm = out.measures.jacobian_norm;
        measures.jacobian_trace = out.measures.jacobian_trace;
        out.measures = measures;
    }
    if (cap_slopes != NULL || !alternative->shift_invariant) {
        find_defects(n, space->slope, space->share, space->unshared, space->remainder);
        out.slopes.defect = space->remainder;
    }
    return out;
}

struct weighed_row weigh_measured(size_t n, const double *row, struct row_measures measures)
{
    struct row_slopes slopes = {row, row, NULL, measures.arg_max, measures.others};
    return (struct weighed_row){ROW_DEFINED, n, measures, slopes};
}

static struct weighed_row weigh_finite(const struct weigh_rule *rule, size_t n, double *row,
                                       const double *cap_slopes, const struct weigh_space *space)
{
    if (!weigh_is_plain_softmax(rule) || cap_slopes != NULL) {
        return weigh_alternative(rule, n, row, cap_slopes, space);
    }
    return weigh_measured(n, row, softmax_finite_row(n, row, row));
}

/* Opens the gaps again that masked keys leave; from the end, as packed numbers lie further front.
 */
static void spread(size_t n, const double *mask, size_t packed, double masked, double *numbers)
{
    for (size_t j = n; j-- > 0;) {
        bool visible = mask[j] != -(double)INFINITY;
        packed -= visible;
        numbers[j] = visible ? numbers[packed] : masked;
    }
}

static size_t spread_place(size_t n, const double *mask, size_t place)
{
    size_t j = 0;
    for (size_t seen = 0; j < n; j++) {
        if (mask[j] != -(double)INFINITY && seen++ == place) {
            break;
        }
    }
    return j;
}

/* A row with keys at -infinity: the others are packed to the front, weighed, and spread out again.
 */
static struct weighed_row weigh_packed(const struct weigh_rule *rule, size_t n, double *row,
                                       double *cap_slopes, const struct weigh_space *space)
{
    memcpy(space->copy, row, n * sizeof *row);
    size_t packed = 0;
    for (size_t j = 0; j < n; j++) {
        if (row[j] != -(double)INFINITY) {
            if (cap_slopes != NULL) {
                cap_slopes[packed] = cap_slopes[j];
            }
            row[packed++] = row[j];
        }
    }
    struct weighed_row out = weigh_finite(rule, packed, row, cap_slopes, space);
    if (out.state == ROW_UNDEFINED) {
        return undefined_row(ROW_UNDEFINED, n, packed, row);
    }
    out.slopes.arg_max = spread_place(n, space->copy, out.slopes.arg_max);
    out.measures.arg_max = out.slopes.arg_max;
    if (out.slopes.a != row) {
        spread(n, space->copy, packed, 0, space->slope);
        spread(n, space->copy, packed, 0, space->share);
        spread(n, space->copy, packed, 0, space->remainder);
    }
    spread(n, space->copy, packed, 0, row);
    return out;
}

MANY_TARGETS(bool, is_finite, (size_t n, const double *row), (n, row))
{
    return lanes_finite(n, row);
}

struct weighed_row weigh_row(const struct weigh_rule *rule, size_t n, double *row,
                             double *cap_slopes, const struct weigh_space *space)
{
    if (n > 0 && rule->format == FORMAT_FP64 && is_finite(n, row)) {
        return weigh_finite(rule, n, row, cap_slopes, space);
    }
    size_t keys = 0;
    size_t reached = 0;
    bool defined = true;
    for (size_t j = 0; j < n; j++) {
        keys += row[j] != -(double)INFINITY;
        if (rule->format != FORMAT_FP64 && row[j] != -(double)INFINITY) {
            row[j] = format_round(rule->format, row[j]);
        }
        bool out_of_reach = row[j] == -(double)INFINITY;
        defined = defined && (out_of_reach || isfinite(row[j]));
        reached += !out_of_reach;
    }
    if (!defined || (reached == 0 && keys > 0)) {
        return undefined_row(ROW_UNDEFINED, n, keys, row);
    }
    if (keys == 0) {
        return undefined_row(ROW_MASKED, n, 0, row);
    }
    struct weighed_row out = reached == n ? weigh_finite(rule, n, row, cap_slopes, space)
                                          : weigh_packed(rule, n, row, cap_slopes, space);
    out.keys = keys;
    return out;
}
