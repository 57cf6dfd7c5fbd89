/* SPDX-License-Identifier: MIT */
/* .npy files written byte by byte, and files written by NumPy. */
#include "array_fixture.h"

#define HEADER_F8 "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"

/* 1 .. 6 as little-endian doubles: only the two high bytes are not zero. */
static const unsigned char high_bytes[6][2] = {{0xF0, 0x3F}, {0x00, 0x40}, {0x08, 0x40},
                                               {0x10, 0x40}, {0x14, 0x40}, {0x18, 0x40}};

/* Magic, version and header as NumPy lays them out: padded to 64 with spaces and a newline. */
static struct bytes start(unsigned char major, const char *header)
{
    struct bytes bytes = {.size = 0};
    size_t prefix = major == 1 ? 10 : 12;
    size_t length = strlen(header) + 1;
    length += (64 - (prefix + length) % 64) % 64;
    unsigned char size[4] = {(unsigned char)length, (unsigned char)(length >> 8), 0, 0};
    add(&bytes, "\x93NUMPY", 6);
    add(&bytes, &major, 1);
    add(&bytes, "\0", 1);
    add(&bytes, size, major == 1 ? 2 : 4);
    add(&bytes, header, strlen(header));
    while (bytes.size + 1 < prefix + length) {
        add(&bytes, " ", 1);
    }
    add(&bytes, "\n", 1);
    return bytes;
}

static void add_doubles(struct bytes *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char value[8] = {0, 0, 0, 0, 0, 0, high_bytes[i][0], high_bytes[i][1]};
        add(bytes, value, 8);
    }
}

/* 1 .. 6 in two rows of three. */
static void check_one_to_six(const struct bytes *bytes)
{
    assert_ok(read_bytes(bytes, NULL), err);
    ck_assert_uint_eq(array.rows, 2);
    ck_assert_uint_eq(array.columns, 3);
    for (size_t i = 0; i < 6; i++) {
        assert_near(array.values[i], (double)(i + 1), 0);
    }
}

START_TEST(versions_one_to_three_differ_in_the_length_of_the_header_length)
{
    for (unsigned char major = 1; major <= 3; major++) {
        struct bytes bytes = start(major, HEADER_F8);
        add_doubles(&bytes, 6);
        check_one_to_six(&bytes);
    }
}
END_TEST

START_TEST(big_endian_doubles_are_turned_round)
{
    struct bytes bytes = start(1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }");
    for (size_t i = 0; i < 6; i++) {
        const unsigned char value[8] = {high_bytes[i][1], high_bytes[i][0]};
        add(&bytes, value, 8);
    }
    check_one_to_six(&bytes);
}
END_TEST

START_TEST(singles_of_either_order_become_doubles)
{
    /* 1.5 = 3FC00000, -0.1f = BDCCCCCD */
    const unsigned char little[8] = {0, 0, 0xC0, 0x3F, 0xCD, 0xCC, 0xCC, 0xBD};
    const unsigned char big[8] = {0x3F, 0xC0, 0, 0, 0xBD, 0xCC, 0xCC, 0xCD};
    for (int order = 0; order < 2; order++) {
        struct bytes bytes =
            start(1, order == 0 ? "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }"
                                : "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }");
        add(&bytes, order == 0 ? little : big, 8);
        assert_ok(read_bytes(&bytes, NULL), err);
        assert_near(array.values[0], 1.5, 0);
        assert_near(array.values[1], -0.100000001490116119384765625, 0);
    }
}
END_TEST

START_TEST(fortran_order_is_transposed)
{
    struct bytes bytes = start(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }");
    add_doubles(&bytes, 6);
    assert_ok(read_bytes(&bytes, NULL), err);
    const double wanted[] = {1, 3, 5, 2, 4, 6};
    for (size_t i = 0; i < 6; i++) {
        assert_near(array.values[i], wanted[i], 0);
    }
}
END_TEST

