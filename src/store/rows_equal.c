/* SPDX-License-Identifier: MIT */
/* Equal rows; declared in rows.h. Sets are compared column by column: what all rows share is looked
 * at once. */
#include "store/rows.h"

#include "store/column_values.h"

#include <string.h>

/* By bytes: a NaN equals itself, and 0 differs from -0. */
static bool same_matrices(const double *a, const double *b, const struct kept *kept)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return memcmp(a, b, kept->queries * kept->tokens * sizeof *a) == 0;
}

static bool same_kept(const struct kept *a, const struct kept *b)
{
    return a->queries == b->queries && a->tokens == b->tokens &&
           value_texts_equal(a->words, b->words) && same_matrices(a->scores, b->scores, a) &&
           same_matrices(a->weights, b->weights, a);
}

/* A pair of sets and how many of their rows are known to be the same. */
struct pair {
    const struct result_set *a, *b;
    size_t until;
};

static void note(struct pair *pair, size_t row, bool same)
{
    pair->until = same || row > pair->until ? pair->until : row;
}

static void compare_identities(struct pair *pair)
{
    for (size_t row = 0; row < pair->until; row++) {
        struct kept x = result_kept(pair->a, row);
        struct kept y = result_kept(pair->b, row);
        note(pair, row,
             result_index(pair->a, row) == result_index(pair->b, row) &&
                 result_key(pair->a, row) == result_key(pair->b, row) &&
                 result_status(pair->a, row) == result_status(pair->b, row) &&
                 result_lacking(pair->a, row) == result_lacking(pair->b, row) &&
                 strcmp(result_message(pair->a, row), result_message(pair->b, row)) == 0 &&
                 same_kept(&x, &y));
    }
}

/* Whether the field has a meaning in this row. */
static bool applies(const struct result_set *set, size_t row, size_t field)
{
    const int *source = result_run_member(set, row, RUN_SOURCE);
    const int *learner = result_run_member(set, row, RUN_LEARNER);
    return run_field_applies_to(*source, *learner, (enum run_field)field);
}

static void compare_field(struct pair *pair, size_t i)
{
    const struct field *field = &run_fields[i];
    const void *x = result_shared_member(pair->a, i);
    const void *y = result_shared_member(pair->b, i);
    if (x != NULL && y != NULL && field_member_equal(field, x, y)) {
        return;
    }
    for (size_t row = 0; row < pair->until; row++) {
        x = result_run_member(pair->a, row, i);
        y = result_run_member(pair->b, row, i);
        note(pair, row, field_member_equal(field, x, y) || !applies(pair->a, row, i));
    }
}

static const char *text_at(const struct result_set *set, size_t row, size_t column)
{
    const char *const *text = result_run_member(set, row, column);
    return *text;
}

static void compare_digests(struct pair *pair, size_t path)
{
    size_t digest = run_list_digest((enum run_field)path);
    const char *const *x = result_shared_member(pair->a, digest);
    const char *const *y = result_shared_member(pair->b, digest);
    if (x != NULL && y != NULL && value_texts_equal(*x, *y)) {
        return;
    }
    for (size_t row = 0; row < pair->until; row++) {
        bool same = value_texts_equal(text_at(pair->a, row, digest), text_at(pair->b, row, digest));
        note(pair, row,
             same || text_at(pair->a, row, path) == NULL || !applies(pair->a, row, path));
    }
}

static uint64_t given_of(const struct result_set *set, size_t row)
{
    const uint64_t *given = result_run_member(set, row, RUN_LIST_GIVEN);
    return *given;
}

static void compare_given(struct pair *pair)
{
    const uint64_t *x = result_shared_member(pair->a, RUN_LIST_GIVEN);
    const uint64_t *y = result_shared_member(pair->b, RUN_LIST_GIVEN);
    if (x != NULL && y != NULL && *x == *y) {
        return;
    }
    for (size_t row = 0; row < pair->until; row++) {
        uint64_t differs = given_of(pair->a, row) ^ given_of(pair->b, row);
        for (; differs != 0; differs &= differs - 1) {
            size_t field = (size_t)__builtin_ctzll(differs);
            note(pair, row, field >= RUN_FIELD_COUNT || !applies(pair->a, row, field));
        }
    }
}

/* Whether row r of both is one row of one table. */
static bool is_one_table(const struct pair *pair)
{
    bool same = pair->a->table != NULL && pair->a->table == pair->b->table;
    for (size_t row = 0; same && row < pair->until; row++) {
        size_t x = pair->a->places == NULL ? row : pair->a->places[row].row;
        size_t y = pair->b->places == NULL ? row : pair->b->places[row].row;
        same = x == y;
    }
    return same;
}

static void compare_measures(struct pair *pair)
{
    uint64_t lacking = pair->a->lacking & pair->b->lacking;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        for (size_t row = 0; row < pair->until && (lacking >> m & 1) == 0; row++) {
            note(pair, row,
                 field_member_equal(&measurement_fields[m], result_measure_member(pair->a, row, m),
                                    result_measure_member(pair->b, row, m)));
        }
    }
}

size_t rows_equal_until(const struct result_set *a, const struct result_set *b)
{
    struct pair pair = {a, b, a->count};
    compare_identities(&pair);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        compare_field(&pair, i);
        if (run_fields[i].kind == FIELD_PATH) {
            compare_digests(&pair, i);
        }
    }
    compare_given(&pair);
    if (!is_one_table(&pair)) {
        compare_measures(&pair);
    }
    return pair.until;
}

bool rows_equal(const struct result *a, const struct result *b)
{
    const struct result_set x = {.whole = a, .count = 1};
    const struct result_set y = {.whole = b, .count = 1};
    return rows_equal_until(&x, &y) == 1;
}
