/* SPDX-License-Identifier: MIT */
/* run/run_list and the keys of lists: runs come back as they were put in, and their keys are those
 * that they have alone. */
#include "run/run_list.h"

#include "support.h"

#include <string.h>

static struct arena arena;
static struct error err;
static struct run_list list;

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    run_list_init(&list, &arena);
}

static void tear_down(void)
{
    arena_release(&arena);
}

static void append(const struct run *run)
{
    assert_ok(run_list_append(&list, run, &err), err);
}

static void assert_run(size_t place, const struct run *wanted)
{
    struct run run;
    run_list_get(&list, place, &run);
    ck_assert_uint_eq(run.given, wanted->given);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        ck_assert_msg(field_value_equal(field, &run, wanted), "%s of run %zu", field->name, place);
        ck_assert(field_member_equal(field, run_list_at(&list, place, i),
                                     (const char *)wanted + field->offset));
        if (field->kind == FIELD_PATH) {
            const char *digest;
            memcpy((void *)&digest, (const char *)&run + field->digest, sizeof digest);
            const char *other;
            memcpy((void *)&other, (const char *)wanted + field->digest, sizeof other);
            ck_assert_ptr_eq(digest, other);
        }
    }
}

/* Another value than the default's. */
static void change(struct run *run, size_t index)
{
    const struct field *field = &run_fields[index];
    char *member = (char *)run + field->offset;
    int64_t integer = INT64_MIN + 1;
    double real = -1.5e-300;
    const char *text = "grün";
    const char *digest = "00ff";
    int choice;
    switch (field->kind) {
    case FIELD_INTEGER:
        memcpy(member, &integer, sizeof integer);
        break;
    case FIELD_REAL:
        memcpy(member, &real, sizeof real);
        break;
    case FIELD_SWITCH:
        *(bool *)member = !*(bool *)member;
        break;
    case FIELD_CHOICE:
        choice = *(int *)member == 0 ? 1 : 0;
        memcpy(member, &choice, sizeof choice);
        break;
    case FIELD_TEXT:
    case FIELD_ROWS:
        memcpy(member, (const void *)&text, sizeof text);
        break;
    case FIELD_PATH:
        memcpy(member, (const void *)&text, sizeof text);
        memcpy((char *)run + field->digest, (const void *)&digest, sizeof digest);
        break;
    }
    run->given |= UINT64_C(1) << index;
}

START_TEST(runs_that_differ_in_any_one_field_come_back)
{
    const struct run plain = run_default();
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        run_list_init(&list, &arena);
        struct run other = plain;
        change(&other, i);
        append(&plain);
        append(&plain);
        append(&other);
        append(&plain);
        ck_assert(!run_list_shares(&list, i));
        ck_assert(!run_list_shares(&list, RUN_LIST_GIVEN));
        for (size_t place = 0; place < 4; place++) {
            assert_run(place, place == 2 ? &other : &plain);
        }
    }
}
END_TEST

START_TEST(fields_may_begin_to_vary_one_after_the_other)
{
    struct run runs[RUN_FIELD_COUNT + 1];
    runs[0] = run_default();
    append(&runs[0]);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        runs[i + 1] = runs[i];
        change(&runs[i + 1], i);
        append(&runs[i + 1]);
    }
    for (size_t i = 0; i <= RUN_FIELD_COUNT; i++) {
        assert_run(i, &runs[i]);
    }
}
END_TEST

START_TEST(a_list_of_seeds_keeps_one_column)
{
    enum { COUNT = 10000 };
    struct run run = run_default();
    char copies[2][8] = {"the cat", "the cat"};
    assert_ok(run_list_reserve(&list, COUNT, &err), err);
    for (int64_t i = 0; i < COUNT; i++) {
        run.seed = i;
        run.sentence = copies[i % 2]; /* a text in two places is one text */
        append(&run);
    }
    ck_assert_uint_eq(list.varying_count, 1);
    ck_assert_uint_eq(list.varying[0], RUN_SEED);
    ck_assert_uint_eq(list.capacity, COUNT);
    run_list_get(&list, 4321, &run);
    ck_assert_int_eq(run.seed, 4321);
    ck_assert_str_eq(run.sentence, "the cat");
}
END_TEST

START_TEST(what_is_set_later_varies_until_all_have_it)
{
    struct run run = run_default();
    for (int64_t i = 0; i < 20; i++) {
        run.seed = i;
        append(&run);
    }
    for (size_t i = 0; i < 20; i++) {
        run_list_get(&list, i, &run);
        run.corpus_digest = "ab12";
        assert_ok(run_list_set(&list, i, &run, &err), err);
        assert_run(i, &run);
        run_list_settle(&list);
        bool all = i == 19;
        ck_assert_int_eq(run_list_shares(&list, run_list_digest(RUN_CORPUS)), all);
    }
    run_list_get(&list, 7, &run);
    ck_assert_str_eq(run.corpus_digest, "ab12");
    ck_assert_int_eq(run.seed, 7);
}
END_TEST

