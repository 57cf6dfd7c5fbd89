/* SPDX-License-Identifier: MIT */
/* engine: inputs are found, checked and shared; results depend on nothing but the run; failures and
 * interruptions are results and errors of their own. */
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RUNS 24

static struct arena arena;
static struct error err;
static struct result results[RUNS];
static double kept_weights[RUNS][64];
static size_t result_count;

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    memset(results, 0, sizeof results);
    result_count = 0;
    setenv("ROWMAX_CORPORA", TEST_SOURCE_DIR "/corpora", 1);
}

static void tear_down(void)
{
    arena_release(&arena);
}

static void keep_result(const struct result *result, struct error *error)
{
    results[result->index] = *result;
    results[result->index].message = arena_copy_text(&arena, result->message, error);
    if (result->kept.weights != NULL && result->kept.tokens <= 8) {
        size_t count = result->kept.tokens * result->kept.tokens;
        memcpy(kept_weights[result->index], result->kept.weights, count * sizeof(double));
    }
    result_count++;
}

static bool keep_results(void *context, const struct result *batch, size_t count,
                         struct error *error)
{
    (void)context;

    for (size_t i = 0; i < count; i++) {
        keep_result(&batch[i], error);
    }
    return true;
}

static struct run demo_run(unsigned guards, int64_t seed)
{
    struct run run = run_default();
    run.corpus = "demo";
    run.sentence = "the cat chased the mouse across the garden";
    run.guard_init = (guards & 1) != 0;
    run.guard_scale = (guards & 2) != 0;
    run.guard_norm = (guards & 4) != 0;
    run.seed = seed;
    return run;
}

/* Eight guard sets and three seeds. */
static void make_runs(struct run runs[RUNS])
{
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = demo_run((unsigned)(i % 8), (int64_t)(1 + i / 8));
    }
}

static bool run_all(struct run *runs, size_t count, size_t threads)
{
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    if (engine == NULL) {
        return false;
    }
    struct engine_task tasks[RUNS];
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (struct engine_task){.run = i, .key = run_key(&runs[i]), .keep_weights = true};
    }
    struct engine_options options = {.threads = threads, .sink = keep_results};
    return engine_run(engine, tasks, count, &options, &err);
}

START_TEST(results_do_not_depend_on_threads)
{
    struct run runs[RUNS];
    struct measurement once[RUNS];
    make_runs(runs);
    assert_ok(run_all(runs, RUNS, 1), err);
    ck_assert_uint_eq(result_count, RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        once[i] = results[i].measurement;
    }
    for (size_t threads = 2; threads <= 7; threads += 5) {
        make_runs(runs);
        assert_ok(run_all(runs, RUNS, threads), err);
        for (size_t i = 0; i < RUNS; i++) {
            ck_assert(memcmp(&once[i], &results[i].measurement, sizeof once[i]) == 0);
        }
    }
}
END_TEST

START_TEST(a_run_alone_gives_what_it_gives_among_others)
{
    struct run runs[RUNS];
    make_runs(runs);
    assert_ok(run_all(runs, RUNS, 2), err);
    for (size_t i = 0; i < RUNS; i += 5) {
        struct measurement among = results[i].measurement;
        struct run alone = demo_run((unsigned)(i % 8), (int64_t)(1 + i / 8));
        assert_ok(run_all(&alone, 1, 1), err);
        ck_assert(memcmp(&among, &results[0].measurement, sizeof among) == 0);
        make_runs(runs);
        assert_ok(run_all(runs, RUNS, 2), err);
    }
}
END_TEST

START_TEST(the_corpus_is_counted_and_the_words_are_kept)
{
    struct run run = demo_run(7, 1);
    assert_ok(run_all(&run, 1, 1), err);
    ck_assert_int_eq(results[0].measurement.corpus_sentences, 8);
    ck_assert_int_eq(results[0].measurement.corpus_words, 75);
    ck_assert_int_eq(results[0].measurement.tokens, 8);
    ck_assert_str_eq(results[0].kept.words, "the cat chased the mouse across the garden");
    for (size_t i = 0; i < 8; i++) {
        double sum = 0;
        for (size_t j = 0; j < 8; j++) {
            sum += kept_weights[0][i * 8 + j];
        }
        assert_within(sum, 1, 1e-14);
    }
}
END_TEST

/* Runs all of them together: the spreads of their inputs differ by more than the share `least`. */
static void assert_spreads_differ(struct run *runs, size_t count, double least, double *spreads)
{
    assert_ok(run_all(runs, count, 2), err);
    ck_assert_uint_eq(result_count, count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(results[i].status, RESULT_OK);
        spreads[i] = results[i].measurement.input_std;
        for (size_t j = 0; j < i; j++) {
            ck_assert_msg(fabs(spreads[i] / spreads[j] - 1) > least, "%zu and %zu", i, j);
        }
    }
}

