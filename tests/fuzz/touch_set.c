/* SPDX-License-Identifier: MIT */
/* See touch_set.h. */
#include "touch_set.h"

#include "fuzz.h"
#include "run/fields.h"
#include "run/result_table.h"

static void touch_matrix(const double *matrix, const struct kept *kept)
{
    double sum = 0;
    for (size_t i = 0; matrix != NULL && i < kept->queries * kept->tokens; i++) {
        sum += matrix[i] > 0 ? 1 : 0;
    }
    fuzz_require(sum >= 0);
}

void fuzz_touch_set(const struct result_set *set, struct arena *arena)
{
    struct error err = ERROR_INIT;
    char out[FIELD_VALUE_SIZE];
    for (size_t row = 0; row < set->count; row++) {
        const struct result *result = result_hold(set, row, arena, &err);
        fuzz_require(result != NULL);
        fuzz_touch(result->message);
        fuzz_touch(result->kept.words);
        touch_matrix(result->kept.scores, &result->kept);
        touch_matrix(result->kept.weights, &result->kept);
        for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
            fuzz_touch(field_value_text(&run_fields[i], &result->run, out));
        }
    }
    fuzz_touch(set->name);
    fuzz_touch(set->title);
    fuzz_touch(set->sweep_text);
    for (size_t i = 0; i < set->provenance_count; i++) {
        fuzz_touch(set->provenance[i].name);
        fuzz_touch(set->provenance[i].value);
    }
}
