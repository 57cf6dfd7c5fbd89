/* SPDX-License-Identifier: MIT */
/* The lock: one holder for all names of a file, freed however the holder ends. */
#include "bare_arena.h"

#include "store/lock.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *resolve(const char *path)
{
    struct error err = ERROR_INIT;
    char *resolved = lock_resolve(path, &arena, &err);
    ck_assert_msg(resolved != NULL, "%s", err.message);
    return resolved;
}

static void assert_unresolved(const char *path, const char *reason)
{
    struct error err = ERROR_INIT;
    ck_assert_ptr_null(lock_resolve(path, &arena, &err));
    assert_error(err, ERROR_FILE, reason);
}

/* A child that takes the lock of `path`, says so and waits to be killed. */
static pid_t start_holder(const char *path)
{
    int said[2];
    char byte = 0;
    ck_assert_int_eq(pipe(said), 0);
    pid_t child = fork();
    if (child == 0) {
        struct lock lock;
        struct error err = ERROR_INIT;
        bool taken = lock_take(&lock, path, path, false, &arena, &err);
        ssize_t written = write(said[1], taken ? "y" : "n", 1);
        (void)written;
        pause();
        _exit(0);
    }
    close(said[1]);
    ck_assert_int_eq(read(said[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 'y');
    close(said[0]);
    return child;
}

static void end_holder(pid_t child)
{
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

START_TEST(a_second_process_is_told_who_holds_the_lock)
{
    const char *path = resolve(support_path("held.h5"));
    struct error err = ERROR_INIT;
    struct lock lock;
    char wanted[128];
    pid_t child = start_holder(path);
    bool taken = lock_take(&lock, path, "held.h5", false, &arena, &err);
    end_holder(child);
    ck_assert(!taken);
    snprintf(wanted, sizeof wanted, "'held.h5' is in use by process %ld on '", (long)child);
    assert_error(err, ERROR_FILE, wanted);
    /* The host and the start, a minute ago at most. */
    char host[128] = "";
    struct tm parts = {0};
    const char *since = strstr(err.message, "' since ");
    ck_assert_int_eq(gethostname(host, sizeof host - 1), 0);
    ck_assert_ptr_nonnull(strstr(err.message, host));
    ck_assert_ptr_nonnull(since);
    ck_assert_int_eq(sscanf(since + 8, "%d-%d-%d %d:%d:%d UTC;", &parts.tm_year, &parts.tm_mon,
                            &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec),
                     6);
    parts.tm_year -= 1900;
    parts.tm_mon--;
    ck_assert(llabs((long long)(time(NULL) - timegm(&parts))) <= 60);
    ck_assert_int_eq(lock.descriptor, -1);
}
END_TEST

START_TEST(the_lock_of_a_killed_process_is_free)
{
    const char *path = resolve(support_path("killed.h5"));
    struct error err = ERROR_INIT;
    struct lock lock;
    end_holder(start_holder(path));
    ck_assert_int_eq(access(support_path("killed.h5.lock"), F_OK), 0);
    assert_ok(lock_take(&lock, path, path, false, &arena, &err), err);
    lock_release(&lock);
}
END_TEST

/* What is written there is for messages: a process that is alive, or nothing that can be read. */
START_TEST(what_a_lock_file_says_holds_nobody_off)
{
    static const char *const left[] = {"1 here 2026-01-01 00:00:00 UTC\n", "noise", "", "\n\n"};
    const char *path = resolve(support_path("stale.h5"));
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        struct error err = ERROR_INIT;
        struct lock lock;
        support_file("stale.h5.lock", left[i], strlen(left[i]));
        assert_ok(lock_take(&lock, path, path, false, &arena, &err), err);
        lock_release(&lock);
    }
}
END_TEST

START_TEST(release_removes_the_lock_file)
{
    const char *path = resolve(support_path("free.h5"));
    struct error err = ERROR_INIT;
    struct lock lock;
    assert_ok(lock_take(&lock, path, path, false, &arena, &err), err);
    ck_assert_int_eq(access(support_path("free.h5.lock"), F_OK), 0);
    lock_release(&lock);
    ck_assert_int_ne(access(support_path("free.h5.lock"), F_OK), 0);
    assert_ok(lock_take(&lock, path, path, false, &arena, &err), err);
    lock_release(&lock);
    lock_release(&lock);
}
END_TEST

START_TEST(the_lock_file_holds_the_pid)
{
    const char *path = resolve(support_path("pid.h5"));
    struct error err = ERROR_INIT;
    struct lock lock;
    long pid = 0;
    /* A longer number from before must not shine through. */
    support_file("pid.h5.lock", "99999999999999\n", 15);
    assert_ok(lock_take(&lock, path, path, false, &arena, &err), err);
    FILE *file = fopen(support_path("pid.h5.lock"), "r");
    ck_assert(file != NULL);
    ck_assert_int_eq(fscanf(file, "%ld", &pid), 1);
    fclose(file);
    lock_release(&lock);
    ck_assert_int_eq(pid, getpid());
}
END_TEST

START_TEST(all_names_of_a_file_are_one)
{
    const char *folder = resolve(support_path("x"));
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%.*s/one.h5", (int)(strrchr(folder, '/') - folder), folder);
    ck_assert_str_eq(resolve(support_path("one.h5")), wanted);
    ck_assert_int_eq(mkdir(support_path("sub"), 0777), 0);
    ck_assert_str_eq(resolve(support_path("sub/../one.h5")), wanted);
    ck_assert_int_eq(symlink("one.h5", support_path("two.h5")), 0);
    ck_assert_str_eq(resolve(support_path("two.h5")), wanted);
    ck_assert_int_eq(symlink("../two.h5", support_path("sub/three.h5")), 0);
    ck_assert_str_eq(resolve(support_path("sub/three.h5")), wanted);
    ck_assert_int_eq(symlink("sub", support_path("sub2")), 0);
    ck_assert_str_eq(resolve(support_path("sub2/three.h5")), wanted);
    ck_assert_int_eq(chdir(support_path("sub")), 0);
    ck_assert_str_eq(resolve("three.h5"), wanted);
    ck_assert_str_eq(resolve("../one.h5"), wanted);
}
END_TEST

START_TEST(a_missing_folder_is_refused_with_the_remedy)
{
    char wanted[512];
    snprintf(wanted, sizeof wanted, "does not exist; make it with: mkdir -p '%s/a/b'",
             support_folder());
    assert_unresolved(support_path("a/b/c.h5"), wanted);
}
END_TEST

START_TEST(places_that_no_file_can_have_are_refused)
{
    assert_unresolved(support_folder(), "is a folder; name a file in it");
    assert_unresolved(support_path("."), "names a folder; name a file in it");
    assert_unresolved("/", "names a folder; name a file in it");
    assert_unresolved("", "names a folder; name a file in it");
    assert_unresolved("/dev/full", "'/dev/full' is not a regular file");
    const char *file = support_file("plain", "x", 1);
    char below[512];
    snprintf(below, sizeof below, "%s/x.h5", file);
    assert_unresolved(below, "plain' is not a folder");
    ck_assert_int_eq(symlink("loop.h5", support_path("loop.h5")), 0);
    assert_unresolved(support_path("loop.h5"), "is a loop of symbolic links");
}
END_TEST

START_TEST(a_folder_that_cannot_be_written_is_refused)
{
    /* /proc refuses root as well. */
    struct error err = ERROR_INIT;
    struct lock lock;
    ck_assert(!lock_take(&lock, resolve("/proc/x.h5"), "/proc/x.h5", false, &arena, &err));
    assert_error(err, ERROR_FILE, "cannot write into the folder '/proc'");
}
END_TEST

START_TEST(a_link_in_place_of_the_lock_file_is_not_followed)
{
    const char *path = resolve(support_path("trap.h5"));
    const char *victim = support_file("victim", "precious", 8);
    struct error err = ERROR_INIT;
    struct lock lock;
    ck_assert_int_eq(symlink(victim, support_path("trap.h5.lock")), 0);
    ck_assert(!lock_take(&lock, path, path, false, &arena, &err));
    struct stat status;
    ck_assert_int_eq(stat(victim, &status), 0);
    ck_assert_int_eq(status.st_size, 8);
}
END_TEST

START_TEST(many_processes_never_hold_it_together)
{
    /* Each child adds one to a number in a file, reading and writing it apart, under the lock. */
    enum { CHILDREN = 4, ROUNDS = 50 };
    const char *path = resolve(support_path("count.h5"));
    const char *file = support_file("number", "0\n", 2);
    char name[512];
    snprintf(name, sizeof name, "%s", file);
    for (int child = 0; child < CHILDREN; child++) {
        if (fork() == 0) {
            for (int round = 0; round < ROUNDS;) {
                struct error err = ERROR_INIT;
                struct lock lock;
                if (!lock_take(&lock, path, path, false, &arena, &err)) {
                    usleep(200);
                    continue;
                }
                int number = -1;
                FILE *stream = fopen(name, "r+");
                if (stream == NULL || fscanf(stream, "%d", &number) != 1) {
                    _exit(1);
                }
                rewind(stream);
                fprintf(stream, "%d\n", number + 1);
                fclose(stream);
                lock_release(&lock);
                round++;
            }
            _exit(0);
        }
    }
    for (int child = 0; child < CHILDREN; child++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    int number = 0;
    FILE *stream = fopen(name, "r");
    ck_assert(stream != NULL);
    ck_assert_int_eq(fscanf(stream, "%d", &number), 1);
    fclose(stream);
    ck_assert_int_eq(number, CHILDREN * ROUNDS);
}
END_TEST

/* Takes and frees the lock of a name of that many letters; or says why not. */
static bool take_long(size_t length, struct error *err)
{
    char name[512] = "";
    struct lock lock;
    memset(name, 'n', length);
    const char *path = resolve(support_path(name));
    bool taken = lock_take(&lock, path, name, false, &arena, err);
    lock_release(&lock);
    return taken;
}

/* The file system takes 255 bytes, and ".timing.tmp." with a process id up to 4194304 is 19. */
START_TEST(a_name_too_long_for_those_beside_it_is_refused_as_such)
{
    static const size_t lengths[] = {237, 244, 250, 255, 256, 300};
    struct error err = ERROR_INIT;
    assert_ok(take_long(236, &err), err);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        err = (struct error)ERROR_INIT;
        ck_assert(!take_long(lengths[i], &err));
        assert_error(err, ERROR_FILE,
                     "the name of the results file is too long: names beside it, such as those of "
                     "its journal and lock, have up to 19 bytes more, and 255 are the limit; give "
                     "a shorter one with -o: 'nnn");
    }
}
END_TEST

/* Of 4096 bytes with the last 0. */
START_TEST(a_path_too_long_for_those_beside_it_is_refused_as_such)
{
    char path[4096] = "";
    struct lock lock;
    struct error err = ERROR_INIT;
    for (size_t length = 0; length < 4095 - 18; length++) {
        path[length] = length % 2 == 0 ? '/' : 'n';
    }
    ck_assert(!lock_take(&lock, path, "shown", false, &arena, &err));
    assert_error(err, ERROR_FILE,
                 "the path of the results file is too long: names beside it, such as those of its "
                 "journal and lock, have up to 19 bytes more, and 4095 are the limit; give a "
                 "shorter one with -o: 'shown'");
}
END_TEST

START_TEST(what_is_in_place_of_the_lock_file_is_named)
{
    const char *path = resolve(support_path("taken.h5"));
    const char *place = support_path("taken.h5.lock");
    struct lock lock;
    for (int kind = 0; kind < 3; kind++) {
        struct error err = ERROR_INIT;
        ck_assert_int_eq(kind == 0   ? mkdir(place, 0777)
                         : kind == 1 ? mkfifo(place, 0666)
                                     : symlink("nowhere", place),
                         0);
        ck_assert(!lock_take(&lock, path, path, false, &arena, &err));
        assert_error(err, ERROR_FILE,
                     "taken.h5.lock' is in the way: it is no lock file; move it away or name "
                     "another results file");
        ck_assert_int_eq(remove(place), 0);
    }
}
END_TEST

static Suite *lock_suite(void)
{
    Suite *suite = suite_create("store/lock");
    TCase *cases = tcase_create("lock");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, a_second_process_is_told_who_holds_the_lock);
    tcase_add_test(cases, the_lock_of_a_killed_process_is_free);
    tcase_add_test(cases, what_a_lock_file_says_holds_nobody_off);
    tcase_add_test(cases, release_removes_the_lock_file);
    tcase_add_test(cases, the_lock_file_holds_the_pid);
    tcase_add_test(cases, all_names_of_a_file_are_one);
    tcase_add_test(cases, a_missing_folder_is_refused_with_the_remedy);
    tcase_add_test(cases, places_that_no_file_can_have_are_refused);
    tcase_add_test(cases, a_folder_that_cannot_be_written_is_refused);
    tcase_add_test(cases, a_link_in_place_of_the_lock_file_is_not_followed);
    tcase_add_test(cases, a_name_too_long_for_those_beside_it_is_refused_as_such);
    tcase_add_test(cases, a_path_too_long_for_those_beside_it_is_refused_as_such);
    tcase_add_test(cases, what_is_in_place_of_the_lock_file_is_named);
    tcase_add_test(cases, many_processes_never_hold_it_together);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(lock_suite());
}
