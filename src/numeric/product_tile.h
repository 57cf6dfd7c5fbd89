/* SPDX-License-Identifier: MIT */
/* A tile of product.c in vectors of one size. No guard: product.c includes this once for each size
 * that processors have, with TILE the name of the function and TILE_WIDTH the numbers in a vector.
 * A vector wider than the processor's would not stay in registers. */

/* c (rows, width) += a (rows, depth) times the panel; or = where the sums start. rows and width are
 * constants where this is called, so that the sums are registers. */
PART_OF_TARGETS void TILE(size_t rows, size_t width, const struct panel *panel, const double *a,
                          size_t a_stride, double *c, size_t c_stride)
{
    typedef double vector __attribute__((vector_size(8 * TILE_WIDTH), aligned(8)));
    vector sums[ROWS_MAX][WIDTH_MAX / TILE_WIDTH];
    const double *b = panel->b;
    size_t depth = panel->depth;
    size_t stride = panel->stride;
    size_t apart = panel->apart;
    size_t vectors = width / TILE_WIDTH;
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++) {
            sums[r][v] =
                panel->first ? (vector){0} : *(const vector *)(c + r * c_stride + v * TILE_WIDTH);
        }
    }
    for (size_t l = 0; l < depth; l++) {
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 4
            for (size_t v = 0; v < vectors; v++) {
                size_t place = v * TILE_WIDTH / LANES * apart + v * TILE_WIDTH % LANES;
                sums[r][v] += a[r * a_stride + l] * *(const vector *)(b + l * stride + place);
            }
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; v++) {
            *(vector *)(c + r * c_stride + v * TILE_WIDTH) = sums[r][v];
        }
    }
}

#undef TILE
#undef TILE_WIDTH
