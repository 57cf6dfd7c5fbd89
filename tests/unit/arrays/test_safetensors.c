/* SPDX-License-Identifier: MIT */
/* safetensors files put together byte by byte, one written with numpy, and hostile ones. */
#include "array_fixture.h"

/* A file of the header text and `data` bytes 0, 1, 2, ... */
static struct bytes tensors(const char *header, size_t data)
{
    struct bytes bytes = {.size = 0};
    add_little_endian(&bytes, strlen(header), 8);
    add(&bytes, header, strlen(header));
    for (size_t i = 0; i < data; i++) {
        add_little_endian(&bytes, i, 1);
    }
    return bytes;
}

START_TEST(tensors_written_with_numpy_are_read)
{
    struct bytes bytes = load(REFERENCE "model.safetensors");
    assert_ok(read_bytes(&bytes, "single"), err);
    assert_shape(2, 3, 4);
    assert_eighths(0);
    assert_ok(read_bytes(&bytes, "double"), err);
    assert_shape(1, 3, 4);
    assert_eighths(0);
    assert_ok(read_bytes(&bytes, "half"), err);
    assert_edges();
    assert_ok(read_bytes(&bytes, "brain"), err);
    assert_shape(1, 3, 4);
    assert_eighths(12);
}
END_TEST

START_TEST(bytes_of_either_kind_are_read)
{
    struct bytes bytes =
        tensors("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[1,2],\"data_offsets\":[56,58]},"
                "\"b\":{\"dtype\":\"F8_E5M2\",\"shape\":[1,2],\"data_offsets\":[60,62]}}",
                62);
    assert_ok(read_bytes(&bytes, "a"), err);
    assert_near(array.values[0], 1, 0); /* 0x38 */
    assert_near(array.values[1], 1.125, 0);
    assert_ok(read_bytes(&bytes, "b"), err);
    assert_near(array.values[0], 1, 0); /* 0x3C */
    assert_near(array.values[1], 1.25, 0);
}
END_TEST

START_TEST(a_missing_name_is_explained)
{
    struct bytes bytes = load(REFERENCE "model.safetensors");
    ck_assert(!read_bytes(&bytes, "hafl"));
    assert_error(err, ERROR_INPUT, "did you mean 'half'? it holds 'single', 'double', 'half'");
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT, "name one as");
    ck_assert(!read_bytes(&bytes, ""));
    assert_error(err, ERROR_INPUT, "'single', 'double', 'half', 'brain', 'whole'");
    ck_assert(!read_bytes(&bytes, "__metadata__"));
    assert_error(err, ERROR_INPUT, "no dataset '__metadata__'");
    ck_assert(!read_bytes(&bytes, "whole"));
    assert_error(err, ERROR_INPUT, "array:whole': type 'I64' is not supported; save it as F64");
}
END_TEST

#define A "\"a\":{\"dtype\":\"F8_E5M2\",\"shape\":[2,3],\"data_offsets\":[0,6]}"
#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static const char *const accepted[] = {
    "{" A "}",
    "{ " A " }   ",
    "{\"__metadata__\":{\"any\":[1,{}]}," A "}",
    "{" A ",\"empty\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[3,3]}}",
    "{" A ",\"scalar\":{\"dtype\":\"I16\",\"shape\":[],\"data_offsets\":[6,8]}}",
    "{" A ",\"unknown\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[6,8]}}",
    "{\"after\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[6,8]}," A "}",
    "{\"a\":{\"shape\":[1,1,2,3],\"note\":null,\"data_offsets\":[0,6],\"dtype\":\"F8_E5M2\"}}",
};

START_TEST(a_correct_header_is_accepted)
{
    struct bytes bytes = tensors(accepted[_i], 8);
    assert_ok(read_bytes(&bytes, "a"), err);
    assert_shape(1, 2, 3);
    /* bytes 0 .. 5 are 0, 1, 2, 3, 4, 5 times 2^-16: subnormal up to 3, and 1.25 * 2^-14 */
    for (size_t i = 0; i < 6; i++) {
        assert_near(array.values[i], (double)i * 0x1p-16, 0);
    }
}
END_TEST

