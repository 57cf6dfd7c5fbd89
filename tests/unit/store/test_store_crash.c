/* SPDX-License-Identifier: MIT */
/* Nothing finished is lost to a kill, a full disk or a lack of memory, and an old file stands until
 * a new one is complete. */
#include "store_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define ROWS 256

/* Appends rows from 0 on, and reports each through the pipe after it is in the store. Nothing here
 * may assert, not even in making a row: it would write into the test's own channel, and a kill
 * would leave half a message there. */
static void append_until_killed(const char *name, const struct result *rows, int report)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct store *store = store_open(support_path(name), false, &arena, &found, &err);
    for (unsigned char row = 0; store != NULL; row++) {
        if (!store_append(store, &rows[row], 1, &err) || write(report, &row, 1) != 1) {
            break;
        }
    }
    _exit(1);
}

/* Reads what the child reports until it has done so many rows; how many those are in the end. */
static size_t wait_for_rows(int report, unsigned char *acknowledged, size_t wanted)
{
    size_t count = 0;
    while (count < wanted && read(report, &acknowledged[count], 1) == 1) {
        count++;
    }
    return count;
}

START_TEST(no_acknowledged_run_is_lost_to_a_kill)
{
    const char *const name = "killed.h5";
    static struct result rows[ROWS];
    for (size_t row = 0; row < ROWS; row++) {
        rows[row] = sample_result(row, &arena);
    }
    for (unsigned kill_number = 0; kill_number < 30; kill_number++) {
        int report[2];
        unsigned char acknowledged[ROWS];
        struct store_found found;
        unlink(support_path("killed.h5.journal"));
        ck_assert_int_eq(pipe(report), 0);
        pid_t child = fork();
        if (child == 0) {
            close(report[0]);
            append_until_killed(name, rows, report[1]);
        }
        close(report[1]);
        /* While it opens the store or after some rows, at a moment that differs from kill to kill,
         * however slow the machine is. */
        size_t waited_for = kill_number % 6;
        size_t count = wait_for_rows(report[0], acknowledged, waited_for);
        ck_assert_uint_eq(count, waited_for);
        usleep(kill_number * 7919 % 3000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        count += wait_for_rows(report[0], acknowledged + count, ROWS - count);
        close(report[0]);
        struct store *store = fixture_open(name, false, &found);
        ck_assert_uint_ge(found.in_journal, count);
        for (size_t i = 0; i < count; i++) {
            const struct result *wanted = &rows[acknowledged[i]];
            const struct result *result = fixture_find(store, wanted->key);
            ck_assert_msg(result != NULL, "run %d is lost", acknowledged[i]);
            ck_assert(rows_equal(wanted, result));
        }
        store_close(store);
    }
}
END_TEST

START_TEST(a_kill_while_saving_leaves_the_old_file_or_the_new_one)
{
    const char *const name = "saving.h5";
    struct result_set small = sample_set_of(10, &arena);
    struct result_set large = sample_set_of(200, &arena);
    fixture_file(name, 10);
    for (unsigned kill_number = 0; kill_number < 15; kill_number++) {
        struct store_found found;
        pid_t child = fork();
        if (child == 0) {
            /* No assertion in here: it would write into the test's own channel. */
            struct error err = ERROR_INIT;
            struct store *store = store_open(support_path(name), false, &arena, &found, &err);
            while (store != NULL && store_save(store, &large, &err) &&
                   store_save(store, &small, &err)) {
            }
            _exit(1);
        }
        usleep(20000 + kill_number * 7919 % 60000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        size_t count = fixture_load(name).count;
        ck_assert_msg(count == 10 || count == 200, "%zu rows", count);
        struct store *store = fixture_open(name, false, &found);
        ck_assert(!fixture_exists("saving.h5.unfinished"));
        store_close(store);
    }
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file_and_the_journal)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    size_t size;
    size_t after;
    struct rlimit limit = {4096, RLIM_INFINITY};
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    fixture_file("full.h5", 40);
    char *bytes = fixture_bytes("full.h5", &size);
    struct store *store = fixture_open("full.h5", false, &found);
    fixture_append(store, 40, 1);
    struct result_set set = sample_set_of(100, &arena);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool saved = store_save(store, &set, &err);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    ck_assert(!saved);
    assert_error(err, ERROR_FILE, "full.h5.unfinished': File too large");
    ck_assert_mem_eq(fixture_bytes("full.h5", &after), bytes, size);
    ck_assert_uint_eq(after, size);
    ck_assert(!fixture_exists("full.h5.unfinished"));
    ck_assert(fixture_exists("full.h5.journal"));
    store_close(store);
    ck_assert_uint_eq(fixture_load("full.h5").count, 41);
}
END_TEST

START_TEST(what_a_killed_save_left_is_removed)
{
    struct store_found found;
    fixture_file("left.h5", 5);
    support_file("left.h5.unfinished", "half", 4);
    struct store *store = fixture_open("left.h5", false, &found);
    ck_assert(!fixture_exists("left.h5.unfinished"));
    ck_assert_uint_eq(found.in_file, 5);
    store_close(store);
}
END_TEST

START_TEST(a_torn_journal_is_reported_in_bytes)
{
    struct store_found found;
    struct store *store = fixture_open("torn.h5", false, &found);
    size_t size;
    fixture_append(store, 0, 3);
    store_close(store);
    char *bytes = fixture_bytes("torn.h5.journal", &size);
    support_file("torn.h5.journal", bytes, size - 5);
    store = fixture_open("torn.h5", false, &found);
    ck_assert_uint_eq(found.in_journal, 2);
    ck_assert_uint_gt(found.torn_bytes, 300);
    ck_assert_uint_lt(found.torn_bytes, size);
    store_close(store);
}
END_TEST

/* Allocations left before one fails. */
static size_t left;

static void *fail_once(size_t bytes)
{
    return left-- == 0 ? NULL : malloc(bytes);
}

/* Open, append, save, load with one allocation failing; whether all went well. */
static bool work_with_failure(const char *name, const struct result_set *set, size_t place)
{
    struct arena own = {NULL};
    struct error err = ERROR_INIT;
    struct store_found found;
    struct result_set back;
    left = place;
    arena_system_alloc = fail_once;
    struct store *store = store_open(support_path(name), false, &own, &found, &err);
    bool good = store != NULL && store_append(store, row_at(set, 0), 1, &err) &&
                store_save(store, set, &err);
    store_close(store);
    good = good && store_load(support_path(name), &own, &back, &err);
    arena_system_alloc = malloc;
    ck_assert_msg(good || strstr(err.message, "out of memory") != NULL, "%s", err.message);
    ck_assert(good == (err.code == ERROR_NONE));
    arena_release(&own);
    return good;
}

START_TEST(a_failed_allocation_anywhere_is_an_error_and_leaves_a_good_file)
{
    const char *const name = "memory.h5";
    struct result_set set = sample_set_of(40, &arena);
    fixture_file(name, 40);
    size_t failures = 0;
    /* Every one of the first, then in steps that grow: hundreds of columns do the same. */
    for (size_t place = 0; !work_with_failure(name, &set, place); place += 1 + place / 8) {
        struct result_set back = fixture_load(name);
        ck_assert_uint_eq(back.count, 40);
        failures++;
        ck_assert_uint_lt(failures, 100);
    }
    ck_assert_uint_gt(failures, 10);
}
END_TEST

static Suite *crash_suite(void)
{
    Suite *suite = suite_create("store/crash");
    TCase *cases = tcase_create("crash");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, no_acknowledged_run_is_lost_to_a_kill);
    tcase_add_test(cases, a_kill_while_saving_leaves_the_old_file_or_the_new_one);
    tcase_add_test(cases, a_full_disk_leaves_the_old_file_and_the_journal);
    tcase_add_test(cases, what_a_killed_save_left_is_removed);
    tcase_add_test(cases, a_torn_journal_is_reported_in_bytes);
    tcase_add_test(cases, a_failed_allocation_anywhere_is_an_error_and_leaves_a_good_file);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(crash_suite());
}
