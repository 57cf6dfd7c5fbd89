/* SPDX-License-Identifier: MIT */
/* The journal: what was appended is read, a cut last record is dropped, any other damage is refused
 * and changes nothing, and journals of programs with other fields are understood. */
#include "sample.h"
#include "bare_arena.h"
#include "journal_frame.h"

#include "base/files.h"
#include "base/hash.h"
#include "store/journal.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

/* What a journal holds. */
struct taken {
    struct rows rows;
    size_t records;
    uint64_t torn;
};

/* A row until the next is asked for. */
static const struct result *taken_row(const struct taken *taken, size_t row)
{
    static struct result space[4];
    static size_t next;
    const struct result_set set = rows_set(&taken->rows);
    ck_assert_uint_lt(row, set.count);
    return result_row(&set, row, &space[next++ % 4]);
}

static bool take(void *context, const struct result *result, struct error *err)
{
    struct taken *taken = context;
    taken->records++;
    return rows_put_copy(&taken->rows, result, err);
}

static bool try_read(const char *name, struct taken *taken, struct journal *journal,
                     struct error *err)
{
    memset(taken, 0, sizeof *taken);
    rows_init(&taken->rows, &arena);
    bool good = journal_init(journal, support_path(name), false, &arena, err) &&
                journal_read(journal, take, taken, &taken->torn, err);
    return good;
}

static struct taken read_journal(const char *name)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    assert_ok(try_read(name, &taken, &journal, &err), err);
    journal_close(&journal);
    return taken;
}

static void append(const char *name, bool fresh, size_t from, size_t count)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    if (fresh) {
        assert_ok(journal_init(&journal, support_path(name), true, &arena, &err), err);
    } else {
        assert_ok(try_read(name, &taken, &journal, &err), err);
    }
    for (size_t row = from; row < from + count; row++) {
        struct result result = sample_result(row, &arena);
        if (row % 5 == 2) {
            sample_keep(&result, 3, true, true, &arena);
        }
        assert_ok(journal_append(&journal, &result, 1, &err), err);
    }
    journal_close(&journal);
}

static char *bytes_of(const char *name, size_t *size)
{
    struct error err = ERROR_INIT;
    char *bytes = files_read(support_path(name), 1 << 24, &arena, size, &err);
    ck_assert_msg(bytes != NULL, "%s", err.message);
    return bytes;
}

/* A journal holds what the results will hold, which its owner may have closed to others. */
START_TEST(it_is_open_to_those_only_whom_results_are_open_to)
{
    static const mode_t modes[] = {0600, 0640, 0644};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        ck_assert_int_eq(chmod(support_file("closed.h5", "results", 7), modes[i]), 0);
        append("closed.h5", i == 0, i, 1); /* one that is there already as well */
        struct stat status;
        ck_assert_int_eq(stat(support_path("closed.h5.journal"), &status), 0);
        ck_assert_uint_eq(status.st_mode & 0777, modes[i]);
    }
    ck_assert_uint_eq(read_journal("closed.h5").records, 3);
}
END_TEST

START_TEST(every_value_comes_back_as_it_was)
{
    const char *const name = "all.h5";
    append(name, false, 0, 50);
    struct taken taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 50);
    ck_assert_uint_eq(taken.torn, 0);
    for (size_t row = 0; row < 50; row++) {
        struct result wanted = sample_result(row, &arena);
        if (row % 5 == 2) {
            sample_keep(&wanted, 3, true, true, &arena);
        }
        ck_assert_msg(rows_equal(&wanted, taken_row(&taken, row)), "row %zu differs", row);
    }
    ck_assert_str_eq(taken_row(&taken, 5)->message, "failed: 'ü'\nsecond line\ttab 5");
    ck_assert_int_eq(taken_row(&taken, 1)->run.seed, 1000 + RUN_SEED);
    ck_assert_str_eq(taken_row(&taken, 0)->run.corpus_digest, "sha 0");
}
END_TEST

START_TEST(matrices_with_other_queries_than_tokens_come_back)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    struct result wanted[2] = {sample_result(0, &arena), sample_result(1, &arena)};
    sample_keep_shape(&wanted[0], 3, 5, true, true, &arena);
    sample_keep_shape(&wanted[1], 4, 2, false, true, &arena);
    assert_ok(try_read("rectangles.h5", &taken, &journal, &err), err);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(journal_append(&journal, &wanted[i], 1, &err), err);
    }
    journal_close(&journal);
    taken = read_journal("rectangles.h5");
    ck_assert_uint_eq(taken.records, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_msg(rows_equal(&wanted[i], taken_row(&taken, i)), "row %zu differs", i);
    }
    ck_assert_uint_eq(taken_row(&taken, 0)->kept.queries, 3);
}
END_TEST

