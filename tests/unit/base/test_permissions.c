/* SPDX-License-Identifier: MIT */
/* base/permissions: a file that is replaced stays open to whom it was, and a protected one stays.
 */
#include "base/permissions.h"
#include "arena_fixture.h"

#include "base/files.h"
#include "base/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t mode_of(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static const mode_t modes[] = {0600, 0640, 0664, 0666, 0700};
#define MODE_COUNT ((int)(sizeof modes / sizeof modes[0]))

START_TEST(a_file_that_is_replaced_keeps_its_permissions)
{
    mode_t mode = modes[_i];
    const char *path = support_file("kept", "old", 3);
    ck_assert_int_eq(chmod(path, mode), 0);
    assert_ok(files_replace(path, "new", 3, &err), err);
    ck_assert_uint_eq(mode_of(path), mode);
    assert_ok(files_replace_unsynced(path, "newer", 5, &err), err);
    ck_assert_uint_eq(mode_of(path), mode);
    const char *beside = support_path("beside");
    assert_ok(files_write_synced(beside, path, O_EXCL, "new", 3, beside, &err), err);
    ck_assert_uint_eq(mode_of(beside), mode);
    ck_assert_int_eq(unlink(beside), 0);
    struct replacement replacement;
    assert_ok(replacement_open(&replacement, path, &err), err);
    ck_assert_uint_eq(mode_of(replacement.temporary), mode); /* before anything is in it */
    assert_ok(replacement_close(&replacement, true, &err), err);
    ck_assert_uint_eq(mode_of(path), mode);
}
END_TEST

START_TEST(a_new_file_has_those_of_the_user)
{
    mode_t before = umask(027);
    assert_ok(files_replace(support_path("fresh"), "new", 3, &err), err);
    umask(before);
    ck_assert_uint_eq(mode_of(support_path("fresh")), 0640);
}
END_TEST

START_TEST(a_protected_file_stays)
{
    size_t size = 0;
    const char *path = support_file("protected", "old", 3);
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert(!files_replace(path, "new", 3, &err));
    assert_error(err, ERROR_FILE, "protected' is write-protected; allow it, as with 'chmod u+w'");
    struct error again = ERROR_INIT;
    struct replacement replacement;
    ck_assert(!replacement_open(&replacement, path, &again));
    assert_error(again, ERROR_FILE, "is write-protected");
    ck_assert_str_eq(files_read(path, 100, &arena, &size, &err), "old");
    ck_assert_uint_eq(mode_of(path), 0444);
}
END_TEST

START_TEST(what_is_not_there_or_no_file_is_allowed)
{
    assert_ok(permissions_allow(support_path("nothing"), "nothing", &err), err);
    assert_ok(permissions_allow("/dev/null", "null", &err), err);
    assert_ok(permissions_allow(support_file("open", "x", 1), "open", &err), err);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("permissions");
    TCase *cases = tcase_create("permissions");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, a_file_that_is_replaced_keeps_its_permissions, 0, MODE_COUNT);
    tcase_add_test(cases, a_new_file_has_those_of_the_user);
    tcase_add_test(cases, a_protected_file_stays);
    tcase_add_test(cases, what_is_not_there_or_no_file_is_allowed);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
