/* SPDX-License-Identifier: MIT */
/* Tests of attention/query_key: norms and rotations by hand, what a rotation leaves alone, and the
 * way back against differences. */
#include "attention/query_key.h"
#include "base/random.h"
#include "numeric/matrix.h"
#include "numeric/statistics.h"
#include "support.h"

#include <string.h>

#define PLACES 40
#define WIDTH 6

static double turns[PLACES * 8];
static double rows[PLACES * WIDTH];
static double divisors[PLACES];

static struct query_key_rule rule_of(enum run_qk_norm norm, bool rotated, enum run_rope_pairs pairs)
{
    query_key_turns(PLACES, WIDTH, 10000, turns);
    return (struct query_key_rule){norm, 1e-5, rotated ? turns : NULL, pairs};
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < WIDTH; c++) {
        sum += a[c] * b[c];
    }
    return sum;
}

START_TEST(turns_are_angles_of_place_and_pair)
{
    /* Base 100 and d_k 4: pair 0 turns by the place, pair 1 by a tenth of it. */
    query_key_turns(3, 4, 100, turns);
    for (size_t place = 0; place < 3; place++) {
        const double *here = turns + 4 * place;
        double angle = (double)place;
        assert_near(here[0], cos(angle), 1e-15);
        assert_near(here[1], sin(angle), 1e-15);
        assert_near(here[2], cos(angle / 10), 1e-15);
        assert_near(here[3], sin(angle / 10), 1e-15);
    }
}
END_TEST

START_TEST(a_quarter_turn_by_hand)
{
    /* (a, b) turned by a right angle is (-b, a): halves pair 0 with 2 and 1 with 3, adjacent 0 with
     * 1 and 2 with 3. Only the first pair is turned here. */
    static const double halves[] = {-3, 2, 1, 4};
    static const double adjacent[] = {-2, 1, 3, 4};
    const double quarter[] = {0, 1, 1, 0};
    for (int pairs = ROPE_PAIRS_HALVES; pairs <= ROPE_PAIRS_ADJACENT; pairs++) {
        double row[] = {1, 2, 3, 4};
        struct query_key_rule rule = {QK_NORM_NONE, 0, quarter, (enum run_rope_pairs)pairs};
        query_key_apply(&rule, 1, 4, 0, row, divisors);
        const double *wanted = pairs == ROPE_PAIRS_HALVES ? halves : adjacent;
        ck_assert_mem_eq(row, wanted, sizeof row);
        ck_assert(divisors[0] == 1);
    }
}
END_TEST

START_TEST(a_plain_rule_leaves_every_bit)
{
    struct query_key_rule rule = rule_of(QK_NORM_NONE, false, ROPE_PAIRS_HALVES);
    ck_assert(query_key_is_plain(&rule));
    double kept[PLACES * WIDTH];
    random_normal_matrix(1, RANDOM_TEST, PLACES, WIDTH, rows);
    memcpy(kept, rows, sizeof kept);
    query_key_apply(&rule, PLACES, WIDTH, 3, rows, divisors);
    ck_assert_mem_eq(rows, kept, sizeof kept);
    for (int norm = QK_NORM_NONE; norm <= QK_NORM_RMS; norm++) {
        struct query_key_rule normed =
            rule_of((enum run_qk_norm)norm, norm == QK_NORM_NONE, ROPE_PAIRS_HALVES);
        ck_assert(!query_key_is_plain(&normed));
    }
}
END_TEST

START_TEST(a_rotation_keeps_lengths)
{
    struct query_key_rule rule = rule_of(QK_NORM_NONE, true, (enum run_rope_pairs)_i);
    double before[PLACES];
    random_normal_matrix(2, RANDOM_TEST, PLACES, WIDTH, rows);
    for (size_t i = 0; i < PLACES; i++) {
        before[i] = matrix_norm(WIDTH, rows + i * WIDTH);
    }
    query_key_apply(&rule, PLACES, WIDTH, 0, rows, divisors);
    for (size_t i = 0; i < PLACES; i++) {
        assert_near(matrix_norm(WIDTH, rows + i * WIDTH), before[i], 1e-14);
    }
}
END_TEST

