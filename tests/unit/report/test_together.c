/* SPDX-License-Identifier: MIT */
/* Tests src/report/together.c: axes that move together are all named, in one sentence. */
#include "sections_example.h"

#include "report/together.h"

static struct arena arena;
static struct sections_example example;

enum { ROWS = 8 };

/* Two key dimensions for each of `values` values of the axes that a test sets; the last value does
 * not saturate. */
struct cases {
    struct result rows[ROWS];
    struct result_set set;
    size_t values;
};

static void begin(struct cases *cases, size_t values)
{
    cases->set = sections_example_rows(cases->rows, 2 * values);
    cases->values = values;
    for (size_t i = 0; i < 2 * values; i++) {
        struct result *row = &cases->rows[i];
        row->run = run_default();
        row->run.source = SOURCE_GAUSSIAN;
        row->run.d_k = i < values ? 64 : 256;
        row->measurement.row_max_mean = i % values + 1 == values ? 0.25 : 0.95;
    }
}

static struct run *run_of(struct cases *cases, size_t i)
{
    return &cases->rows[i].run;
}

static const char *verdict_of(const struct cases *cases)
{
    return sections_example_text(&example, &cases->set, &arena, verdict_append);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part)) != NULL) {
        count++;
        text++;
    }
    return count;
}

START_TEST(two_choices_that_move_together_are_named_in_one_sentence)
{
    struct cases cases;
    begin(&cases, 2);
    for (size_t i = 0; i < 4; i++) {
        run_of(&cases, i)->guard_norm = true;
        run_of(&cases, i)->norm = i % 2 == 0 ? NORM_LAYER : NORM_RMS;
        run_of(&cases, i)->qk_norm = i % 2 == 0 ? QK_NORM_NONE : QK_NORM_L2;
    }
    const char *text = verdict_of(&cases);
    expect_part(text, " Nothing saturates with **norm = rms** together with **qk\\_norm = l2** (at "
                      "most 0.250).");
    ck_assert_uint_eq(count_of(text, "Nothing saturates"), 1);
}
END_TEST

START_TEST(what_moves_with_the_guards_is_named_with_them)
{
    struct cases cases;
    begin(&cases, 2);
    for (size_t i = 0; i < 4; i++) {
        run_of(&cases, i)->guard_init = false;
        run_of(&cases, i)->guard_norm = false;
        run_of(&cases, i)->guard_scale = i % 2 == 1;
        run_of(&cases, i)->qk_norm = i % 2 == 0 ? QK_NORM_NONE : QK_NORM_L2;
        run_of(&cases, i)->weights = i % 2 == 0 ? WEIGHTS_SOFTMAX : WEIGHTS_SIGMOID;
    }
    const char *text = verdict_of(&cases);
    expect_part(text, " Nothing saturates under the guards **scale** together with **qk\\_norm = "
                      "l2** and **weights = sigmoid** (at most 0.250).");
    ck_assert_uint_eq(count_of(text, "Nothing saturates"), 1);
}
END_TEST

/* Two seeds 0.02 apart have an interval of 0.127 to each side, which holds the threshold. */
START_TEST(what_moves_with_undecided_guards_is_named_with_them)
{
    struct cases cases;
    begin(&cases, 2);
    for (size_t i = 0; i < 4; i++) {
        bool last = i % 2 == 1;
        run_of(&cases, i)->d_k = 64;
        run_of(&cases, i)->seed = i < 2 ? 1 : 2;
        run_of(&cases, i)->guard_init = false;
        run_of(&cases, i)->guard_norm = false;
        run_of(&cases, i)->guard_scale = last;
        run_of(&cases, i)->qk_norm = last ? QK_NORM_L2 : QK_NORM_NONE;
        cases.rows[i].measurement.row_max_mean = !last ? 0.95 : i < 2 ? 0.85 : 0.87;
    }
    expect_part(verdict_of(&cases), "some are undecided, under **scale** together with **qk\\_norm "
                                    "= l2** (at most 0.86 ± 0.13).");
}
END_TEST

/* A number is no choice, but may be the cause. */
START_TEST(numbers_that_move_with_a_choice_are_named)
{
    struct cases cases;
    begin(&cases, 2);
    for (size_t i = 0; i < 4; i++) {
        run_of(&cases, i)->d_model = i % 2 == 0 ? 128 : 32;
        run_of(&cases, i)->tokens = i % 2 == 0 ? 8 : 16;
        run_of(&cases, i)->weights = i % 2 == 0 ? WEIGHTS_SOFTMAX : WEIGHTS_SIGMOID;
        run_of(&cases, i)->qk_norm = i % 2 == 0 ? QK_NORM_NONE : QK_NORM_L2;
    }
    const char *text = verdict_of(&cases);
    expect_part(text, " together with ");
    static const char *const parts[] = {"**d\\_model = 32**", "**tokens = 16**",
                                        "**weights = sigmoid**", "**qk\\_norm = l2**"};
    for (size_t p = 0; p < 4; p++) {
        expect_part(text, parts[p]);
    }
    ck_assert_uint_eq(count_of(text, "Nothing saturates"), 1);
}
END_TEST

/* Of three ways to guard queries and keys two have one kind of weights: neither tells the other. */
START_TEST(axes_of_which_one_has_fewer_values_are_both_told)
{
    static const int guards[] = {QK_NORM_NONE, QK_NORM_RMS, QK_NORM_L2};
    struct cases cases;
    begin(&cases, 3);
    for (size_t i = 0; i < 6; i++) {
        run_of(&cases, i)->qk_norm = guards[i % 3];
        run_of(&cases, i)->weights = i % 3 == 2 ? WEIGHTS_SIGMOID : WEIGHTS_SOFTMAX;
    }
    const char *text = verdict_of(&cases);
    expect_part(text, " Nothing saturates with **qk\\_norm = l2** (at most 0.250).");
    expect_part(text, " Nothing saturates with **weights = sigmoid** (at most 0.250).");
    expect_no_part(text, "together");
}
END_TEST

/* All four combinations of two key dimensions and two guards; then each dimension has its own. */
START_TEST(crossed_axes_do_not_move_together)
{
    struct cases cases;
    size_t partner[2];
    begin(&cases, 2);
    for (size_t i = 0; i < 4; i++) {
        run_of(&cases, i)->qk_norm = i % 2 == 0 ? QK_NORM_NONE : QK_NORM_L2;
    }
    verdict_of(&cases);
    ck_assert_uint_eq(example.summary.axis_count, 2);
    ck_assert(!together_moves(&example.summary, 0, 1, partner));
    ck_assert(!together_moves(&example.summary, 0, 0, partner));
    for (size_t i = 0; i < 4; i++) {
        run_of(&cases, i)->d_k = i % 2 == 0 ? 64 : 256;
        run_of(&cases, i)->softcap = i < 2 ? 0 : 5;
    }
    expect_part(verdict_of(&cases),
                " Nothing saturates with **qk\\_norm = l2** together with **d\\_k = 256** (at most "
                "0.250).");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("together");
    TCase *cases = tcase_create("together");
    tcase_add_test(cases, two_choices_that_move_together_are_named_in_one_sentence);
    tcase_add_test(cases, what_moves_with_the_guards_is_named_with_them);
    tcase_add_test(cases, what_moves_with_undecided_guards_is_named_with_them);
    tcase_add_test(cases, numbers_that_move_with_a_choice_are_named);
    tcase_add_test(cases, axes_of_which_one_has_fewer_values_are_both_told);
    tcase_add_test(cases, crossed_axes_do_not_move_together);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
