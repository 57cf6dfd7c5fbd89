/* SPDX-License-Identifier: MIT */
/* The store as a whole: what it finds, whom it keeps out, and that looking is always possible. */
#include "store_fixture.h"

#include "store/rows.h"

#include <sys/stat.h>

START_TEST(opening_makes_nothing_but_the_lock)
{
    struct store_found found;
    struct store *store = fixture_open("new.h5", false, &found);
    ck_assert_uint_eq(found.in_file + found.in_journal + found.torn_bytes, 0);
    ck_assert(fixture_exists("new.h5.lock"));
    ck_assert(!fixture_exists("new.h5"));
    ck_assert(!fixture_exists("new.h5.journal"));
    ck_assert_uint_eq(fixture_count(store), 0);
    ck_assert_ptr_null(fixture_find(store, 1));
    store_close(store);
    ck_assert(!fixture_exists("new.h5.lock"));
}
END_TEST

START_TEST(saving_leaves_the_file_alone)
{
    fixture_file("saved.h5", 40);
    ck_assert(fixture_exists("saved.h5"));
    ck_assert(!fixture_exists("saved.h5.journal"));
    ck_assert(!fixture_exists("saved.h5.lock"));
    ck_assert(!fixture_exists("saved.h5.unfinished"));
    ck_assert_uint_eq(fixture_load("saved.h5").count, 40);
}
END_TEST

START_TEST(what_holds_runs_is_known_by_how_it_begins)
{
    struct error err = ERROR_INIT;
    struct store_found found;
    fixture_file("holds.h5", 4);
    ck_assert(store_is_results(support_path("holds.h5")));
    struct store *store = fixture_open("holding.h5", false, &found);
    fixture_append(store, 0, 1);
    ck_assert(store_is_results(support_path("holding.h5.journal")));
    ck_assert(!store_is_results(support_path("holding.h5.lock")));
    store_close(store);
    static const char old[] = "rowmax journal 1\nand more";
    assert_ok(files_replace(support_path("old"), old, sizeof old, &err), err);
    ck_assert(store_is_results(support_path("old")));
    assert_ok(files_replace(support_path("short"), old, 7, &err), err);
    ck_assert(!store_is_results(support_path("short")));
    ck_assert(!store_is_results(support_path("nothing")));
    ck_assert(!store_is_results("/dev/null"));
    ck_assert(!store_is_results("/"));
}
END_TEST

START_TEST(runs_are_found_by_their_key)
{
    struct store_found found;
    fixture_file("find.h5", 40);
    struct store *store = fixture_open("find.h5", false, &found);
    ck_assert_uint_eq(found.in_file, 40);
    fixture_append(store, 40, 100);
    ck_assert_uint_eq(fixture_count(store), 140);
    for (size_t row = 0; row < 140; row++) {
        struct result wanted = sample_result(row, &arena);
        const struct result *result = fixture_find(store, wanted.key);
        ck_assert_ptr_nonnull(result);
        ck_assert_int_eq(result->index, (int64_t)row);
    }
    ck_assert_ptr_null(fixture_find(store, 12345));
    store_close(store);
}
END_TEST

START_TEST(a_later_run_with_the_same_key_replaces_the_earlier)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    fixture_file("replace.h5", 3);
    struct store *store = fixture_open("replace.h5", false, &found);
    struct result result = sample_result(1, &arena);
    result.status = RESULT_FAILED;
    result.message = "second try";
    assert_ok(store_append(store, &result, 1, &err), err);
    ck_assert_uint_eq(fixture_count(store), 3);
    ck_assert_str_eq(fixture_find(store, result.key)->message, "second try");
    store_close(store);
    store = fixture_open("replace.h5", false, &found);
    ck_assert_uint_eq(found.in_file, 3);
    ck_assert_uint_eq(found.in_journal, 1);
    ck_assert_uint_eq(fixture_count(store), 3);
    ck_assert_str_eq(fixture_find(store, result.key)->message, "second try");
    store_close(store);
    struct result_set set = fixture_load("replace.h5");
    ck_assert_uint_eq(set.count, 3);
    ck_assert_str_eq(row_at(&set, 1)->message, "second try");
    ck_assert_str_eq(set.title, "A sample: größe");
}
END_TEST

