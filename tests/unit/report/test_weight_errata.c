/* SPDX-License-Identifier: MIT */
/* Tests src/report/weight_errata.c: a printed table against what was found. The wrong cells are
 * proven by hand: (0, -1) / -1 = (0, 1) reverses the order; at 0 the sum and the square are 0/0 and
 * have no limit; argmax gives 0 to both of two scores below the largest. */
#include "scores_example.h"

#include "report/weight_properties.h"

static struct arena arena;

static struct weight_properties found(int weights)
{
    struct error err = ERROR_INIT;
    static const double scores[2] = {1, 0};
    struct result row = scores_example_result(1, 2, scores);
    row.run.weights = weights;
    struct result_set set = scores_example_set(&row, 1);
    struct summary summary;
    struct weight_properties properties;
    assert_ok(summary_make(&set, &arena, &summary, &err), err);
    ck_assert(weight_properties_find(&summary, &properties));
    return properties;
}

static const char *text_of(const struct weight_properties *properties)
{
    struct error err = ERROR_INIT;
    struct text out = TEXT_INIT(&arena);
    text_append(&out, "");
    weight_errata_append(&out, properties);
    const char *text = text_finish(&out, &err);
    ck_assert_ptr_nonnull(text);
    return text;
}

START_TEST(four_cells_are_refuted_and_two_lack_a_condition)
{
    struct weight_properties properties = found(WEIGHTS_SUM);
    const char *text = text_of(&properties);
    expect_part(text, "The search refutes 4 of its 16 cells:\n\n"
                      "- dividing by the sum, differentiable everywhere: printed yes, but (0) is "
                      "divided by 0, and so has no derivative.\n"
                      "- dividing by the sum, order kept: printed yes, but (0, −1) gives (0, 1).\n"
                      "- hard argmax, order kept: printed yes, but (0, 1, −1) gives (0, 1, 0).\n"
                      "- the square, differentiable everywhere: printed yes, but (0) is divided by "
                      "0, and so has no derivative.\n\n");
    expect_part(text, "- dividing by the sum, sums to one: printed yes, but (0) is divided by 0, "
                      "and so has no weights.\n- the square, sums to one: printed yes");
    expect_part(text, "dividing by the sum fails 3, hard argmax fails 2, the square fails 2.");
}
END_TEST

/* exp(-746) is 0 in double precision; softplus(1) / (softplus(0) + softplus(1)) = 1.31326 /
 * 2.00641 = 0.6545. */
START_TEST(rounding_and_softplus_are_told)
{
    struct weight_properties properties = found(WEIGHTS_ARGMAX);
    const char *text = text_of(&properties);
    expect_part(text, "(0, −746, −800) gives exactly (1, 0, 0) in double precision.");
    expect_part(text, "softplus over its sum has them all.");
    expect_part(text,
                "(0, 1) gives (0.345, 0.655), and with 1 added to every score (0.382, 0.618)");
}
END_TEST

START_TEST(other_rivals_bring_no_table)
{
    struct weight_properties properties = found(WEIGHTS_ENTMAX15);
    ck_assert_str_eq(text_of(&properties), "");
}
END_TEST

START_TEST(a_cell_that_the_search_agrees_with_is_not_listed)
{
    struct weight_properties properties = found(WEIGHTS_SUM);
    properties.findings[WEIGHTS_ARGMAX][PROPERTY_STRICT_ORDER].holds = true;
    const char *text = text_of(&properties);
    expect_part(text, "The search refutes 3 of its 16 cells");
    expect_no_part(text, "hard argmax, order kept");
    expect_part(text, "hard argmax fails 1");
}
END_TEST

START_TEST(a_sum_of_weights_that_are_there_is_refuted_outright)
{
    struct weight_properties properties = found(WEIGHTS_SUM);
    properties.findings[WEIGHTS_SQUARE][PROPERTY_SUMS_TO_ONE].defined = true;
    const char *text = text_of(&properties);
    expect_part(text, "The search refutes 5 of its 16 cells");
    expect_part(text, "the square fails 3.");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("weight errata");
    TCase *cases = tcase_create("table");
    tcase_add_test(cases, four_cells_are_refuted_and_two_lack_a_condition);
    tcase_add_test(cases, rounding_and_softplus_are_told);
    tcase_add_test(cases, other_rivals_bring_no_table);
    tcase_add_test(cases, a_cell_that_the_search_agrees_with_is_not_listed);
    tcase_add_test(cases, a_sum_of_weights_that_are_there_is_refuted_outright);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
