/* SPDX-License-Identifier: MIT */
/* Tests src/report/weights_text.c and weights_names.c: caption and data of the heat map. */
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
    struct error err = ERROR_INIT;
    assert_ok(weights_choose(&set, &example.summary, &arena, weights, &err), err);
    ck_assert_uint_eq(weights->shown, 2);
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
    assert_ok(weights_choose(&set, &example.summary, &arena, &chosen, &err), err);
    ck_assert_str_eq(weights_data(&chosen, &arena, &err),
                     "run\tquery\tkey\tweight\n0\t1\t1\t0.5\n0\t1\t2\t0.25\n"
                     "0\t1\t3\t0.25\n");
}
END_TEST

START_TEST(masked_cells_are_said_to_be_grey)
{
    static const double weights[4] = {1, 0, 0.5, 0.5};
    struct result row;
    struct result_set set = sections_example_rows(&row, 1);
    struct weights chosen;
    struct error err = ERROR_INIT;
    row.kept = (struct kept){2, 2, NULL, weights, "a b"};
    for (int causal = 0; causal < 2; causal++) {
        row.run.mask = causal == 1 ? MASK_CAUSAL : MASK_NONE;
        sections_example_make(&example, &set, &arena);
        assert_ok(weights_choose(&set, &example.summary, &arena, &chosen, &err), err);
        ck_assert_uint_eq(weights_keys_seen(&row, 0), causal == 1 ? 1 : 2);
        ck_assert_int_eq(weights_any_masked(&chosen), causal == 1);
    }
    expect_part(weights_caption(&chosen, &arena, &err), "Grey cells are masked.");
}
END_TEST

START_TEST(given_scores_have_no_seed_and_no_tokens)
{
    static const double weights[2] = {0.75, 0.25};
    struct result row;
    struct result_set set = sections_example_rows(&row, 1);
    struct weights chosen;
    struct error err = ERROR_INIT;
    row.run = run_default();
    row.run.source = SOURCE_SCORES;
    row.run.weights = WEIGHTS_SIGMOID;
    row.kept = (struct kept){1, 2, NULL, weights, NULL};
    sections_example_make(&example, &set, &arena);
    assert_ok(weights_choose(&set, &example.summary, &arena, &chosen, &err), err);
    const char *caption = weights_caption(&chosen, &arena, &err);
    expect_part(caption, "**Attention weights.** The one kept matrix is drawn.");
    expect_part(caption, "line i holds the weights of row i of the scores; where weights are no "
                         "shares it does not sum to 1");
    expect_no_part(caption, "seed");
}
END_TEST

/* Two settings with matrices of these sizes, all of uniform weights. */
static void choose_sizes(struct result rows[2], const size_t (*sizes)[2], int mask,
                         struct weights *chosen)
{
    static double weights[100 * 300];
    struct result_set set = sections_example_rows(rows, 2);
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.d_k = 8 * (int64_t)(i + 1);
        rows[i].run.mask = mask;
        rows[i].kept = (struct kept){sizes[i][0], sizes[i][1], NULL, weights, NULL};
    }
    sections_example_make(&example, &set, &arena);
    assert_ok(weights_choose(&set, &example.summary, &arena, chosen, &err), err);
    ck_assert_uint_eq(chosen->shown, 2);
}

START_TEST(what_is_cut_is_said_of_all_panels)
{
    static const size_t whole[2][2] = {{96, 96}, {96, 96}};
    static const size_t tokens[2][2] = {{100, 100}, {100, 100}};
    static const size_t growing[2][2] = {{8, 8}, {100, 100}};
    static const size_t wide[2][2] = {{100, 300}, {100, 300}};
    struct result rows[2];
    struct weights chosen;
    struct error err = ERROR_INIT;
    choose_sizes(rows, whole, MASK_NONE, &chosen);
    ck_assert(!weights_lines_cut(&chosen));
    ck_assert_str_eq(weights_cut_text(&chosen, &arena, &err), "");
    expect_part(weights_caption(&chosen, &arena, &err), "gives to every token, and sums to 1.");
    choose_sizes(rows, tokens, MASK_NONE, &chosen);
    ck_assert(weights_lines_cut(&chosen));
    const char *caption = weights_caption(&chosen, &arena, &err);
    expect_part(caption, " Only the first 96 of 100 tokens are drawn. Each panel is");
    expect_part(caption, "as far as they are drawn; they sum to 1 over all keys, drawn or not.");
    expect_no_part(caption, "and sums to 1");
    choose_sizes(rows, growing, MASK_NONE, &chosen);
    ck_assert_str_eq(weights_cut_text(&chosen, &arena, &err),
                     "At most the first 96 of up to 100 tokens are drawn.");
    choose_sizes(rows, wide, MASK_NONE, &chosen);
    ck_assert_str_eq(weights_cut_text(&chosen, &arena, &err),
                     "Only the first 96 of 100 queries and the first 96 of 300 keys are drawn.");
}
END_TEST

