/* SPDX-License-Identifier: MIT */
/* store/merge, merge_parts and merge_missing: parts become the set of one process, or are refused
 * with the reason. */
#include "sample.h"
#include "bare_arena.h"

#include "store/merge.h"
#include "store/writer.h"

#define RUNS 20
#define PARTS_MAX 8
#define FACTS_MAX 8

static struct error err;
static struct result_set whole; /* as one process makes it */
static struct merge_part parts[PARTS_MAX];
static struct provenance facts[PARTS_MAX + 1][FACTS_MAX];
static struct merge_result merged;

static void fill_facts(struct result_set *set, struct provenance *list, const char *processor)
{
    uint64_t keys[RUNS];
    unsigned char keep[RUNS];
    char hex[HASH_HEX_SIZE];
    char kept[HASH_HEX_SIZE];
    for (size_t i = 0; i < RUNS; i++) {
        const struct kept *matrices = &row_at(&whole, i)->kept;
        keys[i] = row_at(&whole, i)->key;
        keep[i] = (unsigned char)((matrices->scores != NULL ? RESULT_SCORES : 0) |
                                  (matrices->weights != NULL ? RESULT_WEIGHTS : 0));
    }
    merge_keep_digest(keep, RUNS, kept);
    assert_ok(merge_plan_digest("sample", keys, RUNS, hex, &err), err);
    list[0] = (struct provenance){MERGE_VERSION, "0.1.0"};
    list[1] = (struct provenance){"sweep_sha256", "abc"};
    list[2] = (struct provenance){"processor", processor};
    list[3] = (struct provenance){MERGE_PLAN, arena_copy_text(&arena, hex, &err)};
    list[4] = (struct provenance){MERGE_KEEP, arena_copy_text(&arena, kept, &err)};
    set->provenance = list;
    set->provenance_count = 5;
}

static void set_up(void)
{
    arena_set_up();
    err = (struct error)ERROR_INIT;
    whole = sample_set_of(RUNS, &arena);
    fill_facts(&whole, facts[PARTS_MAX], "Zürich 9000");
}

static struct result *rows_of(struct merge_part *part)
{
    return (struct result *)(uintptr_t)part->set.whole;
}

/* Part `at` is shard `shard` of `shards`: every run of the plan whose number leaves that remainder.
 */
static void make_part(size_t at, size_t shard, size_t shards)
{
    struct merge_part *part = &parts[at];
    struct result *rows = arena_alloc(&arena, RUNS, sizeof *rows, &err);
    ck_assert(rows != NULL);
    part->path = sample_text(&arena, "part", at);
    part->set = whole;
    part->set.whole = rows;
    part->set.count = 0;
    for (size_t i = shard; i < RUNS; i += shards) {
        rows[part->set.count++] = *row_at(&whole, i);
    }
    fill_facts(&part->set, facts[at], "Zürich 9000");
    facts[at][5] =
        (struct provenance){MERGE_SHARD, arena_format(&arena, &err, "%zu/%zu", shard, shards)};
    facts[at][6] =
        (struct provenance){MERGE_SHARD_RUNS, arena_format(&arena, &err, "%zu", part->set.count)};
    part->set.provenance_count = 7;
}

static bool merge(size_t count, bool partial)
{
    err = (struct error)ERROR_INIT;
    return merge_parts(parts, count, "0.1.0", partial, &arena, &merged, &err);
}

#define assert_refused(count, text)                                                                \
    do {                                                                                           \
        ck_assert(!merge(count, false));                                                           \
        assert_error(err, ERROR_INPUT, text);                                                      \
    } while (0)

