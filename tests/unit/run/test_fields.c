/* SPDX-License-Identifier: MIT */
/* The field table: what help prints of a measure is there for each, and leads to a section. */
#include "run/fields.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

#define DOCUMENT_LIMIT 200000

static char method[DOCUMENT_LIMIT];

static void read_method(void)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/docs/method.md", "rb");
    ck_assert(file != NULL);
    size_t size = fread(method, 1, DOCUMENT_LIMIT - 1, file);
    fclose(file);
    method[size] = '\0';
    ck_assert_uint_gt(size, 0);
    ck_assert_uint_lt(size, DOCUMENT_LIMIT - 1);
}

START_TEST(every_measure_leads_to_a_section_of_the_method)
{
    read_method();
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        char heading[128];
        ck_assert_msg(field->section != NULL, "%s has no section", field->name);
        snprintf(heading, sizeof heading, "\n## %s\n", field->section);
        ck_assert_msg(strstr(method, heading) != NULL, "%s: no section '%s'", field->name,
                      field->section);
    }
}
END_TEST

START_TEST(every_measure_has_a_name_a_meaning_and_a_range)
{
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        ck_assert_msg(field->label != NULL && field->label[0] != '\0', "%s", field->name);
        ck_assert_msg(field->help != NULL && strlen(field->help) > 10, "%s", field->name);
        ck_assert_msg(field->range != NULL && field->range[0] != '\0', "%s", field->name);
        /* Help adds the full stop, and 'rowmax fields' parts columns by tabs. */
        ck_assert_msg(field->help[strlen(field->help) - 1] != '.', "%s", field->name);
        ck_assert_msg(strpbrk(field->help, "\t\n") == NULL, "%s", field->name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run/fields");
    TCase *tests = tcase_create("fields");
    tcase_add_test(tests, every_measure_leads_to_a_section_of_the_method);
    tcase_add_test(tests, every_measure_has_a_name_a_meaning_and_a_range);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
