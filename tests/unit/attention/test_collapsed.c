/* SPDX-License-Identifier: MIT */
/* Tests of attention/collapsed: what its draws owe to X exactly. test_collapsed_law.c has what they
 * owe to the law of the weights. */
#include "base/random.h"
#include "head_fixture.h"
#include "numeric/orthogonal.h"

#include <string.h>

#define TOKENS 6
#define WIDEST 4096

static double x[TOKENS * WIDEST];
static double scores[TOKENS * TOKENS];
static double weights[TOKENS * TOKENS];

static struct run collapsed_run(unsigned guards, int64_t seed)
{
    struct run run = fixture_run(guards, seed);
    run.draw = DRAW_COLLAPSED;
    return run;
}

static struct head_input input_of(struct head_shape shape)
{
    random_normal_matrix(31, RANDOM_TEST, shape.tokens, shape.d_model, x);
    return (struct head_input){.shape = shape, .x = x, .input_id = 1};
}

static struct measurement measure_anew(const struct head_input *input, const struct run *run)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct measurement m = fixture_measure(&fixture, input, run, scores, weights);
    fixture_close(&fixture);
    return m;
}

static void assert_all_near(const struct measurement *a, const struct measurement *b,
                            double relative)
{
    for (int f = 0; f < MEASUREMENT_FIELD_COUNT; f++) {
        const struct field *field = &measurement_fields[f];
        double found = field_value_number(field, a);
        double wanted = field_value_number(field, b);
        ck_assert_msg(support_near(found, wanted, relative, 0), "%s is %.17g, expected %.17g",
                      field->name, found, wanted);
    }
}

/* Of orthogonal tokens of length sqrt(d) the factor is sqrt(d) times the identity, which the init
 * guard undoes: queries and keys are those of any other d_model, and so is all that follows from
 * them. Gradients have |x_i| or the distances of tokens as one more factor, sqrt(d). */
START_TEST(orthogonal_tokens_give_the_same_scores_at_any_width)
{
    struct measurement at[3];
    static const size_t widths[] = {TOKENS, 64, WIDEST};
    for (int i = 0; i < 3; i++) {
        struct head_input input = input_of((struct head_shape){TOKENS, widths[i], 20});
        orthogonal_rows(TOKENS, widths[i], x);
        for (size_t c = 0; c < TOKENS * widths[i]; c++) {
            x[c] *= sqrt((double)widths[i]);
        }
        struct run run = collapsed_run(3, 7);
        if (i == 0) {
            /* As many tokens as dimensions: X is its own factor, and not the identity. */
            memset(x, 0, sizeof x);
            for (size_t c = 0; c < TOKENS; c++) {
                x[c * TOKENS + c] = sqrt(TOKENS);
            }
        }
        at[i] = measure_anew(&input, &run);
        double root = sqrt((double)widths[i]);
        at[i].gradient_wq /= root;
        at[i].gradient_wk /= root;
        /* The spread of entries about their mean differs, that of rows does not. */
        at[i].input_std = at[i].raw_input_std = 0;
    }
    assert_all_near(&at[1], &at[0], 1e-11);
    assert_all_near(&at[2], &at[0], 1e-11);
    ck_assert(at[0].row_max_mean > 1.0 / TOKENS && at[0].row_max_mean < 1);
}
END_TEST

START_TEST(a_rotated_input_changes_nothing)
{
    enum { D = 17 };
    const size_t d = D;
    double basis[D * D];
    double turned[TOKENS * D];
    struct head_input input = input_of((struct head_shape){TOKENS, D, 9});
    struct run run = collapsed_run(2, 3);
    struct measurement before = measure_anew(&input, &run);
    random_normal_matrix(6, RANDOM_TEST, D, D, basis);
    orthogonal_rows(D, D, basis);
    for (size_t i = 0; i < TOKENS; i++) {
        for (size_t c = 0; c < D; c++) {
            turned[i * d + c] = 0;
            for (size_t b = 0; b < D; b++) {
                turned[i * d + c] += x[i * d + b] * basis[b * d + c];
            }
        }
    }
    input.x = turned;
    struct measurement after = measure_anew(&input, &run);
    /* The mean of all entries is no matter of products of rows. */
    before.input_std = before.raw_input_std = after.input_std = after.raw_input_std = 0;
    assert_all_near(&after, &before, 1e-11);
}
END_TEST

START_TEST(guards_share_their_draw)
{
    struct head_input input = input_of((struct head_shape){TOKENS, 16, 64});
    double bare[TOKENS * TOKENS];
    struct run run = collapsed_run(0, 5);
    struct measurement without = measure_anew(&input, &run);
    memcpy(bare, scores, sizeof bare);
    run = collapsed_run(3, 5);
    struct measurement with = measure_anew(&input, &run);
    /* 1/16 for init, 1/8 for scale; each query and key a quarter. */
    for (size_t i = 0; i < TOKENS * TOKENS; i++) {
        assert_near(scores[i], bare[i] / 128, 1e-15);
    }
    assert_near(with.q_norm, without.q_norm / 4, 1e-15);
    assert_near(with.k_norm, without.k_norm / 4, 1e-15);
    assert_near(with.predicted_score_std, without.predicted_score_std / 128, 1e-14);
}
END_TEST

