/* SPDX-License-Identifier: MIT */
/* Tests src/report/picture_note.c: notes in PNG, SVG and PDF, byte by byte. */
#include "report/picture_note.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

static const struct picture_note note = {"Where", "rowmax 1", "sweep <a & b> (c)"};

static const char *add(const struct picture_note *any, const char *format, const char *bytes,
                       size_t size, size_t *new_size)
{
    struct error err = ERROR_INIT;
    const char *noted = picture_note_add(any, format, bytes, size, &arena, new_size, &err);
    ck_assert_ptr_nonnull(noted);
    return noted;
}

/* An IHDR chunk of any content and the end of a PNG. */
static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR.............crc!"
                          "\0\0\0\0IEND\xAE\x42\x60\x82";

START_TEST(a_png_gets_chunks_behind_its_head)
{
    size_t size = 0;
    const char *noted = add(&note, "png", png, sizeof png - 1, &size);
    /* a chunk: four bytes each of size, name and checksum; keyword, a zero, the text */
    size_t first = 12 + sizeof "Title" + 5;
    size_t second = 12 + sizeof "Software" + 8;
    size_t third = 12 + sizeof "Description" + 17;
    ck_assert_uint_eq(size, sizeof png - 1 + first + second + third);
    ck_assert(memcmp(noted, png, 33) == 0);
    ck_assert(memcmp(noted + 33, "\0\0\0\x0btEXtTitle\0Where", 19) == 0);
    /* zlib.crc32(b"tEXtTitle\0Where") of Python */
    ck_assert(memcmp(noted + 52, "\xe6\x50\xf5\x0f", 4) == 0);
    ck_assert(memcmp(noted + size - 12, png + sizeof png - 13, 12) == 0);
}
END_TEST

START_TEST(text_beyond_ascii_is_in_an_international_chunk)
{
    static const struct picture_note wide = {"猫", "", ""};
    size_t size = 0;
    const char *noted = add(&wide, "png", png, sizeof png - 1, &size);
    ck_assert(memcmp(noted + 33, "\0\0\0\x0diTXtTitle\0\0\0\0\0猫", 21) == 0);
}
END_TEST

START_TEST(an_svg_has_it_in_title_and_description)
{
    static const char svg[] = "<svg>\n<title>Gnuplot</title>\n<desc>Produced</desc>\n</svg>";
    size_t size = 0;
    const char *noted = add(&note, "svg", svg, sizeof svg - 1, &size);
    ck_assert_str_eq(noted, "<svg>\n<title>Where</title>\n<desc>sweep &lt;a &amp; b&gt; (c). "
                            "Produced</desc>\n</svg>");
    ck_assert_uint_eq(size, strlen(noted));
}
END_TEST

START_TEST(an_svg_stays_xml_whatever_is_drawn)
{
    static const char svg[] = "<title>Gnuplot</title><desc>x</desc><text>]]> a]]></text></svg>";
    size_t size = 0;
    const char *noted = add(&note, "svg", svg, sizeof svg - 1, &size);
    ck_assert_ptr_nonnull(strstr(noted, "<text>]]&gt; a]]&gt;</text></svg>"));
    ck_assert_uint_eq(size, strlen(noted));
}
END_TEST

START_TEST(a_pdf_is_updated_at_its_end)
{
    static const char pdf[] = "%PDF-1.5\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 4\n"
                              "   /Root 3 0 R\n   /Info 2 0 R\n>>\nstartxref\n9\n%%EOF\n";
    size_t size = 0;
    const char *noted = add(&note, "pdf", pdf, sizeof pdf - 1, &size);
    ck_assert(memcmp(noted, pdf, sizeof pdf - 1) == 0);
    const char *object = noted + sizeof pdf - 1;
    ck_assert(strncmp(object, "2 0 obj\n<<\n   /Title (Where)\n", 29) == 0);
    ck_assert_ptr_nonnull(strstr(object, "/Subject (sweep <a & b> \\(c\\))\n"));
    ck_assert_ptr_nonnull(strstr(object, "/Size 4\n   /Root 3 0 R\n   /Info 2 0 R\n   /Prev 9\n"));
    const char *table = strstr(object, "xref\n2 1\n");
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_eq(strtoul(table + 9, NULL, 10), (size_t)(object - noted));
    const char *start = strstr(table, "startxref\n");
    ck_assert_uint_eq(strtoul(start + 10, NULL, 10), (size_t)(table - noted));
}
END_TEST

START_TEST(other_text_in_a_pdf_is_utf_16)
{
    static const struct picture_note wide = {"é🐈", "", ""};
    static const char pdf[] = "%PDF\nxref\ntrailer\n<< /Size 4 /Root 3 0 R /Info 2 0 R >>\n"
                              "startxref\n5\n%%EOF\n";
    size_t size = 0;
    const char *noted = add(&wide, "pdf", pdf, sizeof pdf - 1, &size);
    /* U+1F408 is the pair D83D DC08 */
    ck_assert_ptr_nonnull(strstr(noted, "/Title <FEFF00E9D83DDC08>\n"));
}
END_TEST

START_TEST(what_has_no_place_for_a_note_stays)
{
    static const char strange[] = "%PDF-1.7 no table here";
    size_t size = 0;
    ck_assert_ptr_eq(add(&note, "pdf", strange, sizeof strange - 1, &size), strange);
    ck_assert_uint_eq(size, sizeof strange - 1);
    ck_assert_ptr_eq(add(&note, "svg", strange, sizeof strange - 1, &size), strange);
    ck_assert_ptr_eq(add(&note, "png", strange, sizeof strange - 1, &size), strange);
}
END_TEST

START_TEST(a_set_is_named_by_version_name_and_hash)
{
    static const struct provenance facts[] = {{"rowmax_version", "0.1.0"},
                                              {"sweep_sha256", "0123abcd"}};
    const struct result_set set = {.name = "a\nb", .provenance = facts, .provenance_count = 2};
    struct picture_note made;
    struct error err = ERROR_INIT;
    assert_ok(picture_note_make(&set, &arena, &made, &err), err);
    ck_assert_str_eq(made.software, "rowmax 0.1.0");
    ck_assert_str_eq(made.description, "rowmax 0.1.0, sweep a b, SHA-256 of the sweep 0123abcd");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("picture_note");
    TCase *cases = tcase_create("picture_note");
    tcase_add_test(cases, a_png_gets_chunks_behind_its_head);
    tcase_add_test(cases, text_beyond_ascii_is_in_an_international_chunk);
    tcase_add_test(cases, an_svg_has_it_in_title_and_description);
    tcase_add_test(cases, an_svg_stays_xml_whatever_is_drawn);
    tcase_add_test(cases, a_pdf_is_updated_at_its_end);
    tcase_add_test(cases, other_text_in_a_pdf_is_utf_16);
    tcase_add_test(cases, what_has_no_place_for_a_note_stays);
    tcase_add_test(cases, a_set_is_named_by_version_name_and_hash);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
