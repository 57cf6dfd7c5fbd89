/* SPDX-License-Identifier: MIT */
/* Numbers by address. Element (row, column) of stream s is half `column % 2` of the Philox block
 * with key = seed and counter = (column / 2, row, s, 0): a block holds 128 bits, which are two
 * uniforms of 53 bits and so two normals. */
#include "base/random.h"

#include <Random123/philox.h>
#include <math.h>

#define PI 3.14159265358979323846
#define TWO_TO_MINUS_53 0x1p-53

struct uniform_pair {
    double first, second; /* first in (0, 1], so that its logarithm is finite; second in [0, 1) */
};

static struct uniform_pair uniform_pair(uint64_t seed, uint32_t stream, uint32_t row,
                                        uint32_t block)
{
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t counter = {{block, row, stream, 0}};
    philox4x32_ctr_t bits = philox4x32(counter, key);
    uint64_t a = (uint64_t)bits.v[1] << 32 | bits.v[0];
    uint64_t b = (uint64_t)bits.v[3] << 32 | bits.v[2];
    struct uniform_pair pair = {(double)((a >> 11) + 1) * TWO_TO_MINUS_53,
                                (double)(b >> 11) * TWO_TO_MINUS_53};
    return pair;
}

void random_normals(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                    size_t count, double *out)
{
    size_t done = 0;
    while (done < count) {
        uint32_t at = column + (uint32_t)done;
        struct uniform_pair u = uniform_pair(seed, (uint32_t)stream, row, at / 2);
        double radius = sqrt(-2 * log(u.first));
        double angle = 2 * PI * u.second;
        if (at % 2 == 0) {
            out[done++] = radius * cos(angle);
        }
        if (done < count) {
            out[done++] = radius * sin(angle);
        }
    }
}

void random_normal_matrix(uint64_t seed, enum random_stream stream, size_t rows, size_t columns,
                          double *out)
{
    for (size_t i = 0; i < rows; i++) {
        random_normals(seed, stream, (uint32_t)i, 0, columns, out + i * columns);
    }
}

double random_uniform(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column)
{
    struct uniform_pair u = uniform_pair(seed, (uint32_t)stream, row, column / 2);
    return column % 2 == 0 ? u.first - TWO_TO_MINUS_53 : u.second;
}
