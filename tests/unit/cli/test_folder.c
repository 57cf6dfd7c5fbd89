/* SPDX-License-Identifier: MIT */
/* Tests src/cli/folder.c: reading a plan. Folders that freeze.c writes, and their parts, are in
 * tests/cli/submit.sh. */
#include "cli/folder.h"
#include "arena_fixture.h"

#include <string.h>
#include <sys/stat.h>

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD                                                                                       \
    "rowmax plan 1\nversion " ROWMAX_VERSION "\nplan_sha256 " DIGEST                               \
    "\nruns 7\nshards 3\nset d_k=[8, 16]\nset name=\"a b\"\n"
#define SHARDS "shard 0 1.5 3 0,2-3\nshard 1 2 4 1,4-6\nshard 2 0 0 -\n"

static const struct folder *read(const char *plan)
{
    const char *path = support_path("exp");
    mkdir(path, 0777);
    support_file("exp/plan", plan, strlen(plan));
    return folder_read(path, &arena, &err);
}

START_TEST(a_plan_gives_every_run_its_shard)
{
    static const uint32_t owners[7] = {0, 1, 0, 0, 1, 1, 1};
    const struct folder *folder = read(HEAD SHARDS);
    ck_assert_msg(folder != NULL, "%s", err.message);
    ck_assert_uint_eq(folder->runs, 7);
    ck_assert_uint_eq(folder->shard_count, 3);
    ck_assert_mem_eq(folder->owners, owners, sizeof owners);
    ck_assert_uint_eq(folder->shards[1].runs, 4);
    assert_near(folder->shards[0].seconds, 1.5, 0);
    ck_assert_uint_eq(folder->shards[2].runs, 0);
    ck_assert_str_eq(folder->digest, DIGEST);
    ck_assert_uint_eq(folder->set_count, 2);
    ck_assert_str_eq(folder->sets[0], "d_k=[8, 16]");
    ck_assert_str_eq(folder->sets[1], "name=\"a b\"");
}
END_TEST

START_TEST(names_in_the_folder_follow_the_shard)
{
    const struct folder *folder = read(HEAD SHARDS);
    ck_assert_ptr_nonnull(folder);
    const char *part = folder_part(folder, 2, &arena, &err);
    const char *end = strstr(part, "/exp/parts/part-00002.h5");
    ck_assert_ptr_nonnull(end);
    ck_assert_str_eq(end, "/exp/parts/part-00002.h5");
    ck_assert_ptr_nonnull(strstr(folder->merged, "/exp/sweep.h5"));
}
END_TEST

START_TEST(a_shard_of_no_runs_is_done_and_one_without_a_file_is_missing)
{
    struct part part;
    const struct folder *folder = read(HEAD SHARDS);
    ck_assert_ptr_nonnull(folder);
    assert_ok(folder_look(folder, 0, &part, &err), err);
    ck_assert_int_eq(part.state, PART_MISSING);
    assert_ok(folder_look(folder, 2, &part, &err), err);
    ck_assert_int_eq(part.state, PART_DONE);
    mkdir(support_path("exp/parts"), 0777);
    support_file("exp/parts/part-00000.h5.lock", "1\n", 2);
    assert_ok(folder_look(folder, 0, &part, &err), err);
    ck_assert_int_eq(part.state, PART_BUSY);
    support_file("exp/parts/part-00001.h5", "no HDF5", 7);
    assert_ok(folder_look(folder, 1, &part, &err), err);
    ck_assert_int_eq(part.state, PART_DAMAGED);
}
END_TEST

START_TEST(damage_is_found)
{
    static const char *const bad[] = {
        "", "rowmax plan 2\n", HEAD, ("rowmax plan 1\n" SHARDS), (HEAD SHARDS "noise\n"),
        (HEAD SHARDS "runs 8\n"),
        /* a shard too many, and one missing; a run too few, twice, of the wrong number, unknown;
         * and shards in another order */
        (HEAD SHARDS "shard 3 0 0 -\n"), (HEAD "shard 0 1.5 3 0,2-3\nshard 1 2 4 1,4-6\n"),
        (HEAD "shard 0 1.5 3 0,2-3\nshard 1 2 3 1,4-5\nshard 2 0 0 -\n"),
        (HEAD "shard 0 1.5 3 0,2-3\nshard 1 2 4 2,4-6\nshard 2 0 0 -\n"),
        (HEAD "shard 0 1.5 4 0,2-3\nshard 1 2 4 1,4-6\nshard 2 0 0 -\n"),
        (HEAD "shard 0 1.5 3 0,2-3\nshard 1 2 4 1,4-5,7\nshard 2 0 0 -\n"),
        (HEAD "shard 1 2 4 1,4-6\nshard 0 1.5 3 0,2-3\nshard 2 0 0 -\n")};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (struct error)ERROR_INIT;
        ck_assert_msg(read(bad[i]) == NULL, "plan %zu is taken", i);
        assert_error(err, ERROR_INPUT, "is damaged");
    }
}
END_TEST

START_TEST(another_version_is_named)
{
    ck_assert_ptr_null(read("rowmax plan 1\nversion 0.0.1\n"));
    assert_error(err, ERROR_INPUT, "was planned by rowmax 0.0.1");
    err = (struct error)ERROR_INIT;
    ck_assert_ptr_null(folder_read(support_folder(), &arena, &err));
    assert_error(err, ERROR_INPUT, "holds no plan");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("folder");
    TCase *cases = tcase_create("folder");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_plan_gives_every_run_its_shard);
    tcase_add_test(cases, names_in_the_folder_follow_the_shard);
    tcase_add_test(cases, a_shard_of_no_runs_is_done_and_one_without_a_file_is_missing);
    tcase_add_test(cases, damage_is_found);
    tcase_add_test(cases, another_version_is_named);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
