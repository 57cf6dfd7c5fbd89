/* SPDX-License-Identifier: MIT */
/* engine/array_inputs, and what inputs.c checks of arrays: which numbers of a file become which
 * head. Entries are small integers, so that every product is exact in any order. */
#include "engine_fixture.h"

#define TOKENS 4
#define WIDTH 2 /* d_k */

static double identity[TOKENS * TOKENS];

static void set_up(void)
{
    fixture_set_up();
    memset(identity, 0, sizeof identity);
    for (size_t i = 0; i < TOKENS; i++) {
        identity[i * TOKENS + i] = 1;
    }
}

/* Entry (row, column c of head h) of the projection of queries or keys. */
static double entry(bool of_keys, size_t row, size_t head, size_t c)
{
    return (double)((row * 7 + head * 5 + c * 3 + (of_keys ? 2 : 0)) % 11) - 4;
}

enum layout { SIDE_BY_SIDE, SIDE_BY_SIDE_TRANSPOSED, PLANES, PLANES_TRANSPOSED };

/* The heads of one side as a file of the given layout; `rows` are d_model, or tokens. */
static const char *projection(bool of_keys, enum layout layout, size_t rows, size_t heads)
{
    double values[FIXTURE_SCORES];
    for (size_t row = 0; row < rows; row++) {
        for (size_t head = 0; head < heads; head++) {
            for (size_t c = 0; c < WIDTH; c++) {
                size_t wide = head * WIDTH + c;
                size_t at = layout == SIDE_BY_SIDE              ? row * heads * WIDTH + wide
                            : layout == SIDE_BY_SIDE_TRANSPOSED ? wide * rows + row
                            : layout == PLANES                  ? (head * rows + row) * WIDTH + c
                                                                : wide * rows + row;
                values[at] = entry(of_keys, row, head, c);
            }
        }
    }
    char name[64];
    snprintf(name, sizeof name, "%s%d-%zu-%zu.npy", of_keys ? "k" : "q", (int)layout, rows, heads);
    switch (layout) {
    case SIDE_BY_SIDE:
        return fixture_npy(name, 0, rows, heads * WIDTH, values);
    case SIDE_BY_SIDE_TRANSPOSED:
        return fixture_npy(name, 0, heads * WIDTH, rows, values);
    case PLANES:
        return fixture_npy(name, heads, rows, WIDTH, values);
    case PLANES_TRANSPOSED:
        break;
    }
    return fixture_npy(name, heads, WIDTH, rows, values);
}

/* x is the identity: the queries are the rows of W_Q themselves. */
static struct run projected_run(enum layout layout, size_t heads, size_t key_heads, size_t head)
{
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.position = POSITION_NONE;
    run.x = fixture_npy("x.npy", 0, TOKENS, TOKENS, identity);
    run.w_q = projection(false, layout, TOKENS, heads);
    run.w_k = projection(true, layout, TOKENS, key_heads);
    run.transposed = layout == SIDE_BY_SIDE_TRANSPOSED || layout == PLANES_TRANSPOSED;
    run.heads = (int64_t)heads;
    run.key_heads = key_heads == heads ? 0 : (int64_t)key_heads;
    run.head = (int64_t)head;
    return run;
}

static void assert_scores(size_t result, size_t queries, size_t tokens, size_t head,
                          size_t key_head)
{
    ck_assert_int_eq(results[result].status, RESULT_OK);
    ck_assert_uint_eq(results[result].kept.queries, queries);
    ck_assert_uint_eq(results[result].kept.tokens, tokens);
    for (size_t i = 0; i < queries; i++) {
        for (size_t j = 0; j < tokens; j++) {
            double sum = 0;
            for (size_t c = 0; c < WIDTH; c++) {
                sum += entry(false, i, head, c) * entry(true, j, key_head, c);
            }
            ck_assert_msg(kept_scores[result][i * tokens + j] == sum, "run %zu (%zu, %zu): %g, %g",
                          result, i, j, kept_scores[result][i * tokens + j], sum);
        }
    }
}

