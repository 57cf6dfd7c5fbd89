/* SPDX-License-Identifier: MIT */
/* Tests src/report/worked_text.c: the tables of a worked row. */
#include "scores_example.h"

#include "report/worked.h"

static struct arena arena;

/* What the first row of a result says. */
static const char *text_of(const struct result *result)
{
    struct error err = ERROR_INIT;
    struct sections_example example;
    struct result_set set = scores_example_set(result, 1);
    sections_example_make(&example, &set, &arena);
    struct worked_row row;
    worked_row_make(result, 0, &row);
    assert_ok(worked_row_append(&example.sections, result, &row, &err), err);
    const char *text = text_finish(&example.out, &err);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* exp(2) + exp(1) + exp(0.1) = 7.38906 + 2.71828 + 1.10517 = 11.21251. */
START_TEST(a_row_is_worked_out_key_by_key)
{
    static const double scores[3] = {2, 1, 0.1};
    const struct result result = scores_example_result(1, 3, scores);
    const char *text = text_of(&result);
    expect_part(text, "| key | score | exp(score) | weight w | w(1 − w) |\n|---|--:|--:|--:|--:|\n"
                      "| 1 | 2 | 7.3891 | 0.6590 | 0.2247 |\n"
                      "| 2 | 1 | 2.7183 | 0.2424 | 0.1837 |\n"
                      "| 3 | 0.1 | 1.1052 | 0.0986 | 0.0889 |\n"
                      "| total |  | 11.2125 | 1.0000 | |\n");
    expect_part(text, "to three decimals 11.213.");
    /* 0.6590 x 0.2424 = 0.1598 */
    expect_part(text, "| 1 | 0.2247 | −0.1598 | −0.0650 |\n");
    expect_part(text, "Row-max 0.6590, trace of J 0.4972, ");
}
END_TEST

START_TEST(words_name_the_keys)
{
    static const double scores[2] = {0, 0};
    struct result result = scores_example_result(1, 2, scores);
    result.kept.words = "the c|at";
    const char *text = text_of(&result);
    expect_part(text, "| the | 0 | 1.0000 | 0.5000 | 0.2500 |\n| c\\|at | 0 |");
    expect_part(text, "| ∂w down, ∂s across | the | c\\|at |\n");
}
END_TEST

/* softmax(1002, 1000, 997) = softmax(0, -2, -5) = (.8756, .1185, .0059). */
/* exp(1) / (exp(1) + exp(0)) = 0.7311. */
START_TEST(masked_keys_have_no_weight)
{
    static const double scores[3] = {1, -(double)INFINITY, 0};
    struct result result = scores_example_result(1, 3, scores);
    const char *text = text_of(&result);
    expect_part(text, "| 1 | 1 | 2.7183 | 0.7311 | 0.1966 |\n| 2 | masked | 0 | 0 | 0 |\n");
    result.run.weights = WEIGHTS_SUM;
    expect_part(text_of(&result), "| 2 | masked | 0 | 0 |\n| 3 | 0 | 0 |");
}
END_TEST

START_TEST(keys_behind_the_query_are_counted)
{
    static const double scores[9] = {0};
    struct result result = scores_example_result(3, 3, scores);
    result.run.mask = MASK_CAUSAL;
    const char *text = text_of(&result);
    expect_part(text, "| 1 | 0 | 1.0000 | 1 | 0 |\n| total |");
    expect_part(text, "2 masked keys behind these are left out.");
    result = scores_example_result(2, 2, scores);
    result.run.mask = MASK_CAUSAL;
    expect_part(text_of(&result), "1 masked key behind these is left out.");
}
END_TEST

START_TEST(a_row_without_weights_has_its_reason)
{
    static const double masked[2] = {-(double)INFINITY, -(double)INFINITY};
    static const double undefined[2] = {(double)NAN, 0};
    struct result result = scores_example_result(1, 2, masked);
    expect_part(text_of(&result), "No key of this row is visible, so it has no weights.");
    result = scores_example_result(1, 2, undefined);
    expect_part(text_of(&result),
                "A score is no finite number of the format, so the row has no weights.");
}
END_TEST

/* f(0) = ln 2 = 0.6931 and f'(0) = 1/2, so the slope is (1/2 - 1/4) / (2 ln 2) = 0.1803;
 * f(-1) = ln(1 + 1/e) = 0.3133 and f(1) = 1.3133. */
START_TEST(softplus_shows_what_it_divides)
{
    static const double even[2] = {0, 0};
    static const double uneven[2] = {1, -1};
    struct result result = scores_example_result(1, 2, even);
    result.run.weights = WEIGHTS_SOFTPLUS;
    expect_part(text_of(&result), "| 1 | 0 | 0.6931 | 0.5000 | 0.1803 |\n");
    result.kept.scores = uneven;
    const char *text = text_of(&result);
    expect_part(text, "| 1 | 1 | 1.3133 | 0.8074 |");
    expect_part(text, "| 2 | −1 | 0.3133 | 0.1926 |");
}
END_TEST

START_TEST(an_overflow_is_named_and_what_saved_the_row)
{
    static const double scores[3] = {1002, 1000, 997};
    struct result result = scores_example_result(1, 3, scores);
    const char *text = text_of(&result);
    expect_part(text,
                "| key | score | exp(score) | exp(score − maximum) | weight w | w(1 − w) |\n");
    expect_part(text, "| 2 | 1000 | overflow | 0.1353 | 0.1185 | 0.1045 |\n");
    expect_part(text, "| total |  | overflow | 1.1421 | 1.0000 | |\n");
    expect_part(text, "the largest score is subtracted before exp");
    result.run.stabilise = false;
    text = text_of(&result);
    expect_part(text, "| 2 | 1000 | overflow | undefined | undefined |\n");
    expect_part(text, "exp overflows, and no maximum was subtracted: the row has no weights.");
    expect_no_part(text, "∂w down");
    expect_no_part(text, "Row-max");
}
END_TEST

START_TEST(alternatives_show_what_they_divide)
{
    static const double scores[2] = {3, -1};
    struct result result = scores_example_result(1, 2, scores);
    result.run.weights = WEIGHTS_SUM; /* (3, -1) / 2 */
    expect_part(text_of(&result), "| key | score | weight w | slope ∂w/∂s |\n|---|--:|--:|--:|\n"
                                  "| 1 | 3 | 1.5000 | −0.2500 |\n| 2 | −1 | −0.5000 | 0.7500 |\n"
                                  "| total | 2 | 1.0000 | |\n");
    result.run.weights = WEIGHTS_SQUARE; /* 9 / 10; derivative 2 s (1 - w) / 10 */
    expect_part(text_of(&result), "| 1 | 3 | 9.0000 | 0.9000 | 0.0600 |\n");
    result.run.weights = WEIGHTS_SOFTMAX_PLUS_ONE; /* 1 + e^3 + e^-1 = 21.4534 */
    expect_part(text_of(&result), "| total, with 1 more |  | 21.4534 | 0.9534 | |\n");
}
END_TEST

/* Sparsemax of (3, 2, 1): the threshold is 3 - 1 = 2, the score of key 2. With one key in the
 * support |J|_F is sqrt(1 - 1) = 0, with two sqrt(2 - 1) = 1. */
START_TEST(a_kink_of_sparsemax_has_both_derivatives)
{
    static const double scores[3] = {3, 2, 1};
    static const double smooth[3] = {3, 2.5, 1};
    struct result result = scores_example_result(1, 3, scores);
    result.run.weights = WEIGHTS_SPARSEMAX;
    expect_part(text_of(&result), "**On a kink**: the score of key 2 equals the threshold of "
                                  "sparsemax, where the derivative jumps. ‖J‖_F is 0 from the side "
                                  "where it has no weight and 1.0000 from where it has some; the "
                                  "tables show the first.");
    result.kept.scores = smooth;
    expect_no_part(text_of(&result), "kink");
    result.kept.scores = scores;
    result.run.weights = WEIGHTS_ENTMAX15;
    expect_no_part(text_of(&result), "kink");
}
END_TEST

START_TEST(tied_scores_of_argmax_stand_on_a_jump)
{
    static const double scores[3] = {2, 2, 1};
    struct result result = scores_example_result(1, 3, scores);
    result.run.weights = WEIGHTS_ARGMAX;
    expect_part(text_of(&result), "**On a jump**: keys 1 and 2 share the largest score");
    static const double apart[3] = {2, 1, 1};
    result.kept.scores = apart;
    expect_no_part(text_of(&result), "jump");
}
END_TEST

START_TEST(a_division_by_zero_has_its_reason)
{
    static const double scores[2] = {1, -1};
    struct result result = scores_example_result(1, 2, scores);
    result.run.weights = WEIGHTS_SUM;
    expect_part(text_of(&result), "The row would be divided by 0, so it has no weights.");
}
END_TEST

START_TEST(long_rows_have_no_jacobian)
{
    static const double scores[WORKED_JACOBIAN + 1] = {0};
    const struct result result = scores_example_result(1, WORKED_JACOBIAN + 1, scores);
    const char *text = text_of(&result);
    expect_part(text, "| 9 | 0 | 1.0000 | 0.1111 | 0.0988 |\n");
    expect_no_part(text, "∂w down");
    expect_part(text, "Row-max 0.1111");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("worked text");
    TCase *cases = tcase_create("tables");
    tcase_add_test(cases, a_row_is_worked_out_key_by_key);
    tcase_add_test(cases, words_name_the_keys);
    tcase_add_test(cases, masked_keys_have_no_weight);
    tcase_add_test(cases, keys_behind_the_query_are_counted);
    tcase_add_test(cases, a_row_without_weights_has_its_reason);
    tcase_add_test(cases, softplus_shows_what_it_divides);
    tcase_add_test(cases, an_overflow_is_named_and_what_saved_the_row);
    tcase_add_test(cases, alternatives_show_what_they_divide);
    tcase_add_test(cases, a_kink_of_sparsemax_has_both_derivatives);
    tcase_add_test(cases, tied_scores_of_argmax_stand_on_a_jump);
    tcase_add_test(cases, a_division_by_zero_has_its_reason);
    tcase_add_test(cases, long_rows_have_no_jacobian);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
