/* SPDX-License-Identifier: MIT */
/* Tests of attention/properties (properties.c, properties_judge.c): the whole table, the smallest
 * counter-examples, and that each of them is one. */
#include "attention/properties.h"
#include "attention/weights.h"
#include "support.h"

#include <string.h>

/* One letter a property, in their order: not negative, sum, derivative, weak and strict order,
 * shift, scale. Why: any g(s) / sum g(s) with g positive, smooth and strictly increasing has the
 * first five (softmax, softplus); shifts need e^s or differences of scores, scales need powers.
 * sum and square have no value where they divide by 0. plus_one and sigmoid sum to less than 1.
 * The projections are differences of scores, with zeros for more than one key; their kinks: p of
 * sparsemax is linear in pieces, that of entmax15 is the square of such a function, and the
 * threshold has a continuous derivative, since the sum of (s/2 - tau)_+ never vanishes. */
static const char *const table[WEIGHTS_COUNT] = {
    [WEIGHTS_SOFTMAX] = "yyyyyyn",  [WEIGHTS_SOFTMAX_PLUS_ONE] = "ynyyynn",
    [WEIGHTS_SIGMOID] = "ynyyynn",  [WEIGHTS_SPARSEMAX] = "yynynyn",
    [WEIGHTS_ENTMAX15] = "yyyynyn", [WEIGHTS_SOFTPLUS] = "yyyyynn",
    [WEIGHTS_SQUARE] = "ynnnnny",   [WEIGHTS_SUM] = "nnnnnny",
    [WEIGHTS_ARGMAX] = "yynynyy",
};

START_TEST(the_table_is_the_one_that_is_known)
{
    for (int property = 0; property < PROPERTY_COUNT; property++) {
        struct property_finding finding =
            property_search((enum run_weights)_i, (enum property)property);
        ck_assert_msg(finding.holds == (table[_i][property] == 'y'), "%s, %s",
                      weights_alternatives[_i].name, property_names[property]);
        ck_assert(finding.holds == (finding.keys == 0));
    }
}
END_TEST

struct smallest {
    enum run_weights weights;
    enum property property;
    bool defined;
    size_t keys;
    double scores[PROPERTY_KEYS], constant;
    double weights_of[PROPERTY_KEYS], changed[PROPERTY_KEYS];
};

