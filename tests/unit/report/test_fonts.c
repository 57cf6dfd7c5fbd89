/* SPDX-License-Identifier: MIT */
/* Tests src/report/fonts.c: characters that fonts have, and boxes for those that none has. */
#include "report/fonts.h"
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct arena arena;

/* A stand-in for fc-list: a font with ASCII and the box, and one with a single letter. */
static struct fonts two_fonts(void)
{
    static const char script[] = "#!/bin/sh\nprintf '20-7e 25a1\\n5b57\\n'\n";
    struct fonts fonts;
    struct error err = ERROR_INIT;
    const char *program = support_file("list", script, sizeof script - 1);
    ck_assert_int_eq(chmod(program, 0755), 0);
    assert_ok(fonts_find(program, &arena, &fonts, &err), err);
    return fonts;
}

START_TEST(the_ranges_of_all_fonts_are_read)
{
    struct fonts fonts = two_fonts();
    ck_assert_uint_eq(fonts.count, 3);
    ck_assert(fonts_have(&fonts, 'a'));
    ck_assert(fonts_have(&fonts, '~'));
    ck_assert(!fonts_have(&fonts, 0x7F));
    ck_assert(fonts_have(&fonts, 0x5B57));
    ck_assert(!fonts_have(&fonts, 0x5B58));
    /* a joiner is not drawn, so no font is needed */
    ck_assert(fonts_have(&fonts, 0x200D));
}
END_TEST

START_TEST(what_no_font_has_becomes_a_box)
{
    struct fonts fonts = two_fonts();
    struct error err = ERROR_INIT;
    static const char drawn[] = "a 字 b";
    ck_assert_str_eq(fonts_replace(&fonts, "a 字 猫é", &arena, &err), "a 字 □□");
    ck_assert_ptr_eq(fonts_replace(&fonts, drawn, &arena, &err), drawn);
}
END_TEST

START_TEST(without_fontconfig_letters_that_all_fonts_have_are_trusted)
{
    struct fonts fonts;
    struct error err = ERROR_INIT;
    assert_ok(fonts_find("no-such-program", &arena, &fonts, &err), err);
    ck_assert_str_eq(fonts_replace(&fonts, "é Ω Ж √ 猫", &arena, &err), "é Ω Ж √ □");
}
END_TEST

START_TEST(our_own_labels_need_no_question)
{
    ck_assert(!fonts_needed("scores divided by √d_k, ▽ 95 % Zürich 10⁻⁵"));
    ck_assert(fonts_needed("猫"));
    ck_assert(fonts_needed("é́"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fonts");
    TCase *cases = tcase_create("fonts");
    tcase_add_test(cases, the_ranges_of_all_fonts_are_read);
    tcase_add_test(cases, what_no_font_has_becomes_a_box);
    tcase_add_test(cases, without_fontconfig_letters_that_all_fonts_have_are_trusted);
    tcase_add_test(cases, our_own_labels_need_no_question);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
