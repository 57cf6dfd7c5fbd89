/* SPDX-License-Identifier: MIT */
/* See chunk.h. */
#include "store/chunk.h"

#include <string.h>
#include <zlib.h>

/* The place of deflate in the pipeline of shuffle, deflate and fletcher32. */
#define WITHOUT_DEFLATE 2U

/* Blocks without head and end, in a window of 4 kB; memory that stays in a near cache. */
#define RAW_WINDOW (-12)
#define SMALL_MEMORY 6

/* Deflate may grow a little, also by changing its level in between. */
size_t chunk_limit(size_t width, size_t rows)
{
    return width * rows + width * rows / 8 + 256;
}

bool chunk_open(struct chunk_encoder *encoder, size_t width, size_t rows, struct error *err)
{
    *encoder = (struct chunk_encoder){.width = width, .rows = rows};
    size_t size = width * rows;
    z_stream *streams = arena_alloc(&encoder->arena, 2, sizeof *streams, err);
    encoder->values = arena_alloc(&encoder->arena, size, 1, err);
    encoder->planes = arena_alloc(&encoder->arena, size, 1, err);
    encoder->stored_capacity = chunk_limit(width, rows);
    encoder->stored = arena_alloc(&encoder->arena, encoder->stored_capacity, 1, err);
    if (err->code == ERROR_NONE) {
        encoder->stream = &streams[0];
        encoder->runs = &streams[1];
        if (deflateInit(encoder->stream, CHUNK_LEVEL) != Z_OK ||
            deflateInit2(encoder->runs, CHUNK_LEVEL, Z_DEFLATED, RAW_WINDOW, SMALL_MEMORY, Z_RLE) !=
                Z_OK) {
            error_set(err, ERROR_INTERNAL, "out of memory");
        }
    }
    if (err->code != ERROR_NONE) {
        chunk_release(encoder);
    }
    return err->code == ERROR_NONE;
}

void chunk_release(struct chunk_encoder *encoder)
{
    if (encoder->stream != NULL) {
        deflateEnd(encoder->stream);
        deflateEnd(encoder->runs);
    }
    arena_release(&encoder->arena);
    *encoder = (struct chunk_encoder){.rows = 0};
}

struct chunk_encoder *chunk_encoders_get(struct chunk_encoders *encoders, size_t width, size_t rows,
                                         struct error *err)
{
    struct chunk_encoder *encoder = width == 1   ? &encoders->of_1
                                    : width == 4 ? &encoders->of_4
                                                 : &encoders->of_8;
    if (encoder->stream != NULL && encoder->rows == rows) {
        return encoder;
    }
    chunk_release(encoder);
    return chunk_open(encoder, width, rows, err) ? encoder : NULL;
}

void chunk_encoders_release(struct chunk_encoders *encoders)
{
    chunk_release(&encoders->of_1);
    chunk_release(&encoders->of_4);
    chunk_release(&encoders->of_8);
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

#define SAMPLES ((size_t)1024)
#define STRETCHES ((size_t)4)

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

/* Deflates all planes as one stream. Returns the size, 0 when it is no smaller. */
static size_t deflate_whole(struct chunk_encoder *encoder)
{
    z_stream *stream = encoder->stream;
    size_t size = encoder->width * encoder->rows;
    bool good = deflateReset(stream) == Z_OK;
    stream->next_in = encoder->planes;
    stream->avail_in = (uInt)size;
    stream->next_out = encoder->stored;
    stream->avail_out = (uInt)encoder->stored_capacity;
    good = good && deflate(stream, Z_FINISH) == Z_STREAM_END;
    return good && stream->total_out < size ? stream->total_out : 0;
}

/* Appends bytes as blocks of deflate that are stored. */
static void put_stored(struct chunk_encoder *encoder, const unsigned char *bytes, size_t size,
                       bool last)
{
    while (size > 0) {
        size_t length = size < 0xffff ? size : 0xffff;
        unsigned char *out = encoder->stored + encoder->stored_size;
        size -= length;
        out[0] = last && size == 0 ? 1 : 0;
        out[1] = (unsigned char)(length & 0xff);
        out[2] = (unsigned char)(length >> 8);
        out[3] = (unsigned char)~out[1];
        out[4] = (unsigned char)~out[2];
        memcpy(out + 5, bytes, length);
        encoder->stored_size += 5 + length;
        bytes += length;
    }
}

/* Appends bytes as blocks of deflate that look for one byte over and over only: beside noise there
 * is nothing else to repeat. */
static bool put_runs(struct chunk_encoder *encoder, unsigned char *bytes, size_t size, bool last)
{
    z_stream *stream = encoder->runs;
    bool good = deflateReset(stream) == Z_OK;
    stream->next_in = bytes;
    stream->avail_in = (uInt)size;
    stream->next_out = encoder->stored + encoder->stored_size;
    stream->avail_out = (uInt)(encoder->stored_capacity - encoder->stored_size);
    int done = good ? deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH) : Z_STREAM_ERROR;
    encoder->stored_size += stream->total_out;
    return done == (last ? Z_STREAM_END : Z_OK) && stream->avail_in == 0;
}

/* A zlib stream of some planes of noise, stored, and others. Returns the size, 0 when it is no
 * smaller. */
static size_t deflate_noise(struct chunk_encoder *encoder, const bool *noise)
{
    static const unsigned char head[2] = {0x78, 0x01};
    size_t size = encoder->width * encoder->rows;
    bool good = true;
    memcpy(encoder->stored, head, sizeof head);
    encoder->stored_size = sizeof head;
    for (size_t k = 0; good && k < encoder->width;) {
        size_t end = k + 1;
        while (end < encoder->width && noise[end] == noise[k]) {
            end++;
        }
        unsigned char *bytes = encoder->planes + k * encoder->rows;
        bool last = end == encoder->width;
        if (noise[k]) {
            put_stored(encoder, bytes, (end - k) * encoder->rows, last);
        } else {
            good = put_runs(encoder, bytes, (end - k) * encoder->rows, last);
        }
        k = end;
    }
    uLong check = adler32(1, encoder->planes, (uInt)size);
    for (size_t i = 0; i < 4; i++) {
        encoder->stored[encoder->stored_size++] = (unsigned char)(check >> (24 - 8 * i));
    }
    return good && encoder->stored_size < size ? encoder->stored_size : 0;
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
    bool noise[8] = {false};
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
    encoder->stored_size = all ? 0 : any ? deflate_noise(encoder, noise) : deflate_whole(encoder);
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
