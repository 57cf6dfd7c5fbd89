/* SPDX-License-Identifier: MIT */
/* Where an array lies: paths with colons, kinds told from the content, what is not a file; and
 * arrays/shape and arrays/datasets, which say what is wrong with it. */
#include "array_fixture.h"

#include "arrays/array_internal.h"

#include <sys/stat.h>
#include <unistd.h>

static bool read_at(const char *path, const char *rest)
{
    char location[600];
    snprintf(location, sizeof location, "%s%s", path, rest);
    err = (struct error)ERROR_INIT;
    return array_read(location, &arena, &array, &err);
}

static const char *copy_of(const char *reference, const char *name)
{
    const struct bytes bytes = load(reference);
    return support_file(name, bytes.data, bytes.size);
}

START_TEST(the_kind_is_told_from_the_content)
{
    assert_ok(read_at(copy_of(REFERENCE "heads.npy", "a.h5"), ""), err);
    assert_eighths(0);
    assert_ok(read_at(copy_of(REFERENCE "arrays.h5", "a.npy"), ":packed"), err);
    assert_eighths(0);
    assert_ok(read_at(copy_of(REFERENCE "model.safetensors", "a"), ":single"), err);
    assert_eighths(0);
}
END_TEST

START_TEST(the_longest_beginning_that_names_a_file_is_the_path)
{
    assert_ok(read_at(copy_of(REFERENCE "heads.npy", "b:single"), ""), err);
    assert_shape(2, 3, 4);
    const char *shorter = copy_of(REFERENCE "model.safetensors", "b");
    assert_ok(read_at(shorter, ":double"), err);
    assert_shape(1, 3, 4);
    assert_ok(read_at(shorter, ":single"), err); /* still the file b:single */
    ck_assert(!read_at(shorter, ":single:x"));
    assert_error(err, ERROR_INPUT,
                 "b:single' is a .npy file, which holds one array; leave out ':x'");
}
END_TEST

START_TEST(what_names_no_file_is_said)
{
    static const char *const locations[] = {"no/such.npy", "no/such.h5:x", ":", "", "::x"};
    for (size_t i = 0; i < 5; i++) {
        err = (struct error)ERROR_INIT;
        ck_assert(!array_read(locations[i], &arena, &array, &err));
        char wanted[64];
        snprintf(wanted, sizeof wanted, "no file '%s'", locations[i]);
        assert_error(err, ERROR_INPUT, wanted);
    }
}
END_TEST

static void assert_refused(const char *path, const char *rest, const char *message)
{
    ck_assert(!read_at(path, rest));
    assert_error(err, ERROR_INPUT, message);
}

START_TEST(folders_pipes_and_devices_are_refused_at_once)
{
    const char *pipe = support_path("pipe");
    ck_assert(mkfifo(pipe, 0600) == 0);
    assert_refused(support_folder(), "", "is a folder, not a file");
    assert_refused(pipe, "", "is not a regular file");
    assert_refused(pipe, ":x", "is not a regular file");
    assert_refused("/dev/zero", "", "'/dev/zero' is not a regular file");
}
END_TEST

START_TEST(other_files_are_refused_with_the_way_out)
{
    assert_refused(support_file("empty", "", 0), ":x", "is not a .npy, HDF5 or safetensors file");
    assert_refused(support_file("text", "1 2 3\n4 5 6\n", 12), "", "numpy.save(path, array)");
    assert_refused(support_file("zip", "PK\x03\x04 and so on", 14), "", "is a zip archive");
}
END_TEST

/* A hole of 2 GiB takes no space. */
START_TEST(a_file_beyond_the_limit_is_not_read)
{
    const char *path = support_file("large.npy", "\x93NUMPY\x01\x00", 8);
    ck_assert(truncate(path, (off_t)1 << 31) == 0);
    ck_assert(!read_at(path, ""));
    assert_error(err, ERROR_INPUT, "is larger than 1073741824 bytes, the limit");
}
END_TEST

START_TEST(the_same_values_have_the_same_digest_wherever_they_lie)
{
    char digest[HASH_HEX_SIZE];
    assert_ok(read_at(REFERENCE "arrays.h5", ":packed"), err);
    memcpy(digest, array.digest, sizeof digest);
    assert_ok(read_at(REFERENCE "model.safetensors", ":single"), err);
    ck_assert_str_eq(array.digest, digest);
    assert_ok(read_at(REFERENCE "model.safetensors", ":double"), err);
    ck_assert_str_ne(array.digest, digest);
}
END_TEST

START_TEST(the_digest_knows_the_shape)
{
    const double values[6] = {1, 2, 3, 4, 5, 6};
    struct array wide = {.planes = 1, .rows = 2, .columns = 3, .values = values};
    struct array tall = {.planes = 1, .rows = 3, .columns = 2, .values = values};
    array_digest(&wide);
    array_digest(&tall);
    ck_assert_str_ne(wide.digest, tall.digest);
    /* python: h = hashlib.sha256; h(struct.pack('<3Q', 1, 2, 3) +
     * h(struct.pack('<6d', 1, 2, 3, 4, 5, 6)).digest()).hexdigest() */
    ck_assert_str_eq(wide.digest,
                     "87ba651eda2daf83432e028caf1604082240cb3b5540b9b0de83641146f58d76");
}
END_TEST

START_TEST(a_long_shape_is_cut)
{
    struct array_shape shape = {.rank = ARRAY_RANK_MAX};
    char text[ARRAY_SHAPE_TEXT];
    for (size_t i = 0; i < shape.rank; i++) {
        shape.size[i] = UINT64_MAX;
    }
    array_shape_text(&shape, text);
    ck_assert_uint_lt(strlen(text), ARRAY_SHAPE_TEXT);
    ck_assert_str_eq(text + strlen(text) - 6, ", ...)");
    shape.rank = 1;
    ck_assert_str_eq(array_shape_text(&shape, text), "(18446744073709551615,)");
}
END_TEST

START_TEST(missing_names_are_listed_and_the_nearest_is_offered)
{
    static const char *list[25];
    for (size_t i = 0; i < 25; i++) {
        list[i] = i == 24 ? "query" : "k\x1B[2J";
    }
    struct array_names names = {.names = list, .count = 25};
    ck_assert(!array_no_dataset("m.h5", "qeury", &names, &arena, &err));
    assert_error(err, ERROR_INPUT, "no dataset 'qeury' in 'm.h5'; did you mean 'query'? it holds ");
    assert_error(err, ERROR_INPUT, "'k?[2J' and 5 more");
    err = (struct error)ERROR_INIT;
    names.count = 0;
    ck_assert(!array_no_dataset("m.h5", NULL, &names, &arena, &err));
    assert_error(err, ERROR_INPUT, "name one as 'm.h5:DATASET'");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrays/array");
    TCase *cases = tcase_create("array");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, the_kind_is_told_from_the_content);
    tcase_add_test(cases, the_longest_beginning_that_names_a_file_is_the_path);
    tcase_add_test(cases, what_names_no_file_is_said);
    tcase_add_test(cases, folders_pipes_and_devices_are_refused_at_once);
    tcase_add_test(cases, other_files_are_refused_with_the_way_out);
    tcase_add_test(cases, a_file_beyond_the_limit_is_not_read);
    tcase_add_test(cases, the_same_values_have_the_same_digest_wherever_they_lie);
    tcase_add_test(cases, the_digest_knows_the_shape);
    tcase_add_test(cases, a_long_shape_is_cut);
    tcase_add_test(cases, missing_names_are_listed_and_the_nearest_is_offered);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
