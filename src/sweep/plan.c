/* SPDX-License-Identifier: MIT */
/* The plan: counts the points, then walks them in order, dropping what rules exclude and what was
 * there before. See sweep.h. */
#include "sweep/plan_internal.h"

#include <stdio.h>

struct expansion {
    const struct sweep_internal *internal;
    struct run_list runs;
    unsigned char *keep;
    struct plan_rule *rules; /* as in the sweep, then duplicates */
    struct run plain;
    struct run_defaults defaults;
    bool normalised; /* some run lost a value that it was given, and may be another's double */
    /* Fields without a meaning for the source and learner met last. */
    uint64_t idle;
    int source, learner;
    struct error *err;
};

static void collect(struct axes *axes, const struct setting *list)
{
    for (; list != NULL; list = list->next) {
        axes->list[axes->count++] = list;
    }
}

struct axes axes_of_block(const struct sweep_internal *internal, size_t block)
{
    struct axes axes = {.count = 0};
    collect(&axes, internal->leading);
    collect(&axes, internal->blocks[block]);
    collect(&axes, internal->trailing);
    return axes;
}

/* Adds the points of a block; false when 64 bits cannot count them. */
static bool add_points(const struct axes *axes, uint64_t *points)
{
    uint64_t product = 1;
    for (size_t i = 0; i < axes->count; i++) {
        if (__builtin_mul_overflow(product, (uint64_t)axes->list[i]->count, &product)) {
            return false;
        }
    }
    return !__builtin_add_overflow(*points, product, points);
}

static bool count_points(const struct sweep *sweep, uint64_t limit, uint64_t *points,
                         struct error *err)
{
    const struct sweep_internal *internal = sweep->internal;
    const struct setting *longest = NULL;
    bool counted = true;
    *points = 0;
    for (size_t i = 0; i < internal->block_count; i++) {
        struct axes axes = axes_of_block(internal, i);
        counted = add_points(&axes, points) && counted;
        for (size_t j = 0; j < axes.count; j++) {
            bool longer = longest == NULL || axes.list[j]->count > longest->count;
            longest = longer ? axes.list[j] : longest;
        }
    }
    if (counted && *points <= limit) {
        return true;
    }
    char total[TEXT_COUNT_SIZE];
    char most[TEXT_COUNT_SIZE];
    char length[TEXT_COUNT_SIZE];
    return error_set(err, ERROR_INPUT,
                     "%s: %s%s runs, the limit is %s; shorten an axis (the longest, '%s', has %s "
                     "values) or pair axes with 'zip'",
                     sweep->path, counted ? "" : "more than ",
                     text_from_count(counted ? *points : UINT64_MAX, total),
                     text_from_count(limit, most), longest == NULL ? "" : longest->name,
                     text_from_count(longest == NULL ? 0 : longest->count, length));
}

static void find_idle(struct expansion *expansion, const struct run *run)
{
    expansion->source = run->source;
    expansion->learner = run->learner;
    expansion->idle = 0;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        expansion->idle |= run_field_applies(run, (enum run_field)i) ? 0 : UINT64_C(1) << i;
    }
}

static struct run point(struct expansion *expansion, const struct axes *axes, const size_t *rows)
{
    struct run run = expansion->plain;
    for (size_t i = 0; i < axes->count; i++) {
        setting_apply(axes->list[i], rows[i], &run);
    }
    if (expansion->source != run.source || expansion->learner != run.learner) {
        find_idle(expansion, &run);
    }
    /* What is not given still has its default, the common one. */
    bool loses = (run.given & expansion->idle) != 0;
    if (loses || run_has_own_defaults(&run)) {
        run_normalise_like(&run, &expansion->defaults);
    }
    expansion->normalised = expansion->normalised || loses || run.weights_as_given;
    return run;
}

/* The last axis is the fastest; false after the last point. */
static bool advance(const struct axes *axes, size_t *rows)
{
    for (size_t i = axes->count; i-- > 0;) {
        if (++rows[i] < axes->list[i]->count) {
            return true;
        }
        rows[i] = 0;
    }
    return false;
}

/* The rule that takes the run away, NULL if it stays. */
static struct plan_rule *excluding_rule(const struct expansion *expansion, const struct run *run)
{
    struct plan_rule *counted = expansion->rules;
    for (const struct rule *rule = expansion->internal->rules; rule != NULL; rule = rule->next) {
        if (settings_match(rule->conditions, run)) {
            return counted;
        }
        counted++;
    }
    return NULL;
}

