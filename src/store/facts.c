/* SPDX-License-Identifier: MIT */
/* See facts.h. */
#include "store/facts.h"

#include "store/column_write.h"
#include "store/column_values.h"

#include <string.h>

static const char *const reserved[] = {"Conventions", "title", "name", "rowmax_format",
                                       "planned_runs"};

bool facts_write(hid_t file, const struct result_set *set, struct error *err)
{
    bool good = hdf_write_text(file, "Conventions", "CF-1.8", err) &&
                hdf_write_text(file, "title", set->title, err) &&
                hdf_write_text(file, "name", set->name, err) &&
                hdf_write_integer(file, "rowmax_format", FACTS_FORMAT, err) &&
                hdf_write_integer(file, "planned_runs", set->planned, err);
    for (size_t i = 0; good && i < set->provenance_count; i++) {
        good = hdf_write_text(file, set->provenance[i].name, set->provenance[i].value, err);
    }
    /* A dataset: attributes are for short texts. */
    return good && column_write_text(file, "sweep", set->sweep_text, err);
}

bool facts_equal(const struct result_set *a, const struct result_set *b)
{
    bool same = value_texts_equal(a->name, b->name) && value_texts_equal(a->title, b->title) &&
                value_texts_equal(a->sweep_text, b->sweep_text) && a->planned == b->planned &&
                a->provenance_count == b->provenance_count;
    for (size_t i = 0; same && i < a->provenance_count; i++) {
        same = value_texts_equal(a->provenance[i].name, b->provenance[i].name) &&
               value_texts_equal(a->provenance[i].value, b->provenance[i].value);
    }
    return same;
}

static bool read_name(const struct column_source *from, const char *name, const char **text,
                      struct error *err)
{
    *text = hdf_read_text(from->file, name, from->arena, err);
    return *text != NULL || error_set(err, ERROR_FILE, "the attribute '%s' is missing", name);
}

/* The provenance being gathered while HDF5 lists the root attributes. */
struct gathering {
    const struct column_source *from;
    struct provenance *list;
    size_t count, capacity;
    struct error *err;
};

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return true;
        }
    }
    return false;
}

static herr_t gather_one(hid_t file, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    struct gathering *all = context;
    struct error foreign = ERROR_INIT;
    if (is_reserved(name)) {
        return 0;
    }
    const char *value = hdf_read_text(file, name, all->from->arena, &foreign);
    if (value == NULL && foreign.code == ERROR_INTERNAL) {
        error_set(all->err, foreign.code, "%s", foreign.message);
        return -1;
    }
    if (value == NULL) {
        return 0;
    }
    struct provenance *list =
        arena_grow(all->from->arena, all->list, all->count, &all->capacity, sizeof *list, all->err);
    if (list == NULL) {
        return -1;
    }
    all->list = list;
    const char *copy = arena_copy_text(all->from->arena, name, all->err);
    all->list[all->count++] = (struct provenance){copy, value};
    return copy == NULL ? -1 : 0;
}

static bool read_provenance(const struct column_source *from, struct result_set *set,
                            struct error *err)
{
    struct gathering all = {.from = from, .err = err};
    hsize_t next = 0;
    herr_t listed =
        H5Aiterate2(from->file, H5_INDEX_CRT_ORDER, H5_ITER_INC, &next, gather_one, &all);
    if (listed < 0) {
        return hdf_error(err, "cannot list the attributes");
    }
    set->provenance = all.list;
    set->provenance_count = all.count;
    return true;
}

bool facts_read(const struct column_source *from, struct result_set *set, struct error *err)
{
    int64_t format = 0;
    if (!hdf_read_integer(from->file, "rowmax_format", &format, err)) {
        return error_set(err, ERROR_FILE, "an HDF5 file, but not one of rowmax");
    }
    if (format != FACTS_FORMAT) {
        return error_set(err, ERROR_FILE,
                         "its format is %lld and this rowmax reads format %d; use the version that "
                         "wrote it",
                         (long long)format, FACTS_FORMAT);
    }
    if (!hdf_read_integer(from->file, "planned_runs", &set->planned, err)) {
        return error_set(err, ERROR_FILE, "the attribute 'planned_runs' is missing");
    }
    return read_name(from, "name", &set->name, err) && read_name(from, "title", &set->title, err) &&
           column_read_text(from, "sweep", &set->sweep_text, err) &&
           read_provenance(from, set, err);
}
