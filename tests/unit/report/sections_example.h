/* SPDX-License-Identifier: MIT */
/* Runs one part of a report on a set and returns what it wrote. */
#ifndef SECTIONS_EXAMPLE_H
#define SECTIONS_EXAMPLE_H

#include "example.h"

#include "report/sections.h"

struct sections_example {
    struct arena *arena;
    struct summary summary;
    struct view view;
    struct text out;
    struct sections sections;
};

static inline void sections_example_make(struct sections_example *example,
                                         const struct result_set *set, struct arena *arena)
{
    struct error err = ERROR_INIT;
    example->arena = arena;
    assert_ok(summary_make(set, arena, &example->summary, &err), err);
    assert_ok(view_make(&example->summary, arena, &example->view, &err), err);
    example->out = (struct text)TEXT_INIT(arena);
    example->sections = (struct sections){&example->out, set, &example->view, arena};
}

typedef bool sections_part(const struct sections *sections, struct error *err);

static inline const char *sections_example_text(struct sections_example *example,
                                                const struct result_set *set, struct arena *arena,
                                                sections_part *part)
{
    struct error err = ERROR_INIT;
    sections_example_make(example, set, arena);
    assert_ok(part(&example->sections, &err), err);
    text_append(&example->out, "");
    const char *text = text_finish(&example->out, &err);
    ck_assert_ptr_nonnull(text);
    return text;
}

static inline void expect_part(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%.1500s", part, text);
}

static inline void expect_no_part(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "\"%s\" in:\n%.1500s", part, text);
}

/* `count` gaussian-like runs with one seed that the test fills further. */
static inline struct result_set sections_example_rows(struct result *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memset(&rows[i], 0, sizeof rows[i]);
        rows[i].index = (int64_t)i;
        rows[i].message = "";
        rows[i].run = example_run("demo", 3, 1);
        rows[i].measurement.tokens = EXAMPLE_TOKENS;
    }
    return (struct result_set){.name = "rows",
                               .title = "rows",
                               .sweep_text = "",
                               .planned = (int64_t)count,
                               .whole = rows,
                               .count = count};
}

#endif
