/* SPDX-License-Identifier: MIT */
/* run/fields, values, guards and key: the table is whole, values are strict, keys are canonical. */
#include "run/fields.h"
#include "run/run_list.h"
#include "bare_arena.h"

#include <string.h>

static struct run corpus_run(void)
{
    struct run run = run_default();
    run.corpus = "demo";
    run.corpus_digest = "00ff";
    run.sentence = "the cat";
    return run;
}

static void set(struct run *run, enum run_field field, const char *value)
{
    const char *why = "";
    ck_assert_msg(run_set(run, field, value, &arena, &why), "%s: %s", run_fields[field].name, why);
}

/* Sources and learners with defaults of their own follow each other, so that what is remembered of
 * one run would be wrong for the next. */
START_TEST(many_keys_and_normalisations_are_those_of_single_runs)
{
    struct run runs[24];
    uint64_t keys[24];
    struct run_defaults last = {.known = false};
    for (int i = 0; i < 24; i++) {
        runs[i] = run_default();
        runs[i].source = i % 3 == 2 ? SOURCE_GAUSSIAN : i % 3 == 1 ? SOURCE_ARRAYS : SOURCE_CORPUS;
        runs[i].learner = i % 2 == 0 ? LEARNER_GLOVE : LEARNER_COUNT_SVD;
        runs[i].seed = i;
        struct run copy = runs[i];
        run_normalise_like(&runs[i], &last);
        run_normalise(&copy);
        for (int f = 0; f < RUN_FIELD_COUNT; f++) {
            ck_assert(field_value_equal(&run_fields[f], &runs[i], &copy));
        }
    }
    struct run_list list;
    struct error trouble = ERROR_INIT;
    run_list_init(&list, &arena);
    for (int i = 0; i < 24; i++) {
        assert_ok(run_list_append(&list, &runs[i], &trouble), trouble);
    }
    assert_ok(run_list_keys(&list, keys, &trouble), trouble);
    for (int i = 0; i < 24; i++) {
        ck_assert_uint_eq(keys[i], run_key(&runs[i]));
        ck_assert(i == 0 || keys[i] != keys[i - 1]);
    }
}
END_TEST

START_TEST(every_row_of_the_table_is_whole)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        ck_assert_msg(field->name != NULL && field->help != NULL && field->label != NULL, "%zu", i);
        ck_assert_ptr_eq(run_field_find(field->name), field);
        ck_assert_uint_eq(run_field_index(field), i);
        ck_assert(field->sources != 0);
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        ck_assert_msg(field->name != NULL && field->help != NULL && field->label != NULL, "%zu", i);
        ck_assert_ptr_eq(measurement_field_find(field->name), field);
        ck_assert_uint_eq(field->offset, i * 8);
    }
}
END_TEST

START_TEST(defaults_are_those_of_the_manual)
{
    struct run run = run_default();
    ck_assert_int_eq(run.source, SOURCE_CORPUS);
    ck_assert_int_eq(run.window, 5);
    ck_assert(run.power == 0.5 && run.norm_epsilon == 1e-5 && run.saturation_row_max == 0.9);
    ck_assert(run.d_model == 64 && run.d_k == 64 && run.seed == 1);
    ck_assert(!run.guard_init && !run.guard_scale && !run.guard_norm);
    ck_assert_int_eq(run.position, POSITION_SINUSOIDAL);
    ck_assert_uint_eq(run.given, 0);
}
END_TEST