START_TEST(any_division_in_any_order_gives_the_bytes_of_one_process)
{
    const void *wanted;
    const void *got;
    size_t wanted_size;
    size_t size;
    assert_ok(writer_image(&whole, &arena, &wanted, &wanted_size, &err), err);
    for (size_t shards = 1; shards <= 7; shards++) {
        for (size_t turn = 0; turn < 3; turn++) {
            for (size_t i = 0; i < shards; i++) {
                /* In order, backwards, and from the middle on. */
                size_t shard = turn == 1 ? shards - 1 - i : (i + turn * shards / 4) % shards;
                make_part(i, shard, shards);
            }
            assert_ok(merge(shards, false), err);
            ck_assert_ptr_null(merged.missing);
            ck_assert_ptr_null(merged.differing);
            ck_assert_uint_eq(merged.duplicates, 0);
            assert_ok(writer_image(&merged.set, &arena, &got, &size, &err), err);
            ck_assert_uint_eq(size, wanted_size);
            ck_assert_mem_eq(got, wanted, size);
        }
    }
}
END_TEST

START_TEST(missing_shards_are_named_for_resubmission)
{
    make_part(0, 1, 7);
    make_part(1, 5, 7);
    /* Runs 1, 8, 15 and 5, 12, 19 are there. */
    assert_refused(2, "14 of 20 runs are missing; run again --shard I/7 for I = 0,2-4,6");
    /* A shard that was killed is missing, too, and only its runs are. */
    for (size_t i = 0; i < 7; i++) {
        make_part(i, i, 7);
    }
    parts[4].set.count = 2;
    assert_refused(7, "1 of 20 runs are missing; run again --shard I/7 for I = 4; or merge");
}
END_TEST

START_TEST(parts_of_two_divisions_name_the_missing_runs)
{
    make_part(0, 0, 2);
    make_part(1, 1, 4);
    /* All even ones, and 1, 5, 9, 13, 17. */
    assert_refused(2, "5 of 20 runs are missing: 3,7,11,15,19;");
}
END_TEST

START_TEST(partial_merges_what_there_is_and_keeps_the_number_of_planned_runs)
{
    make_part(0, 2, 3);
    assert_ok(merge(1, true), err);
    ck_assert_uint_eq(merged.set.count, 6);
    ck_assert_int_eq(merged.set.planned, RUNS);
    ck_assert_int_eq(row_at(&merged.set, 1)->index, 5);
    ck_assert_ptr_nonnull(strstr(merged.missing, "14 of 20 runs are missing"));
    ck_assert_ptr_null(result_fact(&merged.set, MERGE_SHARD));
    ck_assert_ptr_null(result_fact(&merged.set, MERGE_SHARD_RUNS));
}
END_TEST

START_TEST(equal_duplicates_are_counted_and_differing_ones_refused_with_both_names)
{
    make_part(0, 0, 1);
    make_part(1, 1, 3);
    assert_ok(merge(2, false), err);
    ck_assert_uint_eq(merged.duplicates, 7);
    ck_assert_uint_eq(merged.set.count, RUNS);
    /* The last bit of one number. */
    struct result *row = &rows_of(&parts[1])[2];
    row->measurement.row_max_mean = 0.5;
    rows_of(&parts[0])[7].measurement.row_max_mean = nextafter(0.5, 1);
    assert_refused(2, "run 7 has other values in 'part 1' than in 'part 0'");
}
END_TEST

START_TEST(other_versions_and_parts_without_a_plan_are_refused)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    facts[1][0].value = "0.2.0";
    assert_refused(2, "'part 1' was made by rowmax 0.2.0, and this is 0.1.0");
    facts[1][0] = (struct provenance){"other", "fact"};
    assert_refused(2, "'part 1' was made by rowmax of no stated version");
    facts[1][0] = facts[0][0];
    facts[1][3] = facts[1][1];
    assert_refused(2, "'part 1' does not say which plan its runs are of");
}
END_TEST