START_TEST(runs_move_down_and_the_rest_is_cut)
{
    struct run run = run_default();
    for (int64_t i = 0; i < 9; i++) {
        run.seed = i;
        append(&run);
    }
    run_list_move(&list, 1, 5);
    run_list_cut(&list, 2);
    ck_assert_uint_eq(list.count, 2);
    run_list_get(&list, 1, &run);
    ck_assert_int_eq(run.seed, 5);
    run.seed = 77;
    append(&run);
    assert_run(2, &run);
}
END_TEST

/* Sources and learners with defaults of their own, and values that mean nothing to some. */
static struct run mixed(size_t i)
{
    static const double reals[] = {0.75, 0.5, 1e-7, 0.75};
    struct run run = run_default();
    run.source = (int)(i % (SOURCE_SCORES + 1));
    run.learner = (int)(i / 4 % (LEARNER_GLOVE + 1));
    run.given = UINT64_C(1) << RUN_SOURCE;
    run.seed = i % 5 == 0 ? -(int64_t)i : (int64_t)i * 1000003;
    run.power = reals[i % 4];
    run.input_spread = i % 7 == 0 ? -0.0 : reals[i % 3];
    run.norm = (int)(i % 2);
    run.stabilise = i % 3 != 0;
    run.sentence = i % 2 == 0 ? "a\nseed=1:2" : "größe";
    run.scores = "1,2;3,4";
    run.corpus = i % 2 == 0 ? "one" : "two";
    run.corpus_digest = i % 2 == 0 ? "00ff" : "00fe";
    run.x = "x.npy";
    run.x_digest = "abcd";
    return run;
}

START_TEST(the_keys_of_a_list_are_those_of_its_runs)
{
    enum { COUNT = 500 };
    uint64_t keys[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        struct run run = mixed(i);
        run_normalise(&run);
        append(&run);
    }
    assert_ok(run_list_keys(&list, keys, &err), err);
    for (size_t i = 0; i < COUNT; i++) {
        struct run run;
        run_list_get(&list, i, &run);
        ck_assert_msg(keys[i] == run_key(&run), "run %zu", i);
    }
}
END_TEST

/* SHA-256 of the canonical text, by sha256sum:
 * printf 'rowmax run 1\nsource=8:gaussian\ntokens=1:4\nd_model=1:4\nd_k=1:4\nseed=6:123456\n' */
START_TEST(the_keys_of_known_runs_stay)
{
    uint64_t keys[2];
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = run.d_model = run.d_k = 4;
    run.seed = 123456;
    run_normalise(&run);
    append(&run);
    run.seed = 7;
    append(&run);
    assert_ok(run_list_keys(&list, keys, &err), err);
    ck_assert_uint_eq(keys[0], UINT64_C(0x8186988898a1ac22));
    ck_assert_uint_eq(keys[1], UINT64_C(0x852a01158ee25f29));
}
END_TEST

START_TEST(a_list_is_normalised_as_its_runs_are)
{
    enum { COUNT = 200 };
    static struct run wanted[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        wanted[i] = mixed(i);
        append(&wanted[i]);
        run_normalise(&wanted[i]);
    }
    assert_ok(run_list_normalise(&list, &err), err);
    for (size_t i = 0; i < COUNT; i++) {
        assert_run(i, &wanted[i]);
    }
}
END_TEST

/* Only seeds that are given vary, so that one run speaks for all; the corpus has no meaning. */
START_TEST(a_list_of_seeds_is_normalised_at_once)
{
    struct run wanted[3];
    for (size_t i = 0; i < 3; i++) {
        wanted[i] = run_default();
        wanted[i].source = SOURCE_GAUSSIAN;
        wanted[i].corpus = "left over";
        wanted[i].seed = (int64_t)i;
        wanted[i].given = UINT64_C(1) << RUN_SEED | UINT64_C(1) << RUN_CORPUS;
        append(&wanted[i]);
        run_normalise(&wanted[i]);
    }
    assert_ok(run_list_normalise(&list, &err), err);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_ptr_null(wanted[i].corpus);
        assert_run(i, &wanted[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run/run_list");
    TCase *tests = tcase_create("run_list");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, runs_that_differ_in_any_one_field_come_back);
    tcase_add_test(tests, fields_may_begin_to_vary_one_after_the_other);
    tcase_add_test(tests, a_list_of_seeds_keeps_one_column);
    tcase_add_test(tests, what_is_set_later_varies_until_all_have_it);
    tcase_add_test(tests, runs_move_down_and_the_rest_is_cut);
    tcase_add_test(tests, the_keys_of_a_list_are_those_of_its_runs);
    tcase_add_test(tests, the_keys_of_known_runs_stay);
    tcase_add_test(tests, a_list_is_normalised_as_its_runs_are);
    tcase_add_test(tests, a_list_of_seeds_is_normalised_at_once);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
