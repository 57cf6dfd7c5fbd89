/* SPDX-License-Identifier: MIT */
/* Products in tiles that stay in registers; see product.h. This file may contract a * b + c
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
/* Rows of b so long lie far apart in memory: it pays to pack them, but for a few rows of a. */
#define PACKED_COLUMNS ((size_t)256)
#define UNPACKED_ROWS ((size_t)32)
/* Rows of a at a time: they and their sums stay in the second cache while panels go by. */
#define ROWS_AT_ONCE ((size_t)256)
/* Rows of a so long stand in each other's way in the caches, and are copied for so many columns. */
#define COPIED_STEPS ((size_t)384)
#define COPIED_COLUMNS ((size_t)48)
/* From one copied row to the next: no power of two. */
#define COPY_STRIDE (DEPTH + LANES)

/* c = a (b - 1 originᵀ), m at least 1; added to c where the sums have begun. */
struct product {
    size_t n, m, k;
    const double *a, *b;
    size_t stride; /* from row to row of a */
    bool begun;
    bool strips;          /* b is strips, and origin NULL */
    const double *origin; /* or NULL */
    double *c;
    double *squares; /* the same product of the squares of a, or NULL */
    size_t apart;    /* from row to row of c and squares */
    double *copy; /* room for ROWS_AT_ONCE copied rows, or NULL: rows of a are taken as they are */
};

/* Some steps of the inner index for some columns. */
struct panel {
    size_t depth, width; /* width: columns that count */
    const double *b;
    size_t stride, apart; /* from step to step, and from one vector of columns to the next */
    bool first;           /* the sums start here */
    const double *next;   /* steps of the panel that follows; or NULL */
    size_t next_stride, next_apart; /* as in b */
};

/* Rows of a, as they are or copied, and where their sums are. */
struct rows {
    size_t count;
    const double *a;
    size_t stride;
    double *c;
};

/* Some rows and steps. */
struct block {
    size_t row, step, depth;
    struct rows rows[2]; /* and of squares */
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

PART_OF_TARGETS void add_tile(enum processor_level level, size_t rows, size_t vectors,
                              const struct panel *panel, const double *a, size_t a_stride,
                              double *c, size_t c_stride)
{
    size_t width = vectors * LANES;
    if (level == PROCESSOR_AVX512) {
        add_tile_of_8(rows, width, panel, a, a_stride, c, c_stride);
    } else if (level == PROCESSOR_AVX2) {
        add_tile_of_4(rows, width, panel, a, a_stride, c, c_stride);
    } else {
        add_tile_of_2(rows, width, panel, a, a_stride, c, c_stride);
    }
}

/* The same for a panel narrower than its vectors: by way of a tile of full width. */
PART_OF_TARGETS void add_narrow_tile(enum processor_level level, size_t rows, size_t vectors,
                                     const struct panel *panel, const double *a, size_t a_stride,
                                     double *c, size_t c_stride)
{
    lanes wide[ROWS_MAX * VECTORS_MAX];
    for (size_t r = 0; r < rows && !panel->first; r++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes_load(lanes_left(panel->width, v), c + r * c_stride + v * LANES,
                       &wide[r * vectors + v]);
        }
    }
    add_tile(level, rows, vectors, panel, a, a_stride, (double *)wide, vectors * LANES);
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes_store(lanes_left(panel->width, v), &wide[r * vectors + v],
                        c + r * c_stride + v * LANES);
        }
    }
}

PART_OF_TARGETS void add_rows(enum processor_level level, size_t count, size_t vectors,
                              const struct product *product, const struct panel *panel,
                              const struct rows *rows, size_t i)
{
    const double *a = rows->a + i * rows->stride;
    double *c = rows->c + i * product->apart;
    if (panel->width == vectors * LANES) {
        add_tile(level, count, vectors, panel, a, rows->stride, c, product->apart);
    } else {
        add_narrow_tile(level, count, vectors, panel, a, rows->stride, c, product->apart);
    }
}

/* Brings the next panel nearer: the part of it that falls to ROWS_MAX rows from i on. */
PART_OF_TARGETS void fetch_next(size_t vectors, const struct panel *panel, size_t i, size_t count)
{
    size_t end = panel->depth * (i + ROWS_MAX) / count;
    for (size_t l = panel->depth * i / count; l < end && l < panel->depth; l++) {
        for (size_t v = 0; v < vectors; v++) {
            __builtin_prefetch(panel->next + l * panel->next_stride + v * panel->next_apart, 0, 2);
        }
    }
}

