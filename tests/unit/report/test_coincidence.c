/* SPDX-License-Identifier: MIT */
/* Tests src/report/coincidence.c and bands.c: curves upon each other, and bands cut to a panel. */
#include "report/bands.h"
#include "report/coincidence.h"
#include "support.h"

#include <string.h>

static struct arena arena;

enum { POINTS = 3, LINES = 3 };

static struct summary_group groups[LINES][POINTS];
static struct view_point points[LINES][POINTS];
static struct view view;

/* Three lines over x = 1, 2 and 3 in one column; the first measure has the means given. */
static struct panels panels_of(double means[LINES][POINTS], double low, double high)
{
    struct panels panels;
    memset(&panels, 0, sizeof panels);
    memset(groups, 0, sizeof groups);
    view = (struct view){.scale = SCALE_LINEAR, .line_count = LINES};
    panels.view = &view;
    panels.column_count = 1;
    panels.measures[0].measure = MEASURE_ROW_MAX_MEAN;
    panels.scales[0] = (struct scale){false, low, high};
    for (size_t line = 0; line < LINES; line++) {
        for (size_t i = 0; i < POINTS; i++) {
            struct estimate *estimate = &groups[line][i].measures[MEASURE_ROW_MAX_MEAN];
            *estimate = (struct estimate){2, means[line][i], (double)NAN, means[line][i]};
            points[line][i] = (struct view_point){(double)i + 1, &groups[line][i]};
        }
        panels.columns[0].curves[line] = (struct view_curve){POINTS, points[line]};
    }
    return panels;
}

START_TEST(curves_within_a_hundredth_of_the_height_lie_upon_each_other)
{
    double means[LINES][POINTS] = {{0, 5, 10}, {0.05, 5.05, 9.9}, {0.2, 5.2, 10}};
    struct panels panels = panels_of(means, 0, 10);
    /* the second is within 0.1 of the first at two of three points; the third at one */
    struct coincidence first = coincidence_of(&panels, 0, 0, 0);
    struct coincidence second = coincidence_of(&panels, 0, 0, 1);
    struct coincidence third = coincidence_of(&panels, 0, 0, 2);
    ck_assert_uint_eq(first.below, 0);
    ck_assert_uint_eq(first.above, 1);
    ck_assert_uint_eq(second.below, 1);
    ck_assert_uint_eq(second.above, 0);
    ck_assert_uint_eq(third.below + third.above, 0);
    ck_assert(coincidence_any(&panels));
    view.scale = SCALE_CATEGORIES;
    ck_assert(!coincidence_any(&panels));
}
END_TEST

START_TEST(the_widest_logarithmic_axis_has_heights)
{
    double means[LINES][POINTS] = {{1, 1e-150, 1e-300}, {1, 1e-151, 1e-300}, {1e-50, 1e-80, 1}};
    struct panels panels = panels_of(means, 1e-308, 10);
    panels.scales[0].logarithmic = true;
    ck_assert_uint_eq(coincidence_of(&panels, 0, 0, 1).below, 1);
    ck_assert_uint_eq(coincidence_of(&panels, 0, 0, 2).below, 0);
}
END_TEST

START_TEST(the_lower_ones_show_through)
{
    ck_assert_str_eq(coincidence_dashes(0), "solid");
    ck_assert_str_ne(coincidence_dashes(1), coincidence_dashes(2));
    assert_near(coincidence_growth(0), 1, 0);
    ck_assert(coincidence_growth(1) > 1 && coincidence_growth(2) > coincidence_growth(1));
}
END_TEST

START_TEST(a_band_is_cut_where_it_leaves_the_panel)
{
    double means[LINES][POINTS] = {{0.5, 0.5, (double)NAN}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
    struct panels panels = panels_of(means, 0, 1);
    struct text script = TEXT_INIT(&arena);
    groups[0][0].measures[MEASURE_ROW_MAX_MEAN].half_width = 0.25;
    groups[0][1].measures[MEASURE_ROW_MAX_MEAN].half_width = 1.25;
    ck_assert(bands_drawn(&panels, 0, 0, 0));
    ck_assert(!bands_drawn(&panels, 0, 0, 1));
    bands_append_blocks(&script, &panels);
    /* from 0.25..0.75 to -0.75..1.75: both ends meet the limits a quarter of the way */
    ck_assert_ptr_nonnull(strstr(script.data, "$b0l0m0 << ROWMAX_EOD\n"
                                              "1\t0.25\t0.75\n"
                                              "1.25\t0\t1\n"
                                              "1.25\t0\t1\n"
                                              "2\t0\t1\n"
                                              "NaN\tNaN\tNaN\n"
                                              "ROWMAX_EOD\n"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coincidence");
    TCase *cases = tcase_create("coincidence");
    tcase_add_test(cases, curves_within_a_hundredth_of_the_height_lie_upon_each_other);
    tcase_add_test(cases, the_widest_logarithmic_axis_has_heights);
    tcase_add_test(cases, the_lower_ones_show_through);
    tcase_add_test(cases, a_band_is_cut_where_it_leaves_the_panel);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
