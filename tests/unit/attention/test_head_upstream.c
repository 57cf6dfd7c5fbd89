/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_upstream: for every alternative, guard, cap, mask and rotation, what one
 * drawn upstream brings to W_Q and W_K against finite differences of sum(upstream * weights); its
 * law against the closed form of all upstreams; and bits that do not depend on the runs before. */
#include "gradient_variants.h"
#include "upstream_example.h"

#include <string.h>

static struct run drawn_run(const struct variant *variant)
{
    struct run run = run_of(variant);
    run.upstream = UPSTREAM_DRAWN;
    return run;
}

START_TEST(gradients_equal_finite_differences)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = drawn_run(&variants[_i]);
    double upstream[TOKENS * TOKENS];
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct head_input input = random_input(10 * seed);
        run.seed = (int64_t)(100 + seed);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        random_normal_matrix((uint64_t)run.seed, RANDOM_UPSTREAM, TOKENS, TOKENS, upstream);
        double wq = difference_quotient(&fixture, &input, &run, z_q, upstream);
        double wk = difference_quotient(&fixture, &input, &run, z_k, upstream);
        assert_within(m.gradient_wq, wq, 1e-7 * wq + 1e-9);
        assert_within(m.gradient_wk, wk, 1e-7 * wk + 1e-9);
        ck_assert(run.weights == WEIGHTS_ARGMAX ? wq == 0 : wq > 1e-5);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(ratios_are_to_the_same_upstream_at_flat_scores)
{
    assert_ratios_are_to_flat_scores(variants[_i], UPSTREAM_DRAWN);
}
END_TEST

START_TEST(squares_have_the_mean_of_all_upstreams)
{
    enum { DRAWS = 120 };
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(5);
    input.input_id = 1;
    struct run run = run_of(&variants[_i]);
    struct measurement all = fixture_measure(&fixture, &input, &run, NULL, NULL);
    double sums[2] = {0, 0};
    double squares[2] = {0, 0};
    run.upstream = UPSTREAM_DRAWN;
    for (run.seed = 1; run.seed <= DRAWS; run.seed++) {
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        const double parts[2] = {m.gradient_wq / all.gradient_wq, m.gradient_wk / all.gradient_wk};
        for (int side = 0; side < 2; side++) {
            double square = parts[side] * parts[side] - 1;
            sums[side] += square;
            squares[side] += square * square;
        }
    }
    fixture_close(&fixture);
    for (int side = 0; side < 2 && run.weights != WEIGHTS_ARGMAX; side++) {
        double error = sqrt(squares[side]) / DRAWS;
        assert_within(sums[side] / DRAWS, 0, 4 * error);
        ck_assert(error > 0.001 && error < 0.2);
    }
}
END_TEST

START_TEST(no_bit_depends_on_the_runs_before)
{
    /* Each run of a sweep in one head, and alone in a new one. */
    struct arena arena = {NULL};
    struct fixture shared;
    fixture_open(&shared);
    struct example example = make_example(&arena, (struct head_shape){30, 40, 35});
    example.input.z_q = example.input.z_k = NULL;
    example.input.input_id = 7;
    for (unsigned step = 0; step < 48; step++) {
        struct run run = fixture_run(step % 8, step / 24);
        run.position = POSITION_NONE;
        run.upstream = step % 5 == 4 ? UPSTREAM_EXPECTED : UPSTREAM_DRAWN;
        run.weights = step % 7 == 3 ? WEIGHTS_SIGMOID : WEIGHTS_SOFTMAX;
        example.input.shape.tokens = step % 3 == 0 ? 29 : 30;
        example.input.shape.d_k = step % 11 == 0 ? 9 : 35;
        struct measurement m = fixture_measure(&shared, &example.input, &run, NULL, NULL);
        struct fixture own;
        fixture_open(&own);
        struct measurement wanted = fixture_measure(&own, &example.input, &run, NULL, NULL);
        fixture_close(&own);
        ck_assert_mem_eq(&m, &wanted, sizeof m);
    }
    fixture_close(&shared);
    arena_release(&arena);
}
END_TEST

START_TEST(what_is_not_asked_for_is_not_made)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(7);
    struct run run = drawn_run(&variants[0]);
    struct measurement all = fixture_measure(&fixture, &input, &run, NULL, NULL);
    input.no_ratios = true;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert(m.gradient_wq == all.gradient_wq && m.gradient_wk == all.gradient_wk);
    ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
    ck_assert(all.gradient_wq_ratio > 0 && all.gradient_wk_ratio > 0);
    input.no_gradients = true;
    m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk) && isnan(m.gradient_wq_ratio));
    ck_assert(m.row_max_mean == all.row_max_mean && m.jacobian_rms == all.jacobian_rms);
}
END_TEST

START_TEST(rows_without_weights_have_no_gradient)
{
    /* A token that is infinite makes scores NaN: one such row, and the sum over rows is none, as it
     * is for all upstreams. */
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(7);
    struct run run = run_of(&variants[_i]);
    x[MODEL] = (double)INFINITY;
    for (run.upstream = UPSTREAM_EXPECTED; run.upstream <= UPSTREAM_DRAWN; run.upstream++) {
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        ck_assert(m.undefined_rows > 0);
        ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk));
        ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(without_projections_there_is_nothing_to_reach)
{
    const double sides[] = {1, 2, 3, 4};
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {2, 0, 2}, .queries = 2, .q = sides, .k = sides};
    struct run run = drawn_run(&variants[0]);
    run.guard_init = false;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk) && m.row_max_mean > 0.5);
    input = (struct head_input){.shape = {2, 0, 0}, .queries = 2, .scores = sides};
    m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk) && m.row_max_mean > 0.5);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_upstream");
    TCase *tests = tcase_create("head_upstream");
    tcase_add_loop_test(tests, gradients_equal_finite_differences, 0, VARIANTS);
    tcase_add_loop_test(tests, ratios_are_to_the_same_upstream_at_flat_scores, 0, VARIANTS);
    tcase_add_loop_test(tests, squares_have_the_mean_of_all_upstreams, 0, VARIANTS);
    tcase_add_test(tests, no_bit_depends_on_the_runs_before);
    tcase_add_test(tests, what_is_not_asked_for_is_not_made);
    tcase_add_loop_test(tests, rows_without_weights_have_no_gradient, 0, 4);
    tcase_add_test(tests, without_projections_there_is_nothing_to_reach);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
