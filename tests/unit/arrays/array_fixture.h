/* SPDX-License-Identifier: MIT */
/* What the tests of the array readers share: bytes put together, files read, files damaged. */
#ifndef ARRAY_FIXTURE_H
#define ARRAY_FIXTURE_H

#include "arrays/array.h"
#include "support.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define REFERENCE TEST_REFERENCE_DIR "/arrays/"

/* The state of one test; set_up and tear_down are its fixture. */
static struct arena arena;
static struct error err;
static struct array array;

static inline void set_up(void)
{
    arena = (struct arena){0};
    err = (struct error)ERROR_INIT;
}

static inline void tear_down(void)
{
    arena_release(&arena);
}

struct bytes {
    char data[16384];
    size_t size;
};

static inline void add(struct bytes *bytes, const void *data, size_t size)
{
    ck_assert(bytes->size + size <= sizeof bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static inline void add_little_endian(struct bytes *bytes, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)(value >> (8 * i));
        add(bytes, &byte, 1);
    }
}

static inline struct bytes load(const char *path)
{
    struct bytes bytes = {.size = 0};
    FILE *file = fopen(path, "rb");
    ck_assert(file != NULL);
    bytes.size = fread(bytes.data, 1, sizeof bytes.data, file);
    ck_assert(feof(file));
    fclose(file);
    return bytes;
}

/* Reads the bytes as a file, the named dataset of it where `dataset` is not NULL. */
static inline bool read_bytes(const struct bytes *bytes, const char *dataset)
{
    char location[600];
    snprintf(location, sizeof location, "%s%s%s", support_file("array", bytes->data, bytes->size),
             dataset == NULL ? "" : ":", dataset == NULL ? "" : dataset);
    arena_reset(&arena);
    err = (struct error)ERROR_INIT;
    return array_read(location, &arena, &array, &err);
}

static inline void assert_shape(size_t planes, size_t rows, size_t columns)
{
    ck_assert_uint_eq(array.planes, planes);
    ck_assert_uint_eq(array.rows, rows);
    ck_assert_uint_eq(array.columns, columns);
}

/* Element i is (first + i) / 8, as make_arrays.py has it. */
static inline void assert_eighths(double first)
{
    for (size_t i = 0; i < array.planes * array.rows * array.columns; i++) {
        assert_near(array.values[i], (first + (double)i) / 8, 0);
    }
}

/* The ends of half precision, as make_arrays.py has them. */
static inline void assert_edges(void)
{
    /* 0.1 is nearest to 1638 / 2^14 */
    const double edges[] = {1, -2, 0x1p-24, 65504, HUGE_VAL, -HUGE_VAL, (double)NAN, 0x1.998p-4};
    assert_shape(1, 2, 4);
    for (size_t i = 0; i < 8; i++) {
        assert_near(array.values[i], edges[i], 0);
    }
}

/* Whatever the bytes are, they are read as an array of sane size, or refused with a message. */
static inline bool assert_survives(const struct bytes *bytes, const char *dataset)
{
    if (read_bytes(bytes, dataset)) {
        const size_t most = (size_t)1 << 27;
        ck_assert(array.planes >= 1 && array.rows >= 1 && array.columns >= 1);
        ck_assert(array.planes <= most && array.rows <= most && array.columns <= most);
        double sum = 0;
        for (size_t i = 0; i < array.planes * array.rows * array.columns; i++) {
            sum += array.values[i]; /* all of it can be touched */
        }
        ck_assert(sum <= 0 || sum > 0 || isnan(sum));
        return true;
    }
    ck_assert(err.code == ERROR_INPUT || err.code == ERROR_FILE);
    ck_assert(err.message[0] != '\0');
    return false;
}

/* Damages one to eight bytes of the file `count` times over (xorshift, Marsaglia 2003, so that
 * every machine sees the same damage). Returns how many are still read. */
static inline int survive_mutations(const struct bytes *whole, const char *dataset, int count)
{
    uint64_t state = UINT64_C(88172645463325252);
    int good = 0;
    for (int i = 0; i < count; i++) {
        struct bytes damaged = *whole;
        const int changes = 1 + i % 8;
        for (int j = 0; j < changes; j++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            damaged.data[state % damaged.size] = (char)(state >> 40);
        }
        if (i % 16 == 15) {
            damaged.size = state % damaged.size;
        }
        good += assert_survives(&damaged, dataset);
    }
    return good;
}

#endif
