/* SPDX-License-Identifier: MIT */
/* Tests src/report/undefined.c: rows without weights, weights that are no shares. */
#include "sections_example.h"

#include "report/undefined.h"

static struct arena arena;
static struct sections_example example;

static struct result rows[16];

/* Settings of two rows of scores; those from `first` on lack the weights of one row. */
static struct result_set undefined_set(size_t count, size_t first)
{
    struct result_set set = sections_example_rows(rows, count);
    for (size_t i = 0; i < count; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.score_factor = (double)i + 1;
        rows[i].measurement.queries = 2;
        rows[i].measurement.undefined_rows = i >= first ? 1 : 0;
    }
    return set;
}

START_TEST(settings_with_undefined_rows_are_named)
{
    struct result_set set = undefined_set(3, 2);
    rows[2].measurement.row_max_mean = (double)NAN;
    const char *text = sections_example_text(&example, &set, &arena, undefined_append);
    expect_part(text,
                "**1 of 3 runs has rows without weights**: score\\_factor = 3 (1 of 2 rows, no "
                "means). Such a row has masked keys only");
    rows[2].measurement.row_max_mean = 0.5;
    text = sections_example_text(&example, &set, &arena, undefined_append);
    expect_part(text, "score\\_factor = 3 (1 of 2 rows).");
}
END_TEST

START_TEST(many_such_settings_are_counted)
{
    struct result_set set = undefined_set(16, 0);
    const char *text = sections_example_text(&example, &set, &arena, undefined_append);
    expect_part(text, "**16 of 16 runs have rows without weights**: ");
    expect_part(text, "score\\_factor = 6 (1 of 2 rows); and 10 further settings. Such");
    expect_no_part(text, "score\\_factor = 7");
    set = undefined_set(16, 16);
    ck_assert_str_eq(sections_example_text(&example, &set, &arena, undefined_append), "");
}
END_TEST

START_TEST(weights_say_how_their_row_max_is_to_be_read)
{
    struct text out = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    struct scope scope = {.weights = 1U << WEIGHTS_SOFTMAX};
    text_append(&out, "");
    undefined_append_weights(&out, &scope);
    ck_assert_str_eq(text_finish(&out, &err), "");
    scope.weights = 1U << WEIGHTS_ARGMAX | 1U << WEIGHTS_SUM;
    out = (struct text)TEXT_INIT(&arena);
    undefined_append_weights(&out, &scope);
    const char *text = text_finish(&out, &err);
    expect_part(text, "Argmax is one-hot by construction");
    expect_part(text, "Scores over their sum can be negative or exceed 1");
    expect_no_part(text, "sigmoid");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("undefined");
    TCase *cases = tcase_create("undefined");
    tcase_add_test(cases, settings_with_undefined_rows_are_named);
    tcase_add_test(cases, many_such_settings_are_counted);
    tcase_add_test(cases, weights_say_how_their_row_max_is_to_be_read);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
