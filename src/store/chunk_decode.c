/* SPDX-License-Identifier: MIT */
/* Chunks as they are read; see chunk.h. */
#include "store/chunk.h"

#include <string.h>
#include <zlib.h>

/* Filters that a chunk went without. */
enum { NO_SHUFFLE = 1, NO_DEFLATE = 2, NO_CHECKSUM = 4 };

bool chunk_decode_open(struct chunk_decoder *decoder, size_t width, size_t rows, struct error *err)
{
    *decoder = (struct chunk_decoder){.width = width, .rows = rows};
    decoder->last = arena_alloc(&decoder->arena, chunk_limit(width, rows), 1, err);
    decoder->planes = arena_alloc(&decoder->arena, width * rows, 1, err);
    decoder->values = arena_alloc(&decoder->arena, width * rows, 1, err);
    if (err->code != ERROR_NONE) {
        arena_release(&decoder->arena);
    }
    return err->code == ERROR_NONE;
}

void chunk_decode_release(struct chunk_decoder *decoder)
{
    arena_release(&decoder->arena);
}

static uint32_t stated_checksum(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void unshuffle(size_t width, size_t rows, const unsigned char *planes, unsigned char *values)
{
    for (size_t k = 0; k < width; k++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        unsigned char *to = values + width - 1 - k;
#else
        unsigned char *to = values + k;
#endif
        const unsigned char *plane = planes + k * rows;
        for (size_t i = 0; i < rows; i++) {
            to[i * width] = plane[i];
        }
    }
}

static bool inflate_planes(struct chunk_decoder *decoder, const unsigned char *stored, size_t size,
                           uint32_t mask)
{
    size_t whole = decoder->width * decoder->rows;
    if ((mask & NO_DEFLATE) != 0) {
        memcpy(decoder->planes, stored, size < whole ? size : whole);
        return size == whole;
    }
    uLongf length = (uLongf)whole;
    return uncompress(decoder->planes, &length, stored, (uLong)size) == Z_OK && length == whole;
}

bool chunk_decode(struct chunk_decoder *decoder, const unsigned char *stored, size_t size,
                  uint32_t mask)
{
    if (decoder->last_size > 0 && size == decoder->last_size && mask == decoder->last_mask &&
        memcmp(stored, decoder->last, size) == 0) {
        return true;
    }
    decoder->last_size = 0;
    if (size < 4 || size > chunk_limit(decoder->width, decoder->rows) ||
        (mask & (NO_SHUFFLE | NO_CHECKSUM)) != 0 ||
        stated_checksum(stored + size - 4) != chunk_fletcher32(stored, size - 4) ||
        !inflate_planes(decoder, stored, size - 4, mask)) {
        return false;
    }
    unshuffle(decoder->width, decoder->rows, decoder->planes, decoder->values);
    memcpy(decoder->last, stored, size);
    decoder->last_size = size;
    decoder->last_mask = mask;
    return true;
}
