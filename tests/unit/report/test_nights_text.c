/* SPDX-License-Identifier: MIT */
/* Tests src/report/nights_text.c: what stands around the figure of nights. */
#include "nights_example.h"

/* Both parts, one behind the other. */
static const char *text_of(struct nights_example *example)
{
    const struct nights *nights = nights_example_choose(example);
    nights_append_lead(&example->parts.sections, nights);
    nights_append_steps(&example->parts.sections, nights);
    const char *text = text_finish(&example->parts.out, &example->err);
    ck_assert_ptr_nonnull(text);
    return text;
}

START_TEST(nights_are_counted_by_verdict_and_steps_listed)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.25);
    nights_example_add(example, "2026-11-02", 0.25)->other_host = true;
    struct history_night *night = nights_example_add(example, "2026-11-03", 0.1);
    night->verdict = "fail";
    night->regressions = 2;
    nights_example_add(example, "2026-11-04", 0.1)->improvements = 1;
    const char *text = text_of(example);
    expect_part(text, "## Nights\n\nThe history holds 4 nights of this sweep, from 2026-11-01 to "
                      "2026-11-04. Their verdicts: 2 pass, 1 improved, 1 regression. 1 of them ran "
                      "on another host than the baseline.\n\n");
    expect_part(text, "| night | group | measure | from | to |\n");
    expect_part(text, "| 2026-11-03 | d\\_k=16 | `row_max_mean` | 0.25 | 0.1 |\n");
    expect_no_part(text, "d\\_k=8");
    nights_example_end(example);
}
END_TEST

START_TEST(several_regressions_are_spoken_of_in_the_plural)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.25)->regressions = 3;
    nights_example_add(example, "2026-11-02", 0.25)->regressions = 1;
    expect_part(text_of(example), "Their verdicts: 2 regressions.");
    nights_example_end(example);
}
END_TEST

START_TEST(other_numbers_than_those_of_the_last_night_are_told)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.3);
    const char *text = text_of(example);
    expect_part(text, "1 night of this sweep, on 2026-11-01. Their verdicts: 1 pass.");
    expect_part(text, "**The numbers of this report are not those of the last night**");
    expect_part(text, "No measure stepped.");
    nights_example_end(example);
}
END_TEST

START_TEST(an_empty_history_is_said_to_be_one)
{
    struct nights_example *example = nights_example_make(2);
    ck_assert_str_eq(text_of(example),
                     "## Nights\n\nThe history holds no night of this sweep.\n\n");
    nights_example_end(example);
}
END_TEST

START_TEST(nights_of_other_groups_are_said_to_be_such)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.1)->group_count = 0;
    const char *text = text_of(example);
    expect_part(text, "No figure is drawn, since the last night has no group of this report");
    expect_no_part(text, "No measure stepped");
    nights_example_end(example);
}
END_TEST

/* All 12 groups and 6 of their measures step: 72, of which 50 are listed. */
START_TEST(a_long_table_ends_with_what_is_left_out)
{
    struct nights_example *example = nights_example_make(12);
    for (int n = 0; n < 4; n++) {
        nights_example_add(example, "a|b", 0.1);
        for (size_t g = 0; g < 12; g++) {
            double *group = nights_example_means(example, g);
            for (int m = MEASURE_Q_NORM; m < MEASURE_Q_NORM + 6; m++) {
                group[m] = n < 2 ? 1 : 2;
            }
        }
    }
    const char *text = text_of(example);
    expect_part(text, "The other 22 are not listed.");
    expect_part(text, "| a\\|b | d\\_k=8 | `q_norm` | 1 | 2 |\n");
    nights_example_end(example);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nights text");
    TCase *cases = tcase_create("text");
    tcase_add_test(cases, nights_are_counted_by_verdict_and_steps_listed);
    tcase_add_test(cases, several_regressions_are_spoken_of_in_the_plural);
    tcase_add_test(cases, other_numbers_than_those_of_the_last_night_are_told);
    tcase_add_test(cases, an_empty_history_is_said_to_be_one);
    tcase_add_test(cases, nights_of_other_groups_are_said_to_be_such);
    tcase_add_test(cases, a_long_table_ends_with_what_is_left_out);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
