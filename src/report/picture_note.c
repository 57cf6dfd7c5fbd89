/* SPDX-License-Identifier: MIT */
/* Notes in PNG, SVG and PDF; see picture_note.h. */
#include "report/picture_note.h"

#include "base/text.h"
#include "report/gnuplot.h"

#include <stdlib.h>
#include <string.h>

enum { PNG_HEAD = 8 + 25 };

static const char *provenance_of(const struct result_set *set, const char *name)
{
    const char *value = result_fact(set, name);
    return value == NULL ? "unknown" : value;
}

bool picture_note_make(const struct result_set *set, struct arena *arena, struct picture_note *out,
                       struct error *err)
{
    const char *name = set->name != NULL && *set->name != '\0' ? set->name : "without a name";
    const char *software =
        arena_format(arena, err, "rowmax %s", provenance_of(set, "rowmax_version"));
    const char *description =
        software == NULL ? NULL
                         : arena_format(arena, err, "%s, sweep %s, SHA-256 of the sweep %s",
                                        software, name, provenance_of(set, "sweep_sha256"));
    out->title = "";
    out->software = software == NULL ? NULL : gnuplot_label(arena, software, SIZE_MAX, err);
    out->description =
        description == NULL ? NULL : gnuplot_label(arena, description, SIZE_MAX, err);
    return out->software != NULL && out->description != NULL;
}

static bool is_plain(const char *any)
{
    while (*any != '\0' && (unsigned char)*any < 0x80) {
        any++;
    }
    return *any == '\0';
}

/* The checksum of a PNG chunk: ISO 3309, as in the PNG specification, annex D. */
static uint32_t chunk_checksum(const char *bytes, size_t size)
{
    uint32_t sum = 0xFFFFFFFFU;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = (sum & 1U) != 0 ? 0xEDB88320U ^ sum >> 1 : sum >> 1;
        }
    }
    return ~sum;
}

static void append_big_endian(struct text *out, uint32_t number)
{
    const char bytes[4] = {(char)(number >> 24), (char)(number >> 16 & 0xFFU),
                           (char)(number >> 8 & 0xFFU), (char)(number & 0xFFU)};
    text_append_bytes(out, bytes, sizeof bytes);
}

/* A tEXt chunk, which holds Latin-1, or for other text an uncompressed iTXt chunk. */
static void append_chunk(struct text *out, const char *keyword, const char *value)
{
    bool plain = is_plain(value);
    struct text chunk = TEXT_INIT(out->arena);
    text_append(&chunk, plain ? "tEXt" : "iTXt");
    text_append_bytes(&chunk, keyword, strlen(keyword) + 1);
    text_append_bytes(&chunk, "\0\0\0\0", plain ? 0 : 4);
    text_append(&chunk, value);
    append_big_endian(out, (uint32_t)(chunk.length - 4));
    text_append_bytes(out, chunk.data, chunk.length);
    append_big_endian(out, chunk_checksum(chunk.data, chunk.length));
    out->failed = out->failed || chunk.failed;
}

static bool add_to_png(struct text *out, const struct picture_note *note, const char *bytes,
                       size_t size)
{
    if (size < PNG_HEAD || memcmp(bytes + 12, "IHDR", 4) != 0) {
        return false;
    }
    text_append_bytes(out, bytes, PNG_HEAD);
    append_chunk(out, "Title", note->title);
    append_chunk(out, "Software", note->software);
    append_chunk(out, "Description", note->description);
    text_append_bytes(out, bytes + PNG_HEAD, size - PNG_HEAD);
    return true;
}

static void append_xml(struct text *out, const char *any)
{
    for (; *any != '\0'; any++) {
        switch (*any) {
        case '&':
            text_append(out, "&amp;");
            break;
        case '<':
            text_append(out, "&lt;");
            break;
        case '>':
            text_append(out, "&gt;");
            break;
        default:
            text_append_bytes(out, any, 1);
        }
    }
}

/* Text with "]]>" as XML wants it; gnuplot leaves it as it is, and writes no CDATA section. */
static void append_sound(struct text *out, const char *bytes, size_t size)
{
    static const char end[] = "]]>";
    const char *rest = bytes;
    for (const char *at = strstr(rest, end); at != NULL; at = strstr(rest, end)) {
        text_append_bytes(out, rest, (size_t)(at - rest));
        text_append(out, "]]&gt;");
        rest = at + sizeof end - 1;
    }
    text_append_bytes(out, rest, size - (size_t)(rest - bytes));
}

/* gnuplot writes a title and a description of its own before it draws; what it says of itself
 * stays. */
