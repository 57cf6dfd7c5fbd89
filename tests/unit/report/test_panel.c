/* SPDX-License-Identifier: MIT */
/* Tests src/report/panel.c and the files in src/report/panel/: one page, whole and shut. What it
 * does is tested in a browser by tests/cli/panel.sh. */
#include "panel_example.h"

#include "report/panel.h"
#include "report/panel_template.h"

static struct arena arena;

static struct panel panel_of(const struct result_set *set)
{
    struct panel_example example;
    struct panel panel;
    struct error err = ERROR_INIT;
    panel_example_choose(&example, set, &arena);
    assert_ok(panel_make(set, &example.view, &arena, &panel, &err), err);
    return panel;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

START_TEST(the_page_holds_all_its_parts_and_asks_for_nothing)
{
    struct result_set set = example_set(&arena, 2);
    const char *page = panel_of(&set).page;
    ck_assert_ptr_nonnull(page);
    ck_assert_ptr_nonnull(strstr(page, (const char *)panel_style));
    ck_assert_ptr_nonnull(strstr(page, (const char *)panel_script));
    ck_assert_uint_eq(count_of(page, "{{"), 0);
    ck_assert_uint_eq(count_of(page, "</script>"), 2);
    static const char *const foreign[] = {
        "http://", "https://", " src=", "@import", "url(", "@font"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const char *found = strstr(page, foreign[i]);
        bool name_space = found != NULL && strncmp(found, "http://www.w3.org/2000/svg", 26) == 0;
        ck_assert_msg(found == NULL || name_space, "%s: %.60s", foreign[i], found);
    }
    ck_assert_uint_le(count_of(page, "http://"), 1);
}
END_TEST

/* Base64 has 43 digits and one '=' for 32 bytes. The browser refuses a script whose hash is wrong,
 * so tests/cli/panel.sh sees whether these are the right ones. */
START_TEST(the_policy_allows_our_script_and_style_by_hash_and_nothing_else)
{
    struct result_set set = example_set(&arena, 1);
    const char *page = panel_of(&set).page;
    const char *policy = strstr(page, "content=\"default-src 'none'; base-uri 'none'; ");
    ck_assert_ptr_nonnull(policy);
    const char *script = strstr(policy, "; script-src 'sha256-");
    const char *style = strstr(policy, "; style-src 'sha256-");
    ck_assert(script != NULL && style != NULL);
    ck_assert_uint_eq(strcspn(strchr(script, '-') + strlen("src 'sha256-") + 1, "'"), 44);
    ck_assert_uint_eq(count_of(page, "unsafe-"), 0);
}
END_TEST

START_TEST(a_title_that_is_markup_stays_text)
{
    struct result_set set = example_set(&arena, 1);
    set.title = "</title><script>x</script>{{data}}";
    const char *page = panel_of(&set).page;
    ck_assert_ptr_nonnull(
        strstr(page, "<title>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;{{data}}</title>"));
    ck_assert_uint_eq(count_of(page, "</script>"), 2);
}
END_TEST

START_TEST(the_link_says_what_there_is_or_why_there_is_nothing)
{
    struct error err = ERROR_INIT;
    struct text with = TEXT_INIT(&arena);
    struct text without = TEXT_INIT(&arena);
    panel_append_link(&with, &(struct panel){"<!DOCTYPE html>", NULL});
    panel_append_link(&without, &(struct panel){NULL, "no weights: keep some"});
    ck_assert_ptr_nonnull(strstr(text_finish(&with, &err), "[panel.html](panel.html)"));
    ck_assert_str_eq(text_finish(&without, &err),
                     "No panel to try the guards in was made: no weights: keep some.\n\n");
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("panel");
    tcase_add_test(all, the_page_holds_all_its_parts_and_asks_for_nothing);
    tcase_add_test(all, the_policy_allows_our_script_and_style_by_hash_and_nothing_else);
    tcase_add_test(all, a_title_that_is_markup_stays_text);
    tcase_add_test(all, the_link_says_what_there_is_or_why_there_is_nothing);
    Suite *suite = suite_create("report.panel");
    suite_add_tcase(suite, all);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
