/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_by_rows: the spread of an input that is looked at part by part. */
#include "base/crew.h"
#include "base/random.h"
#include "head_fixture.h"

#include <string.h>

#define TOKENS 600
#define MODEL 5

static double x[TOKENS * MODEL];

/* Normal entries about `mean`. */
static void fill_input(double mean)
{
    random_normal_matrix(31, RANDOM_TEST, TOKENS, MODEL, x);
    for (size_t i = 0; i < TOKENS * MODEL; i++) {
        x[i] += mean;
    }
}

/* By what entries differ from the first, which long numbers hold exactly. */
static long double spread_by_hand(size_t count)
{
    long double mean = 0;
    long double squares = 0;
    for (size_t i = 0; i < count; i++) {
        mean += ((long double)x[i] - (long double)x[0]) / (long double)count;
    }
    for (size_t i = 0; i < count; i++) {
        long double difference = (long double)x[i] - (long double)x[0] - mean;
        squares += difference * difference;
    }
    return sqrtl(squares / (long double)count);
}

static struct measurement measure(size_t tokens, const struct crew *crew)
{
    struct fixture fixture;
    struct head_input input = {.shape = {tokens, MODEL, 2}, .x = x, .input_id = 1};
    struct run run = fixture_run(7, 1);
    struct crew own;
    if (crew != NULL) {
        own = *crew;
        input.crew = &own;
    }
    fixture_open(&fixture);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    return m;
}

START_TEST(the_spread_of_any_number_of_rows_is_that_of_all_entries)
{
    static const size_t tokens[] = {1, 255, 256, 257, 512, 513, TOKENS};
    static const double means[] = {0, 1e3, -1e6, 1e12, 1e15};
    for (size_t m = 0; m < 5; m++) {
        fill_input(means[m]);
        for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
            double wanted = (double)spread_by_hand(tokens[i] * MODEL);
            assert_near(measure(tokens[i], NULL).raw_input_std, wanted, 1e-14);
        }
    }
}
END_TEST

START_TEST(parts_of_different_means_add_their_distance)
{
    /* 256 rows of 0 and 256 of 2: a spread of 1, and none within a part. */
    memset(x, 0, sizeof x);
    for (size_t i = 256 * MODEL; i < 512 * MODEL; i++) {
        x[i] = 2;
    }
    ck_assert(measure(256, NULL).raw_input_std == 0);
    ck_assert(measure(512, NULL).raw_input_std == 1);
}
END_TEST

START_TEST(equal_entries_of_any_size_have_no_spread)
{
    static const double values[] = {0.1, -1e300, 1e-310, 1e17};
    for (size_t v = 0; v < 4; v++) {
        for (size_t i = 0; i < TOKENS * MODEL; i++) {
            x[i] = values[v];
        }
        ck_assert(measure(TOKENS, NULL).raw_input_std == 0);
    }
}
END_TEST

START_TEST(spreads_whose_squares_leave_the_range_are_told)
{
    /* Half of the entries 0, half 2 s: a spread of s. */
    static const double sizes[] = {1e-200, 1e-305, 1e200, 1e300};
    for (size_t s = 0; s < 4; s++) {
        for (size_t i = 0; i < TOKENS * MODEL; i++) {
            x[i] = i < TOKENS * MODEL / 2 ? 0 : 2 * sizes[s];
        }
        assert_near(measure(TOKENS, NULL).raw_input_std, sizes[s], 1e-14);
    }
}
END_TEST

START_TEST(one_entry_that_is_not_finite_leaves_no_number)
{
    fill_input(0);
    x[300 * MODEL + 1] = (double)NAN;
    ck_assert(isnan(measure(TOKENS, NULL).raw_input_std));
    ck_assert(!isnan(measure(300, NULL).raw_input_std));
}
END_TEST

/* The last part first. */
static void backwards(struct crew *crew, size_t count, crew_part *part, void *task)
{
    for (size_t i = count; i-- > 0;) {
        part(task, i, i % crew->hands);
    }
}

START_TEST(no_bit_depends_on_who_looks_at_which_part)
{
    const struct crew crew = {1, backwards};
    fill_input(0.1);
    struct measurement alone = measure(TOKENS, NULL);
    struct measurement together = measure(TOKENS, &crew);
    ck_assert(alone.raw_input_std == together.raw_input_std);
    ck_assert(alone.input_std == together.input_std);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("head_by_rows");
    TCase *tests = tcase_create("head_by_rows");
    /* Wanted is a sum in long doubles. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, the_spread_of_any_number_of_rows_is_that_of_all_entries);
    tcase_add_test(tests, parts_of_different_means_add_their_distance);
    tcase_add_test(tests, equal_entries_of_any_size_have_no_spread);
    tcase_add_test(tests, spreads_whose_squares_leave_the_range_are_told);
    tcase_add_test(tests, one_entry_that_is_not_finite_leaves_no_number);
    tcase_add_test(tests, no_bit_depends_on_who_looks_at_which_part);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, native);
    return support_run(suite);
}
