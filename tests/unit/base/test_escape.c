/* SPDX-License-Identifier: MIT */
/* base/escape: any bytes become text that strict readers of JSON, XML and log commands take. */
#include "base/escape.h"
#include "support.h"

#include <string.h>

#define HOSTILE "a\x1B[31m]]>\xFF<&\"\\\n\t\xC3\xA9"

struct buffer {
    struct arena arena;
    struct text text;
};

static void assert_text(struct buffer *buffer, const char *wanted)
{
    struct error err = ERROR_INIT;
    const char *found = text_finish(&buffer->text, &err);
    ck_assert_str_eq(found, wanted);
    arena_release(&buffer->arena);
}

/* RFC 8259: quote, backslash and what lies below U+0020 must be escaped; U+FFFD stands for the byte
 * 0xFF, which begins no UTF-8. */
START_TEST(json_escapes_control_bytes_and_replaces_what_is_no_utf8)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_json(&buffer.text, HOSTILE);
    assert_text(&buffer, "\"a\\u001B[31m]]>\xEF\xBF\xBD<&\\\"\\\\\\n\\t\xC3\xA9\"");
}
END_TEST

/* Delete may stand in JSON as it is, but a terminal that shows the text would act on it. */
START_TEST(json_escapes_delete)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_json(&buffer.text, "a\x7F"
                              "b");
    assert_text(&buffer, "\"a\\u007Fb\"");
}
END_TEST

/* HTML standard, 4.12.1.3: the content of a script element ends at "</script" and changes its rules
 * at
 * "<!--"; U+2028 ends a line in older JavaScript. */
START_TEST(json_in_a_script_element_cannot_end_it)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_json_script(&buffer.text, "</script><!--&\xE2\x80\xA8\xE2\x80\xA9\"\xFF");
    assert_text(&buffer,
                "\"\\u003C/script\\u003E\\u003C!--\\u0026\\u2028\\u2029\\\"\xEF\xBF\xBD\"");
}
END_TEST

START_TEST(json_has_null_for_what_is_no_number)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_json_number(&buffer.text, (double)NAN);
    text_append(&buffer.text, " ");
    escape_json_number(&buffer.text, -(double)INFINITY);
    text_append(&buffer.text, " ");
    escape_json_number(&buffer.text, 0.1);
    assert_text(&buffer, "null null 0.1");
}
END_TEST

/* XML 1.0 section 2.2: no character below U+0020 but tab, line feed and return, and not U+FFFE. */
START_TEST(xml_has_no_forbidden_character_and_no_end_of_cdata)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_xml(&buffer.text, HOSTILE "\xEF\xBF\xBE");
    assert_text(&buffer, "a\xEF\xBF\xBD[31m]]&gt;\xEF\xBF\xBD&lt;&amp;&quot;\\&#10;&#9;\xC3\xA9"
                         "\xEF\xBF\xBD");
}
END_TEST

START_TEST(a_log_command_stays_one_line_and_its_properties_end_where_they_should)
{
    struct buffer buffer = {{NULL}, TEXT_INIT(&buffer.arena)};
    escape_github(&buffer.text, "50 %, a::b\n\x1B", false);
    text_append(&buffer.text, "|");
    escape_github(&buffer.text, "50 %, a::b\r", true);
    assert_text(&buffer, "50 %25, a::b%0A\xEF\xBF\xBD|50 %25%2C a%3A%3Ab%0D");
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("escape");
    tcase_add_test(all, json_escapes_control_bytes_and_replaces_what_is_no_utf8);
    tcase_add_test(all, json_escapes_delete);
    tcase_add_test(all, json_in_a_script_element_cannot_end_it);
    tcase_add_test(all, json_has_null_for_what_is_no_number);
    tcase_add_test(all, xml_has_no_forbidden_character_and_no_end_of_cdata);
    tcase_add_test(all, a_log_command_stays_one_line_and_its_properties_end_where_they_should);
    Suite *suite = suite_create("base.escape");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
