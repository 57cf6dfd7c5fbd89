/* SPDX-License-Identifier: MIT */
/* Made-up results for the tests of the store: every field set, special values among them. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "run/fields.h"
#include "store/rows.h"
#include "store/column_values.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static inline const char *sample_text(struct arena *arena, const char *format, size_t number)
{
    char text[256];
    struct error err = ERROR_INIT;
    snprintf(text, sizeof text, "%s %zu", format, number);
    const char *copy = arena_copy_text(arena, text, &err);
    ck_assert(copy != NULL);
    return copy;
}

/* Gives one field a value that differs from field to field and from row to row. */
static inline void sample_set(const struct field *field, void *base, size_t row, size_t place,
                              struct arena *arena)
{
    static const double reals[] = {
        0.1,         -0.0,  1e-300, 123456789.123456789, (double)INFINITY, -(double)INFINITY,
        (double)NAN, 5e-324};
    size_t choices = 0;
    switch (field->kind) {
    case FIELD_INTEGER:
        value_set_integer(field, base, row % 5 == 4 ? INT64_MIN : (int64_t)(1000 * row + place));
        break;
    case FIELD_REAL:
        value_set_real(field, base, reals[(row + place) % 8]);
        break;
    case FIELD_SWITCH:
        value_set_switch(field, base, (row >> place % 3) % 2 == 1);
        break;
    case FIELD_CHOICE:
        while (field->choices[choices] != NULL) {
            choices++;
        }
        value_set_choice(field, base, (int)((row + place) % choices));
        break;
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        value_set_text(field, base,
                       row % 4 == 3 ? NULL : sample_text(arena, "größe→ 'x'", row % 7));
        if (field->kind == FIELD_PATH && row % 4 != 3) {
            value_set_digest(field, base, row % 3 == 2 ? NULL : sample_text(arena, "sha", row % 2));
        }
        break;
    }
}

/* The result of row `row`. The run is normalised, as every planned run is. */
static inline struct result sample_result(size_t row, struct arena *arena)
{
    struct result result = value_empty_result();
    result.index = (int64_t)row;
    result.key = (row + 1) * 0x9e3779b97f4a7c15U;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        sample_set(&run_fields[i], &result.run, row, i, arena);
    }
    result.run.source = (int)(row % 4);
    result.run.given = row * 0x1234567U % (UINT64_C(1) << RUN_FIELD_COUNT);
    run_normalise(&result.run);
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        sample_set(&measurement_fields[i], &result.measurement, row, i + 3, arena);
    }
    if (row % 11 == 5) {
        result.status = RESULT_FAILED;
        result.message = sample_text(arena, "failed: 'ü'\nsecond line\ttab", row);
    }
    return result;
}

/* Gives a result matrices of (queries, tokens) to keep. */
static inline void sample_keep_shape(struct result *result, size_t queries, size_t tokens,
                                     bool scores, bool weights, struct arena *arena)
{
    struct error err = ERROR_INIT;
    double *first = arena_alloc(arena, queries * tokens, sizeof *first, &err);
    double *second = arena_alloc(arena, queries * tokens, sizeof *second, &err);
    ck_assert(first != NULL && second != NULL);
    for (size_t i = 0; i < queries * tokens; i++) {
        first[i] = i % 5 == 3 ? -(double)INFINITY : (double)i / 7;
        second[i] = i % 6 == 5 ? (double)NAN : 1.0 / (double)(i + 1);
    }
    result->measurement.queries = (int64_t)queries;
    result->kept.queries = queries;
    result->kept.tokens = tokens;
    result->kept.scores = scores ? first : NULL;
    result->kept.weights = weights ? second : NULL;
    result->kept.words = sample_text(arena, "the cat chased", tokens);
}

/* Square ones, as of a head whose queries are its tokens. */
static inline void sample_keep(struct result *result, size_t tokens, bool scores, bool weights,
                               struct arena *arena)
{
    sample_keep_shape(result, tokens, tokens, scores, weights, arena);
}

/* A row of a set, until the next sixteen are asked for. */
static inline const struct result *row_at(const struct result_set *set, size_t row)
{
    static struct result rows[16];
    static size_t next;
    ck_assert_uint_lt(row, set->count);
    return result_row(set, row, &rows[next++ % 16]);
}

/* A set of `count` rows, every fifth of the first 30 with kept matrices. */
static inline struct result_set sample_set_of(size_t count, struct arena *arena)
{
    static const struct provenance facts[] = {{"rowmax_version", "0.1.0"}, {"cpu", "Zürich 9000"}};
    struct error err = ERROR_INIT;
    struct result *rows = arena_alloc(arena, count, sizeof *rows, &err);
    ck_assert(rows != NULL);
    for (size_t row = 0; row < count; row++) {
        rows[row] = sample_result(row, arena);
        if (row < 30 && row % 5 == 1) {
            sample_keep(&rows[row], 2 + row / 5, row != 6, row != 11, arena);
        }
    }
    return (struct result_set){.name = "sample",
                               .title = "A sample: größe",
                               .sweep_text = "rowmax: 1\nname: sample\n# größe\n",
                               .planned = (int64_t)count,
                               .provenance = facts,
                               .provenance_count = 2,
                               .whole = rows,
                               .count = count};
}

#endif
