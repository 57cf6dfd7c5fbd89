/* SPDX-License-Identifier: MIT */
/* Tests src/report/nights_figure.c: the figure of nights. */
#include "nights_example.h"
#include "rendered_figure.h"

/* Four nights; in the third row-max of d_k = 16 steps, the check regresses, and the host differs.
 */
static struct nights_example *stepping(struct figure *figure)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.25);
    nights_example_add(example, "2026-11-02", 0.25);
    struct history_night *night = nights_example_add(example, "2026-11-03", 0.125);
    night->verdict = "fail";
    night->regressions = 1;
    night->other_host = true;
    nights_example_add(example, "2026-11-04", 0.125);
    assert_ok(nights_draw(&example->set, nights_example_choose(example), &example->arena, figure,
                          &example->err),
              example->err);
    return example;
}

START_TEST(a_step_has_a_dashed_line_a_label_and_a_circle)
{
    struct figure figure;
    struct nights_example *example = stepping(&figure);
    ck_assert_str_eq(figure.name, "nights");
    ck_assert_ptr_null(figure.heading);
    expect_part(figure.script, "set arrow from first 3, graph 0 to first 3, graph 1.06 nohead back "
                               "dashtype");
    expect_part(figure.script, "set label '2026-11-03: d_k=16 0.25 → 0.125' at screen");
    expect_part(figure.script, "set label '' at first 3, first 0.125 point pointtype 6");
    expect_part(figure.script, "set xtics ('2026-11-01' 1, '2026-11-02' 2, '2026-11-03' 3, ");
    nights_example_end(example);
}
END_TEST

START_TEST(every_night_has_the_mark_of_its_verdict)
{
    struct figure figure;
    struct nights_example *example = stepping(&figure);
    /* pass: nights 1, 2 and 4; regression and another host: night 3 */
    expect_part(figure.script, "$v0 << ROWMAX_EOD\n1\n2\n4\nROWMAX_EOD\n");
    expect_part(figure.script, "$v4 << ROWMAX_EOD\n3\nROWMAX_EOD\n$v5 << ROWMAX_EOD\n3\n");
    expect_part(figure.script, "set label 'regression' at screen");
    expect_part(figure.script, "set label 'pass' at screen");
    expect_no_part(figure.script, "set label 'improved' at screen");
    expect_part(figure.caption, "A square stands around nights");
    nights_example_end(example);
}
END_TEST

START_TEST(data_has_a_line_for_each_night_and_group)
{
    struct figure figure;
    struct nights_example *example = stepping(&figure);
    expect_part(figure.data, "night\tdate\tverdict\tother_host\tgroup\trow_max_mean\t"
                             "jacobian_norm_mean\tscore_std\n"
                             "1\t2026-11-01\tpass\tno\td_k=8\t0.1\t0\t0\n");
    expect_part(figure.data, "3\t2026-11-03\tregression\tyes\td_k=16\t0.125\t0\t0\n");
    nights_example_end(example);
}
END_TEST

/* Both groups step in one night: one line, one label. */
START_TEST(steps_of_one_night_share_a_line)
{
    struct figure figure;
    struct nights_example *example = nights_example_make(2);
    for (int n = 0; n < 4; n++) {
        nights_example_add(example, "2026-11-01", n < 2 ? 0.1 : 0.3);
        double *first = nights_example_means(example, 0);
        first[MEASURE_ROW_MAX_MEAN] = n < 2 ? 0.2 : 0.4;
    }
    assert_ok(nights_draw(&example->set, nights_example_choose(example), &example->arena, &figure,
                          &example->err),
              example->err);
    const char *arrow = strstr(figure.script, "set arrow from first 3,");
    ck_assert_ptr_nonnull(arrow);
    expect_no_part(arrow + 1, "set arrow from first 3,");
    expect_part(figure.script, "2026-11-01: stepped in 2 groups");
    nights_example_end(example);
}
END_TEST

START_TEST(dashes_are_explained_only_where_a_measure_stepped)
{
    struct figure figure;
    struct nights_example *example = stepping(&figure);
    expect_part(figure.script, "seed only. Dashed: the night from which");
    expect_part(figure.caption, "A dashed line stands at the first night of a new level");
    nights_example_end(example);
    example = nights_example_make(2);
    for (int n = 0; n < 4; n++) {
        nights_example_add(example, "2026-11-01", 0.25);
    }
    assert_ok(nights_draw(&example->set, nights_example_choose(example), &example->arena, &figure,
                          &example->err),
              example->err);
    expect_no_part(figure.script, "dashtype");
    expect_no_part(figure.script, "Dashed");
    expect_no_part(figure.caption, "dashed");
    expect_part(figure.caption, "where there is none. The row on top is");
    nights_example_end(example);
}
END_TEST

START_TEST(the_figure_renders)
{
    struct figure figure;
    struct nights_example *example = stepping(&figure);
    expect_renders(&figure, &example->arena);
    nights_example_end(example);
}
END_TEST

/* A single night, a mean that is missing in all nights but one, and texts that gnuplot could read.
 */
START_TEST(gaps_single_nights_and_odd_texts_render)
{
    struct figure figure;
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "it's `date`\n@x", 1e300);
    assert_ok(nights_draw(&example->set, nights_example_choose(example), &example->arena, &figure,
                          &example->err),
              example->err);
    expect_renders(&figure, &example->arena);
    nights_example_means(example, 0)[MEASURE_ROW_MAX_MEAN] = -1e-300;
    nights_example_add(example, "2026-11-02", (double)NAN);
    nights_example_add(example, "2026-11-03", 0.1);
    assert_ok(nights_draw(&example->set, nights_example_choose(example), &example->arena, &figure,
                          &example->err),
              example->err);
    expect_part(figure.script, "\n2\t0.1");
    expect_part(figure.script, "\tNaN\n");
    expect_renders(&figure, &example->arena);
    nights_example_end(example);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nights figure");
    TCase *cases = tcase_create("figure");
    tcase_add_test(cases, a_step_has_a_dashed_line_a_label_and_a_circle);
    tcase_add_test(cases, every_night_has_the_mark_of_its_verdict);
    tcase_add_test(cases, data_has_a_line_for_each_night_and_group);
    tcase_add_test(cases, steps_of_one_night_share_a_line);
    tcase_add_test(cases, dashes_are_explained_only_where_a_measure_stepped);
    tcase_add_test(cases, the_figure_renders);
    tcase_add_test(cases, gaps_single_nights_and_odd_texts_render);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