static const struct {
    const char *header, *message;
} refused[] = {
    {"{", "has a header that is not JSON"},
    {"{} x", "has a header that is not JSON"},
    {"{" A "," A "}", "duplicate object key"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F8_E5M2\",\"shape\":[2,3],\"data_offsets\":[0,6]}}",
     "duplicate object key"},
    {"{\"\xFF\":1," A "}", "has a header that is not JSON"},
    {"{\"a\\u0000b\":1," A "}", "has a header that is not JSON"},
    {"{\"a\":[]}", "array:a' is not described by dtype, shape and data_offsets"},
    {"{\"b\":7," A "}", "array:b' is not described"},
    {"{\"a\":{\"dtype\":3,\"shape\":[2,3],\"data_offsets\":[0,6]}}", "is not described"},
    {"{\"a\":{\"dtype\":\"F8_E5M2\",\"data_offsets\":[0,6]}}", "is not described"},
    {ENTRY("F8_E5M2", "[2,-3]", "[0,6]"), "is not described"},
    {ENTRY("F8_E5M2", "[2,3.0]", "[0,6]"), "is not described"},
    {ENTRY("F8_E5M2", "{}", "[0,6]"), "is not described"},
    {ENTRY("F8_E5M2", "[2,3]", "[0]"), "is not described"},
    {ENTRY("F8_E5M2", "[2,3]", "[0,3,6]"), "is not described"},
    {ENTRY("F8_E5M2", "[2,3]", "[-1,5]"), "is not described"},
    {ENTRY("F8_E5M2", "[2,99999999999999999999]", "[0,6]"), "has a header that is not JSON"},
    {ENTRY("F8_E5M2", "[2,3]", "[6,0]"), "lies at bytes 6 to 0 of 8"},
    {ENTRY("F8_E5M2", "[2,3]", "[3,9]"), "lies at bytes 3 to 9 of 8"},
    {ENTRY("F8_E5M2", "[2,3]", "[9223372036854775801,9223372036854775807]"), "lies at bytes 92"},
    {ENTRY("F8_E5M2", "[2,4]", "[0,6]"),
     "shape (2, 4) of 1 bytes each, but data_offsets give it 6"},
    {ENTRY("F16", "[2,3]", "[0,6]"), "shape (2, 3) of 2 bytes each"},
    /* 2^32 * 2^32 * 4 and 2^62 * 4 wrap to 0 in 64 bits. */
    {ENTRY("F32", "[4294967296,4294967296]", "[0,0]"), "has shape (4294967296, 4294967296)"},
    {ENTRY("F32", "[4611686018427387904,1]", "[0,0]"), "has shape (4611686018427387904, 1)"},
    {ENTRY("F8_E5M2", "[0,3]", "[0,0]"), "shape (0, 3): there is no number in it"},
    {ENTRY("F8_E5M2", "[6]", "[0,6]"), "has 1 dimension where 2 or 3 are needed"},
    {ENTRY("F8_E5M2", "[]", "[0,1]"), "has 0 dimensions"},
    {ENTRY("F8_E5M2", "[2,1,3,1]", "[0,6]"), "has 4 dimensions"},
    {ENTRY("X\\u001b[2J", "[2,3]", "[0,6]"), "type 'X?[2J' is not supported"},
    {"{" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[5,7]}}",
     "the tensors 'a' and 'b' overlap"},
    {"{\"b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}," A "}", "overlap"},
    {"{\"b\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[2,3]}," A "}", "overlap"},
};

START_TEST(a_header_that_lies_is_refused)
{
    struct bytes bytes = tensors(refused[_i].header, 8);
    ck_assert(!read_bytes(&bytes, "a"));
    assert_error(err, ERROR_INPUT, refused[_i].message);
}
END_TEST

START_TEST(a_header_length_that_lies_takes_no_memory)
{
    static const uint64_t lengths[] = {3, 1 << 30, INT64_MAX, UINT64_MAX, UINT64_MAX - 7};
    for (size_t i = 0; i < 5; i++) {
        struct bytes bytes = {.size = 0};
        add_little_endian(&bytes, lengths[i], 8);
        add(&bytes, "{}", 2);
        ck_assert(!read_bytes(&bytes, "a"));
        assert_error(err, ERROR_INPUT, "but only 2 follow");
    }
    struct bytes none = {.size = 0};
    add_little_endian(&none, 0, 8);
    add(&none, "{}", 2);
    ck_assert(!read_bytes(&none, "a"));
    assert_error(err, ERROR_INPUT, "has a header that is not JSON");
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    static char header[12000];
    const size_t depth = 5000;
    strcpy(header, "{\"a\":");
    memset(header + 5, '[', depth);
    memset(header + 5 + depth, ']', depth);
    strcpy(header + 5 + 2 * depth, "}");
    struct bytes bytes = tensors(header, 0);
    ck_assert(!read_bytes(&bytes, "a"));
    assert_error(err, ERROR_INPUT, "maximum parsing depth reached");
}
END_TEST

START_TEST(a_file_cut_anywhere_is_refused)
{
    struct bytes whole = tensors("{" A "}", 6);
    assert_ok(read_bytes(&whole, "a"), err);
    for (size_t size = 0; size < whole.size; size++) {
        struct bytes cut = whole;
        cut.size = size;
        ck_assert(!read_bytes(&cut, "a"));
        assert_error(err, ERROR_INPUT,
                     size < 9                ? "is not a .npy, HDF5 or safetensors file"
                     : size < whole.size - 6 ? "claims a header of"
                                             : "lies at bytes 0 to 6");
    }
}
END_TEST

START_TEST(random_damage_is_survived)
{
    struct bytes whole = load(REFERENCE "model.safetensors");
    int good = survive_mutations(&whole, "single", 2000);
    ck_assert_int_gt(good, 100);
    ck_assert_int_lt(good, 1900);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrays/safetensors");
    TCase *cases = tcase_create("safetensors");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, tensors_written_with_numpy_are_read);
    tcase_add_test(cases, bytes_of_either_kind_are_read);
    tcase_add_test(cases, a_missing_name_is_explained);
    tcase_add_loop_test(cases, a_correct_header_is_accepted, 0,
                        sizeof accepted / sizeof accepted[0]);
    tcase_add_loop_test(cases, a_header_that_lies_is_refused, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(cases, a_header_length_that_lies_takes_no_memory);
    tcase_add_test(cases, deep_nesting_is_refused);
    tcase_add_test(cases, a_file_cut_anywhere_is_refused);
    tcase_add_test(cases, random_damage_is_survived);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
