/* SPDX-License-Identifier: MIT */
/* engine.c, pool.c, inputs.c: each field changes what it is for, and no run changes another. */
#include "engine_fixture.h"

enum base { GAUSSIAN, ARRAYS, SCORES };

/* One setting each on top of a base; all results of one base must differ. */
static const struct setting {
    enum base base;
    struct {
        enum run_field field;
        const char *value;
    } set[3];
} settings[] = {
    {GAUSSIAN, {{RUN_SEED, "1"}}},
    {GAUSSIAN, {{RUN_SEED, "2"}}},
    {GAUSSIAN, {{RUN_DRAW, "collapsed"}}},
    {GAUSSIAN, {{RUN_DRAW, "collapsed"}, {RUN_D_K, "9"}}},
    {GAUSSIAN, {{RUN_DRAW, "collapsed"}, {RUN_D_K, "40"}}},
    {GAUSSIAN, {{RUN_DRAW, "collapsed"}, {RUN_GUARD_NORM, "on"}}},
    {GAUSSIAN, {{RUN_DRAW, "collapsed"}, {RUN_TOKENS, "17"}}},
    {GAUSSIAN, {{RUN_UPSTREAM, "drawn"}}},
    {GAUSSIAN, {{RUN_UPSTREAM, "drawn"}, {RUN_QK_NORM, "l2"}}},
    {GAUSSIAN, {{RUN_ORTHOGONAL, "on"}}},
    {GAUSSIAN, {{RUN_INPUT_SPREAD, "2"}}},
    {GAUSSIAN, {{RUN_ORTHOGONAL, "on"}, {RUN_INPUT_SPREAD, "2"}}},
    {GAUSSIAN, {{RUN_TOKENS, "7"}}},
    {GAUSSIAN, {{RUN_POSITION, "sinusoidal"}}},
    {GAUSSIAN, {{RUN_POSITION, "rope"}}},
    {GAUSSIAN, {{RUN_POSITION, "rope"}, {RUN_ROPE_BASE, "100"}}},
    {GAUSSIAN, {{RUN_POSITION, "rope"}, {RUN_ROPE_PAIRS, "adjacent"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "l2"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "layer"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "rms"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "rms"}, {RUN_NORM_EPSILON, "0.5"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "l2"}, {RUN_QK_GAIN, "3"}}},
    {GAUSSIAN, {{RUN_QK_NORM, "l2"}, {RUN_POSITION, "rope"}}},
    {GAUSSIAN, {{RUN_GUARD_SCALE, "on"}}},
    {GAUSSIAN, {{RUN_GUARD_SCALE, "on"}, {RUN_SCORE_SCALE, "linear"}}},
    {GAUSSIAN, {{RUN_GUARD_SCALE, "on"}, {RUN_SCORE_SCALE, "log_n"}}},
    {GAUSSIAN, {{RUN_GUARD_SCALE, "on"}, {RUN_SCORE_SCALE, "log_n"}, {RUN_MASK, "causal"}}},
    {GAUSSIAN, {{RUN_GUARD_NORM, "on"}}},
    {GAUSSIAN, {{RUN_GUARD_NORM, "on"}, {RUN_NORM, "rms"}}},
    {GAUSSIAN, {{RUN_GUARD_NORM, "on"}, {RUN_NORM_EPSILON, "0.5"}}},
    {GAUSSIAN, {{RUN_GUARD_INIT, "on"}}},
    {GAUSSIAN, {{RUN_SCORE_FACTOR, "0.25"}}},
    {GAUSSIAN, {{RUN_SCORE_FACTOR, "-1"}}},
    {GAUSSIAN, {{RUN_SOFTCAP, "2"}}},
    {GAUSSIAN, {{RUN_MASK, "causal"}}},
    {GAUSSIAN, {{RUN_PRECISION, "fp32"}}},
    {GAUSSIAN, {{RUN_PRECISION, "fp16"}}},
    {GAUSSIAN, {{RUN_PRECISION, "bf16"}}},
    {GAUSSIAN, {{RUN_PRECISION, "fp8_e4m3"}}},
    {GAUSSIAN, {{RUN_PRECISION, "fp8_e5m2"}}},
    {GAUSSIAN, {{RUN_PRECISION, "bf16"}, {RUN_STABILISE, "off"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "softmax_plus_one"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "sigmoid"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "sparsemax"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "entmax15"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "softplus"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "square"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "sum"}}},
    {GAUSSIAN, {{RUN_WEIGHTS, "argmax"}}},
    {ARRAYS, {{RUN_HEAD, "0"}}},
    {ARRAYS, {{RUN_HEAD, "1"}}},
    {ARRAYS, {{RUN_HEADS, "1"}}},
    {ARRAYS, {{RUN_HEADS, "4"}}},
    {ARRAYS, {{RUN_HEADS, "4"}, {RUN_HEAD, "3"}, {RUN_POSITION, "none"}}},
    {ARRAYS, {{RUN_TRANSPOSED, "on"}}},
    {ARRAYS, {{RUN_GUARD_INIT, "on"}}},
    {ARRAYS, {{RUN_POSITION, "sinusoidal"}}},
    {ARRAYS, {{RUN_POSITION, "rope"}}},
    {ARRAYS, {{RUN_GUARD_NORM, "on"}}},
    {SCORES, {{RUN_SCORES, "2,1,0.1"}}},
    {SCORES, {{RUN_SCORES, "2,1,0.1;1,2,-inf"}}},
    {SCORES, {{RUN_SCORE_FACTOR, "-2"}}},
    {SCORES, {{RUN_SOFTCAP, "1"}}},
    {SCORES, {{RUN_MASK, "causal"}}},
    {SCORES, {{RUN_PRECISION, "fp8_e4m3"}}},
    {SCORES, {{RUN_WEIGHTS, "sparsemax"}}},
};

