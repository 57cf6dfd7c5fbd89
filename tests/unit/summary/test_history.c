/* SPDX-License-Identifier: MIT */
/* Tests src/summary/history.c and history_steps.c: a night as a line and back, and steps. */
#include "rows.h"
#include "summary/history.h"

struct history_case {
    struct arena arena;
    struct error err;
    struct history history;
};

/* A night of the sweep "rows": two seeds at each of two d_k, the second with this mean row-max. */
static const char *night_line(struct history_case *test, const char *date, const char *name,
                              double row_max, struct history_night *night)
{
    struct rows *rows = arena_alloc(&test->arena, 1, sizeof *rows, &test->err);
    ck_assert_ptr_nonnull(rows);
    for (int64_t seed = 1; seed <= 2; seed++) {
        rows_add(rows, 0, 8, seed, 0.25 * (double)seed);
        rows_add(rows, 0, 16, seed, row_max)->measurement.score_std = (double)NAN;
    }
    rows_summarise(rows);
    *night = (struct history_night){.date = date,
                                    .name = name,
                                    .version = "0.1.0",
                                    .verdict = "pass",
                                    .compared = 4,
                                    .improvements = 2,
                                    .other_host = true};
    assert_ok(history_groups(&rows->summary, &test->arena, night, &test->err), test->err);
    arena_release(&rows->arena);
    return history_line(night, &test->arena, &test->err);
}

static bool parse(struct history_case *test, const char *text)
{
    return history_parse("h.jsonl", text, strlen(text), &test->arena, &test->history, &test->err);
}

START_TEST(a_night_reads_back_as_it_was_written)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    struct history_night night;
    const char *line = night_line(&test, "2026-11-29", "ro\"ws", 0.1, &night);
    ck_assert_ptr_nonnull(line);
    ck_assert_uint_eq(strcspn(line, "\n"), strlen(line) - 1);
    assert_ok(parse(&test, line), test.err);
    ck_assert_uint_eq(test.history.count, 1);
    const struct history_night *read = &test.history.nights[0];
    ck_assert_str_eq(read->date, "2026-11-29");
    ck_assert_str_eq(read->name, "ro\"ws");
    ck_assert_str_eq(read->verdict, "pass");
    ck_assert_uint_eq(read->compared, 4);
    ck_assert_uint_eq(read->improvements, 2);
    ck_assert(read->other_host);
    ck_assert_uint_eq(read->group_count, 2);
    ck_assert_str_eq(read->groups[0].where, "d_k=8");
    ck_assert_uint_eq(read->groups[0].runs, 2);
    assert_near(read->groups[0].means[MEASURE_ROW_MAX_MEAN], 0.375, 0); /* of 0.25 and 0.5 */
    assert_near(read->groups[1].means[MEASURE_ROW_MAX_MEAN], 0.1, 0);
    ck_assert(isnan(read->groups[1].means[MEASURE_SCORE_STD]));
    arena_release(&test.arena);
}
END_TEST

START_TEST(an_empty_history_and_empty_lines_are_no_nights)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    assert_ok(parse(&test, ""), test.err);
    ck_assert_uint_eq(test.history.count, 0);
    assert_ok(parse(&test, "\n\r\n"), test.err);
    ck_assert_uint_eq(test.history.count, 0);
    arena_release(&test.arena);
}
END_TEST

static void assert_line_refused(const char *text, const char *message)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    ck_assert_msg(!parse(&test, text), "accepted: %s", text);
    assert_error(test.err, ERROR_INPUT, message);
    assert_error(test.err, ERROR_INPUT, "this is no line of a history");
    arena_release(&test.arena);
}

#define HEAD "{\"rowmax_history\": 1, \"date\": \"d\", \"name\": \"n\", \"version\": \"v\", "
#define COUNTS "\"verdict\": \"pass\", \"compared\": 1, \"regressions\": 0, \"improvements\": 0, "

START_TEST(a_line_that_is_none_is_named)
{
    assert_line_refused("\n{\"rowmax_history\": 1, \"da", "h.jsonl:2:");
    assert_line_refused("[]", "'rowmax_history' is not 1");
    assert_line_refused("{\"rowmax_history\": 2}", "h.jsonl:1:1: 'rowmax_history' is not 1");
    assert_line_refused(HEAD "\"verdict\": 3}", "'verdict' is missing or no text");
    assert_line_refused(HEAD "\"verdict\": \"pass\", \"compared\": -1}", "no count");
    assert_line_refused(HEAD COUNTS "\"groups\": 1}", "'groups' is missing or no list");
    assert_line_refused(HEAD COUNTS "\"groups\": [{\"where\": \"\", \"runs\": 1, "
                                    "\"means\": {\"score_std\": \"1\"}}]}",
                        "a mean is neither a number nor null");
    assert_line_refused(HEAD COUNTS "\"groups\": [{\"where\": \"\", \"runs\": 1, \"means\": 1}]}",
                        "'means' is missing or no object");
    assert_line_refused("not JSON", "h.jsonl:1:");
}
END_TEST

/* The steps up to that night, whatever their size. */
static struct history_steps steps_of(struct history_case *test, const struct history_night *night)
{
    const struct tolerance_set none = {NULL, 0};
    struct history_steps steps;
    assert_ok(history_find_steps(&test->history, night, &none, &test->arena, &steps, &test->err),
              test->err);
    return steps;
}

/* Row-max at d_k = 16 goes from 0.1 to 0.3 on the third night; another sweep's line is passed over.
 */
