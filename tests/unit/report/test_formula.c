/* SPDX-License-Identifier: MIT */
/* Tests src/report/formula.c: the formula that a sweep uses, and its guards. */
#include "sections_example.h"

#include "report/definitions.h"

static struct arena arena;
static struct sections_example example;

static const char *formula_of(const struct result_set *set)
{
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    formula_append(&example.sections);
    formula_append_guards(&example.sections);
    return text_finish(&example.out, &err);
}

START_TEST(a_plain_head_has_the_plain_formula)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 8;
    const char *text = formula_of(&set);
    expect_part(text, "S = c · (X W_Q)(X W_K)ᵀ, and turns each row of S into weights by softmax, "
                      "pᵢⱼ = exp(sᵢⱼ) / Σₖ exp(sᵢₖ).");
    expect_no_part(text, "Where this sweep says so");
    expect_part(text, "| scale | c = 1 | c = 1/√d_k |");
    expect_part(text, "Where r grows with the corpus");
}
END_TEST

START_TEST(given_scores_have_no_head_and_no_guards)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.score_factor = (double)i + 1;
    }
    const char *text = formula_of(&set);
    expect_part(text, "Rows of scores are given as they are. The score factor multiplies them. ");
    expect_no_part(text, "W_Q");
    expect_no_part(text, "guard");
    expect_no_part(text, "corpus");
}
END_TEST

START_TEST(options_are_explained_where_they_are_used)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.score_scale = SCORE_SCALE_LOG_N;
    }
    rows[1].run.softcap = 50;
    rows[1].run.mask = MASK_CAUSAL;
    const char *text = formula_of(&set);
    expect_part(text, "the n of ln n is the number of keys that a row sees; a soft cap C above 0 "
                      "turns a score s into C · tanh(s / C)");
    expect_part(text, "under the causal mask token i sees itself and the tokens before it.\n\n");
    expect_no_part(text, "`qk_norm`");
    expect_part(text, "| scale | c = 1 | c = (ln n)/√d_k |");
    expect_no_part(text, "grows with the corpus");
    rows[1].run.qk_norm = QK_NORM_L2;
    text = formula_of(&set);
    expect_part(text, "`qk_norm` normalises every query and key");
    expect_no_part(text, "standard deviation of about");
}
END_TEST

START_TEST(each_way_to_make_weights_has_its_formula)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.weights = WEIGHTS_SOFTMAX_PLUS_ONE;
    const char *text = formula_of(&set);
    expect_part(text, "| softmax | pⱼ = exp(sⱼ) / Σₖ exp(sₖ) |");
    expect_part(text, "| softmax\\_plus\\_one | pⱼ = exp(sⱼ) / (1 + Σₖ exp(sₖ));");
    expect_no_part(text, "argmax");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formula");
    TCase *cases = tcase_create("formula");
    tcase_add_test(cases, a_plain_head_has_the_plain_formula);
    tcase_add_test(cases, given_scores_have_no_head_and_no_guards);
    tcase_add_test(cases, options_are_explained_where_they_are_used);
    tcase_add_test(cases, each_way_to_make_weights_has_its_formula);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