enum { COUNT = sizeof settings / sizeof settings[0] };

static struct run base_run(enum base base)
{
    struct run run = run_default();
    double values[FIXTURE_SCORES];
    for (size_t i = 0; i < FIXTURE_SCORES; i++) {
        values[i] = sin(0.7 * (double)(i * i));
    }
    run.position = POSITION_NONE;
    if (base == GAUSSIAN) {
        run.source = SOURCE_GAUSSIAN;
        run.tokens = 8;
        run.d_model = 16;
        run.d_k = 6;
        run.input_spread = 0.25; /* scores of a few units: no row is one-hot */
    } else if (base == ARRAYS) {
        run.source = SOURCE_ARRAYS;
        run.x = fixture_npy("x.npy", 0, 5, 8, values);
        run.w_q = fixture_npy("q.npy", 0, 8, 8, values);
        for (size_t i = 0; i < FIXTURE_SCORES; i++) {
            values[i] = cos(1.3 * (double)(i * i));
        }
        run.w_k = fixture_npy("k.npy", 0, 8, 8, values);
        run.heads = 2;
    } else {
        run.source = SOURCE_SCORES;
        run.scores = "3,1,-2;0.5,4,2;-1,-1.5,-3";
    }
    return run;
}

static struct run setting_run(const struct setting *setting)
{
    struct run run = base_run(setting->base);
    for (size_t i = 0; i < 3 && setting->set[i].value != NULL; i++) {
        fixture_set(&run, setting->set[i].field, setting->set[i].value);
    }
    return run;
}

static void make_runs(struct run runs[COUNT])
{
    for (size_t i = 0; i < COUNT; i++) {
        runs[i] = setting_run(&settings[i]);
    }
}

START_TEST(each_setting_is_a_result_of_its_own)
{
    struct run runs[COUNT];
    make_runs(runs);
    assert_ok(fixture_run(runs, COUNT, 2), err);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_msg(results[i].status == RESULT_OK, "%zu: %s", i, results[i].message);
        for (size_t j = 0; j < i; j++) {
            ck_assert(results[i].key != results[j].key);
            bool same = memcmp(&results[i].measurement, &results[j].measurement,
                               sizeof results[i].measurement) == 0;
            ck_assert_msg(!same || settings[i].base != settings[j].base,
                          "settings %zu and %zu give the same measures", j, i);
        }
    }
}
END_TEST

START_TEST(each_run_alone_gives_the_same_bits)
{
    struct run runs[COUNT];
    struct measurement once[COUNT];
    make_runs(runs);
    assert_ok(fixture_run(runs, COUNT, 1), err);
    for (size_t i = 0; i < COUNT; i++) {
        once[i] = results[i].measurement;
    }
    make_runs(runs);
    assert_ok(fixture_run(runs, COUNT, 2), err);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_msg(memcmp(&once[i], &results[i].measurement, sizeof once[i]) == 0, "%zu", i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        struct run alone = setting_run(&settings[i]);
        assert_ok(fixture_run(&alone, 1, 1), err);
        ck_assert_msg(memcmp(&once[i], &results[0].measurement, sizeof once[i]) == 0, "%zu", i);
    }
}
END_TEST

/* Each row has length input_spread sqrt(d_model), so the root mean square is input_spread itself.
 */
START_TEST(orthogonal_rows_have_the_length_asked_for)
{
    struct run run = base_run(GAUSSIAN);
    run.orthogonal = true;
    run.input_spread = 3;
    assert_ok(fixture_run(&run, 1, 1), err);
    assert_near(results[0].measurement.input_rms, 3, 1e-14);
    /* Of n orthogonal rows of length r the mean row is r / sqrt(n) long, so the rows lie
     * r sqrt(1 - 1/n) from it; over sqrt(d_model) that is 3 sqrt(7/8). */
    assert_near(results[0].measurement.input_token_std, 3 * sqrt(7.0 / 8), 1e-13);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine fields");
    TCase *tests = tcase_create("fields");
    tcase_add_checked_fixture(tests, fixture_set_up, fixture_tear_down);
    tcase_add_test(tests, each_setting_is_a_result_of_its_own);
    tcase_add_test(tests, each_run_alone_gives_the_same_bits);
    tcase_add_test(tests, orthogonal_rows_have_the_length_asked_for);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
