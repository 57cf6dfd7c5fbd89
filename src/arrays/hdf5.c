/* SPDX-License-Identifier: MIT */
/* Reading an HDF5 dataset. Nothing but the named file is opened, no filter is loaded from
 * elsewhere, and only what is really stored is read, never fill values. HDF5 can crash over damaged
 * files, so a child tries first. */
#include "arrays/array_internal.h"

#include "base/memory_bound.h"
#include "base/text.h"
#include "base/trial.h"

/* Debian's headers default to the 1.8 names; this way 1.10, 1.12 and 1.14 compile alike. */
#define H5_USE_110_API
#include <hdf5.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 1000
#define CAUSE_SIZE 300
#define READING_BYTES ((size_t)128 << 20)

/* What is wanted of which file; a name is never empty. */
struct request {
    const struct array_file *file;
    const char *dataset; /* NULL where none was named */
    const char *name;    /* of both together, for messages */
};

/* Where to look while the file is open. */
struct handles {
    hid_t file, access, object, creation, type, space;
    bool refused_link; /* a link to another file was met */
};

static herr_t keep_deepest(unsigned level, const H5E_error2_t *entry, void *context)
{
    if (level == 0 && entry->desc != NULL) {
        snprintf(context, CAUSE_SIZE, "%s", entry->desc);
    }
    return 0;
}

/* ERROR_INPUT with the root cause that HDF5 gives. */
static bool fail(const char *name, const char *what, struct error *err)
{
    char cause[CAUSE_SIZE] = "";
    char shown[CAUSE_SIZE];
    hid_t stack = H5Eget_current_stack();
    H5Ewalk2(stack, H5E_WALK_UPWARD, keep_deepest, cause);
    H5Eclose_stack(stack);
    return error_set(err, ERROR_INPUT, "cannot %s '%s': %s", what, name,
                     cause[0] == '\0' ? "HDF5 gives no reason"
                                      : text_printable(cause, shown, sizeof shown));
}

/* Called before the file behind an external link is opened: refuses it. */
static herr_t refuse_link(const char *parent_file, const char *parent_group, const char *file,
                          const char *object, unsigned *flags, hid_t access, void *context)
{
    (void)parent_file, (void)parent_group, (void)file, (void)object, (void)access;
    *flags = H5F_ACC_RDONLY;
    *(bool *)context = true;
    return -1;
}

static bool open_file(struct handles *handles, const struct request *request, struct error *err)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) {
        handles->file = H5Fopen(request->file->path, H5F_ACC_RDONLY, access);
    }
    if (handles->file < 0) {
        fail(request->file->path, "read", err); /* before another call forgets the cause */
    }
    H5Pclose(access);
    if (handles->file < 0) {
        return false;
    }
    handles->access = H5Pcreate(H5P_LINK_ACCESS);
    return H5Pset_elink_cb(handles->access, refuse_link, &handles->refused_link) >= 0 ||
           fail(request->file->path, "read", err);
}

struct listing {
    struct array_names names;
    struct arena *arena;
    struct error *err;
};

static herr_t add_name(hid_t object, const char *name, const H5O_info_t *info, void *context)
{
    struct listing *listing = context;
    struct array_names *names = &listing->names;
    (void)object;
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    const char **longer = arena_grow(listing->arena, names->names, names->count, &names->capacity,
                                     sizeof *longer, listing->err);
    const char *copy = arena_copy_text(listing->arena, name, listing->err);
    if (longer == NULL || copy == NULL) {
        return -1;
    }
    names->names = longer;
    names->names[names->count++] = copy;
    return names->count == NAMES_MAX;
}

/* No object of the wanted name could be opened: it is missing, or it is damaged. */
static bool explain_missing(const struct handles *handles, const struct request *request,
                            struct error *err)
{
    struct arena scratch = {NULL};
    struct error cause = ERROR_INIT;
    struct listing listing = {.arena = &scratch, .err = err};
    bool there = false;
    fail(request->name, "open", &cause);
    if (H5Ovisit2(handles->file, H5_INDEX_NAME, H5_ITER_INC, add_name, &listing, H5O_INFO_BASIC) <
        0) {
        fail(request->file->path, "list the datasets of", err);
    }
    const char *wanted = request->dataset == NULL ? "" : request->dataset;
    for (size_t i = 0; i < listing.names.count; i++) {
        there = there || strcmp(listing.names.names[i], wanted + (wanted[0] == '/')) == 0;
    }
    if (there) {
        error_set(err, ERROR_INPUT, "%s", cause.message);
    } else {
        array_no_dataset(request->file->path, request->dataset, &listing.names, &scratch, err);
    }
    arena_release(&scratch);
    return false;
}

