/* SPDX-License-Identifier: MIT */
/* Tests src/cli/eta.c, by hand and on sweeps that are played: threads take runs off a list, with
 * costs, paces and an expectation that are known, or as they were recorded. What was told between
 * the first tenth of the time and the last is compared with what was left. */
#include "cli/eta.h"
#include "recorded_sweeps.h"
#include "support.h"

enum { RUNS = 1600, MOST_THREADS = 8 };

struct sweep {
    size_t count, threads;
    struct engine_work work[RUNS]; /* as estimated */
    double seconds[RUNS];          /* as it is */
    double expected;
};

/* Large, and so static. */
static struct sweep sweep;

static void set_up(void)
{
    sweep = (struct sweep){.threads = 1, .expected = 1};
}

/* Repeatable, uniform between 0 and 1. */
static double draw(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / 16777216.0;
}

static void add(struct engine_work *sum, const struct engine_work *work, double factor)
{
    for (size_t k = 0; k < WORK_KINDS; k++) {
        sum->kind[k] += factor * work->kind[k];
    }
}

/* When each run begins and ends, each taken by the first thread that is free; returns the end. */
static double schedule(double *began, double *ended)
{
    double ends[MOST_THREADS] = {0};
    double end = 0;
    for (size_t i = 0; i < sweep.count; i++) {
        size_t next = 0;
        for (size_t t = 1; t < sweep.threads; t++) {
            next = ends[t] < ends[next] ? t : next;
        }
        began[i] = ends[next];
        ended[i] = ends[next] += sweep.seconds[i];
        end = fmax(end, ended[i]);
    }
    return end;
}

/* Seconds that threads have spent by `now` on runs that are not at their end. */
static double in_hand(const double *began, const double *ended, double now)
{
    double sum = 0;
    for (size_t i = 0; i < sweep.count; i++) {
        sum += ended[i] > now && began[i] < now ? now - began[i] : 0;
    }
    return sum;
}

static size_t next_to_end(const double *ended, const bool *told)
{
    size_t first = RUNS;
    for (size_t i = 0; i < sweep.count; i++) {
        first = !told[i] && (first == RUNS || ended[i] < ended[first]) ? i : first;
    }
    return first;
}

/* Plays the sweep and returns how far the time left was off at its worst, relative to what was
 * left, between the first tenth and nine tenths of the time. */
static double worst(void)
{
    double began[RUNS] = {0};
    double ended[RUNS] = {0};
    bool told[RUNS] = {false};
    struct engine_work all = {{0}};
    double off = 0;
    double end = schedule(began, ended);
    for (size_t i = 0; i < sweep.count; i++) {
        add(&all, &sweep.work[i], 1);
    }
    struct eta eta = eta_start(&all, sweep.expected, 0);
    for (size_t step = 0; step < sweep.count; step++) {
        size_t i = next_to_end(ended, told);
        double now = ended[i];
        told[i] = true;
        eta_learn(&eta, &sweep.work[i], sweep.seconds[i]);
        add(&eta.left, &sweep.work[i], -1);
        double left = eta_left(&eta, in_hand(began, ended, now), sweep.threads);
        if (now >= 0.1 * end && now <= 0.9 * end) {
            off = fmax(off, fabs(left / (end - now) - 1));
        }
    }
    return off;
}

static void append(double products, double draws, double seconds)
{
    sweep.work[sweep.count].kind[WORK_PRODUCTS] = products;
    sweep.work[sweep.count].kind[WORK_DRAWS] = draws;
    sweep.seconds[sweep.count++] = seconds;
}

START_TEST(what_was_expected_and_comes_true_is_told_exactly)
{
    struct engine_work work = {.kind = {[WORK_SCORES] = 6, [WORK_DRAWS] = 4}};
    struct engine_work tenth = {.kind = {[WORK_SCORES] = 1}};
    struct eta eta = eta_start(&work, 2, 0);
    assert_near(eta_left(&eta, 0, 1), 20, 1e-12);
    eta_learn(&eta, &tenth, 2);
    eta.left.kind[WORK_SCORES] -= 1;
    assert_near(eta_left(&eta, 0, 1), 18, 1e-12);
    /* two threads: 18 seconds of work take 9; one unit is half done */
    assert_near(eta_left(&eta, 1, 2), 8.5, 1e-12);
    eta.after = 3; /* saving what was done */
    assert_near(eta_left(&eta, 1, 2), 11.5, 1e-12);
}
END_TEST

