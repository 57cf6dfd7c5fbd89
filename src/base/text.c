/* SPDX-License-Identifier: MIT */
/* Text buffers and numbers; see text.h. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_reserve(struct text *text, size_t more)
{
    if (text->failed) {
        return false;
    }
    size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity) {
        return true;
    }
    size_t larger = text->capacity * 2 > wanted ? text->capacity * 2 : wanted + 64;
    struct error ignored = ERROR_INIT;
    char *copy = arena_alloc(text->arena, larger, 1, &ignored);
    if (copy == NULL) {
        text->failed = true;
        return false;
    }
    if (text->length > 0) {
        memcpy(copy, text->data, text->length);
    }
    text->data = copy;
    text->capacity = larger;
    return true;
}

void text_append_bytes(struct text *text, const char *bytes, size_t size)
{
    if (text_reserve(text, size)) {
        memcpy(text->data + text->length, bytes, size);
        text->length += size;
        text->data[text->length] = '\0';
    }
}

void text_append(struct text *text, const char *bytes)
{
    text_append_bytes(text, bytes, strlen(bytes));
}

void text_append_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && text_reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

const char *text_finish(struct text *text, struct error *err)
{
    if (!text_reserve(text, 0)) {
        error_set(err, ERROR_INTERNAL, "out of memory while writing text");
        return NULL;
    }
    text->data[text->length] = '\0';
    return text->data;
}

bool text_to_integer(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] != '\0' || (digits[0] == '0' && count > 1)) {
        return false;
    }
    errno = 0;
    intmax_t number = strtoimax(text, NULL, 10);
    if (errno == ERANGE) {
        return false;
    }
    *value = number;
    return true;
}

bool text_to_real(const char *text, double *value)
{
    /* strtod also takes hexadecimal, inf, nan and leading space: only these characters rule them
     * out, and the end pointer settles the rest. */
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return false;
    }
    char *end;
    double number = strtod(text, &end);
    if (*end != '\0' || end == text || !isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}

char *text_from_real(double value, char *out)
{
    if (!isfinite(value)) {
        snprintf(out, TEXT_REAL_SIZE, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return out;
    }
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(out, TEXT_REAL_SIZE, "%.0f", value);
        return out;
    }
    /* Whatever 15 digits or fewer can say comes back from %.15g as it was, without its trailing
     * zeros; numbers below the normal range have less than 15 digits to give. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
        snprintf(out, TEXT_REAL_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    return out;
}

char *text_from_count(uint64_t number, char out[TEXT_COUNT_SIZE])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[used++] = ',';
        }
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

#define NEAREST_LIMIT 64

/* Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][NEAREST_LIMIT + 1];
    size_t n = strlen(a);
    size_t m = strlen(b);
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3];
        const size_t *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            }
            now[j] = best;
        }
    }
    return rows[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t best = length < 3 ? length : 3;
    for (size_t i = 0; length <= NEAREST_LIMIT && i < count; i++) {
        if (strlen(candidates[i]) > NEAREST_LIMIT) {
            continue;
        }
        size_t apart = distance(word, candidates[i]);
        /* Of two as near, a slip is less likely in the first letter. */
        bool closer = apart == best && nearest != NULL && nearest[0] != word[0] &&
                      candidates[i][0] == word[0];
        if (apart < best || closer) {
            best = apart;
            nearest = candidates[i];
        }
    }
    return nearest;
}
