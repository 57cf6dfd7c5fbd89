/* SPDX-License-Identifier: MIT */
/* Shapes as files claim them, and the digest of an array of known shape. */
#include "arrays/array_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *array_shape_text(const struct array_shape *shape, char out[ARRAY_SHAPE_TEXT])
{
    const size_t reserve = sizeof ", ...)";
    size_t length = 0;
    out[length++] = '(';
    for (size_t i = 0; i < shape->rank; i++) {
        char number[32];
        int size =
            snprintf(number, sizeof number, "%s%" PRIu64, i == 0 ? "" : ", ", shape->size[i]);
        if (length + (size_t)size + reserve > ARRAY_SHAPE_TEXT) {
            memcpy(out + length, ", ...)", sizeof ", ...)");
            return out;
        }
        memcpy(out + length, number, (size_t)size);
        length += (size_t)size;
    }
    snprintf(out + length, ARRAY_SHAPE_TEXT - length, shape->rank == 1 ? ",)" : ")");
    return out;
}

static bool is_empty(const struct array_shape *shape)
{
    for (size_t i = 0; i < shape->rank; i++) {
        if (shape->size[i] == 0) {
            return true;
        }
    }
    return false;
}

bool array_shape_bytes(const struct array_shape *shape, size_t element, uint64_t *bytes)
{
    uint64_t product = element;
    if (is_empty(shape)) {
        product = 0;
    }
    for (size_t i = 0; product > 0 && i < shape->rank; i++) {
        if (shape->size[i] > UINT64_MAX / product) {
            return false;
        }
        product *= shape->size[i];
    }
    *bytes = product;
    return true;
}

bool array_shape_fold(const struct array_shape *shape, const char *name, struct array *out,
                      struct error *err)
{
    char text[ARRAY_SHAPE_TEXT];
    size_t skip = 0;
    while (shape->rank - skip > 3 && shape->size[skip] == 1) {
        skip++;
    }
    size_t rank = shape->rank - skip;
    if (rank < 2 || rank > 3) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has %zu dimension%s where 2 or 3 are needed; save "
                         "array.reshape(rows, columns)",
                         name, shape->rank, shape->rank == 1 ? "" : "s");
    }
    if (is_empty(shape)) {
        return error_set(err, ERROR_INPUT, "'%s' has shape %s: there is no number in it", name,
                         array_shape_text(shape, text));
    }
    uint64_t count = 0;
    if (!array_shape_bytes(shape, 1, &count) || count > ARRAY_NUMBERS_MAX) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has shape %s: more than %" PRIu64 " numbers, the limit; save the "
                         "part that is needed",
                         name, array_shape_text(shape, text), ARRAY_NUMBERS_MAX);
    }
    const uint64_t *last = shape->size + shape->rank;
    out->planes = rank == 3 ? (size_t)last[-3] : 1;
    out->rows = (size_t)last[-2];
    out->columns = (size_t)last[-1];
    return true;
}

void array_digest(struct array *array)
{
    const uint64_t sizes[3] = {array->planes, array->rows, array->columns};
    uint8_t whole[sizeof sizes + HASH_SIZE];
    size_t count = array->planes * array->rows * array->columns;
    for (size_t i = 0; i < sizeof sizes; i++) {
        whole[i] = (uint8_t)(sizes[i / 8] >> (8 * (i % 8)));
    }
    hash_bytes(array->values, count * sizeof *array->values, whole + sizeof sizes);
    hash_bytes_hex(whole, sizeof whole, array->digest);
}
