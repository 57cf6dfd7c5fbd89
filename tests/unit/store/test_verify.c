/* SPDX-License-Identifier: MIT */
/* Tests src/store/verify.c: what a good file holds, and one fault of each kind. */
#include "store_fixture.h"

#include "store/merge.h"
#include "store/verify.h"

#define RUNS 6

static struct result rows[RUNS + 1];
static struct provenance facts[3];
static char plan[HASH_HEX_SIZE];
static struct result_set set;
static struct verification found;
static struct error err;

/* A good set: six gaussian runs that differ in their seeds. */
static void set_up(void)
{
    uint64_t keys[RUNS];
    arena_set_up();
    err = (struct error)ERROR_INIT;
    for (size_t i = 0; i < RUNS; i++) {
        rows[i] = value_empty_result();
        rows[i].index = (int64_t)i;
        rows[i].run = run_default();
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.seed = (int64_t)i + 1;
        run_normalise(&rows[i].run);
        rows[i].key = keys[i] = run_key(&rows[i].run);
    }
    ck_assert(merge_plan_digest("good", keys, RUNS, plan, &err));
    facts[0] = (struct provenance){MERGE_PLAN, plan};
    /* printf 'rowmax: 1\n' | sha256sum */
    facts[1] = (struct provenance){
        "sweep_sha256", "f5bd35ec4dbaa7838da522eef03e42ce2a9e284417d627519497017e5cfd2702"};
    set = (struct result_set){.name = "good",
                              .title = "good",
                              .sweep_text = "rowmax: 1\n",
                              .planned = RUNS,
                              .provenance = facts,
                              .provenance_count = 2,
                              .whole = rows,
                              .count = RUNS};
}

static void verify(const char *name)
{
    struct store_found at_hand;
    struct store *store = fixture_open(name, true, &at_hand);
    assert_ok(store_save(store, &set, &err), err);
    store_close(store);
    assert_ok(verify_results(support_path(name), &arena, &found, &err), err);
}

static void assert_fault(const char *text)
{
    ck_assert_uint_eq(found.fault_count, 1);
    ck_assert_msg(strstr(found.faults[0], text) != NULL, "%s", found.faults[0]);
}

START_TEST(a_good_file_has_no_fault_and_no_note)
{
    verify("good.h5");
    ck_assert_msg(found.fault_count == 0, "%s", found.faults[0]);
    ck_assert_ptr_null(found.note);
}
END_TEST

START_TEST(a_missing_run_is_counted)
{
    set.count = RUNS - 2;
    verify("few.h5");
    assert_fault("2 of its 6 runs are missing");
}
END_TEST

START_TEST(a_shard_needs_its_own_runs_only)
{
    facts[2] = (struct provenance){MERGE_SHARD_RUNS, "4"};
    set.provenance_count = 3;
    set.count = 4;
    verify("shard.h5");
    ck_assert_uint_eq(found.fault_count, 0);
    facts[2].value = "5";
    verify("shard.h5");
    assert_fault("1 of its 5 runs are missing");
    facts[2].value = "7";
    verify("shard.h5");
    assert_fault("the number of runs of its shard is '7', of 6 planned");
}
END_TEST

START_TEST(a_run_outside_the_plan_is_no_fault)
{
    rows[RUNS] = rows[0];
    rows[RUNS].run.seed = 99;
    rows[RUNS].key = run_key(&rows[RUNS].run);
    rows[RUNS].index = -1;
    set.count = RUNS + 1;
    verify("outside.h5");
    ck_assert_uint_eq(found.fault_count, 0);
}
END_TEST

START_TEST(a_key_is_computed_again_from_the_fields)
{
    rows[2].run.seed = 77;
    verify("key.h5");
    assert_fault("row 2: its key");
}
END_TEST

START_TEST(a_row_that_is_there_twice_is_found_by_place_and_by_key)
{
    rows[3] = rows[2];
    verify("twice.h5");
    ck_assert_uint_eq(found.fault_count, 2);
    ck_assert_str_eq(found.faults[0], "row 3: run 2 is there twice");
    ck_assert(strstr(found.faults[1], "is there twice") != NULL);
}
END_TEST

START_TEST(places_are_in_order_and_within_the_plan)
{
    rows[5].index = 6;
    verify("place.h5");
    ck_assert_str_eq(found.faults[0], "row 5: run 6 of a plan of 6");
    rows[5].index = 3;
    verify("place.h5");
    ck_assert_str_eq(found.faults[0], "row 5: run 3 is out of order");
}
END_TEST

START_TEST(the_digests_of_sweep_and_plan_are_computed_again)
{
    set.sweep_text = "rowmax: 1 \n";
    verify("sweep.h5");
    assert_fault("does not match sweep_sha256");
    set.sweep_text = "rowmax: 1\n";
    set.name = "other";
    verify("plan.h5");
    assert_fault("its runs are not those of the plan");
}
END_TEST

START_TEST(many_faults_are_counted)
{
    struct result *many = arena_alloc(&arena, 50, sizeof *many, &err);
    for (size_t i = 0; i < 50; i++) {
        many[i] = rows[0];
        many[i].index = (int64_t)i;
        many[i].key = i;
    }
    set.whole = many;
    set.count = 50;
    set.planned = 50;
    verify("many.h5");
    ck_assert_uint_eq(found.fault_count, VERIFY_LISTED_MAX + 1);
    ck_assert_str_eq(found.faults[VERIFY_LISTED_MAX], "and 30 more rows of this kind");
}
END_TEST

START_TEST(bytes_behind_the_seal_are_noted_and_no_fault)
{
    size_t size;
    verify("behind.h5");
    char *bytes = fixture_bytes("behind.h5", &size);
    char *longer = arena_format(&arena, &err, "%*s", (int)size + 10, "");
    memcpy(longer, bytes, size);
    const char *path = support_file("behind.h5", longer, size + 10);
    assert_ok(verify_results(path, &arena, &found, &err), err);
    ck_assert_uint_eq(found.fault_count, 0);
    ck_assert_str_eq(found.note, "10 bytes behind the seal belong to nothing");
}
END_TEST

START_TEST(a_file_that_is_not_there_is_an_error)
{
    ck_assert(!verify_results(support_path("none.h5"), &arena, &found, &err));
    assert_error(err, ERROR_FILE, "none.h5");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *tests = tcase_create("verify");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_good_file_has_no_fault_and_no_note);
    tcase_add_test(tests, a_missing_run_is_counted);
    tcase_add_test(tests, a_shard_needs_its_own_runs_only);
    tcase_add_test(tests, a_run_outside_the_plan_is_no_fault);
    tcase_add_test(tests, a_key_is_computed_again_from_the_fields);
    tcase_add_test(tests, a_row_that_is_there_twice_is_found_by_place_and_by_key);
    tcase_add_test(tests, places_are_in_order_and_within_the_plan);
    tcase_add_test(tests, the_digests_of_sweep_and_plan_are_computed_again);
    tcase_add_test(tests, many_faults_are_counted);
    tcase_add_test(tests, bytes_behind_the_seal_are_noted_and_no_fault);
    tcase_add_test(tests, a_file_that_is_not_there_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
