/* SPDX-License-Identifier: MIT */
/* Files that are damaged, foreign or from another version: an error that names the file and the
 * reason, or the values that are there. Never a crash, never a wrong value. */
#include "sample.h"
#include "bare_arena.h"

#include "base/files.h"
#include "store/reader.h"
#include "store/seal.h"
#include "store/writer.h"

static const char *sample_bytes;
static size_t sample_size;

static void set_up(void)
{
    struct error err = ERROR_INIT;
    const void *bytes;
    arena_set_up();
    struct result_set set = sample_set_of(40, &arena);
    assert_ok(writer_image(&set, &arena, &bytes, &sample_size, &err), err);
    sample_bytes = bytes;
}

static void assert_refused(const char *path, const char *reason)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    ck_assert_msg(!reader_read(path, &arena, &set, &err), "%s was read", path);
    assert_error(err, ERROR_FILE, reason);
    ck_assert_msg(strstr(err.message, path) != NULL, "no path in: %s", err.message);
    ck_assert_ptr_null(strchr(err.message, '\n'));
}

START_TEST(a_missing_file_is_refused)
{
    assert_refused(support_path("not-there.h5"), "No such file or directory");
}
END_TEST

START_TEST(a_folder_is_refused)
{
    assert_refused(support_folder(), "is not a file");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
    assert_refused(support_file("empty.h5", "", 0), "is empty");
}
END_TEST

START_TEST(a_text_file_is_refused)
{
    assert_refused(support_file("text.h5", "not a result", 12),
                   "text.h5' is no results file; name one that is");
}
END_TEST

START_TEST(the_signature_alone_is_refused)
{
    assert_refused(support_file("signature.h5", "\x89HDF\r\n\x1a\n", 8), "cannot read");
}
END_TEST

START_TEST(half_a_file_is_refused)
{
    assert_refused(support_file("half.h5", sample_bytes, sample_size / 2), "truncated file");
}
END_TEST

START_TEST(a_file_without_its_last_byte_is_refused)
{
    assert_refused(support_file("last.h5", sample_bytes, sample_size - 1), "truncated file");
    assert_refused(support_file("hdf5.h5", sample_bytes, sample_size - SEAL_SIZE - 1),
                   "truncated file");
}
END_TEST

START_TEST(bytes_behind_the_end_do_no_harm)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    char *longer = arena_alloc(&arena, sample_size + 10, 1, &err);
    memcpy(longer, sample_bytes, sample_size);
    const char *path = support_file("longer.h5", longer, sample_size + 10);
    assert_ok(reader_read(path, &arena, &set, &err), err);
    ck_assert_uint_eq(set.count, 40);
}
END_TEST

/* Where `what` lies in the file. */
static size_t find(const char *what, size_t length)
{
    for (size_t at = 0; at + length <= sample_size; at++) {
        if (memcmp(sample_bytes + at, what, length) == 0) {
            return at;
        }
    }
    ck_abort_msg("not in the file");
    return 0;
}

static const char *flipped(const char *name, size_t at)
{
    struct error err = ERROR_INIT;
    char *copy = arena_copy_bytes(&arena, sample_bytes, sample_size, &err);
    ck_assert(copy != NULL);
    copy[at] = (char)(copy[at] ^ 0x04);
    return support_file(name, copy, sample_size);
}

START_TEST(a_flipped_byte_in_a_column_is_seen)
{
    /* Without the seal, as after another program wrote to the file. Deflate streams begin so. */
    size_t at = find("\x78\x5e", 2) + 8;
    sample_size -= SEAL_SIZE;
    assert_refused(flipped("column.h5", at), "data error detected by Fletcher32 checksum");
}
END_TEST

START_TEST(a_flipped_byte_in_a_text_is_seen)
{
    sample_size -= SEAL_SIZE;
    assert_refused(flipped("name.h5", find("failed: '", 9)), "do not match their checksum");
    assert_refused(flipped("sweep.h5", find("name: sample", 12)), "do not match their checksum");
}
END_TEST

START_TEST(a_flipped_byte_anywhere_is_seen)
{
    /* In steps that meet superblock, headers, data, texts and seal. */
    for (size_t at = 0; at < sample_size; at += sample_size / 200) {
        if (at < sample_size - SEAL_SIZE) {
            assert_refused(flipped("flipped.h5", at), "it does not match its checksum");
        }
    }
    assert_refused(flipped("flipped.h5", sample_size - 10), "it does not match its checksum");
}
END_TEST

START_TEST(a_file_without_a_seal_is_read)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    const char *path = support_file("unsealed.h5", sample_bytes, sample_size - SEAL_SIZE);
    assert_ok(reader_read(path, &arena, &set, &err), err);
    ck_assert_int_eq(row_at(&set, 1)->run.seed, 1000 + RUN_SEED);
}
END_TEST

