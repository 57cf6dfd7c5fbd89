/* SPDX-License-Identifier: MIT */
/* Tests src/report/contours.c: lines of one height, found by hand. */
#include "report/contours.h"
#include "support.h"

#include <math.h>

static struct arena arena;

static struct contour find(size_t rows, size_t columns, const double *values, double level)
{
    struct contour contour;
    struct error err = ERROR_INIT;
    assert_ok(contour_find(rows, columns, values, level, &arena, &contour, &err), err);
    return contour;
}

static size_t count_lines(const struct contour *contour)
{
    size_t count = 0;
    for (size_t i = 0; i < contour->count; i++) {
        count += contour->points[i].starts ? 1 : 0;
    }
    return count;
}

START_TEST(a_slope_has_one_line_between_its_columns)
{
    /* 0.5 is a quarter of the way from 0.4 to 0.8 in every row */
    const double values[9] = {0.2, 0.4, 0.8, 0.2, 0.4, 0.8, 0.2, 0.4, 0.8};
    struct contour line = find(3, 3, values, 0.5);
    ck_assert_uint_eq(line.count, 3);
    ck_assert_uint_eq(count_lines(&line), 1);
    for (size_t i = 0; i < 3; i++) {
        assert_near(line.points[i].x, 1.25, 1e-12);
        assert_near(line.points[i].y, (double)i, 1e-12);
    }
    ck_assert_uint_eq(find(3, 3, values, 0.9).count, 0);
    ck_assert_uint_eq(find(1, 3, values, 0.5).count, 0);
}
END_TEST

START_TEST(a_peak_has_a_ring_round_it)
{
    const double values[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    struct contour ring = find(3, 3, values, 0.5);
    /* four crossings half a cell from the middle, and the first again */
    ck_assert_uint_eq(ring.count, 5);
    ck_assert_uint_eq(count_lines(&ring), 1);
    for (size_t i = 0; i < ring.count; i++) {
        assert_near(fabs(ring.points[i].x - 1) + fabs(ring.points[i].y - 1), 0.5, 1e-12);
    }
    assert_near(ring.points[0].x, ring.points[4].x, 0);
    assert_near(ring.points[0].y, ring.points[4].y, 0);
}
END_TEST

START_TEST(a_saddle_is_cut_by_the_mean_of_its_corners)
{
    /* low at (0, 0) and (1, 1); the mean 0.6 is above the level, so the low corners are cut off:
     * a line near (0, 0) joins (0.25, 0) and (0, 0.25) */
    const double values[4] = {0.2, 1, 1, 0.2};
    struct contour lines = find(2, 2, values, 0.4);
    ck_assert_uint_eq(count_lines(&lines), 2);
    ck_assert_uint_eq(lines.count, 4);
    for (size_t i = 0; i < 4; i += 2) {
        const struct contour_point *a = &lines.points[i];
        double corner = a->x + a->y < 1 ? 0.25 : 1.75;
        assert_near(a[0].x + a[0].y, corner, 1e-12);
        assert_near(a[1].x + a[1].y, corner, 1e-12);
    }
    /* with the level above the mean the high corners are cut off */
    lines = find(2, 2, values, 0.8);
    ck_assert_uint_eq(count_lines(&lines), 2);
    for (size_t i = 0; i < 4; i += 2) {
        const struct contour_point *a = &lines.points[i];
        assert_near(fabs(a[0].x - a[0].y), 0.75, 1e-12);
        assert_near(fabs(a[1].x - a[1].y), 0.75, 1e-12);
    }
}
END_TEST

START_TEST(nothing_is_drawn_beside_a_gap)
{
    const double values[6] = {0.2, (double)NAN, 0.8, 0.2, 0.6, 0.8};
    ck_assert_uint_eq(find(2, 3, values, 0.5).count, 0);
    const double endless[4] = {0, (double)INFINITY, 0, 1};
    ck_assert_uint_eq(find(2, 2, endless, 0.5).count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contours");
    TCase *cases = tcase_create("contours");
    tcase_add_test(cases, a_slope_has_one_line_between_its_columns);
    tcase_add_test(cases, a_peak_has_a_ring_round_it);
    tcase_add_test(cases, a_saddle_is_cut_by_the_mean_of_its_corners);
    tcase_add_test(cases, nothing_is_drawn_beside_a_gap);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
