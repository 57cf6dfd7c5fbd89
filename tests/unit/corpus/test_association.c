/* SPDX-License-Identifier: MIT */
/* Logarithms of counts and pointwise mutual information that can be written down. */
#include "counts_fixture.h"

#include <string.h>

static struct cooccurrence count(const char *text)
{
    return count_by(text, (struct embedding_options){.window = 1, .min_count = 1});
}

static struct cooccurrence ppmi(const char *text, double smoothing, double shift)
{
    struct cooccurrence counts = count(text);
    struct embedding_options options = {.context_smoothing = smoothing, .shift = shift};
    struct cooccurrence out;
    assert_ok(association_ppmi(&counts, &options, &arena, &out, &err), err);
    return out;
}

static void check(const struct cooccurrence *matrix, size_t order, const double *wanted)
{
    check_counts(matrix, order, wanted, 1e-14);
}

/* Counts: ab 2, ac 1, bc 1, cc 2; sums 3, 3, 4; total 10. */
static const char four[] = "a b. a b. a c. b c. c c.";
/* Counts: ab 2, ac 1; sums 3, 2, 1; total 6. */
static const char three[] = "a b. a b. a c.";

START_TEST(counts_become_the_logarithm_of_one_more)
{
    struct cooccurrence counts = count(four);
    struct cooccurrence logs;
    assert_ok(association_log_count(&counts, &arena, &logs, &err), err);
    const double l2 = log(2);
    const double l3 = log(3);
    const double wanted[] = {0, l3, l2, /**/ l3, 0, l2, /**/ l2, l2, l3};
    check(&logs, 3, wanted);
}
END_TEST

START_TEST(information_without_smoothing_is_that_computed_by_hand)
{
    /* ab: 2 * 10 / (3 * 3), cc: 2 * 10 / (4 * 4); ac and bc: 10 / 12 < 1. */
    struct cooccurrence matrix = ppmi(four, 1, 1);
    const double ab = log(20.0 / 9);
    const double wanted[] = {0, ab, 0, /**/ ab, 0, 0, /**/ 0, 0, log(1.25)};
    check(&matrix, 3, wanted);
}
END_TEST

START_TEST(smoothing_at_zero_takes_every_context_as_likely)
{
    /* Z = 3: ab 2 * 3 / 3, ba 2 * 3 / 2, ac 1 * 3 / 3 (nothing), ca 1 * 3 / 1. */
    struct cooccurrence matrix = ppmi(three, 0, 1);
    const double wanted[] = {0, log(2), 0, /**/ log(3), 0, 0, /**/ log(3), 0, 0};
    check(&matrix, 3, wanted);
}
END_TEST

START_TEST(smoothing_raises_the_counts_of_contexts_and_not_of_words)
{
    /* s = 3/4, Z = 3^s + 2^s + 1 = 4.9612998874622067: ab ln(2 Z / (3 2^s)), ba ln(2 Z / (2 3^s)),
     * ac ln(Z / 3), ca ln(Z / 3^s), in 40 digits. */
    struct cooccurrence matrix = ppmi(three, 0.75, 1);
    const double ca = 0.77770856398546194;
    const double wanted[] = {0,
                             0.67634228695842085,
                             0.50305549181843452,
                             /**/ ca,
                             0,
                             0, /**/
                             ca,
                             0,
                             0};
    check(&matrix, 3, wanted);
}
END_TEST

START_TEST(the_shift_takes_its_logarithm_away)
{
    /* Less ln 1.5: what was ln 1.25 is gone. */
    struct cooccurrence matrix = ppmi(four, 1, 1.5);
    const double ab = log(20.0 / 13.5);
    const double wanted[] = {0, ab, 0, /**/ ab, 0, 0, /**/ 0, 0, 0};
    check(&matrix, 3, wanted);
    const double none[9] = {0};
    matrix = ppmi(four, 1, 3);
    check(&matrix, 3, none);
}
END_TEST

START_TEST(a_word_without_neighbours_is_no_context)
{
    /* Z = 2, not 3: ab 1 * 2 / 1. */
    struct cooccurrence matrix = ppmi("a b. c.", 0, 1);
    const double wanted[] = {0, log(2), 0, /**/ log(2), 0, 0, /**/ 0, 0, 0};
    check(&matrix, 3, wanted);
    matrix = ppmi("a. b.", 0.75, 1);
    ck_assert_uint_eq(matrix.row_start[2], 0);
}
END_TEST

static double entry(const struct cooccurrence *matrix, size_t row, size_t column)
{
    for (size_t e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++) {
        if (matrix->column[e] == column) {
            return matrix->count[e];
        }
    }
    return 0;
}

START_TEST(repetition_leaves_information_as_it_is)
{
    const char text[] = "the cat chased the mouse across the garden. the mouse ran under the gate. "
                        "a dog slept beside the door of the garden. the cat heard the dog. ";
    const double smoothings[] = {0, 0.3, 0.75, 1};
    char many[7 * sizeof text] = "";
    for (size_t i = 0; i < 7; i++) {
        strcat(many, text);
    }
    for (size_t s = 0; s < 4; s++) {
        struct cooccurrence once = ppmi(text, smoothings[s], 1.2);
        struct cooccurrence often = ppmi(many, smoothings[s], 1.2);
        ck_assert_uint_eq(once.order, often.order);
        ck_assert_uint_ge(once.row_start[once.order], 10);
        for (size_t i = 0; i < once.order * once.order; i++) {
            size_t row = i / once.order;
            size_t column = i % once.order;
            assert_within(entry(&often, row, column), entry(&once, row, column), 1e-14);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("association");
    TCase *tests = tcase_create("association");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, counts_become_the_logarithm_of_one_more);
    tcase_add_test(tests, information_without_smoothing_is_that_computed_by_hand);
    tcase_add_test(tests, smoothing_at_zero_takes_every_context_as_likely);
    tcase_add_test(tests, smoothing_raises_the_counts_of_contexts_and_not_of_words);
    tcase_add_test(tests, the_shift_takes_its_logarithm_away);
    tcase_add_test(tests, a_word_without_neighbours_is_no_context);
    tcase_add_test(tests, repetition_leaves_information_as_it_is);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