static const char *variant(const char *name)
{
    static bool made;
    char command[2048];
    if (!made) {
        const char *path = support_file("variants.h5", sample_bytes, sample_size);
        snprintf(command, sizeof command,
                 "env -u LD_PRELOAD -u ASAN_OPTIONS /usr/bin/python3 "
                 "'%s/tests/unit/store/damage_with_python.py' '%s' '%s' >&2",
                 TEST_SOURCE_DIR, path, support_folder());
        ck_assert_int_eq(system(command), 0);
        made = true;
    }
    return support_path(name);
}

START_TEST(files_that_do_not_fit_are_refused_with_the_reason)
{
    static const char *const cases[][2] = {
        {"foreign.h5", "an HDF5 file, but not one of rowmax"},
        {"later-format.h5", "its format is 2 and this rowmax reads format 1"},
        {"no-key.h5", "the column 'run_key' is missing"},
        {"wrong-type.h5", "the column 'seed' does not hold integers"},
        {"text-type.h5", "the column 'row_max_mean' does not hold reals"},
        {"wrong-length.h5", "the column 'd_k' has 39 values where 40 belong"},
        {"wrong-rank.h5", "the column 'd_k' has not 1 dimension"},
        {"group.h5", "cannot open the column 'd_k': not a dataset"},
        {"bad-index.h5", "the column 'corpus_index' has a value in row 0 that means nothing"},
        {"bad-choice.h5", "the column 'norm' has a value in row 7 that means nothing"},
        {"bad-status.h5", "the column 'status' has a value in row 3 that means nothing"},
        {"bad-kept.h5", "the kept matrices name rows or texts that are not there"},
        {"many-queries.h5", "'kept_scores' does not fit the columns that describe it"},
        {"external-link.h5", "cannot find the column 'd_k'"},
        {"unknown-choice.h5", "the column 'norm' has a value in row 0 that means nothing"},
        {"huge.h5", "the column 'run' claims more values than the file can hold"},
        {"too-many.h5", "the column 'run' claims more values than the file can hold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(variant(cases[i][0]), cases[i][1]);
    }
}
END_TEST

START_TEST(a_column_that_is_missing_reads_as_the_default)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(reader_read(variant("no-measure.h5"), &arena, &set, &err), err);
    ck_assert_uint_eq(set.count, 40);
    ck_assert(isnan(row_at(&set, 0)->measurement.entropy_mean));
    ck_assert_int_eq(row_at(&set, 0)->measurement.nonfinite, 0);
    ck_assert_int_eq(row_at(&set, 0)->run.window, 5);
    ck_assert_int_eq(row_at(&set, 1)->run.seed, 1000 + RUN_SEED);
}
END_TEST

/* As files of versions that knew square matrices only. */
START_TEST(kept_matrices_without_a_number_of_queries_are_square)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(reader_read(variant("no-queries.h5"), &arena, &set, &err), err);
    ck_assert_int_eq(row_at(&set, 11)->measurement.queries, 0);
    ck_assert_uint_eq(row_at(&set, 11)->kept.queries, 4);
    ck_assert_uint_eq(row_at(&set, 11)->kept.tokens, 4);
    assert_near(row_at(&set, 11)->kept.scores[15], 15.0 / 7, 0);
}
END_TEST

START_TEST(choices_are_read_by_name)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(reader_read(variant("choices-moved.h5"), &arena, &set, &err), err);
    ck_assert_int_eq(row_at(&set, 0)->run.norm, NORM_LAYER);
    ck_assert_int_eq(row_at(&set, 39)->run.norm, NORM_LAYER);
}
END_TEST

START_TEST(columns_of_a_later_version_are_left_out)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(reader_read(variant("more-columns.h5"), &arena, &set, &err), err);
    ck_assert_uint_eq(set.count, 40);
    ck_assert_uint_eq(set.provenance_count, 2);
}
END_TEST

static Suite *reader_suite(void)
{
    Suite *suite = suite_create("store/reader");
    TCase *cases = tcase_create("reader");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_missing_file_is_refused);
    tcase_add_test(cases, a_folder_is_refused);
    tcase_add_test(cases, an_empty_file_is_refused);
    tcase_add_test(cases, a_text_file_is_refused);
    tcase_add_test(cases, the_signature_alone_is_refused);
    tcase_add_test(cases, half_a_file_is_refused);
    tcase_add_test(cases, a_file_without_its_last_byte_is_refused);
    tcase_add_test(cases, bytes_behind_the_end_do_no_harm);
    tcase_add_test(cases, a_flipped_byte_in_a_column_is_seen);
    tcase_add_test(cases, a_flipped_byte_in_a_text_is_seen);
    tcase_add_test(cases, a_flipped_byte_anywhere_is_seen);
    tcase_add_test(cases, a_file_without_a_seal_is_read);
    tcase_add_test(cases, files_that_do_not_fit_are_refused_with_the_reason);
    tcase_add_test(cases, a_column_that_is_missing_reads_as_the_default);
    tcase_add_test(cases, kept_matrices_without_a_number_of_queries_are_square);
    tcase_add_test(cases, choices_are_read_by_name);
    tcase_add_test(cases, columns_of_a_later_version_are_left_out);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(reader_suite());
}
