/* SPDX-License-Identifier: MIT */
/* Tests src/engine/estimate.c and estimate_speed.c: the formulas, not the times. */
#include "engine_fixture.h"
#include "gaussian_runs.h"

static void set_up(void)
{
    fixture_set_up();
    setenv("ROWMAX_CORPORA", TEST_SOURCE_DIR "/corpora", 1);
}

static struct engine_estimate estimate(struct run *runs, size_t count, size_t threads)
{
    struct engine_estimate out;
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    uint32_t *places = arena_alloc(&arena, count, sizeof *places, &err);
    ck_assert(places != NULL);
    for (size_t i = 0; i < count; i++) {
        places[i] = (uint32_t)i;
    }
    const struct estimate_sweep sweep = {
        .runs = places, .count = count, .planned = count, .threads = threads};
    assert_ok(engine_estimate(engine, &sweep, &out, &err), err);
    return out;
}

START_TEST(a_draw_costs_what_its_matrices_hold)
{
    double once = price(gaussian(4, 8, 8, 1)).draw;
    ck_assert(once > 0);
    assert_near(price(gaussian(4, 16, 8, 1)).draw, 2 * once, 1e-12);
    assert_near(price(gaussian(4, 16, 16, 1)).draw, 4 * once, 1e-12);
    assert_near(price(gaussian(40, 8, 8, 1)).draw, once, 1e-12);
    /* rows of whole blocks are quicker */
    double whole = price(gaussian(4, 8, 64, 1)).draw;
    ck_assert(whole > 6 * once && whole < 7 * once);
}
END_TEST

#define ALL_GRADIENTS                                                                              \
    (UINT64_C(1) << MEASURE_GRADIENT_WQ | UINT64_C(1) << MEASURE_GRADIENT_WK |                     \
     UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO | UINT64_C(1) << MEASURE_GRADIENT_WK_RATIO)

static struct estimate_run price_forward(struct run run, uint64_t more)
{
    size_t tokens = (size_t)run.tokens;
    return estimate_run_without(&run, tokens, tokens, ALL_GRADIENTS | more);
}

/* n d_k d for the projections and n d for drawing the tokens: both double with the tokens. */
START_TEST(a_projection_costs_what_its_tokens_are)
{
    double once = price(gaussian(8, 16, 16, 1)).projection;
    ck_assert(once > 0);
    assert_near(price(gaussian(16, 16, 16, 1)).projection, 2 * once, 1e-12);
    assert_near(price_forward(gaussian(32, 16, 16, 1), 0).projection, 4 * once, 1e-12);
}
END_TEST

/* n d for a look at it; for gradients come n^2 d for the distances between tokens, while there are
 * no more tokens than dimensions. d_k has no part in it. */
START_TEST(an_input_costs_what_its_tokens_are)
{
    double once = price_forward(gaussian(8, 16, 16, 1), 0).input;
    struct estimate_run all = price(gaussian(8, 16, 16, 1));
    double distances = all.input - once;
    assert_near(all.compared, distances, 1e-12);
    assert_near(price_forward(gaussian(16, 16, 16, 1), 0).input, 2 * once, 1e-12);
    assert_near(price(gaussian(16, 16, 16, 1)).input, 2 * once + 4 * distances, 1e-12);
    assert_near(price(gaussian(8, 16, 999, 1)).input, all.input, 1e-12);
    assert_near(price(gaussian(32, 16, 16, 1)).input, 4 * once, 1e-12);
    ck_assert(once > 0 && distances > 0);
}
END_TEST

/* Gradients are most of a wide head; one of them alone needs all that they have in common. */
START_TEST(measures_that_nobody_wants_cost_nothing)
{
    struct run run = gaussian(2048, 512, 64, 1);
    struct estimate_run all = price(run);
    struct estimate_run forward = price_forward(run, 0);
    ck_assert(forward.own < all.own / 3);
    ck_assert(price_forward(run, UINT64_C(1) << MEASURE_MAX_COLUMN_MEAN).own < forward.own);
    uint64_t but_one = ALL_GRADIENTS & ~(UINT64_C(1) << MEASURE_GRADIENT_WK);
    assert_near(estimate_run_without(&run, 2048, 2048, but_one).own, all.own, 1e-15);
    run.position = POSITION_ROPE;
    ck_assert(price(run).slopes > 100 * forward.own);
    ck_assert(price_forward(run, 0).slopes == 0);
}
END_TEST

