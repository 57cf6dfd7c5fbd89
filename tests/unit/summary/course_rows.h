/* SPDX-License-Identifier: MIT */
/* Corpus runs with all eight guard sets, for the tests of course data. */
#ifndef COURSE_ROWS_H
#define COURSE_ROWS_H

#include "summary/course.h"
#include "support.h"

#include <string.h>

enum { COURSE_ROWS_LIMIT = 64 };

/* Weights of two queries over three keys: of the first run, where they are kept. */
static const double course_weights[6] = {1, 0, 0, 0.25, 0.5, 0.25};

struct course_rows {
    struct result list[COURSE_ROWS_LIMIT];
    size_t count;
    struct result_set set;
    struct arena arena;
    struct error err;
    struct selection selection;
    struct course course;
};

/* Eight runs of a corpus and seed. Row-max is corpus size + seed + mask / 10. */
static inline struct result *course_rows_add(struct course_rows *rows, const char *corpus,
                                             int64_t seed)
{
    struct result *first = &rows->list[rows->count];
    for (unsigned mask = 0; mask < COURSE_COMBINATIONS; mask++) {
        struct result *row = &rows->list[rows->count];
        memset(row, 0, sizeof *row);
        row->index = (int64_t)rows->count++;
        row->key = (uint64_t)row->index + 1;
        row->message = "";
        row->run = run_default();
        row->run.corpus = corpus;
        row->run.corpus_digest = corpus;
        row->run.sentence = "the cat sat";
        row->run.seed = seed;
        row->run.guard_init = (mask & 1U) != 0;
        row->run.guard_scale = (mask & 2U) != 0;
        row->run.guard_norm = (mask & 4U) != 0;
        row->measurement.tokens = 3;
        row->measurement.queries = 2;
        row->measurement.corpus_sentences = 8;
        row->measurement.row_max_mean = (double)strlen(corpus) + (double)seed + (double)mask / 10;
    }
    return first;
}

static inline bool course_rows_make(struct course_rows *rows)
{
    rows->set = (struct result_set){.name = "rows",
                                    .title = "Rows",
                                    .sweep_text = "",
                                    .planned = (int64_t)rows->count,
                                    .whole = rows->list,
                                    .count = rows->count};
    return selection_make(&rows->set, NULL, 0, &rows->arena, &rows->selection, &rows->err) &&
           course_make(&rows->set, &rows->selection, &rows->arena, &rows->course, &rows->err);
}

#endif