START_TEST(no_journal_holds_nothing)
{
    struct taken taken = read_journal("nothing.h5");
    ck_assert_uint_eq(taken.records, 0);
    ck_assert_int_ne(access(support_path("nothing.h5.journal"), F_OK), 0);
}
END_TEST

START_TEST(a_second_process_goes_on_where_the_first_ended)
{
    const char *const name = "goes-on.h5";
    append(name, false, 0, 3);
    append(name, false, 3, 4);
    struct taken taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 7);
    ck_assert_int_eq(taken_row(&taken, 6)->index, 6);
}
END_TEST

START_TEST(a_fresh_start_forgets_the_old_runs_and_says_so)
{
    const char *const name = "fresh.h5";
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    append(name, false, 0, 5);
    append(name, true, 10, 2);
    append(name, false, 20, 1);
    assert_ok(try_read(name, &taken, &journal, &err), err);
    ck_assert_uint_eq(taken.records, 3);
    ck_assert_int_eq(taken_row(&taken, 0)->index, 10);
    ck_assert(journal.fresh);
    journal_close(&journal);
}
END_TEST

START_TEST(a_last_record_cut_anywhere_is_dropped)
{
    const char *const name = "cut.h5";
    size_t two;
    size_t three;
    append(name, false, 0, 2);
    bytes_of("cut.h5.journal", &two);
    append(name, false, 2, 1);
    const char *bytes = bytes_of("cut.h5.journal", &three);
    ck_assert_uint_gt(three, two + 400);
    for (size_t size = two; size < three; size++) {
        support_file("cut.h5.journal", bytes, size);
        struct taken taken = read_journal(name);
        ck_assert_msg(taken.records == 2, "%zu records of %zu bytes", taken.records, size);
        ck_assert_uint_eq(taken.torn, size - two);
    }
    /* What is appended next takes the place of the rest. */
    append(name, false, 9, 1);
    struct taken taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 3);
    ck_assert_uint_eq(taken.torn, 0);
    ck_assert_int_eq(taken_row(&taken, 2)->index, 9);
}
END_TEST

START_TEST(a_first_append_cut_anywhere_is_dropped)
{
    const char *const name = "first.h5";
    size_t size;
    append(name, false, 0, 1);
    const char *bytes = bytes_of("first.h5.journal", &size);
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 37) {
        support_file("first.h5.journal", bytes, cut);
        ck_assert_uint_eq(read_journal(name).records, 0);
    }
    append(name, false, 4, 1);
    struct taken found = read_journal(name);
    ck_assert_int_eq(taken_row(&found, 0)->index, 4);
}
END_TEST

START_TEST(a_tail_of_zeros_after_a_power_cut_is_dropped)
{
    const char *const name = "zeros.h5";
    struct error err = ERROR_INIT;
    size_t two;
    size_t four;
    append(name, false, 0, 2);
    bytes_of("zeros.h5.journal", &two);
    append(name, false, 2, 2);
    const char *bytes = bytes_of("zeros.h5.journal", &four);
    for (size_t kept = two; kept < two + 300; kept += 7) {
        char *zeroed = arena_alloc(&arena, four, 1, &err);
        ck_assert(zeroed != NULL);
        memcpy(zeroed, bytes, kept);
        support_file("zeros.h5.journal", zeroed, four);
        struct taken taken = read_journal(name);
        ck_assert_uint_eq(taken.records, 2);
        ck_assert_uint_eq(taken.torn, four - two);
    }
}
END_TEST

START_TEST(a_flipped_byte_before_the_last_record_is_refused_and_nothing_changes)
{
    const char *const name = "flipped.h5";
    size_t three;
    size_t size;
    append(name, false, 0, 3);
    bytes_of("flipped.h5.journal", &three);
    append(name, false, 3, 1);
    char *bytes = bytes_of("flipped.h5.journal", &size);
    for (size_t at = 0; at < three; at += 13) {
        struct error err = ERROR_INIT;
        struct journal journal;
        struct taken taken;
        size_t after;
        bytes[at] = (char)(bytes[at] ^ 0x10);
        support_file("flipped.h5.journal", bytes, size);
        ck_assert_msg(!try_read(name, &taken, &journal, &err), "byte %zu", at);
        journal_close(&journal);
        assert_error(err, ERROR_FILE, "is left as it is; move it away");
        ck_assert_mem_eq(bytes_of("flipped.h5.journal", &after), bytes, size);
        ck_assert_uint_eq(after, size);
        bytes[at] = (char)(bytes[at] ^ 0x10);
    }
}
END_TEST