START_TEST(learning_is_done_by_one_thread_and_before_the_runs)
{
    struct engine_work work = {.kind = {[WORK_LEARNING] = 6, [WORK_SCORES] = 4}};
    struct eta eta = eta_start(&work, 1, 0);
    assert_near(eta_left(&eta, 0, 2), 6 + 2, 1e-12);
}
END_TEST

/* One unit of ten at three times the expected pace. The pace of its kind is normal beforehand, with
 * mean 1 and variance v = 0.6^2 + 0.25^2; that unit says 3 with variance 0.3^2 * 0.01 * 10 / 1. The
 * pace of another kind follows as far as both are off together: 0.6^2 / v of the way. */
START_TEST(the_measured_pace_takes_over)
{
    double variance = 0.36 + 0.0625;
    double told = 0.009;
    double pace = (1 / variance + 3 / told) / (1 / variance + 1 / told);
    double other = 1 + 0.36 / variance * (pace - 1);
    struct engine_work work = {.kind = {[WORK_SCORES] = 6, [WORK_DRAWS] = 4}};
    struct engine_work done = {.kind = {[WORK_SCORES] = 1}};
    struct eta eta = eta_start(&work, 2, 0);
    eta_learn(&eta, &done, 6);
    eta.left = (struct engine_work){.kind = {[WORK_SCORES] = 5}};
    assert_near(eta_left(&eta, 0, 1), 10 * pace, 1e-9);
    eta.left = (struct engine_work){.kind = {[WORK_DRAWS] = 4}};
    assert_near(eta_left(&eta, 0, 1), 8 * other, 1e-9);
    eta.after = 5; /* saving is slower, too */
    assert_near(eta_left(&eta, 0, 1), 8 * other + 5 * other, 1e-9);
}
END_TEST

/* An input that takes ten times as long says little of the rows behind it: as much of the way as
 * 0.6^2 is of 0.6^2 + 1. */
START_TEST(a_slow_input_tells_little_of_other_work)
{
    double variance = 0.36 + 1;
    double told = 0.009;
    double pace = (1 / variance + 10 / told) / (1 / variance + 1 / told);
    struct engine_work work = {.kind = {[WORK_INPUTS] = 1, [WORK_PRODUCTS] = 9}};
    struct engine_work input = {.kind = {[WORK_INPUTS] = 1}};
    struct eta eta = eta_start(&work, 1, 0);
    eta_learn(&eta, &input, 10);
    eta.left = (struct engine_work){.kind = {[WORK_PRODUCTS] = 9}};
    assert_near(eta_left(&eta, 0, 1), 9 * (1 + 0.36 / variance * (pace - 1)), 1e-9);
}
END_TEST

START_TEST(nothing_to_do_and_a_late_end_leave_no_time)
{
    struct engine_work work = {{0}};
    struct eta eta = eta_start(&work, 1, 0);
    eta_learn(&eta, &work, 5);
    ck_assert(eta_left(&eta, 0, 1) <= 0);
    work.kind[WORK_SCORES] = 1;
    eta = eta_start(&work, 1, 0.5);
    assert_near(eta_left(&eta, 7, 1), 0.5, 1e-12);
}
END_TEST

/* The machine is half as fast as expected. */
START_TEST(equal_runs_are_told_within_a_fifth)
{
    for (sweep.threads = 1; sweep.threads <= 2; sweep.threads++) {
        sweep.count = 0;
        for (int i = 0; i < 100; i++) {
            append(1, 1, 4);
        }
        ck_assert_double_lt(worst(), 0.2);
    }
}
END_TEST

/* From 1 to 10,000, the cheap ones first or last: told by their number, the time left would be off
 * by far more than half after the first tenth. */
START_TEST(runs_that_grow_with_the_square_are_told_within_a_fifth)
{
    for (int way = 0; way < 4; way++) {
        sweep.count = 0;
        sweep.threads = way < 2 ? 1 : 2;
        for (int i = 1; i <= 100; i++) {
            double n = way % 2 == 0 ? i : 101 - i;
            append(n * n, n, 1.7 * n * n + 1.2 * n);
        }
        ck_assert_double_lt(worst(), 0.2);
    }
}
END_TEST

