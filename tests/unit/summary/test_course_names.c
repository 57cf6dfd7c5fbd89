/* SPDX-License-Identifier: MIT */
/* Tests src/summary/course_names.c: folders of corpora, whatever their names. */
#include "summary/course.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static void assert_folder(const char *corpus, const char *folder)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    ck_assert_str_eq(course_folder_name(corpus, &arena, &err), folder);
    char path[256];
    snprintf(path, sizeof path, "%s/1.json", folder);
    ck_assert_msg(course_path_is_ours(path), "'%s' would not be ours", path);
    arena_release(&arena);
}

START_TEST(plain_names_stay_and_all_else_is_spelled_out)
{
    assert_folder("demo", "demo");
    assert_folder("my_text-2.txt", "my_text-2.txt");
    assert_folder("../../etc/passwd", "~2e.~2f..~2fetc~2fpasswd");
    assert_folder("..", "~2e~2e");
    assert_folder(".hidden", "~2ehidden");
    assert_folder("end.", "end~2e");
    assert_folder("Demo", "~44emo"); /* beside "demo" on a disk that takes both for one */
    assert_folder("a b%20", "a~20b~2520");
    assert_folder("a~b", "a~7eb");
    assert_folder("ä", "~c3~a4");
    assert_folder("", "~");
    /* Devices of Windows, with any ending; others only look like them. */
    assert_folder("con", "~63on");
    assert_folder("nul.txt", "~6eul.txt");
    assert_folder("com1", "~63om1");
    assert_folder("cone", "cone");
}
END_TEST

/* Two names of 300 letters that differ in the last one. */
START_TEST(long_names_end_in_a_hash_and_stay_apart)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    char name[301];
    memset(name, 'a', 300);
    name[300] = '\0';
    const char *one = course_folder_name(name, &arena, &err);
    name[299] = 'b';
    const char *two = course_folder_name(name, &arena, &err);
    ck_assert_str_ne(one, two);
    ck_assert_uint_eq(strlen(one), 80 + 2 + 32);
    ck_assert(strncmp(one, two, 80) == 0 && strncmp(one + 80, "~~", 2) == 0);
    arena_release(&arena);
}
END_TEST

START_TEST(only_files_of_an_export_are_ours)
{
    static const char *const others[] = {"1.json",
                                         "demo/1.txt",
                                         "demo/x.json",
                                         "demo/",
                                         "/demo/1.json",
                                         "../1.json",
                                         "./1.json",
                                         "a/b/1.json",
                                         "demo/../1.json",
                                         "demo/-1.json",
                                         "demo/1.json/x",
                                         "Demo/1.json",
                                         "de mo/1.json",
                                         "",
                                         "/",
                                         "demo/1.jsonx",
                                         "demo//1.json"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_msg(!course_path_is_ours(others[i]), "'%s' was taken", others[i]);
    }
    ck_assert(course_path_is_ours("demo/0.json"));
    ck_assert(course_path_is_ours("a..b~2f/12345.json"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary/course_names");
    TCase *tests = tcase_create("course_names");
    tcase_add_test(tests, plain_names_stay_and_all_else_is_spelled_out);
    tcase_add_test(tests, long_names_end_in_a_hash_and_stay_apart);
    tcase_add_test(tests, only_files_of_an_export_are_ours);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
