/* SPDX-License-Identifier: MIT */
/* The head under every level of base/processor.h that this machine has. Where steps of products, of
 * softmax and of normal numbers are fused every level gives the same bits; without, all are off by
 * roundings of their steps. Other weights fuse nothing. */
#include "base/random.h"
#include "head_fixture.h"

#include <string.h>

#define TOKENS_MAX ((size_t)300)
#define MODEL_MAX ((size_t)300)

static double x[TOKENS_MAX * MODEL_MAX];

static const struct example {
    struct head_shape shape;
    int weights;
    double spread;
} examples[] = {
    {{2, 3, 2}, WEIGHTS_SOFTMAX, 1},      {{13, 40, 7}, WEIGHTS_SOFTMAX, 0.3},
    {{41, 29, 16}, WEIGHTS_SOFTMAX, 1},   {{300, 24, 8}, WEIGHTS_SOFTMAX, 0.7},
    {{24, 300, 64}, WEIGHTS_SOFTMAX, 3},  {{17, 16, 8}, WEIGHTS_ENTMAX15, 0.4},
    {{19, 16, 8}, WEIGHTS_SOFTPLUS, 0.4}, {{20, 11, 5}, WEIGHTS_SPARSEMAX, 0.3},
    {{23, 12, 9}, WEIGHTS_SIGMOID, 0.4},  {{33, 20, 4}, WEIGHTS_SOFTMAX_PLUS_ONE, 0.4},
};
#define EXAMPLES ((int)(sizeof examples / sizeof examples[0]))

static struct measurement measure_at(enum processor_level level, const struct example *example,
                                     bool from_scores)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_shape shape = example->shape;
    size_t width = from_scores ? shape.tokens : shape.d_model;
    /* What is given is so to the bit: drawn at one level. */
    ck_assert(support_use_level(processor_best()));
    random_normal_matrix(9, RANDOM_TEST, shape.tokens, width, x);
    ck_assert(support_use_level(level));
    struct head_input input = {.shape = shape, .queries = shape.tokens};
    for (size_t i = 0; i < shape.tokens * width; i++) {
        x[i] *= example->spread;
    }
    input.x = from_scores ? NULL : x;
    input.scores = from_scores ? x : NULL;
    struct run run = fixture_run(from_scores ? 2 : 6, 5);
    run.weights = example->weights;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    return m;
}

static double real_of(const struct measurement *m, const struct field *field)
{
    double value;
    memcpy(&value, (const char *)m + field->offset, sizeof value);
    return value;
}

static void assert_alike(const struct measurement *m, const struct measurement *wanted,
                         double relative)
{
    size_t known = 0;
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        if (field->kind == FIELD_REAL) {
            double value = real_of(m, field);
            double expected = real_of(wanted, field);
            ck_assert_msg(support_near(value, expected, relative, 0), "%s = %.17g, expected %.17g",
                          field->name, value, expected);
            known += isnan(value) ? 0 : 1;
        }
    }
    ck_assert_uint_gt(known, 10);
}

/* Compares all levels that fuse, bit for bit, and the plain one within `plain`. */
static void assert_levels_agree(const struct example *example, bool from_scores, double plain)
{
    struct measurement best = measure_at(processor_best(), example, from_scores);
    for (int level = PROCESSOR_AVX2; level <= (int)processor_best(); level++) {
        struct measurement m = measure_at((enum processor_level)level, example, from_scores);
        assert_alike(&m, &best, 0);
    }
    struct measurement m = measure_at(PROCESSOR_PLAIN, example, from_scores);
    assert_alike(&m, &best, plain);
}

START_TEST(given_scores_have_the_same_measures_to_the_bit_where_nothing_fuses)
{
    const struct example *example = &examples[_i];
    assert_levels_agree(example, true, example->weights == WEIGHTS_SOFTMAX ? 1e-13 : 0);
}
END_TEST

START_TEST(a_run_has_the_same_measures_to_the_bit_where_products_fuse)
{
    assert_levels_agree(&examples[_i], false, 1e-13);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("head_levels");
    TCase *tests = tcase_create("head_levels");
    tcase_add_loop_test(tests, given_scores_have_the_same_measures_to_the_bit_where_nothing_fuses,
                        0, EXAMPLES);
    tcase_add_loop_test(tests, a_run_has_the_same_measures_to_the_bit_where_products_fuse, 0,
                        EXAMPLES);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
