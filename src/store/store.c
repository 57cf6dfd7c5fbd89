/* SPDX-License-Identifier: MIT */
/* The store: a lock, the rows of the results file and of the journal, and the two ways rows leave
 * memory, one by one into the journal and all at once into the file. */
#include "store/store.h"

#include "base/hdf_signature.h"
#include "store/facts.h"
#include "store/hdf.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/merged.h"
#include "store/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct store {
    const char *path; /* resolved */
    struct lock lock;
    struct journal journal;
    struct merged merged;
    bool appended; /* something, since it was opened */
};

#define TEXT_OF_VALUE(value) #value
#define TEXT_OF(macro) TEXT_OF_VALUE(macro)

const char *store_hdf5_version(void)
{
    return TEXT_OF(H5_VERS_MAJOR) "." TEXT_OF(H5_VERS_MINOR) "." TEXT_OF(H5_VERS_RELEASE);
}

/* A kill while saving leaves a file of this name; under the lock it is nobody's. */
static bool remove_unfinished(const struct store *store, struct arena *arena, struct error *err)
{
    const char *path = writer_unfinished(store->path, arena, err);
    if (path == NULL) {
        return false;
    }
    return unlink(path) == 0 || errno == ENOENT ||
           error_set_system(err, ERROR_FILE, errno, "cannot remove '%s'", path);
}

bool store_is_results(const char *path)
{
    char start[JOURNAL_MAGIC_SIZE];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false; /* what is no file is not opened: a pipe would wait */
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    ssize_t length = read(descriptor, start, sizeof start);
    close(descriptor);
    return (length >= (ssize_t)HDF_SIGNATURE_SIZE &&
            memcmp(start, HDF_SIGNATURE, HDF_SIGNATURE_SIZE) == 0) ||
           (length == (ssize_t)sizeof start &&
            (memcmp(start, JOURNAL_MAGIC, sizeof start) == 0 ||
             memcmp(start, JOURNAL_FIRST_MAGIC, sizeof start) == 0));
}

/* A file that is no results file is nobody's to replace: it may be the sweep or a corpus. */
static bool check_kind(const char *path, const char *shown, struct error *err)
{
    char start[HDF_SIGNATURE_SIZE];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == ENOENT ||
               error_set_system(err, ERROR_FILE, errno, "cannot open '%s'", shown);
    }
    ssize_t length = read(descriptor, start, sizeof start);
    close(descriptor);
    bool results =
        length == (ssize_t)sizeof start && memcmp(start, HDF_SIGNATURE, sizeof start) == 0;
    return results || length == 0 ||
           error_set(err, ERROR_FILE, "'%s' is there and is no results file; name another one",
                     shown);
}

static bool open_locked(struct store *store, const char *shown, bool fresh, struct arena *arena,
                        struct error *err)
{
    if (!lock_check_unwritten(store->path, shown, err) || !check_kind(store->path, shown, err) ||
        !remove_unfinished(store, arena, err) ||
        !journal_init(&store->journal, store->path, fresh, arena, err)) {
        return false;
    }
    merged_init(&store->merged, arena);
    return fresh || merged_read(&store->merged, shown, &store->journal, true, err) ||
           error_add_context(err,
                             "the results at hand cannot be used and are left as they are; move "
                             "them away or start over with --fresh, or go on with --recover NEW "
                             "from what can be verified");
}

struct store *store_open(const char *path, unsigned how, struct arena *arena,
                         struct store_found *found, struct error *err)
{
    struct store *store = arena_alloc(arena, 1, sizeof *store, err);
    if (store == NULL) {
        return NULL;
    }
    store->journal.descriptor = -1;
    store->path = lock_resolve(path, arena, err);
    if (store->path == NULL ||
        !lock_take(&store->lock, store->path, path, (how & STORE_NO_LOCK) != 0, arena, err)) {
        return NULL;
    }
    if (!open_locked(store, path, (how & STORE_FRESH) != 0, arena, err)) {
        store_close(store);
        return NULL;
    }
    *found = (struct store_found){store->merged.in_file, store->merged.in_journal,
                                  store->merged.torn_bytes};
    return store;
}

size_t store_origins(const struct store *store, const struct result_set *origins[2])
{
    size_t count = 0;
    if (store->merged.in_file > 0) {
        origins[count++] = &store->merged.file;
    }
    if (store->merged.in_journal > 0 || store->appended) {
        origins[count++] = &store->journal.sweep;
    }
    return count;
}

void store_describe(struct store *store, const struct result_set *sweep)
{
    store->journal.sweep = *sweep;
    store->journal.described = false;
}

size_t store_find(const struct store *store, uint64_t key)
{
    return rows_find(&store->merged.rows, key);
}

struct result_set store_rows(const struct store *store)
{
    return rows_set(&store->merged.rows);
}

bool store_complete(struct store *store, struct error *err)
{
    return merged_complete(&store->merged, store->path, err);
}

bool store_append(struct store *store, const struct result *results, size_t count,
                  struct error *err)
{
    store->appended = true;
    bool good = store_complete(store, err) && journal_append(&store->journal, results, count, err);
    for (size_t i = 0; good && i < count; i++) {
        good = rows_put_copy(&store->merged.rows, &results[i], err);
    }
    return good;
}

/* Whether the file holds the set already: that of a resume with nothing to do. */
static bool is_saved(struct store *store, const struct result_set *set)
{
    const struct result_set *file = &store->merged.file;
    struct error ignored = ERROR_INIT;
    bool measured = set->table != file->table;
    return !store->appended && store->merged.in_journal == 0 && file->count > 0 &&
           file->lacking == set->lacking && file->count == set->count && facts_equal(file, set) &&
           (!measured || store_complete(store, &ignored)) &&
           rows_equal_until(file, set) == set->count && store->merged.intact;
}

bool store_save(struct store *store, const struct result_set *set, struct error *err)
{
    if (is_saved(store, set)) {
        return journal_remove(&store->journal, err);
    }
    return store_complete(store, err) && writer_replace(store->path, set, err) &&
           journal_remove(&store->journal, err);
}

void store_close(struct store *store)
{
    if (store != NULL) {
        journal_close(&store->journal);
        lock_release(&store->lock);
    }
}