START_TEST(what_was_appended_owes_nothing_to_the_caller)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct store *store = fixture_open("copy.h5", false, &found);
    char text[] = "kitchen";
    double matrix[1] = {0.25};
    struct result result = sample_result(0, &arena);
    result.run.corpus = text;
    result.measurement.queries = 1;
    result.kept = (struct kept){.queries = 1, .tokens = 1, .scores = matrix};
    assert_ok(store_append(store, &result, 1, &err), err);
    memset(text, 'x', sizeof text - 1);
    matrix[0] = 7;
    const struct result_set at_hand = store_rows(store);
    ck_assert_str_eq(row_at(&at_hand, 0)->run.corpus, "kitchen");
    assert_near(row_at(&at_hand, 0)->kept.scores[0], 0.25, 0);
    store_close(store);
}
END_TEST

START_TEST(fresh_keeps_the_old_file_until_the_new_one_is_saved)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    fixture_file("fresh.h5", 40);
    struct store *store = fixture_open("fresh.h5", true, &found);
    ck_assert_uint_eq(found.in_file, 0);
    ck_assert_uint_eq(fixture_count(store), 0);
    ck_assert_uint_eq(fixture_load("fresh.h5").count, 40);
    fixture_append(store, 2, 3);
    store_close(store);
    ck_assert(fixture_exists("fresh.h5"));
    /* Going on after an interruption is going on with the fresh start. */
    store = fixture_open("fresh.h5", false, &found);
    ck_assert_uint_eq(found.in_file, 0);
    ck_assert_uint_eq(found.in_journal, 3);
    ck_assert_uint_eq(fixture_count(store), 3);
    struct result_set set = sample_set_of(5, &arena);
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    ck_assert_uint_eq(fixture_load("fresh.h5").count, 5);
}
END_TEST

START_TEST(a_second_writer_is_refused_by_any_name)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct store *store = fixture_open("busy.h5", false, &found);
    char wanted[64];
    ck_assert_int_eq(symlink("busy.h5", support_path("alias.h5")), 0);
    snprintf(wanted, sizeof wanted, "is in use by process %ld", (long)getpid());
    ck_assert_ptr_null(store_open(support_path("alias.h5"), true, &arena, &found, &err));
    assert_error(err, ERROR_FILE, wanted);
    assert_error(err, ERROR_FILE, "alias.h5");
    fixture_append(store, 0, 1);
    store_close(store);
    ck_assert_uint_eq(fixture_load("alias.h5").count, 1);
}
END_TEST