START_TEST(products_depend_on_the_distance_of_places_alone)
{
    /* The same two vectors at every place: q_i·k_j is a function of i - j. */
    struct query_key_rule rule = rule_of(QK_NORM_NONE, true, (enum run_rope_pairs)_i);
    double q[PLACES * WIDTH];
    for (size_t i = 0; i < PLACES; i++) {
        random_normals(3, RANDOM_TEST, 0, 0, WIDTH, q + i * WIDTH);
        random_normals(3, RANDOM_TEST, 1, 0, WIDTH, rows + i * WIDTH);
    }
    query_key_apply(&rule, PLACES, WIDTH, 0, q, divisors);
    query_key_apply(&rule, PLACES, WIDTH, 0, rows, divisors);
    double largest = 0;
    for (size_t distance = 0; distance < 8; distance++) {
        double product = dot(q + distance * WIDTH, rows);
        for (size_t j = 1; j + distance < PLACES; j++) {
            assert_within(dot(q + (j + distance) * WIDTH, rows + j * WIDTH), product, 1e-13);
        }
        largest = fmax(largest, fabs(product - dot(q, rows)));
    }
    ck_assert(largest > 0.1); /* and it is no constant */
}
END_TEST

START_TEST(a_later_start_is_a_later_place)
{
    struct query_key_rule rule = rule_of(QK_NORM_L2, true, (enum run_rope_pairs)_i);
    double all[PLACES * WIDTH];
    random_normal_matrix(4, RANDOM_TEST, PLACES, WIDTH, all);
    memcpy(rows, all, sizeof all);
    query_key_apply(&rule, PLACES, WIDTH, 0, all, divisors);
    query_key_apply(&rule, PLACES - 7, WIDTH, 7, rows + (size_t)7 * WIDTH, divisors);
    ck_assert_mem_eq(rows + (size_t)7 * WIDTH, all + (size_t)7 * WIDTH,
                     (size_t)(PLACES - 7) * WIDTH * sizeof *all);
}
END_TEST

START_TEST(the_last_element_of_an_odd_width_stays)
{
    double row[] = {1, 2, 3, 4, 5};
    query_key_turns(3, 5, 10000, turns);
    struct query_key_rule rule = {QK_NORM_NONE, 0, turns, (enum run_rope_pairs)_i};
    query_key_apply(&rule, 1, 5, 2, row, divisors);
    ck_assert(row[4] == 5 && row[0] != 1 && row[3] != 4);
    assert_near(matrix_norm(5, row), sqrt(55), 1e-15);
}
END_TEST

START_TEST(norms_by_hand)
{
    /* (3, 4, 0, 0, 0, 5): length sqrt(50), mean 2, variance 50/6 - 4 = 13/3, mean square 25/3. */
    static const double given[WIDTH] = {3, 4, 0, 0, 0, 5};
    const double epsilon = 1e-5;
    const double wanted[] = {1, sqrt(50), sqrt(13.0 / 3 + epsilon), sqrt(25.0 / 3 + epsilon)};
    for (int norm = QK_NORM_NONE; norm <= QK_NORM_RMS; norm++) {
        struct query_key_rule rule = rule_of((enum run_qk_norm)norm, false, ROPE_PAIRS_HALVES);
        memcpy(rows, given, sizeof given);
        query_key_apply(&rule, 1, WIDTH, 0, rows, divisors);
        assert_near(divisors[0], wanted[norm], 1e-15);
        double centre = norm == QK_NORM_LAYER ? 2 : 0;
        for (size_t c = 0; c < WIDTH; c++) {
            assert_near(rows[c], (given[c] - centre) / wanted[norm], 1e-15);
        }
    }
}
END_TEST

START_TEST(rows_of_any_size_have_length_1)
{
    static const double sizes[] = {1e-300, 1e-160, 1, 1e160, 1e300};
    struct query_key_rule rule = rule_of(QK_NORM_L2, true, ROPE_PAIRS_HALVES);
    for (size_t i = 0; i < 5; i++) {
        random_normals(5, RANDOM_TEST, 0, 0, WIDTH, rows);
        for (size_t c = 0; c < WIDTH; c++) {
            rows[c] *= sizes[i];
        }
        query_key_apply(&rule, 1, WIDTH, 9, rows, divisors);
        assert_near(matrix_norm(WIDTH, rows), 1, 1e-15);
    }
}
END_TEST

