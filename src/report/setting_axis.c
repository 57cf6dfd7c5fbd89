/* SPDX-License-Identifier: MIT */
/* Finding the axes that are not crossed, and merging them; see setting_axis.h. */
#include "report/setting_axis.h"

#include "report/setting_internal.h"

#include <stdlib.h>

/* Groups times axes squared: with more, nobody could read the names anyway. */
static const size_t most_work = 4000000;
static const size_t most_settings = 1000;

/* A group and the combination that it has so far. */
struct entry {
    uint64_t key;
    size_t group;
};

struct search {
    const struct summary *summary;
    struct entry *entries;               /* of each group */
    size_t *number;                      /* of the combination of each group */
    size_t determinant[RUN_FIELD_COUNT]; /* the axis that determines this one; itself if none */
    bool entangled[RUN_FIELD_COUNT];
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *left = a;
    const struct entry *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return (left->group > right->group) - (left->group < right->group);
}

/* Numbers the combinations of the chosen axes into search->number; returns how many there are. */
static size_t combine(struct search *search, const bool *chosen)
{
    const struct summary *summary = search->summary;
    size_t count = 1;
    for (size_t g = 0; g < summary->group_count; g++) {
        search->number[g] = 0;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (!chosen[a]) {
            continue;
        }
        for (size_t g = 0; g < summary->group_count; g++) {
            uint64_t key = (uint64_t)search->number[g] * summary->axes[a].count;
            search->entries[g] = (struct entry){key + summary->groups[g].place[a], g};
        }
        qsort(search->entries, summary->group_count, sizeof *search->entries, compare_entries);
        count = 0;
        for (size_t i = 0; i < summary->group_count; i++) {
            count += i == 0 || search->entries[i].key != search->entries[i - 1].key;
            search->number[search->entries[i].group] = count - 1;
        }
    }
    return count;
}

/* Whether every value of `a` comes with one value of `b`. */
static bool determines(struct search *search, size_t a, size_t b)
{
    bool chosen[RUN_FIELD_COUNT] = {false};
    chosen[a] = true;
    chosen[b] = true;
    return combine(search, chosen) == search->summary->axes[a].count;
}

/* Of axes that determine each other the first stands for all. */
static void find_determinants(struct search *search)
{
    const struct summary *summary = search->summary;
    for (size_t b = 0; b < summary->axis_count; b++) {
        search->determinant[b] = b;
    }
    for (size_t b = 0; b < summary->axis_count; b++) {
        for (size_t a = 0; a < summary->axis_count && search->determinant[b] == b; a++) {
            size_t more = summary->axes[a].count;
            size_t less = summary->axes[b].count;
            bool first = more > less || (more == less && a < b);
            if (first && search->determinant[a] == a && determines(search, a, b)) {
                search->determinant[b] = a;
            }
        }
    }
}

/* A determinant may have got one itself after it was named. */
static size_t root_of(const struct search *search, size_t axis)
{
    while (search->determinant[axis] != axis) {
        axis = search->determinant[axis];
    }
    return axis;
}

static bool is_crossed(struct search *search, size_t axis)
{
    const struct summary *summary = search->summary;
    bool others[RUN_FIELD_COUNT];
    for (size_t a = 0; a < summary->axis_count; a++) {
        others[a] = a != axis && search->determinant[a] == a;
    }
    size_t combinations = combine(search, others);
    bool scale = summary->axes[axis].numeric && summary->group_count >= 3 * combinations;
    return scale || 4 * summary->group_count >= 3 * summary->axes[axis].count * combinations;
}

/* An axis that a figure can run along by itself. */
static bool is_natural(const struct summary_axis *axis)
{
    return axis->numeric || axis->field == AXIS_GUARDS || axis->field == RUN_CORPUS ||
           axis->field == RUN_HEAD;
}

/* The part of all combinations up to which axes are merged: what has been run of a grid that goes
 * on, value by value of its first axis, is more than half of what its axes show so far. */
static double most_part(const struct search *search)
{
    for (size_t a = 0; a < search->summary->axis_count; a++) {
        if (search->entangled[a] && is_natural(&search->summary->axes[a])) {
            return 1.0 / 2;
        }
    }
    return 2.0 / 3;
}

