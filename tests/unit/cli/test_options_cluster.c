/* SPDX-License-Identifier: MIT */
/* Tests src/cli/options_cluster.c: what may stand in a script that a shell and Slurm read. */
#include "cli/cli_internal.h"
#include "support.h"

START_TEST(words_need_no_quotes)
{
    struct cluster_options options = {0};
    ck_assert(options_cluster_take(OPTION_PARTITION, "short,long", &options));
    ck_assert_str_eq(options.partition, "short,long");
    ck_assert(options_cluster_take(OPTION_CONSTRAINT, "[rack1*2]&(intel|amd)", &options));
    ck_assert(options_cluster_take(OPTION_MEM, "2G", &options));
    ck_assert_str_eq(options.memory, "2G");
    static const char *const bad[] = {"",    "a b", "a\nb", "a'b",     "a\"b",
                                      "a#b", "$a",  "`a`",  "\xC3\xA4"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!options_cluster_take(OPTION_ACCOUNT, bad[i], &options), "'%s'", bad[i]);
    }
}
END_TEST

START_TEST(numbers_are_whole_and_positive)
{
    struct cluster_options options = {0};
    ck_assert(options_cluster_take(OPTION_TIME, "90", &options));
    ck_assert_uint_eq(options.minutes, 90);
    ck_assert(options_cluster_take(OPTION_SHARDS, "64", &options));
    ck_assert_uint_eq(options.shards, 64);
    static const char *const bad[] = {"0", "-1", "1:30:00", "1.5", "", "99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!options_cluster_take(OPTION_TIME, bad[i], &options), "'%s'", bad[i]);
        ck_assert_msg(!options_cluster_take(OPTION_THROTTLE, bad[i], &options), "'%s'", bad[i]);
    }
}
END_TEST

START_TEST(a_free_line_is_one_option)
{
    const char *lines[8];
    struct cluster_options options = {.lines = lines};
    ck_assert(options_cluster_take(OPTION_SBATCH_ARG, "--comment=\"two words\"", &options));
    ck_assert(options_cluster_take(OPTION_SBATCH_ARG, "-x n7", &options));
    ck_assert_uint_eq(options.line_count, 2);
    ck_assert_str_eq(options.lines[1], "-x n7");
    ck_assert(!options_cluster_take(OPTION_SBATCH_ARG, "rm -r", &options));
    ck_assert(!options_cluster_take(OPTION_SBATCH_ARG, "--nice\nrm -r", &options));
}
END_TEST

START_TEST(slurm_is_the_one_engine)
{
    struct cluster_options options = {0};
    ck_assert(!options_cluster_take(OPTION_ENGINE, "pbs", &options));
    ck_assert(options_cluster_take(OPTION_ENGINE, "slurm", &options));
    ck_assert(options.engine);
    ck_assert(options_cluster_take(OPTION_WAIT, NULL, &options));
    ck_assert(options.wait && !options.missing && !options.allow_local);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options_cluster");
    TCase *cases = tcase_create("options_cluster");
    tcase_add_test(cases, words_need_no_quotes);
    tcase_add_test(cases, numbers_are_whole_and_positive);
    tcase_add_test(cases, a_free_line_is_one_option);
    tcase_add_test(cases, slurm_is_the_one_engine);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
