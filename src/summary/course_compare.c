/* SPDX-License-Identifier: MIT */
/* What moved between two exports of course data; see course.h. */
#include "summary/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct comparing {
    const struct course *before, *after;
    const struct tolerance_set *tolerances;
    struct arena *arena;
    struct course_moves *out;
    struct course_move *items;
    size_t capacity;
    struct error *err;
};

double course_distance(double before, double after)
{
    double moved = fabs(after - before);
    return isnan(moved) ? (double)INFINITY : moved;
}

double course_relative(const struct course_move *move)
{
    double size = fmax(fabs(move->before), fabs(move->after));
    double relative = move->after / size - move->before / size;
    return isfinite(relative) ? relative : (double)NAN;
}

static bool add(struct comparing *comparing, const struct course_move *move)
{
    struct course_moves *out = comparing->out;
    comparing->items = arena_grow(comparing->arena, comparing->items, out->count,
                                  &comparing->capacity, sizeof *comparing->items, comparing->err);
    if (comparing->items == NULL) {
        return false;
    }
    comparing->items[out->count++] = *move;
    out->items = comparing->items;
    out->counts[move->change]++;
    return true;
}

/* A number that moved, and `count` of its kind with it. */
static bool add_moved(struct comparing *comparing, const struct course_move *move,
                      struct course_total *total, uint64_t count)
{
    struct course_moves *out = comparing->out;
    if (!add(comparing, move)) {
        return false;
    }
    out->counts[COURSE_MOVED] += count - 1;
    const struct course_move *largest = &comparing->items[total->largest];
    if (total->moved == 0 || course_distance(move->before, move->after) >
                                 course_distance(largest->before, largest->after)) {
        total->largest = out->count - 1;
    }
    total->moved += count;
    return true;
}

/* Without tolerances every bit counts, but that -0 is 0. */
static bool is_within(const struct comparing *comparing, int measure, const struct run *run,
                      double before, double after)
{
    if (before == after || (isnan(before) && isnan(after))) {
        return true;
    }
    if (comparing->tolerances == NULL || !isfinite(before) || !isfinite(after)) {
        return false;
    }
    struct tolerance tolerance = tolerance_of(comparing->tolerances, measure, run);
    return fabs(after - before) <= tolerance.atol + tolerance.rtol * fabs(before);
}

/* Both sides of one guard set. */
struct sides {
    const struct course_combination *before, *after;
    struct course_move move; /* names corpus, seed and guards */
};

static bool compare_measures(struct comparing *comparing, struct sides *sides)
{
    uint64_t lacking = comparing->before->lacking | comparing->after->lacking;
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        double before = sides->before->measures[m];
        double after = sides->after->measures[m];
        if ((lacking >> m & 1) != 0) {
            continue;
        }
        struct course_total *total = &comparing->out->totals[m];
        comparing->out->numbers++;
        total->compared++;
        if (is_within(comparing, m, sides->after->run, before, after)) {
            continue;
        }
        struct course_move move = sides->move;
        move.change = COURSE_MOVED;
        move.what = measurement_fields[m].name;
        move.before = before;
        move.after = after;
        if (!add_moved(comparing, &move, total, 1)) {
            return false;
        }
    }
    return true;
}

static bool compare_matrices(struct comparing *comparing, struct sides *sides)
{
    const struct course_combination *before = sides->before;
    const struct course_combination *after = sides->after;
    struct course_move move = sides->move;
    struct course_total *total = &comparing->out->totals[COURSE_TOTAL_WEIGHTS];
    uint64_t moved = 0;
    for (size_t i = 0; i < before->queries * before->tokens; i++) {
        comparing->out->numbers++;
        total->compared++;
        if (is_within(comparing, MEASURE_ROW_MAX_MEAN, after->run, before->weights[i],
                      after->weights[i])) {
            continue;
        }
        if (moved++ == 0 || course_distance(before->weights[i], after->weights[i]) >
                                course_distance(move.before, move.after)) {
            move.row = i / before->tokens;
            move.column = i % before->tokens;
            move.before = before->weights[i];
            move.after = after->weights[i];
        }
    }
    move.change = COURSE_MOVED;
    move.what = "weights";
    return moved == 0 || add_moved(comparing, &move, total, moved);
}

static bool compare_weights(struct comparing *comparing, struct sides *sides)
{
    const struct course_combination *before = sides->before;
    const struct course_combination *after = sides->after;
    struct course_move move = sides->move;
    if (before->weights == NULL && after->weights == NULL) {
        return true;
    }
    move.change = COURSE_WEIGHTS;
    move.what = "weights";
    if (before->weights == NULL || after->weights == NULL) {
        move.old_text = before->weights == NULL ? NULL : "kept";
        move.new_text = after->weights == NULL ? NULL : "kept";
        return add(comparing, &move);
    }
    if (before->queries != after->queries || before->tokens != after->tokens) {
        move.change = COURSE_TOKENS;
        move.old_text = arena_format(comparing->arena, comparing->err, "%zu by %zu",
                                     before->queries, before->tokens);
        move.new_text = arena_format(comparing->arena, comparing->err, "%zu by %zu", after->queries,
                                     after->tokens);
        return move.old_text != NULL && move.new_text != NULL && add(comparing, &move);
    }
    return compare_matrices(comparing, sides);
}