static const struct {
    enum run_field field;
    const char *value, *why;
} refused[] = {
    {RUN_D_MODEL, "1_000", "'1_000' is not a decimal integer (no '_' in numbers)"},
    {RUN_D_MODEL, "08", "'08' has a leading zero; write 8"},
    {RUN_D_MODEL, "010", "'010' has a leading zero; write 10"},
    {RUN_D_MODEL, "1e3", "'1e3' is not an integer in decimal digits"},
    {RUN_D_MODEL, "99999999999999999999", "'99999999999999999999' is out of the range of integers"},
    {RUN_D_MODEL, "-007", "'-007' has a leading zero; write -7"},
    {RUN_D_MODEL, "wide", "'wide' is not a decimal integer"},
    {RUN_D_MODEL, "0", "'0' is out of range; allowed is 1 to 1048576"},
    {RUN_POWER, "2.5", "'2.5' is out of range; allowed is 0 to 2"},
    {RUN_POWER, "nan", "'nan' is not a finite decimal number"},
    {RUN_CONTEXT_SMOOTHING, "1.1", "'1.1' is out of range; allowed is 0 to 1"},
    {RUN_SHIFT, "0.5", "'0.5' is out of range; allowed is 1 to 1000000"},
    {RUN_LEARNER, "pmi",
     "'pmi' is not one of: count-svd, log-count-svd, ppmi-svd, random, sgns, glove"},
    {RUN_GUARD_INIT, "maybe", "'maybe' is not a switch; write on or off"},
    {RUN_GUARD_INIT, "0", "'0' is not a switch; write on or off"},
    {RUN_NORM, "batch", "'batch' is not one of: layer, rms"},
    {RUN_NEGATIVE, "0", "'0' is out of range; allowed is 1 to 1000"},
    {RUN_SUBSAMPLE, "2", "'2' is out of range; allowed is 0 to 1"},
    {RUN_EPOCHS, "0", "'0' is out of range; allowed is 1 to 10000"},
    {RUN_LEARNING_RATE, "0", "'0' is out of range; allowed is 1e-09 to 10"},
    {RUN_X_MAX, "-1", "'-1' is out of range; allowed is 1e-09 to 1000000000000"},
    {RUN_ALPHA, "-0.5", "'-0.5' is out of range; allowed is 0 to 10"},
    {RUN_LEARNER_SEED, "9007199254740992",
     "'9007199254740992' is out of range; allowed is 0 to 9007199254740991"},
    {RUN_ORTHOGONAL, "yep", "'yep' is not a switch; write on or off"},
    {RUN_WEIGHTS_AS_GIVEN, "1", "'1' is not a switch; write on or off"},
    {RUN_TRANSPOSED, "T", "'T' is not a switch; write on or off"},
    {RUN_HEADS, "0", "'0' is out of range; allowed is 1 to 65536"},
    {RUN_KEY_HEADS, "-1", "'-1' is out of range; allowed is 0 to 65536"},
    {RUN_HEAD, "65536", "'65536' is out of range; allowed is 0 to 65535"},
    {RUN_SCORES, "1,two",
     "'two' is no score; write finite decimal numbers, or -.inf for a masked key"},
    {RUN_SCORE_FACTOR, "inf", "'inf' is not a finite decimal number"},
    {RUN_ROPE_BASE, "0.5", "'0.5' is out of range; allowed is 1 to 1000000000000"},
    {RUN_ROPE_PAIRS, "even", "'even' is not one of: halves, adjacent"},
    {RUN_QK_NORM, "l1", "'l1' is not one of: none, l2, layer, rms"},
    {RUN_QK_GAIN, "-1", "'-1' is out of range; allowed is 0 to 1e+150"},
    {RUN_SCORE_SCALE, "log", "'log' is not one of: sqrt, linear, log_n"},
    {RUN_SOFTCAP, "-50", "'-50' is out of range; allowed is 0 to 1e+300"},
    {RUN_MASK, "full", "'full' is not one of: none, causal"},
    {RUN_WEIGHTS, "relu",
     "'relu' is not one of: softmax, softmax_plus_one, sigmoid, sparsemax, entmax15, softplus, "
     "square, sum, argmax"},
    {RUN_PRECISION, "fp4", "'fp4' is not one of: fp64, fp32, fp16, bf16, fp8_e4m3, fp8_e5m2"},
    {RUN_STABILISE, "never", "'never' is not a switch; write on or off"},
};

START_TEST(a_value_that_does_not_fit_says_why)
{
    struct run run = run_default();
    const char *why = "";
    ck_assert(!run_set(&run, refused[_i].field, refused[_i].value, &arena, &why));
    ck_assert_str_eq(why, refused[_i].why);
    ck_assert_uint_eq(run.given, 0);
}
END_TEST