#define NONE ((double)NAN)
/* ln 2 = 0.6931 and ln(1 + e) = 1.3133: the softplus of 0 and 1. 1 / (1 + e^-1) = 0.7311. */
static const struct smallest smallest[] = {
    {WEIGHTS_SOFTMAX, PROPERTY_SCALE_INVARIANT, true, 2, {0, 1}, 2, {.2689, .7311}, {.1192, .8808}},
    {WEIGHTS_SOFTMAX_PLUS_ONE, PROPERTY_SUMS_TO_ONE, true, 1, {0}, 0, {.5}, {.5}},
    {WEIGHTS_SOFTMAX_PLUS_ONE, PROPERTY_SHIFT_INVARIANT, true, 1, {0}, 1, {.5}, {.7311}},
    {WEIGHTS_SIGMOID, PROPERTY_SUMS_TO_ONE, true, 1, {0}, 0, {.5}, {.5}},
    {WEIGHTS_SIGMOID, PROPERTY_SHIFT_INVARIANT, true, 1, {0}, 1, {.5}, {.7311}},
    {WEIGHTS_SIGMOID, PROPERTY_SCALE_INVARIANT, true, 1, {1}, 2, {.7311}, {.8808}},
    {WEIGHTS_SPARSEMAX, PROPERTY_DIFFERENTIABLE, true, 2, {0, 1}, 0, {0, 1}, {0, 1}},
    {WEIGHTS_SPARSEMAX, PROPERTY_STRICT_ORDER, true, 3, {0, 1, -1}, 0, {0, 1, 0}, {0, 1, 0}},
    {WEIGHTS_SPARSEMAX, PROPERTY_SCALE_INVARIANT, true, 2, {0, 1}, 0.5, {0, 1}, {.25, .75}},
    {WEIGHTS_ENTMAX15, PROPERTY_STRICT_ORDER, true, 3, {0, -1, 2}, 0, {0, 0, 1}, {0, 0, 1}},
    {WEIGHTS_SOFTPLUS,
     PROPERTY_SHIFT_INVARIANT,
     true,
     2,
     {0, 1},
     1,
     {.3455, .6545},
     {.3817, .6183}},
    {WEIGHTS_SOFTPLUS,
     PROPERTY_SCALE_INVARIANT,
     true,
     2,
     {0, 1},
     2,
     {.3455, .6545},
     {.2458, .7542}},
    {WEIGHTS_SQUARE, PROPERTY_SUMS_TO_ONE, false, 1, {0}, 0, {NONE}, {NONE}},
    {WEIGHTS_SQUARE, PROPERTY_DIFFERENTIABLE, false, 1, {0}, 0, {NONE}, {NONE}},
    {WEIGHTS_SQUARE, PROPERTY_WEAK_ORDER, true, 2, {0, -1}, 0, {0, 1}, {0, 1}},
    {WEIGHTS_SQUARE, PROPERTY_STRICT_ORDER, true, 2, {0, -1}, 0, {0, 1}, {0, 1}},
    {WEIGHTS_SQUARE, PROPERTY_SHIFT_INVARIANT, true, 2, {0, 1}, 1, {0, 1}, {.2, .8}},
    {WEIGHTS_SUM, PROPERTY_NON_NEGATIVE, true, 2, {1, -2}, 0, {-1, 2}, {-1, 2}},
    {WEIGHTS_SUM, PROPERTY_SUMS_TO_ONE, false, 1, {0}, 0, {NONE}, {NONE}},
    {WEIGHTS_SUM, PROPERTY_DIFFERENTIABLE, false, 1, {0}, 0, {NONE}, {NONE}},
    {WEIGHTS_SUM, PROPERTY_WEAK_ORDER, true, 2, {0, -1}, 0, {0, 1}, {0, 1}},
    {WEIGHTS_SUM, PROPERTY_STRICT_ORDER, true, 2, {0, -1}, 0, {0, 1}, {0, 1}},
    {WEIGHTS_SUM, PROPERTY_SHIFT_INVARIANT, true, 2, {0, 1}, 1, {0, 1}, {1 / 3.0, 2 / 3.0}},
    {WEIGHTS_ARGMAX, PROPERTY_DIFFERENTIABLE, true, 2, {0, 0}, 0, {.5, .5}, {.5, .5}},
    {WEIGHTS_ARGMAX, PROPERTY_STRICT_ORDER, true, 3, {0, 1, -1}, 0, {0, 1, 0}, {0, 1, 0}},
};

START_TEST(counter_examples_are_the_smallest)
{
    const struct smallest *wanted = &smallest[_i];
    struct property_finding finding = property_search(wanted->weights, wanted->property);
    ck_assert(!finding.holds && finding.defined == wanted->defined);
    ck_assert_uint_eq(finding.keys, wanted->keys);
    assert_within(finding.constant, wanted->constant, 0);
    for (size_t j = 0; j < wanted->keys; j++) {
        assert_within(finding.scores[j], wanted->scores[j], 0);
        assert_within(finding.weights[j], wanted->weights_of[j], 5.1e-5);
        assert_within(finding.changed[j], wanted->changed[j], 5.1e-5);
    }
}
END_TEST

