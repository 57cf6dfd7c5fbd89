/* SPDX-License-Identifier: MIT */
/* The results file as bytes: what goes in comes out, the same set gives the same bytes, and the
 * programs that users have can read it. */
#include "sample.h"
#include "bare_arena.h"

#include "base/files.h"
#include "store/reader.h"
#include "store/writer.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

/* A results file in memory. */
struct image {
    const void *bytes;
    size_t size;
};

static struct image image_of(const struct result_set *set)
{
    struct error err = ERROR_INIT;
    struct image image;
    assert_ok(writer_image(set, &arena, &image.bytes, &image.size, &err), err);
    return image;
}

static void write_set(const char *path, const struct result_set *set)
{
    struct error err = ERROR_INIT;
    const struct image image = image_of(set);
    assert_ok(files_replace(path, image.bytes, image.size, &err), err);
}

static struct result_set read_set(const char *path)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    assert_ok(reader_read(path, &arena, &set, &err), err);
    return set;
}

static struct result read_first(const char *path)
{
    struct result_set set = read_set(path);
    return *row_at(&set, 0);
}

/* Writes the sample of so many rows, reads it and finds each row equal. */
static struct result_set sample_comes_back(const char *name, size_t count)
{
    struct result_set set = sample_set_of(count, &arena);
    const char *path = support_path(name);
    write_set(path, &set);
    struct result_set back = read_set(path);
    ck_assert_uint_eq(back.count, count);
    for (size_t row = 0; row < count; row++) {
        ck_assert_msg(rows_equal(row_at(&set, row), row_at(&back, row)), "row %zu differs", row);
    }
    return back;
}

START_TEST(every_value_comes_back_as_it_was)
{
    struct result_set back = sample_comes_back("every.h5", 40);
    const struct result *failed = row_at(&back, 5);
    ck_assert_int_eq(failed->status, RESULT_FAILED);
    ck_assert_str_eq(failed->message, "failed: 'ü'\nsecond line\ttab 5");
    ck_assert_str_eq(row_at(&back, 0)->message, "");
    ck_assert_str_eq(row_at(&back, 0)->run.corpus, "größe→ 'x' 0");
    ck_assert_str_eq(row_at(&back, 0)->run.corpus_digest, "sha 0");
    ck_assert_ptr_null(row_at(&back, 3)->run.corpus);
    ck_assert_str_eq(back.name, "sample");
    ck_assert_str_eq(back.title, "A sample: größe");
    ck_assert_str_eq(back.sweep_text, "rowmax: 1\nname: sample\n# größe\n");
    ck_assert_int_eq(back.planned, 40);
    ck_assert_uint_eq(back.provenance_count, 2);
    ck_assert_str_eq(back.provenance[1].name, "cpu");
    ck_assert_str_eq(back.provenance[1].value, "Zürich 9000");
}
END_TEST

START_TEST(special_numbers_keep_their_bits)
{
    struct result_set set = sample_set_of(1, &arena);
    struct result row = *row_at(&set, 0);
    row.measurement.score_std = -(double)INFINITY;
    row.measurement.input_std = -0.0;
    row.measurement.input_rms = 5e-324;
    row.measurement.row_max_mean = (double)NAN;
    row.index = -1;
    row.key = UINT64_MAX;
    set.whole = &row;
    const char *path = support_path("special.h5");
    write_set(path, &set);
    struct result back = read_first(path);
    ck_assert(back.measurement.score_std == -(double)INFINITY);
    ck_assert(back.measurement.input_std == 0 && signbit(back.measurement.input_std));
    ck_assert(back.measurement.input_rms == 5e-324);
    ck_assert(isnan(back.measurement.row_max_mean));
    ck_assert_int_eq(back.index, -1);
    ck_assert_uint_eq(back.key, UINT64_MAX);
}
END_TEST

