/* SPDX-License-Identifier: MIT */
/* Tests src/cli/provenance.c: what names a source exactly, and what results say of themselves. */
#include "cli/cli_internal.h"
#include "support.h"

#include <string.h>

START_TEST(only_a_clean_commit_names_the_source)
{
    ck_assert(provenance_is_traceable("d2d5f137634f"));
    ck_assert(provenance_is_traceable("d2d5f137634fa"));
    ck_assert(!provenance_is_traceable("d2d5f137634f-dirty"));
    ck_assert(!provenance_is_traceable("unknown (no git here)"));
    ck_assert(!provenance_is_traceable("d2d5f13"));
    ck_assert(!provenance_is_traceable(""));
    ck_assert(provenance_is_traceable("d2d5f137634f | e2d5f137634f | f2d5f137634f"));
    ck_assert(!provenance_is_traceable("d2d5f137634f | unknown (no git here)"));
    ck_assert(!provenance_is_traceable("d2d5f13 | e2d5f137634f"));
    ck_assert(!provenance_is_traceable("d2d5f137634f | "));
}
END_TEST

START_TEST(every_fact_has_a_value_and_a_name_of_its_own)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const struct sweep sweep = {.text = "abc", .text_size = 3};
    const struct plan plan = {.count = 0};
    const struct provenance *facts;
    const struct provenance *again;
    size_t count;
    bool seen = false;
    assert_ok(provenance_collect(&sweep, &plan, &arena, &facts, &count, &err), err);
    assert_ok(provenance_collect(&sweep, &plan, &arena, &again, &count, &err), err);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_ne(facts[i].value, "");
        ck_assert_str_eq(facts[i].value, again[i].value);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(facts[i].name, facts[j].name);
        }
        if (strcmp(facts[i].name, "sweep_sha256") == 0) {
            /* printf abc | sha256sum */
            ck_assert_str_eq(facts[i].value,
                             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
            seen = true;
        }
    }
    ck_assert(seen);
    arena_release(&arena);
}
END_TEST

/* The value of the fact "blas" for a plan of two runs. */
static const char *blas_of(const struct run *first, const struct run *second, struct arena *arena)
{
    struct error err = ERROR_INIT;
    const struct sweep sweep = {.text = "abc", .text_size = 3};
    struct plan plan = {.count = 2};
    const struct provenance *facts;
    size_t count;
    run_list_init(&plan.runs, arena);
    assert_ok(run_list_append(&plan.runs, first, &err), err);
    assert_ok(run_list_append(&plan.runs, second, &err), err);
    assert_ok(provenance_collect(&sweep, &plan, arena, &facts, &count, &err), err);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(facts[i].name, "blas") == 0) {
            return facts[i].value;
        }
    }
    return "";
}

START_TEST(blas_is_named_where_a_run_uses_it)
{
    struct arena arena = {NULL};
    struct run gaussian = run_default();
    gaussian.source = SOURCE_GAUSSIAN;
    struct run learned = run_default();
    learned.source = SOURCE_CORPUS;
    learned.learner = LEARNER_SGNS;
    ck_assert_str_eq(blas_of(&gaussian, &learned, &arena), "not used");
    learned.learner = LEARNER_PPMI_SVD;
    ck_assert(strncmp(blas_of(&gaussian, &learned, &arena), "OpenBLAS 0.", 11) == 0);
    struct run collapsed = gaussian;
    collapsed.draw = DRAW_COLLAPSED;
    ck_assert(strncmp(blas_of(&gaussian, &collapsed, &arena), "OpenBLAS 0.", 11) == 0);
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("provenance");
    TCase *tests = tcase_create("provenance");
    tcase_add_test(tests, only_a_clean_commit_names_the_source);
    tcase_add_test(tests, every_fact_has_a_value_and_a_name_of_its_own);
    tcase_add_test(tests, blas_is_named_where_a_run_uses_it);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
