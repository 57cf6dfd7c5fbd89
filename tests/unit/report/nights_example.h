/* SPDX-License-Identifier: MIT */
/* A sweep of two groups, d_k = 8 and 16, and nights of it. */
#ifndef NIGHTS_EXAMPLE_H
#define NIGHTS_EXAMPLE_H

#include "sections_example.h"

#include "report/nights.h"

enum { NIGHTS_EXAMPLE_LIMIT = 500, NIGHTS_EXAMPLE_GROUPS = 12 };

struct nights_example {
    struct arena arena;
    struct error err;
    struct result rows[NIGHTS_EXAMPLE_GROUPS];
    struct result_set set;
    struct sections_example parts;
    struct tolerance_set tolerances;
    struct history history;
    struct history_night nights[NIGHTS_EXAMPLE_LIMIT];
    struct history_group groups[NIGHTS_EXAMPLE_LIMIT][NIGHTS_EXAMPLE_GROUPS];
    struct nights made;
};

/* Results of `groups` settings with d_k = 8, 16, 24 and so on; all their measures are 0 but
 * row-max, which is 0.1. */
static inline struct nights_example *nights_example_make(size_t groups)
{
    struct nights_example *example = calloc(1, sizeof *example);
    ck_assert_ptr_nonnull(example);
    example->set = sections_example_rows(example->rows, groups);
    for (size_t g = 0; g < groups; g++) {
        example->rows[g].run.d_k = 8 * (int64_t)(g + 1);
        example->rows[g].measurement.row_max_mean = 0.1;
    }
    sections_example_make(&example->parts, &example->set, &example->arena);
    example->history.nights = example->nights;
    return example;
}

/* A night of the example whose last group has this mean row-max; returns it to be changed. */
static inline struct history_night *nights_example_add(struct nights_example *example,
                                                       const char *date, double row_max)
{
    struct history_night *night = &example->nights[example->history.count];
    struct history_group *groups = example->groups[example->history.count++];
    *night = (struct history_night){
        .date = date, .name = example->set.name, .version = "0.1.0", .verdict = "pass"};
    assert_ok(history_groups(&example->parts.summary, &example->arena, night, &example->err),
              example->err);
    ck_assert_uint_le(night->group_count, NIGHTS_EXAMPLE_GROUPS);
    for (size_t g = 0; g < night->group_count; g++) {
        groups[g] = night->groups[g];
        groups[g].sample = NULL; /* as when it is read */
    }
    groups[night->group_count - 1].means[MEASURE_ROW_MAX_MEAN] = row_max;
    night->groups = groups;
    return night;
}

/* The means of a group in the night that was added last. */
static inline double *nights_example_means(struct nights_example *example, size_t group)
{
    return example->groups[example->history.count - 1][group].means;
}

static inline const struct nights *nights_example_choose(struct nights_example *example)
{
    assert_ok(nights_make(example->set.name, &example->parts.summary, &example->history,
                          &example->tolerances, &example->arena, &example->made, &example->err),
              example->err);
    return &example->made;
}

static inline void nights_example_end(struct nights_example *example)
{
    arena_release(&example->arena);
    free(example);
}

#endif