START_TEST(another_file_of_that_name_is_refused)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    support_file("other.h5.journal", "Dear diary,\n", 12);
    ck_assert(!try_read("other.h5", &taken, &journal, &err));
    assert_error(err, ERROR_FILE, "is not a journal that this rowmax can read");
    support_file("later.h5.journal", "rowmax journal 3\n", 17);
    err.code = ERROR_NONE;
    ck_assert(!try_read("later.h5", &taken, &journal, &err));
    assert_error(err, ERROR_FILE, "is not a journal that this rowmax can read");
}
END_TEST

static void put_text(struct text *out, const char *text)
{
    record_put(out, strlen(text), 4);
    text_append_bytes(out, text, strlen(text) + 1);
}

/* A journal with the field list and one record: index 7, key 77, ok, then `values`, then scores of
 * so many tokens. */
static void write_foreign(const char *name, const char *list, const struct text *values,
                          size_t tokens)
{
    struct text file = TEXT_INIT(&arena);
    struct text record = TEXT_INIT(&arena);
    struct text head = TEXT_INIT(&arena);
    text_append_format(&head, "F0%s", list);
    text_append(&record, "R");
    record_put(&record, 7, 8);
    record_put(&record, 77, 8);
    record_put(&record, 0, 1);
    put_text(&record, "");
    text_append_bytes(&record, values->data, values->length);
    record_put(&record, tokens, 8);
    record_put(&record, UINT32_MAX, 4); /* no words */
    record_put(&record, tokens > 0, 1); /* no weights */
    for (size_t i = 0; i < tokens * tokens; i++) {
        record_put(&record, 0x3ff0000000000000U, 8); /* 1 */
    }
    text_append(&file, "rowmax journal 1\n");
    put_frame(&file, head.data, head.length);
    put_frame(&file, record.data, record.length);
    support_file(name, file.data, file.length);
}

START_TEST(fields_of_another_version_are_skipped_and_missing_ones_are_defaults)
{
    struct text values = TEXT_INIT(&arena);
    record_put(&values, 1, 1); /* given */
    record_put(&values, 1234, 8);
    record_put(&values, 1, 1);
    put_text(&values, "from the future");
    put_text(&values, "its digest");
    record_put(&values, 0, 1);
    put_text(&values, "rms");
    record_put(&values, 5, 8);
    record_put(&values, 99, 8);
    write_foreign("foreign.h5.journal",
                  "run seed integer\nrun novelty path\nrun norm choice\n"
                  "measurement gravity integer\nmeasurement nonfinite integer\n",
                  &values, 0);
    const char *const name = "foreign.h5";
    struct taken taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 1);
    const struct result *result = taken_row(&taken, 0);
    ck_assert_int_eq(result->index, 7);
    ck_assert_uint_eq(result->key, 77);
    ck_assert_int_eq(result->run.seed, 1234);
    ck_assert_int_eq(result->run.norm, NORM_RMS);
    ck_assert_int_eq(result->run.d_k, 64);
    ck_assert_uint_eq(result->run.given, UINT64_C(1) << RUN_SEED);
    ck_assert_int_eq(result->measurement.nonfinite, 99);
    ck_assert(isnan(result->measurement.entropy_mean));
    /* Appending to it states this program's fields first. */
    append(name, false, 3, 2);
    taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 3);
    ck_assert_int_eq(taken_row(&taken, 0)->run.seed, 1234);
    struct result wanted = sample_result(3, &arena);
    ck_assert(rows_equal(taken_row(&taken, 1), &wanted));
}
END_TEST

/* As journals of versions that knew square matrices only; then with a lie in its place. */
START_TEST(matrices_without_a_number_of_queries_are_square)
{
    struct text none = TEXT_INIT(&arena);
    record_put(&none, 0, 1);
    record_put(&none, 5, 8);
    write_foreign("square.h5.journal", "run seed integer\n", &none, 3);
    struct taken taken = read_journal("square.h5");
    ck_assert_uint_eq(taken.records, 1);
    ck_assert_uint_eq(taken_row(&taken, 0)->kept.queries, 3);
    assert_near(taken_row(&taken, 0)->kept.scores[8], 1, 0);
    static const uint64_t lies[] = {2, 4, UINT64_C(1) << 62, INT64_MAX};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct error err = ERROR_INIT;
        struct journal journal;
        struct text values = TEXT_INIT(&arena);
        record_put(&values, lies[i], 8);
        write_foreign("lie.h5.journal", "measurement queries integer\n", &values, 3);
        ck_assert(!try_read("lie.h5", &taken, &journal, &err));
        assert_error(err, ERROR_FILE, "does not fit its field list");
    }
}
END_TEST

