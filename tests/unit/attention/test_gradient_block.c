/* SPDX-License-Identifier: MIT */
/* Tests of attention/gradient_block and gradient_prepare: rows against sums of 80 bits, wherever
 * digits could be lost, and rows that do not depend on the rows beside them. */
#include "attention/gradient.h"
#include "attention/gradient_block.h"
#include "attention/softmax.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define MOST 1100
#define WIDEST 160
#define ROOM ((size_t)400000)

static double weights[GRADIENT_BLOCK * MOST];
static double v[MOST * MOST];
static double origin[WIDEST], squares[MOST], distances[WIDEST * WIDEST];
static double shares[ROOM], scratch[ROOM];
static double norms[GRADIENT_BLOCK];
static struct gradient_vectors vectors;
static struct gradient_block block;

/* Rows of weights over n vectors (n, d), of scores with this spread. */
static void fill(uint64_t seed, size_t n, size_t d, size_t rows, double spread)
{
    double scores[MOST];
    ck_assert(n <= MOST && d <= WIDEST && gradient_distances_size(n, d) <= (size_t)WIDEST * WIDEST);
    ck_assert(gradient_shares_size(n) <= ROOM && gradient_scratch_size(n, d) <= ROOM);
    random_normal_matrix(seed, RANDOM_TEST, n, d, v);
    vectors = (struct gradient_vectors){n, d, v, origin, squares, distances, 0};
    block.n = n;
    block.count = rows;
    block.shares = shares;
    for (size_t i = 0; i < rows; i++) {
        random_normals(seed + 1000, RANDOM_TEST, (uint32_t)i, 0, (uint32_t)n, scores);
        for (size_t j = 0; j < n; j++) {
            scores[j] *= spread;
        }
        struct row_measures m = softmax_row(n, scores, weights + i * n);
        block.rows[i] = (struct gradient_row){weights + i * n, n, m.arg_max, m.others};
    }
}

static void measure(void)
{
    memset(norms, 0xff, sizeof norms);
    gradient_prepare(&vectors, scratch);
    gradient_share(&block);
    gradient_measure(&block, &vectors, scratch, norms);
}

/* Element c of v_j less that of the largest. */
static long double difference_from(size_t j, size_t largest, size_t c)
{
    size_t d = vectors.d;
    return (long double)vectors.v[j * d + c] - (long double)vectors.v[largest * d + c];
}

/* The root of sum p_j^2 |v_j - mean|^2, all from the largest, in 80 bits. */
static double reference(const struct gradient_row *row)
{
    long double others = (long double)row->others;
    long double sum = 0;
    for (size_t c = 0; c < vectors.d && others > 0; c++) {
        long double mean = 0;
        for (size_t j = 0; j < row->keys; j++) {
            if (j != row->arg_max) {
                mean += (long double)row->p[j] / others * difference_from(j, row->arg_max, c);
            }
        }
        for (size_t j = 0; j < row->keys; j++) {
            bool largest = j == row->arg_max;
            long double share = largest ? (long double)row->p[j] : (long double)row->p[j] / others;
            long double difference =
                largest ? mean : difference_from(j, row->arg_max, c) - others * mean;
            sum += share * share * difference * difference;
        }
    }
    return (double)(others * sqrtl(sum));
}

/* Shares of the other weights below 1e-154 have no squares, and are lost beside an exact twin of
 * the largest that has all the rest. */
static void assert_rows(double relative)
{
    for (size_t i = 0; i < block.count; i++) {
        double wanted = reference(&block.rows[i]);
        double lost = 1e-150 * block.rows[i].others;
        ck_assert_msg(support_near(norms[i], wanted, relative, lost),
                      "row %zu: %.17g, expected %.17g", i, norms[i], wanted);
    }
}

static const size_t shapes[][2] = {{2, 1},  {3, 5},    {8, 8},    {12, 16},   {16, 150},
                                   {33, 9}, {64, 100}, {100, 12}, {150, 160}, {160, 30}};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

