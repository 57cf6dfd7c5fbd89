/* SPDX-License-Identifier: MIT */
/* Any bytes as a chunk of a column, whose width, rows and filters the first four bytes give: what
 * it holds, or that it is damaged. With the highest bit of the fourth the checksum is made to hold.
 * The same bytes as values survive being stored. */
#include "fuzz.h"

#include "store/chunk.h"

#include <string.h>

#define HEAD 4

#define WITH_CHECKSUM 0x80

static const uint8_t *add_checksum(const uint8_t *bytes, size_t size, struct arena *arena)
{
    struct error err = ERROR_INIT;
    uint8_t *copy = arena_alloc(arena, size + 4, 1, &err);
    fuzz_require(copy != NULL);
    memcpy(copy, bytes, size);
    uint32_t sum = chunk_fletcher32(bytes, size);
    for (size_t i = 0; i < 4; i++) {
        copy[size + i] = (uint8_t)(sum >> (8 * i) & 0xFF);
    }
    return copy;
}

static void check_decoding(size_t width, size_t rows, uint32_t mask, const uint8_t *stored,
                           size_t size)
{
    struct error err = ERROR_INIT;
    struct arena arena = {NULL};
    struct chunk_decoder decoder;
    fuzz_require(chunk_decode_open(&decoder, width, rows, &err));
    if ((mask & WITH_CHECKSUM) != 0) {
        stored = add_checksum(stored, size, &arena);
        size += 4;
        mask &= ~(uint32_t)WITH_CHECKSUM;
    }
    if (size <= chunk_limit(width, rows) && chunk_decode(&decoder, stored, size, mask)) {
        /* Reads all of it, for the sanitizers to watch. */
        volatile uint8_t any = 0;
        for (size_t i = 0; i < width * rows; i++) {
            any ^= decoder.values[i];
        }
        (void)any;
    }
    chunk_decode_release(&decoder);
    arena_release(&arena);
}

static void check_round(size_t width, size_t rows, const uint8_t *bytes, size_t size)
{
    struct error err = ERROR_INIT;
    struct arena arena = {NULL};
    struct chunk_encoder encoder;
    struct chunk_decoder decoder;
    size_t count = size / width < rows ? size / width : rows;
    uint8_t *values = arena_alloc(&arena, rows, width, &err);
    fuzz_require(values != NULL);
    memcpy(values, bytes, count * width);
    fuzz_require(chunk_open(&encoder, width, rows, &err));
    fuzz_require(chunk_decode_open(&decoder, width, rows, &err));
    fuzz_require(chunk_encode(&encoder, values, count, &err));
    fuzz_require(encoder.stored_size <= chunk_limit(width, rows));
    fuzz_require(chunk_decode(&decoder, encoder.stored, encoder.stored_size, encoder.mask));
    fuzz_require(memcmp(decoder.values, values, width * rows) == 0);
    chunk_release(&encoder);
    chunk_decode_release(&decoder);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const size_t widths[] = {1, 4, 8};
    if (size < HEAD) {
        return 0;
    }
    size_t width = widths[bytes[0] % 3];
    size_t rows = 1 + bytes[1] + 256 * (size_t)(bytes[2] % 4);
    check_decoding(width, rows, bytes[3], bytes + HEAD, size - HEAD);
    check_round(width, rows, bytes + HEAD, size - HEAD);
    return 0;
}