/* All rows for one panel. */
PART_OF_TARGETS void add_panel(enum processor_level level, size_t vectors,
                               const struct product *product, const struct panel *panel,
                               const struct rows *rows)
{
    size_t most = rows_of(level);
    size_t i = 0;
    for (; i + most <= rows->count; i += most) {
        if (panel->next != NULL) {
            fetch_next(vectors, panel, i, rows->count);
        }
        add_rows(level, most, vectors, product, panel, rows, i);
    }
    for (; most > 4 && i + 4 <= rows->count; i += 4) {
        add_rows(level, 4, vectors, product, panel, rows, i);
    }
    for (; most > 2 && i + 2 <= rows->count; i += 2) {
        add_rows(level, 2, vectors, product, panel, rows, i);
    }
    for (; i < rows->count; i++) {
        add_rows(level, 1, vectors, product, panel, rows, i);
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

/* Packs a panel of `vectors` vectors, less the origin; whole ones are read of the first rows. */
PART_OF_TARGETS void pack(size_t vectors, const struct product *product, const struct panel *panel,
                          size_t column, size_t whole, double *packed)
{
    lanes origin[VECTORS_MAX];
    for (size_t v = 0; v < vectors; v++) {
        origin[v] = (lanes){0};
        if (product->origin != NULL) {
            lanes_load(lanes_left(panel->width, v), product->origin + column + v * LANES,
                       &origin[v]);
        }
    }
    for (size_t l = 0; l < whole; l++) {
        for (size_t v = 0; v < vectors; v++) {
            const lanes *value = (const lanes *)(panel->b + l * panel->stride + v * LANES);
            *(lanes *)(packed + (l * vectors + v) * LANES) = *value - origin[v];
        }
    }
    for (size_t l = whole; l < panel->depth; l++) {
        for (size_t v = 0; v < vectors; v++) {
            lanes value;
            lanes_load(lanes_left(panel->width, v), panel->b + l * panel->stride + v * LANES,
                       &value);
            *(lanes *)(packed + (l * vectors + v) * LANES) = value - origin[v];
        }
    }
}

/* Some columns of a block's steps: as they are in strips or in b, or packed. */
PART_OF_TARGETS void make_panel(size_t vectors, const struct product *product,
                                const struct block *block, size_t column, double *packed,
                                struct panel *panel)
{
    size_t width = vectors * LANES;
    size_t rest = product->k - column;
    *panel = (struct panel){.depth = block->depth,
                            .width = rest < width ? rest : width,
                            .b = product->b + block->step * product->k + column,
                            .stride = product->k,
                            .apart = LANES,
                            .first = block->step == 0 && !product->begun};
    if (product->strips) {
        panel->b = product->b + column * product->m + block->step * LANES;
        panel->stride = LANES;
        panel->apart = product->m * LANES;
        panel->next = rest > width ? panel->b + vectors * panel->apart : NULL;
        panel->next_stride = LANES;
        panel->next_apart = panel->apart;
        return;
    }
    size_t whole = readable_rows(product, block->step, block->depth, column, width);
    if (product->origin == NULL && (product->k < PACKED_COLUMNS || product->n <= UNPACKED_ROWS) &&
        whole == block->depth) {
        return;
    }
    panel->next = rest >= 2 * width ? panel->b + width : NULL;
    panel->next_stride = product->k;
    panel->next_apart = LANES;
    pack(vectors, product, panel, column, whole, packed);
    panel->b = packed;
    panel->stride = width;
}

/* Some columns of a block: its rows, and where they are squared those of their squares. */
PART_OF_TARGETS void add_columns(enum processor_level level, size_t vectors,
                                 const struct product *product, const struct block *block,
                                 size_t column)
{
    double packed[DEPTH * WIDTH_MAX];
    struct panel panel;
    make_panel(vectors, product, block, column, packed, &panel);
    for (int half = 0; half < (product->squares == NULL ? 1 : 2); half++) {
        struct rows rows = block->rows[half];
        rows.c += column;
        add_panel(level, vectors, product, &panel, &rows);
    }
}

/* Copies the rows of a block to where they do not stand in each other's way in the caches, and
 * squares them where that is asked for. */
PART_OF_TARGETS void copy_rows(const struct product *product, struct block *block)
{
    size_t count = block->rows[0].count;
    double *copy = product->copy;
    double *squares = copy + count * COPY_STRIDE;
    for (size_t i = 0; i < count; i++) {
        const double *from = block->rows[0].a + i * product->stride;
        memcpy(copy + i * COPY_STRIDE, from, block->depth * sizeof *copy);
        for (size_t l = 0; product->squares != NULL && l < block->depth; l++) {
            squares[i * COPY_STRIDE + l] = from[l] * from[l];
        }
    }
    block->rows[0].a = copy;
    block->rows[0].stride = COPY_STRIDE;
    if (product->squares != NULL) {
        block->rows[1] = (struct rows){count, squares, COPY_STRIDE,
                                       product->squares + block->row * product->apart};
    }
}

PART_OF_TARGETS void multiply_rows(enum processor_level level, const struct product *product,
                                   size_t row, size_t count)
{
    size_t vectors = vectors_of(level);
    for (size_t step = 0; step < product->m; step += DEPTH) {
        size_t rest = product->m - step;
        struct block block = {.row = row, .step = step, .depth = rest < DEPTH ? rest : DEPTH};
        block.rows[0] = (struct rows){count, product->a + row * product->stride + step,
                                      product->stride, product->c + row * product->apart};
        if (product->copy != NULL) {
            copy_rows(product, &block);
        }
        for (size_t column = 0; column < product->k; column += vectors * LANES) {
            if (vectors > 1 && product->k - column <= LANES) {
                add_columns(level, 1, product, &block, column);
            } else {
                add_columns(level, vectors, product, &block, column);
            }
        }
    }
}

PART_OF_TARGETS void add_products(enum processor_level level, const struct product *product)
{
    size_t at_once = product->squares == NULL ? ROWS_AT_ONCE : ROWS_AT_ONCE / 2;
    for (size_t row = 0; row < product->n; row += at_once) {
        size_t rest = product->n - row;
        multiply_rows(level, product, row, rest < at_once ? rest : at_once);
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

/* Apart, as so large a frame takes longer to set up than a small product to make. */
__attribute__((noinline)) static void multiply_copied(struct product product)
{
    double copy[ROWS_AT_ONCE * COPY_STRIDE];
    product.copy = copy;
    multiply(&product);
}

static void choose(const struct product *product)
{
    if (product->m == 0 && !product->begun) {
        for (size_t i = 0; i < product->n; i++) {
            memset(product->c + i * product->apart, 0, product->k * sizeof *product->c);
            if (product->squares != NULL) {
                memset(product->squares + i * product->apart, 0,
                       product->k * sizeof *product->squares);
            }
        }
        return;
    }
    if (product->squares != NULL ||
        (product->stride >= COPIED_STEPS && product->k >= COPIED_COLUMNS)) {
        multiply_copied(*product);
    } else {
        multiply(product);
    }
}

void product_multiply(size_t n, size_t m, size_t k, const double *a, const double *b, double *c)
{
    product_continue(n, &(struct product_steps){0, m, m}, k, a, b, c);
}

void product_continue(size_t n, const struct product_steps *steps, size_t k, const double *a,
                      const double *b, double *c)
{
    struct product product = {.n = n,
                              .m = steps->end - steps->begin,
                              .k = k,
                              .a = a + steps->begin,
                              .b = b + steps->begin * k,
                              .stride = steps->all,
                              .begun = steps->begin > 0,
                              .apart = k};
    product.c = c;
    choose(&product);
}

void product_multiply_both(size_t n, size_t m, size_t k, const double *a, const double *b,
                           const double *origin, double *c, double *squares)
{
    struct product product = {
        .n = n, .m = m, .k = k, .a = a, .b = b, .stride = m, .origin = origin, .apart = k};
    product.c = c;
    product.squares = squares;
    choose(&product);
}

void product_multiply_strips(size_t n, size_t m, size_t k, const double *a, const double *strips,
                             double *c, size_t apart)
{
    struct product product = {
        .n = n, .m = m, .k = k, .a = a, .b = strips, .strips = true, .stride = m, .apart = apart};
    product.c = c;
    choose(&product);
}

void product_add_strips(size_t n, size_t m, size_t k, const double *a, size_t a_apart,
                        const double *strips, double *c, size_t apart)
{
    struct product product = {.n = n,
                              .m = m,
                              .k = k,
                              .a = a,
                              .b = strips,
                              .strips = true,
                              .stride = a_apart,
                              .begun = true,
                              .apart = apart};
    product.c = c;
    choose(&product);
}

size_t product_strips_size(size_t m, size_t k)
{
    return (k + LANES - 1) / LANES * LANES * m;
}

void product_make_strips(size_t k, size_t m, const double *rows, double *strips)
{
    for (size_t first = 0; first < k; first += LANES) {
        double *strip = strips + first * m;
        size_t width = k - first < LANES ? k - first : LANES;
        for (size_t l = 0; l < m; l++) {
            for (size_t j = 0; j < width; j++) {
                strip[l * LANES + j] = rows[(first + j) * m + l];
            }
            for (size_t j = width; j < LANES; j++) {
                strip[l * LANES + j] = 0;
            }
        }
    }
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
