/* SPDX-License-Identifier: MIT */
/* Any bytes as a tolerance file: rules in range, or faults with their places. */
#include "fuzz.h"

#include "sweep/tolerance_file.h"

#include <math.h>

static void check_rule(const struct tolerance_rule *rule)
{
    fuzz_require(rule->measure >= 0 && rule->measure <= TOLERANCE_EVERY);
    fuzz_require(isnan(rule->atol) || (rule->atol >= 0 && isfinite(rule->atol)));
    fuzz_require(isnan(rule->rtol) || (rule->rtol >= 0 && isfinite(rule->rtol)));
    for (size_t i = 0; i < rule->condition_count; i++) {
        const struct tolerance_condition *condition = &rule->conditions[i];
        fuzz_require(condition->field >= 0 && condition->field <= TOLERANCE_GUARDS);
        fuzz_require((condition->numbers == NULL) != (condition->texts == NULL));
        for (size_t v = 0; v < condition->count && condition->texts != NULL; v++) {
            fuzz_touch(condition->texts[v]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct tolerance_set set;
    const struct run run = run_default();
    if (tolerance_parse("t.yaml", (const char *)bytes, size, &arena, &set, &err)) {
        for (size_t i = 0; i < set.count; i++) {
            check_rule(&set.rules[i]);
        }
        for (int measure = 0; measure < MEASUREMENT_FIELD_COUNT; measure++) {
            struct tolerance tolerance = tolerance_of(&set, measure, &run);
            fuzz_require(tolerance.atol >= 0 && tolerance.rtol >= 0);
        }
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    arena_release(&arena);
    return 0;
}
