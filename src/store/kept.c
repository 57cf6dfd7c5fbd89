/* SPDX-License-Identifier: MIT */
/* See kept.h. Runs differ in their number of queries and tokens, so each matrix lies in the corner
 * of a rectangle that holds the largest, and NaN fills the rest. */
#include "store/kept.h"

#include "store/column_write.h"
#include "store/texts.h"

#include "store/store.h"

#include <math.h>
#include <string.h>

#define CHUNK_SIDE 256
#define CHUNK_BYTES 1048576

/* What is kept of the rows that keep anything. */
struct gathered {
    const struct result_set *set;
    size_t count;
    size_t height, width; /* most queries, most tokens */
    bool any_scores, any_weights;
    int64_t *index;  /* the row of each */
    int64_t *tokens; /* of each */
    int8_t *has_scores, *has_weights;
    int32_t *words;
    struct texts texts;
};

static bool keeps_any(const struct result_set *set, size_t row)
{
    const struct kept kept = result_kept(set, row);
    return kept.scores != NULL || kept.weights != NULL || kept.words != NULL;
}

static bool gather_one(struct gathered *all, size_t row, struct error *err)
{
    const struct kept row_kept = result_kept(all->set, row);
    const struct kept *kept = &row_kept;
    size_t at = all->count++;
    size_t number = 0;
    all->index[at] = (int64_t)row;
    all->tokens[at] = (int64_t)kept->tokens;
    all->has_scores[at] = (int8_t)(kept->scores != NULL);
    all->has_weights[at] = (int8_t)(kept->weights != NULL);
    all->any_scores = all->any_scores || kept->scores != NULL;
    all->any_weights = all->any_weights || kept->weights != NULL;
    all->height = kept->queries > all->height ? kept->queries : all->height;
    all->width = kept->tokens > all->width ? kept->tokens : all->width;
    if (kept->words != NULL && !texts_add(&all->texts, kept->words, NULL, &number, err)) {
        return false;
    }
    all->words[at] = kept->words == NULL ? -1 : (int32_t)number;
    return true;
}

static bool gather(const struct result_set *set, struct arena *scratch, struct gathered *all,
                   struct error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        count += keeps_any(set, i);
    }
    *all = (struct gathered){.set = set, .texts = {.arena = scratch}};
    all->index = arena_alloc(scratch, count, sizeof *all->index, err);
    all->tokens = arena_alloc(scratch, count, sizeof *all->tokens, err);
    all->has_scores = arena_alloc(scratch, count, sizeof *all->has_scores, err);
    all->has_weights = arena_alloc(scratch, count, sizeof *all->has_weights, err);
    all->words = arena_alloc(scratch, count, sizeof *all->words, err);
    bool good = all->index != NULL && all->tokens != NULL && all->has_scores != NULL &&
                all->has_weights != NULL && all->words != NULL;
    for (size_t i = 0; good && i < set->count; i++) {
        good = !keeps_any(set, i) || gather_one(all, i, err);
    }
    /* A matrix of no tokens still needs a rectangle to lie in. */
    all->height = all->height == 0 ? 1 : all->height;
    all->width = all->width == 0 ? 1 : all->width;
    return good;
}

static hsize_t tile_of(size_t side)
{
    return side < CHUNK_SIDE ? side : CHUNK_SIDE;
}

/* The chunks of (count, height, width): whole matrices while these are small, else tiles of them.
 */
static struct hdf_shape shape_of(const struct gathered *all)
{
    size_t count = all->count;
    hsize_t high = tile_of(all->height);
    hsize_t wide = tile_of(all->width);
    hsize_t bytes = high * wide * sizeof(double);
    hsize_t several = bytes == 0 ? 1 : CHUNK_BYTES / bytes;
    several = several > count ? count : several;
    return (struct hdf_shape){.rank = 3,
                              .size = {count, all->height, all->width},
                              .chunk = {several == 0 ? 1 : several, high, wide}};
}

/* Writes one (height, width) matrix. */
static bool write_matrix(hid_t dataset, hid_t space, size_t at, const struct hdf_shape *shape,
                         const double *buffer)
{
    const hsize_t start[3] = {at, 0, 0};
    const hsize_t size[3] = {1, shape->size[1], shape->size[2]};
    hid_t memory = H5Screate_simple(3, size, NULL);
    bool good = memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, buffer) >= 0;
    H5Sclose(memory);
    return good;
}

static void pad(const struct gathered *all, const struct kept *kept, const double *matrix,
                double *buffer)
{
    for (size_t i = 0; i < all->height * all->width; i++) {
        buffer[i] = (double)NAN;
    }
    for (size_t row = 0; matrix != NULL && row < kept->queries; row++) {
        memcpy(buffer + row * all->width, matrix + row * kept->tokens,
               kept->tokens * sizeof *matrix);
    }
}

