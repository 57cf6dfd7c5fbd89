/* SPDX-License-Identifier: MIT */
/* Tests src/cli/slurm.c and slurm_scripts.c, with a squeue and an scontrol that say what they are
 * told. */
#include "cli/slurm.h"
#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Puts a program on the path that prints `says` and ends with `status`. */
static void play(const char *name, const char *says, int status)
{
    char script[1024];
    char path[4096];
    snprintf(script, sizeof script, "#!/bin/sh\ncat <<'EOT'\n%s\nEOT\nexit %d\n", says, status);
    const char *file = support_file(name, script, strlen(script));
    ck_assert_int_eq(chmod(file, 0755), 0);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", support_folder());
    setenv("PATH", path, 1);
}

static const struct slurm_job two[] = {{"41", "42", "0-3"}, {"51", "-", "2"}};

START_TEST(answers_are_put_to_shards_and_the_merge)
{
    const struct folder folder = {.path = "exp", .shard_count = 4};
    struct slurm_task tasks[5] = {{NULL, NULL, NULL}};
    play("squeue",
         "41_0|RUNNING|n1\n41_2|CANCELLED|n2\n51_2|PENDING|(Priority)\n42|PENDING|(Dependency)\n"
         "410_1|RUNNING|n3\n41_9|RUNNING|n4\nsqueue: warning",
         0);
    ck_assert(slurm_ask(&folder, two, 2, tasks, &arena));
    ck_assert_str_eq(tasks[0].state, "RUNNING");
    ck_assert_str_eq(tasks[0].detail, "n1");
    ck_assert_ptr_null(tasks[1].state);
    ck_assert_str_eq(tasks[2].job, "51_2");
    ck_assert_str_eq(tasks[2].detail, "(Priority)");
    ck_assert_ptr_null(tasks[3].state);
    ck_assert_str_eq(tasks[4].job, "42");
}
END_TEST

START_TEST(a_job_at_work_has_the_word_over_one_that_ended)
{
    const struct folder folder = {.path = "exp", .shard_count = 4};
    struct slurm_task tasks[5] = {{NULL, NULL, NULL}};
    play("squeue", "41_2|RUNNING|n1\n51_2|CANCELLED|n2", 0);
    ck_assert(slurm_ask(&folder, two, 2, tasks, &arena));
    ck_assert_str_eq(tasks[2].job, "41_2");
}
END_TEST

START_TEST(accounting_tells_of_jobs_that_squeue_has_forgotten)
{
    const struct folder folder = {.path = "exp", .shard_count = 4};
    struct slurm_task tasks[5] = {{NULL, NULL, NULL}};
    play("squeue", "41_0|RUNNING|n1", 0);
    play("sacct",
         "41_0|FAILED|n9\n41_1|CANCELLED by 1000|None assigned\n41_2|RUNNING|n2\n"
         "41_[3]|PENDING|\n42|COMPLETED|n3",
         0);
    ck_assert(slurm_ask(&folder, two, 2, tasks, &arena));
    ck_assert_str_eq(tasks[0].state, "RUNNING");
    ck_assert_str_eq(tasks[1].state, "CANCELLED");
    /* squeue knows nothing of it: its end was lost. */
    ck_assert_ptr_null(tasks[2].state);
    ck_assert_ptr_null(tasks[3].state);
    ck_assert_str_eq(tasks[4].state, "COMPLETED");
    ck_assert_str_eq(tasks[4].detail, "n3");
    /* Where squeue does not answer, accounting is all there is. */
    struct slurm_task others[5] = {{NULL, NULL, NULL}};
    play("squeue", "slurm_load_jobs error: Invalid job id specified", 1);
    ck_assert(slurm_ask(&folder, two, 2, others, &arena));
    ck_assert_str_eq(others[0].state, "FAILED");
    ck_assert_str_eq(others[2].state, "RUNNING");
}
END_TEST

START_TEST(a_cluster_without_accounting_is_asked_in_vain)
{
    const struct folder folder = {.path = "exp", .shard_count = 4};
    struct slurm_task tasks[5] = {{NULL, NULL, NULL}};
    play("squeue", "41_0|RUNNING|n1", 0);
    play("sacct", "Slurm accounting storage is disabled", 1);
    ck_assert(slurm_ask(&folder, two, 2, tasks, &arena));
    ck_assert_str_eq(tasks[0].state, "RUNNING");
    ck_assert_ptr_null(tasks[1].state);
    /* Neither knows the jobs. */
    play("squeue", "slurm_load_jobs error: Invalid job id specified", 1);
    play("sacct", "", 0);
    ck_assert(!slurm_ask(&folder, two, 2, tasks, &arena));
}
END_TEST

