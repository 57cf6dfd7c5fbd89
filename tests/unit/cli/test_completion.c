/* SPDX-License-Identifier: MIT */
/* What shells are offered is what the program takes. */
#include "cli/completion.h"

#include "run/fields.h"
#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>

static const struct option_row *row_of(uint64_t bit)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    while (count > 0 && rows->bit != bit) {
        rows++;
        count--;
    }
    ck_assert_uint_gt(count, 0);
    return rows;
}

static struct completion of_option(uint64_t bit)
{
    struct completion completion;
    assert_ok(completion_of_option(row_of(bit), &arena, &completion, &err), err);
    return completion;
}

static const struct completion_word *find(const struct completion *completion, const char *name)
{
    for (size_t i = 0; i < completion->count; i++) {
        if (strcmp(completion->words[i].name, name) == 0) {
            return &completion->words[i];
        }
    }
    ck_abort_msg("%s is not offered", name);
}

START_TEST(what_an_option_takes_is_told_by_its_argument)
{
    ck_assert_int_eq(of_option(OPTION_OUTPUT).kind, COMPLETE_FILE);
    ck_assert_int_eq(of_option(OPTION_TOLERANCE).kind, COMPLETE_FILE);
    ck_assert_int_eq(of_option(OPTION_AGAINST).kind, COMPLETE_RESULTS);
    ck_assert_int_eq(of_option(OPTION_OUT).kind, COMPLETE_FOLDER);
    ck_assert_int_eq(of_option(OPTION_DIFF).kind, COMPLETE_FOLDER);
    ck_assert_int_eq(of_option(OPTION_JOBS).kind, COMPLETE_NOTHING);
    ck_assert_int_eq(of_option(OPTION_FRESH).kind, COMPLETE_NOTHING);
    ck_assert_int_eq(of_option(OPTION_FORMAT).kind, COMPLETE_LIST);
    ck_assert_int_eq(of_option(OPTION_LAYOUT).kind, COMPLETE_WORD);
    ck_assert_int_eq(of_option(OPTION_SET).kind, COMPLETE_SETTING);
}
END_TEST

START_TEST(what_a_command_takes_is_told_by_its_operand)
{
    static const struct {
        const char *command;
        enum completion_kind kind;
    } cases[] = {{"run", COMPLETE_SWEEP},       {"report", COMPLETE_RESULTS},
                 {"merge", COMPLETE_RESULTS},   {"status", COMPLETE_FOLDER},
                 {"init", COMPLETE_FILE},       {"help", COMPLETE_WORD},
                 {"completion", COMPLETE_WORD}, {"fields", COMPLETE_NOTHING}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct completion completion;
        const struct command *command = command_find(cases[i].command);
        assert_ok(completion_of_operand(command, &arena, &completion, &err), err);
        ck_assert_msg(completion.kind == cases[i].kind, "%s", cases[i].command);
    }
}
END_TEST

/* A command that has the option, with all operands it needs. */
static bool takes(const struct option_row *row, const char *value, struct error *trouble)
{
    const struct command *command = commands;
    while ((command->options & row->bit) == 0) {
        command++;
    }
    char option[64];
    char text[64];
    char name[64];
    snprintf(option, sizeof option, "--%s", row->name);
    snprintf(text, sizeof text, "%s", value);
    snprintf(name, sizeof name, "%s", command->name);
    char operand[] = "x";
    char *arguments[] = {name, option, text, operand, NULL};
    struct options options;
    int count = command->least_operands > 0 ? 4 : 3;
    return options_parse(command, count, arguments, &arena, &options, trouble);
}

START_TEST(every_name_that_is_offered_is_taken)
{
    size_t count;
    size_t tried = 0;
    const struct option_row *rows = option_rows(&count);
    for (size_t i = 0; i < count; i++) {
        const char *const *names = option_names(rows[i].bit);
        for (size_t n = 0; names != NULL && names[n] != NULL; n++) {
            struct error trouble = ERROR_INIT;
            ck_assert_msg(takes(&rows[i], names[n], &trouble), "%s", trouble.message);
            tried++;
        }
        struct error trouble = ERROR_INIT;
        ck_assert_msg(names == NULL || rows[i].bit == OPTION_WEIGHTS ||
                          !takes(&rows[i], "nonsense", &trouble),
                      "--%s takes nonsense", rows[i].name);
    }
    ck_assert_uint_eq(tried, 4 + 2 + 3 + 4 + 1 + 9);
}
END_TEST

static void try_setting(const char *name, const char *value)
{
    static const char text[] = "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n";
    char set[128];
    const char *const sets[] = {set};
    struct error trouble = ERROR_INIT;
    struct sweep sweep;
    snprintf(set, sizeof set, "%s=%s", name, value);
    bool good = sweep_parse("s.yaml", text, strlen(text), sets, 1, &arena, &sweep, &trouble);
    /* It may have no effect, or need more, but it is known and spelled right. */
    ck_assert_msg(good || strstr(trouble.message, "no effect") != NULL ||
                      strstr(trouble.message, "is missing") != NULL,
                  "%s", trouble.message);
}

static size_t try_values(const struct completion_word *word)
{
    size_t tried = 0;
    for (; word->values != NULL && word->values[tried] != NULL; tried++) {
        try_setting(word->name, word->values[tried]);
    }
    return tried;
}

START_TEST(every_setting_that_is_offered_is_taken)
{
    struct completion completion = of_option(OPTION_SET);
    size_t tried = 0;
    for (size_t i = 0; i < completion.count; i++) {
        tried += try_values(&completion.words[i]);
    }
    ck_assert_uint_gt(tried, 80);
    try_setting("saturation.row_max", "0.5");
}
END_TEST

START_TEST(settings_have_their_help_and_few_values)
{
    struct completion completion = of_option(OPTION_SET);
    ck_assert_ptr_nonnull(find(&completion, "saturation.row_max"));
    ck_assert_str_eq(find(&completion, "norm")->values[1], "rms");
    ck_assert_str_eq(find(&completion, "guards")->values[8], "all");
    ck_assert_ptr_null(find(&completion, "sentence")->values);
    ck_assert_str_eq(find(&completion, "d_k")->help, run_fields[RUN_D_K].help);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("cli/completion");
    TCase *tests = tcase_create("completion");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_an_option_takes_is_told_by_its_argument);
    tcase_add_test(tests, what_a_command_takes_is_told_by_its_operand);
    tcase_add_test(tests, every_name_that_is_offered_is_taken);
    tcase_add_test(tests, every_setting_that_is_offered_is_taken);
    tcase_add_test(tests, settings_have_their_help_and_few_values);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