#define RATIOS (UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO | UINT64_C(1) << MEASURE_GRADIENT_WK_RATIO)

/* Ratios take the same products once more, through uniform weights; of what is done to entries all
 * but drawing them. With few tokens both go by products of tokens, of which there are two of X,
 * three of Q and K. */
START_TEST(ratios_of_a_drawn_upstream_cost_as_much_again)
{
    struct run run = gaussian(100, 128, 128, 1);
    run.upstream = UPSTREAM_DRAWN;
    double scores = price_forward(run, 0).products;
    double both = price(run).products - scores;
    double one = estimate_run_without(&run, 100, 100, RATIOS).products - scores;
    ck_assert(one > 0);
    assert_near(both, 2 * one, 1e-12);
    uint64_t but_one = UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO;
    assert_near(estimate_run_without(&run, 100, 100, but_one).own, price(run).own, 1e-15);
    run = gaussian(32, 128, 64, 1);
    run.upstream = UPSTREAM_DRAWN;
    double product = price_forward(run, 0).products / (32 * 32 * 64);
    assert_near(price(run).compared, 2 * 32 * 32 * 128 * product, 1e-12);
    assert_near(price(run).projected - price_forward(run, 0).projected, 3 * 32 * 32 * 64 * product,
                1e-12);
}
END_TEST

/* Up to 1,024 rows are one thread's, however long they take; what is projected is everybody's. */
START_TEST(a_run_is_large_where_all_threads_can_do_it_together)
{
    struct estimate_run rows = {.own = 3, .projection = 0.1};
    struct estimate_run projected = {.own = 0.2, .projection = 0.2, .input = 0.1};
    ck_assert(!estimate_is_large(&rows, 1024, 0.25));
    ck_assert(estimate_is_large(&rows, 1025, 0.25));
    ck_assert(!estimate_is_large(&rows, 1025, 4));
    ck_assert(estimate_is_large(&projected, 8, 0.25));
    projected.own = 0.4;
    ck_assert(!estimate_is_large(&projected, 8, 0.25));
}
END_TEST

/* A part of a run, of its rows and of its scores: a polynomial of degree 2 in the tokens, whose
 * third differences are 0. */
START_TEST(what_is_done_to_scores_grows_with_their_number)
{
    double f[4];
    for (int i = 0; i < 4; i++) {
        f[i] = price(gaussian(20 + 100 * i, 16, 16, 1)).own;
    }
    assert_within(f[3] - 3 * f[2] + 3 * f[1] - f[0], 0, 1e-9 * f[3]);
    ck_assert(f[3] - 2 * f[2] + f[1] > 0);
}
END_TEST

START_TEST(other_weights_and_rotations_cost_more_and_saturated_rows_less)
{
    struct run plain = gaussian(64, 64, 64, 1);
    struct run general = plain;
    struct run outer = plain;
    struct run rounded = plain;
    struct run bare = plain;
    general.weights = WEIGHTS_ENTMAX15;
    outer.position = POSITION_ROPE;
    rounded.precision = PRECISION_BF16;
    bare.guard_init = bare.guard_scale = false;
    ck_assert(price(general).own > 2 * price(plain).own);
    ck_assert(price(outer).own > 5 * price(general).own);
    ck_assert(price(rounded).own > price(plain).own);
    ck_assert(price(bare).own < price(plain).own);
}
END_TEST

/* What is drawn and multiplied grows with the tokens; d_model is looked at, and d_k costs nothing
 * from twice the tokens on. */
