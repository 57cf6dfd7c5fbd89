/* SPDX-License-Identifier: MIT */
/* Tests src/report/verdict_notes.c: why a number of this report has no ±. */
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

/* d_k 8 with two seeds; d_k 16 with one, or with two as well. */
static const char *notes_of(size_t count)
{
    static struct result rows[4];
    static const double row_max[4] = {0.4, 0.5, 0.7, 0.7};
    const struct result_set set = sections_example_rows(rows, count);
    for (size_t i = 0; i < count; i++) {
        rows[i].run.d_k = i < 2 ? 8 : 16;
        rows[i].run.seed = (int64_t)(i % 2);
        rows[i].measurement.row_max_mean = row_max[i];
    }
    return sections_example_text(&example, &set, &arena, verdict_append_notes);
}

START_TEST(a_number_without_an_interval_does_not_vary_where_all_have_several_seeds)
{
    expect_part(notes_of(4), "of the mean over 2 seeds; a number without ± does not vary in the "
                             "digits shown.");
}
END_TEST

START_TEST(settings_that_rest_on_one_seed_are_told_apart_from_those_that_do_not_vary)
{
    expect_part(notes_of(3), "does not vary in the digits shown, but in 1 setting it rests on one "
                             "seed (mean row-max 0.700).");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("notes");
    tcase_add_test(cases, a_number_without_an_interval_does_not_vary_where_all_have_several_seeds);
    tcase_add_test(cases,
                   settings_that_rest_on_one_seed_are_told_apart_from_those_that_do_not_vary);
    Suite *suite = suite_create("report.verdict_notes");
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