START_TEST(what_only_x_decides_is_that_of_drawn_weights)
{
    struct head_input input = input_of((struct head_shape){TOKENS, 16, 64});
    for (unsigned guards = 0; guards < 8; guards++) {
        struct run run = fixture_run(guards, 5);
        struct measurement drawn = measure_anew(&input, &run);
        run.draw = DRAW_COLLAPSED;
        struct measurement collapsed = measure_anew(&input, &run);
        ck_assert(collapsed.tokens == drawn.tokens && collapsed.queries == drawn.queries);
        ck_assert(collapsed.raw_input_std == drawn.raw_input_std);
        ck_assert(collapsed.input_std == drawn.input_std);
        ck_assert(collapsed.input_rms == drawn.input_rms);
        ck_assert(collapsed.input_token_std == drawn.input_token_std);
        ck_assert(collapsed.predicted_score_std == drawn.predicted_score_std);
        ck_assert(collapsed.predicted_score_row_std == drawn.predicted_score_row_std);
        ck_assert(collapsed.score_std != drawn.score_std);
    }
}
END_TEST

START_TEST(equal_tokens_are_equal_to_the_last_bit)
{
    /* d_k below, at and above the tokens and their double. */
    static const size_t d_ks[] = {3, TOKENS, 9, 2 * TOKENS, 40};
    const size_t n = TOKENS;
    const size_t d = 16;
    struct head_input input = input_of((struct head_shape){TOKENS, 16, d_ks[_i]});
    memcpy(x + 3 * d, x + d, d * sizeof *x);
    memcpy(x + 5 * d, x + d, d * sizeof *x);
    struct run run = collapsed_run(7, 2);
    measure_anew(&input, &run);
    for (size_t i = 0; i < TOKENS; i++) {
        ck_assert(scores[i * n + 3] == scores[i * n + 1]);
        ck_assert(scores[i * n + 5] == scores[i * n + 1]);
        ck_assert(weights[3 * n + i] == weights[n + i]);
        ck_assert(scores[3 * n + i] == scores[n + i]);
    }
}
END_TEST

START_TEST(tokens_that_are_all_equal_take_no_gradient)
{
    struct head_input input = input_of((struct head_shape){TOKENS, 16, 40});
    for (size_t i = 1; i < TOKENS; i++) {
        memcpy(x + i * 16, x, 16 * sizeof *x);
    }
    struct run run = collapsed_run(0, 2);
    struct measurement m = measure_anew(&input, &run);
    assert_near(m.row_max_mean, 1.0 / TOKENS, 1e-15);
    ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0 && isnan(m.gradient_wq_ratio));
}
END_TEST

/* A head that has just done something else gives the very bytes of a new one. */
START_TEST(a_remembered_stage_is_what_computing_gives)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = input_of((struct head_shape){TOKENS, 16, 9});
    for (unsigned step = 0; step < 64; step++) {
        struct run run = fixture_run(step % 8, step % 3);
        run.draw = step % 5 < 3 ? DRAW_COLLAPSED : DRAW_WEIGHTS;
        input.shape.d_k = step % 7 < 4 ? 9 : 30;
        struct measurement again = fixture_measure(&fixture, &input, &run, NULL, NULL);
        struct measurement anew = measure_anew(&input, &run);
        assert_all_near(&again, &anew, 0);
    }
    fixture_close(&fixture);
}
END_TEST

/* W_Q and W_K would take 16 TB. */
START_TEST(a_head_of_a_million_dimensions_fits)
{
    enum { MILLION = 1000000 };
    double *wide = malloc(2 * (size_t)MILLION * sizeof *wide);
    ck_assert_ptr_nonnull(wide);
    for (size_t c = 0; c < MILLION; c++) {
        wide[c] = 1;
        wide[MILLION + c] = c % 2 == 0 ? 1 : -1;
    }
    struct head_input input = {.shape = {2, MILLION, MILLION}, .x = wide, .input_id = 1};
    struct run run = collapsed_run(3, 1);
    struct measurement m = measure_anew(&input, &run);
    free(wide);
    /* With so many dimensions a query's length is that of its token, 1000, to a part in 1,400. */
    assert_near(m.q_norm, 1000, 5e-3);
    assert_near(m.k_norm, 1000, 5e-3);
    assert_near(m.predicted_score_row_std, sqrt(0.5), 1e-12);
}
END_TEST

static void *no_alloc(size_t bytes)
{
    (void)bytes;
    return NULL;
}

START_TEST(a_head_outlives_a_reserve_that_fails)
{
    struct fixture fixture;
    struct error err = ERROR_INIT;
    fixture_open(&fixture);
    struct head_input input = input_of((struct head_shape){TOKENS, 16, 40});
    struct run run = collapsed_run(7, 1);
    struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
    void *(*real_alloc)(size_t bytes) = arena_system_alloc;
    arena_system_alloc = no_alloc;
    struct head_shape large = {1000, 100000, 64};
    ck_assert(!head_reserve_collapsed(fixture.head, large, &err));
    ck_assert(err.code != ERROR_NONE && err.message[0] != '\0');
    arena_system_alloc = real_alloc;
    struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_all_near(&after, &before, 0);
    fixture_close(&fixture);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("collapsed");
    TCase *tests = tcase_create("collapsed");
    tcase_add_test(tests, orthogonal_tokens_give_the_same_scores_at_any_width);
    tcase_add_test(tests, a_rotated_input_changes_nothing);
    tcase_add_test(tests, guards_share_their_draw);
    tcase_add_test(tests, what_only_x_decides_is_that_of_drawn_weights);
    tcase_add_loop_test(tests, equal_tokens_are_equal_to_the_last_bit, 0, 5);
    tcase_add_test(tests, tokens_that_are_all_equal_take_no_gradient);
    tcase_add_test(tests, a_remembered_stage_is_what_computing_gives);
    tcase_add_test(tests, a_head_of_a_million_dimensions_fits);
    tcase_add_test(tests, a_head_outlives_a_reserve_that_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
