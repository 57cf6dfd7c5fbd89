/* SPDX-License-Identifier: MIT */
/* Binary numbers of a file to doubles. */
#include "arrays/array_internal.h"

#include <math.h>
#include <string.h>

struct format {
    size_t size;
    unsigned exponent_bits, fraction_bits;
};

static const struct format formats[ARRAY_NUMBER_COUNT] = {
    [ARRAY_F64] = {8, 11, 52}, [ARRAY_F32] = {4, 8, 23},    [ARRAY_F16] = {2, 5, 10},
    [ARRAY_BF16] = {2, 8, 7},  [ARRAY_F8_E4M3] = {1, 4, 3}, [ARRAY_F8_E5M2] = {1, 5, 2},
};

size_t array_number_size(enum array_number number)
{
    return formats[number].size;
}

uint64_t array_little_endian(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* The magnitude from its two fields. */
static double magnitude(enum array_number number, uint64_t exponent, uint64_t fraction)
{
    const struct format *format = &formats[number];
    const uint64_t highest = (UINT64_C(1) << format->exponent_bits) - 1;
    const uint64_t full = (UINT64_C(1) << format->fraction_bits) - 1;
    const int bias = (int)(highest >> 1);
    if (exponent == highest && number == ARRAY_F8_E4M3) {
        if (fraction == full) {
            return (double)NAN;
        }
    } else if (exponent == highest) {
        return fraction == 0 ? (double)INFINITY : (double)NAN;
    }
    const int scale = -bias - (int)format->fraction_bits;
    if (exponent == 0) {
        return ldexp((double)fraction, scale + 1);
    }
    return ldexp((double)(fraction + full + 1), scale + (int)exponent);
}

double array_decode(enum array_number number, uint64_t bits)
{
    const struct format *format = &formats[number];
    double value = 0;
    if (number == ARRAY_F64) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint64_t full = (UINT64_C(1) << format->fraction_bits) - 1;
    const uint64_t highest = (UINT64_C(1) << format->exponent_bits) - 1;
    const uint64_t exponent = bits >> format->fraction_bits & highest;
    value = magnitude(number, exponent, bits & full);
    return (bits >> (format->fraction_bits + format->exponent_bits) & 1) != 0 ? -value : value;
}

static double element(const struct array_order *order, const unsigned char *bytes)
{
    unsigned char ordered[8];
    const size_t size = formats[order->number].size;
    for (size_t i = 0; i < size; i++) {
        ordered[i] = bytes[order->big_endian ? size - 1 - i : i];
    }
    return array_decode(order->number, array_little_endian(ordered, size));
}

const double *array_convert(const struct array *array, const struct array_order *order,
                            const unsigned char *bytes, struct arena *arena, struct error *err)
{
    const size_t planes = array->planes;
    const size_t rows = array->rows;
    const size_t columns = array->columns;
    const size_t size = formats[order->number].size;
    double *values = arena_alloc(arena, planes * rows, columns * sizeof *values, err);
    for (size_t line = 0; values != NULL && line < planes * rows; line++) {
        const size_t plane = line / rows;
        const size_t row = line % rows;
        const size_t first = order->fortran ? plane + planes * row : line * columns;
        const size_t step = order->fortran ? planes * rows : 1;
        for (size_t column = 0; column < columns; column++) {
            values[line * columns + column] =
                element(order, bytes + (first + step * column) * size);
        }
    }
    return values;
}