/* Each finding, judged here from what it says alone. */
static bool refutes(enum property property, const struct property_finding *finding)
{
    double sum = 0;
    bool negative = false;
    bool reversed = false;
    bool tied = false;
    bool moved = false;
    for (size_t i = 0; i < finding->keys; i++) {
        sum += finding->weights[i];
        negative = negative || finding->weights[i] < 0;
        moved = moved || fabs(finding->weights[i] - finding->changed[i]) > 1e-6;
        for (size_t j = 0; j < finding->keys; j++) {
            bool above = finding->scores[i] > finding->scores[j];
            reversed = reversed || (above && finding->weights[i] < finding->weights[j]);
            tied = tied || (above && finding->weights[i] <= finding->weights[j]);
        }
    }
    switch (property) {
    case PROPERTY_NON_NEGATIVE:
        return negative;
    case PROPERTY_SUMS_TO_ONE:
        return !finding->defined || fabs(sum - 1) > 1e-6;
    case PROPERTY_WEAK_ORDER:
        return reversed;
    case PROPERTY_STRICT_ORDER:
        return tied;
    case PROPERTY_DIFFERENTIABLE:
        return !moved;
    default:
        return moved;
    }
}

START_TEST(every_counter_example_is_one)
{
    enum run_weights weights = (enum run_weights)_i;
    for (int place = 0; place < PROPERTY_COUNT; place++) {
        enum property property = (enum property)place;
        struct property_finding finding = property_search(weights, property);
        if (finding.holds) {
            continue;
        }
        ck_assert_msg(refutes(property, &finding), "%s, %s", weights_alternatives[_i].name,
                      property_names[place]);
        bool invariance =
            property == PROPERTY_SHIFT_INVARIANT || property == PROPERTY_SCALE_INVARIANT;
        ck_assert(invariance == (finding.constant != 0));
        /* The weights are those of the row. */
        double p[PROPERTY_KEYS];
        double others[4][PROPERTY_KEYS];
        const struct weights_row row = {p, others[0], others[1], others[2], others[3]};
        weights_alternatives[weights].fill(finding.keys, finding.scores, &row);
        for (size_t j = 0; j < finding.keys; j++) {
            assert_within(finding.weights[j], p[j], 0);
        }
    }
}
END_TEST

START_TEST(a_search_says_the_same_twice)
{
    struct property_finding first = property_search(WEIGHTS_SUM, PROPERTY_SHIFT_INVARIANT);
    struct property_finding second = property_search(WEIGHTS_SUM, PROPERTY_SHIFT_INVARIANT);
    ck_assert(first.keys == second.keys && first.constant == second.constant);
    ck_assert_mem_eq(first.scores, second.scores, sizeof first.scores);
    ck_assert_mem_eq(first.weights, second.weights, sizeof first.weights);
}
END_TEST

/* The table also stands in the alternatives, where the head relies on it. */
START_TEST(claims_of_the_alternatives_agree)
{
    const struct weights_alternative *alternative = &weights_alternatives[_i];
    ck_assert(alternative->shift_invariant == (table[_i][PROPERTY_SHIFT_INVARIANT] == 'y'));
    bool ratio = _i == WEIGHTS_SQUARE || _i == WEIGHTS_SUM;
    ck_assert((alternative->sums_to_one && !ratio) == (table[_i][PROPERTY_SUMS_TO_ONE] == 'y'));
}
END_TEST

START_TEST(names_and_labels_are_complete)
{
    ck_assert_str_eq(property_names[PROPERTY_NON_NEGATIVE], "non_negative");
    ck_assert_str_eq(property_labels[PROPERTY_NON_NEGATIVE], "not negative");
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(property_names[i], property_names[j]);
            ck_assert_str_ne(property_labels[i], property_labels[j]);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("properties");
    TCase *tests = tcase_create("properties");
    int count = (int)(sizeof smallest / sizeof smallest[0]);
    tcase_add_loop_test(tests, the_table_is_the_one_that_is_known, 0, WEIGHTS_COUNT);
    tcase_add_loop_test(tests, counter_examples_are_the_smallest, 0, count);
    tcase_add_loop_test(tests, every_counter_example_is_one, 0, WEIGHTS_COUNT);
    tcase_add_test(tests, a_search_says_the_same_twice);
    tcase_add_loop_test(tests, claims_of_the_alternatives_agree, 0, WEIGHTS_COUNT);
    tcase_add_test(tests, names_and_labels_are_complete);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
