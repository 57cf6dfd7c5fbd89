/* SPDX-License-Identifier: MIT */
/* attention/head_rows: a head that is told that its time is over measures no further row, and the
 * next run is as good as any. */
#include "base/random.h"
#include "head_fixture.h"

#define TOKENS 200
#define MODEL 16

static double x[TOKENS * MODEL];
static double weights[TOKENS * TOKENS];

/* Expires at the question of number `limit`, counted from 1. */
struct clock_stub {
    size_t asked, limit;
};

static bool is_over(const void *context)
{
    struct clock_stub *stub = (struct clock_stub *)(uintptr_t)context;
    return ++stub->asked >= stub->limit;
}

static struct measurement measure(struct fixture *fixture, struct clock_stub *stub)
{
    const struct run run = fixture_run(7, 1);
    const struct head_input input = {.shape = {TOKENS, MODEL, MODEL},
                                     .x = x,
                                     .input_id = 1,
                                     .expired = stub == NULL ? NULL : is_over,
                                     .context = stub};
    return fixture_measure(fixture, &input, &run, NULL, weights);
}

START_TEST(rows_end_where_the_time_does_and_nothing_of_it_stays)
{
    /* Before the first row, within the first block of 64, at its end, in the last row, never. */
    static const size_t limits[] = {1, 7, 64, 65, TOKENS, TOKENS + 1};
    struct clock_stub stub = {0, limits[_i]};
    struct fixture fixture;
    fixture_open(&fixture);
    random_normal_matrix(41, RANDOM_TEST, TOKENS, MODEL, x);
    struct measurement wanted = measure(&fixture, NULL);
    for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
        weights[i] = -1;
    }
    measure(&fixture, &stub);
    size_t done = stub.limit > TOKENS ? TOKENS : stub.limit - 1;
    ck_assert_uint_eq(stub.asked, stub.limit > TOKENS ? TOKENS : stub.limit);
    for (size_t i = 0; i < TOKENS; i++) {
        ck_assert((weights[i * TOKENS] >= 0) == (i < done));
    }
    struct measurement again = measure(&fixture, NULL);
    ck_assert(again.row_max_mean == wanted.row_max_mean);
    ck_assert(again.gradient_wq == wanted.gradient_wq);
    fixture_close(&fixture);
}
END_TEST

static Suite *expiry_suite(void)
{
    Suite *suite = suite_create("attention/head_expiry");
    TCase *cases = tcase_create("expiry");
    tcase_add_loop_test(cases, rows_end_where_the_time_does_and_nothing_of_it_stays, 0, 6);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(expiry_suite());
}