START_TEST(a_collapsed_draw_costs_what_its_tokens_are)
{
    struct run run = gaussian(8, 1000, 64, 1);
    struct estimate_run weights = price(run);
    run.draw = DRAW_COLLAPSED;
    struct estimate_run once = price(run);
    ck_assert(once.draw < weights.draw / 100 && once.own < weights.own);
    ck_assert(once.projection < weights.projection);
    ck_assert(once.input > weights.input); /* by the factor */
    run.d_k = 1000000;
    ck_assert(price(run).draw == once.draw && price(run).projection == once.projection);
    run.d_k = 64;
    run.d_model = 2000;
    ck_assert(price(run).draw == once.draw && price(run).own == once.own);
    ck_assert(price(run).projection > once.projection); /* X is drawn */
    ck_assert(price(run).input > 1.5 * once.input);
    ck_assert(price(run).input < 2 * once.input);
    run.tokens = 16;
    assert_near(price(run).draw, 4 * once.draw, 1e-12);
    ck_assert(estimate_buffers(&run, 16, 16) < 1e6);
    run.draw = DRAW_WEIGHTS;
    ck_assert(estimate_buffers(&run, 16, 16) > 3e6);
}
END_TEST

START_TEST(given_scores_have_no_head)
{
    struct run run = run_default();
    run.source = SOURCE_SCORES;
    struct estimate_run cost = price_of(&run, 100, 3);
    ck_assert(cost.draw == 0 && cost.projection == 0 && cost.input == 0 && cost.own > 0);
}
END_TEST

START_TEST(what_runs_share_counts_once)
{
    struct run runs[4];
    for (int i = 0; i < 4; i++) {
        runs[i] = gaussian(8, 16, 16, i < 2 ? 1 : 2);
        runs[i].guard_scale = i % 2 == 0;
    }
    struct engine_estimate one = estimate(runs, 1, 1);
    struct engine_estimate two = estimate(runs, 2, 1);
    struct engine_estimate four = estimate(runs, 4, 1);
    assert_near(two.draws, one.draws, 1e-12);
    assert_near(four.draws, 2 * one.draws, 1e-12);
    assert_near(four.rows, 4 * one.rows, 1e-12);
    ck_assert(four.learning == 0);
}
END_TEST

/* The smaller two are corners of the first, whatever comes first; another seed has its own. What is
 * left of the sum beside the draws are projections and inputs, which share d_model only. */
START_TEST(a_smaller_draw_of_a_seed_is_a_part_of_the_largest)
{
    struct run runs[3] = {gaussian(8, 16, 8, 1), gaussian(8, 16, 32, 1), gaussian(8, 4, 2, 1)};
    double largest = price(runs[1]).draw;
    double wide = price(runs[1]).projection + price(runs[1]).input;
    double narrow = price(runs[2]).projection + price(runs[2]).input;
    assert_near(estimate(runs, 3, 1).draws, largest + wide + narrow, 1e-12);
    runs[2].seed = 2;
    assert_near(estimate(runs, 3, 1).draws, largest + wide + narrow + price(runs[2]).draw, 1e-12);
}
END_TEST

/* The smaller X is a part of the larger one, but no look at that tells what it is like. */
START_TEST(a_gaussian_input_of_fewer_tokens_is_looked_at_anew)
{
    struct run runs[2] = {gaussian(8, 16, 8, 1), gaussian(16, 16, 8, 1)};
    struct estimate_run large = price(runs[1]);
    double looks = price(runs[0]).input + large.input;
    assert_near(estimate(runs, 2, 1).draws, large.draw + large.projection + looks, 1e-12);
}
END_TEST

enum { TOKENS = 3, WIDTH = 16 };
#define SEEDS ((size_t)5)

/* One of two X of one size, measured for a seed. */
static struct run given(bool other, int64_t seed)
{
    static const double entries[TOKENS * WIDTH] = {1, 2, 3};
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.x = fixture_npy(other ? "other.npy" : "x.npy", 0, TOKENS, WIDTH, entries);
    run.d_k = 4;
    run.seed = seed;
    run_normalise(&run);
    return run;
}

/* By how much the estimate of both exceeds that of draws and projections, in looks at one input. */
static double looks(struct run *runs, size_t count, size_t draws)
{
    double sum = estimate(runs, count, 1).draws;
    struct estimate_run cost = price_of(&runs[0], TOKENS, TOKENS);
    ck_assert(cost.draw > 0 && cost.projection > 0 && cost.input > 0);
    return (sum - (double)draws * cost.draw - (double)count * cost.projection) / cost.input;
}