START_TEST(values_are_set_and_read_back)
{
    struct run run = run_default();
    char out[FIELD_VALUE_SIZE];
    set(&run, RUN_POWER, "1e-1");
    set(&run, RUN_GUARD_NORM, "Yes");
    set(&run, RUN_POSITION, "none");
    set(&run, RUN_SEED, "9007199254740991");
    set(&run, RUN_SENTENCE, "no");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_POWER], &run, out), "0.1");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_GUARD_NORM], &run, out), "on");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_POSITION], &run, out), "none");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_SEED], &run, out), "9007199254740991");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_SENTENCE], &run, out), "no");
    ck_assert(run.given == ((UINT64_C(1) << RUN_POWER) | (UINT64_C(1) << RUN_GUARD_NORM) |
                            (UINT64_C(1) << RUN_POSITION) | (UINT64_C(1) << RUN_SEED) |
                            (UINT64_C(1) << RUN_SENTENCE)));
}
END_TEST

START_TEST(normalising_resets_what_has_no_meaning)
{
    struct run run = corpus_run();
    set(&run, RUN_SOURCE, "gaussian");
    set(&run, RUN_WINDOW, "9");
    set(&run, RUN_TOKENS, "12");
    run_normalise(&run);
    ck_assert_ptr_null(run.corpus);
    ck_assert_ptr_null(run.corpus_digest);
    ck_assert_int_eq(run.window, 5);
    ck_assert_int_eq(run.tokens, 12);
    ck_assert(run.given == ((1U << RUN_SOURCE) | (1U << RUN_TOKENS)));
}
END_TEST

START_TEST(normalising_resets_what_the_learner_does_not_read)
{
    static const struct {
        const char *learner;
        bool window, smoothing;
    } reads[] = {{"count-svd", true, false},
                 {"log-count-svd", true, false},
                 {"ppmi-svd", true, true},
                 {"random", false, false}};
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        struct run plain = corpus_run();
        set(&plain, RUN_LEARNER, reads[i].learner);
        struct run run = plain;
        set(&run, RUN_CONTEXT_SMOOTHING, "1");
        set(&run, RUN_SHIFT, "5");
        ck_assert_int_eq(run_key(&run) != run_key(&plain), reads[i].smoothing);
        run_normalise(&run);
        ck_assert(run.context_smoothing == (reads[i].smoothing ? 1 : 0.75));
        ck_assert(run.shift == (reads[i].smoothing ? 5 : 1));
        set(&run, RUN_WINDOW, "9");
        set(&run, RUN_POWER, "1");
        set(&run, RUN_MIN_COUNT, "2");
        run_normalise(&run);
        ck_assert_int_eq(run.window, reads[i].window ? 9 : 5);
        ck_assert(run.power == (reads[i].window ? 1 : 0.5));
        ck_assert_int_eq(run.min_count, 2);
    }
}
END_TEST

START_TEST(a_source_or_learner_has_defaults_of_its_own)
{
    struct run run = run_default();
    ck_assert(!run_has_own_defaults(&run));
    set(&run, RUN_SOURCE, "arrays");
    ck_assert(run_has_own_defaults(&run));
    struct run plain = run_default_beside(&run);
    ck_assert_int_eq(plain.position, POSITION_NONE);
    ck_assert(plain.given == 0 && plain.window == 5 && plain.source == SOURCE_CORPUS);
    struct run glove = corpus_run();
    set(&glove, RUN_LEARNER, "glove");
    ck_assert(run_has_own_defaults(&glove));
    plain = run_default_beside(&glove);
    ck_assert(plain.window == 15 && plain.epochs == 25 && plain.learning_rate == 0.05);
    ck_assert_int_eq(plain.position, POSITION_SINUSOIDAL);
    /* The learner of another source decides nothing. */
    set(&glove, RUN_SOURCE, "gaussian");
    ck_assert(!run_has_own_defaults(&glove));
    ck_assert_int_eq(run_default_beside(&glove).window, 5);
}
END_TEST

