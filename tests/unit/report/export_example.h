/* SPDX-License-Identifier: MIT */
/* Two runs, of a corpus and of gaussian tokens, and a sink that keeps what it gets. */
#ifndef EXPORT_EXAMPLE_H
#define EXPORT_EXAMPLE_H

#include "base/text.h"
#include "report/export.h"
#include "support.h"

#include <string.h>

struct export_example {
    struct result list[2];
    struct provenance fact;
    struct result_set set;
    struct selection selection;
    struct export_table table;
    struct arena arena;
    struct error err;
    struct text got;
};

static inline bool export_example_take(void *context, const char *bytes, size_t size,
                                       struct error *err)
{
    (void)err;
    text_append_bytes(context, bytes, size);
    return true;
}

/* Run 0: corpus `corpus`, row-max 0.1, all else 0. Run 1 failed with a message: gaussian, 5 tokens
 * asked for, row-max NaN, largest score infinite. */
static inline void export_example_fill(struct export_example *example, const char *corpus)
{
    memset(example, 0, sizeof *example);
    example->got = (struct text)TEXT_INIT(&example->arena);
    for (int i = 0; i < 2; i++) {
        struct result *row = &example->list[i];
        row->index = i;
        row->key = i == 0 ? UINT64_C(0x00ab) : UINT64_MAX;
        row->message = i == 0 ? "" : "too \"large\", by far";
        row->run = run_default();
        row->run.source = i == 0 ? SOURCE_CORPUS : SOURCE_GAUSSIAN;
    }
    example->list[0].run.corpus = corpus;
    example->list[0].run.sentence = "a b";
    example->list[0].measurement.row_max_mean = 0.1;
    example->list[0].measurement.tokens = 2;
    example->list[1].status = RESULT_FAILED;
    example->list[1].run.tokens = 5;
    example->list[1].measurement.row_max_mean = (double)NAN;
    example->list[1].measurement.max_logit = (double)INFINITY;
    example->fact = (struct provenance){"rowmax_version", "0.1.0"};
    example->set = (struct result_set){.name = "x",
                                       .title = "X <y>",
                                       .sweep_text = "rowmax: 1\n",
                                       .planned = 3,
                                       .provenance = &example->fact,
                                       .provenance_count = 1,
                                       .whole = example->list,
                                       .count = 2};
    assert_ok(
        selection_make(&example->set, NULL, 0, &example->arena, &example->selection, &example->err),
        example->err);
}

static inline bool export_example_choose(struct export_example *example, const char *names)
{
    return export_choose_columns(&example->set, &example->selection, names, &example->arena,
                                 &example->table, &example->err);
}

/* What a format gives for these columns. */
static inline const char *export_example_text(struct export_example *example, const char *names,
                                              bool (*format)(const struct export_table *,
                                                             const struct export_sink *,
                                                             struct error *))
{
    const struct export_sink sink = {export_example_take, &example->got};
    assert_ok(export_example_choose(example, names), example->err);
    example->got.length = 0;
    assert_ok(format(&example->table, &sink, &example->err), example->err);
    return text_finish(&example->got, &example->err);
}

#endif
