/* SPDX-License-Identifier: MIT */
/* Any bytes as a .npy or safetensors file, in which the datasets "a" and "w" and none are asked
 * for. HDF5 files are left out: a child of the reader tries them first, and libhdf5 is not ours. */
#include "fuzz.h"

#include "arrays/array.h"

#include <stdio.h>
#include <string.h>

static void read_one(const char *path, const char *dataset)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct array array;
    char location[128];
    snprintf(location, sizeof location, "%s%s", path, dataset);
    if (array_read(location, &arena, &array, &err)) {
        fuzz_require(array.planes > 0 && array.rows > 0 && array.columns > 0);
        fuzz_require(strlen(array.digest) == HASH_HEX_SIZE - 1);
        double sum = 0;
        for (size_t i = 0; i < array.planes * array.rows * array.columns; i++) {
            sum += array.values[i] > 0 ? 1 : 0;
        }
        fuzz_require(sum >= 0);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    arena_release(&arena);
}

static bool holds_hdf5(const uint8_t *bytes, size_t size)
{
    static const uint8_t signature[] = {0x89, 'H', 'D', 'F'};
    for (size_t at = 0; at + sizeof signature <= size; at++) {
        if (memcmp(bytes + at, signature, sizeof signature) == 0) {
            return true;
        }
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!holds_hdf5(bytes, size)) {
        const char *path = fuzz_file("array", bytes, size);
        read_one(path, "");
        read_one(path, ":a");
        read_one(path, ":w");
    }
    return 0;
}