static bool compare_combination(struct comparing *comparing, struct sides *sides)
{
    if (sides->before->status != sides->after->status) {
        struct course_move move = sides->move;
        move.change = COURSE_STATUS;
        move.what = "status";
        move.old_text = selection_status(sides->before->status);
        move.new_text = selection_status(sides->after->status);
        if (!add(comparing, &move)) {
            return false;
        }
    }
    return compare_measures(comparing, sides) && compare_weights(comparing, sides);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool compare_pair(struct comparing *comparing, const struct course_pair *before,
                         const struct course_pair *after)
{
    size_t earlier = comparing->out->count;
    struct sides sides = {.move = {.corpus = comparing->after->corpora[after->corpus].name,
                                   .seed = after->seed,
                                   .guards = -1}};
    bool good = true;
    comparing->out->pairs++;
    if (!same_text(before->words, after->words)) {
        struct course_move move = sides.move;
        move.change = COURSE_TOKENS;
        move.what = "tokens";
        move.old_text = before->words;
        move.new_text = after->words;
        good = add(comparing, &move);
    }
    for (int mask = 0; good && mask < COURSE_COMBINATIONS; mask++) {
        sides.move.guards = mask;
        sides.before = &before->combinations[mask];
        sides.after = &after->combinations[mask];
        good = compare_combination(comparing, &sides);
    }
    comparing->out->pairs_moved += comparing->out->count > earlier;
    return good;
}

/* A pair by the name of its corpus and its seed, for a search. */
struct entry {
    const char *corpus;
    int64_t seed;
    const struct course_pair *pair;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = strcmp(x->corpus, y->corpus);
    return order != 0 ? order : x->seed < y->seed ? -1 : x->seed > y->seed;
}

static struct entry entry_of(const struct course *course, size_t pair)
{
    const struct course_pair *at = &course->pairs[pair];
    return (struct entry){course->corpora[at->corpus].name, at->seed, at};
}

static struct entry *sort_pairs(const struct comparing *comparing, const struct course *course)
{
    struct entry *entries =
        arena_alloc(comparing->arena, course->pair_count, sizeof *entries, comparing->err);
    for (size_t i = 0; entries != NULL && i < course->pair_count; i++) {
        entries[i] = entry_of(course, i);
    }
    if (entries != NULL) {
        qsort(entries, course->pair_count, sizeof *entries, compare_entries);
    }
    return entries;
}

static const struct course_pair *find_pair(const struct entry *entries, size_t count,
                                           const struct entry *wanted)
{
    const struct entry *found = bsearch(wanted, entries, count, sizeof *entries, compare_entries);
    return found == NULL ? NULL : found->pair;
}

static bool add_pair(struct comparing *comparing, enum course_change change,
                     const struct entry *entry)
{
    return add(comparing, &(struct course_move){.change = change,
                                                .corpus = entry->corpus,
                                                .seed = entry->seed,
                                                .guards = -1,
                                                .what = ""});
}

static bool compare_pairs(struct comparing *comparing)
{
    const struct course *before = comparing->before;
    const struct course *after = comparing->after;
    const struct entry *old = sort_pairs(comparing, before);
    const struct entry *now = sort_pairs(comparing, after);
    bool good = old != NULL && now != NULL;
    for (size_t i = 0; good && i < after->pair_count; i++) {
        struct entry entry = entry_of(after, i);
        const struct course_pair *pair = find_pair(old, before->pair_count, &entry);
        good = pair == NULL ? add_pair(comparing, COURSE_NEW, &entry)
                            : compare_pair(comparing, pair, entry.pair);
    }
    for (size_t i = 0; good && i < before->pair_count; i++) {
        struct entry entry = entry_of(before, i);
        if (find_pair(now, after->pair_count, &entry) == NULL) {
            good = add_pair(comparing, COURSE_GONE, &entry);
        }
    }
    return good;
}

/* A change of something that is the same for all pairs, or of a corpus. */
static bool compare_texts(struct comparing *comparing, enum course_change change,
                          const char *corpus, const char *what, const char *const sides[2])
{
    return same_text(sides[0], sides[1]) ||
           add(comparing, &(struct course_move){.change = change,
                                                .corpus = corpus,
                                                .seed = -1,
                                                .guards = -1,
                                                .what = what,
                                                .old_text = sides[0],
                                                .new_text = sides[1]});
}

static bool compare_heads(struct comparing *comparing)
{
    const struct course *before = comparing->before;
    const struct course *after = comparing->after;
    bool good = true;
    for (int f = 0; good && f < RUN_FIELD_COUNT; f++) {
        const char *const sides[2] = {course_setting_value(before, (enum run_field)f),
                                      course_setting_value(after, (enum run_field)f)};
        good = compare_texts(comparing, COURSE_SETTING, NULL, run_fields[f].name, sides);
    }
    for (int m = 0; good && m < MEASUREMENT_FIELD_COUNT; m++) {
        const char *const sides[2] = {(before->lacking >> m & 1) != 0 ? NULL : "there",
                                      (after->lacking >> m & 1) != 0 ? NULL : "there"};
        good = compare_texts(comparing, COURSE_MEASURE, NULL, measurement_fields[m].name, sides);
    }
    for (size_t a = 0; good && a < after->corpus_count; a++) {
        for (size_t b = 0; good && b < before->corpus_count; b++) {
            const char *const sides[2] = {before->corpora[b].digest, after->corpora[a].digest};
            good = strcmp(before->corpora[b].name, after->corpora[a].name) != 0 ||
                   compare_texts(comparing, COURSE_TEXT, after->corpora[a].name, "sha256", sides);
        }
    }
    return good;
}

bool course_compare(const struct course *before, const struct course *after,
                    const struct tolerance_set *tolerances, struct arena *arena,
                    struct course_moves *out, struct error *err)
{
    struct comparing comparing = {.before = before,
                                  .after = after,
                                  .tolerances = tolerances,
                                  .arena = arena,
                                  .out = out,
                                  .err = err};
    memset(out, 0, sizeof *out);
    return compare_heads(&comparing) && compare_pairs(&comparing);
}
