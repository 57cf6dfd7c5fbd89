/* SPDX-License-Identifier: MIT */
/* Checking and installing rendered files; see pictures.h. */
#include "report/pictures.h"

#include "base/files.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PICTURE_LIMIT = 256 << 20 };

const struct picture_format picture_formats[PICTURE_FORMATS] = {
    {REPORT_PNG, "png", "PNG", "\x89PNG\r\n\x1a\n", "\0\0\0\0IEND\xAE\x42\x60\x82", 8, 12, false},
    {REPORT_SVG, "svg", "SVG", "<?xml", "</svg>", 5, 6, true},
    {REPORT_PDF, "pdf", "PDF", "%PDF-", "%%EOF", 5, 5, true},
};

bool picture_complete(const char *format, const char *bytes, size_t size)
{
    const struct picture_format *known = picture_formats;
    const struct picture_format *last = picture_formats + PICTURE_FORMATS;
    while (known < last && strcmp(known->name, format) != 0) {
        known++;
    }
    if (known == last) {
        return false;
    }
    while (known->space_after && size > 0 && isspace((unsigned char)bytes[size - 1])) {
        size--;
    }
    return size >= known->start_size + known->end_size &&
           memcmp(bytes, known->start, known->start_size) == 0 &&
           memcmp(bytes + size - known->end_size, known->end, known->end_size) == 0;
}

void picture_undate(char *bytes, size_t size)
{
    static const char mark[] = "/CreationDate (D:";
    static const char date[] = "19700101000000";
    const size_t mark_size = sizeof mark - 1;
    for (size_t at = 0; at + mark_size < size; at++) {
        if (memcmp(bytes + at, mark, mark_size) != 0) {
            continue;
        }
        size_t digits = 0;
        for (size_t i = at + mark_size; i < size && bytes[i] != ')'; i++) {
            if (isdigit((unsigned char)bytes[i])) {
                bytes[i] = date[digits < sizeof date - 1 ? digits : sizeof date - 2];
                digits++;
            }
        }
        return;
    }
}

static bool rewrite_dated(const char *path, char *bytes, size_t size, struct error *err)
{
    picture_undate(bytes, size);
    return files_replace(path, bytes, size, err);
}

bool picture_install(const char *folder, const char *temporary, const char *name,
                     const char *format, struct arena *arena, struct error *err)
{
    const char *from = files_join(arena, folder, temporary, err);
    const char *to = files_join(arena, folder, name, err);
    if (from == NULL || to == NULL) {
        return false;
    }
    struct error reading = ERROR_INIT;
    size_t size = 0;
    char *bytes = files_read(from, PICTURE_LIMIT, arena, &size, &reading);
    if (bytes == NULL) {
        return error_set(err, ERROR_FIGURES, "gnuplot wrote no file");
    }
    if (!picture_complete(format, bytes, size)) {
        unlink(from);
        return error_set(err, ERROR_FIGURES,
                         "gnuplot wrote an incomplete file (%zu bytes); is the disk full?", size);
    }
    if (strcmp(format, "pdf") == 0 && !rewrite_dated(from, bytes, size, err)) {
        unlink(from);
        return false;
    }
    if (rename(from, to) != 0) {
        error_set_system(err, ERROR_FIGURES, errno, "cannot rename the picture to '%s'", name);
        unlink(from);
        return false;
    }
    return true;
}
