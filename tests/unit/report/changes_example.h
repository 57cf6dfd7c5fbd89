/* SPDX-License-Identifier: MIT */
/* Two results sets of a sweep over d_k = 8, 16 and three seeds, for tests to change. */
#ifndef CHANGES_EXAMPLE_H
#define CHANGES_EXAMPLE_H

#include "sections_example.h"

#include "report/changes.h"

enum { CHANGES_EXAMPLE_SETTINGS = 2, CHANGES_EXAMPLE_SEEDS = 3, CHANGES_EXAMPLE_ROWS = 6 };

struct changes_example {
    struct arena arena;
    struct error err;
    struct result rows[2][CHANGES_EXAMPLE_ROWS];
    struct result_set sets[2];
    struct report_side sides[2];
    struct changes made;
    struct text out;
};

/* Rows 0 to 2 have d_k = 8, rows 3 to 5 d_k = 16, each with seeds 1 to 3. In both sets the mean
 * row-max is 0.5, the score spread 2, and all else 0. */
static inline struct changes_example *changes_example_make(void)
{
    struct changes_example *example = calloc(1, sizeof *example);
    ck_assert_ptr_nonnull(example);
    for (int side = 0; side < 2; side++) {
        struct result *rows = example->rows[side];
        example->sets[side] = sections_example_rows(rows, CHANGES_EXAMPLE_ROWS);
        example->sides[side] =
            (struct report_side){&example->sets[side], side == 0 ? "monday.h5" : "tuesday.h5"};
        for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
            rows[i].run.d_k = i < CHANGES_EXAMPLE_SEEDS ? 8 : 16;
            rows[i].run.seed = (int64_t)(i % CHANGES_EXAMPLE_SEEDS) + 1;
            rows[i].run.given |= UINT64_C(1) << RUN_D_K;
            rows[i].key = 100 + i;
            rows[i].measurement.row_max_mean = 0.5;
            rows[i].measurement.score_std = 2;
        }
    }
    return example;
}

static inline const struct changes *changes_example_compare(struct changes_example *example)
{
    assert_ok(changes_make(example->sides, NULL, &example->arena, &example->made, &example->err),
              example->err);
    return &example->made;
}

typedef bool changes_part(const struct sections *sections, const struct changes *changes,
                          struct error *err);

static inline const char *changes_example_text(struct changes_example *example, changes_part *part)
{
    const struct changes *changes = changes_example_compare(example);
    example->out = (struct text)TEXT_INIT(&example->arena);
    const struct sections sections = {&example->out, &example->sets[1], &changes->view,
                                      &example->arena};
    assert_ok(part(&sections, changes, &example->err), example->err);
    text_append(&example->out, "");
    const char *text = text_finish(&example->out, &example->err);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* All runs of B failed. */
static inline void changes_example_fail(struct changes_example *example)
{
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].status = RESULT_FAILED;
        example->rows[1][i].message = "why";
    }
}

static inline void changes_example_end(struct changes_example *example)
{
    arena_release(&example->arena);
    free(example);
}

#endif
