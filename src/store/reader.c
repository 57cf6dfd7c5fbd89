/* SPDX-License-Identifier: MIT */
/* See reader.h. */
#include "store/reader.h"

#include "base/files.h"
#include "base/hdf_signature.h"
#include "base/trial.h"
#include "store/facts.h"
#include "store/kept.h"
#include "store/lock.h"
#include "store/reader_internal.h"
#include "store/seal.h"

#include <string.h>
#include <sys/stat.h>

/* How much of a file is wanted. Its kept matrices come with the measures. */
enum extent { EXTENT_WHOLE, EXTENT_KEYS };

bool reader_unread(const struct error *trouble, struct error *err)
{
    enum error_code code = trouble->code == ERROR_INPUT ? ERROR_FILE : trouble->code;
    return error_set(err, code, "%s", trouble->message);
}

static bool has_kept(const struct reading *reading)
{
    return H5Lexists(reading->from.file, "kept_index", H5P_DEFAULT) != 0;
}

static bool read_rows(struct reading *reading, enum extent extent, struct error *err)
{
    const struct run plain = run_default();
    if (!column_read_length(&reading->from, "run", &reading->count, err) ||
        !result_table_fill(reading->table, &plain, reading->count, err)) {
        return false;
    }
    bool good = reader_take_identity(reading, err) && reader_take_messages(reading, err) &&
                reader_take_runs(reading, err) && reader_take_given(reading, err) &&
                reader_find_measures(reading, err);
    if (extent == EXTENT_WHOLE) {
        good = good && reader_take_measures(reading, err) &&
               kept_read(&reading->from, reading->table, err);
    }
    /* Fields without a meaning for the source are NaN and -1 in the file. */
    return good && run_list_normalise(&reading->table->runs, err);
}

/* What can be said before HDF5 sees the file. */
struct vetted {
    uint64_t size;
    bool sealed; /* a checksum vouches for it */
    bool intact; /* and nothing stands behind it */
};

/* HDF5 takes its signature at the start, or behind 512 bytes of something else, or 1024 and so on.
 */
static bool has_signature(const char *bytes, size_t length)
{
    bool found = false;
    for (size_t at = 0; !found && at <= length && length - at >= HDF_SIGNATURE_SIZE;
         at = at == 0 ? 512 : 2 * at) {
        found = memcmp(bytes + at, HDF_SIGNATURE, HDF_SIGNATURE_SIZE) == 0;
    }
    return found;
}

/* The checksum must hold where the file has one and `strict` is asked for. */
static bool check_bytes(const char *path, bool strict, struct vetted *out, struct error *err)
{
    struct stat status;
    struct arena arena = {NULL};
    struct error trouble = ERROR_INIT;
    size_t length = 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_FILE, "'%s' is not a file; name a results file", path);
    }
    if (!lock_check_unwritten(path, path, err)) {
        return false;
    }
    const char *bytes = files_read(path, SIZE_MAX / 8, &arena, &length, &trouble);
    bool good = bytes != NULL || reader_unread(&trouble, err);
    if (good && length == 0) {
        good = error_set(err, ERROR_FILE, "'%s' is empty; it is no results file", path);
    }
    if (good && !seal_check(bytes, length, &out->sealed, strict ? err : &trouble)) {
        out->sealed = false;
        good = !strict || error_add_context(err, "cannot read '%s'", path);
    }
    /* Of a sealed file, which was one of results, other words tell that it is damaged. */
    if (good && bytes != NULL && strict && !out->sealed && !has_signature(bytes, length)) {
        good = error_set(err, ERROR_FILE, "'%s' is no results file; name one that is", path);
    }
    out->intact = good && out->sealed && seal_end(bytes, length) == length;
    out->size = length;
    arena_release(&arena);
    return good;
}

