/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_prepare: what the head remembers must not change a bit of any result. */
#include "attention/attention_internal.h"
#include "base/random.h"
#include "head_fixture.h"

#include <string.h>

#define TOKENS 70
#define MODEL 16
#define KEYS 8

/* Two inputs, each in two places. */
static double inputs[2][TOKENS * MODEL];
static double copies[2][TOKENS * MODEL];
static double z_q[MODEL * KEYS];
static double z_k[MODEL * KEYS];

/* One measurement to make; an odd place reads the copy of its input. */
struct point {
    struct head_input input;
    struct run run;
    struct measurement fresh;
};

#define POINTS 192

static struct point points[POINTS];

static void fill_inputs(void)
{
    random_normal_matrix(51, RANDOM_TEST, MODEL, KEYS, z_q);
    random_normal_matrix(52, RANDOM_TEST, MODEL, KEYS, z_k);
    for (size_t i = 0; i < 2; i++) {
        random_normal_matrix(53 + i, RANDOM_TEST, TOKENS, MODEL, inputs[i]);
        memcpy(copies[i], inputs[i], sizeof copies[i]);
    }
}

/* Every mix of guards, input, seed, norm, epsilon, shape, unnamed inputs and given draws. */
static struct point make_point(size_t place)
{
    static const struct head_shape shapes[] = {
        {8, MODEL, KEYS}, {TOKENS, MODEL, KEYS}, {8, MODEL, 3}, {8, 5, KEYS}};
    size_t which = place / 8 % 2;
    size_t kind = place / 16;
    struct point point;
    memset(&point, 0, sizeof point);
    point.run = fixture_run((unsigned)place % 8, kind % 3 == 0 ? 4 : 9);
    point.run.norm = kind % 4 == 1 ? NORM_RMS : NORM_LAYER;
    point.run.norm_epsilon = kind % 5 == 2 ? 0.5 : 1e-5;
    /* What follows the projections is not remembered, and must not leave a trace in them. */
    point.run.qk_norm = (int)(place / 3 % 4);
    point.run.position = place % 5 == 0 ? POSITION_ROPE : POSITION_SINUSOIDAL;
    point.run.rope_base = place % 10 == 0 ? 100 : 10000;
    point.run.softcap = place % 7 == 0 ? 2 : 0;
    point.run.mask = place % 11 == 0 ? MASK_CAUSAL : MASK_NONE;
    point.input.shape = shapes[kind % 4];
    point.input.again = place % 3 != 0;
    point.input.x = place % 2 ? copies[which] : inputs[which];
    /* The content is as wide as the shape reads it, so the shape is part of the name. */
    point.input.input_id = kind == 7 ? 0 : 1 + which;
    if (kind == 8) {
        point.input.z_q = z_q;
        point.input.z_k = z_k;
    }
    return point;
}

static void make_points(void)
{
    fill_inputs();
    for (size_t place = 0; place < POINTS; place++) {
        points[place] = make_point(place);
        struct fixture fixture;
        fixture_open(&fixture);
        points[place].fresh =
            fixture_measure(&fixture, &points[place].input, &points[place].run, NULL, NULL);
        fixture_close(&fixture);
    }
}

static void assert_fresh(struct fixture *fixture, size_t place)
{
    const struct point *point = &points[place];
    struct measurement warm = fixture_measure(fixture, &point->input, &point->run, NULL, NULL);
    ck_assert_msg(memcmp(&warm, &point->fresh, sizeof warm) == 0, "point %zu differs", place);
}

