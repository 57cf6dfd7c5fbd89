/* SPDX-License-Identifier: MIT */
/* Tests src/report/projections.c: whether projections were drawn or read from files. */
#include "sections_example.h"

#include "report/projections.h"

static struct arena arena;
static struct sections_example example;

/* Two settings; the first has its projections from files when `first`, so has the second. */
static enum projections projections_when(bool first, bool second, bool as_given)
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
    return projections_of(&example.summary);
}

START_TEST(projections_are_read_only_when_no_run_draws_them)
{
    ck_assert_int_eq(projections_when(false, false, false), PROJECTIONS_DRAWN);
    ck_assert_int_eq(projections_when(true, false, false), PROJECTIONS_DRAWN);
    ck_assert_int_eq(projections_when(true, true, false), PROJECTIONS_READ);
    ck_assert_int_eq(projections_when(true, true, true), PROJECTIONS_UNTOUCHED);
}
END_TEST

START_TEST(the_line_about_guards_names_what_is_done)
{
    expect_part(projections_guards(PROJECTIONS_DRAWN), "drawn with variance 1/d_model");
    expect_no_part(projections_guards(PROJECTIONS_READ), "drawn");
    expect_part(projections_guards(PROJECTIONS_READ), "from their files divided by √d_model");
    expect_no_part(projections_guards(PROJECTIONS_UNTOUCHED), "init");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("projections");
    TCase *cases = tcase_create("projections");
    tcase_add_test(cases, projections_are_read_only_when_no_run_draws_them);
    tcase_add_test(cases, the_line_about_guards_names_what_is_done);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
