/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_upstream: many sizes against plain sums in 80 bits, and bits that do not
 * depend on who does what. */
#include "upstream_example.h"

/* Heads of softmax on both sides of every size at which something is done in another way. */
static const struct head_shape shapes[] = {{1, 2, 2},    {2, 2, 2},   {12, 16, 16}, {32, 40, 64},
                                           {64, 64, 70}, {65, 70, 3}, {64, 63, 64}, {130, 200, 9},
                                           {1024, 3, 2}, {1030, 5, 3}};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

START_TEST(every_size_gives_what_plain_sums_give)
{
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_shape shape = shapes[_i];
    struct example example = make_example(&arena, shape);
    struct run run = plain_run(shape.d_k);
    for (run.mask = MASK_NONE; run.mask <= MASK_CAUSAL; run.mask++) {
        struct measurement m =
            fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
        assert_plain_sums(&example, &run, run.score_factor, &m, 1e-12);
        run.guard_scale = true;
        run.score_scale = SCORE_SCALE_LOG_N;
        m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
        assert_plain_sums(&example, &run, run.score_factor / sqrt((double)shape.d_k), &m, 1e-12);
        run.guard_scale = false;
    }
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

/* Does parts from the last to the first, by several hands in turn. */
static void backwards(struct crew *crew, size_t count, crew_part *part, void *task)
{
    for (size_t i = count; i-- > 0;) {
        part(task, i, i % crew->hands);
    }
}

START_TEST(no_bit_depends_on_the_hands)
{
    static const size_t hands[] = {1, 2, 3, 7};
    const struct head_shape shape = {1030, 130, 3};
    struct arena arena = {NULL};
    struct example example = make_example(&arena, shape);
    struct run run = plain_run(shape.d_k);
    run.mask = _i == 0 ? MASK_NONE : MASK_CAUSAL;
    run.qk_norm = _i == 0 ? QK_NORM_NONE : QK_NORM_RMS;
    /* Blocks with rows of few weights alone, and others. */
    run.score_factor = _i == 0 ? 300 : 1;
    struct measurement first = {0};
    for (size_t i = 0; i < 4; i++) {
        struct error err = ERROR_INIT;
        struct fixture fixture;
        struct crew crew = {hands[i], backwards};
        fixture_open(&fixture);
        assert_ok(head_employ(fixture.head, hands[i], &err), err);
        example.input.crew = i == 0 ? NULL : &crew;
        struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
        first = i == 0 ? m : first;
        ck_assert_mem_eq(&m, &first, sizeof m);
        fixture_close(&fixture);
    }
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_upstream_sizes");
    TCase *tests = tcase_create("head_upstream_sizes");
    tcase_add_loop_test(tests, every_size_gives_what_plain_sums_give, 0, SHAPES);
    tcase_add_loop_test(tests, no_bit_depends_on_the_hands, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
