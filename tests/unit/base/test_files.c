/* SPDX-License-Identifier: MIT */
/* base/files: whole reads within limits, replacement that is all or nothing, paths. */
#include "base/files.h"
#include "arena_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(a_file_is_read_whole)
{
    char bytes[200000];
    memset(bytes, 'x', sizeof bytes);
    const char *path = support_file("whole", bytes, sizeof bytes);
    size_t size = 0;
    char *read = files_read(path, sizeof bytes, &arena, &size, &err);
    assert_ok(read != NULL, err);
    ck_assert_uint_eq(size, sizeof bytes);
    ck_assert(memcmp(read, bytes, size) == 0);
    ck_assert_int_eq(read[size], '\0');
    ck_assert_ptr_null(files_read(path, sizeof bytes - 1, &arena, &size, &err));
    assert_error(err, ERROR_INPUT, "larger than 199999 bytes");
}
END_TEST

START_TEST(a_folder_and_a_missing_file_are_told_apart)
{
    size_t size = 0;
    ck_assert_ptr_null(files_read(support_folder(), 100, &arena, &size, &err));
    assert_error(err, ERROR_INPUT, "is a folder");
    err = (struct error)ERROR_INIT;
    ck_assert_ptr_null(files_read(support_path("missing"), 100, &arena, &size, &err));
    assert_error(err, ERROR_INPUT, "No such file");
}
END_TEST

START_TEST(a_file_of_which_nothing_is_known_is_regular_or_refused)
{
    size_t size = 0;
    struct file_identity identity;
    struct file_identity other;
    const char *path = support_file("regular", "abc", 3);
    const char *bytes = files_read_regular(path, 3, &arena, &size, &identity, &err);
    assert_ok(bytes != NULL, err);
    ck_assert_str_eq(bytes, "abc");
    ck_assert_uint_eq(size, 3);
    ck_assert_int_eq(symlink("regular", support_path("link")), 0);
    ck_assert(files_identify(support_path("link"), &other));
    ck_assert(identity.device == other.device && identity.number == other.number);
    ck_assert(files_identify(support_folder(), &other) && identity.number != other.number);
    ck_assert(!files_identify(support_path("missing"), &other));
    ck_assert_ptr_null(files_read_regular(path, 2, &arena, &size, &identity, &err));
    assert_error(err, ERROR_INPUT, "larger than 2 bytes");
    ck_assert_int_eq(mkfifo(support_path("pipe"), 0666), 0);
    const char *const strange[] = {support_path("pipe"), support_folder(), "/dev/zero"};
    for (size_t i = 0; i < 3; i++) {
        err = (struct error)ERROR_INIT;
        ck_assert_ptr_null(files_read_regular(strange[i], 9, &arena, &size, &identity, &err));
        assert_error(err, ERROR_INPUT, "is no regular file");
    }
    err = (struct error)ERROR_INIT;
    ck_assert_ptr_null(files_read_regular("-", 9, &arena, &size, &identity, &err));
    assert_error(err, ERROR_INPUT, "cannot open '-'");
}
END_TEST

START_TEST(a_pipe_under_a_name_of_ours_is_not_waited_for)
{
    size_t size = 0;
    const char *pipe = support_path("own-pipe");
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert_ptr_null(files_read_own(pipe, 10, &arena, &size, &err));
    assert_error(err, ERROR_INPUT, "pipe' is no regular file");
    struct error folder = ERROR_INIT;
    ck_assert_ptr_null(files_read_own("/", 10, &arena, &size, &folder));
    assert_error(folder, ERROR_INPUT, "'/' is a folder, not a file");
    ck_assert_str_eq(files_read_own(support_file("own", "abc", 3), 3, &arena, &size, &err), "abc");
}
END_TEST

START_TEST(a_file_is_replaced_and_nothing_else_is_left)
{
    const char *path = support_path("replaced");
    assert_ok(files_replace(path, "one", 3, &err), err);
    assert_ok(files_replace_unsynced(path, "two", 3, &err), err);
    assert_ok(files_replace(path, "second", 6, &err), err);
    size_t size = 0;
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "second");
    char temporary[600];
    snprintf(temporary, sizeof temporary, "%s.tmp.%ld", path, (long)getpid());
    ck_assert(!files_exists(temporary));
}
END_TEST