START_TEST(another_sweep_is_refused_with_what_differs)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    facts[1][3].value = "another";
    parts[1].set.name = "other";
    assert_refused(2, "'part 1' is of the sweep 'other', and 'part 0' of 'sample'");
    parts[1].set.name = "sample";
    parts[1].set.planned = 24;
    assert_refused(2, "its plan has 24 runs, that one 20");
    parts[1].set.planned = RUNS;
    for (size_t i = 0; i < parts[0].set.count; i++) {
        rows_of(&parts[0])[i].run.corpus = "here";
        rows_of(&parts[0])[i].run.corpus_digest = "a";
    }
    for (size_t i = 0; i < parts[1].set.count; i++) {
        rows_of(&parts[1])[i].run.corpus = "there";
        rows_of(&parts[1])[i].run.corpus_digest = "b";
    }
    assert_refused(2, "'part 1' is of another sweep than 'part 0': their runs differ");
    rows_of(&parts[1])[4].run.corpus = "here";
    assert_refused(2, "the content of 'here' in 'part 1' is another than in 'part 0'");
}
END_TEST

START_TEST(runs_that_are_not_the_plans_are_found_by_its_digest)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    rows_of(&parts[1])[3].key ^= 1;
    assert_refused(2, "the runs of the parts are not those of the plan they name");
    rows_of(&parts[1])[3].index = RUNS;
    assert_refused(2, "'part 1' has a run 20, and its sweep plans 20");
}
END_TEST

START_TEST(runs_that_the_plan_no_longer_holds_stay_in_the_parts)
{
    make_part(0, 0, 1);
    struct result *rows = rows_of(&parts[0]);
    struct result *longer = arena_alloc(&arena, RUNS + 1, sizeof *longer, &err);
    memcpy(longer, rows, RUNS * sizeof *rows);
    longer[RUNS] = sample_result(99, &arena);
    longer[RUNS].index = -1;
    parts[0].set.whole = longer;
    parts[0].set.count = RUNS + 1;
    assert_ok(merge(1, false), err);
    ck_assert_uint_eq(merged.set.count, RUNS);
    ck_assert_uint_eq(merged.outside, 1);
}
END_TEST

START_TEST(facts_in_which_parts_differ_are_listed_in_one_order)
{
    for (size_t turn = 0; turn < 2; turn++) {
        make_part(0, 0, 2);
        make_part(1, 1, 2);
        facts[turn][2].value = "Xeon";
        facts[1 - turn][2].value = "EPYC";
        assert_ok(merge(2, false), err);
        ck_assert_str_eq(merged.differing, "processor");
        ck_assert_str_eq(result_fact(&merged.set, "processor"), "EPYC | Xeon");
    }
}
END_TEST

START_TEST(commits_of_one_version_are_told_by_themselves)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    facts[0][2] = (struct provenance){MERGE_COMMIT, "b00000000000"};
    facts[1][2] = (struct provenance){MERGE_COMMIT, "a00000000000"};
    assert_ok(merge(2, false), err);
    ck_assert_str_eq(merged.commits, "a00000000000 | b00000000000");
    ck_assert_ptr_null(merged.differing);
    ck_assert_str_eq(result_fact(&merged.set, MERGE_COMMIT), merged.commits);
    facts[1][2].value = "b00000000000";
    assert_ok(merge(2, false), err);
    ck_assert_ptr_null(merged.commits);
}
END_TEST

/* All runs succeed, and the one returned has lost its matrices. */
static struct result *lose_matrices(size_t count)
{
    struct result *loser = NULL;
    for (size_t part = 0; part < count; part++) {
        for (size_t i = 0; i < parts[part].set.count; i++) {
            struct result *row = &rows_of(&parts[part])[i];
            row->status = RESULT_OK;
            loser = row->kept.scores != NULL ? row : loser;
        }
    }
    ck_assert_ptr_nonnull(loser);
    loser->kept.scores = loser->kept.weights = NULL;
    return loser;
}

START_TEST(parts_that_keep_other_matrices_are_refused)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    const char *kept = facts[1][4].value;
    facts[1][4].value = "other";
    assert_refused(2, "'part 1' keeps other matrices than 'part 0'");
    facts[1][4] = facts[1][1];
    assert_refused(2, "'part 1' keeps other matrices than 'part 0'");
    facts[1][4] = (struct provenance){MERGE_KEEP, kept};
    /* Both parts say the same, and one run that has not failed lacks a matrix. */
    struct result *row = lose_matrices(2);
    assert_refused(2, "the parts lack matrices that their sweep keeps");
    /* Neither says of which runs: as an older version wrote them. */
    const struct provenance stated = facts[0][4];
    facts[0][4] = facts[1][4] = facts[1][1];
    assert_refused(2,
                   "the parts have matrices and do not say of which runs their sweep keeps them");
    facts[0][4] = facts[1][4] = stated;
    row->status = RESULT_FAILED;
    assert_ok(merge(2, false), err);
}
END_TEST