START_TEST(kept_matrices_come_back_at_their_own_size)
{
    struct result_set set = sample_set_of(12, &arena);
    const char *path = support_path("kept.h5");
    write_set(path, &set);
    struct result_set back = read_set(path);
    ck_assert_uint_eq(row_at(&back, 1)->kept.tokens, 2);
    assert_near(row_at(&back, 1)->kept.scores[2], 2.0 / 7, 0);
    ck_assert(row_at(&back, 1)->kept.scores[3] == -(double)INFINITY);
    assert_near(row_at(&back, 1)->kept.weights[3], 0.25, 0);
    ck_assert_str_eq(row_at(&back, 1)->kept.words, "the cat chased 2");
    ck_assert_uint_eq(row_at(&back, 11)->kept.tokens, 4);
    assert_near(row_at(&back, 11)->kept.scores[15], 15.0 / 7, 0);
    ck_assert_ptr_null(row_at(&back, 11)->kept.weights);
    ck_assert_ptr_null(row_at(&back, 6)->kept.scores);
    ck_assert_ptr_null(row_at(&back, 0)->kept.words);
}
END_TEST

START_TEST(matrices_with_other_queries_than_tokens_come_back)
{
    static const size_t shapes[4][2] = {{3, 5}, {6, 2}, {1, 1}, {1, 7}};
    struct result_set set = sample_set_of(4, &arena);
    struct result rows[4];
    for (size_t i = 0; i < 4; i++) {
        rows[i] = *row_at(&set, i);
        sample_keep_shape(&rows[i], shapes[i][0], shapes[i][1], i != 2, i != 1, &arena);
    }
    set.whole = rows;
    const char *path = support_path("rectangles.h5");
    write_set(path, &set);
    struct result_set back = read_set(path);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(row_at(&back, i)->kept.queries, shapes[i][0]);
        ck_assert_uint_eq(row_at(&back, i)->kept.tokens, shapes[i][1]);
        ck_assert_msg(rows_equal(&rows[i], row_at(&back, i)), "row %zu differs", i);
    }
    /* Row 2 of the (3, 5) matrix begins at its eleventh number. */
    assert_near(row_at(&back, 0)->kept.scores[10], 10.0 / 7, 0);
}
END_TEST

START_TEST(a_matrix_larger_than_a_chunk_comes_back)
{
    struct result_set set = sample_set_of(1, &arena);
    struct result row = *row_at(&set, 0);
    sample_keep(&row, 300, true, true, &arena);
    set.whole = &row;
    const char *path = support_path("large.h5");
    write_set(path, &set);
    struct result back = read_first(path);
    ck_assert(rows_equal(&row, &back));
    assert_near(back.kept.scores[89999], 89999.0 / 7, 0);
}
END_TEST

START_TEST(too_many_kept_matrices_are_refused_with_a_remedy)
{
    /* 40 scores of 4096 tokens would be 5 GiB; none is read before the refusal. */
    static const double one = 1;
    struct result_set set = sample_set_of(40, &arena);
    struct result *rows = arena_alloc(&arena, 40, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.whole, 40 * sizeof *rows);
    for (size_t i = 0; i < 40; i++) {
        rows[i].kept = (struct kept){.queries = 4096, .tokens = 4096, .scores = &one};
    }
    set.whole = rows;
    struct error err = ERROR_INIT;
    const void *bytes;
    size_t size;
    ck_assert(!writer_image(&set, &arena, &bytes, &size, &err));
    assert_error(err, ERROR_FILE, "40 runs would take 5.0 GiB, more than 2; keep fewer");
}
END_TEST

START_TEST(a_set_without_rows_is_a_file)
{
    struct result_set set = sample_set_of(0, &arena);
    set.planned = 768;
    const char *path = support_path("none.h5");
    write_set(path, &set);
    struct result_set back = read_set(path);
    ck_assert_uint_eq(back.count, 0);
    ck_assert_int_eq(back.planned, 768);
    ck_assert_str_eq(back.name, "sample");
}
END_TEST

START_TEST(three_thousand_rows_come_back)
{
    struct result_set back = sample_comes_back("many.h5", 3000);
    ck_assert_int_eq(row_at(&back, 2997)->index, 2997);
}
END_TEST

static void assert_same_bytes(struct image first, struct image second)
{
    ck_assert_uint_eq(first.size, second.size);
    ck_assert_mem_eq(first.bytes, second.bytes, first.size);
}

