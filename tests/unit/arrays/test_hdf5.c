/* SPDX-License-Identifier: MIT */
/* HDF5 files made here and by h5py, links and layouts that lead elsewhere, and damage. */
#define H5_USE_110_API
#include <hdf5.h>

#include "array_fixture.h"

static const double four[4] = {1, 2, 3, 4};

static hid_t new_file(const char *name)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fcreate(support_path(name), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    ck_assert(file >= 0);
    return file;
}

/* A 2 x 2 dataset of the type; the values, if any, are doubles or of the type itself. */
static void add_dataset(hid_t file, const char *name, hid_t type, hid_t creation,
                        const void *values, hid_t memory)
{
    const hsize_t size[2] = {2, 2};
    hid_t space = H5Screate_simple(2, size, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ck_assert(dataset >= 0);
    if (values != NULL) {
        ck_assert(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    H5Dclose(dataset);
    H5Sclose(space);
}

static bool read_from(const char *file, const char *dataset)
{
    char location[600];
    snprintf(location, sizeof location, "%s:%s", support_path(file), dataset);
    err = (struct error)ERROR_INIT;
    return array_read(location, &arena, &array, &err);
}

static void assert_four(void)
{
    assert_shape(1, 2, 2);
    for (size_t i = 0; i < 4; i++) {
        assert_near(array.values[i], four[i], 0);
    }
}

START_TEST(datasets_written_by_h5py_are_read)
{
    struct bytes bytes = load(REFERENCE "arrays.h5");
    assert_ok(read_bytes(&bytes, "packed"), err);
    assert_shape(2, 3, 4);
    assert_eighths(0);
    assert_ok(read_bytes(&bytes, "layers/0/single"), err);
    assert_shape(1, 3, 4);
    assert_eighths(0);
    assert_ok(read_bytes(&bytes, "edges"), err);
    assert_edges();
    assert_ok(read_bytes(&bytes, "/layers/0/counts"), err);
    assert_shape(1, 2, 2);
    assert_near(array.values[0], -300, 0);
    assert_near(array.values[3], 4, 0);
}
END_TEST

START_TEST(numbers_of_any_size_become_doubles)
{
    const hid_t types[] = {H5T_STD_I8LE,   H5T_STD_U8BE,      H5T_STD_I16LE,  H5T_STD_U32BE,
                           H5T_STD_I64LE,  H5T_STD_U64BE,     H5T_IEEE_F32BE, H5T_IEEE_F64LE,
                           H5T_IEEE_F64BE, H5T_NATIVE_LDOUBLE};
    const size_t count = sizeof types / sizeof types[0];
    hid_t file = new_file("types.h5");
    for (size_t i = 0; i < count; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        add_dataset(file, name, types[i], H5P_DEFAULT, four, H5T_NATIVE_DOUBLE);
    }
    H5Fclose(file);
    for (size_t i = 0; i < count; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        assert_ok(read_from("types.h5", name), err);
        assert_four();
    }
}
END_TEST

START_TEST(every_layout_and_built_in_filter_is_read)
{
    const hsize_t chunk[2] = {2, 1};
    hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
    hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(compact, H5D_COMPACT);
    H5Pset_chunk(packed, 2, chunk);
    H5Pset_nbit(packed);
    H5Pset_shuffle(packed);
    H5Pset_deflate(packed, 9);
    H5Pset_fletcher32(packed);
    hid_t file = new_file("layouts.h5");
    add_dataset(file, "compact", H5T_IEEE_F64LE, compact, four, H5T_NATIVE_DOUBLE);
    add_dataset(file, "packed", H5T_IEEE_F64LE, packed, four, H5T_NATIVE_DOUBLE);
    H5Pclose(compact);
    H5Pclose(packed);
    H5Fclose(file);
    assert_ok(read_from("layouts.h5", "compact"), err);
    assert_four();
    assert_ok(read_from("layouts.h5", "packed"), err);
    assert_four();
}
END_TEST

START_TEST(values_that_are_no_numbers_are_refused)
{
    hid_t compound = H5Tcreate(H5T_COMPOUND, 8);
    hid_t enumerated = H5Tenum_create(H5T_NATIVE_INT8);
    hid_t text = H5Tcopy(H5T_C_S1);
    const int8_t one = 1;
    H5Tinsert(compound, "x", 0, H5T_NATIVE_DOUBLE);
    H5Tenum_insert(enumerated, "one", &one);
    H5Tset_size(text, H5T_VARIABLE);
    const struct {
        hid_t type;
        const char *message;
    } cases[] = {{compound, "are compounds; numbers are needed"},
                 {enumerated, "are enumerated or booleans"},
                 {text, "are texts"},
                 {H5T_STD_REF_OBJ, "are references"},
                 {H5T_STD_B8LE, "are bit fields"}};
    hid_t file = new_file("classes.h5");
    for (size_t i = 0; i < 5; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        add_dataset(file, name, cases[i].type, H5P_DEFAULT, NULL, 0);
    }
    H5Fclose(file);
    for (size_t i = 0; i < 5; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        ck_assert(!read_from("classes.h5", name));
        assert_error(err, ERROR_INPUT, cases[i].message);
    }
    H5Tclose(compound);
    H5Tclose(enumerated);
    H5Tclose(text);
}
END_TEST

/* The other file exists and holds what is asked for: only the refusal keeps it unread. */
START_TEST(no_other_file_is_read)
{
    const hsize_t size[2] = {2, 2};
    char other[512];
    snprintf(other, sizeof other, "%s", support_path("other.h5"));
    hid_t file = new_file("other.h5");
    add_dataset(file, "x", H5T_IEEE_F64LE, H5P_DEFAULT, four, H5T_NATIVE_DOUBLE);
    H5Fclose(file);
    hid_t space = H5Screate_simple(2, size, NULL);
    hid_t external = H5Pcreate(H5P_DATASET_CREATE);
    hid_t virtual = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(external, other, 0, sizeof four);
    H5Pset_virtual(virtual, space, other, "x", space);
    file = new_file("links.h5");
    H5Lcreate_external(other, "/x", file, "link", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/link", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    add_dataset(file, "external", H5T_IEEE_F64LE, external, NULL, 0);
    add_dataset(file, "virtual", H5T_IEEE_F64LE, virtual, NULL, 0);
    H5Fclose(file);
    H5Pclose(external);
    H5Pclose(virtual);
    H5Sclose(space);
    assert_ok(read_from("other.h5", "x"), err);
    ck_assert(!read_from("links.h5", "link"));
    assert_error(err, ERROR_INPUT, "links.h5:link' is a link to another file; name that file");
    ck_assert(!read_from("links.h5", "soft"));
    assert_error(err, ERROR_INPUT, "links.h5:soft' is a link to another file");
    ck_assert(!read_from("links.h5", "external"));
    assert_error(err, ERROR_INPUT, "takes its values from other files");
    ck_assert(!read_from("links.h5", "virtual"));
    assert_error(err, ERROR_INPUT, "takes its values from other files");
}
END_TEST

START_TEST(a_filter_from_outside_is_refused)
{
    const hsize_t chunk[2] = {2, 2};
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    H5Pset_filter(creation, 32001, H5Z_FLAG_OPTIONAL, 0, NULL);
    hid_t file = new_file("filter.h5");
    add_dataset(file, "x", H5T_IEEE_F64LE, creation, NULL, 0);
    H5Fclose(file);
    H5Pclose(creation);
    ck_assert(!read_from("filter.h5", "x"));
    assert_error(err, ERROR_INPUT, "packed by the filter 32001, which is not built into HDF5");
}
END_TEST

/* HDF5 would hand out zeros. */
START_TEST(values_never_written_are_refused)
{
    const hsize_t chunk[2] = {1, 2};
    const hsize_t size[2] = {2, 2};
    hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 2, chunk);
    hid_t file = new_file("holes.h5");
    add_dataset(file, "none", H5T_IEEE_F64LE, H5P_DEFAULT, NULL, 0);
    add_dataset(file, "part", H5T_IEEE_F64LE, chunked, NULL, 0);
    hid_t dataset = H5Dopen2(file, "part", H5P_DEFAULT);
    hid_t row = H5Screate_simple(2, chunk, NULL);
    hid_t all = H5Screate_simple(2, size, NULL);
    const hsize_t start[2] = {1, 0};
    H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, chunk, NULL);
    ck_assert(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, row, all, H5P_DEFAULT, four) >= 0);
    H5Sclose(row);
    H5Sclose(all);
    H5Fclose(file);
    H5Pclose(chunked);
    ck_assert(!read_from("holes.h5", "none"));
    assert_error(err, ERROR_INPUT, "is not whole: values were never written or are lost");
    ck_assert(!read_from("holes.h5", "part"));
    assert_error(err, ERROR_INPUT, "is not whole");
}
END_TEST

START_TEST(a_shape_that_the_file_cannot_hold_takes_no_memory)
{
    const hsize_t huge[2] = {(hsize_t)1 << 40, (hsize_t)1 << 20};
    const hsize_t large[2] = {1 << 13, 1 << 13};
    hid_t file = new_file("huge.h5");
    hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 2, large);
    hid_t space = H5Screate_simple(2, huge, NULL);
    H5Dclose(H5Dcreate2(file, "huge", H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
    H5Sclose(space);
    space = H5Screate_simple(2, large, NULL);
    H5Dclose(H5Dcreate2(file, "large", H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(chunked);
    H5Fclose(file);
    ck_assert(!read_from("huge.h5", "huge"));
    assert_error(err, ERROR_INPUT, "more than 134217728 numbers, the limit");
    ck_assert(!read_from("huge.h5", "large"));
    assert_error(err, ERROR_INPUT, "is not whole");
}
END_TEST

START_TEST(names_are_explained)
{
    struct bytes bytes = load(REFERENCE "arrays.h5");
    ck_assert(!read_bytes(&bytes, NULL));
    assert_error(err, ERROR_INPUT,
                 "it holds 'edges', 'layers/0/counts', 'layers/0/single', 'packed'");
    ck_assert(!read_bytes(&bytes, "pakced"));
    assert_error(err, ERROR_INPUT, "no dataset 'pakced' in");
    assert_error(err, ERROR_INPUT, "did you mean 'packed'?");
    ck_assert(!read_bytes(&bytes, "layers/0"));
    assert_error(err, ERROR_INPUT, "array:layers/0' is not a dataset; name one within it");
    ck_assert(!read_bytes(&bytes, "layers/1/single"));
    assert_error(err, ERROR_INPUT, "did you mean 'layers/0/single'?");
}
END_TEST

START_TEST(a_block_before_the_file_is_skipped)
{
    static char block[2048];
    struct bytes whole = load(REFERENCE "arrays.h5");
    struct bytes bytes = {.size = 0};
    add(&bytes, block, sizeof block);
    add(&bytes, whole.data, whole.size);
    assert_ok(read_bytes(&bytes, "packed"), err);
    assert_eighths(0);
}
END_TEST

START_TEST(a_file_cut_anywhere_is_refused)
{
    struct bytes whole = load(REFERENCE "arrays.h5");
    for (size_t size = 0; size < whole.size; size += 199) {
        struct bytes cut = whole;
        cut.size = size;
        ck_assert(!assert_survives(&cut, "packed"));
    }
}
END_TEST

START_TEST(the_cause_that_hdf5_gives_is_told)
{
    struct bytes bytes = load(REFERENCE "arrays.h5");
    bytes.size -= 8;
    ck_assert(!read_bytes(&bytes, "packed"));
    assert_error(err, ERROR_INPUT, "array': truncated file: eof = ");
}
END_TEST

START_TEST(random_damage_is_survived)
{
    struct bytes whole = load(REFERENCE "arrays.h5");
    const int good = survive_mutations(&whole, "packed", 100);
    ck_assert_int_gt(good, 5);
    ck_assert_int_lt(good, 95);
}
END_TEST

/* Only the first block of an arena is to be had. */
static void *small_blocks(size_t bytes)
{
    return bytes > 20000 ? NULL : malloc(bytes);
}

/* However long the names are, among those before the first block is full: it may end with a name or
 * with the list of them. */
START_TEST(a_list_of_datasets_that_memory_is_short_for_is_out_of_memory)
{
    for (int many = 0; many <= 64; many += 4) {
        hid_t file = new_file("many.h5");
        for (int i = 0; i < 300; i++) {
            char name[256];
            snprintf(name, sizeof name, "%03d%0*d", i, i < many ? 250 : 1, i);
            add_dataset(file, name, H5T_IEEE_F64LE, H5P_DEFAULT, NULL, -1);
        }
        H5Fclose(file);
        arena_system_alloc = small_blocks;
        bool found = read_from("many.h5", "absent");
        arena_system_alloc = malloc;
        ck_assert(!found);
        assert_error(err, ERROR_INTERNAL, "out of memory");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrays/hdf5");
    TCase *cases = tcase_create("hdf5");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, datasets_written_by_h5py_are_read);
    tcase_add_test(cases, numbers_of_any_size_become_doubles);
    tcase_add_test(cases, every_layout_and_built_in_filter_is_read);
    tcase_add_test(cases, values_that_are_no_numbers_are_refused);
    tcase_add_test(cases, no_other_file_is_read);
    tcase_add_test(cases, a_filter_from_outside_is_refused);
    tcase_add_test(cases, values_never_written_are_refused);
    tcase_add_test(cases, a_shape_that_the_file_cannot_hold_takes_no_memory);
    tcase_add_test(cases, names_are_explained);
    tcase_add_test(cases, a_block_before_the_file_is_skipped);
    tcase_add_test(cases, a_file_cut_anywhere_is_refused);
    tcase_add_test(cases, the_cause_that_hdf5_gives_is_told);
    tcase_add_test(cases, random_damage_is_survived);
    tcase_add_test(cases, a_list_of_datasets_that_memory_is_short_for_is_out_of_memory);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
