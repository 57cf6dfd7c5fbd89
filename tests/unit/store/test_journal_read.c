/* SPDX-License-Identifier: MIT */
/* Batches, records of differences, and measures left out: what is read is what was appended. */
#include "sample.h"
#include "bare_arena.h"

#include "base/files.h"
#include "store/journal.h"

#include <math.h>

/* What the records must be: sample rows from 0 on, with these measures lacking and NaN. */
struct expected {
    const uint64_t *lacking; /* NULL: none */
    size_t records;
};

static bool compare(void *context, const struct result *result, struct error *err)
{
    struct expected *expected = context;
    size_t row = expected->records++;
    struct result wanted = sample_result(row, &arena);
    (void)err;
    wanted.lacking = expected->lacking == NULL ? 0 : expected->lacking[row];
    ck_assert_uint_eq(result->lacking, wanted.lacking);
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        if ((wanted.lacking >> m & 1) != 0) {
            value_set_real(&measurement_fields[m], &wanted.measurement, (double)NAN);
        }
    }
    ck_assert_msg(rows_equal(&wanted, result), "row %zu differs", row);
    return true;
}

static size_t read_all(const char *name, const uint64_t *lacking, struct journal *journal)
{
    struct error err = ERROR_INIT;
    struct expected expected = {.lacking = lacking};
    uint64_t torn;
    assert_ok(journal_init(journal, support_path(name), false, &arena, &err), err);
    assert_ok(journal_read(journal, compare, &expected, &torn, &err), err);
    return expected.records;
}

/* Appends the next rows as one batch; the size of the journal then. */
static size_t append(const char *name, size_t count, const uint64_t *lacking)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct result batch[8];
    size_t size;
    size_t from = read_all(name, lacking, &journal);
    for (size_t i = 0; i < count; i++) {
        batch[i] = sample_result(from + i, &arena);
        batch[i].lacking = lacking == NULL ? 0 : lacking[from + i];
    }
    assert_ok(journal_append(&journal, batch, count, &err), err);
    size = (size_t)journal.size;
    journal_close(&journal);
    return size;
}

static size_t count_all(const char *name, const uint64_t *lacking)
{
    struct journal journal;
    size_t count = read_all(name, lacking, &journal);
    journal_close(&journal);
    return count;
}

START_TEST(a_batch_cut_anywhere_keeps_its_records_before_the_cut)
{
    struct error err = ERROR_INIT;
    size_t bytes_read;
    size_t before = 1;
    size_t one = append("batch.h5", 1, NULL);
    size_t size = append("batch.h5", 4, NULL);
    const char *bytes =
        files_read(support_path("batch.h5.journal"), size, &arena, &bytes_read, &err);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    for (size_t cut = one; cut <= size; cut += cut + 11 < size ? 11 : 1) {
        support_file("batch.h5.journal", bytes, cut);
        size_t records = count_all("batch.h5", NULL);
        ck_assert_uint_ge(records, before);
        ck_assert_uint_le(records, before + 1);
        before = records;
    }
    ck_assert_uint_eq(before, 5);
}
END_TEST

static bool take_last(void *context, const struct result *result, struct error *err)
{
    (void)err;
    *(struct result *)context = *result;
    return true;
}

/* Of rows alike but for the seed and two measures, a record takes a frame of 16 bytes, a kind, the
 * name of its base, index, key, flags, 12 bytes for 93 bits, one for `given` and three values. */
START_TEST(a_record_holds_what_differs_from_the_first)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct result last;
    struct result rows[2] = {value_empty_result(), value_empty_result()};
    uint64_t torn;
    rows[1].index = 1;
    rows[1].key = 99;
    rows[1].run.seed = 4;
    rows[1].measurement.entropy_mean = -2;
    rows[1].measurement.nonfinite = 8;
    assert_ok(journal_init(&journal, support_path("differs.h5"), false, &arena, &err), err);
    assert_ok(journal_append(&journal, &rows[0], 1, &err), err);
    uint64_t one = journal.size;
    assert_ok(journal_append(&journal, &rows[1], 1, &err), err);
    ck_assert_uint_eq(RUN_FIELD_COUNT + MEASUREMENT_FIELD_COUNT, 93);
    ck_assert_uint_eq(journal.size - one, 16 + 1 + 4 + 8 + 8 + 1 + 12 + 1 + 3 * 8);
    journal_close(&journal);
    assert_ok(journal_init(&journal, support_path("differs.h5"), false, &arena, &err), err);
    assert_ok(journal_read(&journal, take_last, &last, &torn, &err), err);
    ck_assert(rows_equal(&rows[1], &last));
    journal_close(&journal);
}
END_TEST

START_TEST(measures_that_were_not_stored_are_known_as_lacking)
{
    const uint64_t entropy = UINT64_C(1) << MEASURE_ENTROPY_MEAN;
    const uint64_t logit = UINT64_C(1) << MEASURE_MAX_LOGIT;
    const uint64_t lacking[8] = {0, entropy, entropy, entropy | logit, 0, logit, logit, entropy};
    append("lacking.h5", 6, lacking);
    append("lacking.h5", 2, lacking);
    ck_assert_uint_eq(count_all("lacking.h5", lacking), 8);
}
END_TEST

START_TEST(after_a_failed_append_the_next_record_is_whole)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct result rows[2] = {sample_result(0, &arena), sample_result(1, &arena)};
    assert_ok(journal_init(&journal, support_path("again.h5"), false, &arena, &err), err);
    const char *path = journal.path;
    journal.path = support_path("none/again.h5.journal");
    ck_assert(!journal_append(&journal, &rows[0], 1, &err));
    err.code = ERROR_NONE;
    journal.path = path;
    assert_ok(journal_append(&journal, rows, 2, &err), err);
    journal_close(&journal);
    ck_assert_uint_eq(count_all("again.h5", NULL), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store/journal_read");
    TCase *cases = tcase_create("records");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, a_batch_cut_anywhere_keeps_its_records_before_the_cut);
    tcase_add_test(cases, a_record_holds_what_differs_from_the_first);
    tcase_add_test(cases, measures_that_were_not_stored_are_known_as_lacking);
    tcase_add_test(cases, after_a_failed_append_the_next_record_is_whole);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
