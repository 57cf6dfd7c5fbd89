/* SPDX-License-Identifier: MIT */
/* Any bytes as a sweep and, behind each byte 0x1E, as a file a.yaml, b.yaml or c.yaml that it may
 * include: faults with their places, or a sweep whose recorded text makes the same plan. */
#include "fuzz.h"

#include "run/fields.h"
#include "sweep/sweep.h"

#include <string.h>

#define RUNS_MAX 2000

static void require_same_runs(const struct plan *a, const struct plan *b)
{
    for (size_t i = 0; i < a->count; i++) {
        struct run left;
        struct run right;
        run_list_get(&a->runs, i, &left);
        run_list_get(&b->runs, i, &right);
        for (size_t f = 0; f < RUN_FIELD_COUNT; f++) {
            fuzz_require(field_value_equal(&run_fields[f], &left, &right));
        }
        fuzz_require(a->keep[i] == b->keep[i]);
    }
}

/* The text that results hold stands for the sweep with all that it includes. */
static void check_record(const struct sweep *sweep, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct error again = ERROR_INIT;
    struct sweep alone;
    struct plan plan;
    struct plan copy;
    fuzz_require(sweep->text_size == strlen(sweep->text));
    fuzz_require(
        sweep_parse(sweep->path, sweep->text, sweep->text_size, NULL, 0, arena, &alone, &err));
    fuzz_require(strcmp(sweep->name, alone.name) == 0 && strcmp(sweep->title, alone.title) == 0);
    fuzz_require(sweep->measures == alone.measures);
    bool good = plan_make(sweep, RUNS_MAX, arena, &plan, &err);
    fuzz_require(good == plan_make(&alone, RUNS_MAX, arena, &copy, &again));
    if (good) {
        fuzz_require(plan.count == copy.count && plan.points == copy.points);
        require_same_runs(&plan, &copy);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"main.yaml", "a.yaml", "b.yaml", "c.yaml"};
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct sweep sweep;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const uint8_t *end = size == 0 ? NULL : memchr(bytes, 0x1E, size);
        size_t length = end == NULL ? size : (size_t)(end - bytes);
        fuzz_file(names[i], bytes, length);
        size -= end == NULL ? length : length + 1;
        bytes += end == NULL ? length : length + 1;
    }
    if (sweep_read(fuzz_path(names[0]), NULL, 0, &arena, &sweep, &err)) {
        check_record(&sweep, &arena);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    arena_release(&arena);
    return 0;
}