/* The last query that is drawn is the 96th, and sees 96 keys. */
START_TEST(lines_that_a_mask_ends_are_whole)
{
    static const size_t tokens[2][2] = {{100, 100}, {100, 100}};
    struct result rows[2];
    struct weights chosen;
    struct error err = ERROR_INIT;
    choose_sizes(rows, tokens, MASK_CAUSAL, &chosen);
    ck_assert(!weights_lines_cut(&chosen));
    const char *caption = weights_caption(&chosen, &arena, &err);
    expect_part(caption, "Only the first 96 of 100 tokens are drawn.");
    expect_part(caption, "gives to every token, and sums to 1.");
}
END_TEST

/* Of two values of the window one is kept, and the files of a row go together. */
START_TEST(what_is_held_and_what_goes_along_is_said)
{
    static const double halves[4] = {0.5, 0.5, 0.5, 0.5};
    static const char *const sentences[2] = {"the cat", "the mouse"};
    static struct result rows[5];
    struct result_set set = sections_example_rows(rows, 5);
    struct weights chosen;
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < 5; i++) {
        rows[i].run.d_k = i % 2 == 0 ? 8 : 16;
        rows[i].run.d_model = i < 2 ? 16 : 32;
        rows[i].run.sentence = sentences[i < 2 ? 0 : 1];
        rows[i].run.window = i == 4 ? 9 : 5;
        rows[i].kept = (struct kept){2, 2, NULL, i == 4 ? NULL : halves, "a b"};
    }
    sections_example_make(&example, &set, &arena);
    assert_ok(weights_choose(&set, &example.summary, &arena, &chosen, &err), err);
    ck_assert(!chosen.listed);
    const char *scope = weights_scope_text(&chosen, &arena, &err);
    expect_part(scope,
                "All 4 kept matrices are drawn; all have window = 5; each comes with its own ");
}
END_TEST

/* Three of four combinations: no grid, so each panel has its name. */
START_TEST(panels_of_a_list_are_named)
{
    static const double halves[4] = {0.5, 0.5, 0.5, 0.5};
    static struct result rows[3];
    struct result_set set = sections_example_rows(rows, 3);
    struct weights chosen;
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.d_k = i % 2 == 0 ? 8 : 16;
        rows[i].run.d_model = i < 2 ? 16 : 32;
        rows[i].kept = (struct kept){2, 2, NULL, halves, "a b"};
    }
    sections_example_make(&example, &set, &arena);
    assert_ok(weights_choose(&set, &example.summary, &arena, &chosen, &err), err);
    ck_assert(chosen.listed);
    ck_assert_uint_eq(chosen.columns, 3);
    ck_assert_str_eq(weights_panel_name(&chosen, chosen.groups[0][1], &arena, &err),
                     "d_model = 16, d_k = 16");
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
    tcase_add_test(cases, masked_cells_are_said_to_be_grey);
    tcase_add_test(cases, given_scores_have_no_seed_and_no_tokens);
    tcase_add_test(cases, what_is_cut_is_said_of_all_panels);
    tcase_add_test(cases, lines_that_a_mask_ends_are_whole);
    tcase_add_test(cases, what_is_held_and_what_goes_along_is_said);
    tcase_add_test(cases, panels_of_a_list_are_named);
    tcase_add_test(cases, words_name_queries_only_where_these_are_the_keys);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