/* Marks the axes to be merged and numbers their combinations; 0 when none are. */
static size_t find_entangled(struct search *search)
{
    const struct summary *summary = search->summary;
    double product = 1;
    size_t count = 0;
    find_determinants(search);
    for (size_t a = 0; a < summary->axis_count; a++) {
        search->entangled[a] = search->determinant[a] == a && !is_crossed(search, a);
        count += search->entangled[a];
        product *= search->entangled[a] ? (double)summary->axes[a].count : 1;
    }
    size_t combinations = combine(search, search->entangled);
    if (count < 2 || combinations > most_settings ||
        (double)combinations > (1 + 1e-12) * most_part(search) * product) {
        return 0;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        search->entangled[a] = search->entangled[root_of(search, a)];
    }
    return combinations;
}

/* Numbers the combinations anew, in the order of the plan, with a group of each as its sample. */
static bool collect(const struct search *search, struct combinations *out, struct arena *arena,
                    struct error *err)
{
    const struct summary *summary = search->summary;
    size_t *renumbered = arena_alloc(arena, out->count, sizeof *renumbered, err);
    out->of_group = arena_alloc(arena, summary->group_count, sizeof *out->of_group, err);
    out->samples = arena_alloc(arena, out->count, sizeof(const struct summary_group *), err);
    if (renumbered == NULL || out->of_group == NULL || out->samples == NULL) {
        return false;
    }
    size_t found = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        size_t *number = &renumbered[search->number[g]]; /* 0: not met yet */
        if (*number == 0) {
            out->samples[found] = &summary->groups[g];
            *number = ++found;
        }
        out->of_group[g] = *number - 1;
    }
    return true;
}

/* The axis of settings, then those that stay; their old numbers are in `kept`. */
static bool make_axes(const struct combinations *combinations, struct summary *merged, size_t *kept,
                      struct arena *arena, struct error *err)
{
    const struct summary *summary = combinations->summary;
    struct summary_axis *axes = arena_alloc(arena, summary->axis_count, sizeof *axes, err);
    const struct run **samples = arena_alloc(arena, combinations->count, sizeof *samples, err);
    if (axes == NULL || samples == NULL) {
        return false;
    }
    for (size_t c = 0; c < combinations->count; c++) {
        samples[c] = combinations->samples[c]->sample;
    }
    const char *const *names = settings_names(combinations, arena, err);
    axes[0] = (struct summary_axis){.field = AXIS_SETTINGS,
                                    .name = "setting",
                                    .label = "setting",
                                    .count = combinations->count,
                                    .samples = samples,
                                    .names = names};
    merged->axis_count = 1;
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (!combinations->merged[a]) {
            kept[merged->axis_count] = a;
            axes[merged->axis_count++] = summary->axes[a];
        }
    }
    merged->axes = axes;
    return names != NULL;
}

static bool make_groups(const struct combinations *combinations, struct summary *merged,
                        const size_t *kept, struct arena *arena, struct error *err)
{
    const struct summary *summary = combinations->summary;
    size_t count = summary->group_count;
    struct summary_group *groups = arena_alloc(arena, count, sizeof *groups, err);
    size_t *places = arena_alloc(arena, count * merged->axis_count, sizeof *places, err);
    if (groups == NULL || places == NULL) {
        return false;
    }
    for (size_t g = 0; g < count; g++) {
        size_t *place = places + g * merged->axis_count;
        place[0] = combinations->of_group[g];
        for (size_t a = 1; a < merged->axis_count; a++) {
            place[a] = summary->groups[g].place[kept[a]];
        }
        groups[g] = summary->groups[g];
        groups[g].place = place;
    }
    merged->groups = groups;
    return true;
}

bool settings_merge(const struct summary *summary, struct arena *arena, struct settings *out,
                    struct error *err)
{
    struct search search = {.summary = summary};
    size_t kept[RUN_FIELD_COUNT];
    out->merged = false;
    if (summary->axis_count < 2 ||
        summary->group_count > most_work / (summary->axis_count * summary->axis_count)) {
        return true;
    }
    search.entries = arena_alloc(arena, summary->group_count, sizeof *search.entries, err);
    search.number = arena_alloc(arena, summary->group_count, sizeof *search.number, err);
    if (search.entries == NULL || search.number == NULL) {
        return false;
    }
    struct combinations combinations = {.summary = summary, .merged = search.entangled};
    combinations.count = find_entangled(&search);
    if (combinations.count == 0) {
        return true;
    }
    combine(&search, search.entangled);
    out->summary = *summary;
    out->merged = true;
    if (!collect(&search, &combinations, arena, err) ||
        !make_axes(&combinations, &out->summary, kept, arena, err) ||
        !make_groups(&combinations, &out->summary, kept, arena, err)) {
        return false;
    }
    out->note = settings_note(&combinations, arena, err);
    return out->note != NULL;
}