START_TEST(values_that_are_not_finite_are_kept)
{
    struct bytes bytes = start(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }");
    const unsigned char values[16] = {0, 0, 0, 0, 0, 0, 0xF8, 0x7F, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF};
    add(&bytes, values, 16);
    assert_ok(read_bytes(&bytes, NULL), err);
    ck_assert(isnan(array.values[0]));
    ck_assert(array.values[1] == -(double)INFINITY);
}
END_TEST

static const char *const accepted[] = {
    "{'descr':'<f8','fortran_order':False,'shape':(2,3)}",
    "{'shape': (2, 3,), 'fortran_order': False, 'descr': '<f8'}",
    "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (2, 3), }",
    " { 'fortran_order' : False , 'descr' : '<f8' , 'shape' : ( 2 , 3 ) , } ",
};

START_TEST(any_order_quotes_and_spacing_will_do)
{
    struct bytes bytes = start(1, accepted[_i]);
    add_doubles(&bytes, 6);
    check_one_to_six(&bytes);
}
END_TEST

static const struct {
    const char *header, *message;
} refused[] = {
    {"", "has a header that is not"},
    {"{}", "has a header that is not"},
    {"'descr'", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "header that is not"},
    {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}",
     "header that is not"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': [2, 3]}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3)}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (6)}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2 3)}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 99999999999999999999)}",
     "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} + 1", "header that is not"},
    {"{'descr': '<f8, 'fortran_order': False, 'shape': (2, 3)}", "has a header that is not"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", "has a header that is not"},
    {"{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}", "has a header that is not"},
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }",
     "array': type '<i8' is not supported; save as float64: array.astype('float64')"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", "type '|O' is not supported"},
    {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }",
     "type '[structured]' is not supported"},
    {"{'descr': '<f8\x1B[2J', 'fortran_order': False, 'shape': (2, 3), }",
     "type '<f8?[2J' is not supported"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }",
     "array' has 1 dimension where 2 or 3 are needed; save array.reshape(rows, columns)"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "has 0 dimensions where 2"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1, 1, 3), }", "has 4 dimensions"},
    {"{'descr': '|V2', 'fortran_order': False, 'shape': (2, 3), }", "type '|V2' is not supported"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296), }",
     "shape (0, 4294967296, 4294967296): there is no number in it"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", "shape (0, 3)"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", "too few bytes (48)"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "too many bytes (48)"},
    /* 2^32 * 2^32 * 8 and 2^61 * 8 wrap to 0 in 64 bits. */
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
     "more than 134217728 numbers, the limit"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952, 1), }",
     "more than 134217728 numbers"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1073741824, 4), }", "more than 134217728"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (16777216, 4), }", "too few bytes (48)"},
};

START_TEST(a_header_that_does_not_fit_is_refused)
{
    struct bytes bytes = start(1, refused[_i].header);
    add_doubles(&bytes, 6);
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT, refused[_i].message);
}
END_TEST

START_TEST(a_file_cut_anywhere_is_refused)
{
    struct bytes whole = start(1, HEADER_F8);
    size_t header_end = whole.size;
    add_doubles(&whole, 6);
    for (size_t size = 0; size < whole.size; size++) {
        struct bytes cut = whole;
        cut.size = size;
        err = (struct error)ERROR_INIT;
        ck_assert(!read_bytes(&cut, NULL));
        assert_error(err, ERROR_INPUT,
                     size < 6            ? "is not a .npy, HDF5"
                     : size < header_end ? "ends within its header"
                                         : "too few bytes");
    }
}
END_TEST

START_TEST(a_byte_too_many_is_refused)
{
    struct bytes bytes = start(1, HEADER_F8);
    add_doubles(&bytes, 6);
    add(&bytes, "\n", 1);
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT, "too many bytes (49)");
}
END_TEST

START_TEST(another_version_is_refused)
{
    struct bytes bytes = start(4, HEADER_F8);
    add_doubles(&bytes, 6);
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT, "has .npy version 4.0; versions 1.0, 2.0 and 3.0 can be read");
}
END_TEST

