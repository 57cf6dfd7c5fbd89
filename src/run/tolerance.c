/* SPDX-License-Identifier: MIT */
/* Looks a tolerance up; see tolerance.h. */
#include "run/tolerance.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tolerance tolerance_default(int measure)
{
    static const struct tolerance exact = {0, 0};
    static const struct tolerance real = {1e-10, 1e-8};
    bool is_real = measure < 0 || measure >= MEASUREMENT_FIELD_COUNT ||
                   measurement_fields[measure].kind == FIELD_REAL;
    return is_real ? real : exact;
}

static bool has_text(const struct tolerance_condition *condition, const char *text)
{
    for (size_t i = 0; i < condition->count; i++) {
        if (strcmp(condition->texts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool condition_met(const struct tolerance_condition *condition, const struct run *run)
{
    if (condition->texts != NULL) {
        char out[FIELD_VALUE_SIZE];
        return has_text(condition, field_value_text(&run_fields[condition->field], run, out));
    }
    double value = condition->field == TOLERANCE_GUARDS
                       ? (double)run_guards_mask(run)
                       : field_value_number(&run_fields[condition->field], run);
    return bsearch(&value, condition->numbers, condition->count, sizeof value, order_reals) != NULL;
}

static bool rule_holds(const struct tolerance_rule *rule, int measure, const struct run *run)
{
    bool met = rule->measure == measure;
    for (size_t i = 0; met && i < rule->condition_count; i++) {
        met = condition_met(&rule->conditions[i], run);
    }
    return met;
}

static const struct tolerance_rule *last_rule(const struct tolerance_set *set, int measure,
                                              const struct run *run)
{
    for (size_t i = set->count; i > 0; i--) {
        if (rule_holds(&set->rules[i - 1], measure, run)) {
            return &set->rules[i - 1];
        }
    }
    return NULL;
}

struct tolerance tolerance_of(const struct tolerance_set *set, int measure, const struct run *run)
{
    struct tolerance tolerance = tolerance_default(measure);
    const struct tolerance_rule *rule = last_rule(set, measure, run);
    if (rule == NULL) {
        rule = last_rule(set, TOLERANCE_EVERY, run);
    }
    if (rule != NULL) {
        tolerance.atol = isnan(rule->atol) ? tolerance.atol : rule->atol;
        tolerance.rtol = isnan(rule->rtol) ? tolerance.rtol : rule->rtol;
    }
    return tolerance;
}

enum measure_direction measure_direction(int measure)
{
    static const enum measure_direction directions[MEASUREMENT_FIELD_COUNT] = {
        [MEASURE_ROW_MAX_MEAN] = DIRECTION_LOWER,
        [MEASURE_ROW_MAX_MEDIAN] = DIRECTION_LOWER,
        [MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN] = DIRECTION_HIGHER,
        [MEASURE_ENTROPY_MEAN] = DIRECTION_HIGHER,
        [MEASURE_ENTROPY_NORMALISED_MEAN] = DIRECTION_HIGHER,
        [MEASURE_EFFECTIVE_KEYS_MEAN] = DIRECTION_HIGHER,
        [MEASURE_MAX_COLUMN_MEAN] = DIRECTION_LOWER,
        [MEASURE_JACOBIAN_NORM_MEAN] = DIRECTION_HIGHER,
        [MEASURE_JACOBIAN_NORM_MEDIAN] = DIRECTION_HIGHER,
        [MEASURE_JACOBIAN_RMS] = DIRECTION_HIGHER,
        [MEASURE_JACOBIAN_TRACE_MEAN] = DIRECTION_HIGHER,
        [MEASURE_JACOBIAN_TRACE_MEDIAN] = DIRECTION_HIGHER,
        [MEASURE_GRADIENT_WQ_RATIO] = DIRECTION_HIGHER,
        [MEASURE_GRADIENT_WK_RATIO] = DIRECTION_HIGHER,
        [MEASURE_SATURATED_ROWS] = DIRECTION_LOWER,
        [MEASURE_UNDEFINED_ROWS] = DIRECTION_LOWER,
        [MEASURE_NONFINITE] = DIRECTION_LOWER,
    };
    return measure < 0 || measure >= MEASUREMENT_FIELD_COUNT ? DIRECTION_NONE : directions[measure];
}

const char *measure_direction_text(enum measure_direction direction)
{
    static const char *const texts[] = {"any change", "lower is better", "higher is better"};
    return texts[direction];
}
