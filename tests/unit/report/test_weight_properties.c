/* SPDX-License-Identifier: MIT */
/* Tests src/report/weight_properties.c: the table of properties and its counter-examples. */
#include "scores_example.h"

#include "report/weight_properties.h"

static struct arena arena;
static struct sections_example example;
static const double scores[2] = {1, 0};

/* The part for a sweep over these alternatives. */
static const char *text_of(const enum run_weights *weights, size_t count)
{
    static struct result rows[WEIGHTS_COUNT];
    for (size_t i = 0; i < count; i++) {
        rows[i] = scores_example_result(1, 2, scores);
        rows[i].index = (int64_t)i;
        rows[i].run.weights = (int)weights[i];
    }
    struct result_set set = scores_example_set(rows, count);
    return sections_example_text(&example, &set, &arena, properties_append);
}

START_TEST(softmax_alone_has_no_part)
{
    static const enum run_weights weights[] = {WEIGHTS_SOFTMAX};
    ck_assert_str_eq(text_of(weights, 1), "");
}
END_TEST

/* (0, -1) / -1 is (0, 1); the square of it, too. Rows are those of docs/method.md's proofs:
 * softmax has all but the factor, the square nothing but its sign and the factor. */
START_TEST(the_table_has_the_alternatives_of_the_sweep)
{
    static const enum run_weights weights[] = {WEIGHTS_SOFTMAX, WEIGHTS_SQUARE};
    const char *text = text_of(weights, 2);
    expect_part(text, "## What each way to make weights keeps\n");
    expect_part(text, "| `softmax` | yes | yes | yes | yes | yes | yes | **no** |\n"
                      "| `square` | yes | **no** | **no** | **no** | **no** | **no** | yes |\n\n");
    expect_no_part(text, "| `sum` |");
    expect_part(text, "- `square`, order kept: (0, −1) gives (0, 1).\n");
    expect_part(text, "- `square`, differentiable: (0) is divided by 0, and so has no "
                      "derivative.\n");
    /* (1, 2)² / 5 */
    expect_part(text, "- `square`, unmoved by a shift: (0, 1) gives (0, 1), and with 1 added to "
                      "every score (0.2, 0.8).\n");
    /* 1 / (1 + e) = 0.26894, 1 / (1 + e²) = 0.11920 */
    expect_part(text, "- `softmax`, unmoved by a factor: (0, 1) gives (0.269, 0.731), and 2 times "
                      "these scores (0.119, 0.881).\n");
}
END_TEST

START_TEST(one_alternative_that_is_not_softmax_has_a_part)
{
    static const enum run_weights weights[] = {WEIGHTS_SPARSEMAX};
    const char *text = text_of(weights, 1);
    expect_part(text, "| `sparsemax` | yes | yes | **no** | yes | **no** | yes | **no** |\n");
    expect_no_part(text, "often printed");
}
END_TEST

START_TEST(more_than_four_alternatives_show_all)
{
    static const enum run_weights weights[] = {WEIGHTS_SOFTMAX, WEIGHTS_SIGMOID, WEIGHTS_SPARSEMAX,
                                               WEIGHTS_ENTMAX15, WEIGHTS_SOFTPLUS};
    const char *text = text_of(weights, 5);
    expect_part(text, "| `argmax` | yes | yes | **no** | yes | **no** | yes | yes |\n");
    expect_part(text, "| `sum` | **no** | **no** | **no** | **no** | **no** | **no** | yes |\n");
    expect_no_part(text_of(weights, 4), "| `argmax` |");
}
END_TEST

START_TEST(a_sum_that_is_not_one_is_told)
{
    static const enum run_weights weights[] = {WEIGHTS_SOFTMAX_PLUS_ONE};
    /* e^0 / (1 + e^0) */
    expect_part(text_of(weights, 1),
                "- `softmax_plus_one`, sum to one: (0) gives (0.5), a sum of 0.5.\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("weight properties");
    TCase *cases = tcase_create("table");
    tcase_add_test(cases, softmax_alone_has_no_part);
    tcase_add_test(cases, the_table_has_the_alternatives_of_the_sweep);
    tcase_add_test(cases, one_alternative_that_is_not_softmax_has_a_part);
    tcase_add_test(cases, more_than_four_alternatives_show_all);
    tcase_add_test(cases, a_sum_that_is_not_one_is_told);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
