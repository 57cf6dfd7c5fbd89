/* SPDX-License-Identifier: MIT */
/* Checking and installing rendered files; see pictures.h. */
#include "report/pictures.h"

#include "base/files.h"
#include "report/report.h"

#include <ctype.h>
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

bool picture_install(const struct picture_place *place, struct arena *arena, struct error *err)
{
    const char *from = files_join(arena, place->folder, place->temporary, err);
    const char *to = files_join(arena, place->folder, place->name, err);
    if (from == NULL || to == NULL) {
        return false;
    }
    struct error reading = ERROR_INIT;
    size_t size = 0;
    char *bytes = files_read(from, PICTURE_LIMIT, arena, &size, &reading);
    if (bytes == NULL) {
        return error_set(err, ERROR_FIGURES, "gnuplot wrote no file");
    }
    /* room for the file that takes its place, should the disk be nearly full */
    unlink(from);
    if (!picture_complete(place->format, bytes, size)) {
        return error_set(err, ERROR_FIGURES,
                         "gnuplot wrote an incomplete file (%zu bytes); is the disk full?", size);
    }
    if (strcmp(place->format, "pdf") == 0) {
        picture_undate(bytes, size);
    }
    const char *noted = bytes;
    if (place->note != NULL) {
        noted = picture_note_add(place->note, place->format, bytes, size, arena, &size, err);
    }
    return noted != NULL && files_replace(to, noted, size, err);
}