/* By hand: one X of five seeds is looked at once, two by turns ten times, and one after the other,
 * as their seeds are or as collapsed draws are sorted, twice; the order of the plan is nothing to
 * it. */
START_TEST(an_input_is_looked_at_as_often_as_the_pool_comes_to_it)
{
    struct run one[SEEDS];
    struct run turns[2 * SEEDS];
    struct run blocks[2 * SEEDS];
    for (size_t i = 0; i < SEEDS; i++) {
        int64_t seed = (int64_t)i;
        one[i] = given(false, (int64_t)SEEDS - seed);
        turns[i] = given(false, seed);
        turns[SEEDS + i] = given(true, seed);
        blocks[2 * i] = given(false, seed);
        blocks[2 * i + 1] = given(true, (int64_t)SEEDS + seed);
    }
    assert_near(looks(one, SEEDS, SEEDS), 1, 1e-9);
    assert_near(looks(turns, 2 * SEEDS, SEEDS), 2 * SEEDS, 1e-9);
    assert_near(looks(blocks, 2 * SEEDS, 2 * SEEDS), 2, 1e-9);
    for (size_t i = 0; i < 2 * SEEDS; i++) {
        turns[i].draw = DRAW_COLLAPSED;
    }
    assert_near(looks(turns, 2 * SEEDS, SEEDS), 2, 1e-9);
}
END_TEST

/* Both are kept; of runs that share one, the dearest pays: other weights need no distances. */
START_TEST(an_input_is_looked_at_with_its_guard_off_and_with_it_on)
{
    struct run runs[6];
    for (int i = 0; i < 6; i++) {
        runs[i] = given(false, i / 2);
        runs[i].guard_norm = i % 2 == 0;
        run_normalise(&runs[i]);
    }
    assert_near(looks(runs, 6, 3), 2, 1e-9);
    /* the guard of another input takes the place of what is kept with the guard off only */
    for (int i = 0; i < 4; i++) {
        runs[i] = given(i % 2 == 1, i / 2);
        runs[i].guard_norm = i % 2 == 1;
        run_normalise(&runs[i]);
    }
    assert_near(looks(runs, 4, 2), 3, 1e-9);
    struct run pair[2] = {given(false, 1), given(false, 2)};
    pair[1].weights = WEIGHTS_SIGMOID;
    assert_near(looks(pair, 2, 2), 1, 1e-9);
    pair[0].weights = WEIGHTS_SIGMOID;
    pair[1].weights = WEIGHTS_SOFTMAX;
    struct estimate_run dearest = price_of(&pair[1], TOKENS, TOKENS);
    ck_assert(dearest.compared > 0 && price_of(&pair[0], TOKENS, TOKENS).compared == 0);
    assert_near(estimate(pair, 2, 1).draws, 2 * (dearest.draw + dearest.projection) + dearest.input,
                1e-12);
}
END_TEST

START_TEST(word_vectors_are_learned_once_for_all_seeds)
{
    struct run runs[3];
    for (int i = 0; i < 3; i++) {
        runs[i] = run_default();
        runs[i].corpus = "demo";
        runs[i].sentence = "the cat chased the mouse";
        runs[i].seed = i + 1;
        runs[i].window = i < 2 ? 5 : 6;
        run_normalise(&runs[i]);
    }
    double one = estimate(runs, 1, 1).learning;
    ck_assert(one > 0);
    assert_near(estimate(runs, 2, 1).learning, one, 1e-12);
    ck_assert(estimate(runs, 3, 1).learning > 1.5 * one);
}
END_TEST

/* What estimates and shards go by is one model: the prices of runs that share nothing add up to the
 * estimate, and those that share are told by their numbers. */