START_TEST(every_layout_gives_each_head_its_own_columns)
{
    struct run runs[3];
    for (size_t head = 0; head < 3; head++) {
        runs[head] = projected_run((enum layout)_i, 3, 3, head);
    }
    assert_ok(fixture_run(runs, 3, 1), err);
    for (size_t head = 0; head < 3; head++) {
        assert_scores(head, TOKENS, TOKENS, head, head);
        ck_assert(runs[head].d_model == TOKENS && runs[head].d_k == WIDTH);
        ck_assert_uint_eq(results[head].kept.queries, TOKENS);
    }
    ck_assert(results[0].key != results[1].key && results[1].key != results[2].key);
}
END_TEST

/* Key heads serve groups of neighbours: of four heads 0 and 1 read key head 0, as grouped-query
 * attention (Ainslie et al. 2023) has it; one key head serves all. */
START_TEST(groups_of_query_heads_share_a_key_head)
{
    static const size_t key_head[3][4] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 2, 3}};
    static const size_t key_heads[3] = {1, 2, 4};
    for (size_t group = 0; group < 3; group++) {
        struct run runs[4];
        for (size_t head = 0; head < 4; head++) {
            runs[head] = projected_run((enum layout)_i, 4, key_heads[group], head);
        }
        assert_ok(fixture_run(runs, 4, 1), err);
        for (size_t head = 0; head < 4; head++) {
            assert_scores(head, TOKENS, TOKENS, head, key_head[group][head]);
        }
    }
}
END_TEST

static struct run side_run(enum layout layout, size_t queries, size_t tokens, size_t head)
{
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.position = POSITION_NONE;
    run.q = projection(false, layout, queries, 4);
    run.k = projection(true, layout, tokens, 2);
    run.heads = 4;
    run.key_heads = 2;
    run.head = (int64_t)head;
    return run;
}

START_TEST(queries_and_keys_may_differ_in_number)
{
    for (size_t layout = SIDE_BY_SIDE; layout <= PLANES; layout += PLANES - SIDE_BY_SIDE) {
        struct run runs[4];
        for (size_t head = 0; head < 4; head++) {
            runs[head] = side_run((enum layout)layout, head % 2 == 0 ? 3 : 6, 5, head);
        }
        assert_ok(fixture_run(runs, 4, 1), err);
        for (size_t head = 0; head < 4; head++) {
            assert_scores(head, head % 2 == 0 ? 3 : 6, 5, head, head / 2);
            ck_assert(runs[head].d_k == WIDTH && runs[head].d_model == 0);
            ck_assert(isnan(results[head].measurement.gradient_wq));
            ck_assert(isnan(results[head].measurement.input_std));
        }
    }
}
END_TEST

/* Three queries on five keys: the last query stands at the last key and sees all five. */
START_TEST(the_last_query_stands_at_the_last_key)
{
    struct run run = side_run(SIDE_BY_SIDE, 3, 5, 0);
    run.mask = MASK_CAUSAL;
    assert_ok(fixture_run(&run, 1, 1), err);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 5; j++) {
            ck_assert_int_eq(isnan(kept_scores[0][i * 5 + j]) != 0, j > i + 2);
        }
    }
}
END_TEST

START_TEST(a_sinusoid_that_is_asked_for_is_added_to_a_copy)
{
    struct run runs[2] = {projected_run(SIDE_BY_SIDE, 1, 1, 0),
                          projected_run(SIDE_BY_SIDE, 1, 1, 0)};
    runs[0].position = POSITION_SINUSOIDAL;
    assert_ok(fixture_run(runs, 2, 1), err);
    assert_scores(1, TOKENS, TOKENS, 0, 0);
    /* The first token gets (0, 1, 0, 1) on top of (1, 0, 0, 0). */
    double query[WIDTH];
    double key[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        query[c] = entry(false, 0, 0, c) + entry(false, 1, 0, c) + entry(false, 3, 0, c);
        key[c] = entry(true, 0, 0, c) + entry(true, 1, 0, c) + entry(true, 3, 0, c);
    }
    ck_assert(kept_scores[0][0] == query[0] * key[0] + query[1] * key[1]);
}
END_TEST

