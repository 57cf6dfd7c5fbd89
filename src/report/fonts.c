/* SPDX-License-Identifier: MIT */
/* The characters of the installed fonts; see fonts.h. */
#include "report/fonts.h"

#include "base/child.h"

#include <stdlib.h>
#include <string.h>

static const double seconds = 10;
static const uint32_t latin_end = 0x180; /* ASCII, Latin-1 and Latin Extended-A */
static const char box[] = "□";

/* Characters of our own labels, which the font of all figures has. */
static const char own[] = "–—…−√▽·×°²³⁰⁴⁵⁶⁷⁸⁹¹⁻";

/* Taken for granted where fontconfig cannot be asked. */
static const struct fonts_range usual[] = {{0x20, 0x24F},    {0x370, 0x3FF},   {0x400, 0x4FF},
                                           {0x2010, 0x2026}, {0x2070, 0x2089}, {0x2212, 0x2212},
                                           {0x221A, 0x221A}, {0x25A1, 0x25A1}, {0x25BD, 0x25BD}};

/* Joiners, marks of direction and selectors, which steer and are not drawn. */
static const struct fonts_range undrawn[] = {{0xAD, 0xAD},      {0x200B, 0x200F}, {0x202A, 0x202E},
                                             {0x2060, 0x206F},  {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
                                             {0xE0000, 0xE0FFF}};

static bool is_within(const struct fonts_range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

bool fonts_have(const struct fonts *fonts, uint32_t code)
{
    return code < 0x20 || is_within(undrawn, sizeof undrawn / sizeof undrawn[0], code) ||
           is_within(fonts->ranges, fonts->count, code);
}

static size_t count_ranges(const char *list)
{
    size_t count = 0;
    while (*list != '\0') {
        list += strspn(list, " \n");
        count += *list != '\0';
        list += strcspn(list, " \n");
    }
    return count;
}

/* "20-7e a0 a3-17f": hexadecimal, one line a font. */
static void read_ranges(const char *list, size_t count, struct fonts_range *out)
{
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        list += strspn(list, " \n");
        out[i].first = (uint32_t)strtoul(list, &end, 16);
        out[i].last = *end == '-' ? (uint32_t)strtoul(end + 1, NULL, 16) : out[i].first;
        list += strcspn(list, " \n");
    }
}

/* What the program lists; NULL when it cannot be had. */
static const char *list_characters(const char *program, struct text *out)
{
    const char *const arguments[] = {program, "--format", "%{charset}\n", NULL};
    const struct child_command command = {
        .arguments = arguments, .captured = CHILD_STDOUT, .seconds = seconds, .sink = out};
    struct child child;
    struct error failure = ERROR_INIT;
    text_append(out, "");
    if (!child_start(&child, &command, &failure)) {
        return NULL;
    }
    while (child.running) {
        child_step_all(&child, 1);
    }
    const char *list = text_finish(out, &failure);
    return child.timed_out || child.status != 0 ? NULL : list;
}

bool fonts_find(const char *program, struct arena *arena, struct fonts *out, struct error *err)
{
    struct text output = TEXT_INIT(arena);
    const char *list = list_characters(program, &output);
    *out = (struct fonts){sizeof usual / sizeof usual[0], usual};
    if (list == NULL) {
        return true;
    }
    size_t count = count_ranges(list);
    struct fonts_range *ranges = arena_alloc(arena, count + 1, sizeof *ranges, err);
    if (ranges == NULL) {
        return false;
    }
    read_ranges(list, count, ranges);
    *out = (struct fonts){count, ranges};
    return true;
}

/* The next character; a byte that is none stands for itself. */
static size_t step_over(const char *at, uint32_t *code)
{
    size_t left = strnlen(at, 4);
    size_t step = text_utf8_step(at, left, code);
    if (step == 0) {
        *code = (unsigned char)*at;
        return 1;
    }
    return step;
}

static bool is_own(const char *at, size_t step)
{
    char character[8] = {0};
    memcpy(character, at, step);
    return strstr(own, character) != NULL;
}

bool fonts_needed(const char *any)
{
    while (*any != '\0') {
        uint32_t code = 0;
        size_t step = step_over(any, &code);
        if (code >= latin_end && !is_own(any, step)) {
            return true;
        }
        any += step;
    }
    return false;
}

const char *fonts_replace(const struct fonts *fonts, const char *any, struct arena *arena,
                          struct error *err)
{
    struct text out = TEXT_INIT(arena);
    bool replaced = false;
    text_append(&out, "");
    for (const char *at = any; *at != '\0';) {
        uint32_t code = 0;
        size_t step = step_over(at, &code);
        bool known = code < 0x80 || fonts_have(fonts, code);
        text_append_bytes(&out, known ? at : box, known ? step : sizeof box - 1);
        replaced = replaced || !known;
        at += step;
    }
    const char *text = text_finish(&out, err);
    return replaced ? text : text == NULL ? NULL : any;
}