START_TEST(a_step_is_found_in_its_group_and_night)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    struct text text = TEXT_INIT(&test.arena);
    struct history_night night;
    text_append(&text, night_line(&test, "2026-11-01", "rows", 0.1, &night));
    text_append(&text, night_line(&test, "2026-11-02", "rows", 0.1, &night));
    text_append(&text, night_line(&test, "2026-11-02", "other", 0.9, &night));
    text_append(&text, night_line(&test, "2026-11-03", "rows", 0.3, &night));
    const char *tonight = night_line(&test, "2026-11-04", "rows", 0.3, &night);
    ck_assert_ptr_nonnull(tonight);
    assert_ok(parse(&test, text_finish(&text, &test.err)), test.err);
    struct history_steps steps = steps_of(&test, &night);
    ck_assert_uint_eq(steps.count, 1);
    ck_assert_str_eq(steps.items[0].date, "2026-11-03");
    ck_assert_uint_eq(steps.items[0].night, 3);
    ck_assert_str_eq(steps.items[0].where, "d_k=16");
    ck_assert_int_eq(steps.items[0].measure, MEASURE_ROW_MAX_MEAN);
    assert_near(steps.items[0].before, 0.1, 0);
    assert_near(steps.items[0].after, 0.3, 0);
    /* Within a wider tolerance there is none. */
    const struct tolerance_rule wide = {TOLERANCE_EVERY, 0.5, 0, NULL, 0};
    const struct tolerance_set set = {&wide, 1};
    assert_ok(history_find_steps(&test.history, &night, &set, &test.arena, &steps, &test.err),
              test.err);
    ck_assert_uint_eq(steps.count, 0);
    arena_release(&test.arena);
}
END_TEST

START_TEST(tonight_may_be_the_night_of_the_step_and_a_first_night_has_none)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    struct history_night night;
    const char *line = night_line(&test, "2026-11-01", "rows", 0.1, &night);
    struct history_steps steps = steps_of(&test, &night);
    ck_assert_uint_eq(steps.count, 0);
    assert_ok(parse(&test, line), test.err);
    ck_assert_ptr_nonnull(night_line(&test, "2026-11-02", "rows", 0.2, &night));
    steps = steps_of(&test, &night);
    ck_assert_uint_eq(steps.count, 1);
    ck_assert_str_eq(steps.items[0].date, "2026-11-02");
    arena_release(&test.arena);
}
END_TEST

/* The mean of d_k = 8 is that of 0.25 and 0.5; 600 nights are more than a step is looked for in, so
 * the first 300 at 0.1 count less than the last 300 at 0.3, but the step is where it was. */
START_TEST(of_many_nights_the_latest_count)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    struct text text = TEXT_INIT(&test.arena);
    struct history_night night;
    const char *const low = night_line(&test, "2026-11-01", "rows", 0.1, &night);
    const char *const high = night_line(&test, "2026-11-02", "rows", 0.3, &night);
    for (size_t i = 0; i < 600; i++) {
        text_append(&text, i < 300 ? low : high);
    }
    assert_ok(parse(&test, text_finish(&text, &test.err)), test.err);
    struct history_steps steps = steps_of(&test, &night);
    ck_assert_uint_eq(steps.count, 1);
    ck_assert_uint_eq(steps.items[0].night, 300);
    assert_near(steps.items[0].before, 0.1, 0);
    arena_release(&test.arena);
}
END_TEST

/* 257 groups, one more than a line holds: group g has its mean g, and the last two runs. The mean
 * of all counts by runs: (0 + 1 + ... + 256 + 256) / 258 = (32896 + 256) / 258. */
START_TEST(a_night_of_too_many_groups_is_one_group)
{
    struct history_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    struct history_night night = {.date = "2026-11-29"};
    struct summary_group *groups = arena_alloc(&test.arena, 257, sizeof *groups, &test.err);
    const struct run sample = run_default();
    ck_assert_ptr_nonnull(groups);
    for (size_t g = 0; g < 257; g++) {
        size_t runs = g == 256 ? 2 : 1;
        groups[g].sample = &sample;
        groups[g].runs = runs;
        groups[g].measures[MEASURE_ROW_MAX_MEAN] =
            (struct estimate){.count = runs, .mean = (double)g};
    }
    const struct summary summary = {.groups = groups, .group_count = 257};
    assert_ok(history_groups(&summary, &test.arena, &night, &test.err), test.err);
    ck_assert_uint_eq(night.group_count, 1);
    ck_assert_str_eq(night.groups[0].where, "");
    ck_assert_uint_eq(night.groups[0].runs, 258);
    assert_near(night.groups[0].means[MEASURE_ROW_MAX_MEAN], 33152.0 / 258, 1e-15);
    ck_assert(isnan(night.groups[0].means[MEASURE_SCORE_STD]));
    arena_release(&test.arena);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("history");
    tcase_add_test(all, a_night_reads_back_as_it_was_written);
    tcase_add_test(all, an_empty_history_and_empty_lines_are_no_nights);
    tcase_add_test(all, a_line_that_is_none_is_named);
    tcase_add_test(all, a_step_is_found_in_its_group_and_night);
    tcase_add_test(all, tonight_may_be_the_night_of_the_step_and_a_first_night_has_none);
    tcase_add_test(all, of_many_nights_the_latest_count);
    tcase_add_test(all, a_night_of_too_many_groups_is_one_group);
    Suite *suite = suite_create("summary.history");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
