/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_upstream: for every alternative, guard, cap, mask and rotation, what one
 * drawn upstream brings to W_Q and W_K against finite differences of sum(upstream * weights), and
 * its law against the closed form of all upstreams. */
#include "gradient_variants.h"

#include <string.h>

/* |dL/dW|_F by central differences in W = factor Z, L = sum of upstream times weights over the rows
 * from `first` on. */
static double difference_quotient(struct fixture *fixture, const struct head_input *input,
                                  const struct run *run, double *z, size_t first)
{
    double up[TOKENS * TOKENS];
    double down[TOKENS * TOKENS];
    double upstream[TOKENS * TOKENS];
    double factor = run->guard_init ? 1 / sqrt(MODEL) : 1;
    double step = 2e-6;
    double squares = 0;
    random_normal_matrix((uint64_t)run->seed, RANDOM_UPSTREAM, TOKENS, TOKENS, upstream);
    for (size_t e = 0; e < (size_t)MODEL * KEYS; e++) {
        double kept = z[e];
        double slope = 0;
        z[e] = kept + step;
        fixture_measure(fixture, input, run, NULL, up);
        z[e] = kept - step;
        fixture_measure(fixture, input, run, NULL, down);
        z[e] = kept;
        for (size_t i = first * TOKENS; i < (size_t)TOKENS * TOKENS; i++) {
            slope += upstream[i] * (up[i] - down[i]) / (2 * step * factor);
        }
        squares += slope * slope;
    }
    return sqrt(squares);
}

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
    /* The first row of a causal mask has one key and is no part of any measure. */
    size_t first = run.mask == MASK_CAUSAL;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct head_input input = random_input(10 * seed);
        run.seed = (int64_t)(100 + seed);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        double wq = difference_quotient(&fixture, &input, &run, z_q, first);
        double wk = difference_quotient(&fixture, &input, &run, z_k, first);
        assert_within(m.gradient_wq, wq, 1e-7 * wq + 1e-9);
        assert_within(m.gradient_wk, wk, 1e-7 * wk + 1e-9);
        ck_assert(run.weights == WEIGHTS_ARGMAX ? wq == 0 : wq > 1e-5);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(ratios_are_to_the_same_upstream_at_flat_scores)
{
    /* Scores that are all but 0 have uniform weights and the derivative of their factor. */
    const double tiny = 1e-9;
    struct variant variant = variants[_i];
    if (variant.weights != WEIGHTS_SOFTMAX || variant.softcap > 0) {
        variant.weights = WEIGHTS_SOFTMAX;
        variant.softcap = 0;
    }
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(7);
    struct run run = drawn_run(&variant);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.score_factor *= tiny;
    struct measurement flat = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    assert_near(m.gradient_wq_ratio, m.gradient_wq / (flat.gradient_wq / tiny), 1e-7);
    assert_near(m.gradient_wk_ratio, m.gradient_wk / (flat.gradient_wk / tiny), 1e-7);
    assert_near(flat.gradient_wq_ratio, 1, 1e-7);
    assert_near(flat.gradient_wk_ratio, 1, 1e-7);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_upstream");
    TCase *tests = tcase_create("head_upstream");
    tcase_add_loop_test(tests, gradients_equal_finite_differences, 0, VARIANTS);
    tcase_add_loop_test(tests, ratios_are_to_the_same_upstream_at_flat_scores, 0, VARIANTS);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