/* A product takes 0.8 and a draw 1.3 of what was expected, and no run is like the others. */
START_TEST(few_very_unlike_runs_are_told_within_a_fifth)
{
    static const double products[] = {3, 0.1, 8, 1, 20, 2, 0.5, 9, 14, 4};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        double draws = 6 - products[i] / 4;
        append(products[i], draws, 0.8 * products[i] + 1.3 * draws);
    }
    ck_assert_double_lt(worst(), 0.2);
}
END_TEST

/* The machine is half as fast as expected, and each estimate is off by up to 40 % by itself. */
START_TEST(noisy_estimates_of_another_machine_are_right_within_a_fifth)
{
    unsigned state = 7;
    for (size_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
        sweep = (struct sweep){.threads = threads, .expected = 0.5};
        for (size_t i = 0; i < RUNS; i++) {
            double cost = pow(10, draw(&state));
            double seconds = cost * (0.6 + 0.8 * draw(&state));
            append(i % 3 == 0 ? cost : 0, i % 3 == 0 ? 0 : cost, seconds);
        }
        ck_assert_double_lt(worst(), 0.2);
    }
}
END_TEST

/* For the last 25 of 75 parts somebody else takes half of the machine. What fades by e in 30 parts
 * gives them a share of (1 - exp(-25/30)) / (1 - exp(-75/30)), a third without that. */
START_TEST(what_was_seen_last_counts_most)
{
    struct engine_work whole = {.kind = {[WORK_SCORES] = 100}};
    struct engine_work one = {.kind = {[WORK_SCORES] = 1}};
    struct eta eta = eta_start(&whole, 1, 0);
    for (int i = 0; i < 75; i++) {
        eta_learn(&eta, &one, i < 50 ? 1 : 2);
        add(&eta.left, &one, -1);
    }
    double share = (1 - exp(-25.0 / 30)) / (1 - exp(-75.0 / 30));
    assert_near(eta_left(&eta, 0, 1), 25 * (1 + share), 0.01);
}
END_TEST

static void load(const struct recorded *lines, size_t count)
{
    sweep.count = count;
    for (size_t i = 0; i < count; i++) {
        const struct recorded *line = &lines[i];
        sweep.work[i] = (struct engine_work){.kind = {[WORK_RUNS] = line->runs,
                                                      [WORK_SCORES] = line->scores,
                                                      [WORK_PRODUCTS] = line->products,
                                                      [WORK_SLOPES] = line->slopes,
                                                      [WORK_DRAWS] = line->draws}};
        sweep.seconds[i] = line->seconds;
    }
}

/* On a machine that is expected to be as fast as the reference, twice as fast and half as fast. */
START_TEST(recorded_sweeps_are_told_within_a_fifth)
{
    static const double speeds[] = {0.5, 1, 2};
    for (size_t s = 0; s < 3; s++) {
        sweep.expected = speeds[s];
        load(recorded_products, sizeof recorded_products / sizeof *recorded_products);
        ck_assert_double_lt(worst(), 0.2);
        load(recorded_slopes, sizeof recorded_slopes / sizeof *recorded_slopes);
        ck_assert_double_lt(worst(), 0.2);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("eta");
    TCase *cases = tcase_create("eta");
    tcase_add_checked_fixture(cases, set_up, NULL);
    tcase_add_test(cases, what_was_expected_and_comes_true_is_told_exactly);
    tcase_add_test(cases, learning_is_done_by_one_thread_and_before_the_runs);
    tcase_add_test(cases, the_measured_pace_takes_over);
    tcase_add_test(cases, a_slow_input_tells_little_of_other_work);
    tcase_add_test(cases, nothing_to_do_and_a_late_end_leave_no_time);
    tcase_add_test(cases, equal_runs_are_told_within_a_fifth);
    tcase_add_test(cases, runs_that_grow_with_the_square_are_told_within_a_fifth);
    tcase_add_test(cases, few_very_unlike_runs_are_told_within_a_fifth);
    tcase_add_test(cases, noisy_estimates_of_another_machine_are_right_within_a_fifth);
    tcase_add_test(cases, what_was_seen_last_counts_most);
    tcase_add_test(cases, recorded_sweeps_are_told_within_a_fifth);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
