/* SPDX-License-Identifier: MIT */
/* Tests src/report/weights_text.c: caption and data of the heat map. */
#include "sections_example.h"

#include "report/weights.h"

static struct arena arena;
static struct sections_example example;

/* Two sentences, whose weights are all a half. */
static void choose(const char *const sentences[2], struct weights *weights)
{
    static struct result rows[2];
    static struct result_set set;
    static const double halves[4] = {0.5, 0.5, 0.5, 0.5};
    set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.sentence = sentences[i];
        rows[i].kept = (struct kept){2, 2, NULL, halves, "a b"};
    }
    sections_example_make(&example, &set, &arena);
    ck_assert(weights_choose(&set, &example.summary, weights));
}

START_TEST(long_column_names_stand_whole_in_the_caption)
{
    static const char *const sentences[2] = {"the cat chased the mouse across", "the cat"};
    static const char *const brief[2] = {"the mouse", "the cat"};
    struct weights weights;
    struct error err = ERROR_INIT;
    choose(sentences, &weights);
    expect_part(weights_caption(&weights, &arena, &err),
                " Values of sentence from left to right: (1) the cat chased the mouse across; (2) "
                "the cat.");
    choose(brief, &weights);
    expect_no_part(weights_caption(&weights, &arena, &err), "Values of");
}
END_TEST

START_TEST(the_data_have_one_line_a_cell)
{
    static const char *const sentences[2] = {"the mouse", "the cat"};
    struct weights weights;
    struct error err = ERROR_INIT;
    choose(sentences, &weights);
    ck_assert_str_eq(weights_data(&weights, &arena, &err),
                     "run\tquery\tkey\tweight\n0\t1\t1\t0.5\n0\t1\t2\t0.5\n0\t2\t1\t0.5\n"
                     "0\t2\t2\t0.5\n1\t1\t1\t0.5\n1\t1\t2\t0.5\n1\t2\t1\t0.5\n1\t2\t2\t0.5\n");
}
END_TEST

START_TEST(the_data_have_a_line_a_query_and_key)
{
    static const double weights[3] = {0.5, 0.25, 0.25};
    struct result row;
    struct result_set set = sections_example_rows(&row, 1);
    struct weights chosen;
    struct error err = ERROR_INIT;
    row.kept = (struct kept){1, 3, NULL, weights, NULL};
    sections_example_make(&example, &set, &arena);
    ck_assert(weights_choose(&set, &example.summary, &chosen));
    ck_assert_str_eq(weights_data(&chosen, &arena, &err),
                     "run\tquery\tkey\tweight\n0\t1\t1\t0.5\n0\t1\t2\t0.25\n"
                     "0\t1\t3\t0.25\n");
}
END_TEST

START_TEST(words_name_queries_only_where_these_are_the_keys)
{
    struct result row;
    memset(&row, 0, sizeof row);
    row.kept = (struct kept){2, 2, NULL, NULL, "a b"};
    ck_assert(weights_keys_by_words(&row) && weights_queries_by_words(&row));
    row.kept.queries = 1;
    ck_assert(weights_keys_by_words(&row) && !weights_queries_by_words(&row));
    row.kept.words = NULL;
    ck_assert(!weights_keys_by_words(&row));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("weights text");
    TCase *cases = tcase_create("text");
    tcase_add_test(cases, long_column_names_stand_whole_in_the_caption);
    tcase_add_test(cases, the_data_have_one_line_a_cell);
    tcase_add_test(cases, the_data_have_a_line_a_query_and_key);
    tcase_add_test(cases, words_name_queries_only_where_these_are_the_keys);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
