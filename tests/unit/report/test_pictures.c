/* SPDX-License-Identifier: MIT */
/* Tests src/report/pictures.c: is a rendered file whole, and is it free of the hour. */
#include "base/files.h"
#include "report/pictures.h"
#include "support.h"

#include <string.h>

static const char png[] = "\x89PNG\r\n\x1a\n....\0\0\0\0IEND\xAE\x42\x60\x82";

START_TEST(a_png_ends_in_its_last_chunk)
{
    ck_assert(picture_complete("png", png, sizeof png - 1));
    ck_assert(!picture_complete("png", png, sizeof png - 2));
    ck_assert(!picture_complete("png", "", 0));
    ck_assert(!picture_complete("png", "text", 4));
}
END_TEST

START_TEST(an_svg_and_a_pdf_end_in_their_marks)
{
    ck_assert(picture_complete("svg", "<?xml><svg></svg>\n\n", 19));
    ck_assert(!picture_complete("svg", "<?xml><svg><g></g>", 18));
    ck_assert(picture_complete("pdf", "%PDF-1.5 x %%EOF\n", 17));
    ck_assert(!picture_complete("pdf", "%PDF-1.5 x", 10));
    ck_assert(!picture_complete("gif", "GIF89a", 6));
}
END_TEST

START_TEST(the_date_of_a_pdf_is_replaced_at_the_same_length)
{
    char pdf[] = "/CreationDate (D:20240317101112+02'00) /Other (D:2024)";
    picture_undate(pdf, sizeof pdf - 1);
    ck_assert_str_eq(pdf, "/CreationDate (D:19700101000000+00'00) /Other (D:2024)");
    char none[] = "no date here";
    picture_undate(none, sizeof none - 1);
    ck_assert_str_eq(none, "no date here");
}
END_TEST

static bool install(const char *temporary, const char *name, struct arena *arena, struct error *err)
{
    const struct picture_place place = {support_folder(), temporary, name, "png", NULL};
    return picture_install(&place, arena, err);
}

START_TEST(a_whole_picture_is_renamed_into_place)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    support_file("a.png.tmp", png, sizeof png - 1);
    assert_ok(install("a.png.tmp", "a.png", &arena, &err), err);
    ck_assert(files_exists(support_path("a.png")));
    ck_assert(!files_exists(support_path("a.png.tmp")));
    arena_release(&arena);
}
END_TEST

START_TEST(a_cut_picture_is_removed_and_leaves_the_old_one)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    support_file("b.png", png, sizeof png - 1);
    support_file("b.png.tmp", png, 10);
    ck_assert(!install("b.png.tmp", "b.png", &arena, &err));
    assert_error(err, ERROR_FIGURES, "incomplete file (10 bytes)");
    ck_assert(files_exists(support_path("b.png")));
    ck_assert(!files_exists(support_path("b.png.tmp")));
    arena_release(&arena);
}
END_TEST

START_TEST(a_missing_picture_is_an_error)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    ck_assert(!install("c.png.tmp", "c.png", &arena, &err));
    assert_error(err, ERROR_FIGURES, "wrote no file");
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pictures");
    TCase *cases = tcase_create("pictures");
    tcase_add_test(cases, a_png_ends_in_its_last_chunk);
    tcase_add_test(cases, an_svg_and_a_pdf_end_in_their_marks);
    tcase_add_test(cases, the_date_of_a_pdf_is_replaced_at_the_same_length);
    tcase_add_test(cases, a_whole_picture_is_renamed_into_place);
    tcase_add_test(cases, a_cut_picture_is_removed_and_leaves_the_old_one);
    tcase_add_test(cases, a_missing_picture_is_an_error);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
