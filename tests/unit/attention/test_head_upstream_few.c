/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_upstream_few: rows, blocks and runs of few weights against plain sums. */
#include "upstream_example.h"

/* Factors from which on some rows have few weights that are not 0, and then all. */
static const double sharp[] = {10, 40, 400, 40000};

START_TEST(rows_of_few_weights_give_what_plain_sums_give)
{
    static const struct head_shape sizes[] = {{70, 20, 9}, {200, 9, 4}, {1030, 3, 2}};
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, sizes[_i / 4]);
    struct run run = plain_run(example.input.shape.d_k);
    run.score_factor = sharp[_i % 4];
    run.mask = _i % 2 == 0 ? MASK_NONE : MASK_CAUSAL;
    example.input.no_ratios = true;
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
    assert_plain_sums(&example, &run, run.score_factor, &m, 1e-12);
    ck_assert(m.gradient_wq > 0 || _i % 4 == 3);
    example.input.no_ratios = false;
    struct measurement all = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(all.gradient_wq == m.gradient_wq && all.gradient_wk == m.gradient_wk);
    /* What ratios are to does not depend on the factor, but by being multiplied. */
    double factor = run.score_factor;
    run.score_factor = 1e-9;
    struct measurement flat = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    double wq = flat.gradient_wq / flat.gradient_wq_ratio * (factor / run.score_factor);
    double wk = flat.gradient_wk / flat.gradient_wk_ratio * (factor / run.score_factor);
    assert_within(all.gradient_wq_ratio * wq, m.gradient_wq, 1e-12 * m.gradient_wq);
    assert_within(all.gradient_wk_ratio * wk, m.gradient_wk, 1e-12 * m.gradient_wk);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(a_small_weight_counts_where_its_key_is_long_enough)
{
    /* Keys are (0, 0), (-1, 0), the last (0, -75 2^104), and (-800, 0) for the rest, all queries
     * (1, 2^-104): scores are 0, -1, -75 and -800, so that the last key has a share of 2^-108, and
     * 75 2^104 of its lengths. */
    enum { N = 80, D = 4, D_K = 2 };
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){N, D, D_K});
    memset(example.z_q, 0, sizeof(double) * D * D_K);
    memset(example.z_k, 0, sizeof(double) * D * D_K);
    example.z_q[0] = example.z_q[3] = example.z_k[4] = example.z_k[7] = 1;
    for (size_t i = 0; i < N; i++) {
        double first = i == 0 || i == N - 1 ? 0 : i == 1 ? -1 : -800;
        double second = i == N - 1 ? -75 * 0x1p104 : 0;
        memcpy(example.x + i * D, (double[]){1, 0x1p-104, first, second}, sizeof(double) * D);
    }
    struct run run = plain_run(D_K);
    run.score_factor = 1;
    example.input.no_ratios = true;
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
    ck_assert(example.weights[N - 1] > 1e-34 && example.weights[N - 1] < 1e-32);
    assert_plain_sums(&example, &run, 1, &m, 1e-12);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_upstream_few");
    TCase *tests = tcase_create("head_upstream_few");
    tcase_add_loop_test(tests, rows_of_few_weights_give_what_plain_sums_give, 0, 12);
    tcase_add_test(tests, a_small_weight_counts_where_its_key_is_long_enough);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
