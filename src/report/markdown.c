/* SPDX-License-Identifier: MIT */
/* Writing Markdown; see markdown.h. */
#include "report/markdown.h"

#include <ctype.h>
#include <string.h>

/* Long texts go through text_printable in pieces that end at a character. */
enum { PIECE = 1024 };

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0U) == 0x80U;
}

/* Whether a point ends "www.", as far back as the text goes. */
static bool ends_www(const char *text, const char *point)
{
    for (const char *at = point; at > text && point - at < 3; at--) {
        if (at[-1] != 'w' && at[-1] != 'W') {
            return false;
        }
    }
    return true;
}

/* GitHub makes links of "www.", "://" and "@" between letters. The first two can be escaped; before
 * the third an invisible word joiner says that it is no address. */
static void append_escaped(struct text *out, const char *printable)
{
    for (const char *at = printable; *at != '\0'; at++) {
        bool scheme = *at == ':' && (at[1] == '/' || at[1] == '\0');
        bool host = *at == '.' && ends_www(printable, at);
        bool address = *at == '@' && at > printable && isalnum((unsigned char)at[1]) &&
                       (isalnum((unsigned char)at[-1]) || strchr(".-_+", at[-1]) != NULL);
        if (strchr("\\`*_[]<>|~&#$", *at) != NULL || scheme || host) {
            text_append(out, "\\");
        }
        text_append(out, address ? "\xE2\x81\xA0" : "");
        text_append_bytes(out, at, 1);
    }
}

/* Bytes of the next piece of at most PIECE - 1 bytes and *characters characters, which it counts
 * down. */
static size_t piece_size(const char *at, size_t *characters)
{
    size_t size = 0;
    while (at[size] != '\0' && size < PIECE - 8) {
        if (!continues(at[size])) {
            if (*characters == 0) {
                return size;
            }
            --*characters;
        }
        size++;
    }
    while (at[size] != '\0' && continues(at[size]) && size < PIECE - 1) {
        size++;
    }
    return size;
}

void markdown_text_cut(struct text *out, const char *any, size_t limit)
{
    char piece[PIECE];
    char printable[PIECE];
    while (*any != '\0' && limit > 0) {
        size_t size = piece_size(any, &limit);
        memcpy(piece, any, size);
        piece[size] = '\0';
        for (char *at = piece; *at != '\0'; at++) {
            if (strchr("\n\r\t\v\f", *at) != NULL) {
                *at = ' ';
            }
        }
        append_escaped(out, text_printable(piece, printable, sizeof printable));
        any += size;
    }
    if (*any != '\0') {
        text_append(out, "…");
    }
}

void markdown_text(struct text *out, const char *any)
{
    markdown_text_cut(out, any, SIZE_MAX);
}

static size_t longest_fence(const char *body)
{
    size_t longest = 0;
    for (const char *at = body; *at != '\0';) {
        size_t run = strspn(at, "`");
        longest = run > longest ? run : longest;
        at += run > 0 ? run : 1;
    }
    return longest;
}

/* One line without its end; tabs stay. */
static void append_line(struct text *out, const char *line, size_t size)
{
    char piece[PIECE];
    char printable[PIECE];
    while (size > 0) {
        if (*line == '\t') {
            text_append(out, "\t");
            line++;
            size--;
            continue;
        }
        size_t taken = 0;
        while (taken < size && line[taken] != '\t' &&
               (taken < PIECE - 8 || continues(line[taken])) && taken < PIECE - 1) {
            taken++;
        }
        memcpy(piece, line, taken);
        piece[taken] = '\0';
        text_append(out, text_printable(piece, printable, sizeof printable));
        line += taken;
        size -= taken;
    }
}

static void append_fence(struct text *out, size_t ticks)
{
    for (size_t i = 0; i < ticks; i++) {
        text_append(out, "`");
    }
}

void markdown_block(struct text *out, const char *language, const char *body, size_t limit)
{
    size_t longest = longest_fence(body);
    size_t ticks = longest < 3 ? 3 : longest + 1;
    append_fence(out, ticks);
    text_append_format(out, "%s\n", language);
    while (*body != '\0' && limit > 0) {
        size_t size = strcspn(body, "\n");
        size_t taken = size < limit ? size : limit;
        limit -= taken < limit ? taken + 1 : taken;
        taken -= taken > 0 && body[taken - 1] == '\r';
        append_line(out, body, taken);
        text_append(out, "\n");
        body += size + (body[size] == '\n');
    }
    append_fence(out, ticks);
    text_append(out, "\n");
}

void markdown_table(struct text *out, const char *const *heads, size_t count, size_t numbers)
{
    for (size_t i = 0; i < count; i++) {
        text_append_format(out, "| %s ", heads[i]);
    }
    text_append(out, "|\n");
    for (size_t i = 0; i < count; i++) {
        text_append(out, i < numbers ? "|---" : "|--:");
    }
    text_append(out, "|\n");
}
