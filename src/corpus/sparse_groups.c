/* SPDX-License-Identifier: MIT */
/* Products of rows that stand eight side by side; see sparse_groups.h. */
#include "corpus/sparse_groups.h"

#include "base/clones.h"

#include <string.h>
#ifdef MANY_PROCESSORS
#include <immintrin.h>
#endif

/* What is held beside the matrix is for those of up to 170 MB. */
#define ENTRIES_MAX ((size_t)1 << 24)

/* Where groups start, and behind the last; each is as long as its first row. */
static size_t *find_starts(const struct cooccurrence *matrix, const uint32_t *rows,
                           struct arena *arena, struct error *err)
{
    size_t count = (matrix->order + SPARSE_GROUP - 1) / SPARSE_GROUP;
    size_t *start = arena_alloc(arena, count + 1, sizeof *start, err);
    for (size_t g = 0; start != NULL && g < count; g++) {
        start[g + 1] = start[g] + sparse_row_length(matrix, rows[g * SPARSE_GROUP]);
    }
    return start;
}

/* One row to its place of the eight. */
static void place_row(const struct cooccurrence *matrix, size_t row, double *value,
                      uint16_t *column)
{
    for (size_t e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++) {
        *value = matrix->count[e];
        *column = (uint16_t)matrix->column[e];
        value += SPARSE_GROUP;
        column += SPARSE_GROUP;
    }
}

bool sparse_groups_make(const struct cooccurrence *matrix, const uint32_t *rows,
                        struct arena *arena, struct sparse_groups *out, struct error *err)
{
    size_t order = matrix->order;
    *out = (struct sparse_groups){0, NULL, NULL, NULL};
    if (order > (size_t)UINT16_MAX + 1) {
        return true;
    }
    size_t count = (order + SPARSE_GROUP - 1) / SPARSE_GROUP;
    size_t *start = find_starts(matrix, rows, arena, err);
    if (start == NULL || start[count] * SPARSE_GROUP > ENTRIES_MAX) {
        return start != NULL;
    }
    double *value = arena_alloc(arena, start[count] * SPARSE_GROUP, sizeof *value, err);
    uint16_t *column = arena_alloc(arena, start[count] * SPARSE_GROUP, sizeof *column, err);
    if (value == NULL || column == NULL) {
        return false;
    }
    for (size_t i = 0; i < order; i++) {
        size_t first = start[i / SPARSE_GROUP] * SPARSE_GROUP + i % SPARSE_GROUP;
        place_row(matrix, rows[i], value + first, column + first);
    }
    *out = (struct sparse_groups){count, start, value, column};
    return true;
}

static void sum_group_plain(size_t length, const double *value, const uint16_t *column,
                            const double *x, double sums[SPARSE_GROUP])
{
    double own[SPARSE_GROUP] = {0};
    for (size_t e = 0; e < length * SPARSE_GROUP; e += SPARSE_GROUP) {
        for (size_t i = 0; i < SPARSE_GROUP; i++) {
            own[i] += value[e + i] * x[column[e + i]];
        }
    }
    memcpy(sums, own, sizeof own);
}

#ifdef MANY_PROCESSORS
/* Four by an instruction are no faster where there is no AVX-512. */
static void sum_group_avx2(size_t length, const double *value, const uint16_t *column,
                           const double *x, double sums[SPARSE_GROUP])
{
    sum_group_plain(length, value, column, x, sums);
}

/* Without optimisation GCC's gather is a macro that turns a mask of its own into a char. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
TARGET_AVX512 static void sum_group_avx512(size_t length, const double *value,
                                           const uint16_t *column, const double *x,
                                           double sums[SPARSE_GROUP])
{
    __m512d own = _mm512_setzero_pd();
    for (size_t e = 0; e < length * SPARSE_GROUP; e += SPARSE_GROUP) {
        __m256i places = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(column + e)));
        __m512d product =
            _mm512_mul_pd(_mm512_loadu_pd(value + e), _mm512_i32gather_pd(places, x, 8));
        own = _mm512_add_pd(own, product);
    }
    _mm512_storeu_pd(sums, own);
}
#pragma GCC diagnostic pop
#endif

PICK_TARGET_VOID(sum_group,
                 (size_t length, const double *value, const uint16_t *column, const double *x,
                  double sums[SPARSE_GROUP]),
                 (length, value, column, x, sums))

void sparse_groups_multiply(const struct sparse_groups *groups, size_t g, const double *x,
                            double sums[SPARSE_GROUP])
{
    size_t first = groups->start[g] * SPARSE_GROUP;
    sum_group(groups->start[g + 1] - groups->start[g], groups->value + first,
              groups->column + first, x, sums);
}
