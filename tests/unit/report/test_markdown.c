/* SPDX-License-Identifier: MIT */
/* Tests src/report/markdown.c: any text prints as it is. */
#include "report/markdown.h"
#include "support.h"

#include <string.h>

static struct arena arena;

static const char *escaped(const char *any, size_t limit)
{
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    markdown_text_cut(&text, any, limit);
    const char *out = text_finish(&text, &err);
    ck_assert_ptr_nonnull(out);
    return out;
}

START_TEST(what_markdown_would_read_is_escaped)
{
    ck_assert_str_eq(escaped("a|b", 99), "a\\|b");
    ck_assert_str_eq(escaped("`x` \\ *y* _z_", 99), "\\`x\\` \\\\ \\*y\\* \\_z\\_");
    ck_assert_str_eq(escaped("<b>&amp;", 99), "\\<b\\>\\&amp;");
    ck_assert_str_eq(escaped("# [a](b) $x$", 99), "\\# \\[a\\](b) \\$x\\$");
    ck_assert_str_eq(escaped("init + scale", 99), "init + scale");
    /* what GitHub makes links of without any brackets */
    ck_assert_str_eq(escaped("www.a.b http://c 1:2", 99), "www\\.a.b http\\://c 1:2");
    ck_assert_str_eq(escaped("me@x.y @user a @ b", 99), "me\xE2\x81\xA0@x.y @user a @ b");
}
END_TEST

START_TEST(line_breaks_become_blanks_and_control_bytes_question_marks)
{
    ck_assert_str_eq(escaped("a\nb\r\tc", 99), "a b  c");
    ck_assert_str_eq(escaped("a\033[31mb", 99), "a?\\[31mb");
    ck_assert_str_eq(escaped("\xff ok \xc3", 99), "? ok ?");
}
END_TEST

START_TEST(cutting_counts_characters_not_bytes)
{
    ck_assert_str_eq(escaped("日本語です", 3), "日本語…");
    ck_assert_str_eq(escaped("日本語", 3), "日本語");
    ck_assert_str_eq(escaped("", 3), "");
}
END_TEST

START_TEST(long_texts_stay_whole)
{
    char longer[5001];
    for (size_t i = 0; i < 2500; i++) {
        memcpy(longer + 2 * i, "é", 2);
    }
    longer[5000] = '\0';
    ck_assert_str_eq(escaped(longer, SIZE_MAX), longer);
}
END_TEST

static const char *block(const char *body, size_t limit)
{
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    markdown_block(&text, "yaml", body, limit);
    return text_finish(&text, &err);
}

START_TEST(a_fence_is_longer_than_any_in_the_body)
{
    ck_assert_str_eq(block("a: 1\n", 99), "```yaml\na: 1\n```\n");
    ck_assert_str_eq(block("x: ````\n```\n", 99), "`````yaml\nx: ````\n```\n`````\n");
}
END_TEST

START_TEST(a_block_keeps_lines_and_tabs_and_drops_control_bytes)
{
    ck_assert_str_eq(block("a:\t1\r\n\nb\x07", 99), "```yaml\na:\t1\n\nb?\n```\n");
    ck_assert_str_eq(block("abcdef\nghi\n", 4), "```yaml\nabcd\n```\n");
}
END_TEST

START_TEST(a_table_head_aligns_numbers_to_the_right)
{
    static const char *const heads[] = {"corpus", "spread"};
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    markdown_table(&text, heads, 2, 1);
    ck_assert_str_eq(text_finish(&text, &err), "| corpus | spread |\n|---|--:|\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("markdown");
    TCase *cases = tcase_create("markdown");
    tcase_add_test(cases, what_markdown_would_read_is_escaped);
    tcase_add_test(cases, line_breaks_become_blanks_and_control_bytes_question_marks);
    tcase_add_test(cases, cutting_counts_characters_not_bytes);
    tcase_add_test(cases, long_texts_stay_whole);
    tcase_add_test(cases, a_fence_is_longer_than_any_in_the_body);
    tcase_add_test(cases, a_block_keeps_lines_and_tabs_and_drops_control_bytes);
    tcase_add_test(cases, a_table_head_aligns_numbers_to_the_right);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