START_TEST(the_same_set_at_another_time_gives_the_same_bytes)
{
    struct result_set set = sample_set_of(40, &arena);
    struct image image = image_of(&set);
    sleep(2);
    /* From other addresses as well. */
    struct result_set again = sample_set_of(40, &arena);
    assert_same_bytes(image, image_of(&again));
}
END_TEST

START_TEST(a_set_read_back_gives_the_same_bytes)
{
    struct result_set set = sample_set_of(40, &arena);
    const char *path = support_path("again.h5");
    struct image image = image_of(&set);
    write_set(path, &set);
    struct result_set back = read_set(path);
    assert_same_bytes(image, image_of(&back));
}
END_TEST

START_TEST(fields_without_a_meaning_for_the_source_are_missing)
{
    struct result_set set = sample_set_of(1, &arena);
    struct result row = *row_at(&set, 0);
    row.run.source = SOURCE_GAUSSIAN;
    row.run.corpus = "left over";
    row.run.power = 0.25;
    set.whole = &row;
    const char *path = support_path("gaussian.h5");
    write_set(path, &set);
    struct result back = read_first(path);
    ck_assert_ptr_null(back.run.corpus);
    assert_near(back.run.power, run_default().power, 0);
    ck_assert_int_eq(back.run.source, SOURCE_GAUSSIAN);
}
END_TEST

START_TEST(a_run_field_named_like_a_measure_gets_its_own_column)
{
    char name[WRITER_NAME_SIZE];
    ck_assert_str_eq(writer_column_name(RUN_TOKENS, name), "tokens_requested");
    ck_assert_str_eq(writer_column_name(RUN_SEED, name), "seed");
}
END_TEST

START_TEST(h5py_and_xarray_read_it)
{
    struct result_set set = sample_set_of(40, &arena);
    struct result_set none = sample_set_of(0, &arena);
    const char *path = support_path("python.h5");
    const char *empty = support_path("python-empty.h5");
    char command[2048];
    write_set(path, &set);
    write_set(empty, &none);
    /* The interpreter is another program: what a sanitizer preloads into this one is not for it. */
    snprintf(command, sizeof command,
             "env -u LD_PRELOAD -u ASAN_OPTIONS /usr/bin/python3 "
             "'%s/tests/unit/store/read_with_python.py' '%s' '%s' >&2",
             TEST_SOURCE_DIR, path, empty);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* A set of 7 rows whose columns hold what a file can hold, and of which all are alike in some. */
static struct result *plain_rows(struct result_set *set)
{
    struct error err = ERROR_INIT;
    struct result *rows = arena_alloc(&arena, 7, sizeof *rows, &err);
    for (size_t row = 0; rows != NULL && row < 7; row++) {
        rows[row] = sample_result(row, &arena);
        rows[row].run.seed = (int64_t)row;
        rows[row].run.softcap = 3;
    }
    *set = sample_set_of(7, &arena);
    set->whole = rows;
    ck_assert(rows != NULL);
    return rows;
}

/* The file that is written is compared with the set; any difference must be seen. */
START_TEST(a_file_that_differs_from_the_set_is_seen)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    const char *path = support_path("differs.h5");
    struct result *rows = plain_rows(&set);
    write_set(path, &set);
    assert_ok(writer_check(path, &set, &err), err);
    const struct result before = rows[3];
    for (size_t change = 0; change < 9 + RUN_FIELD_COUNT + MEASUREMENT_FIELD_COUNT; change++) {
        struct result_set other = set;
        size_t field = change - 9;
        rows[3] = before;
        switch (change) {
        case 0:
            rows[3].index = 4;
            break;
        case 1:
            rows[3].key++;
            break;
        case 2:
            rows[3].status = RESULT_FAILED;
            break;
        case 3:
            rows[3].message = "another";
            break;
        case 4:
            rows[3].run.given ^= 4;
            break;
        case 5:
            rows[3].lacking = 2;
            break;
        case 6:
            other.title = "another";
            break;
        case 7:
            other.count = 6;
            break;
        case 8:
            rows[0].run.corpus_digest = "another";
            break;
        default:
            if (field < RUN_FIELD_COUNT) {
                sample_set(&run_fields[field], &rows[3].run, 1, field, &arena);
            } else {
                field -= RUN_FIELD_COUNT;
                sample_set(&measurement_fields[field], &rows[3].measurement, 5, field, &arena);
            }
        }
        bool same = change >= 9 && rows_equal(&rows[3], &before);
        err.code = ERROR_NONE;
        /* Fields without a meaning for the row are columns as well. */
        bool good = writer_check(path, &other, &err);
        ck_assert_msg(!good || same, "change %zu", change);
        ck_assert(good || strstr(err.message, "does not read back as it was written") != NULL);
        rows[0].run.corpus_digest = "sha 0";
    }
}
END_TEST