START_TEST(own_defaults_fill_what_is_not_given_and_nothing_else)
{
    struct run run = corpus_run();
    set(&run, RUN_LEARNER, "glove");
    set(&run, RUN_WINDOW, "5");
    run_normalise(&run);
    ck_assert(run.window == 5 && run.epochs == 25 && run.learning_rate == 0.05);
    ck_assert((run.given >> RUN_WINDOW & 1) == 1 && (run.given >> RUN_EPOCHS & 1) == 0);
    struct run again = run;
    run_normalise(&again);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        ck_assert_msg(field_value_equal(&run_fields[i], &run, &again), "%s", run_fields[i].name);
    }
    struct run arrays = run_default();
    set(&arrays, RUN_SOURCE, "arrays");
    set(&arrays, RUN_POSITION, "sinusoidal");
    run_normalise(&arrays);
    ck_assert_int_eq(arrays.position, POSITION_SINUSOIDAL);
    arrays.given = 0;
    run_normalise(&arrays);
    ck_assert_int_eq(arrays.position, POSITION_NONE);
}
END_TEST

START_TEST(an_own_default_spelled_out_is_the_same_run)
{
    struct run run = corpus_run();
    set(&run, RUN_LEARNER, "glove");
    struct run spelled = run;
    set(&spelled, RUN_WINDOW, "15");
    set(&spelled, RUN_EPOCHS, "25");
    run_normalise(&run);
    run_normalise(&spelled);
    ck_assert_uint_eq(run_key(&run), run_key(&spelled));
    set(&spelled, RUN_WINDOW, "5");
    ck_assert(run_key(&run) != run_key(&spelled));
    struct error err = ERROR_INIT;
    ck_assert_str_eq(run_canonical_text(&run, &arena, &err),
                     "rowmax run 1\ncorpus=sha256:00ff\nsentence=7:the cat\nlearner=5:glove\n");
}
END_TEST

START_TEST(scores_count_by_their_numbers)
{
    struct run run = run_default();
    struct error err = ERROR_INIT;
    char out[FIELD_VALUE_SIZE];
    set(&run, RUN_SOURCE, "scores");
    set(&run, RUN_SCORES, " 2.0, 1 ; -0, -.inf ");
    ck_assert_str_eq(field_value_text(&run_fields[RUN_SCORES], &run, out), "2,1;0,-inf");
    ck_assert(isnan(field_value_number(&run_fields[RUN_SCORES], &run)));
    ck_assert_str_eq(run_canonical_text(&run, &arena, &err),
                     "rowmax run 1\nsource=6:scores\nscores=10:2,1;0,-inf\n");
    set(&run, RUN_SOURCE, "gaussian");
    run_normalise(&run);
    ck_assert_ptr_null(run.scores);
}
END_TEST

START_TEST(weights_as_given_leave_the_init_guard_nothing_to_do)
{
    struct run run = run_default();
    set(&run, RUN_SOURCE, "arrays");
    set(&run, RUN_W_Q, "q.npy");
    set(&run, RUN_GUARD_INIT, "on");
    run_normalise(&run);
    ck_assert(run.guard_init);
    set(&run, RUN_WEIGHTS_AS_GIVEN, "on");
    run_normalise(&run);
    ck_assert(!run.guard_init);
}
END_TEST

START_TEST(guard_sets_have_names_both_ways)
{
    for (unsigned mask = 0; mask < 8; mask++) {
        unsigned parsed = 99;
        ck_assert(run_guards_parse(run_guards_name(mask), &parsed));
        ck_assert_uint_eq(parsed, mask);
    }
    unsigned mask = 99;
    ck_assert(run_guards_parse("norm+init", &mask) && mask == 5);
    static const char *const wrong[] = {"", "all", "init+", "init+init", "none+init", "Init"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_msg(!run_guards_parse(wrong[i], &mask), "'%s'", wrong[i]);
    }
}
END_TEST

START_TEST(the_canonical_text_holds_what_differs_from_the_default)
{
    struct run run = corpus_run();
    struct error err = ERROR_INIT;
    set(&run, RUN_POWER, "0.75");
    set(&run, RUN_SEED, "1");
    ck_assert_str_eq(run_canonical_text(&run, &arena, &err),
                     "rowmax run 1\ncorpus=sha256:00ff\nsentence=7:the cat\npower=0x1.8p-1\n");
}
END_TEST

