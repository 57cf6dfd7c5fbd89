/* SPDX-License-Identifier: MIT */
/* Tests src/summary/summary_axes.c: which fields vary, and their values in order. */
#include "rows.h"

START_TEST(every_field_that_varies_but_the_seed_is_an_axis)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0);
    rows_add(&rows, 0, 16, 2, 0)->run.norm = NORM_RMS;
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.axis_count, 2);
    ck_assert_str_eq(rows.summary.axes[0].name, "d_k");
    ck_assert_str_eq(rows.summary.axes[1].name, "norm");
    ck_assert(rows.summary.axes[0].numeric);
    ck_assert(!rows.summary.axes[1].numeric);
    ck_assert_ptr_null(summary_axis_find(&rows.summary, RUN_SEED));
    arena_release(&rows.arena);
}
END_TEST

START_TEST(a_field_varies_only_among_runs_that_read_it)
{
    struct rows rows = {.count = 0};
    for (size_t i = 0; i < 3; i++) {
        rows_add(&rows, 0, 8, 1, 0)->run.source = SOURCE_CORPUS;
        rows.list[i].run.power = 1;
    }
    rows.list[0].run.learner = LEARNER_RANDOM;
    rows.list[0].run.power = 0.5;
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.axis_count, 1);
    ck_assert_str_eq(rows.summary.axes[0].name, "learner");
    rows.list[2].run.power = 0.75;
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.axis_count, 2);
    ck_assert_str_eq(rows.summary.axes[1].name, "power");
    arena_release(&rows.arena);
}
END_TEST

START_TEST(the_three_switches_are_one_axis_in_the_order_of_the_plan)
{
    static const unsigned planned[] = {3, 0, 7, 5};
    struct rows rows = {.count = 0};
    for (size_t i = 0; i < 4; i++) {
        rows_add(&rows, planned[i], 8, 1, 0);
    }
    rows_summarise(&rows);
    const struct summary_axis *guards = summary_axis_find(&rows.summary, AXIS_GUARDS);
    char buffer[FIELD_VALUE_SIZE];
    ck_assert_uint_eq(rows.summary.axis_count, 1);
    ck_assert_ptr_nonnull(guards);
    ck_assert_uint_eq(guards->count, 4);
    ck_assert_str_eq(summary_axis_value(guards, 0, buffer), "init+scale");
    ck_assert_str_eq(summary_axis_value(guards, 1, buffer), "none");
    ck_assert_str_eq(summary_axis_value(guards, 3, buffer), "init+norm");
    ck_assert_uint_eq(rows.summary.groups[2].place[0], 2);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(numbers_rise_whatever_the_order_of_the_plan)
{
    static const int64_t planned[] = {64, 8, 1024, 16};
    struct rows rows = {.count = 0};
    for (size_t i = 0; i < 4; i++) {
        rows_add(&rows, 0, planned[i], 1, 0);
    }
    rows_summarise(&rows);
    char buffer[FIELD_VALUE_SIZE];
    ck_assert_str_eq(summary_axis_value(&rows.summary.axes[0], 0, buffer), "8");
    ck_assert_str_eq(summary_axis_value(&rows.summary.axes[0], 3, buffer), "1024");
    /* groups stay as planned: the first has 64, the third value */
    ck_assert_int_eq(rows.summary.groups[0].sample->d_k, 64);
    ck_assert_uint_eq(rows.summary.groups[0].place[0], 2);
    ck_assert_uint_eq(rows.summary.groups[1].place[0], 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(texts_keep_the_order_of_the_plan)
{
    static const char *const corpora[] = {"kitchen", "demo", "harbour", "demo"};
    struct rows rows = {.count = 0};
    for (size_t i = 0; i < 4; i++) {
        struct result *row = rows_add(&rows, 0, 8, 1, 0);
        row->run.source = SOURCE_CORPUS;
        row->run.corpus = corpora[i];
        row->run.corpus_digest = corpora[i];
    }
    rows_summarise(&rows);
    const struct summary_axis *corpus = summary_axis_find(&rows.summary, RUN_CORPUS);
    char buffer[FIELD_VALUE_SIZE];
    ck_assert_uint_eq(corpus->count, 3);
    ck_assert_str_eq(summary_axis_value(corpus, 0, buffer), "kitchen");
    ck_assert_str_eq(summary_axis_value(corpus, 2, buffer), "harbour");
    ck_assert_uint_eq(summary_place(&rows.summary, &rows.summary.groups[2], corpus), 2);
    ck_assert_uint_eq(summary_place(&rows.summary, &rows.summary.groups[2], NULL), 0);
    ck_assert_uint_eq(rows.summary.group_count, 3);
    ck_assert_uint_eq(rows.summary.groups[1].runs, 2);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(heads_are_names_in_the_order_of_their_numbers)
{
    struct rows rows = {.count = 0};
    static const int64_t heads[] = {2, 0, 1};
    for (size_t i = 0; i < 3; i++) {
        rows_add(&rows, 0, 8, 1, 0)->run.source = SOURCE_ARRAYS;
        rows.list[i].run.head = heads[i];
    }
    rows_summarise(&rows);
    const struct summary_axis *axis = summary_axis_find(&rows.summary, RUN_HEAD);
    ck_assert_ptr_nonnull(axis);
    ck_assert(!axis->numeric);
    ck_assert_int_eq(axis->samples[0]->head, 0);
    ck_assert_int_eq(axis->samples[2]->head, 2);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(defaults_that_come_with_a_learner_are_no_axis)
{
    struct rows rows = {.count = 0};
    for (size_t i = 0; i < 2; i++) {
        struct run *run = &rows_add(&rows, 0, 8, 1, 0)->run;
        run->source = SOURCE_CORPUS;
        run->learner = i == 0 ? LEARNER_SGNS : LEARNER_GLOVE;
        run->window = i == 0 ? 5 : 15;
    }
    rows_summarise(&rows);
    /* 15 words are glove's own window, 5 that of the others */
    ck_assert_uint_eq(rows.summary.axis_count, 1);
    ck_assert_str_eq(rows.summary.axes[0].name, "learner");
    rows.list[1].run.window = 10;
    rows_summarise(&rows);
    ck_assert_ptr_nonnull(summary_axis_find(&rows.summary, RUN_WINDOW));
    arena_release(&rows.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("axes");
    TCase *cases = tcase_create("axes");
    tcase_add_test(cases, every_field_that_varies_but_the_seed_is_an_axis);
    tcase_add_test(cases, a_field_varies_only_among_runs_that_read_it);
    tcase_add_test(cases, the_three_switches_are_one_axis_in_the_order_of_the_plan);
    tcase_add_test(cases, numbers_rise_whatever_the_order_of_the_plan);
    tcase_add_test(cases, texts_keep_the_order_of_the_plan);
    tcase_add_test(cases, heads_are_names_in_the_order_of_their_numbers);
    tcase_add_test(cases, defaults_that_come_with_a_learner_are_no_axis);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