START_TEST(a_symbolic_link_is_followed_not_replaced)
{
    struct stat status;
    ck_assert_int_eq(symlink("target.h5", support_path("link.h5")), 0);
    fixture_file("link.h5", 4);
    ck_assert_int_eq(lstat(support_path("link.h5"), &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_uint_eq(fixture_load("target.h5").count, 4);
}
END_TEST

START_TEST(unusable_places_are_refused_before_anything_is_made)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    ck_assert_ptr_null(store_open(support_path("no/where.h5"), false, &arena, &found, &err));
    assert_error(err, ERROR_FILE, "make it with: mkdir -p");
    err.code = ERROR_NONE;
    ck_assert_ptr_null(store_open(support_folder(), false, &arena, &found, &err));
    assert_error(err, ERROR_FILE, "is a folder");
    err.code = ERROR_NONE;
    ck_assert_ptr_null(store_open("/proc/x.h5", false, &arena, &found, &err));
    assert_error(err, ERROR_FILE, "cannot write into the folder");
}
END_TEST

START_TEST(a_damaged_file_is_refused_and_left_as_it_is)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    size_t size;
    size_t after;
    fixture_file("damaged.h5", 40);
    char *bytes = fixture_bytes("damaged.h5", &size);
    bytes[size / 2] = (char)(bytes[size / 2] ^ 1);
    support_file("damaged.h5", bytes, size);
    ck_assert_ptr_null(store_open(support_path("damaged.h5"), false, &arena, &found, &err));
    assert_error(err, ERROR_FILE, "move them away or start over with --fresh");
    assert_error(err, ERROR_FILE, "does not match its checksum");
    ck_assert(!fixture_exists("damaged.h5.lock"));
    ck_assert_mem_eq(fixture_bytes("damaged.h5", &after), bytes, size);
    ck_assert_uint_eq(after, size);
    struct store *store = fixture_open("damaged.h5", true, &found);
    store_close(store);
    ck_assert_mem_eq(fixture_bytes("damaged.h5", &after), bytes, size);
}
END_TEST

START_TEST(a_running_sweep_can_be_looked_at)
{
    struct store_found found;
    struct store *store = fixture_open("running.h5", false, &found);
    fixture_append(store, 7, 2);
    fixture_append(store, 3, 1);
    struct result_set set = fixture_load("running.h5");
    ck_assert_uint_eq(set.count, 3);
    ck_assert_int_eq(row_at(&set, 0)->index, 3);
    ck_assert_int_eq(row_at(&set, 2)->index, 8);
    ck_assert_int_eq(set.planned, 9);
    ck_assert_str_eq(set.name, "running");
    ck_assert_str_eq(set.title, "");
    ck_assert_str_eq(set.sweep_text, "");
    store_close(store);
}
END_TEST

START_TEST(loaded_rows_are_in_order_with_those_outside_the_plan_last)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct result_set set = sample_set_of(6, &arena);
    struct result rows[6];
    static const int64_t places[6] = {-1, 4, 2, -1, 0, 2};
    memcpy(rows, set.whole, sizeof rows);
    for (size_t i = 0; i < 6; i++) {
        rows[i].index = places[i];
    }
    set.whole = rows;
    struct store *store = fixture_open("order.h5", false, &found);
    assert_ok(store_save(store, &set, &err), err);
    /* A run of a changed plan takes the place that row 4 had. */
    struct result late = sample_result(30, &arena);
    late.index = 0;
    assert_ok(store_append(store, &late, 1, &err), err);
    store_close(store);
    struct result_set back = fixture_load("order.h5");
    static const int64_t wanted[7] = {0, 2, 4, -1, -1, -1, -1};
    ck_assert_uint_eq(back.count, 7);
    for (size_t i = 0; i < 7; i++) {
        ck_assert_int_eq(row_at(&back, i)->index, wanted[i]);
    }
    ck_assert_uint_eq(row_at(&back, 0)->key, late.key);
    ck_assert_uint_eq(row_at(&back, 1)->key, rows[2].key);
}
END_TEST

/* A sweep that was killed, changed and killed again has runs of both plans in its journal. */
START_TEST(of_two_journalled_runs_with_one_place_the_later_has_it)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct store *store = fixture_open("twice.h5", false, &found);
    for (size_t i = 0; i < 3; i++) {
        struct result result = sample_result(40 + i, &arena);
        result.index = 2;
        assert_ok(store_append(store, &result, 1, &err), err);
    }
    store_close(store);
    struct result_set back = fixture_load("twice.h5");
    ck_assert_uint_eq(back.count, 3);
    ck_assert_int_eq(row_at(&back, 0)->index, 2);
    ck_assert_uint_eq(row_at(&back, 0)->key, sample_result(42, &arena).key);
    ck_assert_int_eq(row_at(&back, 1)->index, -1);
    ck_assert_int_eq(row_at(&back, 2)->index, -1);
}
END_TEST

