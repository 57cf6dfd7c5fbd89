/* SPDX-License-Identifier: MIT */
/* Tests src/report/json.c: strings and numbers of panel and exports. */
#include "report/json.h"
#include "support.h"

#include <float.h>
#include <string.h>

static struct arena arena;

/* What a document of these three looks like. */
START_TEST(members_have_commas_between_them_only)
{
    struct text out = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    bool first = true;
    json_append_name(&out, &first, "corpus");
    json_append_string(&out, "a</script>b");
    json_append_name(&out, &first, "message");
    json_append_string(&out, NULL);
    json_append_name(&out, &first, "row_max");
    json_append_number(&out, 0.25);
    ck_assert_str_eq(text_finish(&out, &err),
                     "\"corpus\":\"a\\u003C/script\\u003Eb\",\"message\":null,\"row_max\":0.25");
}
END_TEST

/* Python's repr, the shortest round trip, of the same doubles: 0.1, 0.30000000000000004 (0.1 +
 * 0.2), 5e-324, 1.7976931348623157e+308. */
START_TEST(numbers_are_the_shortest_that_read_back)
{
    const double values[] = {0.1, 0.1 + 0.2, 5e-324, DBL_MAX, 3008, (double)NAN, (double)INFINITY};
    const char *const wanted[] = {
        "0.1", "0.30000000000000004", "5e-324", "1.7976931348623157e+308", "3008", "null", "null"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct text out = TEXT_INIT(&arena);
        struct error err = ERROR_INIT;
        json_append_number(&out, values[i]);
        ck_assert_str_eq(text_finish(&out, &err), wanted[i]);
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("json");
    tcase_add_test(all, members_have_commas_between_them_only);
    tcase_add_test(all, numbers_are_the_shortest_that_read_back);
    Suite *suite = suite_create("report.json");
    suite_add_tcase(suite, all);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
