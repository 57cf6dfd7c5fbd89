/* SPDX-License-Identifier: MIT */
/* Sparse products against sums over rows, with any number of hands. */
#include "corpus/sparse.h"

#include "base/processor.h"
#include "base/random.h"
#include "arena_fixture.h"

#include <string.h>

/* Row r has entries where the draw lies below (r + 1) / order: from few to all. Row 3 is empty. */
static struct cooccurrence make(size_t order)
{
    double *drawn = arena_alloc(&arena, order * order, sizeof *drawn, &err);
    size_t *start = arena_alloc(&arena, order + 1, sizeof *start, &err);
    uint32_t *column = arena_alloc(&arena, order * order, sizeof *column, &err);
    double *count = arena_alloc(&arena, order * order, sizeof *count, &err);
    ck_assert(drawn != NULL && start != NULL && column != NULL && count != NULL);
    size_t used = 0;
    for (size_t row = 0; row < order; row++) {
        random_uniforms(1, RANDOM_TEST, (uint32_t)row, 0, order, drawn);
        for (size_t c = 0; c < order && row != 3; c++) {
            if (drawn[c] * (double)order < (double)row + 1) {
                column[used] = (uint32_t)c;
                count[used++] = drawn[c] - 0.25;
            }
        }
        start[row + 1] = used;
    }
    return (struct cooccurrence){order, start, column, count};
}

/* Hands that do the parts backwards: no order may matter. */
static void backwards(struct crew *crew, size_t count, crew_part *part, void *task)
{
    (void)crew;
    while (count > 0) {
        part(task, --count, 0);
    }
}

static const size_t orders[] = {1, 2, 4, 5, 7, 64, 700};

START_TEST(each_entry_is_the_sum_over_its_row_in_order)
{
    size_t order = orders[_i];
    struct cooccurrence matrix = make(order);
    struct crew crew = {2, backwards};
    struct sparse alone;
    struct sparse shared;
    double *x = arena_alloc(&arena, order, sizeof *x, &err);
    double *y = arena_alloc(&arena, order, sizeof *y, &err);
    double *z = arena_alloc(&arena, order, sizeof *z, &err);
    random_normals(2, RANDOM_TEST, 0, 0, order, x);
    assert_ok(sparse_make(&matrix, NULL, &arena, &alone, &err), err);
    assert_ok(sparse_make(&matrix, &crew, &arena, &shared, &err), err);
    ck_assert_uint_eq(alone.part_count, 1);
    ck_assert(shared.part_count > 1 || order < 700);
    sparse_multiply(&alone, x, y);
    sparse_multiply(&shared, x, z);
    for (size_t row = 0; row < order; row++) {
        double sum = 0;
        for (size_t e = matrix.row_start[row]; e < matrix.row_start[row + 1]; e++) {
            sum += matrix.count[e] * x[matrix.column[e]];
        }
        ck_assert_msg(y[row] == sum && z[row] == sum, "row %zu of %zu", row, order);
    }
}
END_TEST

/* Against plain sums, by all hands alone. */
static void assert_product(const struct cooccurrence *matrix, bool grouped)
{
    struct sparse sparse;
    double *x = arena_alloc(&arena, matrix->order, sizeof *x, &err);
    double *y = arena_alloc(&arena, matrix->order, sizeof *y, &err);
    random_normals(2, RANDOM_TEST, 0, 0, matrix->order, x);
    assert_ok(sparse_make(matrix, NULL, &arena, &sparse, &err), err);
    ck_assert((sparse.groups.count > 0) == grouped);
    sparse_multiply(&sparse, x, y);
    for (size_t row = 0; row < matrix->order; row++) {
        double sum = 0;
        for (size_t e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++) {
            sum += matrix->count[e] * x[matrix->column[e]];
        }
        ck_assert_msg(y[row] == sum, "row %zu", row);
    }
}

/* Row r has r % 4 entries. */
static struct cooccurrence make_wide(size_t order)
{
    size_t *start = arena_alloc(&arena, order + 1, sizeof *start, &err);
    uint32_t *column = arena_alloc(&arena, 4 * order, sizeof *column, &err);
    double *count = arena_alloc(&arena, 4 * order, sizeof *count, &err);
    ck_assert(start != NULL && column != NULL && count != NULL);
    for (size_t row = 0; row < order; row++) {
        start[row + 1] = start[row] + row % 4;
        for (size_t i = 0; i < row % 4; i++) {
            column[start[row] + i] = (uint32_t)(i * (order / 4) + row % (order / 4));
            count[start[row] + i] = 1.0 / (double)(row + i);
        }
    }
    return (struct cooccurrence){order, start, column, count};
}

START_TEST(every_level_of_processor_gives_the_same_sums)
{
    struct cooccurrence matrix = make(64);
    ck_assert(support_use_level((enum processor_level)_i));
    assert_product(&matrix, true);
}
END_TEST

START_TEST(rows_are_side_by_side_as_long_as_columns_fit_into_sixteen_bits)
{
    struct cooccurrence most = make_wide(65536);
    assert_product(&most, true);
    struct cooccurrence more = make_wide(65540);
    assert_product(&more, false);
}
END_TEST

START_TEST(a_transpose_has_every_entry_in_its_place)
{
    size_t order = orders[_i];
    struct cooccurrence matrix = make(order);
    struct cooccurrence across;
    struct cooccurrence back;
    assert_ok(sparse_transpose(&matrix, &arena, &across, &err), err);
    assert_ok(sparse_transpose(&across, &arena, &back, &err), err);
    size_t entries = matrix.row_start[order];
    ck_assert_uint_eq(across.row_start[0], 0);
    ck_assert_uint_eq(across.row_start[order], entries);
    ck_assert(memcmp(back.row_start, matrix.row_start, (order + 1) * sizeof(size_t)) == 0);
    ck_assert(memcmp(back.column, matrix.column, entries * sizeof(uint32_t)) == 0);
    ck_assert(memcmp(back.count, matrix.count, entries * sizeof(double)) == 0);
    /* Entry (r, c) of the one is (c, r) of the other. */
    double *dense = arena_alloc(&arena, order * order, sizeof *dense, &err);
    for (size_t row = 0; row < order; row++) {
        for (size_t e = matrix.row_start[row]; e < matrix.row_start[row + 1]; e++) {
            dense[row * order + matrix.column[e]] = matrix.count[e];
        }
    }
    for (size_t row = 0; row < order; row++) {
        for (size_t e = across.row_start[row]; e < across.row_start[row + 1]; e++) {
            ck_assert(e == across.row_start[row] || across.column[e] > across.column[e - 1]);
            ck_assert(across.count[e] == dense[across.column[e] * order + row]);
        }
    }
}
END_TEST

static Suite *sparse_suite(void)
{
    Suite *suite = suite_create("sparse");
    TCase *cases = tcase_create("sparse");
    const int sizes = (int)(sizeof orders / sizeof orders[0]);
    const int levels = (int)processor_best() + 1;
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, each_entry_is_the_sum_over_its_row_in_order, 0, sizes);
    tcase_add_loop_test(cases, a_transpose_has_every_entry_in_its_place, 0, sizes);
    tcase_add_loop_test(cases, every_level_of_processor_gives_the_same_sums, 0, levels);
    tcase_add_test(cases, rows_are_side_by_side_as_long_as_columns_fit_into_sixteen_bits);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(sparse_suite());
}
