/* SPDX-License-Identifier: MIT */
/* One chunk of a column as HDF5 stores it: shuffled, deflated, with its fletcher32 behind it. HDF5
 * could do the same, ten times slower: it knows neither that a chunk repeats the one before nor
 * which bytes of measured numbers are as good as random. What is written here HDF5 reads, and the
 * other way round. */
#ifndef STORE_CHUNK_H
#define STORE_CHUNK_H

#include "base/arena.h"

#include <stdint.h>

/* Of columns of one width. Release it when done. */
struct chunk_encoder {
    size_t width; /* bytes of a value: 1, 4 or 8 */
    size_t rows;  /* values of a chunk */
    struct arena arena;
    unsigned char *values, *planes, *stored; /* the last chunk: as given, shuffled, and as stored */
    size_t stored_size, stored_capacity;
    uint32_t mask; /* filters that it went without, as H5Dwrite_chunk takes them */
    struct z_stream_s *stream, *runs;
    bool known;
};

#define CHUNK_LEVEL 4

bool chunk_open(struct chunk_encoder *encoder, size_t width, size_t rows,
                struct error *err) MUST_CHECK;

/* Encodes `count` values, at most the rows of a chunk; the rest of it is zeros. What is then in
 * encoder->stored depends on the values alone. */
bool chunk_encode(struct chunk_encoder *encoder, const void *values, size_t count,
                  struct error *err) MUST_CHECK;

void chunk_release(struct chunk_encoder *encoder);

/* The encoders of a file, each opened by the first column of its width: to set one up takes as long
 * as to encode a chunk. All zero to begin with. Release them when done. */
struct chunk_encoders {
    struct chunk_encoder of_1, of_4, of_8;
};

/* The one of that width, for chunks of so many rows. NULL on failure. */
struct chunk_encoder *chunk_encoders_get(struct chunk_encoders *encoders, size_t width, size_t rows,
                                         struct error *err) MUST_CHECK;

void chunk_encoders_release(struct chunk_encoders *encoders);

/* Of one column that is read. Release it when done. */
struct chunk_decoder {
    size_t width, rows;
    struct arena arena;
    unsigned char *last, *planes; /* what was decoded last, and its shuffled bytes */
    size_t last_size;
    uint32_t last_mask;
    unsigned char *values; /* in the order of bytes of this machine */
};

/* The most bytes that a chunk may take; one that takes more was not written here. */
size_t chunk_limit(size_t width, size_t rows);

bool chunk_decode_open(struct chunk_decoder *decoder, size_t width, size_t rows,
                       struct error *err) MUST_CHECK;

/* Decodes a chunk to decoder->values. False where it is damaged. */
bool chunk_decode(struct chunk_decoder *decoder, const unsigned char *stored, size_t size,
                  uint32_t mask) MUST_CHECK;

void chunk_decode_release(struct chunk_decoder *decoder);

/* The checksum of HDF5's filter H5Z_FILTER_FLETCHER32. */
uint32_t chunk_fletcher32(const unsigned char *bytes, size_t size);

#endif