static bool open_object(struct handles *handles, const struct request *request, struct error *err)
{
    if (request->dataset != NULL) {
        handles->object = H5Oopen(handles->file, request->dataset, handles->access);
    }
    if (handles->refused_link) {
        return error_set(err, ERROR_INPUT, "'%s' is a link to another file; name that file instead",
                         request->name);
    }
    if (handles->object < 0) {
        return explain_missing(handles, request, err);
    }
    if (H5Iget_type(handles->object) != H5I_DATASET) {
        return error_set(err, ERROR_INPUT, "'%s' is not a dataset; name one within it",
                         request->name);
    }
    handles->creation = H5Dget_create_plist(handles->object);
    handles->type = H5Dget_type(handles->object);
    return (handles->creation >= 0 && handles->type >= 0) || fail(request->name, "open", err);
}

/* The values lie in this file and not in others. */
static bool check_place(const struct handles *handles, const struct request *request,
                        struct error *err)
{
    const H5D_layout_t layout = H5Pget_layout(handles->creation);
    const bool plain = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
    if (!plain || H5Pget_external_count(handles->creation) != 0) {
        return error_set(err, ERROR_INPUT,
                         "'%s' takes its values from other files; copy them into one dataset",
                         request->name);
    }
    return true;
}

/* HDF5 would look for other filters in a folder of plug-ins and run what it finds. */
static bool check_filters(const struct handles *handles, const struct request *request,
                          struct error *err)
{
    const int count = H5Pget_nfilters(handles->creation);
    for (int i = 0; i < count; i++) {
        unsigned flags = 0;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(handles->creation, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (filter < H5Z_FILTER_DEFLATE || filter > H5Z_FILTER_SCALEOFFSET) {
            return error_set(err, ERROR_INPUT,
                             "'%s' is packed by the filter %d, which is not built into HDF5; save "
                             "it with gzip or unpacked",
                             request->name, (int)filter);
        }
    }
    return count >= 0 || fail(request->name, "read", err);
}

static bool check_type(const struct handles *handles, const struct request *request,
                       struct error *err)
{
    static const char *const names[H5T_NCLASSES] = {
        [H5T_TIME] = "times",
        [H5T_STRING] = "texts",
        [H5T_BITFIELD] = "bit fields",
        [H5T_OPAQUE] = "opaque",
        [H5T_COMPOUND] = "compounds",
        [H5T_REFERENCE] = "references",
        [H5T_ENUM] = "enumerated or booleans",
        [H5T_VLEN] = "lists of variable length",
        [H5T_ARRAY] = "arrays",
    };
    const H5T_class_t class = H5Tget_class(handles->type);
    if (class == H5T_INTEGER || class == H5T_FLOAT) {
        return true;
    }
    const bool known = class >= 0 && class < H5T_NCLASSES && names[class] != NULL;
    return error_set(err, ERROR_INPUT,
                     "'%s' holds values that are %s; numbers are needed: save as float64",
                     request->name, known ? names[class] : "of an unknown type");
}

static bool find_shape(struct handles *handles, const struct request *request, struct array *out,
                       struct error *err)
{
    struct array_shape shape = {0};
    hsize_t sizes[H5S_MAX_RANK];
    handles->space = H5Dget_space(handles->object);
    const int rank =
        handles->space < 0 ? -1 : H5Sget_simple_extent_dims(handles->space, sizes, NULL);
    if (rank < 0) {
        return fail(request->name, "read", err);
    }
    shape.rank = (size_t)rank;
    for (int i = 0; i < rank; i++) {
        shape.size[i] = sizes[i];
    }
    return array_shape_fold(&shape, request->name, out, err);
}

/* Chunks that the shape of `rank` sizes is cut into; *bytes of numbers of `size` in one. */
static bool count_chunks(const struct handles *handles, int rank, size_t size, hsize_t *count,
                         uint64_t *bytes)
{
    hsize_t sizes[H5S_MAX_RANK];
    hsize_t chunk[H5S_MAX_RANK];
    struct array_shape shape = {.rank = (size_t)rank};
    if (H5Sget_simple_extent_dims(handles->space, sizes, NULL) != rank ||
        H5Pget_chunk(handles->creation, rank, chunk) != rank) {
        return false;
    }
    *count = 1;
    for (int i = 0; i < rank; i++) {
        if (chunk[i] == 0) {
            return false;
        }
        shape.size[i] = chunk[i];
        *count *= (sizes[i] - 1) / chunk[i] + 1;
    }
    return array_shape_bytes(&shape, size, bytes);
}

/* All values are there: HDF5 would hand out fill values, or zeros, for those that are not. */
static bool check_stored(const struct handles *handles, const struct request *request,
                         const struct array *array, struct error *err)
{
    const size_t size = H5Tget_size(handles->type);
    const hsize_t stored = H5Dget_storage_size(handles->object);
    bool whole = size > 0 && stored > 0 && stored <= request->file->size;
    if (H5Pget_layout(handles->creation) == H5D_CHUNKED) {
        hsize_t wanted = 0;
        hsize_t found = 0;
        uint64_t bytes = 0;
        const int rank = H5Sget_simple_extent_ndims(handles->space);
        whole = whole && count_chunks(handles, rank, size, &wanted, &bytes) &&
                H5Dget_num_chunks(handles->object, handles->space, &found) >= 0 && found == wanted;
        if (whole && bytes > ARRAY_BYTES_MAX) {
            return error_set(err, ERROR_INPUT,
                             "'%s' has chunks of %" PRIu64 " bytes; the limit is %" PRIu64,
                             request->name, bytes, ARRAY_BYTES_MAX);
        }
    } else {
        whole = whole && stored / size >= array->planes * array->rows * array->columns;
    }
    return whole ||
           error_set(err, ERROR_INPUT,
                     "'%s' is not whole: values were never written or are lost; write it again",
                     request->name);
}

/* Bytes that reading may take beside the values: a chunk may unpack to a thousand times what its
 * sizes say. */
static size_t reading_bytes(const struct handles *handles)
{
    hsize_t count = 0;
    uint64_t chunk = 0;
    const int rank = H5Sget_simple_extent_ndims(handles->space);
    if (H5Pget_layout(handles->creation) == H5D_CHUNKED) {
        (void)!count_chunks(handles, rank, H5Tget_size(handles->type), &count, &chunk);
    }
    return READING_BYTES + 8 * (size_t)chunk;
}

static bool read_values(const struct handles *handles, const struct request *request,
                        struct arena *arena, struct array *out, struct error *err)
{
    double *values =
        arena_alloc(arena, out->planes * out->rows, out->columns * sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    struct memory_bound bound;
    memory_bound_begin(&bound, reading_bytes(handles));
    herr_t status =
        H5Dread(handles->object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    memory_bound_end(&bound);
    if (status < 0) {
        return fail(request->name, "read", err);
    }
    out->values = values;
    array_digest(out);
    return true;
}

static bool read_tried(const struct request *request, struct arena *arena, struct array *out,
                       struct error *err)
{
    struct handles handles = {-1, -1, -1, -1, -1, -1, false};
    /* The order matters: asking for the space of a virtual dataset opens its sources. */
    bool good = open_file(&handles, request, err) && open_object(&handles, request, err) &&
                check_place(&handles, request, err) && check_filters(&handles, request, err) &&
                check_type(&handles, request, err) && find_shape(&handles, request, out, err) &&
                check_stored(&handles, request, out, err) &&
                read_values(&handles, request, arena, out, err);
    if (handles.space >= 0) {
        H5Sclose(handles.space);
    }
    if (handles.type >= 0) {
        H5Tclose(handles.type);
    }
    if (handles.creation >= 0) {
        H5Pclose(handles.creation);
    }
    if (handles.access >= 0) {
        H5Pclose(handles.access);
    }
    if (handles.file >= 0) {
        H5Fclose(handles.file); /* and what is open in it */
    }
    return good;
}

/* For the child: whether it gets through is all that matters. */
static void try_reading(const void *context)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct array array;
    (void)!read_tried(context, &arena, &array, &err);
    arena_release(&arena);
}

bool hdf5_read(const struct array_file *file, const char *dataset, struct arena *arena,
               struct array *out, struct error *err)
{
    struct arena scratch = {NULL};
    struct error trouble = ERROR_INIT;
    char shown[CAUSE_SIZE];
    const bool named = dataset != NULL && dataset[0] != '\0';
    struct request request = {file, named ? dataset : NULL, NULL};
    request.name = arena_format(&scratch, err, "%s:%s", file->path,
                                text_printable(named ? dataset : "", shown, sizeof shown));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    bool good = request.name != NULL;
    if (good && !trial_survived(try_reading, &request, request.name, &trouble)) {
        good = error_set(err, ERROR_INPUT, "%s", trouble.message);
    }
    good = good && read_tried(&request, arena, out, err);
    arena_release(&scratch);
    return good;
}
