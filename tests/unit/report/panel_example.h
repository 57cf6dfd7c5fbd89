/* SPDX-License-Identifier: MIT */
/* What the tests of the panel share: the choice made from a set, and its data read by Jansson. */
#ifndef PANEL_EXAMPLE_H
#define PANEL_EXAMPLE_H

#include "example.h"

#include "report/panel_data.h"

#include <jansson.h>

struct panel_example {
    struct summary summary;
    struct view view;
    struct panel_choice choice;
};

static inline void panel_example_choose(struct panel_example *example, const struct result_set *set,
                                        struct arena *arena)
{
    struct error err = ERROR_INIT;
    assert_ok(summary_make(set, arena, &example->summary, &err), err);
    assert_ok(view_make(&example->summary, arena, &example->view, &err), err);
    assert_ok(panel_choose(set, &example->view, arena, &example->choice, &err), err);
}

static inline const char *panel_example_text(struct panel_example *example,
                                             const struct result_set *set, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct text out = TEXT_INIT(arena);
    panel_example_choose(example, set, arena);
    ck_assert_ptr_null(example->choice.lack);
    assert_ok(panel_data_append(&out, &example->choice, arena, &err), err);
    const char *text = text_finish(&out, &err);
    ck_assert_ptr_nonnull(text);
    return text;
}

static inline json_t *panel_example_json(const char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(json != NULL, "%s at %d: %.200s", error.text, error.position, text);
    return json;
}

/* The element of nested arrays and objects: "runs/0/3/values". */
static inline json_t *panel_example_at(json_t *json, const char *path)
{
    while (*path != '\0' && json != NULL) {
        char name[64];
        size_t length = strcspn(path, "/");
        ck_assert(length < sizeof name);
        memcpy(name, path, length);
        name[length] = '\0';
        json = json_is_array(json) ? json_array_get(json, strtoul(name, NULL, 10))
                                   : json_object_get(json, name);
        path += length + (path[length] == '/');
    }
    return json;
}

/* Rows that a test may change. */
static inline struct result *panel_example_own(struct result_set *set, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct result *rows = arena_alloc(arena, set->count, sizeof *rows, &err);
    ck_assert_ptr_nonnull(rows);
    memcpy(rows, set->whole, set->count * sizeof *rows);
    set->whole = rows;
    return rows;
}

#endif
