/* SPDX-License-Identifier: MIT */
/* attention/softmax_stream: a row taken piece by piece against the same row taken whole by
 * softmax.h and statistics.h, in every order of its scores. */
#include "attention/softmax_stream.h"
#include "base/random.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define LONGEST ((size_t)5000)
#define PIECES ((LONGEST + STREAM_PIECE - 1) / STREAM_PIECE)

static double scores[LONGEST];
static double products[LONGEST];
static double weights[LONGEST];
static double streamed[LONGEST];
static struct softmax_mark marks[PIECES];

static const size_t lengths[] = {1, 2, 7, 1023, 1024, 1025, 2048, 3001, 5000};
#define LENGTHS ((int)(sizeof lengths / sizeof lengths[0]))
static const double spreads[] = {1e-3, 1, 5, 40, 3000};
#define SPREADS ((int)(sizeof spreads / sizeof spreads[0]))

/* Takes n scores, halved so that the factor has something to do; false where one piece is refused.
 */
static bool stream(size_t n, struct softmax_stream *row)
{
    *row = softmax_stream_start();
    bool good = true;
    for (size_t start = 0; good && start < n; start += STREAM_PIECE) {
        size_t count = n - start < STREAM_PIECE ? n - start : STREAM_PIECE;
        for (size_t j = start; j < start + count; j++) {
            products[j] = scores[j] / 2;
        }
        good = softmax_stream_add(row, count, 2, products + start, streamed + start,
                                  &marks[start / STREAM_PIECE]);
    }
    if (good) {
        softmax_stream_weights(row, n, marks, streamed);
    }
    return good;
}

/* A gap of up to 1e4 scores has lost some 1e-12 of its digits, which exponentials of it lose. */
static void assert_as_whole(size_t n, double spread)
{
    struct softmax_stream row;
    double bound = 1e-13 * fmax(1, spread);
    ck_assert(stream(n, &row));
    struct moments moments = moments_of(n, scores);
    struct row_measures whole = softmax_row(n, scores, weights);
    struct row_measures m = softmax_stream_measures(&row);
    ck_assert(row.scores.count == (double)n);
    assert_within(row.scores.mean, moments.mean, 1e-14 * (fabs(moments.mean) + spread));
    assert_near(moments_std(row.scores), moments_std(moments), 1e-13);
    ck_assert_uint_eq(m.arg_max, whole.arg_max);
    ck_assert(row.largest == scores[whole.arg_max]);
    assert_near(m.row_max, whole.row_max, bound);
    assert_near(m.others, whole.others, bound);
    assert_near(m.log_one_minus_row_max, whole.log_one_minus_row_max, bound);
    assert_near(m.entropy, whole.entropy, bound);
    assert_near(m.jacobian_norm, whole.jacobian_norm, bound);
    assert_near(m.jacobian_trace, whole.jacobian_trace, bound);
    size_t wrong = 0;
    for (size_t j = 0; j < n; j++) {
        wrong += !support_near(streamed[j], weights[j], bound, DBL_MIN);
    }
    ck_assert_uint_eq(wrong, 0);
}

static void fill(size_t n, double spread)
{
    random_normals(31, RANDOM_TEST, 0, 0, n, scores);
    for (size_t j = 0; j < n; j++) {
        scores[j] *= spread;
    }
}

static int descending(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x < *y) - (*x > *y);
}

static void reverse(size_t n)
{
    for (size_t j = 0; j < n / 2; j++) {
        double kept = scores[j];
        scores[j] = scores[n - 1 - j];
        scores[n - 1 - j] = kept;
    }
}

START_TEST(pieces_are_as_good_as_the_whole_row)
{
    for (int i = 0; i < SPREADS; i++) {
        fill(lengths[_i], spreads[i]);
        assert_as_whole(lengths[_i], spreads[i]);
    }
}
END_TEST

START_TEST(so_they_are_where_each_piece_has_a_new_largest_or_none_has)
{
    size_t n = lengths[_i];
    for (int i = 0; i < SPREADS; i++) {
        fill(n, spreads[i]);
        qsort(scores, n, sizeof *scores, descending);
        assert_as_whole(n, spreads[i]);
        reverse(n);
        assert_as_whole(n, spreads[i]);
    }
}
END_TEST

START_TEST(equal_scores_share_the_row_and_have_no_spread)
{
    size_t n = lengths[_i];
    for (size_t j = 0; j < n; j++) {
        scores[j] = -7.3;
    }
    struct softmax_stream row;
    ck_assert(stream(n, &row));
    struct row_measures m = softmax_stream_measures(&row);
    ck_assert(m.arg_max == 0 && row.least == -7.3 && moments_std(row.scores) == 0);
    assert_near(m.row_max, 1 / (double)n, 1e-15);
    assert_near(streamed[n - 1], 1 / (double)n, 1e-15);
}
END_TEST

/* A gap of 800 and of 1e4: exp(-gap) is 0, its logarithm known. */
START_TEST(a_gap_beyond_all_exponentials_keeps_its_logarithm)
{
    static const double gaps[] = {800, 1e4};
    for (size_t side = 0; side < 4; side++) {
        size_t n = 3000;
        memset(scores, 0, sizeof scores);
        scores[side < 2 ? 5 : 2900] = gaps[side % 2];
        struct softmax_stream row;
        ck_assert(stream(n, &row));
        struct row_measures m = softmax_stream_measures(&row);
        ck_assert(m.row_max == 1);
        assert_near(m.log_one_minus_row_max, log((double)(n - 1)) - gaps[side % 2], 1e-13);
        ck_assert(streamed[n - 1] == 0);
    }
}
END_TEST

START_TEST(what_is_not_finite_is_refused)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e200};
    struct softmax_stream row;
    fill(3000, 1);
    ck_assert(stream(3000, &row));
    for (size_t i = 0; i < 4; i++) {
        fill(3000, 1);
        scores[2050] = bad[i];
        ck_assert(!stream(3000, &row));
    }
}
END_TEST

START_TEST(in_place_is_the_same)
{
    static double other[LONGEST];
    struct softmax_stream row;
    fill(1024, 2);
    ck_assert(stream(1024, &row));
    row = softmax_stream_start();
    memcpy(other, scores, 1024 * sizeof *other);
    ck_assert(softmax_stream_add(&row, 1024, 1, other, other, marks));
    softmax_stream_weights(&row, 1024, marks, other);
    ck_assert_mem_eq(other, streamed, 1024 * sizeof *other);
}
END_TEST

static Suite *stream_suite(void)
{
    Suite *suite = suite_create("softmax_stream");
    TCase *cases = tcase_create("stream");
    tcase_add_loop_test(cases, pieces_are_as_good_as_the_whole_row, 0, LENGTHS);
    tcase_add_loop_test(cases, so_they_are_where_each_piece_has_a_new_largest_or_none_has, 0,
                        LENGTHS);
    tcase_add_loop_test(cases, equal_scores_share_the_row_and_have_no_spread, 0, LENGTHS);
    tcase_add_test(cases, a_gap_beyond_all_exponentials_keeps_its_logarithm);
    tcase_add_test(cases, what_is_not_finite_is_refused);
    tcase_add_test(cases, in_place_is_the_same);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run_levels(stream_suite);
}