START_TEST(no_answer_is_no_error)
{
    const struct folder folder = {.path = "exp", .shard_count = 4};
    struct slurm_task tasks[5] = {{NULL, NULL, NULL}};
    play("squeue", "slurm_load_jobs error: Unable to contact slurm controller", 1);
    ck_assert(!slurm_ask(&folder, two, 2, tasks, &arena));
    setenv("PATH", "/nowhere", 1);
    ck_assert(!slurm_ask(&folder, two, 2, tasks, &arena));
    ck_assert(!slurm_ask(&folder, two, 0, tasks, &arena));
    ck_assert_uint_eq(slurm_array_limit(&arena), 0);
}
END_TEST

START_TEST(the_limit_of_arrays_is_read)
{
    play("scontrol", "LogTimeFormat           = iso8601\nMaxArraySize            = 1001\nX = 7", 0);
    ck_assert_uint_eq(slurm_array_limit(&arena), 1001);
    play("scontrol", "nothing of the kind", 0);
    ck_assert_uint_eq(slurm_array_limit(&arena), 0);
}
END_TEST

START_TEST(noted_jobs_are_read_and_damage_is_named)
{
    const struct folder folder = {.path = support_folder(), .shard_count = 4};
    size_t count = 7;
    ck_assert_ptr_nonnull(slurm_jobs(&folder, &arena, &count, &err));
    ck_assert_uint_eq(count, 0);
    mkdir(support_path("slurm"), 0777);
    support_file("slurm/jobs", "41 42 0-3\n51 - 2\n", 17);
    const struct slurm_job *jobs = slurm_jobs(&folder, &arena, &count, &err);
    ck_assert_ptr_nonnull(jobs);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(jobs[0].merge, "42");
    ck_assert_str_eq(jobs[1].array, "51");
    support_file("slurm/jobs", "41 --all 0-3\n", 13);
    ck_assert_ptr_null(slurm_jobs(&folder, &arena, &count, &err));
    assert_error(err, ERROR_INPUT, "is damaged");
}
END_TEST

START_TEST(states_with_work_to_come_are_active)
{
    ck_assert(slurm_is_active("PENDING"));
    ck_assert(slurm_is_active("COMPLETING"));
    ck_assert(slurm_is_active("SUSPENDED"));
    ck_assert(!slurm_is_active("COMPLETED"));
    ck_assert(!slurm_is_active("NODE_FAIL"));
    ck_assert(!slurm_is_active(""));
}
END_TEST

START_TEST(scripts_quote_names_and_put_the_users_lines_last)
{
    const char *lines[] = {"--cpus-per-task=4"};
    const struct cluster_options options = {
        .minutes = 60, .partition = "short", .lines = lines, .line_count = 1};
    const char *script = slurm_shards_script("/it's/rowmax", "/a $b", 64, &options, &arena, &err);
    ck_assert_ptr_nonnull(script);
    ck_assert_ptr_nonnull(strstr(script, "\nrowmax='/it'\\''s/rowmax'\nfolder='/a $b'\n"));
    ck_assert_ptr_nonnull(strstr(script, "\nshards=64 "));
    const char *first = strstr(script, "#SBATCH --cpus-per-task=1\n");
    const char *last = strstr(script, "#SBATCH --cpus-per-task=4\n");
    ck_assert(first != NULL && last != NULL && first < last);
    /* These would requeue the whole array, or make a cancelled shard come back. */
    ck_assert_ptr_null(strstr(script, "requeue \"$SLURM_JOB_ID\""));
    ck_assert_ptr_null(strstr(script, "TERM@"));
    script = slurm_merge_script("/r", "/f", &options, &arena, &err);
    ck_assert_ptr_nonnull(script);
    ck_assert_ptr_nonnull(strstr(script, "#SBATCH --partition=short\n#SBATCH --time=60\n"));
    ck_assert_ptr_null(strstr(script, "--requeue"));
    ck_assert_ptr_nonnull(strstr(script, "report \"$folder/sweep.h5\" -o \"$folder/report\"\n"));
    const struct cluster_options bare = {.no_report = true};
    script = slurm_merge_script("/r", "/f", &bare, &arena, &err);
    ck_assert_ptr_nonnull(script);
    ck_assert_ptr_null(strstr(script, "report \"$folder"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slurm");
    TCase *cases = tcase_create("slurm");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, answers_are_put_to_shards_and_the_merge);
    tcase_add_test(cases, a_job_at_work_has_the_word_over_one_that_ended);
    tcase_add_test(cases, accounting_tells_of_jobs_that_squeue_has_forgotten);
    tcase_add_test(cases, a_cluster_without_accounting_is_asked_in_vain);
    tcase_add_test(cases, no_answer_is_no_error);
    tcase_add_test(cases, the_limit_of_arrays_is_read);
    tcase_add_test(cases, noted_jobs_are_read_and_damage_is_named);
    tcase_add_test(cases, states_with_work_to_come_are_active);
    tcase_add_test(cases, scripts_quote_names_and_put_the_users_lines_last);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