START_TEST(rows_of_any_sharpness_match_sums_of_80_bits)
{
    static const double spreads[] = {0, 0.1, 1, 5, 30, 300, 3000};
    for (size_t i = 0; i < sizeof spreads / sizeof spreads[0]; i++) {
        fill(10 + i, shapes[_i][0], shapes[_i][1], 11, spreads[i]);
        measure();
        assert_rows(2e-14);
    }
}
END_TEST

START_TEST(both_ways_are_taken)
{
    ck_assert(gradient_keeps_distances(16, 16) && gradient_keeps_distances(1024, 1024));
    ck_assert(!gradient_keeps_distances(17, 16) && !gradient_keeps_distances(1025, 4096));
    fill(1, 100, 100, 3, 0.5);
    measure();
    ck_assert(block.dense == 3);
    fill(1, 100, 100, 3, 3000);
    measure();
    ck_assert(block.dense == 0);
}
END_TEST

/* Vector `place` becomes another one plus `step` times itself. */
static void move_near(size_t place, size_t other, double step)
{
    for (size_t c = 0; c < vectors.d; c++) {
        double *at = v + place * vectors.d + c;
        *at = v[other * vectors.d + c] + step * *at;
    }
}

START_TEST(twins_and_near_twins_keep_their_digits)
{
    static const double steps[] = {0, 1e-4, 1e-8, 1e-12};
    static const double spreads[] = {1, 20, 40, 400};
    for (size_t i = 0; i < 16; i++) {
        fill(20 + i, shapes[_i][0], shapes[_i][1], 12, spreads[i % 4]);
        /* The largest of each row gets a neighbour that has nearly all other weight. */
        for (size_t row = 0; row < 12; row++) {
            move_near((block.rows[row].arg_max + 1) % vectors.n, block.rows[row].arg_max,
                      steps[i / 4]);
        }
        measure();
        assert_rows(1e-12);
    }
}
END_TEST

START_TEST(two_near_twins_with_all_weight_are_told_apart)
{
    /* Scores 0, 0 and -20 for all others: what the twins differ by is 1e-8 of all distances. */
    for (size_t i = 0; i < (size_t)SHAPES; i++) {
        fill(30 + i, shapes[i][0], shapes[i][1], 1, 0);
        double scores[MOST];
        for (size_t j = 0; j < vectors.n; j++) {
            scores[j] = j < 2 ? 0 : -20;
        }
        struct row_measures m = softmax_row(vectors.n, scores, weights);
        block.rows[0] = (struct gradient_row){weights, vectors.n, m.arg_max, m.others};
        move_near(1, 0, 1e-8);
        measure();
        assert_rows(1e-12);
    }
}
END_TEST

START_TEST(tiny_shares_count_where_their_vectors_are_far)
{
    /* The largest is the origin, a near twin at 1e-31 has nearly all other weight, and the others,
     * of shares near 1e-31, are at distances near 1. */
    fill(35, shapes[_i][0] + 3, shapes[_i][1], 1, 0);
    double scores[MOST];
    for (size_t j = 0; j < vectors.n; j++) {
        scores[j] = j == 0 ? 0 : j == 1 ? -1 : -72;
    }
    struct row_measures m = softmax_row(vectors.n, scores, weights);
    block.rows[0] = (struct gradient_row){weights, vectors.n, m.arg_max, m.others};
    for (size_t c = 0; c < vectors.d; c++) {
        v[c] = 0;
        v[vectors.d + c] *= 1e-31;
    }
    measure();
    assert_rows(1e-12);
}
END_TEST

START_TEST(a_huge_common_part_does_not_cancel)
{
    for (int spread = 0; spread < 3; spread++) {
        fill(40, shapes[_i][0], shapes[_i][1], 9, spread * spread * 10);
        for (size_t i = 0; i < vectors.n * vectors.d; i++) {
            v[i] = 1e9 + nearbyint(v[i] * 64) / 64;
        }
        measure();
        assert_rows(2e-14);
    }
}
END_TEST

