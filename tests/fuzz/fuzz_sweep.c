/* SPDX-License-Identifier: MIT */
/* Any bytes as a sweep, as --set behind each byte 0x1F, and behind a byte 0x1E as the file b.yaml
 * beside it: a plan whose runs have keys and values
 * in range, or faults with their places. */
#include "fuzz.h"

#include "sweep/sweep.h"

#include <string.h>
#include <unistd.h>

#define RUNS_MAX 300
#define RUNS_TOUCHED 20
#define SETS_MAX 4

static void check_run(const struct run *run)
{
    char out[FIELD_VALUE_SIZE];
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        fuzz_touch(field_value_text(&run_fields[i], run, out));
    }
}

static void check_plan(const struct sweep *sweep, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct plan plan;
    if (!plan_make(sweep, RUNS_MAX, arena, &plan, &err)) {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
        return;
    }
    fuzz_require(plan.count > 0 && plan.count <= RUNS_MAX && plan.count <= plan.points);
    fuzz_require(plan.runs.count == plan.count);
    for (size_t i = 0; i < plan.count && i < RUNS_TOUCHED; i++) {
        struct run run;
        run_list_get(&plan.runs, i, &run);
        check_run(&run);
    }
    for (size_t i = 0; i < plan.rule_count; i++) {
        fuzz_touch(plan.rules[i].text);
    }
    for (size_t i = 0; i < plan.axis_count; i++) {
        fuzz_touch(plan.axes[i].name);
    }
}

/* The texts behind the separators, as arguments of --set, which have no NUL. */
static size_t take_sets(char *text, size_t *size, const char *sets[SETS_MAX])
{
    size_t count = 0;
    char *at = memchr(text, 0x1F, *size);
    size_t left = at == NULL ? 0 : *size - (size_t)(at - text);
    *size -= left;
    while (at != NULL && count < SETS_MAX) {
        *at++ = '\0';
        left--;
        sets[count++] = at;
        at = memchr(at, 0x1F, left);
        left = at == NULL ? 0 : left - (size_t)(at - sets[count - 1]);
    }
    return count;
}

/* Writes what stands behind the separator beside the sweep; it may be included. */
static void take_other(const char *text, size_t *size)
{
    const char *at = memchr(text, 0x1E, *size);
    size_t left = at == NULL ? 0 : *size - (size_t)(at - text);
    *size -= left;
    if (at != NULL) {
        fuzz_file("b.yaml", at + 1, left - 1);
    } else {
        unlink(fuzz_path("b.yaml"));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct sweep sweep;
    const char *sets[SETS_MAX];
    char *text = arena_copy_bytes(&arena, bytes, size, &err);
    fuzz_require(text != NULL);
    take_other(text, &size);
    text[size] = '\0';
    size_t count = take_sets(text, &size, sets);
    if (sweep_parse(fuzz_path("s.yaml"), text, size, sets, count, &arena, &sweep, &err)) {
        fuzz_touch(sweep.name);
        fuzz_touch(sweep.title);
        fuzz_require(sweep.text_size == strlen(sweep.text));
        check_plan(&sweep, &arena);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_USAGE);
    }
    arena_release(&arena);
    return 0;
}
