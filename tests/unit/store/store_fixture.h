/* SPDX-License-Identifier: MIT */
/* What the tests of whole stores share: stores and files under names in the scratch folder. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "sample.h"
#include "bare_arena.h"

#include "base/files.h"
#include "store/store.h"

#include <unistd.h>

static inline struct store *fixture_open(const char *name, bool fresh, struct store_found *found)
{
    struct error err = ERROR_INIT;
    struct store *store = store_open(support_path(name), fresh, &arena, found, &err);
    ck_assert_msg(store != NULL, "%s", err.message);
    return store;
}

static inline void fixture_append(struct store *store, size_t from, size_t count)
{
    struct error err = ERROR_INIT;
    for (size_t row = from; row < from + count; row++) {
        struct result result = sample_result(row, &arena);
        assert_ok(store_append(store, &result, 1, &err), err);
    }
}

/* A file of rows 0 to count - 1, made as a sweep makes it. */
static inline void fixture_file(const char *name, size_t count)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct result_set set = sample_set_of(count, &arena);
    struct store *store = fixture_open(name, true, &found);
    fixture_append(store, 0, count);
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
}

static inline struct result_set fixture_load(const char *name)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(store_load(support_path(name), &arena, &set, &err), err);
    return set;
}

static inline size_t fixture_count(const struct store *store)
{
    return store_rows(store).count;
}

/* The run with that key, whole; NULL when it is not at hand. */
static inline const struct result *fixture_find(struct store *store, uint64_t key)
{
    struct error err = ERROR_INIT;
    assert_ok(store_complete(store, &err), err);
    size_t row = store_find(store, key);
    struct result_set set = store_rows(store);
    return row == STORE_NONE ? NULL : row_at(&set, row);
}

static inline bool fixture_exists(const char *name)
{
    return access(support_path(name), F_OK) == 0;
}

static inline char *fixture_bytes(const char *name, size_t *size)
{
    struct error err = ERROR_INIT;
    char *bytes = files_read(support_path(name), 1 << 26, &arena, size, &err);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    return bytes;
}

#endif