/* Each run by itself has the spread that it had among the others. */
static void assert_same_alone(const struct run *runs, size_t count, const double *spreads)
{
    for (size_t i = 0; i < count; i++) {
        struct run alone = runs[i];
        assert_ok(run_all(&alone, 1, 1), err);
        ck_assert(results[0].measurement.input_std == spreads[i]);
    }
}

START_TEST(every_learner_and_setting_gets_its_own_vectors)
{
    /* Learner, power, context smoothing, shift; each spread must differ from all others. */
    static const struct {
        enum run_learner learner;
        double power, smoothing, shift;
    } settings[] = {{LEARNER_COUNT_SVD, 1, 0.75, 1},     {LEARNER_LOG_COUNT_SVD, 1, 0.75, 1},
                    {LEARNER_LOG_COUNT_SVD, 0, 0.75, 1}, {LEARNER_PPMI_SVD, 1, 0.75, 1},
                    {LEARNER_PPMI_SVD, 1, 1, 1},         {LEARNER_PPMI_SVD, 1, 0.75, 2},
                    {LEARNER_PPMI_SVD, 0.5, 0.75, 1},    {LEARNER_RANDOM, 0.5, 0.75, 1}};
    enum { COUNT = sizeof settings / sizeof settings[0] };
    struct run runs[COUNT];
    double spreads[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        runs[i] = demo_run(3, 1);
        runs[i].position = POSITION_NONE;
        runs[i].learner = (int)settings[i].learner;
        runs[i].power = settings[i].power;
        runs[i].context_smoothing = settings[i].smoothing;
        runs[i].shift = settings[i].shift;
    }
    assert_spreads_differ(runs, COUNT, 1e-3, spreads);
    /* Eight words of 64 normal numbers of variance 1/64, three of them the same word. */
    assert_within(spreads[COUNT - 1], 0.125, 0.025);
    assert_same_alone(runs, COUNT, spreads);
}
END_TEST

START_TEST(every_setting_of_the_learners_by_steps_gets_its_own_vectors)
{
    enum { COUNT = 14 };
    struct run runs[COUNT];
    double spreads[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        runs[i] = demo_run(3, 1);
        runs[i].position = POSITION_NONE;
        runs[i].learner = i < 7 ? LEARNER_SGNS : LEARNER_GLOVE;
        runs[i].subsample = 0.01;
        runs[i].learning_rate = 0.1;
        runs[i].x_max = 2;
    }
    runs[1].negative = 6;
    runs[2].subsample = 0;
    runs[3].epochs = runs[8].epochs = 6;
    runs[4].learning_rate = runs[9].learning_rate = 0.11;
    runs[5].learner_seed = runs[10].learner_seed = 2;
    runs[6].window = runs[11].window = 2;
    runs[12].x_max = 1.5;
    runs[13].alpha = 0.5;
    assert_spreads_differ(runs, COUNT, 1e-6, spreads);
    assert_same_alone(runs, COUNT, spreads);
}
END_TEST

START_TEST(normalised_input_has_unit_spread)
{
    struct run run = demo_run(7, 1);
    assert_ok(run_all(&run, 1, 1), err);
    assert_within(results[0].measurement.input_std, 1, 1e-3);
    ck_assert(results[0].measurement.raw_input_std > 0.1);
}
END_TEST

START_TEST(unknown_words_are_all_listed)
{
    struct run run = demo_run(7, 1);
    run.sentence = "the zebra chased a quokka and the zebra";
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "zebra");
    assert_error(err, ERROR_INPUT, "quokka");
    err = (struct error)ERROR_INIT;
    run.unknown_words = UNKNOWN_WORDS_SKIP;
    assert_ok(run_all(&run, 1, 1), err);
    ck_assert_str_eq(results[0].kept.words, "the chased a and the");
}
END_TEST

START_TEST(a_missing_corpus_names_the_known_ones)
{
    struct run run = demo_run(7, 1);
    run.corpus = "demmo";
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "no corpus 'demmo'; did you mean 'demo'?");
    err = (struct error)ERROR_INIT;
    run.corpus = "forest";
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "no corpus 'forest' (known: demo, harbour, kitchen)");
    err = (struct error)ERROR_INIT;
    run.corpus = "texts/forest.txt";
    ck_assert_ptr_null(open_runs(&run, 1, "sweeps", &arena, &err));
    assert_error(err, ERROR_INPUT, "no file 'sweeps/texts/forest.txt'; paths are relative");
}
END_TEST

