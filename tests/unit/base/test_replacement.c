/* SPDX-License-Identifier: MIT */
/* Tests src/base/replacement.c: a file in pieces, there whole or not at all. */
#include "base/files.h"
#include "base/replacement.h"
#include "support.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static struct arena arena;
static struct error err;

static void assert_content(const char *path, const char *wanted)
{
    size_t size = 0;
    const char *text = files_read(path, 100, &arena, &size, &err);
    assert_ok(text != NULL, err);
    ck_assert_str_eq(text, wanted);
}

/* Files of the scratch folder, without . and .. */
static size_t count_files(void)
{
    size_t count = 0;
    DIR *folder = opendir(support_folder());
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count - 2;
}

static void write_pieces(struct replacement *replacement, const char *path)
{
    assert_ok(replacement_open(replacement, path, &err), err);
    assert_ok(replacement_write(replacement, "ne", 2, &err), err);
    assert_ok(replacement_write(replacement, "w", 1, &err), err);
}

START_TEST(pieces_take_the_place_of_the_old_file_at_the_end)
{
    struct replacement replacement;
    const char *path = support_file("a", "old", 3);
    write_pieces(&replacement, path);
    assert_content(path, "old");
    assert_ok(replacement_close(&replacement, true, &err), err);
    assert_content(path, "new");
    ck_assert_uint_eq(count_files(), 1);
    arena_release(&arena);
}
END_TEST

START_TEST(a_file_given_up_leaves_the_old_one_alone)
{
    struct replacement replacement;
    const char *path = support_file("a", "old", 3);
    write_pieces(&replacement, path);
    ck_assert(!replacement_close(&replacement, false, &err));
    assert_content(path, "old");
    ck_assert_uint_eq(count_files(), 1);
    arena_release(&arena);
}
END_TEST

START_TEST(a_place_that_cannot_be_written_is_named)
{
    struct replacement replacement;
    const char *path = support_path("nowhere/a");
    ck_assert(!replacement_open(&replacement, path, &err));
    ck_assert(!replacement_close(&replacement, false, &err));
    assert_error(err, ERROR_FILE, "nowhere/a' does not exist; make it with: mkdir -p '");
    err = (struct error)ERROR_INIT;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base/replacement");
    TCase *tests = tcase_create("replacement");
    tcase_add_test(tests, pieces_take_the_place_of_the_old_file_at_the_end);
    tcase_add_test(tests, a_file_given_up_leaves_the_old_one_alone);
    tcase_add_test(tests, a_place_that_cannot_be_written_is_named);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