START_TEST(loading_what_is_not_there_is_an_input_error)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    ck_assert(!store_load(support_path("absent.h5"), &arena, &set, &err));
    assert_error(err, ERROR_INPUT, "absent.h5'");
    err.code = ERROR_NONE;
    ck_assert(!store_load(support_file("text.h5", "hello", 5), &arena, &set, &err));
    assert_error(err, ERROR_INPUT, "text.h5' is no results file; name one that is");
    err.code = ERROR_NONE;
    ck_assert(!store_load(support_folder(), &arena, &set, &err));
    assert_error(err, ERROR_INPUT, "is not a file");
    ck_assert(!fixture_exists("absent.h5.lock"));
}
END_TEST

static ino_t inode_of(const char *name)
{
    struct stat status;
    ck_assert_int_eq(stat(support_path(name), &status), 0);
    return status.st_ino;
}

/* Opens, saves the set with that title, closes. */
static void save_again(const char *name, const char *title)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct result_set set = sample_set_of(40, &arena);
    set.title = title;
    struct store *store = fixture_open(name, false, &found);
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
}

/* A new file has another inode, as the old one is there until it is replaced. */
START_TEST(a_file_is_written_anew_when_something_changed_or_its_seal_is_not_last)
{
    fixture_file("again.h5", 40);
    const char *title = sample_set_of(1, &arena).title;
    ino_t before = inode_of("again.h5");
    save_again("again.h5", title);
    ck_assert(inode_of("again.h5") == before);
    save_again("again.h5", "another title");
    ck_assert(inode_of("again.h5") != before);
    before = inode_of("again.h5");
    size_t size;
    FILE *file = fopen(support_path("again.h5"), "ab");
    ck_assert(file != NULL && fputs("behind", file) >= 0 && fclose(file) == 0);
    save_again("again.h5", "another title");
    ck_assert(inode_of("again.h5") != before);
    ck_assert_ptr_null(strstr(fixture_bytes("again.h5", &size) + 8, "behind"));
    struct store_found found;
    struct error err = ERROR_INIT;
    before = inode_of("again.h5");
    struct store *store = fixture_open("again.h5", false, &found);
    fixture_append(store, 3, 1);
    struct result_set set = sample_set_of(40, &arena);
    set.title = "another title";
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    ck_assert(inode_of("again.h5") != before);
    ck_assert(!fixture_exists("again.h5.journal"));
}
END_TEST

/* Six rows that keep no matrices, as a resume has them: their measures are unread. */
static struct store *open_keys_only(const char *name, struct result_set *description)
{
    struct store_found found;
    struct error err = ERROR_INIT;
    struct result_set set = sample_set_of(40, &arena);
    struct result rows[6];
    for (size_t i = 0; i < 6; i++) {
        rows[i] = sample_result(i, &arena);
    }
    set.whole = rows;
    set.count = 6;
    struct store *store = fixture_open(name, true, &found);
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    store = fixture_open(name, false, &found);
    ck_assert_uint_eq(found.in_file, 6);
    *description = set;
    description->whole = NULL;
    description->count = 0;
    return store;
}

static void assert_samples(const char *name, size_t count)
{
    struct result_set back = fixture_load(name);
    ck_assert_uint_eq(back.count, count);
    for (size_t i = 0; i < count; i++) {
        struct result wanted = sample_result(i, &arena);
        ck_assert_msg(rows_equal(row_at(&back, i), &wanted), "row %zu differs", i);
    }
}

START_TEST(a_set_of_the_rows_found_is_saved_already_without_their_measures)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    struct store *store = open_keys_only("keys.h5", &set);
    ino_t before = inode_of("keys.h5");
    const struct result_set rows = store_rows(store);
    const struct result_place places[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
    set.table = rows.table;
    set.places = places;
    set.count = 6;
    ck_assert_ptr_null(rows.table->blocks[0]->cells);
    assert_ok(store_save(store, &set, &err), err);
    ck_assert_ptr_null(rows.table->blocks[0]->cells);
    ck_assert(inode_of("keys.h5") == before);
    store_close(store);
    assert_samples("keys.h5", 6);
}
END_TEST