static bool add_to_svg(struct text *out, const struct picture_note *note, const char *bytes,
                       size_t size)
{
    static const char title[] = "<title>Gnuplot</title>";
    static const char described[] = "<desc>";
    const char *start = strstr(bytes, title);
    const char *rest = start == NULL ? NULL : strstr(start, described);
    if (rest == NULL) {
        return false;
    }
    text_append_bytes(out, bytes, (size_t)(start - bytes));
    text_append(out, "<title>");
    append_xml(out, note->title);
    text_append(out, "</title>\n<desc>");
    append_xml(out, note->description);
    text_append(out, ". ");
    rest += sizeof described - 1;
    append_sound(out, rest, size - (size_t)(rest - bytes));
    return true;
}

/* A PDF string: as it is, or in UTF-16 for other than ASCII. */
static void append_pdf_string(struct text *out, const char *key, const char *any)
{
    text_append_format(out, "   /%s ", key);
    if (is_plain(any)) {
        text_append(out, "(");
        for (; *any != '\0'; any++) {
            text_append(out, strchr("()\\", *any) != NULL ? "\\" : "");
            text_append_bytes(out, any, 1);
        }
        text_append(out, ")\n");
        return;
    }
    text_append(out, "<FEFF");
    for (size_t left = strlen(any); left > 0;) {
        uint32_t code = 0;
        size_t step = text_utf8_step(any, left, &code);
        step = step == 0 ? 1 : step;
        if (code >= 0x10000) {
            text_append_format(out, "%04X%04X", (unsigned)(0xD800U + ((code - 0x10000U) >> 10)),
                               (unsigned)(0xDC00U + ((code - 0x10000U) & 0x3FFU)));
        } else {
            text_append_format(out, "%04X", (unsigned)code);
        }
        any += step;
        left -= step;
    }
    text_append(out, ">\n");
}

/* Where the last trailer of a PDF begins: text to the end of the file; "" when there is none. */
static const char *find_trailer(const char *bytes, size_t size)
{
    static const char word[] = "trailer";
    for (size_t at = size; at >= sizeof word; at--) {
        if (memcmp(bytes + at - sizeof word, word, sizeof word - 1) == 0) {
            return bytes + at - sizeof word;
        }
    }
    return "";
}

/* The number behind `key`; 0 when it is not there. */
static unsigned long number_behind(const char *trailer, const char *key)
{
    const char *found = strstr(trailer, key);
    return found == NULL ? 0 : strtoul(found + strlen(key), NULL, 10);
}

/* An incremental update: the information dictionary once more, and a table of this one object that
 * points to the table before it. */
static bool add_to_pdf(struct text *out, const struct picture_note *note, const char *bytes,
                       size_t size)
{
    const char *trailer = find_trailer(bytes, size);
    unsigned long objects = number_behind(trailer, "/Size ");
    unsigned long root = number_behind(trailer, "/Root ");
    unsigned long info = number_behind(trailer, "/Info ");
    unsigned long table = number_behind(trailer, "startxref");
    if (objects == 0 || root == 0 || info == 0 || table == 0 || table + 4 > size ||
        memcmp(bytes + table, "xref", 4) != 0) {
        return false;
    }
    text_append_bytes(out, bytes, size);
    text_append(out, bytes[size - 1] == '\n' ? "" : "\n");
    size_t object = out->length;
    text_append_format(out, "%lu 0 obj\n<<\n", info);
    append_pdf_string(out, "Title", note->title);
    append_pdf_string(out, "Subject", note->description);
    append_pdf_string(out, "Creator", note->software);
    text_append(out, "   /Producer (gnuplot and cairo)\n   /CreationDate (D:19700101000000Z)\n"
                     ">>\nendobj\n");
    size_t update = out->length;
    text_append_format(out,
                       "xref\n%lu 1\n%010zu 00000 n \n"
                       "trailer\n<< /Size %lu\n   /Root %lu 0 R\n   /Info %lu 0 R\n   /Prev %lu\n"
                       ">>\nstartxref\n%zu\n%%%%EOF\n",
                       info, object, objects, root, info, table, update);
    return true;
}

const char *picture_note_add(const struct picture_note *note, const char *format, const char *bytes,
                             size_t size, struct arena *arena, size_t *new_size, struct error *err)
{
    struct text out = TEXT_INIT(arena);
    bool added = strcmp(format, "png") == 0   ? add_to_png(&out, note, bytes, size)
                 : strcmp(format, "svg") == 0 ? add_to_svg(&out, note, bytes, size)
                                              : add_to_pdf(&out, note, bytes, size);
    if (!added) {
        *new_size = size;
        return bytes;
    }
    const char *noted = text_finish(&out, err);
    *new_size = out.length;
    return noted;
}