START_TEST(known_corpora_are_those_that_would_be_found)
{
    support_file("brook.txt.gz", "", 0);
    support_file("river.txt", "", 0);
    support_file("river.txt.gz", "", 0);
    support_file("notes.txt.orig", "", 0);
    support_file("stream.txt~", "", 0);
    support_file(".txt", "", 0);
    setenv("ROWMAX_CORPORA", support_folder(), 1);
    struct run run = demo_run(7, 1);
    run.corpus = "forest";
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "no corpus 'forest' (known: brook, river);");
}
END_TEST

/* Refuses a corpus where there is no folder of them, but for an installed one if there is any. */
static void refuse_without_corpora(const char *message)
{
    bool installed = access(ROWMAX_DATA_FOLDER "/corpora", F_OK) == 0;
    struct run run = demo_run(7, 1);
    run.corpus = "forest";
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_ptr_null(open_runs(&run, 1, "/nosuch/folder", &arena, &err));
    assert_error(err, ERROR_INPUT, installed ? "no corpus 'forest' (known: " : message);
    err = (struct error)ERROR_INIT;
}

START_TEST(without_any_corpora_the_folders_are_named)
{
    unsetenv("ROWMAX_CORPORA");
    refuse_without_corpora("no corpus 'forest': no folder corpora/ with texts beside the sweep, "
                           "above it or here; set ROWMAX_CORPORA to one, or give the path of a "
                           "text file");
    setenv("ROWMAX_CORPORA", "/nosuch", 1);
    refuse_without_corpora(
        "no corpus 'forest': none at all in '/nosuch', which ROWMAX_CORPORA names");
}
END_TEST

START_TEST(a_corpus_can_be_a_path)
{
    struct run run = demo_run(7, 1);
    run.corpus = TEST_SOURCE_DIR "/corpora/demo.txt";
    struct run named = demo_run(7, 1);
    ck_assert_ptr_nonnull(open_runs(&run, 1, ".", &arena, &err));
    ck_assert_ptr_nonnull(open_runs(&named, 1, ".", &arena, &err));
    ck_assert_uint_eq(run_key(&run), run_key(&named));
}
END_TEST

START_TEST(one_token_has_row_max_exactly_one)
{
    struct run run = demo_run(3, 1);
    run.sentence = "cat";
    assert_ok(run_all(&run, 1, 1), err);
    ck_assert(results[0].measurement.row_max_mean == 1);
    ck_assert(results[0].measurement.jacobian_norm_mean == 0);
    ck_assert(results[0].measurement.score_std == 0);
    ck_assert_int_eq(results[0].status, RESULT_OK);
}
END_TEST

START_TEST(arrays_bring_their_sizes_and_must_agree)
{
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.x = TEST_REFERENCE_DIR "/guards/small.X.npy";
    run.w_q = TEST_REFERENCE_DIR "/guards/small.ZQ.npy";
    run.w_k = TEST_REFERENCE_DIR "/guards/small.ZK.npy";
    run.guard_init = true;
    run.guard_scale = true;
    run.guard_norm = true;
    assert_ok(run_all(&run, 1, 1), err);
    ck_assert_int_eq(run.d_model, 8);
    ck_assert_int_eq(run.d_k, 4);
    ck_assert_int_eq(results[0].measurement.tokens, 5);
    run.w_k = NULL;
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "w_q is given without w_k");
    err = (struct error)ERROR_INIT;
    run.w_k = run.x;
    ck_assert_ptr_null(open_runs(&run, 1, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "(5, 8)");
}
END_TEST

START_TEST(gaussian_tokens_have_the_spread_asked_for)
{
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = 64;
    run.d_model = 512;
    run.input_spread = 3;
    run.position = POSITION_NONE;
    assert_ok(run_all(&run, 1, 1), err);
    /* 32,768 draws: the standard error of the spread is 0.012. */
    assert_within(results[0].measurement.raw_input_std, 3, 0.06);
}
END_TEST

static bool fail_odd_seeds(const struct run *run, struct measurement *out, struct error *error)
{
    out->row_max_mean = 0.5;
    return run->seed % 2 == 0 || error_set(error, ERROR_INTERNAL, "seed %d is odd", (int)run->seed);
}

static bool run_faked(const struct engine_options *options, struct run *runs)
{
    make_runs(runs);
    struct engine *engine = open_runs(runs, RUNS, ".", &arena, &err);
    struct engine_task tasks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        tasks[i] = (struct engine_task){.run = i, .key = i};
    }
    return engine_run(engine, tasks, RUNS, options, &err);
}

/* Such an input is overwritten by its guard. A head that gets more buffers forgets what it knew of
 * it, and would guard it once more. */