START_TEST(rows_of_zeros_and_rows_that_are_not_finite)
{
    for (int norm = QK_NORM_L2; norm <= QK_NORM_RMS; norm++) {
        struct query_key_rule rule = rule_of((enum run_qk_norm)norm, true, ROPE_PAIRS_HALVES);
        memset(rows, 0, sizeof rows);
        rows[WIDTH] = (double)NAN;
        rows[(size_t)2 * WIDTH + 1] = (double)INFINITY;
        query_key_apply(&rule, 3, WIDTH, 0, rows, divisors);
        /* l2 has no epsilon to divide a row of zeros by. */
        ck_assert(norm == QK_NORM_L2 ? isnan(rows[0]) : rows[0] == 0);
        ck_assert(isnan(rows[WIDTH]) && isnan(rows[(size_t)2 * WIDTH + 1]));
    }
}
END_TEST

/* g · (the finished row) as a function of the projection it is made from. */
static double finished_product(const struct query_key_rule *rule, const double *projection,
                               size_t place, const double *g)
{
    double row[WIDTH];
    memcpy(row, projection, sizeof row);
    query_key_apply(rule, 1, WIDTH, place, row, divisors);
    return dot(row, g);
}

START_TEST(the_way_back_is_what_differences_say)
{
    struct query_key_rule rule =
        rule_of((enum run_qk_norm)(_i / 3), _i % 3 > 0, (enum run_rope_pairs)(_i % 3 == 2));
    rule.epsilon = 0.3; /* so that it counts */
    for (size_t place = 0; place < PLACES; place += 13) {
        double projection[WIDTH];
        double g[WIDTH];
        double row[WIDTH];
        double back[WIDTH];
        random_normals(6, RANDOM_TEST, (uint32_t)place, 0, WIDTH, projection);
        random_normals(7, RANDOM_TEST, (uint32_t)place, 0, WIDTH, g);
        memcpy(row, projection, sizeof row);
        double divisor;
        query_key_apply(&rule, 1, WIDTH, place, row, &divisor);
        query_key_pull_back(&rule, WIDTH, place, row, divisor, g, back);
        for (size_t c = 0; c < WIDTH; c++) {
            double step = 1e-5;
            double kept = projection[c];
            projection[c] = kept + step;
            double up = finished_product(&rule, projection, place, g);
            projection[c] = kept - step;
            double down = finished_product(&rule, projection, place, g);
            projection[c] = kept;
            assert_within(back[c], (up - down) / (2 * step), 1e-8);
        }
    }
}
END_TEST

START_TEST(what_a_norm_divides_out_takes_no_gradient)
{
    /* Scaling a projection changes nothing under l2, and neither does adding to it under layer. */
    struct query_key_rule l2 = rule_of(QK_NORM_L2, true, ROPE_PAIRS_ADJACENT);
    struct query_key_rule layer = rule_of(QK_NORM_LAYER, true, ROPE_PAIRS_ADJACENT);
    double projection[WIDTH];
    double g[WIDTH];
    double back[WIDTH];
    double divisor;
    random_normals(8, RANDOM_TEST, 0, 0, WIDTH, projection);
    random_normals(8, RANDOM_TEST, 1, 0, WIDTH, g);
    memcpy(rows, projection, sizeof projection);
    query_key_apply(&l2, 1, WIDTH, 5, rows, &divisor);
    query_key_pull_back(&l2, WIDTH, 5, rows, divisor, g, back);
    assert_within(dot(back, projection), 0, 1e-15);
    memcpy(rows, projection, sizeof projection);
    query_key_apply(&layer, 1, WIDTH, 5, rows, &divisor);
    query_key_pull_back(&layer, WIDTH, 5, rows, divisor, g, back);
    assert_within(statistics_mean(WIDTH, back), 0, 1e-15);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("query_key");
    TCase *tests = tcase_create("query_key");
    tcase_add_test(tests, turns_are_angles_of_place_and_pair);
    tcase_add_test(tests, a_quarter_turn_by_hand);
    tcase_add_test(tests, a_plain_rule_leaves_every_bit);
    tcase_add_loop_test(tests, a_rotation_keeps_lengths, 0, 2);
    tcase_add_loop_test(tests, products_depend_on_the_distance_of_places_alone, 0, 2);
    tcase_add_loop_test(tests, a_later_start_is_a_later_place, 0, 2);
    tcase_add_loop_test(tests, the_last_element_of_an_odd_width_stays, 0, 2);
    tcase_add_test(tests, norms_by_hand);
    tcase_add_test(tests, rows_of_any_size_have_length_1);
    tcase_add_test(tests, rows_of_zeros_and_rows_that_are_not_finite);
    tcase_add_loop_test(tests, the_way_back_is_what_differences_say, 0, 12);
    tcase_add_test(tests, what_a_norm_divides_out_takes_no_gradient);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
