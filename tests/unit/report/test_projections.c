/* SPDX-License-Identifier: MIT */
/* Tests src/report/projections.c: whether projections were drawn or read from files. */
#include "sections_example.h"

#include "report/projections.h"

static struct arena arena;
static struct sections_example example;

/* Two settings of arrays; each has its projections from files when told so. */
static const struct summary *summary_when(bool first, bool second, bool as_given)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        bool given = i == 0 ? first : second;
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.w_q = given ? "q.npy" : NULL;
        rows[i].run.w_k = given ? "k.npy" : NULL;
        rows[i].run.guard_scale = i == 1;
        rows[i].run.weights_as_given = as_given;
    }
    sections_example_make(&example, &set, &arena);
    return &example.summary;
}

/* Two settings without projections: queries and keys given, or scores. */
static const struct summary *summary_without(enum run_source source)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = (int)source;
        rows[i].run.q = "q.npy";
        rows[i].run.k = "k.npy";
        rows[i].run.score_factor = (double)i + 1;
    }
    sections_example_make(&example, &set, &arena);
    return &example.summary;
}

START_TEST(projections_are_read_only_when_no_run_draws_them)
{
    ck_assert_int_eq(projections_of(summary_when(false, false, false)), PROJECTIONS_DRAWN);
    ck_assert_int_eq(projections_of(summary_when(true, false, false)), PROJECTIONS_DRAWN);
    ck_assert_int_eq(projections_of(summary_when(true, true, false)), PROJECTIONS_READ);
    ck_assert_int_eq(projections_of(summary_when(true, true, true)), PROJECTIONS_UNTOUCHED);
}
END_TEST

START_TEST(given_queries_and_given_scores_have_no_projections)
{
    ck_assert_int_eq(projections_of(summary_without(SOURCE_ARRAYS)), PROJECTIONS_NONE);
    ck_assert_int_eq(projections_of(summary_without(SOURCE_SCORES)), PROJECTIONS_NONE);
    ck_assert_int_eq(projections_of(summary_without(SOURCE_GAUSSIAN)), PROJECTIONS_DRAWN);
}
END_TEST

static const char *guards_line(const struct summary *summary)
{
    struct error err = ERROR_INIT;
    const char *line = projections_guards(summary, &arena, &err);
    ck_assert_ptr_nonnull(line);
    return line;
}

START_TEST(the_line_about_guards_names_what_is_done)
{
    expect_part(guards_line(summary_when(false, false, false)), "drawn with variance 1/d_model");
    const char *read = guards_line(summary_when(true, true, false));
    expect_no_part(read, "drawn");
    expect_part(read, "from their files divided by √d_model");
    expect_no_part(guards_line(summary_when(true, true, true)), "init");
    ck_assert_str_eq(guards_line(summary_without(SOURCE_ARRAYS)),
                     "Guards: scale, scores divided by √d_k.");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("projections");
    TCase *cases = tcase_create("projections");
    tcase_add_test(cases, projections_are_read_only_when_no_run_draws_them);
    tcase_add_test(cases, given_queries_and_given_scores_have_no_projections);
    tcase_add_test(cases, the_line_about_guards_names_what_is_done);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