START_TEST(squares_neither_overflow_nor_underflow)
{
    static const double scales[] = {0x1p700, 0x1p-700, 0x1p1000, 0x1p-1000, 0x1p-520, 0x1p480};
    for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
        fill(50, shapes[_i][0], shapes[_i][1], 5, 1);
        for (size_t i = 0; i < vectors.n * vectors.d; i++) {
            v[i] *= scales[k];
        }
        measure();
        assert_rows(2e-14);
    }
}
END_TEST

START_TEST(other_weights_down_to_the_end_of_the_range_keep_their_digits)
{
    static const double gaps[] = {50, 300, 600, 700};
    fill(60, shapes[_i][0], shapes[_i][1], 4, 0);
    for (size_t row = 0; row < 4; row++) {
        double scores[MOST];
        random_normals(61, RANDOM_TEST, (uint32_t)row, 0, (uint32_t)vectors.n, scores);
        scores[row % vectors.n] += gaps[row];
        struct row_measures m = softmax_row(vectors.n, scores, weights + row * vectors.n);
        block.rows[row].arg_max = m.arg_max;
        block.rows[row].others = m.others;
    }
    measure();
    assert_rows(2e-14);
}
END_TEST

START_TEST(keys_behind_a_mask_take_no_part)
{
    fill(70, shapes[_i][0], shapes[_i][1], 1, 1);
    size_t n = vectors.n;
    block.count = 0;
    for (size_t keys = n < 40 ? 1 : n - 40; keys <= n; keys++) {
        double *row = weights + block.count * n;
        double scores[MOST];
        random_normals(71, RANDOM_TEST, (uint32_t)keys, 0, (uint32_t)keys, scores);
        struct row_measures m = softmax_row(keys, scores, row);
        for (size_t j = keys; j < n; j++) {
            row[j] = (double)NAN; /* whatever was there */
        }
        block.rows[block.count++] = (struct gradient_row){row, keys, m.arg_max, m.others};
    }
    measure();
    assert_rows(2e-14);
}
END_TEST

START_TEST(a_row_does_not_depend_on_the_rows_beside_it)
{
    static const size_t sizes[][2] = {{50, 60}, {50, 20}, {1050, 6}};
    fill(80, sizes[_i][0], sizes[_i][1], 16, 2);
    size_t n = vectors.n;
    for (size_t i = 0; i < 16; i += 3) { /* some rows of few weights among them */
        double scores[MOST];
        random_normals(81, RANDOM_TEST, (uint32_t)i, 0, (uint32_t)n, scores);
        for (size_t j = 0; j < n; j++) {
            scores[j] *= 2000;
        }
        struct row_measures m = softmax_row(n, scores, weights + i * n);
        block.rows[i].arg_max = m.arg_max;
        block.rows[i].others = m.others;
    }
    measure();
    ck_assert(block.dense > 0 && block.dense < 16);
    double together[16];
    memcpy(together, norms, sizeof together);
    assert_rows(1e-13);
    struct gradient_row rows[16];
    memcpy(rows, block.rows, sizeof rows);
    for (size_t i = 0; i < 16; i++) {
        block.count = 1;
        block.rows[0] = rows[i];
        measure();
        ck_assert(norms[0] == together[i]);
    }
}
END_TEST

START_TEST(equal_vectors_and_a_row_of_one_weight_give_zero)
{
    fill(90, 20, shapes[_i][1], 3, 1);
    memset(weights + 20, 0, 20 * sizeof(double));
    weights[20 + 4] = 1;
    block.rows[1].arg_max = 4;
    block.rows[1].others = 0;
    measure();
    ck_assert(norms[0] > 0 && norms[1] == 0 && norms[2] > 0);
    for (size_t j = 1; j < 20; j++) {
        memcpy(v + j * vectors.d, v, vectors.d * sizeof *v);
    }
    measure();
    ck_assert(norms[0] == 0 && norms[1] == 0 && norms[2] == 0);
}
END_TEST