START_TEST(a_file_without_its_seal_is_not_what_was_written)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    size_t size;
    const char *path = support_path("unsealed.h5");
    plain_rows(&set);
    write_set(path, &set);
    char *bytes = files_read(path, 1 << 24, &arena, &size, &err);
    ck_assert(bytes != NULL);
    support_file("unsealed.h5", bytes, size - 80);
    ck_assert(!writer_check(path, &set, &err));
    bytes[size / 2] ^= 1;
    support_file("unsealed.h5", bytes, size);
    err.code = ERROR_NONE;
    ck_assert(!writer_check(path, &set, &err));
}
END_TEST

/* Rows of the plan lack what the sweep did not ask for; one that is older lacks more. */
START_TEST(measures_that_are_lacking_have_no_column)
{
    const uint64_t entropy = UINT64_C(1) << MEASURE_ENTROPY_MEAN;
    const uint64_t logit = UINT64_C(1) << MEASURE_MAX_LOGIT;
    struct result_set set;
    struct result *rows = plain_rows(&set);
    const char *path = support_path("lacking.h5");
    set.lacking = entropy;
    for (size_t row = 0; row < 7; row++) {
        rows[row].lacking = row == 6 ? entropy | logit : entropy;
        measurement_blank(&rows[row].measurement, rows[row].lacking);
    }
    write_set(path, &set);
    struct result_set back = read_set(path);
    ck_assert_uint_eq(back.lacking, entropy);
    for (size_t row = 0; row < 7; row++) {
        ck_assert_uint_eq(result_lacking(&back, row), row == 6 ? entropy | logit : entropy);
        ck_assert(isnan(row_at(&back, row)->measurement.entropy_mean));
    }
    ck_assert_uint_eq(rows_equal_until(&set, &back), 7);
}
END_TEST

static Suite *writer_suite(void)
{
    Suite *suite = suite_create("store/writer");
    TCase *cases = tcase_create("writer");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, every_value_comes_back_as_it_was);
    tcase_add_test(cases, special_numbers_keep_their_bits);
    tcase_add_test(cases, kept_matrices_come_back_at_their_own_size);
    tcase_add_test(cases, matrices_with_other_queries_than_tokens_come_back);
    tcase_add_test(cases, a_matrix_larger_than_a_chunk_comes_back);
    tcase_add_test(cases, too_many_kept_matrices_are_refused_with_a_remedy);
    tcase_add_test(cases, a_set_without_rows_is_a_file);
    tcase_add_test(cases, three_thousand_rows_come_back);
    tcase_add_test(cases, the_same_set_at_another_time_gives_the_same_bytes);
    tcase_add_test(cases, a_set_read_back_gives_the_same_bytes);
    tcase_add_test(cases, fields_without_a_meaning_for_the_source_are_missing);
    tcase_add_test(cases, a_run_field_named_like_a_measure_gets_its_own_column);
    tcase_add_test(cases, h5py_and_xarray_read_it);
    tcase_add_test(cases, a_file_that_differs_from_the_set_is_seen);
    tcase_add_test(cases, a_file_without_its_seal_is_not_what_was_written);
    tcase_add_test(cases, measures_that_are_lacking_have_no_column);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(writer_suite());
}