static bool expand_block(struct expansion *expansion, size_t block)
{
    const struct sweep_internal *internal = expansion->internal;
    struct axes axes = axes_of_block(internal, block);
    size_t rows[RUN_FIELD_COUNT] = {0};
    do {
        struct run run = point(expansion, &axes, rows);
        struct plan_rule *rule = excluding_rule(expansion, &run);
        if (rule != NULL) {
            rule->excluded++;
            continue;
        }
        bool keeps = settings_match(internal->keep_where, &run);
        expansion->keep[expansion->runs.count] = (unsigned char)(keeps ? internal->keep : 0);
        if (!run_list_append(&expansion->runs, &run, expansion->err)) {
            return false;
        }
    } while (advance(&axes, rows));
    return true;
}

/* Whether two points can be one run: of several grids, of an axis that has a value twice, or where
 * a value counts in some runs only. */
static bool may_repeat(const struct expansion *expansion, const struct plan *plan)
{
    bool repeats = expansion->normalised || expansion->internal->block_count > 1;
    struct axes axes = axes_of_block(expansion->internal, 0);
    size_t shown = 0;
    for (size_t i = 0; !repeats && i < axes.count; i++) {
        if (axes.list[i]->use == SETTING_AXIS) {
            repeats = plan->axes[shown++].values < axes.list[i]->count;
        }
    }
    return repeats;
}

/* Each run is held against each rule. */
static bool check_rules(const struct sweep *sweep, uint64_t points, struct error *err)
{
    char rules[TEXT_COUNT_SIZE];
    char runs[TEXT_COUNT_SIZE];
    size_t count = sweep->internal->rule_count;
    return points == 0 || count <= SWEEP_RULE_LIMIT / points ||
           error_set(
               err, ERROR_INPUT,
               "%s: %s rules under 'exclude' for %s runs would take too long; put values that "
               "go together into one rule, such as {seed: [1, 2]}",
               sweep->path, text_from_count(count, rules), text_from_count(points, runs));
}

static bool prepare_rules(struct expansion *expansion, struct arena *arena, struct error *err)
{
    const struct sweep_internal *internal = expansion->internal;
    struct plan_rule *rules = arena_alloc(arena, internal->rule_count + 1, sizeof *rules, err);
    if (rules == NULL) {
        return false;
    }
    size_t count = 0;
    for (const struct rule *rule = internal->rules; rule != NULL; rule = rule->next) {
        rules[count++].text = rule->text;
    }
    rules[count].text = "duplicates";
    expansion->rules = rules;
    return true;
}

static bool expand(const struct sweep *sweep, const struct plan *plan, struct expansion *expansion,
                   struct arena *arena, struct error *err)
{
    size_t most = (size_t)plan->points;
    expansion->internal = sweep->internal;
    expansion->err = err;
    expansion->plain = run_default();
    find_idle(expansion, &expansion->plain);
    run_list_init(&expansion->runs, arena);
    expansion->keep = arena_alloc(arena, most, sizeof *expansion->keep, err);
    if (expansion->keep == NULL || !run_list_reserve(&expansion->runs, most, err) ||
        !prepare_rules(expansion, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < sweep->internal->block_count; i++) {
        if (!expand_block(expansion, i)) {
            return false;
        }
    }
    size_t before = expansion->runs.count;
    if (may_repeat(expansion, plan) && !seen_thin(&expansion->runs, expansion->keep, err)) {
        return false;
    }
    expansion->rules[sweep->internal->rule_count].excluded = before - expansion->runs.count;
    return true;
}

bool plan_make(const struct sweep *sweep, uint64_t limit, struct arena *arena, struct plan *out,
               struct error *err)
{
    struct plan plan = {.points = 0};
    struct expansion expansion = {.normalised = false};
    uint64_t most = limit < INT32_MAX ? limit : INT32_MAX;
    if (!count_points(sweep, most, &plan.points, err) || !check_rules(sweep, plan.points, err) ||
        !axes_list(sweep->internal, arena, &plan, err) ||
        !expand(sweep, &plan, &expansion, arena, err)) {
        return false;
    }
    if (expansion.runs.count == 0) {
        char total[TEXT_COUNT_SIZE];
        return error_set(err, ERROR_INPUT, "%s: no run is left; the rules exclude all %s",
                         sweep->path, text_from_count(plan.points, total));
    }
    plan.count = expansion.runs.count;
    plan.runs = expansion.runs;
    plan.keep = expansion.keep;
    plan.rules = expansion.rules;
    plan.rule_count = sweep->internal->rule_count;
    plan.rule_count += expansion.rules[plan.rule_count].excluded > 0 ? 1 : 0;
    *out = plan;
    return true;
}