START_TEST(parts_that_store_other_measures_are_refused)
{
    make_part(0, 0, 2);
    make_part(1, 1, 2);
    parts[1].set.lacking = UINT64_C(1) << MEASURE_ENTROPY_MEAN;
    assert_refused(2, "'part 1' does not hold the measure 'entropy_mean', which 'part 0' does");
    parts[0].set.lacking = parts[1].set.lacking;
    parts[1].set.lacking = 0;
    assert_refused(2, "'part 0' does not hold the measure 'entropy_mean', which 'part 1' does");
    parts[1].set.lacking = parts[0].set.lacking;
    assert_ok(merge(2, false), err);
}
END_TEST

START_TEST(of_several_spellings_of_one_plan_the_same_is_kept_whatever_the_order)
{
    for (size_t turn = 0; turn < 2; turn++) {
        make_part(0, 0, 2);
        make_part(1, 1, 2);
        parts[turn].set.sweep_text = "b";
        facts[turn][1].value = "of b";
        parts[1 - turn].set.sweep_text = "a";
        facts[1 - turn][1].value = "of a";
        assert_ok(merge(2, false), err);
        ck_assert_uint_eq(merged.spellings, 2);
        ck_assert_str_eq(merged.set.sweep_text, "a");
        ck_assert_str_eq(result_fact(&merged.set, "sweep_sha256"), "of a");
        ck_assert_ptr_null(merged.differing);
    }
}
END_TEST

START_TEST(hostile_facts_and_sizes_are_errors)
{
    make_part(0, 0, 2);
    facts[0][5].value = "x";
    facts[0][6].value = "";
    assert_refused(1, "10 of 20 runs are missing: 1,3,5");
    facts[0][5].value = "7/3";
    assert_refused(1, "10 of 20 runs are missing: 1,3,5");
    facts[0][5].value = "-1/99999999999999999999";
    assert_refused(1, "10 of 20 runs are missing: 1,3,5");
    parts[0].set.planned = INT64_MAX;
    assert_refused(1, "more than any sweep has");
    parts[0].set.planned = -1;
    assert_refused(1, "more than any sweep has");
}
END_TEST

static Suite *merge_suite(void)
{
    Suite *suite = suite_create("store/merge");
    TCase *cases = tcase_create("merge");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, any_division_in_any_order_gives_the_bytes_of_one_process);
    tcase_add_test(cases, missing_shards_are_named_for_resubmission);
    tcase_add_test(cases, parts_of_two_divisions_name_the_missing_runs);
    tcase_add_test(cases, partial_merges_what_there_is_and_keeps_the_number_of_planned_runs);
    tcase_add_test(cases, equal_duplicates_are_counted_and_differing_ones_refused_with_both_names);
    tcase_add_test(cases, other_versions_and_parts_without_a_plan_are_refused);
    tcase_add_test(cases, another_sweep_is_refused_with_what_differs);
    tcase_add_test(cases, runs_that_are_not_the_plans_are_found_by_its_digest);
    tcase_add_test(cases, runs_that_the_plan_no_longer_holds_stay_in_the_parts);
    tcase_add_test(cases, facts_in_which_parts_differ_are_listed_in_one_order);
    tcase_add_test(cases, commits_of_one_version_are_told_by_themselves);
    tcase_add_test(cases, parts_that_keep_other_matrices_are_refused);
    tcase_add_test(cases, parts_that_store_other_measures_are_refused);
    tcase_add_test(cases, of_several_spellings_of_one_plan_the_same_is_kept_whatever_the_order);
    tcase_add_test(cases, hostile_facts_and_sizes_are_errors);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(merge_suite());
}
