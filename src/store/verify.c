/* SPDX-License-Identifier: MIT */
/* See verify.h. */
#include "store/verify.h"

#include "base/files.h"
#include "base/order.h"
#include "base/text.h"
#include "run/result_table.h"
#include "store/merge.h"
#include "store/reader.h"
#include "store/seal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    struct verification *out;
    struct arena *arena;
    struct error *err;
    const struct result_set *set;
    size_t row_faults; /* of single rows, listed or not */
    bool readable;
};

static void fault(struct checking *checking, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fault(struct checking *checking, const char *format, ...)
{
    struct verification *out = checking->out;
    char line[ERROR_MESSAGE_SIZE]; /* the longest is an error of another file */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const char **faults = arena_grow(checking->arena, out->faults, out->fault_count,
                                     &out->fault_capacity, sizeof *faults, checking->err);
    if (faults != NULL) {
        out->faults = faults;
        faults[out->fault_count++] = arena_copy_text(checking->arena, line, checking->err);
    }
}

/* Whether a further fault of a row is to be listed. */
static bool is_listed(struct checking *checking)
{
    return ++checking->row_faults <= VERIFY_LISTED_MAX;
}

/* The seal, and what HDF5 and the checksums of the columns say where it does not hold. */
static bool check_file(struct checking *checking, const char *path, struct result_set *set)
{
    struct arena arena = {NULL};
    struct error trouble = ERROR_INIT;
    size_t size = 0;
    bool sealed = false;
    const char *bytes = files_read_own(path, SIZE_MAX / 8, &arena, &size, &trouble);
    if (bytes == NULL) {
        arena_release(&arena);
        return reader_unread(&trouble, checking->err);
    }
    bool whole = seal_check(bytes, size, &sealed, &trouble);
    size_t behind = whole && sealed ? size - seal_end(bytes, size) : 0;
    if (!whole) {
        fault(checking, "%s", trouble.message);
    } else if (size == 0) {
        fault(checking, "the file is empty");
    } else if (!sealed) {
        fault(checking, "it has no seal: cut short, or written to by another program");
    }
    if (behind > 0) {
        checking->out->note = arena_format(checking->arena, checking->err,
                                           "%zu bytes behind the seal belong to nothing", behind);
    }
    arena_release(&arena);
    trouble = (struct error)ERROR_INIT;
    checking->readable = size > 0 && reader_salvage(path, checking->arena, set, &trouble);
    if (size > 0 && !checking->readable) {
        fault(checking, "%s", trouble.message);
    }
    return checking->err->code == ERROR_NONE;
}

/* A path whose content is not known has no key. */
static bool has_digests(const struct result_set *set, size_t place)
{
    bool known = true;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (run_fields[i].kind == FIELD_PATH) {
            const char *const *name = result_run_member(set, place, i);
            const char *const *digest =
                result_run_member(set, place, run_list_digest((enum run_field)i));
            known = known && (*name == NULL || *digest != NULL);
        }
    }
    return known;
}

static void check_place(struct checking *checking, size_t place)
{
    int64_t index = result_index(checking->set, place);
    int64_t before = place == 0 ? -1 : result_index(checking->set, place - 1);
    bool after_outside = place > 0 && before < 0;
    if (index >= checking->set->planned || index < -1) {
        if (is_listed(checking)) {
            fault(checking, "row %zu: run %" PRId64 " of a plan of %" PRId64, place, index,
                  checking->set->planned);
        }
    } else if (index >= 0 && (after_outside || index <= before)) {
        if (is_listed(checking)) {
            fault(checking, "row %zu: run %" PRId64 " is %s", place, index,
                  index == before ? "there twice" : "out of order");
        }
    }
}

/* `keys` are those of the fields, or NULL where they are to be made one by one. */
static void check_key(struct checking *checking, size_t place, const uint64_t *keys)
{
    uint64_t stated = result_key(checking->set, place);
    if (!has_digests(checking->set, place)) {
        if (is_listed(checking)) {
            fault(checking, "row %zu: a file that it read has no digest", place);
        }
        return;
    }
    struct run run;
    if (keys == NULL) {
        result_run(checking->set, place, &run);
    }
    if ((keys == NULL ? run_key(&run) : keys[place]) != stated && is_listed(checking)) {
        fault(checking, "row %zu: its key %016" PRIx64 " is not that of its fields", place, stated);
    }
}

