/* SPDX-License-Identifier: MIT */
/* Chunks of columns: what HDF5 reads back is what was given, whatever the values look like; noise
 * is stored as it is; damage is seen. */
#include "store/chunk.h"
#include "store/hdf.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4096, CHUNKS = 3 };

static struct error err;

/* A generator of noise that depends on nothing: splitmix64. */
static uint64_t noise(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15U);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* By hand: words 0x0102 and 0x0304 sum to 0x0406, and their running sums 0x0102 + 0x0406 to 0x0508.
 * With an odd byte 05 behind them comes the word 0x0500: 0x0906, and 0x0508 + 0x0906 = 0x0e0e. */
START_TEST(the_checksum_is_that_of_fletcher)
{
    const unsigned char bytes[] = {1, 2, 3, 4, 5};
    ck_assert_uint_eq(chunk_fletcher32(bytes, 4), 0x05080406U);
    ck_assert_uint_eq(chunk_fletcher32(bytes, 5), 0x0e0e0906U);
    ck_assert_uint_eq(chunk_fletcher32(bytes, 0), 0);
}
END_TEST

static hid_t open_dataset(hid_t file, hid_t type, size_t count)
{
    struct hdf_shape shape = {.rank = 1, .size = {count}, .chunk = {ROWS}};
    hid_t dataset = hdf_create(file, "x", type, &shape, true, &err);
    ck_assert_msg(dataset >= 0, "%s", err.message);
    return dataset;
}

/* Writes the values chunk by chunk, reads them by HDF5's own filters, and returns the bytes that
 * the chunks took. */