static hid_t open_to_read(const char *path, struct error *err)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    /* Without locks of HDF5's own, which some file systems lack: who writes is looked for before.
     */
    if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_locking(access, false, true) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    }
    if (file < 0) {
        hdf_error(err, "cannot read '%s'", path);
    }
    H5Pclose(access);
    return file;
}

/* Reads a file whose bytes were checked. One that keeps matrices is read whole, and *extent says
 * so.
 */
static bool read_checked(const char *path, uint64_t size, enum extent *extent, struct arena *arena,
                         struct result_set *out, struct error *err)
{
    struct reading reading = {.from = {.arena = arena, .bytes = size}};
    reading.table = arena_alloc(arena, 1, sizeof *reading.table, err);
    reading.from.file = reading.table == NULL ? -1 : open_to_read(path, err);
    if (reading.from.file < 0) {
        return false;
    }
    result_table_init(reading.table, arena);
    *out = (struct result_set){0};
    *extent = has_kept(&reading) ? EXTENT_WHOLE : *extent;
    bool good = facts_read(&reading.from, out, err) && read_rows(&reading, *extent, err);
    out->table = reading.table;
    out->count = reading.count;
    out->lacking = reading.lacking;
    H5Fclose(reading.from.file);
    arena_release(&reading.scratch);
    return good || error_add_context(err, "cannot read '%s'", path);
}

/* For the child: whether it gets through is all that matters. */
static void try_reading(const void *context)
{
    const char *path = context;
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct result_set set;
    struct stat status;
    enum extent extent = EXTENT_WHOLE;
    uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    (void)!read_checked(path, size, &extent, &arena, &set, &err);
    arena_release(&arena);
}

static bool read_to(const char *path, bool strict, struct reader_found *found, struct arena *arena,
                    struct result_set *out, struct error *err)
{
    struct vetted vetted = {0};
    hdf_silence();
    if (!check_bytes(path, strict, &vetted, err)) {
        return false;
    }
    enum extent extent = vetted.sealed && found->keys_only ? EXTENT_KEYS : EXTENT_WHOLE;
    bool good = (vetted.sealed || trial_survived(try_reading, path, path, err)) &&
                read_checked(path, vetted.size, &extent, arena, out, err);
    *found = (struct reader_found){extent == EXTENT_KEYS, vetted.intact};
    return good;
}

bool reader_read(const char *path, struct arena *arena, struct result_set *out, struct error *err)
{
    struct reader_found found = {.keys_only = false};
    return read_to(path, true, &found, arena, out, err);
}

bool reader_read_keys(const char *path, struct arena *arena, struct result_set *out,
                      struct reader_found *found, struct error *err)
{
    *found = (struct reader_found){.keys_only = true};
    return read_to(path, true, found, arena, out, err);
}

bool reader_open(const char *path, struct arena *arena, struct column_source *out,
                 struct error *err)
{
    struct vetted vetted = {0};
    hdf_silence();
    if (!check_bytes(path, true, &vetted, err)) {
        return false;
    }
    if (!vetted.intact) {
        return error_set(err, ERROR_FILE, "'%s' has no seal, or bytes behind it", path);
    }
    *out = (struct column_source){open_to_read(path, err), vetted.size, arena};
    return out->file >= 0;
}

bool reader_read_measures(const char *path, struct result_table *table, struct error *err)
{
    struct stat status;
    struct reading reading = {.from = {.arena = table->arena}, .table = table};
    hdf_silence();
    reading.from.bytes = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    reading.from.file = open_to_read(path, err);
    if (reading.from.file < 0) {
        return false;
    }
    reading.count = table->count;
    bool good = reader_take_measures(&reading, err);
    H5Fclose(reading.from.file);
    arena_release(&reading.scratch);
    return good || error_add_context(err, "cannot read '%s'", path);
}

bool reader_salvage(const char *path, struct arena *arena, struct result_set *out,
                    struct error *err)
{
    struct reader_found found = {.keys_only = false};
    return read_to(path, false, &found, arena, out, err);
}