static void check_rows(struct checking *checking)
{
    struct arena arena = {NULL};
    const struct result_set *set = checking->set;
    bool known = true;
    for (size_t i = 0; i < set->count; i++) {
        known = known && has_digests(set, i);
    }
    uint64_t *keys = arena_alloc(&arena, set->count, sizeof *keys, checking->err);
    if (keys != NULL && (!known || run_list_keys(&set->table->runs, keys, checking->err))) {
        for (size_t i = 0; i < set->count; i++) {
            check_place(checking, i);
            check_key(checking, i, known ? keys : NULL);
        }
    }
    arena_release(&arena);
}

static void check_unique(struct checking *checking)
{
    struct arena arena = {NULL};
    size_t count = checking->set->count;
    uint64_t *keys = arena_alloc(&arena, count, sizeof *keys, checking->err);
    for (size_t i = 0; keys != NULL && i < count; i++) {
        keys[i] = result_key(checking->set, i);
    }
    if (keys != NULL) {
        qsort(keys, count, sizeof *keys, order_keys);
    }
    for (size_t i = 1; keys != NULL && i < count; i++) {
        if (keys[i] == keys[i - 1] && is_listed(checking)) {
            fault(checking, "the key %016" PRIx64 " is there twice", keys[i]);
        }
    }
    arena_release(&arena);
}

/* Rows of the plan, against those that there should be. Returns whether every planned run is
 * there. */
static bool check_count(struct checking *checking)
{
    const struct result_set *set = checking->set;
    const char *own = result_fact(set, MERGE_SHARD_RUNS);
    int64_t wanted = set->planned;
    int64_t rows = 0;
    if (own != NULL && (!text_to_integer(own, &wanted) || wanted < 0 || wanted > set->planned)) {
        fault(checking, "the number of runs of its shard is '%s', of %" PRId64 " planned", own,
              set->planned);
        wanted = 0;
    }
    for (size_t i = 0; i < set->count; i++) {
        rows += result_index(set, i) >= 0;
    }
    if (rows < wanted) {
        fault(checking, "%" PRId64 " of its %" PRId64 " runs are missing", wanted - rows, wanted);
    }
    return rows == set->planned;
}

static void check_sweep(struct checking *checking)
{
    char hex[HASH_HEX_SIZE];
    const char *text = checking->set->sweep_text;
    const char *stated = result_fact(checking->set, "sweep_sha256");
    hash_bytes_hex(text, strlen(text), hex);
    if (stated != NULL && strcmp(stated, hex) != 0) {
        fault(checking, "the text of the sweep does not match sweep_sha256");
    }
}

static void check_plan(struct checking *checking)
{
    const struct result_set *set = checking->set;
    const char *stated = result_fact(set, MERGE_PLAN);
    struct arena arena = {NULL};
    char hex[HASH_HEX_SIZE];
    size_t count = (size_t)set->planned; /* rows outside the plan follow */
    uint64_t *keys = arena_alloc(&arena, count, sizeof *keys, checking->err);
    for (size_t i = 0; keys != NULL && i < count; i++) {
        keys[i] = result_key(set, i);
    }
    if (keys != NULL && stated != NULL &&
        merge_plan_digest(set->name, keys, count, hex, checking->err) && strcmp(stated, hex) != 0) {
        fault(checking, "its runs are not those of the plan that it names");
    }
    arena_release(&arena);
}

static void check_whole(struct checking *checking)
{
    check_unique(checking);
    check_sweep(checking);
    if (check_count(checking) && checking->row_faults == 0) {
        check_plan(checking);
    }
}

bool verify_results(const char *path, struct arena *arena, struct verification *out,
                    struct error *err)
{
    struct result_set set = {0};
    struct checking checking = {.out = out, .arena = arena, .err = err, .set = &set};
    *out = (struct verification){0};
    if (!check_file(&checking, path, &set)) {
        return false;
    }
    if (checking.readable) {
        check_rows(&checking);
        check_whole(&checking);
    }
    if (checking.row_faults > VERIFY_LISTED_MAX) {
        fault(&checking, "and %zu more rows of this kind", checking.row_faults - VERIFY_LISTED_MAX);
    }
    return err->code == ERROR_NONE;
}
