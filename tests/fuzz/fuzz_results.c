/* SPDX-License-Identifier: MIT */
/* A sound results file, changed as the bytes say and sealed anew, as a stranger could make it: it
 * is read, summarised, exported and verified, or refused. The file stays one that HDF5 takes;
 * damaged ones are tried in a child first, and libhdf5 is not ours. hdf_edits.h has the edits. */
#include "fuzz.h"
#include "hdf_edits.h"
#include "touch_set.h"

#include "report/export.h"
#include "store/column_values.h"
#include "store/seal.h"
#include "store/store.h"
#include "store/verify.h"
#include "store/writer.h"
#include "summary/summary.h"

#include <string.h>

#define ROWS 3

static void fill_rows(struct result rows[ROWS])
{
    static const double matrix[] = {0.75, 0.25, 0.5, 0.5};
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = value_empty_result();
        rows[i].run = run_default();
        rows[i].index = (int64_t)i;
        rows[i].run.seed = (int64_t)i;
        rows[i].run.corpus = "demo";
        rows[i].run.sentence = "the cat";
        rows[i].message = "";
        rows[i].measurement.row_max_mean = 0.5;
        rows[i].measurement.queries = 2;
    }
    rows[1].kept = (struct kept){2, 2, matrix, matrix, "the cat"};
    rows[2].status = RESULT_FAILED;
    rows[2].message = "why";
}

/* The file that all others are made from; the same bytes each time. */
static const void *sound_file(size_t *size)
{
    static const struct provenance facts[] = {{"rowmax_version", "0.1.0"}, {"shard_runs", "3"}};
    static struct arena arena;
    static const void *bytes;
    static size_t length;
    if (bytes == NULL) {
        struct error err = ERROR_INIT;
        struct result rows[ROWS];
        fill_rows(rows);
        const struct result_set set = {.name = "n",
                                       .title = "t",
                                       .sweep_text = "rowmax: 1\n",
                                       .planned = ROWS,
                                       .provenance = facts,
                                       .provenance_count = 2,
                                       .whole = rows,
                                       .count = ROWS};
        fuzz_require(writer_image(&set, &arena, &bytes, &length, &err));
        length = seal_end(bytes, length) - SEAL_SIZE;
    }
    *size = length;
    return bytes;
}

static bool drop(void *context, const char *bytes, size_t size, struct error *err)
{
    size_t *sum = context;
    (void)bytes;
    (void)err;
    *sum += size;
    return true;
}

static void use(const struct result_set *set, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct summary summary;
    struct selection selection;
    struct export_table table;
    size_t sum = 0;
    const struct export_sink sink = {drop, &sum};
    fuzz_touch_set(set, arena);
    if (!summary_make(set, arena, &summary, &err) ||
        !selection_make(set, NULL, 0, arena, &selection, &err)) {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_NOT_COMPARED);
        return;
    }
    fuzz_require(export_choose_columns(set, &selection, NULL, arena, &table, &err));
    fuzz_require(export_csv(&table, &sink, &err) && export_json(&table, &sink, &err));
}

static void read_file(const char *path, bool verify)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct result_set set;
    struct verification verification = {NULL, 0, 0, NULL};
    if (store_load(path, &arena, &set, &err)) {
        use(&set, &arena);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    err = (struct error)ERROR_INIT;
    fuzz_require(!verify || verify_results(path, &arena, &verification, &err));
    for (size_t i = 0; i < verification.fault_count; i++) {
        fuzz_touch(verification.faults[i]);
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    size_t length = 0;
    const void *sound = sound_file(&length);
    char *changed = hdf_edits_apply(sound, &length, SEAL_SIZE, bytes, size, &arena);
    if (changed != NULL) {
        seal_put(changed, length);
        /* Verifying reads it all over again: of every second one. */
        read_file(fuzz_file("r.h5", changed, length + SEAL_SIZE), size % 2 == 0);
    }
    arena_release(&arena);
    return 0;
}
