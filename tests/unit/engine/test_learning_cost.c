/* SPDX-License-Identifier: MIT */
/* Tests src/engine/estimate_learning.c: which runs learn the same word vectors, and how cost grows.
 */
#include "engine/engine_internal.h"
#include "engine/estimate.h"
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#define RUNS 6

static struct run runs[RUNS];
static double costs[RUNS];
static uint64_t vectors[RUNS];

static void price_all(void)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    setenv("ROWMAX_CORPORA", TEST_SOURCE_DIR "/corpora", 1);
    for (size_t i = 0; i < RUNS; i++) {
        run_normalise(&runs[i]);
    }
    struct engine *engine = open_runs(runs, RUNS, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    for (size_t i = 0; i < RUNS; i++) {
        costs[i] = estimate_learning_operations(engine_input(engine, i));
        vectors[i] = estimate_price(engine, i, 0).vectors;
    }
    arena_release(&arena);
}

static struct run sgns_run(int64_t epochs, int64_t learner_seed, int64_t seed)
{
    struct run run = run_default();
    run.corpus = "demo";
    run.sentence = "the cat chased the mouse";
    run.learner = LEARNER_SGNS;
    run.epochs = epochs;
    run.learner_seed = learner_seed;
    run.seed = seed;
    return run;
}

START_TEST(runs_of_the_same_vectors_have_one_number_and_cost)
{
    runs[0] = sgns_run(5, 1, 1);
    runs[1] = sgns_run(5, 1, 2);
    runs[2] = sgns_run(5, 2, 1);
    runs[3] = sgns_run(10, 1, 1);
    runs[4] = run_default();
    runs[4].source = SOURCE_GAUSSIAN;
    runs[4].tokens = 8;
    runs[5] = sgns_run(5, 1, 1);
    runs[5].d_model *= 2;
    price_all();
    ck_assert_uint_eq(vectors[0], vectors[1]);
    ck_assert_uint_ne(vectors[0], vectors[2]);
    ck_assert_uint_ne(vectors[0], vectors[3]);
    ck_assert(costs[0] == costs[2]);
    ck_assert_uint_eq(vectors[4], 0);
    ck_assert(costs[4] == 0);
    /* Twice the passes or the width are twice the work. */
    assert_near(costs[3], 2 * costs[0], 1e-12);
    assert_near(costs[5], 2 * costs[0], 1e-12);
}
END_TEST

START_TEST(every_learner_has_a_cost)
{
    for (int learner = LEARNER_COUNT_SVD; learner <= LEARNER_GLOVE; learner++) {
        runs[learner] = sgns_run(5, 1, 1);
        runs[learner].learner = learner;
    }
    price_all();
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert_uint_ne(vectors[i], 0);
        ck_assert(costs[i] > 0);
    }
    ck_assert(costs[LEARNER_RANDOM] < costs[LEARNER_COUNT_SVD]);
}
END_TEST

static Suite *learning_cost_suite(void)
{
    Suite *suite = suite_create("engine/learning_cost");
    TCase *cases = tcase_create("learning_cost");
    tcase_add_test(cases, runs_of_the_same_vectors_have_one_number_and_cost);
    tcase_add_test(cases, every_learner_has_a_cost);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(learning_cost_suite());
}