START_TEST(a_vector_of_nan_gives_nan)
{
    fill(91, shapes[_i][0], shapes[_i][1], 4, 1);
    v[0] = (double)NAN;
    measure();
    for (size_t i = 0; i < 4; i++) {
        ck_assert(isnan(norms[i]));
    }
}
END_TEST

static double distance_of(size_t j, size_t l)
{
    long double sum = 0;
    for (size_t c = 0; c < vectors.d; c++) {
        long double difference = difference_from(j, l, c);
        sum += difference * difference;
    }
    return (double)sum;
}

START_TEST(distances_keep_their_digits)
{
    fill(92, 64, 100, 1, 1);
    move_near(5, 40, 1e-8);
    move_near(6, 41, 1e-3);
    move_near(7, 42, 0);
    measure();
    for (size_t j = 0; j < 64; j++) {
        for (size_t l = 0; l < 64; l++) {
            assert_near(distances[j * 64 + l], distance_of(j, l), 2e-14);
            ck_assert(distances[j * 64 + l] == distances[l * 64 + j]);
            ck_assert(distances[j * 64 + l] <= vectors.spread);
        }
    }
    ck_assert(distances[7 * 64 + 42] == 0 && distances[3 * 64 + 3] == 0);
}
END_TEST

/* As it is, far from zero, out of the range of squares, and a constant. */
static double of_kind(int kind, double value)
{
    switch (kind) {
    case 1:
        return 1e9 + nearbyint(value * 64) / 64;
    case 2:
        return value * 0x1p700;
    case 3:
        return 0.1;
    default:
        return value;
    }
}

START_TEST(uniform_prefixes_are_the_uniform_rows)
{
    double *prefixes = weights;
    for (int kind = 0; kind < 4; kind++) {
        fill(93, shapes[_i][0], shapes[_i][1], 1, 1);
        for (size_t i = 0; i < vectors.n * vectors.d; i++) {
            v[i] = of_kind(kind, v[i]);
        }
        gradient_uniform_prefixes(vectors.n, vectors.d, v, scratch, prefixes);
        ck_assert(prefixes[0] == 0);
        for (size_t k = 1; k < vectors.n; k++) {
            double wanted = gradient_row_uniform(k + 1, vectors.d, v, scratch);
            assert_near(prefixes[k], wanted, 2e-14);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("gradient_block");
    TCase *tests = tcase_create("gradient_block");
    tcase_add_loop_test(tests, rows_of_any_sharpness_match_sums_of_80_bits, 0, SHAPES);
    tcase_add_test(tests, both_ways_are_taken);
    tcase_add_loop_test(tests, twins_and_near_twins_keep_their_digits, 0, SHAPES);
    tcase_add_test(tests, two_near_twins_with_all_weight_are_told_apart);
    tcase_add_loop_test(tests, tiny_shares_count_where_their_vectors_are_far, 0, SHAPES);
    tcase_add_loop_test(tests, a_huge_common_part_does_not_cancel, 0, SHAPES);
    tcase_add_loop_test(tests, squares_neither_overflow_nor_underflow, 0, SHAPES);
    tcase_add_loop_test(tests, other_weights_down_to_the_end_of_the_range_keep_their_digits, 0,
                        SHAPES);
    tcase_add_loop_test(tests, keys_behind_a_mask_take_no_part, 0, SHAPES);
    tcase_add_loop_test(tests, a_row_does_not_depend_on_the_rows_beside_it, 0, 3);
    tcase_add_loop_test(tests, equal_vectors_and_a_row_of_one_weight_give_zero, 0, SHAPES);
    tcase_add_loop_test(tests, a_vector_of_nan_gives_nan, 0, SHAPES);
    tcase_add_test(tests, distances_keep_their_digits);
    tcase_add_loop_test(tests, uniform_prefixes_are_the_uniform_rows, 0, SHAPES);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
