/* SPDX-License-Identifier: MIT */
/* Tests src/report/worked.c: which kept matrices are worked out, under which headings. */
#include "scores_example.h"

#include "report/worked.h"

static struct arena arena;
static struct sections_example example;
static const double zeros[64];

static const char *text_of(struct result *rows, size_t count)
{
    struct result_set set = scores_example_set(rows, count);
    return sections_example_text(&example, &set, &arena, worked_append);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

START_TEST(every_setting_has_its_rows)
{
    static const double scores[2][4] = {{1, 0, 2, 0}, {2, 0, 4, 0}};
    struct result rows[2];
    for (size_t i = 0; i < 2; i++) {
        rows[i] = scores_example_result(2, 2, scores[i]);
        rows[i].index = (int64_t)i;
        rows[i].run.score_factor = (double)(i + 1);
    }
    const char *text = text_of(rows, 2);
    expect_part(text, "## Row by row\n");
    expect_part(text, "### score\\_factor = 1\n\n**Row 1**\n");
    expect_part(text, "### score\\_factor = 2\n\n**Row 1**\n");
    ck_assert_uint_eq(count_of(text, "**Row 2**"), 2);
    expect_no_part(text, "seed");
}
END_TEST

START_TEST(a_query_is_named_by_its_word)
{
    struct result row = scores_example_result(2, 2, zeros);
    row.kept.words = "the cat";
    const char *text = text_of(&row, 1);
    expect_part(text, "**Row 1**, the query the\n");
    expect_part(text, "**Row 2**, the query cat\n");
}
END_TEST

START_TEST(equal_numbers_are_not_printed_twice)
{
    static const double scores[2] = {1, 0};
    struct result rows[2];
    for (size_t i = 0; i < 2; i++) {
        rows[i] = scores_example_result(1, 2, scores);
        rows[i].index = (int64_t)i;
        rows[i].run.stabilise = i == 0;
    }
    const char *text = text_of(rows, 2);
    ck_assert_uint_eq(count_of(text, "Row-max"), 1);
    expect_part(text, "### stabilise = off\n\nThe same to all digits shown as the last one above.");
}
END_TEST

START_TEST(what_was_not_kept_or_is_large_has_no_part)
{
    struct result rows[4];
    for (size_t i = 0; i < 4; i++) {
        rows[i] = scores_example_result(1, 4, zeros);
        rows[i].index = (int64_t)i;
        rows[i].run.score_factor = (double)(i + 1);
    }
    rows[0].kept.scores = NULL;
    rows[1].kept.tokens = WORKED_KEYS + 1;
    rows[2].status = RESULT_FAILED;
    rows[3].run.source = SOURCE_GAUSSIAN;
    rows[3].kept.queries = WORKED_QUERIES + 1;
    ck_assert_str_eq(text_of(rows, 4), "");
}
END_TEST

START_TEST(many_matrices_are_thinned_and_counted)
{
    enum { MANY = 30 };
    double scores[MANY];
    struct result rows[MANY];
    for (size_t i = 0; i < MANY; i++) {
        scores[i] = (double)i;
        rows[i] = scores_example_result(1, 1, &scores[i]);
        rows[i].index = (int64_t)i;
        rows[i].run.score_factor = (double)(i + 1);
    }
    const char *text = text_of(rows, MANY);
    expect_part(text, "12 of 30 matrices that were kept and are small enough are shown");
    ck_assert_uint_eq(count_of(text, "### "), WORKED_MATRICES);
    expect_part(text, "### score\\_factor = 1\n");
    expect_part(text, "### score\\_factor = 30\n");
}
END_TEST

START_TEST(a_single_setting_needs_no_heading_and_seeds_are_told_apart)
{
    static const double scores[2][2] = {{1, 0}, {2, 0}};
    struct result rows[2];
    for (size_t i = 0; i < 2; i++) {
        rows[i] = scores_example_result(1, 2, scores[i]);
        rows[i].index = (int64_t)i;
        rows[i].run.seed = (int64_t)i + 1;
    }
    expect_no_part(text_of(rows, 1), "### ");
    const char *text = text_of(rows, 2);
    expect_part(text, "### seed 1\n");
    expect_part(text, "### seed 2\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("worked");
    TCase *cases = tcase_create("choice");
    tcase_add_test(cases, every_setting_has_its_rows);
    tcase_add_test(cases, a_query_is_named_by_its_word);
    tcase_add_test(cases, equal_numbers_are_not_printed_twice);
    tcase_add_test(cases, what_was_not_kept_or_is_large_has_no_part);
    tcase_add_test(cases, many_matrices_are_thinned_and_counted);
    tcase_add_test(cases, a_single_setting_needs_no_heading_and_seeds_are_told_apart);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