START_TEST(what_a_run_says_must_be_so_in_every_run)
{
    struct run runs[2] = {projected_run(SIDE_BY_SIDE, 2, 2, 0),
                          projected_run(SIDE_BY_SIDE, 2, 2, 0)};
    fixture_set(&runs[0], RUN_D_K, "2");
    fixture_set(&runs[0], RUN_D_MODEL, "4");
    fixture_set(&runs[1], RUN_D_K, "3");
    /* The second run has the input of the first. */
    ck_assert_ptr_null(open_runs(runs, 2, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "d_k is set to 3, but '");
    assert_error(err, ERROR_INPUT, "q0-4-2.npy' has 2 columns a head; leave out d_k");
    struct run run = projected_run(SIDE_BY_SIDE, 2, 2, 0);
    fixture_set(&run, RUN_D_MODEL, "64");
    fixture_refuse(run, "d_model is set to 64, but '");
    struct run drawn[2] = {run_default(), run_default()};
    for (size_t i = 0; i < 2; i++) {
        drawn[i].source = SOURCE_ARRAYS;
        drawn[i].x = fixture_npy("x.npy", 0, TOKENS, TOKENS, identity);
    }
    drawn[1].weights_as_given = true;
    err = (struct error)ERROR_INIT;
    ck_assert_ptr_null(open_runs(drawn, 2, ".", &arena, &err));
    assert_error(err, ERROR_INPUT, "weights_as_given is on, but no w_q and w_k are given");
}
END_TEST

START_TEST(files_are_read_once_for_all_heads)
{
    struct run runs[4];
    for (size_t i = 0; i < 4; i++) {
        runs[i] = projected_run(SIDE_BY_SIDE, 2, 2, i / 2);
        runs[i].guard_scale = i % 2 == 1;
    }
    struct engine *engine = open_runs(runs, 4, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    ck_assert_ptr_eq(runs[0].x_digest, runs[3].x_digest);
    ck_assert_ptr_eq(runs[0].w_q_digest, runs[3].w_q_digest);
    ck_assert_str_ne(runs[0].w_q_digest, runs[0].w_k_digest);
}
END_TEST

START_TEST(heads_that_are_not_there_are_refused)
{
    struct run run = projected_run(SIDE_BY_SIDE, 3, 3, 3);
    fixture_refuse(run, "head 3 is not among the 3 of 'heads'; the first is 0, the last 2");
    run = projected_run(SIDE_BY_SIDE, 3, 3, 0);
    run.key_heads = 2;
    fixture_refuse(run, "key_heads 2 does not divide heads 3: each must serve as many");
    run.key_heads = 0;
    run.heads = 4;
    fixture_refuse(run, "q0-4-3.npy' has 6 columns, which 4 heads do not divide");
    run = projected_run(SIDE_BY_SIDE_TRANSPOSED, 3, 3, 0);
    run.heads = 5;
    fixture_refuse(run, "has 6 rows, which 5 heads do not divide");
    run = projected_run(PLANES, 3, 3, 0);
    run.heads = 1;
    fixture_refuse(run, "holds 3 matrices, one a head; set heads or key_heads to 3, not 1");
    run = projected_run(SIDE_BY_SIDE, 4, 2, 0);
    run.key_heads = 0;
    fixture_refuse(run, "has 2 columns a head and '");
    fixture_refuse(run, "both must be d_k: see heads and key_heads");
}
END_TEST

START_TEST(a_side_that_does_not_meet_x_is_refused_with_a_hint)
{
    struct run run = projected_run(SIDE_BY_SIDE_TRANSPOSED, 3, 3, 0);
    run.transposed = false;
    fixture_refuse(run, "q1-4-3.npy' is (6, 4), but d_model, the columns of '");
    fixture_refuse(run, "is 4; set transposed: on if it is stored as PyTorch's Linear does");
    run = projected_run(SIDE_BY_SIDE, 3, 3, 0);
    run.transposed = true;
    fixture_refuse(run, "is 4; leave out transposed");
    run = projected_run(SIDE_BY_SIDE, 1, 1, 0);
    run.w_k = projection(true, SIDE_BY_SIDE, 5, 1);
    fixture_refuse(run, "k0-5-1.npy' is (5, 2), but d_model, the columns of '");
}
END_TEST

static struct run with(struct run run, enum run_field field, const char *value)
{
    fixture_set(&run, field, value);
    return run;
}

START_TEST(inputs_that_exclude_each_other_are_refused)
{
    struct run x = run_default();
    x.source = SOURCE_ARRAYS;
    fixture_refuse(x, "source arrays needs x, or q and k");
    x.x = fixture_npy("x.npy", 0, TOKENS, TOKENS, identity);
    fixture_refuse(with(x, RUN_W_Q, x.x), "w_q is given without w_k; give both, or neither");
    fixture_refuse(with(x, RUN_W_K, x.x), "w_k is given without w_q");
    fixture_refuse(with(x, RUN_Q, x.x), "q is given without k; give both, or x instead");
    fixture_refuse(with(x, RUN_K, x.x), "k is given without q");
    fixture_refuse(with(x, RUN_TRANSPOSED, "on"), "transposed is on, but no w_q and w_k are given");
    fixture_refuse(with(x, RUN_HEADS, "2"), "heads, key_heads or head is set, but no w_q and w_k");
    fixture_refuse(with(x, RUN_HEAD, "1"), "heads, key_heads or head is set, but no w_q and w_k");
    fixture_refuse(with(x, RUN_KEY_HEADS, "1"), "heads, key_heads or head is set");
    struct run sides = side_run(SIDE_BY_SIDE, 3, 5, 0);
    fixture_refuse(with(sides, RUN_X, x.x),
                   "q and k stand in place of x, w_q and w_k; leave out x");
    fixture_refuse(with(sides, RUN_W_Q, x.x), "leave out w_q and w_k");
    fixture_refuse(with(sides, RUN_GUARD_NORM, "on"),
                   "guards init and norm act on x and its projections, which q and k replace");
    fixture_refuse(with(sides, RUN_GUARD_INIT, "on"), "guards init and norm act on x");
    fixture_refuse(with(sides, RUN_TRANSPOSED, "on"), "transposed is for w_q and w_k");
    fixture_refuse(with(sides, RUN_WEIGHTS_AS_GIVEN, "on"), "weights_as_given is on, but no w_q");
    fixture_refuse(with(sides, RUN_POSITION, "sinusoidal"),
                   "position sinusoidal is added to x, which q and k replace; leave it out");
    fixture_refuse(with(sides, RUN_D_MODEL, "64"), "d_model is the width of x");
    sides.key_heads = 0;
    fixture_refuse(sides, "has 2 columns a head and '");
}
END_TEST

START_TEST(rope_needs_pairs)
{
    const double three[6] = {1, 2, 3, 4, 5, 6};
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.q = fixture_npy("three.npy", 0, 2, 3, three);
    run.k = run.q;
    run.position = POSITION_ROPE;
    fixture_refuse(run, "position rope turns pairs of columns, so d_k must be even, not 3");
    struct run gaussian = run_default();
    gaussian.source = SOURCE_GAUSSIAN;
    gaussian.tokens = 4;
    gaussian.position = POSITION_ROPE;
    gaussian.d_k = 7;
    fixture_refuse(gaussian, "so d_k must be even, not 7");
}
END_TEST

START_TEST(collapsed_draws_have_no_entries_to_turn_or_divide)
{
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = 4;
    run.draw = DRAW_COLLAPSED;
    run.position = POSITION_ROPE;
    fixture_refuse(run,
                   "and position rope turns entries; set draw to weights, or another position");
    run.position = POSITION_NONE;
    run.qk_norm = QK_NORM_RMS;
    fixture_refuse(run, "and qk_norm rms divides entries; set draw to weights, or qk_norm to none");
    run.qk_norm = QK_NORM_NONE;
    run.upstream = UPSTREAM_DRAWN;
    fixture_refuse(
        run, "and upstream drawn needs entries; set draw to weights, or upstream to expected");
    run.upstream = UPSTREAM_EXPECTED;
    assert_ok(fixture_run(&run, 1, 1), err);
}
END_TEST

START_TEST(collapsed_draws_are_not_for_what_is_given)
{
    const double values[4] = {1, 2, 3, 4};
    struct run sides = run_default();
    sides.source = SOURCE_ARRAYS;
    sides.position = POSITION_NONE;
    sides.q = fixture_npy("sides.npy", 0, 2, 2, values);
    sides.k = sides.q;
    sides.draw = DRAW_COLLAPSED;
    fixture_refuse(sides, "draw is collapsed, but q and k are given and nothing is drawn");
    struct run projected = projected_run(SIDE_BY_SIDE, 2, 2, 0);
    projected.draw = DRAW_COLLAPSED;
    fixture_refuse(projected, "draw is collapsed, but w_q and w_k are given and nothing is drawn");
    projected.w_q = projected.w_k = NULL;
    projected.heads = 1;
    assert_ok(fixture_run(&projected, 1, 1), err);
}
END_TEST

START_TEST(no_more_orthogonal_rows_than_dimensions)
{
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = 9;
    run.d_model = 8;
    run.orthogonal = true;
    fixture_refuse(run, "orthogonal: 9 rows cannot be orthogonal in d_model 8 dimensions");
    run.tokens = 8;
    assert_ok(fixture_run(&run, 1, 1), err);
}
END_TEST

START_TEST(x_is_one_matrix)
{
    struct run run = projected_run(SIDE_BY_SIDE, 2, 2, 0);
    run.x = projection(false, PLANES, 3, 2);
    fixture_refuse(run, "is (2, 3, 2); x is (tokens, d_model)");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine/array_inputs");
    TCase *tests = tcase_create("array inputs");
    tcase_add_checked_fixture(tests, set_up, fixture_tear_down);
    tcase_add_loop_test(tests, every_layout_gives_each_head_its_own_columns, 0, 4);
    tcase_add_loop_test(tests, groups_of_query_heads_share_a_key_head, 0, 4);
    tcase_add_test(tests, queries_and_keys_may_differ_in_number);
    tcase_add_test(tests, the_last_query_stands_at_the_last_key);
    tcase_add_test(tests, a_sinusoid_that_is_asked_for_is_added_to_a_copy);
    tcase_add_test(tests, what_a_run_says_must_be_so_in_every_run);
    tcase_add_test(tests, files_are_read_once_for_all_heads);
    tcase_add_test(tests, heads_that_are_not_there_are_refused);
    tcase_add_test(tests, a_side_that_does_not_meet_x_is_refused_with_a_hint);
    tcase_add_test(tests, inputs_that_exclude_each_other_are_refused);
    tcase_add_test(tests, rope_needs_pairs);
    tcase_add_test(tests, no_more_orthogonal_rows_than_dimensions);
    tcase_add_test(tests, collapsed_draws_have_no_entries_to_turn_or_divide);
    tcase_add_test(tests, collapsed_draws_are_not_for_what_is_given);
    tcase_add_test(tests, x_is_one_matrix);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
