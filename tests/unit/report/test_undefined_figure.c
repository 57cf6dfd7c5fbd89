/* SPDX-License-Identifier: MIT */
/* Tests src/report/undefined_figure.c: the figure of undefined rows, and when there is one. */
#include "scores_example.h"
#include "rendered_figure.h"

static struct arena arena;
static struct sections_example example;
enum { SCORES = 5 };

/* Scores 1, 8, 64, 512, 4096 in fp16 and fp64, undefined in fp16 without the maximum from 64 on. */
static size_t fill(struct result *rows, bool vary)
{
    size_t count = 0;
    for (int format = 0; format < 2; format++) {
        for (size_t i = 0; i < SCORES; i++) {
            for (int stabilise = 0; stabilise < 2; stabilise++) {
                struct result *row = &rows[count];
                *row = scores_example_result(1, 4, NULL);
                row->index = (int64_t)count++;
                row->run.precision = format == 0 ? PRECISION_FP64 : PRECISION_FP16;
                row->run.stabilise = stabilise == 1;
                row->run.score_factor = pow(8, (double)i);
                row->measurement.max_logit = vary ? pow(8, (double)i) : 3;
                row->measurement.undefined_rows = format == 1 && stabilise == 0 && i >= 2;
            }
        }
    }
    return count;
}

static bool make(const struct result *rows, size_t count, struct figure *figure)
{
    struct error err = ERROR_INIT;
    struct result_set set = scores_example_set(rows, count);
    bool made = false;
    sections_example_make(&example, &set, &arena);
    assert_ok(undefined_make(&set, &example.view, &arena, figure, &made, &err), err);
    return made;
}

START_TEST(every_format_has_a_panel_with_its_thresholds)
{
    struct result rows[4 * SCORES];
    struct figure figure;
    ck_assert(make(rows, fill(rows, true), &figure));
    ck_assert_str_eq(figure.name, "undefined");
    ck_assert_ptr_null(figure.heading);
    expect_part(figure.script, "set label 'fp64' at screen");
    expect_part(figure.script, "exp overflows from 11.09; the largest number is 65,504");
    expect_part(figure.script, "set logscale x");
    /* dotted where exp overflows: ln 65520 and 709.782712893384; no line at 65504, out of range */
    expect_part(figure.script, "set arrow from first 11.0901");
    expect_part(figure.script, "set arrow from first 709.78271");
    expect_no_part(figure.script, "set arrow from first 65504");
    expect_part(figure.caption, "on a logarithmic axis");
    expect_part(figure.data, "precision\tstabilise\tmax_logit\tundefined_share\n"
                             "fp64\toff\t1\t0\n");
    expect_part(figure.data, "fp16\toff\t8\t0\nfp16\toff\t64\t1\n");
    expect_part(figure.data, "fp16\ton\t4096\t0\n");
}
END_TEST

START_TEST(the_figure_renders)
{
    struct result rows[4 * SCORES];
    struct figure figure;
    ck_assert(make(rows, fill(rows, true), &figure));
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(there_is_no_figure_when_scores_do_not_differ_or_arithmetic_is_exact)
{
    struct result rows[4 * SCORES];
    struct figure figure;
    ck_assert(!make(rows, fill(rows, false), &figure));
    size_t count = fill(rows, true);
    for (size_t i = 0; i < count; i++) {
        rows[i].run.precision = PRECISION_FP64;
        rows[i].run.stabilise = true;
        rows[i].run.d_k = (int64_t)i + 1;
    }
    ck_assert(!make(rows, count, &figure));
}
END_TEST

START_TEST(settings_with_one_score_are_not_joined)
{
    struct result rows[4 * SCORES];
    struct figure figure;
    size_t count = fill(rows, true);
    ck_assert(make(rows, count, &figure));
    expect_part(figure.script, "with linespoints");
    rows[2].measurement.max_logit = 1; /* as the first has, in the same format */
    ck_assert(make(rows, count, &figure));
    expect_no_part(figure.script, "with linespoints");
    expect_no_part(figure.caption, "Lines join");
}
END_TEST

/* Of fp16 without the maximum: the share is 0 up to a score of 8 and 1 from 64 on. With it, all are
 * 0 and joined. A blank line of data is where gnuplot leaves off. */
START_TEST(settings_of_two_shares_are_not_joined)
{
    struct result rows[4 * SCORES];
    struct figure figure;
    ck_assert(make(rows, fill(rows, true), &figure));
    expect_part(figure.script, "\n1\t0\n8\t0\n\n64\t1\n512\t1\n4096\t1\nROWMAX_EOD\n");
    expect_part(figure.script, "\n1\t0\n8\t0\n64\t0\n512\t0\n4096\t0\nROWMAX_EOD\n");
    expect_part(figure.caption, " Lines join settings of one share; it changes somewhere ");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("undefined figure");
    TCase *cases = tcase_create("figure");
    tcase_add_test(cases, every_format_has_a_panel_with_its_thresholds);
    tcase_add_test(cases, the_figure_renders);
    tcase_add_test(cases, there_is_no_figure_when_scores_do_not_differ_or_arithmetic_is_exact);
    tcase_add_test(cases, settings_with_one_score_are_not_joined);
    tcase_add_test(cases, settings_of_two_shares_are_not_joined);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