START_TEST(a_long_gaussian_input_is_drawn_again_for_a_head_that_forgot_it)
{
    struct run runs[2] = {run_default(), run_default()};
    for (size_t i = 0; i < 2; i++) {
        runs[i].source = SOURCE_GAUSSIAN;
        runs[i].tokens = 8;
        runs[i].d_model = ((int64_t)1 << 19) + 64;
        runs[i].d_k = 2;
        runs[i].input_spread = 3;
        runs[i].position = POSITION_NONE;
        runs[i].guard_norm = true;
    }
    runs[1].upstream = UPSTREAM_DRAWN;
    struct run alone = runs[1];
    assert_ok(run_all(runs, 2, 1), err);
    struct measurement second = results[1].measurement;
    assert_ok(run_all(&alone, 1, 1), err);
    assert_near(second.raw_input_std, 3, 1e-2);
    ck_assert(memcmp(&second, &results[0].measurement, sizeof second) == 0);
}
END_TEST

START_TEST(a_failed_run_is_a_row)
{
    struct run runs[RUNS];
    struct engine_options options = {.threads = 2, .sink = keep_results, .measure = fail_odd_seeds};
    assert_ok(run_faked(&options, runs), err);
    ck_assert_uint_eq(result_count, RUNS);
    ck_assert_int_eq(results[0].status, RESULT_FAILED);
    ck_assert_str_eq(results[0].message, "seed 1 is odd");
    ck_assert(isnan(results[0].measurement.row_max_mean));
    ck_assert_int_eq(results[0].measurement.nonfinite, 0);
    ck_assert_int_eq(results[8].status, RESULT_OK);
    ck_assert(results[8].measurement.row_max_mean == 0.5);
}
END_TEST

START_TEST(fail_fast_stops_at_the_first_failure)
{
    struct run runs[RUNS];
    struct engine_options options = {
        .threads = 1, .sink = keep_results, .measure = fail_odd_seeds, .fail_fast = true};
    assert_ok(run_faked(&options, runs), err);
    ck_assert_uint_eq(result_count, 1);
}
END_TEST

static atomic_int stop;

/* Stands for five runs and a signal in the fifth. */
static bool signal_in_fifth(const struct run *run, struct measurement *out, struct error *reason)
{
    static size_t measured;
    if (++measured == 5) {
        atomic_store(&stop, 2);
    }
    return fail_odd_seeds(run, out, reason);
}

START_TEST(an_interruption_keeps_what_is_finished)
{
    struct run runs[RUNS];
    struct engine_options options = {
        .threads = 1, .sink = keep_results, .measure = signal_in_fifth, .stop = &stop};
    ck_assert(!run_faked(&options, runs));
    ck_assert_int_eq(err.code, ERROR_INTERRUPTED);
    ck_assert_uint_eq(result_count, 5);
}
END_TEST

static bool full_disk(void *context, const struct result *batch, size_t count, struct error *error)
{
    (void)context;
    (void)batch;
    (void)count;
    result_count++;
    return error_set(error, ERROR_FILE, "no space");
}

START_TEST(a_sink_that_fails_ends_the_sweep)
{
    struct run runs[RUNS];
    struct engine_options options = {.threads = 2, .sink = full_disk, .measure = fail_odd_seeds};
    ck_assert(!run_faked(&options, runs));
    assert_error(err, ERROR_FILE, "no space");
    ck_assert_uint_eq(result_count, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *tests = tcase_create("engine");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, results_do_not_depend_on_threads);
    tcase_add_test(tests, a_run_alone_gives_what_it_gives_among_others);
    tcase_add_test(tests, the_corpus_is_counted_and_the_words_are_kept);
    tcase_add_test(tests, every_learner_and_setting_gets_its_own_vectors);
    tcase_add_test(tests, every_setting_of_the_learners_by_steps_gets_its_own_vectors);
    tcase_add_test(tests, normalised_input_has_unit_spread);
    tcase_add_test(tests, unknown_words_are_all_listed);
    tcase_add_test(tests, a_missing_corpus_names_the_known_ones);
    tcase_add_test(tests, known_corpora_are_those_that_would_be_found);
    tcase_add_test(tests, without_any_corpora_the_folders_are_named);
    tcase_add_test(tests, a_corpus_can_be_a_path);
    tcase_add_test(tests, one_token_has_row_max_exactly_one);
    tcase_add_test(tests, arrays_bring_their_sizes_and_must_agree);
    tcase_add_test(tests, gaussian_tokens_have_the_spread_asked_for);
    tcase_add_test(tests, a_long_gaussian_input_is_drawn_again_for_a_head_that_forgot_it);
    tcase_add_test(tests, a_failed_run_is_a_row);
    tcase_add_test(tests, fail_fast_stops_at_the_first_failure);
    tcase_add_test(tests, an_interruption_keeps_what_is_finished);
    tcase_add_test(tests, a_sink_that_fails_ends_the_sweep);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
