/* SPDX-License-Identifier: MIT */
/* Rows of numbers to and from text; see score_rows.h. */
#include "run/score_rows.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define NUMBER_SIZE 64
#define BLANKS " \t\r\n"
#define BETWEEN BLANKS ","

/* -inf, or one of the spellings that YAML has for it. */
static bool is_masked(const char *word)
{
    static const char *const spellings[] = {"-inf", "-.inf", "-.Inf", "-.INF"};
    size_t i = 0;
    while (i < sizeof spellings / sizeof spellings[0] && strcmp(word, spellings[i]) != 0) {
        i++;
    }
    return i < sizeof spellings / sizeof spellings[0];
}

static bool read_number(const char *word, double *out)
{
    if (is_masked(word)) {
        *out = -(double)INFINITY;
        return true;
    }
    if (!text_to_real(word, out)) {
        return false;
    }
    /* -0 becomes the 0 that it equals: equal scores have one spelling. */
    *out += 0.0;
    return true;
}

/* Numbers in `text`, or the longest row of them that there can be. */
static size_t count_numbers(const char *text)
{
    size_t count = 0;
    for (text += strspn(text, BETWEEN ";"); *text != '\0'; text += strspn(text, BETWEEN ";")) {
        text += strcspn(text, BETWEEN ";");
        count++;
    }
    return count;
}

static bool take_number(const char **text, double *out, struct error *err)
{
    char word[NUMBER_SIZE];
    size_t length = strcspn(*text, BETWEEN ";");
    size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, *text, kept);
    word[kept] = '\0';
    *text += length;
    if (length == 0) {
        return error_set(err, ERROR_INPUT, "a number is missing beside a comma");
    }
    return (kept == length && read_number(word, out)) ||
           error_set(err, ERROR_INPUT,
                     "'%s' is no score; write finite decimal numbers, or -.inf for a masked key",
                     word);
}

static bool ends_row(const char *text)
{
    return *text == '\0' || *text == ';';
}

/* One row up to its semicolon or the end. A comma stands between two numbers: one too many hides a
 * number that was forgotten. */
static bool take_row(const char **text, double *values, size_t *count, struct error *err)
{
    *count = 0;
    *text += strspn(*text, BLANKS);
    bool more = !ends_row(*text);
    while (more) {
        if (!take_number(text, &values[*count], err)) {
            return false;
        }
        ++*count;
        *text += strspn(*text, BLANKS);
        bool comma = **text == ',';
        *text += comma ? 1 + strspn(*text + 1, BLANKS) : 0;
        more = comma || !ends_row(*text);
    }
    return *count > 0 || error_set(err, ERROR_INPUT, "a row of scores is empty");
}

bool score_rows_parse(const char *text, struct arena *arena, struct score_rows *out,
                      struct error *err)
{
    double *values = arena_alloc(arena, count_numbers(text) + 1, sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    *out = (struct score_rows){0, 0, values};
    for (;;) {
        size_t count;
        if (!take_row(&text, values + out->rows * out->columns, &count, err)) {
            return false;
        }
        if (out->rows > 0 && count != out->columns) {
            return error_set(err, ERROR_INPUT,
                             "rows of scores differ in length: %zu numbers, then %zu; fill up with "
                             "-.inf, a masked key",
                             out->columns, count);
        }
        out->columns = count;
        out->rows++;
        if (*text == '\0') {
            return true;
        }
        text++;
    }
}

const char *score_rows_text(const struct score_rows *rows, struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    char number[TEXT_REAL_SIZE];
    for (size_t i = 0; i < rows->rows * rows->columns; i++) {
        const char *before = i == 0 ? "" : i % rows->columns == 0 ? ";" : ",";
        text_append(&text, before);
        text_append(&text, text_from_real(rows->values[i], number));
    }
    return text_finish(&text, err);
}
