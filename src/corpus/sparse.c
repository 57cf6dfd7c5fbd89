/* SPDX-License-Identifier: MIT */
/* Sparse products; see sparse.h. An addition has to wait for the one before it in its row, so that
 * several rows are summed side by side: eight of a copy that is made for it, or else four. */
#include "corpus/sparse.h"

#include <string.h>

#define SIDE_BY_SIDE ((size_t)4)
/* A part with fewer entries is not worth a hand. */
#define ENTRIES_A_PART ((size_t)1 << 16)
#define MOST_PARTS ((size_t)64)

/* Sorts the rows by falling length. `place` is room for order + 1 numbers. */
static void sort_rows(const struct cooccurrence *matrix, size_t *place, uint32_t *rows)
{
    size_t order = matrix->order;
    for (size_t row = 0; row < order; row++) {
        place[order - sparse_row_length(matrix, row)]++;
    }
    size_t before = 0;
    for (size_t i = 0; i <= order; i++) {
        size_t count = place[i];
        place[i] = before;
        before += count;
    }
    for (size_t row = 0; row < order; row++) {
        rows[place[order - sparse_row_length(matrix, row)]++] = (uint32_t)row;
    }
}

bool sparse_make(const struct cooccurrence *matrix, struct crew *crew, struct arena *arena,
                 struct sparse *out, struct error *err)
{
    size_t order = matrix->order;
    size_t entries = matrix->row_start[order];
    size_t parts = entries / ENTRIES_A_PART + 1;
    parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    parts = crew == NULL || crew->hands == 1 ? 1 : parts;
    size_t *place = arena_alloc(arena, order + 1, sizeof *place, err);
    uint32_t *rows = arena_alloc(arena, order, sizeof *rows, err);
    size_t *first = arena_alloc(arena, parts + 1, sizeof *first, err);
    if (place == NULL || rows == NULL || first == NULL) {
        return false;
    }
    sort_rows(matrix, place, rows);
    size_t part = 0;
    size_t before = 0;
    for (size_t i = 0; i < order; i++) {
        if (part < parts && before >= entries / parts * part && i % SPARSE_GROUP == 0) {
            first[part++] = i;
        }
        before += sparse_row_length(matrix, rows[i]);
    }
    first[part] = order;
    *out = (struct sparse){
        .matrix = matrix, .crew = crew, .rows = rows, .part_count = part, .part_first = first};
    return sparse_groups_make(matrix, rows, arena, &out->groups, err);
}

/* Goes on with one row's sum. */
static double add_rest(const struct cooccurrence *matrix, size_t first, size_t end, const double *x,
                       double sum)
{
    for (size_t e = first; e < end; e++) {
        sum += matrix->count[e] * x[matrix->column[e]];
    }
    return sum;
}

/* Four rows, none longer than the one before it. */
static void multiply_rows(const struct cooccurrence *matrix, const uint32_t *rows,
                          const double *restrict x, double *restrict y)
{
    const size_t *start = matrix->row_start;
    size_t common = sparse_row_length(matrix, rows[3]);
    const double *a = matrix->count + start[rows[0]];
    const double *b = matrix->count + start[rows[1]];
    const double *c = matrix->count + start[rows[2]];
    const double *d = matrix->count + start[rows[3]];
    const uint32_t *a_column = matrix->column + start[rows[0]];
    const uint32_t *b_column = matrix->column + start[rows[1]];
    const uint32_t *c_column = matrix->column + start[rows[2]];
    const uint32_t *d_column = matrix->column + start[rows[3]];
    double sums[SIDE_BY_SIDE] = {0};
    for (size_t e = 0; e < common; e++) {
        sums[0] += a[e] * x[a_column[e]];
        sums[1] += b[e] * x[b_column[e]];
        sums[2] += c[e] * x[c_column[e]];
        sums[3] += d[e] * x[d_column[e]];
    }
    for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
        size_t row = rows[i];
        y[row] = add_rest(matrix, start[row] + common, start[row + 1], x, sums[i]);
    }
}

struct product {
    const struct sparse *sparse;
    const double *x;
    double *y;
};

static void multiply_grouped(const struct product *product, size_t i, size_t end)
{
    const struct sparse *sparse = product->sparse;
    for (; i < end; i += SPARSE_GROUP) {
        double sums[SPARSE_GROUP];
        sparse_groups_multiply(&sparse->groups, i / SPARSE_GROUP, product->x, sums);
        for (size_t side = 0; side < SPARSE_GROUP && i + side < end; side++) {
            product->y[sparse->rows[i + side]] = sums[side];
        }
    }
}

static void multiply_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct product *product = task;
    const struct sparse *sparse = product->sparse;
    const struct cooccurrence *matrix = sparse->matrix;
    size_t i = sparse->part_first[part];
    size_t end = sparse->part_first[part + 1];
    if (sparse->groups.count > 0) {
        multiply_grouped(product, i, end);
        return;
    }
    for (; i + SIDE_BY_SIDE <= end; i += SIDE_BY_SIDE) {
        multiply_rows(matrix, sparse->rows + i, product->x, product->y);
    }
    for (; i < end; i++) {
        size_t row = sparse->rows[i];
        product->y[row] =
            add_rest(matrix, matrix->row_start[row], matrix->row_start[row + 1], product->x, 0);
    }
}

void sparse_multiply(const struct sparse *sparse, const double *x, double *y)
{
    struct product product = {.sparse = sparse, .x = x};
    product.y = y;
    crew_work(sparse->crew, sparse->part_count, multiply_part, &product);
}

bool sparse_transpose(const struct cooccurrence *matrix, struct arena *arena,
                      struct cooccurrence *out, struct error *err)
{
    size_t order = matrix->order;
    size_t entries = matrix->row_start[order];
    size_t *start = arena_alloc(arena, order + 2, sizeof *start, err);
    uint32_t *column = arena_alloc(arena, entries, sizeof *column, err);
    double *count = arena_alloc(arena, entries, sizeof *count, err);
    if (start == NULL || column == NULL || count == NULL) {
        return false;
    }
    /* While entries are put, row r goes on at start[r + 1], which so ends as its end. */
    for (size_t e = 0; e < entries; e++) {
        start[matrix->column[e] + 2]++;
    }
    for (size_t row = 2; row <= order; row++) {
        start[row] += start[row - 1];
    }
    for (size_t row = 0; row < order; row++) {
        for (size_t e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++) {
            size_t at = start[matrix->column[e] + 1]++;
            column[at] = (uint32_t)row;
            count[at] = matrix->count[e];
        }
    }
    *out = (struct cooccurrence){order, start, column, count};
    return true;
}