static bool write_all(hid_t dataset, bool scores, const struct gathered *all, double *buffer)
{
    const struct hdf_shape shape = shape_of(all);
    hid_t space = H5Dget_space(dataset);
    bool good = space >= 0;
    for (size_t at = 0; good && at < all->count; at++) {
        const struct kept kept = result_kept(all->set, (size_t)all->index[at]);
        pad(all, &kept, scores ? kept.scores : kept.weights, buffer);
        good = write_matrix(dataset, space, at, &shape, buffer);
    }
    H5Sclose(space);
    return good;
}

/* `scales` are those of kept_index, query and key. */
static bool write_matrices(hid_t file, const hid_t scales[3], bool scores,
                           const struct gathered *all, struct arena *scratch, struct error *err)
{
    const char *name = scores ? "kept_scores" : "kept_weights";
    const double missing = (double)NAN;
    const struct hdf_shape shape = shape_of(all);
    double *buffer = arena_alloc(scratch, all->height * all->width, sizeof *buffer, err);
    hid_t dataset = -1;
    if (buffer != NULL) {
        dataset = hdf_create(file, name, H5T_IEEE_F64LE, &shape, true, err);
    }
    if (dataset < 0) {
        return false;
    }
    bool good = hdf_write_array(dataset, "_FillValue", HDF_REAL, &missing, 1, err) &&
                hdf_write_text(dataset, "long_name",
                               scores ? "scores after the score guard" : "attention weights", err);
    bool written = good && write_all(dataset, scores, all, buffer);
    for (unsigned i = 0; i < 3; i++) {
        written = written && H5DSattach_scale(dataset, scales[i], i) >= 0;
    }
    written = H5Dclose(dataset) >= 0 && written;
    return written || hdf_error(err, "cannot write '%s'", name);
}

static hid_t write_places(hid_t file, struct chunk_encoders *encoders, const char *name,
                          const char *label, size_t count, struct arena *scratch, struct error *err)
{
    int32_t *places = arena_alloc(scratch, count, sizeof *places, err);
    if (places == NULL) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = (int32_t)i;
    }
    const struct column column = {
        .name = name, .number = HDF_INT32, .values = places, .count = count, .label = label};
    return column_write_scale(file, encoders, &column, err);
}