START_TEST(keys_ignore_spelling_and_see_content)
{
    struct run run = corpus_run();
    struct run same = corpus_run();
    set(&run, RUN_POWER, "0.1");
    set(&same, RUN_POWER, "1e-1");
    same.corpus = "another name";
    set(&same, RUN_D_MODEL, "64");
    ck_assert_uint_eq(run_key(&run), run_key(&same));
    same.corpus_digest = "00fe";
    ck_assert(run_key(&run) != run_key(&same));
    same.corpus_digest = "00ff";
    set(&same, RUN_SEED, "2");
    ck_assert(run_key(&run) != run_key(&same));
}
END_TEST

START_TEST(what_only_reports_read_is_in_no_key)
{
    struct run run = corpus_run();
    struct run other = corpus_run();
    set(&other, RUN_SATURATION_GRADIENT, "0.3");
    ck_assert_uint_eq(run_key(&run), run_key(&other));
    set(&other, RUN_SATURATION_ROW_MAX, "0.8"); /* rows are counted by it */
    ck_assert(run_key(&run) != run_key(&other));
}
END_TEST

START_TEST(a_text_cannot_pose_as_another_field)
{
    struct run run = corpus_run();
    struct run other = corpus_run();
    run.sentence = "a\nseed=1:2";
    other.sentence = "a";
    set(&other, RUN_SEED, "2");
    ck_assert(run_key(&run) != run_key(&other));
}
END_TEST

/* The number changes when the canonical form does: then the first line of the form must, too. */
START_TEST(the_key_of_a_known_run_stays)
{
    struct run run = corpus_run();
    ck_assert_uint_eq(run_key(&run), UINT64_C(0x13995675b9ae6bfc));
}
END_TEST

START_TEST(a_corpus_is_a_name_or_a_path_and_arrays_are_paths)
{
    ck_assert(!run_field_names_file(RUN_CORPUS, "demo"));
    ck_assert(!run_field_names_file(RUN_CORPUS, ".txt"));
    ck_assert(run_field_names_file(RUN_CORPUS, "a.txt"));
    ck_assert(run_field_names_file(RUN_CORPUS, "a.gz"));
    ck_assert(run_field_names_file(RUN_CORPUS, "./demo"));
    ck_assert(run_field_names_file(RUN_X, "demo"));
    ck_assert(!run_field_names_file(RUN_SENTENCE, "a/b"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("values");
    TCase *tests = tcase_create("values");
    tcase_add_checked_fixture(tests, arena_set_up, tear_down);
    tcase_add_test(tests, many_keys_and_normalisations_are_those_of_single_runs);
    tcase_add_test(tests, every_row_of_the_table_is_whole);
    tcase_add_test(tests, defaults_are_those_of_the_manual);
    tcase_add_loop_test(tests, a_value_that_does_not_fit_says_why, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(tests, values_are_set_and_read_back);
    tcase_add_test(tests, normalising_resets_what_has_no_meaning);
    tcase_add_test(tests, normalising_resets_what_the_learner_does_not_read);
    tcase_add_test(tests, a_source_or_learner_has_defaults_of_its_own);
    tcase_add_test(tests, own_defaults_fill_what_is_not_given_and_nothing_else);
    tcase_add_test(tests, an_own_default_spelled_out_is_the_same_run);
    tcase_add_test(tests, scores_count_by_their_numbers);
    tcase_add_test(tests, weights_as_given_leave_the_init_guard_nothing_to_do);
    tcase_add_test(tests, guard_sets_have_names_both_ways);
    tcase_add_test(tests, the_canonical_text_holds_what_differs_from_the_default);
    tcase_add_test(tests, keys_ignore_spelling_and_see_content);
    tcase_add_test(tests, what_only_reports_read_is_in_no_key);
    tcase_add_test(tests, a_text_cannot_pose_as_another_field);
    tcase_add_test(tests, the_key_of_a_known_run_stays);
    tcase_add_test(tests, a_corpus_is_a_name_or_a_path_and_arrays_are_paths);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
