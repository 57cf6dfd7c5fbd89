/* SPDX-License-Identifier: MIT */
/* The schema as a text; tests/cli/schema.sh compares it with the reader by another program. */
#include "sweep_support.h"

#include <stdio.h>

static const char *schema_of(struct arena *arena)
{
    struct error err = ERROR_INIT;
    const char *schema = sweep_schema(arena, &err);
    assert_ok(schema != NULL, err);
    return schema;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

START_TEST(every_key_field_and_measure_is_defined_once)
{
    struct arena arena = {NULL};
    const char *schema = schema_of(&arena);
    char member[160];
    for (size_t i = 0; i < SWEEP_TOP_KEYS; i++) {
        snprintf(member, sizeof member, "\n    \"%s\": {", sweep_keys[i].name);
        ck_assert_msg(count_of(schema, member) == 1, "%s", member);
    }
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        snprintf(member, sizeof member,
                 "\n    \"value_%s\": {\n      \"description\": ", run_fields[i].name);
        ck_assert_msg(count_of(schema, member) == 1, "%s", member);
        snprintf(member, sizeof member, "\n    \"axis_%s\": {", run_fields[i].name);
        ck_assert_msg(count_of(schema, member) == 1, "%s", member);
    }
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        snprintf(member, sizeof member, "{\"enum\": [\"%s\"]", measurement_fields[i].name);
        ck_assert_msg(count_of(schema, member) == 1, "%s", member);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(a_field_is_spelled_out_with_type_range_and_default)
{
    struct arena arena = {NULL};
    const char *schema = schema_of(&arena);
    ck_assert_ptr_nonnull(
        strstr(schema, "\"value_window\": {\n"
                       "      \"description\": \"words to each side that count as neighbours; 15 "
                       "for glove\",\n"
                       "      \"type\": \"integer\",\n"
                       "      \"minimum\": 1,\n"
                       "      \"maximum\": 1000,\n"
                       "      \"default\": 5\n"
                       "    }"));
    ck_assert_ptr_nonnull(strstr(schema, "\"enum\": [\"layer\", \"rms\"],\n"
                                         "      \"default\": \"layer\"\n"));
    arena_release(&arena);
}
END_TEST

/* Three switches in any order: 6 pairs and 6 triples, of which the 3 and 1 in table order are the
 * usual names. */
START_TEST(guard_sets_are_known_in_any_order)
{
    struct arena arena = {NULL};
    const char *schema = schema_of(&arena);
    const char *sets = strstr(schema, "\"value_guards\": {");
    ck_assert_ptr_nonnull(sets);
    const char *end = strstr(sets, "\"axis_guards\"");
    ck_assert_ptr_nonnull(end);
    struct error err = ERROR_INIT;
    const char *part = arena_copy_bytes(&arena, sets, (size_t)(end - sets), &err);
    assert_ok(part != NULL, err);
    ck_assert_uint_eq(count_of(part, "+"),
                      6 + 2 * 6 + 1); /* 6 pairs, 6 triples, "init+scale" in the help */
    ck_assert_uint_eq(count_of(part, "\"norm+scale+init\""), 1);
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/schema");
    TCase *tests = tcase_create("schema");
    tcase_add_test(tests, every_key_field_and_measure_is_defined_once);
    tcase_add_test(tests, a_field_is_spelled_out_with_type_range_and_default);
    tcase_add_test(tests, guard_sets_are_known_in_any_order);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