static bool write_columns(hid_t file, struct chunk_encoders *encoders, hid_t scale,
                          const struct gathered *all, struct error *err)
{
    const struct column columns[] = {
        {.name = "kept_tokens", .number = HDF_INT64, .values = all->tokens, .unit = "tokens"},
        {.name = "kept_has_scores",
         .number = HDF_INT8,
         .values = all->has_scores,
         .is_switch = true},
        {.name = "kept_has_weights",
         .number = HDF_INT8,
         .values = all->has_weights,
         .is_switch = true},
        {.name = "kept_words_index",
         .number = HDF_INT32,
         .values = all->words,
         .help = "place in kept_words, -1 for none"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct column column = columns[i];
        column.count = all->count;
        if (!column_write(file, encoders, scale, &column, err)) {
            return false;
        }
    }
    return column_write_table(file, "kept_words", NULL, &all->texts, err);
}

static bool write_gathered(hid_t file, struct chunk_encoders *encoders, const struct gathered *all,
                           struct arena *scratch, struct error *err)
{
    const struct column index = {.name = "kept_index",
                                 .number = HDF_INT64,
                                 .values = all->index,
                                 .count = all->count,
                                 .label = "place along run"};
    hid_t scales[3] = {column_write_scale(file, encoders, &index, err), -1, -1};
    bool good = scales[0] >= 0 && write_columns(file, encoders, scales[0], all, err);
    if (good && (all->any_scores || all->any_weights)) {
        scales[1] =
            write_places(file, encoders, "query", "token that attends", all->height, scratch, err);
        scales[2] =
            write_places(file, encoders, "key", "token attended to", all->width, scratch, err);
        good = scales[1] >= 0 && scales[2] >= 0;
    }
    good = good && (!all->any_scores || write_matrices(file, scales, true, all, scratch, err)) &&
           (!all->any_weights || write_matrices(file, scales, false, all, scratch, err));
    for (int i = 0; i < 3; i++) {
        if (scales[i] >= 0 && H5Dclose(scales[i]) < 0) {
            good = hdf_error(err, "cannot finish the kept matrices");
        }
    }
    return good;
}

bool kept_write(hid_t file, struct chunk_encoders *encoders, const struct result_set *set,
                struct arena *scratch, struct error *err)
{
    struct gathered all;
    if (!gather(set, scratch, &all, err)) {
        return false;
    }
    double bytes = (double)all.count * (double)all.height * (double)all.width * sizeof(double) *
                   ((all.any_scores ? 1 : 0) + (all.any_weights ? 1 : 0));
    if (bytes > STORE_KEPT_MAX) {
        return error_set(err, ERROR_FILE,
                         "the kept matrices of %zu runs would take %.1f GiB, more than 2; keep "
                         "fewer matrices or those of fewer runs",
                         all.count, bytes / (STORE_KEPT_MAX / 2));
    }
    return all.count == 0 || write_gathered(file, encoders, &all, scratch, err);
}

/* The columns along kept_index, as read. */
struct described {
    size_t count;
    int64_t *index, *tokens, *has_scores, *has_weights, *words;
    struct kept **kept; /* of the rows */
    size_t texts_count;
    const char *const *texts;
};

static bool read_required(const struct column_source *from, const char *name, size_t count,
                          int64_t **values, struct arena *scratch, struct error *err)
{
    bool present;
    *values = arena_alloc(scratch, count, sizeof **values, err);
    return *values != NULL && column_read_integers(from, name, count, *values, &present, err) &&
           (present || error_set(err, ERROR_FILE, "the column '%s' is missing", name));
}

static bool read_described(const struct column_source *from, struct described *all,
                           struct arena *scratch, struct error *err)
{
    bool present;
    size_t count = all->count;
    return read_required(from, "kept_index", count, &all->index, scratch, err) &&
           read_required(from, "kept_tokens", count, &all->tokens, scratch, err) &&
           read_required(from, "kept_has_scores", count, &all->has_scores, scratch, err) &&
           read_required(from, "kept_has_weights", count, &all->has_weights, scratch, err) &&
           read_required(from, "kept_words_index", count, &all->words, scratch, err) &&
           column_read_table(from, "kept_words", &all->texts_count, &all->texts, &present, err) &&
           (present || error_set(err, ERROR_FILE, "the texts 'kept_words' are missing"));
}

/* Queries of a row whose kept tokens are known. */
static size_t queries_of(const struct result_block *block, size_t at, size_t tokens)
{
    struct result row = {.kept = {.tokens = tokens}};
    row.measurement.queries = block->cells[MEASURE_QUERIES][at].integer;
    return result_kept_queries(&row);
}

static bool place_one(const struct column_source *from, struct described *all, size_t at,
                      struct result_table *table, struct error *err)
{
    int64_t row = all->index[at];
    int64_t word = all->words[at];
    if (row < 0 || (size_t)row >= table->count || all->tokens[at] < 0 || word < -1 ||
        word >= (int64_t)all->texts_count) {
        return error_set(err, ERROR_FILE,
                         "the kept matrices name rows or texts that are not there");
    }
    struct kept *kept = arena_alloc(from->arena, 1, sizeof *kept, err);
    if (kept == NULL) {
        return false;
    }
    struct result_block *block = result_table_block(table, (size_t)row);
    size_t place = result_table_at((size_t)row);
    kept->tokens = (size_t)all->tokens[at];
    kept->queries = queries_of(block, place, kept->tokens);
    kept->words = word < 0 ? NULL : all->texts[word];
    block->kept[place] = kept;
    all->kept[at] = kept;
    return true;
}

static bool read_matrix(const struct column_source *from, hid_t dataset, size_t at,
                        const struct kept *kept, const double **matrix, struct error *err)
{
    const hsize_t start[3] = {at, 0, 0};
    const hsize_t size[3] = {1, kept->queries, kept->tokens};
    double *values = arena_alloc(from->arena, kept->queries * kept->tokens, sizeof *values, err);
    *matrix = values;
    if (values == NULL || kept->queries * kept->tokens == 0) {
        return values != NULL;
    }
    hid_t space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(3, size, NULL);
    bool good = space >= 0 && memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                hdf_read(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
    good = good || hdf_error(err, "cannot read the kept matrices");
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static bool read_matrices(const struct column_source *from, bool scores,
                          const struct described *all, struct error *err)
{
    const char *name = scores ? "kept_scores" : "kept_weights";
    const int64_t *wanted = scores ? all->has_scores : all->has_weights;
    hsize_t size[3] = {0};
    bool present;
    hid_t dataset = column_open(from, name, 3, H5T_FLOAT, size, &present, err);
    if (dataset < 0 && present) {
        return false;
    }
    bool good = dataset < 0 || size[0] == all->count;
    for (size_t at = 0; good && at < all->count; at++) {
        struct kept *kept = all->kept[at];
        if (wanted[at] != 0) {
            good =
                dataset >= 0 && kept->queries <= size[1] && kept->tokens <= size[2] &&
                read_matrix(from, dataset, at, kept, scores ? &kept->scores : &kept->weights, err);
        }
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    return good ||
           error_set(err, ERROR_FILE, "'%s' does not fit the columns that describe it", name);
}

bool kept_read(const struct column_source *from, struct result_table *table, struct error *err)
{
    if (H5Lexists(from->file, "kept_index", H5P_DEFAULT) == 0) {
        return true;
    }
    struct arena scratch = {NULL};
    struct described all = {0};
    bool good = column_read_length(from, "kept_index", &all.count, err) &&
                read_described(from, &all, &scratch, err);
    all.kept = good ? arena_alloc(&scratch, all.count, sizeof(struct kept *), err) : NULL;
    good = all.kept != NULL;
    for (size_t at = 0; good && at < all.count; at++) {
        good = place_one(from, &all, at, table, err);
    }
    good = good && read_matrices(from, true, &all, err) && read_matrices(from, false, &all, err);
    arena_release(&scratch);
    return good;
}