START_TEST(a_warm_head_gives_the_bytes_of_a_fresh_one_in_any_order)
{
    make_points();
    struct fixture fixture;
    fixture_open(&fixture);
    for (size_t i = 0; i < POINTS; i++) {
        assert_fresh(&fixture, i);
        assert_fresh(&fixture, i);
    }
    for (size_t i = POINTS; i-- > 0;) {
        assert_fresh(&fixture, i);
    }
    /* 77 and 192 have no common factor: all points in a scattered order. */
    for (size_t i = 0; i < POINTS; i++) {
        assert_fresh(&fixture, i * 77 % POINTS);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(points_differ_where_they_should)
{
    make_points();
    /* Guards, then input, then seed and norm: neighbours are not the same measurement. */
    ck_assert(memcmp(&points[0].fresh, &points[1].fresh, sizeof points[0].fresh) != 0);
    ck_assert(memcmp(&points[0].fresh, &points[8].fresh, sizeof points[0].fresh) != 0);
    ck_assert(memcmp(&points[0].fresh, &points[64].fresh, sizeof points[0].fresh) != 0);
    ck_assert(memcmp(&points[4].fresh, &points[100].fresh, sizeof points[4].fresh) != 0);
}
END_TEST

static struct measurement measure_fresh(const struct head_input *input, const struct run *run)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct measurement m = fixture_measure(&fixture, input, run, NULL, NULL);
    fixture_close(&fixture);
    return m;
}

/* Runs a head on one point and then on another that differs in one thing. Without an epsilon, the
 * guard's settings are the zeros that also stand for no guard. */
static void assert_second(const struct head_input *input, const struct run *run)
{
    struct head_input first = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    struct run first_run = fixture_run(7, 3);
    first_run.norm_epsilon = 0;
    struct fixture fixture;
    fixture_open(&fixture);
    struct measurement before = fixture_measure(&fixture, &first, &first_run, NULL, NULL);
    struct measurement after = fixture_measure(&fixture, input, run, NULL, NULL);
    fixture_close(&fixture);
    struct measurement fresh = measure_fresh(input, run);
    ck_assert_mem_eq(&after, &fresh, sizeof after);
    ck_assert(memcmp(&after, &before, sizeof after) != 0);
}

START_TEST(each_thing_that_matters_is_noticed_alone)
{
    fill_inputs();
    struct head_input input = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    struct run run = fixture_run(7, 3);
    run.norm_epsilon = 0;
    switch (_i) {
    case 0:
        run.norm_epsilon = 0.25;
        break;
    case 1:
        run.norm = NORM_RMS;
        break;
    case 2:
        run.guard_norm = false;
        break;
    case 3:
        run.seed = 4;
        break;
    case 4:
        input.shape.d_k = KEYS - 1;
        break;
    case 5:
        input.shape.d_model = MODEL - 1;
        break;
    case 6:
        input.shape.tokens = 7;
        break;
    default:
        input.x = inputs[1];
        input.input_id = 2;
    }
    assert_second(&input, &run);
}
END_TEST

START_TEST(an_input_may_move_and_its_old_place_be_reused)
{
    fill_inputs();
    struct head_input input = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    struct fixture fixture;
    fixture_open(&fixture);
    for (unsigned guards = 0; guards < 8; guards++) {
        struct run run = fixture_run(guards, 3);
        struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
        memset(inputs[0], 0xff, sizeof inputs[0]);
        input.x = copies[0];
        struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
        ck_assert_mem_eq(&after, &before, sizeof after);
        memcpy(inputs[0], copies[0], sizeof inputs[0]);
        input.x = inputs[0];
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_head_that_grew_gives_the_same_bytes)
{
    static const struct head_shape larger[] = {
        {TOKENS, MODEL, KEYS}, {8, 3 * MODEL, KEYS}, {8, MODEL, 3 * KEYS}, {8, MODEL, KEYS}};
    fill_inputs();
    struct head_input input = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    for (unsigned guards = 3; guards < 8; guards += 4) {
        struct run run = fixture_run(guards, 3);
        struct fixture fixture;
        fixture_open(&fixture);
        struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
        struct error err = ERROR_INIT;
        assert_ok(head_reserve(fixture.head, larger[_i], larger[_i].tokens, &err), err);
        struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
        ck_assert_mem_eq(&after, &before, sizeof after);
        fixture_close(&fixture);
    }
}
END_TEST

START_TEST(an_input_without_a_name_is_read_again)
{
    fill_inputs();
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 0};
    for (unsigned guards = 0; guards < 8; guards += 4) {
        struct run run = fixture_run(guards, 1);
        struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
        inputs[0][3] += 1;
        struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
        ck_assert(after.raw_input_std != before.raw_input_std);
        ck_assert(after.score_std != before.score_std);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(given_draws_are_multiplied_again)
{
    fill_inputs();
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {
        .shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 5, .z_q = z_q, .z_k = z_k};
    struct run run = fixture_run(3, 1);
    struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
    for (size_t i = 0; i < (size_t)MODEL * KEYS; i++) {
        z_k[i] *= 2;
    }
    struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert(after.score_std == 2 * before.score_std);
    fixture_close(&fixture);
}
END_TEST

static size_t allocations;
static void *(*real_alloc)(size_t bytes);

static void *counting_alloc(size_t bytes)
{
    allocations++;
    return real_alloc(bytes);
}

static void *no_alloc(size_t bytes)
{
    (void)bytes;
    return NULL;
}

/* Products that are there are taken as they are: put in twice their size, they show in the scores
 * of a run of other guards, and no longer once the seed is another. */
START_TEST(products_of_queries_and_keys_stay_where_a_run_of_the_same_follows)
{
    static double plain[TOKENS * TOKENS];
    static double scores[TOKENS * TOKENS];
    struct head_input input = {.shape = {TOKENS, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    struct run first = fixture_run(7, 4);
    struct run unscaled = fixture_run(5, 4);
    struct run other = fixture_run(5, 5);
    struct fixture fixture;
    fixture_open(&fixture);
    struct projections *projections = &fixture.head->projections;
    fixture_measure(&fixture, &input, &unscaled, plain, NULL);
    ck_assert_uint_eq(projections->products_known, 0);
    input.again = true;
    fixture_measure(&fixture, &input, &first, NULL, NULL);
    ck_assert_uint_eq(projections->products_known, TOKENS);
    for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
        projections->products.data[i] *= 2;
    }
    fixture_measure(&fixture, &input, &unscaled, scores, NULL);
    for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
        ck_assert(scores[i] == 2 * plain[i]);
    }
    input.again = false;
    fixture_measure(&fixture, &input, &other, NULL, NULL);
    ck_assert_uint_eq(projections->products_known, 0);
    fixture_close(&fixture);
}
END_TEST

START_TEST(only_reserve_asks_for_memory)
{
    fill_inputs();
    struct fixture fixture;
    fixture_open(&fixture);
    struct error err = ERROR_INIT;
    assert_ok(head_reserve(fixture.head, (struct head_shape){TOKENS, MODEL, KEYS}, TOKENS, &err),
              err);
    real_alloc = arena_system_alloc;
    arena_system_alloc = counting_alloc;
    for (unsigned guards = 0; guards < 8; guards++) {
        for (size_t tokens = 1; tokens <= TOKENS; tokens += 23) {
            struct head_input input = {
                .shape = {tokens, MODEL, KEYS}, .x = inputs[0], .input_id = tokens};
            struct run run = fixture_run(guards, (int64_t)tokens);
            struct measurement m;
            head_measure(fixture.head, &input, &run, &m, NULL, NULL);
            assert_ok(head_reserve(fixture.head, input.shape, input.shape.tokens, &err), err);
        }
    }
    arena_system_alloc = real_alloc;
    ck_assert_uint_eq(allocations, 0);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_head_outlives_a_reserve_that_fails)
{
    fill_inputs();
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {8, MODEL, KEYS}, .x = inputs[0], .input_id = 1};
    struct run run = fixture_run(7, 1);
    struct measurement before = fixture_measure(&fixture, &input, &run, NULL, NULL);
    real_alloc = arena_system_alloc;
    arena_system_alloc = no_alloc;
    struct error err = ERROR_INIT;
    struct head_shape large = {100000, 1000, 1000};
    ck_assert(!head_reserve(fixture.head, large, large.tokens, &err));
    ck_assert(err.code != ERROR_NONE && err.message[0] != '\0');
    arena_system_alloc = real_alloc;
    struct measurement after = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert_mem_eq(&before, &after, sizeof before);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_shape_beyond_the_products_is_refused)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct error err = ERROR_INIT;
    struct head_shape shape = {(size_t)1 << 31, 2, 2};
    ck_assert(!head_reserve(fixture.head, shape, shape.tokens, &err));
    assert_error(err, ERROR_INPUT, "2147483648 tokens");
    fixture_close(&fixture);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_prepare");
    TCase *tests = tcase_create("head_prepare");
    tcase_add_test(tests, a_warm_head_gives_the_bytes_of_a_fresh_one_in_any_order);
    tcase_add_test(tests, points_differ_where_they_should);
    tcase_add_loop_test(tests, each_thing_that_matters_is_noticed_alone, 0, 8);
    tcase_add_test(tests, an_input_may_move_and_its_old_place_be_reused);
    tcase_add_loop_test(tests, a_head_that_grew_gives_the_same_bytes, 0, 4);
    tcase_add_test(tests, an_input_without_a_name_is_read_again);
    tcase_add_test(tests, given_draws_are_multiplied_again);
    tcase_add_test(tests, products_of_queries_and_keys_stay_where_a_run_of_the_same_follows);
    tcase_add_test(tests, only_reserve_asks_for_memory);
    tcase_add_test(tests, a_head_outlives_a_reserve_that_fails);
    tcase_add_test(tests, a_shape_beyond_the_products_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
