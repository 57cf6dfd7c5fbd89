/* SPDX-License-Identifier: MIT */
/* Products in tiles that stay in registers; see product.h. This file alone may contract a * b + c
 * to a fused multiply-add (cmake/rooms.cmake): every sum has one order, so that there is only one
 * way to contract it. */
#include "numeric/product.h"

#include "numeric/lanes.h"

#include <stdbool.h>
#include <string.h>

#define ROWS_MAX ((size_t)8)
#define VECTORS_MAX ((size_t)2)
#define WIDTH_MAX (VECTORS_MAX * LANES)
/* Steps of the inner index at a time: a packed panel of b then stays in the first cache, and a
 * block of all its columns in the second. */
#define DEPTH ((size_t)192)
/* Rows of b so long lie far apart in memory: it pays to pack them. */
#define PACKED_COLUMNS ((size_t)256)

/* c = a (b - 1 originᵀ), m at least 1. */
struct product {
    size_t n, m, k;
    const double *a, *b;
    const double *origin; /* or NULL */
    double *c;
};

/* Some steps of the inner index for some columns. */
struct panel {
    size_t depth, width; /* width: columns that count */
    const double *b;
    size_t stride;
    bool first; /* the sums start here */
};

/* What is left of `count` numbers for vector v of a row, and those behind it. */
PART_OF_TARGETS size_t lanes_left(size_t count, size_t v)
{
    return count > v * LANES ? count - v * LANES : 0;
}

#define TILE add_tile_of_8
#define TILE_WIDTH 8
#include "numeric/product_tile.h"

#define TILE add_tile_of_4
#define TILE_WIDTH 4
#include "numeric/product_tile.h"

#define TILE add_tile_of_2
#define TILE_WIDTH 2
#include "numeric/product_tile.h"

/* A level's vectors and as many sums as it has registers for. `level` is a constant wherever these
 * are called. */
PART_OF_TARGETS size_t rows_of(enum processor_level level)
{
    return level == PROCESSOR_AVX512 ? 8 : level == PROCESSOR_AVX2 ? 6 : 2;
}

PART_OF_TARGETS size_t vectors_of(enum processor_level level)
{
    return level == PROCESSOR_AVX512 ? 2 : 1;
}

PART_OF_TARGETS void add_tile(enum processor_level level, size_t rows, const struct panel *panel,
                              const double *a, size_t a_stride, double *c, size_t c_stride)
{
    size_t width = vectors_of(level) * LANES;
    if (level == PROCESSOR_AVX512) {
        add_tile_of_8(rows, width, panel, a, a_stride, c, c_stride);
    } else if (level == PROCESSOR_AVX2) {
        add_tile_of_4(rows, width, panel, a, a_stride, c, c_stride);
    } else {
        add_tile_of_2(rows, width, panel, a, a_stride, c, c_stride);
    }
}

/* The same for a panel narrower than its vectors: by way of a tile of full width. */
PART_OF_TARGETS void add_narrow_tile(enum processor_level level, size_t rows,
                                     const struct panel *panel, const double *a, size_t a_stride,
                                     double *c, size_t c_stride)
{
    size_t vectors = vectors_of(level);
    lanes wide[ROWS_MAX * VECTORS_MAX];
    for (size_t r = 0; r < rows && !panel->first; r++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes_load(lanes_left(panel->width, v), c + r * c_stride + v * LANES,
                       &wide[r * vectors + v]);
        }
    }
    add_tile(level, rows, panel, a, a_stride, (double *)wide, vectors * LANES);
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes_store(lanes_left(panel->width, v), &wide[r * vectors + v],
                        c + r * c_stride + v * LANES);
        }
    }
}

PART_OF_TARGETS void add_rows(enum processor_level level, size_t rows,
                              const struct product *product, const struct panel *panel,
                              const double *a, double *c)
{
    if (panel->width == vectors_of(level) * LANES) {
        add_tile(level, rows, panel, a, product->m, c, product->k);
    } else {
        add_narrow_tile(level, rows, panel, a, product->m, c, product->k);
    }
}

/* All rows for one panel. */
PART_OF_TARGETS void add_panel(enum processor_level level, const struct product *product,
                               const struct panel *panel, const double *a, double *c)
{
    size_t most = rows_of(level);
    size_t i = 0;
    for (; i + most <= product->n; i += most) {
        add_rows(level, most, product, panel, a + i * product->m, c + i * product->k);
    }
    for (; most > 4 && i + 4 <= product->n; i += 4) {
        add_rows(level, 4, product, panel, a + i * product->m, c + i * product->k);
    }
    for (; most > 2 && i + 2 <= product->n; i += 2) {
        add_rows(level, 2, product, panel, a + i * product->m, c + i * product->k);
    }
    for (; i < product->n; i++) {
        add_rows(level, 1, product, panel, a + i * product->m, c + i * product->k);
    }
}