static size_t round_trip(const void *values, enum hdf_number number, size_t count, void *back)
{
    struct chunk_encoder encoder;
    size_t width = hdf_width(number);
    size_t size = 0;
    hid_t file = H5Fcreate(support_path("chunk.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = open_dataset(file, hdf_file_type(number), count);
    assert_ok(chunk_open(&encoder, width, ROWS, &err), err);
    for (hsize_t row = 0; row < count; row += ROWS) {
        size_t left = count - (size_t)row;
        assert_ok(chunk_encode(&encoder, (const char *)values + row * width,
                               left < ROWS ? left : ROWS, &err),
                  err);
        ck_assert_int_ge(H5Dwrite_chunk(dataset, H5P_DEFAULT, encoder.mask, &row,
                                        encoder.stored_size, encoder.stored),
                         0);
        size += encoder.stored_size;
    }
    chunk_release(&encoder);
    H5Dclose(dataset);
    H5Fclose(file);
    file = H5Fopen(support_path("chunk.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    ck_assert_int_ge(H5Dread(dataset, hdf_memory_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, back),
                     0);
    ck_assert_mem_eq(values, back, count * width);
    H5Dclose(dataset);
    H5Fclose(file);
    return size;
}

static int64_t integers[CHUNKS * ROWS], integers_back[CHUNKS * ROWS];
static double reals[CHUNKS * ROWS], reals_back[CHUNKS * ROWS];

START_TEST(a_constant_column_takes_next_to_nothing)
{
    for (size_t i = 0; i < CHUNKS * ROWS; i++) {
        reals[i] = 0.1;
    }
    ck_assert_uint_lt(round_trip(reals, HDF_REAL, CHUNKS * ROWS, reals_back), CHUNKS * 100);
}
END_TEST

START_TEST(a_counter_is_compressed)
{
    for (size_t i = 0; i < CHUNKS * ROWS; i++) {
        integers[i] = 123456 + (int64_t)i;
    }
    ck_assert_uint_lt(round_trip(integers, HDF_INT64, CHUNKS * ROWS, integers_back), CHUNKS * 1000);
}
END_TEST

/* A number from 0.5 to 1 has 52 random bits and 12 that do not vary. */
START_TEST(random_mantissas_are_stored_and_the_rest_is_compressed)
{
    uint64_t state = 1;
    for (size_t i = 0; i < CHUNKS * ROWS; i++) {
        reals[i] = 0.5 + (double)(noise(&state) >> 12) * 0x1p-53;
    }
    size_t size = round_trip(reals, HDF_REAL, CHUNKS * ROWS, reals_back);
    ck_assert_uint_gt(size, CHUNKS * ROWS * 52 / 8);
    ck_assert_uint_lt(size, CHUNKS * ROWS * 56 / 8);
}
END_TEST

START_TEST(noise_is_stored_as_it_is)
{
    uint64_t state = 2;
    for (size_t i = 0; i < CHUNKS * ROWS; i++) {
        integers[i] = (int64_t)noise(&state);
    }
    ck_assert_uint_eq(round_trip(integers, HDF_INT64, CHUNKS * ROWS, integers_back),
                      CHUNKS * (ROWS * 8 + 4));
}
END_TEST

/* Eight settings that share their input measure it eight times. */
START_TEST(noise_that_repeats_is_compressed)
{
    uint64_t state = 3;
    for (size_t i = 0; i < CHUNKS * ROWS; i++) {
        integers[i] = i % 8 == 0 ? (int64_t)noise(&state) : integers[i - 1];
    }
    ck_assert_uint_lt(round_trip(integers, HDF_INT64, CHUNKS * ROWS, integers_back),
                      CHUNKS * ROWS * 8 / 3);
}
END_TEST

START_TEST(every_width_and_a_last_chunk_that_is_not_full_come_back)
{
    static int8_t codes[ROWS + 5], codes_back[ROWS + 5];
    static int32_t places[2 * ROWS - 1], places_back[2 * ROWS - 1];
    uint64_t state = 4;
    for (size_t i = 0; i < ROWS + 5; i++) {
        codes[i] = (int8_t)(noise(&state) % 3);
    }
    for (size_t i = 0; i < 2 * ROWS - 1; i++) {
        places[i] = (int32_t)(noise(&state) % 1000) - 1;
    }
    reals[0] = (double)NAN;
    reals[1] = -0.0;
    round_trip(codes, HDF_INT8, ROWS + 5, codes_back);
    round_trip(places, HDF_INT32, 2 * ROWS - 1, places_back);
    round_trip(reals, HDF_REAL, 2, reals_back);
}
END_TEST

START_TEST(a_chunk_depends_on_its_values_alone)
{
    struct chunk_encoder encoder;
    unsigned char first[400];
    assert_ok(chunk_open(&encoder, 8, ROWS, &err), err);
    for (size_t i = 0; i < ROWS; i++) {
        integers[i] = (int64_t)i / 100;
        integers[ROWS + i] = -7;
    }
    assert_ok(chunk_encode(&encoder, integers, ROWS, &err), err);
    size_t size = encoder.stored_size;
    ck_assert_uint_lt(size, sizeof first);
    memcpy(first, encoder.stored, size);
    assert_ok(chunk_encode(&encoder, integers + ROWS, ROWS, &err), err);
    assert_ok(chunk_encode(&encoder, integers, ROWS, &err), err);
    ck_assert_uint_eq(encoder.stored_size, size);
    ck_assert_mem_eq(encoder.stored, first, size);
    ck_assert(!chunk_encode(&encoder, integers, ROWS + 1, &err));
    chunk_release(&encoder);
}
END_TEST

START_TEST(columns_of_one_width_and_length_share_an_encoder)
{
    struct chunk_encoders encoders = {.of_1 = {.rows = 0}};
    struct chunk_encoder *wide = chunk_encoders_get(&encoders, 8, ROWS, &err);
    struct chunk_encoder *narrow = chunk_encoders_get(&encoders, 1, ROWS, &err);
    ck_assert_ptr_nonnull(wide);
    ck_assert_ptr_nonnull(narrow);
    ck_assert_ptr_ne(wide, narrow);
    ck_assert_ptr_eq(chunk_encoders_get(&encoders, 8, ROWS, &err), wide);
    ck_assert_uint_eq(wide->width, 8);
    ck_assert_uint_eq(wide->rows, ROWS);
    /* Another length is another encoder, which knows nothing of the last one's chunk. */
    memset(integers, 0, sizeof integers);
    assert_ok(chunk_encode(wide, integers, ROWS, &err), err);
    struct chunk_encoder *shorter = chunk_encoders_get(&encoders, 8, ROWS / 2, &err);
    ck_assert_ptr_nonnull(shorter);
    ck_assert_uint_eq(shorter->rows, ROWS / 2);
    ck_assert(!shorter->known);
    ck_assert_uint_eq(narrow->rows, ROWS);
    chunk_encoders_release(&encoders);
    ck_assert_ptr_null(encoders.of_8.stream);
}
END_TEST

/* Also where deflate was left out, reading must go through the checksum. */
START_TEST(a_flipped_bit_is_seen_by_the_checksum)
{
    struct chunk_encoder encoder;
    uint64_t state = 5;
    hsize_t row = 0;
    for (size_t i = 0; i < ROWS; i++) {
        integers[i] = (int64_t)noise(&state);
    }
    hid_t file = H5Fcreate(support_path("flip.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = open_dataset(file, H5T_STD_I64LE, ROWS);
    assert_ok(chunk_open(&encoder, 8, ROWS, &err), err);
    assert_ok(chunk_encode(&encoder, integers, ROWS, &err), err);
    ck_assert_uint_eq(encoder.mask, 2);
    encoder.stored[777] ^= 4;
    H5Dwrite_chunk(dataset, H5P_DEFAULT, encoder.mask, &row, encoder.stored_size, encoder.stored);
    chunk_release(&encoder);
    hdf_silence();
    ck_assert_int_lt(
        H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, integers_back), 0);
    H5Dclose(dataset);
    H5Fclose(file);
}
END_TEST

START_TEST(what_is_damaged_is_not_decoded)
{
    struct chunk_encoder encoder;
    struct chunk_decoder decoder;
    unsigned char stored[ROWS * 10];
    for (size_t i = 0; i < ROWS; i++) {
        integers[i] = (int64_t)(i * i) % 77;
    }
    assert_ok(chunk_open(&encoder, 8, ROWS, &err), err);
    assert_ok(chunk_encode(&encoder, integers, ROWS, &err), err);
    assert_ok(chunk_decode_open(&decoder, 8, ROWS, &err), err);
    size_t size = encoder.stored_size;
    memcpy(stored, encoder.stored, size);
    ck_assert(chunk_decode(&decoder, stored, size, 0));
    ck_assert_mem_eq(decoder.values, integers, sizeof(int64_t) * ROWS);
    for (size_t i = 0; i < size; i++) {
        stored[i] ^= 8;
        ck_assert_msg(!chunk_decode(&decoder, stored, size, 0), "byte %zu", i);
        stored[i] ^= 8;
        ck_assert(!chunk_decode(&decoder, stored, i, 0));
    }
    for (uint32_t mask = 1; mask < 8; mask++) {
        ck_assert(!chunk_decode(&decoder, stored, size, mask));
    }
    ck_assert(chunk_decode(&decoder, stored, size, 0));
    chunk_decode_release(&decoder);
    chunk_release(&encoder);
}
END_TEST

/* As files of earlier versions have them. */
START_TEST(chunks_that_hdf5_wrote_are_decoded)
{
    struct chunk_decoder decoder;
    unsigned char stored[ROWS * 10];
    uint64_t state = 6;
    hsize_t row = ROWS;
    hsize_t size = 0;
    uint32_t mask = 0;
    for (size_t i = 0; i < 2 * ROWS; i++) {
        reals[i] = i < ROWS ? 0.25 : 1 + (double)(noise(&state) >> 40);
    }
    hid_t file = H5Fcreate(support_path("own.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = open_dataset(file, H5T_IEEE_F64LE, 2 * ROWS);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, reals);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ck_assert_int_ge(H5Dget_chunk_storage_size(dataset, &row, &size), 0);
    ck_assert_uint_le(size, sizeof stored);
    ck_assert_int_ge(H5Dread_chunk(dataset, H5P_DEFAULT, &row, &mask, stored), 0);
    assert_ok(chunk_decode_open(&decoder, 8, ROWS, &err), err);
    ck_assert(chunk_decode(&decoder, stored, (size_t)size, mask));
    ck_assert_mem_eq(decoder.values, reals + ROWS, sizeof(double) * ROWS);
    chunk_decode_release(&decoder);
    H5Dclose(dataset);
    H5Fclose(file);
}
END_TEST

static void set_up(void)
{
    err = (struct error)ERROR_INIT;
}

int main(void)
{
    Suite *suite = suite_create("store/chunk");
    TCase *cases = tcase_create("chunk");
    tcase_add_checked_fixture(cases, set_up, NULL);
    tcase_add_test(cases, the_checksum_is_that_of_fletcher);
    tcase_add_test(cases, a_constant_column_takes_next_to_nothing);
    tcase_add_test(cases, a_counter_is_compressed);
    tcase_add_test(cases, random_mantissas_are_stored_and_the_rest_is_compressed);
    tcase_add_test(cases, noise_is_stored_as_it_is);
    tcase_add_test(cases, noise_that_repeats_is_compressed);
    tcase_add_test(cases, every_width_and_a_last_chunk_that_is_not_full_come_back);
    tcase_add_test(cases, a_chunk_depends_on_its_values_alone);
    tcase_add_test(cases, columns_of_one_width_and_length_share_an_encoder);
    tcase_add_test(cases, a_flipped_bit_is_seen_by_the_checksum);
    tcase_add_test(cases, what_is_damaged_is_not_decoded);
    tcase_add_test(cases, chunks_that_hdf5_wrote_are_decoded);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
