/* SPDX-License-Identifier: MIT */
/* Widths of characters; see columns.h. */
#include "report/columns.h"

#include "base/text.h"

#include <string.h>

struct range {
    uint32_t first, last;
};

/* Combining marks of the scripts that have many, joiners and marks of direction. */
static const struct range narrow[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},     {0x610, 0x61A},    {0x64B, 0x65F},
    {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},     {0x1AB0, 0x1AFF},  {0x1DC0, 0x1DFF},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},   {0x20D0, 0x20FF},  {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0000, 0xE0FFF}};

/* East Asian scripts and pictures. */
static const struct range wide[] = {
    {0x1100, 0x115F}, {0x25A1, 0x25A1}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFF}};

/* Advance widths of DejaVu Sans from ' ' to '~', in hundredths of the font's size. */
static const unsigned char advances[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

static const double other_advance = 0.68; /* letters of other scripts, on average */
static const double wide_advance = 1.05;
static const double raised_advance = 0.42; /* of raised digits and their minus */
static const double pixels_a_point = 4.0 / 3;

static bool is_within(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

size_t columns_step(const char *at, uint32_t *code, size_t *columns)
{
    size_t step = text_utf8_step(at, strnlen(at, 4), code);
    if (step == 0) {
        *code = (unsigned char)*at;
        step = 1;
    }
    *columns = is_within(narrow, sizeof narrow / sizeof narrow[0], *code) ? 0
               : is_within(wide, sizeof wide / sizeof wide[0], *code)     ? 2
                                                                          : 1;
    return step;
}

size_t columns_count(const char *any)
{
    size_t count = 0;
    while (*any != '\0') {
        uint32_t code = 0;
        size_t columns = 0;
        any += columns_step(any, &code, &columns);
        count += columns;
    }
    return count;
}

static double advance_of(uint32_t code, size_t columns)
{
    if (code >= ' ' && code - ' ' < sizeof advances) {
        return advances[code - ' '] / 100.0;
    }
    if (code == 0xB2 || code == 0xB3 || code == 0xB9 || (code >= 0x2070 && code <= 0x207F)) {
        return raised_advance;
    }
    return columns == 0 ? 0 : columns == 1 ? other_advance : wide_advance;
}

double columns_width(const char *any)
{
    double width = 0;
    while (*any != '\0') {
        uint32_t code = 0;
        size_t columns = 0;
        any += columns_step(any, &code, &columns);
        width += advance_of(code, columns);
    }
    return pixels_a_point * width;
}