/* A panel of `vectors` vectors, less the origin, zeros behind its last column. */
PART_OF_TARGETS void pack(size_t vectors, const struct product *product, const struct panel *panel,
                          size_t column, double *packed)
{
    lanes origin[VECTORS_MAX];
    for (size_t v = 0; v < vectors; v++) {
        origin[v] = (lanes){0};
        if (product->origin != NULL) {
            lanes_load(lanes_left(panel->width, v), product->origin + column + v * LANES,
                       &origin[v]);
        }
    }
    for (size_t l = 0; l < panel->depth; l++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes value;
            lanes_load(lanes_left(panel->width, v), panel->b + l * panel->stride + v * LANES,
                       &value);
            *(lanes *)(packed + (l * vectors + v) * LANES) = value - origin[v];
        }
    }
}

/* Of `depth` rows of b from `step` on, those of which a panel of this width can be read without
 * leaving b. Behind its own columns it then holds others, which come to nothing. */
PART_OF_TARGETS size_t readable_rows(const struct product *product, size_t step, size_t depth,
                                     size_t column, size_t width)
{
    size_t numbers = product->m * product->k;
    if (column + width > numbers) {
        return 0;
    }
    size_t end = (numbers - column - width) / product->k + 1;
    size_t rows = end > step ? end - step : 0;
    return rows < depth ? rows : depth;
}

/* The rows of a panel, as they are or packed. */
PART_OF_TARGETS void add_part(enum processor_level level, const struct product *product,
                              size_t step, size_t depth, size_t column, bool packs)
{
    double packed[DEPTH * WIDTH_MAX];
    size_t vectors = vectors_of(level);
    size_t width = vectors * LANES;
    size_t rest = product->k - column;
    struct panel panel = {depth, rest < width ? rest : width,
                          product->b + step * product->k + column, product->k, step == 0};
    if (packs) {
        pack(vectors, product, &panel, column, packed);
        panel.b = packed;
        panel.stride = width;
    }
    add_panel(level, product, &panel, product->a + step, product->c + column);
}

PART_OF_TARGETS void add_products(enum processor_level level, const struct product *product)
{
    size_t width = vectors_of(level) * LANES;
    bool packs = product->origin != NULL || product->k >= PACKED_COLUMNS;
    for (size_t step = 0; step < product->m; step += DEPTH) {
        size_t depth = product->m - step < DEPTH ? product->m - step : DEPTH;
        for (size_t column = 0; column < product->k; column += width) {
            size_t plain = packs ? 0 : readable_rows(product, step, depth, column, width);
            if (plain > 0) {
                add_part(level, product, step, plain, column, false);
            }
            if (plain < depth) {
                add_part(level, product, step + plain, depth - plain, column, true);
            }
        }
    }
}

#ifdef MANY_PROCESSORS
TARGET_AVX512 static void multiply_avx512(const struct product *product)
{
    add_products(PROCESSOR_AVX512, product);
}

TARGET_AVX2 static void multiply_avx2(const struct product *product)
{
    add_products(PROCESSOR_AVX2, product);
}
#endif

static void multiply_plain(const struct product *product)
{
    add_products(PROCESSOR_PLAIN, product);
}

PICK_TARGET_VOID(multiply, (const struct product *product), (product))

static void choose(const struct product *product)
{
    if (product->m == 0) {
        memset(product->c, 0, product->n * product->k * sizeof *product->c);
        return;
    }
    multiply(product);
}

void product_multiply(size_t n, size_t m, size_t k, const double *a, const double *b, double *c)
{
    product_multiply_from(n, m, k, a, b, NULL, c);
}

void product_multiply_from(size_t n, size_t m, size_t k, const double *a, const double *b,
                           const double *origin, double *c)
{
    struct product product = {n, m, k, a, b, origin, NULL};
    product.c = c;
    choose(&product);
}

void product_transpose(size_t rows, size_t columns, const double *in, double *out)
{
    for (size_t first = 0; first < rows; first += LANES) {
        size_t end = first + LANES < rows ? first + LANES : rows;
        for (size_t j = 0; j < columns; j++) {
            for (size_t i = first; i < end; i++) {
                out[j * rows + i] = in[i * columns + j];
            }
        }
    }
}