START_TEST(values_that_mean_nothing_here_are_refused)
{
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    struct text values = TEXT_INIT(&arena);
    record_put(&values, 1, 1);
    put_text(&values, "batch");
    write_foreign("choice.h5.journal", "run norm choice\n", &values, 0);
    ck_assert(!try_read("choice.h5", &taken, &journal, &err));
    assert_error(err, ERROR_FILE, "its field 'norm' holds 'batch', which is not known here");
    write_foreign("kind.h5.journal", "run norm integer\n", &values, 0);
    err.code = ERROR_NONE;
    ck_assert(!try_read("kind.h5", &taken, &journal, &err));
    assert_error(err, ERROR_FILE, "its field 'norm' is of kind integer, here of kind choice");
    write_foreign("short.h5.journal", "run norm choice\nrun seed integer\n", &values, 0);
    err.code = ERROR_NONE;
    ck_assert(!try_read("short.h5", &taken, &journal, &err));
    ck_assert_int_eq(err.code, ERROR_FILE);
}
END_TEST

START_TEST(an_append_that_does_not_fit_the_disk_leaves_what_was_there)
{
    const char *const name = "full.h5";
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    struct result result = sample_result(2, &arena);
    size_t before;
    size_t after;
    append(name, false, 0, 2);
    bytes_of("full.h5.journal", &before);
    struct rlimit limit = {before + 100, RLIM_INFINITY};
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_ok(try_read(name, &taken, &journal, &err), err);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool good = journal_append(&journal, &result, 1, &err);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    ck_assert(!good);
    assert_error(err, ERROR_FILE, "full.h5.journal': File too large");
    /* With room again the journal goes on as if nothing had been. */
    struct error none = ERROR_INIT;
    assert_ok(journal_append(&journal, &result, 1, &none), none);
    journal_close(&journal);
    bytes_of("full.h5.journal", &after);
    ck_assert_uint_gt(after, before + 100);
    taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 3);
    ck_assert_uint_eq(taken.torn, 0);
}
END_TEST

START_TEST(removal_leaves_no_file)
{
    const char *const name = "removed.h5";
    struct error err = ERROR_INIT;
    struct journal journal;
    struct taken taken;
    struct result result = sample_result(4, &arena);
    append(name, false, 0, 2);
    assert_ok(try_read(name, &taken, &journal, &err), err);
    assert_ok(journal_remove(&journal, &err), err);
    ck_assert_int_ne(access(support_path("removed.h5.journal"), F_OK), 0);
    assert_ok(journal_remove(&journal, &err), err);
    assert_ok(journal_append(&journal, &result, 1, &err), err);
    journal_close(&journal);
    taken = read_journal(name);
    ck_assert_uint_eq(taken.records, 1);
    ck_assert_int_eq(taken_row(&taken, 0)->index, 4);
}
END_TEST

static Suite *journal_suite(void)
{
    Suite *suite = suite_create("store/journal");
    TCase *cases = tcase_create("journal");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, it_is_open_to_those_only_whom_results_are_open_to);
    tcase_add_test(cases, every_value_comes_back_as_it_was);
    tcase_add_test(cases, matrices_with_other_queries_than_tokens_come_back);
    tcase_add_test(cases, matrices_without_a_number_of_queries_are_square);
    tcase_add_test(cases, no_journal_holds_nothing);
    tcase_add_test(cases, a_second_process_goes_on_where_the_first_ended);
    tcase_add_test(cases, a_fresh_start_forgets_the_old_runs_and_says_so);
    tcase_add_test(cases, a_last_record_cut_anywhere_is_dropped);
    tcase_add_test(cases, a_first_append_cut_anywhere_is_dropped);
    tcase_add_test(cases, a_tail_of_zeros_after_a_power_cut_is_dropped);
    tcase_add_test(cases, a_flipped_byte_before_the_last_record_is_refused_and_nothing_changes);
    tcase_add_test(cases, another_file_of_that_name_is_refused);
    tcase_add_test(cases, fields_of_another_version_are_skipped_and_missing_ones_are_defaults);
    tcase_add_test(cases, values_that_mean_nothing_here_are_refused);
    tcase_add_test(cases, an_append_that_does_not_fit_the_disk_leaves_what_was_there);
    tcase_add_test(cases, removal_leaves_no_file);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(journal_suite());
}