START_TEST(measures_left_unread_are_there_when_the_set_has_changed)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    struct store *store = open_keys_only("changed.h5", &set);
    const struct result_place places[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
    ino_t before = inode_of("changed.h5");
    set.table = store_rows(store).table;
    set.places = places;
    set.count = 4;
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    ck_assert(inode_of("changed.h5") != before);
    assert_samples("changed.h5", 4);
}
END_TEST

START_TEST(measures_left_unread_are_there_when_a_run_is_appended)
{
    struct error err = ERROR_INIT;
    struct result_set set;
    struct store *store = open_keys_only("longer.h5", &set);
    fixture_append(store, 6, 1);
    fixture_append(store, 2, 1); /* once more */
    const struct result_place places[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}};
    set.table = store_rows(store).table;
    set.places = places;
    set.count = 7;
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    assert_samples("longer.h5", 7);
}
END_TEST

START_TEST(names_with_odd_characters_work)
{
    static const char *const names[] = {"a b.h5",   "it's.h5",      "per%d.h5",
                                        "größe.h5", "no-extension", "\"$HOME`x`<|.h5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fixture_file(names[i], 2);
        ck_assert_uint_eq(fixture_load(names[i]).count, 2);
    }
}
END_TEST

START_TEST(the_hdf5_version_is_three_numbers)
{
    int major = 0;
    int minor = 0;
    int release = 0;
    char rest;
    ck_assert_int_eq(sscanf(store_hdf5_version(), "%d.%d.%d%c", &major, &minor, &release, &rest),
                     3);
    ck_assert_int_eq(major, 1);
    ck_assert_int_ge(minor, 10);
}
END_TEST

static Suite *store_suite(void)
{
    Suite *suite = suite_create("store/store");
    TCase *cases = tcase_create("store");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, opening_makes_nothing_but_the_lock);
    tcase_add_test(cases, saving_leaves_the_file_alone);
    tcase_add_test(cases, what_holds_runs_is_known_by_how_it_begins);
    tcase_add_test(cases, runs_are_found_by_their_key);
    tcase_add_test(cases, a_later_run_with_the_same_key_replaces_the_earlier);
    tcase_add_test(cases, what_was_appended_owes_nothing_to_the_caller);
    tcase_add_test(cases, fresh_keeps_the_old_file_until_the_new_one_is_saved);
    tcase_add_test(cases, a_second_writer_is_refused_by_any_name);
    tcase_add_test(cases, a_symbolic_link_is_followed_not_replaced);
    tcase_add_test(cases, unusable_places_are_refused_before_anything_is_made);
    tcase_add_test(cases, a_damaged_file_is_refused_and_left_as_it_is);
    tcase_add_test(cases, a_running_sweep_can_be_looked_at);
    tcase_add_test(cases, loaded_rows_are_in_order_with_those_outside_the_plan_last);
    tcase_add_test(cases, of_two_journalled_runs_with_one_place_the_later_has_it);
    tcase_add_test(cases, loading_what_is_not_there_is_an_input_error);
    tcase_add_test(cases, a_file_is_written_anew_when_something_changed_or_its_seal_is_not_last);
    tcase_add_test(cases, a_set_of_the_rows_found_is_saved_already_without_their_measures);
    tcase_add_test(cases, measures_left_unread_are_there_when_the_set_has_changed);
    tcase_add_test(cases, measures_left_unread_are_there_when_a_run_is_appended);
    tcase_add_test(cases, names_with_odd_characters_work);
    tcase_add_test(cases, the_hdf5_version_is_three_numbers);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(store_suite());
}
