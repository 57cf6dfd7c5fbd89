/* SPDX-License-Identifier: MIT */
/* Any text where names are written for other programs: JSON, XML, log commands, Markdown, gnuplot,
 * terminals, folders. Each result is what the other program reads as one inert text. */
#include "fuzz.h"

#include "base/escape.h"
#include "report/columns.h"
#include "report/gnuplot.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/wrap.h"
#include "summary/course.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

static bool is_utf8(const char *text)
{
    return text_utf8_error(text, strlen(text)) == strlen(text);
}

static const char *finish(struct text *text)
{
    struct error err = ERROR_INIT;
    text_append(text, "");
    const char *done = text_finish(text, &err);
    fuzz_require(done != NULL && is_utf8(done));
    return done;
}

/* It reads back as itself where it is UTF-8. */
static void check_json(const char *json, const char *any)
{
    json_error_t error;
    json_t *value = json_loads(json, JSON_DECODE_ANY, &error);
    fuzz_require(json_is_string(value));
    fuzz_require(!is_utf8(any) || strcmp(json_string_value(value), any) == 0);
    json_decref(value);
}

static void check_scripts(const char *any, struct arena *arena)
{
    struct text plain = TEXT_INIT(arena);
    struct text script = TEXT_INIT(arena);
    struct text panel = TEXT_INIT(arena);
    escape_json(&plain, any);
    escape_json_script(&script, any);
    json_append_string(&panel, any);
    check_json(finish(&plain), any);
    check_json(finish(&script), any);
    check_json(finish(&panel), any);
    fuzz_require(strpbrk(script.data, "<>&\n\r") == NULL);
    fuzz_require(strpbrk(panel.data, "<>&\n\r") == NULL);
}

static void check_xml(const char *any, struct arena *arena)
{
    struct text xml = TEXT_INIT(arena);
    escape_xml(&xml, any);
    for (const char *at = finish(&xml); *at != '\0'; at++) {
        fuzz_require(strchr("<>\"", *at) == NULL && (unsigned char)*at >= 0x20);
        fuzz_require(*at != '&' || strchr("agql#", at[1]) != NULL);
    }
}

static void check_commands(const char *any, struct arena *arena)
{
    struct text message = TEXT_INIT(arena);
    struct text property = TEXT_INIT(arena);
    escape_github(&message, any, false);
    escape_github(&property, any, true);
    fuzz_require(strpbrk(finish(&message), "\r\n") == NULL);
    fuzz_require(strpbrk(finish(&property), "\r\n:,") == NULL);
}

static void check_markdown(const char *any, struct arena *arena)
{
    struct text cell = TEXT_INIT(arena);
    struct text block = TEXT_INIT(arena);
    markdown_text(&cell, any);
    const char *text = finish(&cell);
    fuzz_require(strpbrk(text, "\n\r") == NULL);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\') {
            fuzz_require(*++at != '\0');
        } else {
            fuzz_require(strchr("`*_[]<>|~&#$", *at) == NULL);
        }
    }
    markdown_block(&block, "yaml", any, SIZE_MAX);
    fuzz_require(strncmp(finish(&block), "```", 3) == 0);
}

/* Strings in single quotes and the escaped quote in double ones, joined by points. */
static void check_gnuplot(const char *any, struct arena *arena)
{
    static const char quote[] = "\"\\047\"";
    struct error err = ERROR_INIT;
    struct text script = TEXT_INIT(arena);
    gnuplot_quote(&script, any);
    const char *at = finish(&script);
    do {
        at += *at == '.';
        const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;
        fuzz_require(end != NULL || strncmp(at, quote, sizeof quote - 1) == 0);
        at = end != NULL ? end + 1 : at + sizeof quote - 1;
    } while (*at == '.');
    fuzz_require(*at == '\0');
    for (const char *byte = script.data; *byte != '\0'; byte++) {
        fuzz_require((unsigned char)*byte >= 0x20 && *byte != 0x7F);
    }
    const char *label = gnuplot_label(arena, any, 20, &err);
    fuzz_require(label != NULL && is_utf8(label) && columns_count(label) <= 21);
}

static void check_terminal(const char *any)
{
    char out[64];
    for (const char *at = text_printable(any, out, sizeof out); *at != '\0'; at++) {
        fuzz_require((unsigned char)*at >= 0x20 && *at != 0x7F);
    }
    fuzz_require(is_utf8(out));
}

static void check_folder(const char *any, struct arena *arena)
{
    struct error err = ERROR_INIT;
    const char *name = course_folder_name(any, arena, &err);
    fuzz_require(name != NULL && name[0] != '\0' && name[0] != '.' && strlen(name) < 256);
    for (const char *at = name; *at != '\0'; at++) {
        fuzz_require(islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
                     strchr("-_.~", *at) != NULL);
    }
    fuzz_require(!course_path_is_ours(any) || (any[0] != '/' && strstr(any, "..") == NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct wrapped wrapped;
    const char *any = arena_copy_bytes(&arena, bytes, size, &err);
    fuzz_require(any != NULL);
    check_scripts(any, &arena);
    check_xml(any, &arena);
    check_commands(any, &arena);
    check_markdown(any, &arena);
    check_gnuplot(any, &arena);
    check_terminal(any);
    check_folder(any, &arena);
    fuzz_require(wrap_label(any, 12, &arena, &wrapped, &err));
    arena_release(&arena);
    return 0;
}
