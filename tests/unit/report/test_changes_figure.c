/* SPDX-License-Identifier: MIT */
/* Tests src/report/changes_figure.c, changes_overlay.c, changes_panels.c and changes_rows.c: two
 * results files over each other. */
#include "changes_example.h"
#include "rendered_figure.h"

static struct figures draw(struct changes_example *example)
{
    struct figures figures;
    assert_ok(
        changes_draw(changes_example_compare(example), &example->arena, &figures, &example->err),
        example->err);
    return figures;
}

/* Score spread from 2 to 8 in d_k = 16: a change of 6, that is 300 % of A. */
static struct figures draw_larger_scores(struct changes_example *example)
{
    for (size_t i = 3; i < 6; i++) {
        example->rows[1][i].measurement.score_std = 8;
    }
    return draw(example);
}

static void assert_all_render(const struct figures *figures, struct arena *arena)
{
    for (size_t f = 0; f < figures->count; f++) {
        expect_renders(&figures->list[f], arena);
    }
}

START_TEST(both_files_are_drawn_over_each_other)
{
    struct changes_example *example = changes_example_make();
    const struct figures figures = draw_larger_scores(example);
    ck_assert_uint_eq(figures.count, 2);
    ck_assert_str_eq(figures.list[0].name, "changes");
    /* x twice; then A, B and no marks for 0, which the logarithmic axis of the score spread alone
     * would need: all gradients are 0, so that theirs is linear */
    expect_part(figures.list[0].script,
                "\n8\t8\t0.5\t0.5\tNaN\tNaN\t2\t2\tNaN\tNaN\t0\t0\tNaN\tNaN\n");
    expect_part(figures.list[0].script,
                "\n16\t16\t0.5\t0.5\tNaN\tNaN\t2\t8\tNaN\tNaN\t0\t0\tNaN\tNaN\n");
    expect_part(figures.list[0].script, "'A: monday.h5'");
    expect_part(figures.list[0].script, "'B: tuesday.h5'");
    expect_renders(&figures.list[0], &example->arena);
    changes_example_end(example);
}
END_TEST

START_TEST(differences_are_drawn_in_percent_of_the_first)
{
    struct changes_example *example = changes_example_make();
    const struct figures figures = draw_larger_scores(example);
    ck_assert_str_eq(figures.list[1].name, "differences");
    expect_part(figures.list[1].script, "\n8\t8\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\n");
    expect_part(figures.list[1].script, "\n16\t16\t0\t0\t0\t0\t300\t300\t300\t1\t0\t0\t0\t0\n");
    expect_part(figures.list[1].data, "d_k\truns\trow_max_mean_a\t");
    expect_part(figures.list[1].data, "16\t3\t0.5\t0.5\t0\t0\tequal\t2\t8\t6\t0\tmoved\t");
    assert_all_render(&figures, &example->arena);
    changes_example_end(example);
}
END_TEST

START_TEST(equal_files_have_no_figure_of_differences)
{
    struct changes_example *example = changes_example_make();
    const struct figures figures = draw(example);
    ck_assert_uint_eq(figures.count, 1);
    expect_renders(&figures.list[0], &example->arena);
    changes_example_end(example);
}
END_TEST

START_TEST(files_without_a_common_result_have_no_figure)
{
    struct changes_example *example = changes_example_make();
    changes_example_fail(example);
    ck_assert_uint_eq(draw(example).count, 0);
    changes_example_end(example);
}
END_TEST

START_TEST(undefined_infinite_and_hostile_values_render)
{
    struct changes_example *example = changes_example_make();
    example->rows[1][0].measurement.score_std = (double)NAN;
    example->rows[1][4].measurement.score_std = (double)INFINITY;
    example->rows[1][5].measurement.row_max_mean = -3;
    example->sides[0].label = "it's `date` @x\n{y}";
    example->sets[1].title = "' ; system 'touch x' ; '";
    const struct figures figures = draw(example);
    ck_assert_uint_eq(figures.count, 2);
    expect_part(figures.list[0].caption,
                "Gaps stand for values that are undefined or infinite (2)");
    expect_part(figures.list[0].script, "'A: it'.\"\\047\".'s `date` @x {y}'");
    assert_all_render(&figures, &example->arena);
    changes_example_end(example);
}
END_TEST

/* Three corpora, eight guard sets: categories in two columns. */
START_TEST(categories_and_guards_render)
{
    struct changes_example *example = changes_example_make();
    for (int side = 0; side < 2; side++) {
        const struct result_set made = example_set(&example->arena, 2);
        struct result *rows = arena_alloc(&example->arena, made.count, sizeof *rows, &example->err);
        ck_assert_ptr_nonnull(rows);
        for (size_t i = 0; i < made.count; i++) {
            rows[i] = made.whole[i];
            rows[i].measurement.score_std *= 1 + side;
            rows[i].key = i + 1;
        }
        example->sets[side] = made;
        example->sets[side].whole = rows;
    }
    const struct figures figures = draw(example);
    ck_assert_uint_eq(figures.count, 2);
    expect_part(figures.list[0].script, "with vectors nohead");
    expect_part(figures.list[1].script, "set label 'Input normalised'");
    assert_all_render(&figures, &example->arena);
    changes_example_end(example);
}
END_TEST

/* One thing changed at a time: settings in rows. */
START_TEST(settings_in_rows_render)
{
    struct changes_example *example = changes_example_make();
    for (int side = 0; side < 2; side++) {
        struct result *rows = example->rows[side];
        for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
            rows[i].run.d_k = 8;
            rows[i].run.seed = 1;
            rows[i].measurement.row_max_mean = 0.1 * (double)(i + 1) + 0.05 * side;
        }
        rows[1].run.softcap = 30;
        rows[2].run.mask = MASK_CAUSAL;
        rows[3].run.qk_norm = QK_NORM_L2;
        rows[4].run.d_k = 4;
        rows[5].run.score_scale = SCORE_SCALE_LINEAR;
    }
    const struct figures figures = draw(example);
    ck_assert_uint_eq(figures.count, 2);
    ck_assert(example->made.view.rows);
    expect_part(figures.list[0].script, "set label 'soft cap = 30' at screen");
    expect_part(figures.list[0].script, "using 3:2:($4-$3):(0) with vectors");
    assert_all_render(&figures, &example->arena);
    changes_example_end(example);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("changes figure");
    TCase *cases = tcase_create("figure");
    tcase_add_test(cases, both_files_are_drawn_over_each_other);
    tcase_add_test(cases, differences_are_drawn_in_percent_of_the_first);
    tcase_add_test(cases, equal_files_have_no_figure_of_differences);
    tcase_add_test(cases, files_without_a_common_result_have_no_figure);
    tcase_add_test(cases, undefined_infinite_and_hostile_values_render);
    tcase_add_test(cases, categories_and_guards_render);
    tcase_add_test(cases, settings_in_rows_render);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
