/* SPDX-License-Identifier: MIT */
/* Tests src/base/data_folder.c: an installation finds its own data wherever it stands. */
#include "base/data_folder.h"
#include "base/files.h"
#include "support.h"

#include <string.h>
#include <unistd.h>

START_TEST(a_moved_installation_finds_its_own_data)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    assert_ok(files_make_folders(support_path("moved/bin"), &err), err);
    assert_ok(files_make_folders(support_path("moved/share/rowmax"), &err), err);
    const char *found = data_folder_of(support_path("moved/bin/rowmax"), &arena, &err);
    char wanted[4096];
    ck_assert_ptr_nonnull(realpath(support_path("moved/share/rowmax"), wanted));
    ck_assert_str_eq(found, wanted);
    arena_release(&arena);
}
END_TEST

START_TEST(a_program_without_data_beside_it_looks_where_the_build_was_told)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *found = data_folder_of(support_path("nowhere/bin/rowmax"), &arena, &err);
    ck_assert_str_eq(found, ROWMAX_DATA_FOLDER);
    /* this test is such a program: nothing is installed beside it */
    ck_assert_str_eq(data_folder(&arena, &err), ROWMAX_DATA_FOLDER);
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("data_folder");
    TCase *cases = tcase_create("data_folder");
    tcase_add_test(cases, a_moved_installation_finds_its_own_data);
    tcase_add_test(cases, a_program_without_data_beside_it_looks_where_the_build_was_told);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