START_TEST(a_synced_file_is_new_or_replaced_as_the_flags_say)
{
    const char *path = support_path("synced");
    size_t size = 0;
    assert_ok(files_write_synced(path, NULL, O_EXCL, "first", 5, "shown", &err), err);
    ck_assert(!files_write_synced(path, NULL, O_EXCL, "no", 2, "shown", &err));
    assert_error(err, ERROR_FILE, "cannot create 'shown'");
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "first");
    err = (struct error)ERROR_INIT;
    assert_ok(files_write_synced(path, NULL, O_TRUNC, "new", 3, "shown", &err), err);
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "new");
    const char *link = support_path("synced-link");
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert(!files_write_synced(link, NULL, O_TRUNC, "no", 2, link, &err));
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "new");
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_told_with_what_makes_it)
{
    ck_assert(!files_replace("no-such/place/a", "x", 1, &err));
    assert_error(err, ERROR_FILE,
                 "the folder of 'no-such/place/a' does not exist; make it with: mkdir -p "
                 "'no-such/place'");
    err = (struct error)ERROR_INIT;
    ck_assert(!files_refuse_new("it's/a", ENOENT, &err));
    assert_error(err, ERROR_FILE, "does not exist; make the folder 'it's' first");
    err = (struct error)ERROR_INIT;
    ck_assert(!files_refuse_new("-p/a", ENOENT, &err));
    assert_error(err, ERROR_FILE, "does not exist; make the folder '-p' first");
    /* Names that are shown with '?' in place of what a terminal could take for a command. */
    const char *const unprintable[] = {"new\nline", "\x1b[2J", "bad\xff", "\xe2\x80\xaegnp"};
    for (size_t i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s/a", unprintable[i]);
        err = (struct error)ERROR_INIT;
        ck_assert(!files_refuse_new(path, ENOENT, &err));
        assert_error(err, ERROR_FILE, "does not exist; make the folder '");
        ck_assert_ptr_null(strstr(err.message, "mkdir"));
    }
    /* Letters that are not ASCII are shown as they are. */
    err = (struct error)ERROR_INIT;
    ck_assert(!files_refuse_new("\xc3\xa4/a", ENOENT, &err));
    assert_error(err, ERROR_FILE, "make it with: mkdir -p '\xc3\xa4'");
    /* Of a folder that is there another reason is told. */
    err = (struct error)ERROR_INIT;
    ck_assert(!files_refuse_new("/a", ENOENT, &err));
    assert_error(err, ERROR_FILE, "cannot create '/a': No such file or directory");
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file)
{
    const char *path = support_path("full");
    char bytes[65536];
    memset(bytes, 'y', sizeof bytes);
    assert_ok(files_replace(path, "old", 3, &err), err);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {4096, 4096};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!files_replace(path, bytes, sizeof bytes, &err));
    assert_error(err, ERROR_FILE, "cannot write");
    size_t size = 0;
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "old");
}
END_TEST

START_TEST(a_line_is_added_at_the_end_and_a_missing_file_made)
{
    const char *path = support_path("lines");
    size_t size = 0;
    assert_ok(files_append(path, "one\n", 4, &err), err);
    assert_ok(files_append(path, "two\n", 4, &err), err);
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "one\ntwo\n");
    ck_assert(!files_append("/dev/null", "x", 1, &err));
    assert_error(err, ERROR_FILE, "not a regular file");
    err = (struct error)ERROR_INIT;
    ck_assert(!files_append(support_path("nowhere/lines"), "x", 1, &err));
    assert_error(err, ERROR_FILE, "nowhere/lines' does not exist; make it with: mkdir -p '");
    assert_error(err, ERROR_FILE, "nowhere/lines");
}
END_TEST

START_TEST(a_full_disk_adds_no_half_line)
{
    const char *path = support_path("half");
    char bytes[65536];
    size_t size = 0;
    memset(bytes, 'y', sizeof bytes);
    assert_ok(files_append(path, "old\n", 4, &err), err);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {4096, 4096};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!files_append(path, bytes, sizeof bytes, &err));
    assert_error(err, ERROR_FILE, "cannot write");
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "old\n");
}
END_TEST

START_TEST(folders_are_made_as_needed)
{
    const char *path = support_path("a/b/c");
    assert_ok(files_make_folders(path, &err), err);
    assert_ok(files_make_folders(path, &err), err);
    ck_assert(files_exists(path));
    support_file("in-the-way", "", 0);
    ck_assert(!files_make_folders(support_path("in-the-way"), &err));
    assert_error(err, ERROR_FILE, "is in the way");
}
END_TEST

START_TEST(paths_are_taken_apart_and_joined)
{
    ck_assert_str_eq(files_join(&arena, "a", "b", &err), "a/b");
    ck_assert_str_eq(files_join(&arena, "a/", "b", &err), "a/b");
    ck_assert_str_eq(files_join(&arena, ".", "b", &err), "b");
    ck_assert_str_eq(files_join(&arena, "a", "/b", &err), "/b");
    ck_assert_str_eq(files_folder(&arena, "a/b.c", &err), "a");
    ck_assert_str_eq(files_folder(&arena, "b.c", &err), ".");
    ck_assert_str_eq(files_folder(&arena, "/b.c", &err), "/");
    ck_assert_str_eq(files_stem(&arena, "a.d/b.c.yaml", &err), "b.c");
    ck_assert_str_eq(files_stem(&arena, "a/.hidden", &err), ".hidden");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("files");
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_file_is_read_whole);
    tcase_add_test(tests, a_folder_and_a_missing_file_are_told_apart);
    tcase_add_test(tests, a_file_of_which_nothing_is_known_is_regular_or_refused);
    tcase_add_test(tests, a_pipe_under_a_name_of_ours_is_not_waited_for);
    tcase_add_test(tests, a_file_is_replaced_and_nothing_else_is_left);
    tcase_add_test(tests, a_synced_file_is_new_or_replaced_as_the_flags_say);
    tcase_add_test(tests, a_folder_that_is_not_there_is_told_with_what_makes_it);
    tcase_add_test(tests, a_full_disk_leaves_the_old_file);
    tcase_add_test(tests, a_line_is_added_at_the_end_and_a_missing_file_made);
    tcase_add_test(tests, a_full_disk_adds_no_half_line);
    tcase_add_test(tests, folders_are_made_as_needed);
    tcase_add_test(tests, paths_are_taken_apart_and_joined);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