START_TEST(arrays_written_by_numpy_are_read)
{
    const char *path = TEST_REFERENCE_DIR "/guards/small.X.npy";
    const double first_row[] = {-0.4375, 1.8125, -1.9375, 0.5625, -0.125, 1.0, 0.25, -1.875};
    assert_ok(array_read(path, &arena, &array, &err), err);
    ck_assert_uint_eq(array.rows, 5);
    ck_assert_uint_eq(array.columns, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_near(array.values[i], first_row[i], 0);
    }
    assert_near(array.values[39], 1.0625, 0);
    ck_assert_str_eq(array.digest,
                     "fe3ebef9393143b847bba5c9ee6abf2bf9594661fb03e8e6e3b80d95ae285a04");
    assert_ok(array_read(TEST_REFERENCE_DIR "/guards/small.ZQ.npy", &arena, &array, &err), err);
    ck_assert_uint_eq(array.rows, 8);
    ck_assert_uint_eq(array.columns, 4);
}
END_TEST

START_TEST(three_dimensions_are_planes_and_leading_ones_are_dropped)
{
    static const char *const headers[] = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 3, 1, 2), }"};
    for (size_t i = 0; i < 2; i++) {
        struct bytes bytes = start(1, headers[i]);
        add_doubles(&bytes, 6);
        assert_ok(read_bytes(&bytes, NULL), err);
        assert_shape(3, 1, 2);
        for (size_t j = 0; j < 6; j++) {
            assert_near(array.values[j], (double)(j + 1), 0);
        }
    }
}
END_TEST

START_TEST(halves_brain_floats_and_fortran_planes_of_numpy_are_read)
{
    assert_ok(array_read(REFERENCE "heads.npy", &arena, &array, &err), err);
    assert_shape(2, 3, 4);
    assert_eighths(0);
    assert_ok(array_read(REFERENCE "edges.npy", &arena, &array, &err), err);
    assert_edges();
    assert_ok(array_read(REFERENCE "edges_big_endian.npy", &arena, &array, &err), err);
    assert_edges();
    assert_ok(array_read(REFERENCE "bfloat16_void.npy", &arena, &array, &err), err);
    assert_shape(1, 3, 4);
    assert_eighths(0);
    assert_ok(array_read(REFERENCE "bfloat16.npy", &arena, &array, &err), err);
    assert_shape(1, 3, 4);
    assert_eighths(0);
}
END_TEST

START_TEST(a_header_longer_than_the_file_takes_no_memory)
{
    struct bytes bytes = {.size = 0};
    add(&bytes, "\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{'descr'", 20);
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT, "ends within its header");
}
END_TEST

START_TEST(random_damage_is_survived)
{
    struct bytes bytes = start(1, HEADER_F8);
    add_doubles(&bytes, 6);
    /* Numbers and padding may change unnoticed; most of the header may not. */
    int good = survive_mutations(&bytes, NULL, 2000);
    ck_assert_int_gt(good, 50);
    ck_assert_int_lt(good, 1900);
}
END_TEST

static Suite *npy_suite(void)
{
    Suite *suite = suite_create("npy");
    TCase *cases = tcase_create("npy");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, versions_one_to_three_differ_in_the_length_of_the_header_length);
    tcase_add_test(cases, big_endian_doubles_are_turned_round);
    tcase_add_test(cases, singles_of_either_order_become_doubles);
    tcase_add_test(cases, fortran_order_is_transposed);
    tcase_add_test(cases, values_that_are_not_finite_are_kept);
    tcase_add_loop_test(cases, any_order_quotes_and_spacing_will_do, 0,
                        sizeof accepted / sizeof accepted[0]);
    tcase_add_loop_test(cases, a_header_that_does_not_fit_is_refused, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(cases, a_file_cut_anywhere_is_refused);
    tcase_add_test(cases, a_byte_too_many_is_refused);
    tcase_add_test(cases, another_version_is_refused);
    tcase_add_test(cases, arrays_written_by_numpy_are_read);
    tcase_add_test(cases, three_dimensions_are_planes_and_leading_ones_are_dropped);
    tcase_add_test(cases, halves_brain_floats_and_fortran_planes_of_numpy_are_read);
    tcase_add_test(cases, a_header_longer_than_the_file_takes_no_memory);
    tcase_add_test(cases, random_damage_is_survived);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(npy_suite());
}
