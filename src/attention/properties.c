/* SPDX-License-Identifier: MIT */
/* The search for counter-examples: a catalogue of rows from small to large, random rows, and the
 * shrinking of what was found. What counts as one is in properties_judge.c. */
#include "attention/properties.h"

#include "attention/properties_internal.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define RANDOM_ROWS 3000
#define RANDOM_SEED 1

const char *const property_names[PROPERTY_COUNT] = {
    "non_negative", "sums_to_one",     "differentiable",  "weak_order",
    "strict_order", "shift_invariant", "scale_invariant",
};

const char *const property_labels[PROPERTY_COUNT] = {
    "not negative", "sums to one",     "differentiable",  "weak order",
    "strict order", "shift-invariant", "scale-invariant",
};

/* Smaller constants first. All are exact factors and summands of the rows that are tried. */
static const double shifts[] = {1, -1, 2, 10, 1000};
static const double scales[] = {2, 0.5, 3, 10};

static const double entries[] = {0, 1, -1, 2, -2, 3, -3};
#define ENTRIES (sizeof entries / sizeof entries[0])
#define CATALOGUE_KEYS 3

/* Rows that small integers do not give: small steps, wide gaps, large shifts, many ties. */
static const struct candidate further[] = {
    {2, {0.5, 0.25}, 0},
    {2, {0.125, -0.125}, 0},
    {3, {0.5, 0.25, 0}, 0},
    {2, {40, -40}, 0},
    {3, {0, -746, -800}, 0},
    {3, {1000, 999, -1000}, 0},
    {3, {1000001, 1000002, 1000003}, 0},
    {3, {-1000001, -1000002, -1000003}, 0},
    {4, {1, 1, 1, 1}, 0},
    {4, {2, 2, 1, 1}, 0},
    {4, {4, 3, 2, 1}, 0},
    {4, {1, -1, 1, -1}, 0},
    {4, {-4, -3, -2, -1}, 0},
    {4, {30, 10, -10, -30}, 0},
};

/* The constants that a property is tried with; one 0 for those without. */
static size_t constants_of(enum property property, const double **out)
{
    static const double none[] = {0};
    if (property == PROPERTY_SHIFT_INVARIANT) {
        *out = shifts;
        return sizeof shifts / sizeof shifts[0];
    }
    if (property == PROPERTY_SCALE_INVARIANT) {
        *out = scales;
        return sizeof scales / sizeof scales[0];
    }
    *out = none;
    return 1;
}

static bool refutes(const struct question *question, struct candidate *row)
{
    const double *constants;
    size_t count = constants_of(question->property, &constants);
    for (size_t i = 0; i < count; i++) {
        row->constant = constants[i];
        if (judge_refutes(question, row)) {
            return true;
        }
    }
    return false;
}

/* How much there is to a number: its size, a little more with a sign, and its binary places. */
static double number_cost(double x)
{
    double cost = fabs(x) + (x < 0 ? 0.25 : 0);
    double rest = x;
    for (int places = 0; places < 60 && rest != nearbyint(rest); places++) {
        rest *= 2;
        cost += 2;
    }
    return cost;
}

static double row_cost(const struct candidate *row)
{
    double cost = number_cost(row->constant);
    for (size_t j = 0; j < row->keys; j++) {
        cost += number_cost(row->scores[j]);
    }
    return cost;
}

/* Row `number` of those with `keys` entries, the first entry slowest. */
static void write_entries(size_t number, size_t keys, struct candidate *row)
{
    row->keys = keys;
    for (size_t j = keys; j-- > 0;) {
        row->scores[j] = entries[number % ENTRIES];
        number /= ENTRIES;
    }
}

/* The cheapest counter-example among all rows of few entries, then the first of the further rows.
 */
static bool search_catalogue(const struct question *question, struct candidate *found)
{
    size_t rows = 1;
    for (size_t keys = 1; keys <= CATALOGUE_KEYS; keys++) {
        double cheapest = (double)INFINITY;
        rows *= ENTRIES;
        for (size_t number = 0; number < rows; number++) {
            struct candidate row;
            write_entries(number, keys, &row);
            if (refutes(question, &row) && row_cost(&row) < cheapest) {
                cheapest = row_cost(&row);
                *found = row;
            }
        }
        if (isfinite(cheapest)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof further / sizeof further[0]; i++) {
        *found = further[i];
        if (refutes(question, found)) {
            return true;
        }
    }
    return false;
}

/* One to four keys, spreads of 1/2, 2 and 8, in steps of 1/16, so that shifted and scaled rows are
 * exact; every fourth row in whole numbers, for ties. */
static bool search_random(const struct question *question, struct candidate *found)
{
    static const double spreads[] = {0.5, 2, 8};
    for (uint32_t number = 0; number < RANDOM_ROWS; number++) {
        double steps = number / 4 % 4 == 0 ? 1 : 16;
        found->keys = 1 + number % PROPERTY_KEYS;
        random_normals(RANDOM_SEED, RANDOM_SEARCH, number, 0, found->keys, found->scores);
        for (size_t j = 0; j < found->keys; j++) {
            found->scores[j] = nearbyint(steps * spreads[number % 3] * found->scores[j]) / steps;
        }
        if (refutes(question, found)) {
            return true;
        }
    }
    return false;
}

/* Keeps `changed` if it is a counter-example, too, with fewer keys or shorter numbers. */
static bool improve(const struct question *question, struct candidate *best,
                    const struct candidate *changed)
{
    bool shorter = changed->keys < best->keys || row_cost(changed) < row_cost(best);
    if (!shorter || !judge_refutes(question, changed)) {
        return false;
    }
    *best = *changed;
    return true;
}

static bool drop_a_key(const struct question *question, struct candidate *best)
{
    for (size_t j = 0; best->keys > 1 && j < best->keys; j++) {
        struct candidate changed = *best;
        changed.keys--;
        memmove(&changed.scores[j], &changed.scores[j + 1],
                (changed.keys - j) * sizeof changed.scores[0]);
        if (improve(question, best, &changed)) {
            return true;
        }
    }
    return false;
}

static bool shorten_a_number(const struct question *question, struct candidate *best)
{
    for (size_t j = 0; j < best->keys; j++) {
        double score = best->scores[j];
        const double trials[] = {0, 1, -1, nearbyint(score), trunc(score / 2), score / 2, -score};
        for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
            struct candidate changed = *best;
            changed.scores[j] = trials[i];
            if (improve(question, best, &changed)) {
                return true;
            }
        }
    }
    return false;
}

static bool shorten_the_constant(const struct question *question, struct candidate *best)
{
    const double *constants;
    size_t count = constants_of(question->property, &constants);
    for (size_t i = 0; i < count; i++) {
        struct candidate changed = *best;
        changed.constant = constants[i];
        if (improve(question, best, &changed)) {
            return true;
        }
    }
    return false;
}

static void shrink(const struct question *question, struct candidate *best)
{
    while (drop_a_key(question, best) || shorten_a_number(question, best) ||
           shorten_the_constant(question, best)) {
    }
}

struct property_finding property_search(enum run_weights weights, enum property property)
{
    const struct question question = {weights, property};
    struct candidate found = {0, {0}, 0};
    struct property_finding finding = {.holds = true, .defined = true};
    if (!search_catalogue(&question, &found) && !search_random(&question, &found)) {
        return finding;
    }
    shrink(&question, &found);
    finding.holds = false;
    finding.keys = found.keys;
    finding.constant = found.constant;
    memcpy(finding.scores, found.scores, found.keys * sizeof *found.scores);
    finding.defined = judge_weights(&question, &found, finding.weights, finding.changed);
    return finding;
}
