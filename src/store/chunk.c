/* SPDX-License-Identifier: MIT */
/* See chunk.h. */
#include "store/chunk.h"

#include <string.h>
#include <zlib.h>

/* The place of deflate in the pipeline of shuffle, deflate and fletcher32. */
#define WITHOUT_DEFLATE 2U

/* Deflate may grow a little, also by changing its level in between. */
size_t chunk_limit(size_t width, size_t rows)
{
    return width * rows + width * rows / 8 + 256;
}

bool chunk_open(struct chunk_encoder *encoder, size_t width, size_t rows, struct error *err)
{
    *encoder = (struct chunk_encoder){.width = width, .rows = rows};
    size_t size = width * rows;
    z_stream *stream = arena_alloc(&encoder->arena, 1, sizeof *stream, err);
    encoder->values = arena_alloc(&encoder->arena, size, 1, err);
    encoder->planes = arena_alloc(&encoder->arena, size, 1, err);
    encoder->stored_capacity = chunk_limit(width, rows);
    encoder->stored = arena_alloc(&encoder->arena, encoder->stored_capacity, 1, err);
    if (err->code == ERROR_NONE && deflateInit(stream, CHUNK_LEVEL) != Z_OK) {
        error_set(err, ERROR_INTERNAL, "out of memory");
    }
    if (err->code != ERROR_NONE) {
        arena_release(&encoder->arena);
        return false;
    }
    encoder->stream = stream;
    return true;
}

void chunk_release(struct chunk_encoder *encoder)
{
    if (encoder->stream != NULL) {
        deflateEnd(encoder->stream);
    }
    arena_release(&encoder->arena);
}

/* First bytes of all values, then second bytes, ...; little-endian whatever the machine is. */
static void shuffle(size_t width, size_t rows, const unsigned char *values, unsigned char *planes)
{
    for (size_t k = 0; k < width; k++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        const unsigned char *from = values + width - 1 - k;
#else
        const unsigned char *from = values + k;
#endif
        unsigned char *plane = planes + k * rows;
        for (size_t i = 0; i < rows; i++) {
            plane[i] = from[i * width];
        }
    }
}

#define SAMPLES 1024
#define STRETCHES 4

/* Whether the counts of 1,024 bytes are those of random ones. The sum of their squares is then
 * 1024 + 1024 * 1023 / 256 = 5116, give or take 90; that of bytes with 7.9 bits of entropy is
 * 5,700.
 */
static bool is_even(const uint16_t counts[256])
{
    unsigned sum = 0;
    for (size_t i = 0; i < 256; i++) {
        sum += (unsigned)counts[i] * counts[i];
    }
    return sum < 5550;
}

/* Whether deflate would find nothing: bytes that look random and from one to the next as well, as
 * those of a counter do not. A wrong answer costs time or room, nothing else. */
static bool is_noise(const unsigned char *plane, size_t rows)
{
    uint16_t counts[256] = {0};
    uint16_t steps[256] = {0};
    const size_t length = SAMPLES / STRETCHES;
    if (rows < 2 * SAMPLES) {
        return false;
    }
    for (size_t s = 0; s < STRETCHES; s++) {
        const unsigned char *stretch = plane + s * ((rows - length) / (STRETCHES - 1));
        unsigned char last = stretch[0];
        for (size_t i = 0; i < length; i++) {
            counts[stretch[i]]++;
            steps[(unsigned char)(stretch[i] - last)]++;
            last = stretch[i];
        }
    }
    return is_even(counts) && is_even(steps);
}

/* Deflates the planes, those of noise as they are. Beside noise there is nothing to repeat but a
 * byte, which is quicker to find. Returns the size, 0 when it is no smaller. */
static size_t deflate_planes(struct chunk_encoder *encoder, const bool *noise, bool measured)
{
    int strategy = measured ? Z_RLE : Z_DEFAULT_STRATEGY;
    z_stream *stream = encoder->stream;
    size_t size = encoder->width * encoder->rows;
    bool good = deflateReset(stream) == Z_OK;
    stream->next_out = encoder->stored;
    stream->avail_out = (uInt)encoder->stored_capacity;
    for (size_t k = 0; good && k < encoder->width; k++) {
        if (k == 0 || noise[k] != noise[k - 1]) {
            int level = noise[k] ? Z_NO_COMPRESSION : CHUNK_LEVEL;
            good = deflateParams(stream, level, strategy) == Z_OK;
        }
        stream->next_in = encoder->planes + k * encoder->rows;
        stream->avail_in = (uInt)encoder->rows;
        good = good && deflate(stream, Z_NO_FLUSH) == Z_OK && stream->avail_in == 0;
    }
    good = good && deflate(stream, Z_FINISH) == Z_STREAM_END;
    return good && stream->total_out < size ? stream->total_out : 0;
}

/* As HDF5 computes it: of 16-bit words, the first byte being the higher, modulo 65535. */
uint32_t chunk_fletcher32(const unsigned char *bytes, size_t size)
{
    uint32_t sum = 0;
    uint32_t sums = 0;
    size_t words = size / 2;
    while (words > 0) {
        /* So many that no sum overflows. */
        size_t stretch = words < 360 ? words : 360;
        words -= stretch;
        for (; stretch > 0; stretch--, bytes += 2) {
            sum += (uint32_t)bytes[0] << 8 | bytes[1];
            sums += sum;
        }
        sum = (sum & 0xffff) + (sum >> 16);
        sums = (sums & 0xffff) + (sums >> 16);
    }
    if (size % 2 != 0) {
        sum += (uint32_t)bytes[0] << 8;
        sums += sum;
        sum = (sum & 0xffff) + (sum >> 16);
        sums = (sums & 0xffff) + (sums >> 16);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sums = (sums & 0xffff) + (sums >> 16);
    return sums << 16 | sum;
}

static void append_checksum(struct chunk_encoder *encoder)
{
    uint32_t checksum = chunk_fletcher32(encoder->stored, encoder->stored_size);
    for (size_t i = 0; i < 4; i++) {
        encoder->stored[encoder->stored_size++] = (unsigned char)(checksum >> (8 * i));
    }
}

bool chunk_encode(struct chunk_encoder *encoder, const void *values, size_t count,
                  struct error *err)
{
    size_t width = encoder->width;
    size_t size = width * encoder->rows;
    bool noise[8];
    bool whole = count == encoder->rows;
    if (count > encoder->rows) {
        return error_set(err, ERROR_INTERNAL, "a chunk of too many values");
    }
    if (encoder->known && whole && memcmp(values, encoder->values, size) == 0) {
        return true;
    }
    memcpy(encoder->values, values, count * width);
    memset(encoder->values + count * width, 0, size - count * width);
    shuffle(width, encoder->rows, encoder->values, encoder->planes);
    bool all = true;
    bool any = false;
    for (size_t k = 0; k < width; k++) {
        noise[k] = is_noise(encoder->planes + k * encoder->rows, encoder->rows);
        all = all && noise[k];
        any = any || noise[k];
    }
    encoder->stored_size = all ? 0 : deflate_planes(encoder, noise, any);
    encoder->mask = 0;
    if (encoder->stored_size == 0) {
        encoder->mask = WITHOUT_DEFLATE;
        encoder->stored_size = size;
        memcpy(encoder->stored, encoder->planes, size);
    }
    append_checksum(encoder);
    encoder->known = true;
    return true;
}
