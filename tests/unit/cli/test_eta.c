/* SPDX-License-Identifier: MIT */
/* Tests src/cli/eta.c on simulated sweeps: threads that take runs off a list, with costs, a speed
 * and an expectation that are known. What the last tenth to nine tenths of the time were told is
 * compared with what was left. */
#include "cli/eta.h"
#include "support.h"

enum { RUNS = 1600, MOST_THREADS = 8 };

struct sweep {
    double cost[RUNS];    /* as estimated */
    double seconds[RUNS]; /* as it is */
    size_t threads;
    double expected;
};

/* Repeatable, uniform between 0 and 1. */
static double draw(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / 16777216.0;
}

/* Plays the sweep and returns how far the time left was off at its worst, relative to what was
 * left, between the first tenth and the last tenth of the time. */
static double worst(const struct sweep *sweep)
{
    double ends[MOST_THREADS] = {0}; /* when each thread is free */
    double at[RUNS], left[RUNS];
    double end = 0, busy = 0;
    struct eta eta = {.expected = sweep->expected};
    for (size_t i = 0; i < RUNS; i++) {
        eta.total += sweep->cost[i];
    }
    /* the runs by the time they end; `handed` is when a thread last handed over */
    double finish[RUNS], began[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        size_t next = 0;
        for (size_t t = 1; t < sweep->threads; t++) {
            next = ends[t] < ends[next] ? t : next;
        }
        began[i] = ends[next];
        finish[i] = ends[next] += sweep->seconds[i];
        end = fmax(end, finish[i]);
    }
    bool handed[RUNS] = {false};
    for (size_t step = 0; step < RUNS; step++) {
        size_t first = RUNS;
        for (size_t i = 0; i < RUNS; i++) {
            first = !handed[i] && (first == RUNS || finish[i] < finish[first]) ? i : first;
        }
        handed[first] = true;
        eta.done += sweep->cost[first];
        busy += finish[first] - began[first];
        at[step] = finish[first];
        left[step] = eta_left(&eta, busy, finish[first], sweep->threads);
    }
    double off = 0;
    for (size_t step = 0; step < RUNS; step++) {
        if (at[step] >= 0.1 * end && at[step] <= 0.9 * end) {
            off = fmax(off, fabs(left[step] / (end - at[step]) - 1));
        }
    }
    return off;
}

START_TEST(what_was_expected_and_comes_true_is_told_exactly)
{
    struct eta eta = {.total = 10, .done = 1, .expected = 2};
    assert_near(eta_left(&eta, 2, 2, 1), 18, 1e-15);
    /* two threads: 20 seconds of work take 10; one unit is handed over and one is half done */
    assert_near(eta_left(&eta, 2, 1.5, 2), 8.5, 1e-15);
    eta.after = 3; /* saving what was done */
    assert_near(eta_left(&eta, 2, 1.5, 2), 11.5, 1e-15);
    eta.after = 0;
    eta.done = 10;
    ck_assert(eta_left(&eta, 20, 20, 1) <= 1e-12);
}
END_TEST

START_TEST(before_the_first_run_the_expectation_holds)
{
    struct eta eta = {.total = 10, .expected = 3};
    assert_near(eta_left(&eta, 0, 0, 1), 30, 1e-15);
    assert_near(eta_left(&eta, 0, 0, 3), 10, 1e-15);
}
END_TEST

/* a pace three times the expected: (1 * 6 + 0.1 * 2) / (1 + 0.1) = 62/11 seconds a unit, and nine
 * units are left */
START_TEST(the_measured_pace_takes_over)
{
    struct eta eta = {.total = 10, .done = 1, .expected = 2};
    assert_near(eta_left(&eta, 6, 6, 1), 558.0 / 11, 1e-14);
}
END_TEST

START_TEST(nothing_to_do_and_a_late_end_leave_no_time)
{
    struct eta nothing = {.total = 0};
    ck_assert(eta_left(&nothing, 0, 5, 1) <= 0);
    struct eta eta = {.total = 1, .done = 1, .expected = 1};
    ck_assert(eta_left(&eta, 1, 7, 1) <= 0);
    ck_assert(eta_left(&eta, 1, 1, 0) <= 0);
}
END_TEST

/* Runs that grow a hundredfold, the cheap ones first: told by their number, the time left would be
 * off by far more than half after the first tenth. */
START_TEST(growing_runs_are_told_by_their_cost)
{
    struct sweep sweep = {.threads = 1, .expected = 0.01};
    for (size_t i = 0; i < RUNS; i++) {
        sweep.cost[i] = 1 + 99.0 * (double)i / RUNS;
        sweep.seconds[i] = 0.01 * sweep.cost[i];
    }
    ck_assert_double_lt(worst(&sweep), 1e-9);
    sweep.threads = 4;
    ck_assert_double_lt(worst(&sweep), 0.1); /* at the end threads wait for the dearest */
}
END_TEST

/* The machine is half as fast as expected, and each estimate is off by up to 40 % by itself. */
START_TEST(noisy_estimates_of_another_machine_are_right_within_a_fifth)
{
    unsigned state = 7;
    for (size_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
        struct sweep sweep = {.threads = threads, .expected = 0.5};
        for (size_t i = 0; i < RUNS; i++) {
            sweep.cost[i] = pow(10, draw(&state));
            sweep.seconds[i] = sweep.cost[i] * (0.6 + 0.8 * draw(&state));
        }
        ck_assert_double_lt(worst(&sweep), 0.2);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("eta");
    TCase *cases = tcase_create("eta");
    tcase_add_test(cases, what_was_expected_and_comes_true_is_told_exactly);
    tcase_add_test(cases, before_the_first_run_the_expectation_holds);
    tcase_add_test(cases, the_measured_pace_takes_over);
    tcase_add_test(cases, nothing_to_do_and_a_late_end_leave_no_time);
    tcase_add_test(cases, growing_runs_are_told_by_their_cost);
    tcase_add_test(cases, noisy_estimates_of_another_machine_are_right_within_a_fifth);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