START_TEST(prices_add_up_to_the_estimate)
{
    struct run runs[3] = {gaussian(8, 16, 16, 1), gaussian(9, 32, 16, 2), gaussian(8, 16, 16, 1)};
    runs[2].guard_scale = false;
    struct engine_estimate whole = estimate(runs, 2, 1);
    struct engine *engine = open_runs(runs, 3, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    struct estimate_price prices[3];
    for (int i = 0; i < 3; i++) {
        prices[i] = estimate_price(engine, (size_t)i, 0);
        ck_assert(prices[i].learning == 0 && prices[i].vectors == 0);
    }
    assert_near(prices[0].run.own + prices[1].run.own, whole.runs, 1e-12);
    double shared = 0;
    for (int i = 0; i < 2; i++) {
        shared += prices[i].run.draw + prices[i].run.projection + prices[i].run.input;
    }
    assert_near(shared, whole.draws, 1e-12);
    assert_near(prices[0].row + prices[1].row, whole.rows, 1e-12);
    ck_assert(prices[0].draw == prices[2].draw && prices[0].draw != 0);
    ck_assert(prices[0].draw != prices[1].draw);
}
END_TEST

START_TEST(threads_share_the_runs_and_nothing_else)
{
    const struct engine_estimate work = {
        .start = 1, .learning = 2, .draws = 3, .runs = 5, .rows = 7};
    assert_near(estimate_seconds(&work, 100, 1, 1), 18, 1e-12);
    assert_near(estimate_seconds(&work, 100, 4, 1), 12, 1e-12);
    assert_near(estimate_seconds(&work, 2, 4, 1), 14, 1e-12);
    assert_near(estimate_seconds(&work, 100, 4, 2), 6, 1e-12);
    assert_near(estimate_seconds(&work, 0, 4, 1), 10, 1e-12);
}
END_TEST

/* Each thread has buffers of its own; those of the largest run hold X and its normalised twin at
 * least. */
START_TEST(memory_has_the_buffers_of_every_thread)
{
    struct run run = gaussian(1000, 100, 10, 1);
    struct engine_estimate one = estimate(&run, 1, 1);
    struct engine_estimate three = estimate(&run, 1, 3);
    ck_assert(one.buffers >= 2 * 8 * 1000 * 100);
    assert_near(three.memory - one.memory, 2 * one.buffers, 1e-9);
    ck_assert(one.file > 0);
}
END_TEST

START_TEST(this_machine_has_a_speed)
{
    double speed = estimate_speed(ESTIMATE_SPEED_SECONDS);
    ck_assert(speed > 0.02 && speed < 50);
    /* With no time to spend it still takes a look. */
    speed = estimate_speed(0);
    ck_assert(speed > 0.02 && speed < 50);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("engine/estimate");
    TCase *cases = tcase_create("estimate");
    tcase_add_checked_fixture(cases, set_up, fixture_tear_down);
    tcase_add_test(cases, a_draw_costs_what_its_matrices_hold);
    tcase_add_test(cases, a_projection_costs_what_its_tokens_are);
    tcase_add_test(cases, an_input_costs_what_its_tokens_are);
    tcase_add_test(cases, measures_that_nobody_wants_cost_nothing);
    tcase_add_test(cases, ratios_of_a_drawn_upstream_cost_as_much_again);
    tcase_add_test(cases, a_run_is_large_where_all_threads_can_do_it_together);
    tcase_add_test(cases, what_is_done_to_scores_grows_with_their_number);
    tcase_add_test(cases, other_weights_and_rotations_cost_more_and_saturated_rows_less);
    tcase_add_test(cases, a_collapsed_draw_costs_what_its_tokens_are);
    tcase_add_test(cases, given_scores_have_no_head);
    tcase_add_test(cases, what_runs_share_counts_once);
    tcase_add_test(cases, a_smaller_draw_of_a_seed_is_a_part_of_the_largest);
    tcase_add_test(cases, a_gaussian_input_of_fewer_tokens_is_looked_at_anew);
    tcase_add_test(cases, an_input_is_looked_at_as_often_as_the_pool_comes_to_it);
    tcase_add_test(cases, an_input_is_looked_at_with_its_guard_off_and_with_it_on);
    tcase_add_test(cases, word_vectors_are_learned_once_for_all_seeds);
    tcase_add_test(cases, prices_add_up_to_the_estimate);
    tcase_add_test(cases, threads_share_the_runs_and_nothing_else);
    tcase_add_test(cases, memory_has_the_buffers_of_every_thread);
    tcase_add_test(cases, this_machine_has_a_speed);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
