/* SPDX-License-Identifier: MIT */
/* Settings: values typed by their field, never guessed; lists, ranges and guard sets. */
#include "sweep/sweep_internal.h"

#include <stdlib.h>
#include <string.h>

#define SPELLED_ITEMS 6

/* Far above what a plan within its limit can use, far below what memory holds. */
#define ROW_LIMIT ((size_t)8 * SWEEP_RUN_LIMIT)

static union field_value value_load(const struct run *run, enum run_field index)
{
    const struct field *field = &run_fields[index];
    const char *at = (const char *)run + field->offset;
    union field_value value = {0};
    switch (field->kind) {
    case FIELD_INTEGER:
        memcpy(&value.integer, at, sizeof value.integer);
        break;
    case FIELD_REAL:
        memcpy(&value.real, at, sizeof value.real);
        break;
    case FIELD_SWITCH:
        memcpy(&value.on, at, sizeof value.on);
        break;
    case FIELD_CHOICE:
        memcpy(&value.choice, at, sizeof value.choice);
        break;
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        memcpy((void *)&value.text, at, sizeof value.text);
        break;
    }
    return value;
}

static void value_store(struct run *run, enum run_field index, const union field_value *value)
{
    static const size_t sizes[] = {
        [FIELD_INTEGER] = sizeof value->integer, [FIELD_REAL] = sizeof value->real,
        [FIELD_SWITCH] = sizeof value->on,       [FIELD_CHOICE] = sizeof value->choice,
        [FIELD_TEXT] = sizeof value->text,       [FIELD_ROWS] = sizeof value->text,
        [FIELD_PATH] = sizeof value->text};
    const struct field *field = &run_fields[index];
    memcpy((char *)run + field->offset, value, sizes[field->kind]);
    run->given |= UINT64_C(1) << index;
}

void setting_apply(const struct setting *setting, size_t row, struct run *run)
{
    for (const struct setting *part = setting->parts; part != NULL; part = part->next) {
        setting_apply(part, row, run);
    }
    for (size_t i = 0; i < setting->columns; i++) {
        value_store(run, setting->fields[i], &setting->values[row * setting->columns + i]);
    }
}

static int compare_integers(const void *left, const void *right)
{
    const union field_value *a = left;
    const union field_value *b = right;
    return (a->integer > b->integer) - (a->integer < b->integer);
}

static int compare_reals(const void *left, const void *right)
{
    const union field_value *a = left;
    const union field_value *b = right;
    return (a->real > b->real) - (a->real < b->real);
}

static int compare_switches(const void *left, const void *right)
{
    const union field_value *a = left;
    const union field_value *b = right;
    return a->on - b->on;
}

static int compare_choices(const void *left, const void *right)
{
    const union field_value *a = left;
    const union field_value *b = right;
    return a->choice - b->choice;
}

/* A text that is not set comes first. */
static int compare_texts(const void *left, const void *right)
{
    const union field_value *a = left;
    const union field_value *b = right;
    if (a->text == NULL || b->text == NULL) {
        return (a->text != NULL) - (b->text != NULL);
    }
    return strcmp(a->text, b->text);
}

static int (*const comparisons[])(const void *, const void *) = {
    [FIELD_INTEGER] = compare_integers, [FIELD_REAL] = compare_reals,
    [FIELD_SWITCH] = compare_switches,  [FIELD_CHOICE] = compare_choices,
    [FIELD_TEXT] = compare_texts,       [FIELD_ROWS] = compare_texts,
    [FIELD_PATH] = compare_texts};

/* A condition may name a million seeds for a million runs: one column is searched by halving, and
 * the guards of a run are one of eight sets. */
static bool condition_matches(const struct setting *setting, const struct run *run)
{
    if (setting->columns == 1) {
        enum run_field field = setting->fields[0];
        union field_value value = value_load(run, field);
        return bsearch(&value, setting->values, setting->count, sizeof value,
                       comparisons[run_fields[field].kind]) != NULL;
    }
    return (setting->guard_sets >> run_guards_mask(run) & 1) != 0;
}

bool settings_match(const struct setting *list, const struct run *run)
{
    while (list != NULL && condition_matches(list, run)) {
        list = list->next;
    }
    return list == NULL;
}

void setting_link(struct setting **list, struct setting *setting)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    *list = setting;
}

void setting_reserve(struct reader *reader, struct setting *setting, size_t more)
{
    size_t wanted = setting->count + more;
    if (wanted <= setting->capacity || wanted > ROW_LIMIT) {
        return;
    }
    size_t size = setting->columns * sizeof *setting->values;
    union field_value *values = arena_alloc(reader->arena, wanted, size, reader->err);
    if (values == NULL) {
        return;
    }
    if (setting->count > 0) {
        memcpy((void *)values, (const void *)setting->values, setting->count * size);
    }
    setting->values = values;
    setting->capacity = wanted;
}

union field_value *setting_add_row(struct reader *reader, struct setting *setting,
                                   struct place place)
{
    if (reader->rows == ROW_LIMIT) {
        problems_add(&reader->problems, place, "%s: more than %zu values in all, the limit",
                     setting->name, ROW_LIMIT);
    }
    if (reader->rows++ >= ROW_LIMIT) {
        setting->broken = true;
        return NULL;
    }
    size_t size = setting->columns * sizeof *setting->values;
    union field_value *values = arena_grow(reader->arena, setting->values, setting->count,
                                           &setting->capacity, size, reader->err);
    if (values == NULL) {
        return NULL;
    }
    setting->values = values;
    return &values[setting->columns * setting->count++];
}

void setting_add_text(struct reader *reader, struct setting *setting, const char *text,
                      struct place place)
{
    const char *why = "does not fit the field";
    enum run_field field = setting->fields[0];
    if (!run_set(&reader->scratch, field, text, reader->arena, &why)) {
        problems_add(&reader->problems, place, "%s: %s%s", setting->name, why,
                     hint_for_value(reader, setting, text));
        setting->broken = true;
        return;
    }
    union field_value *value = setting_add_row(reader, setting, place);
    if (value != NULL) {
        *value = value_load(&reader->scratch, field);
    }
}

const char *scalar_text(struct reader *reader, const struct node *node, const char *name)
{
    if (node->kind == NODE_SCALAR && !node_is_empty(node) && node->text[0] != '\0') {
        return node->text;
    }
    if (node->kind == NODE_SCALAR) {
        problems_add(&reader->problems, node->place, "%s: empty value", name);
    } else {
        problems_add(&reader->problems, node->place, "%s: one value wanted, found %s", name,
                     node_kind_name(node));
    }
    return NULL;
}

static void read_field_value(struct reader *reader, struct setting *setting,
                             const struct node *node)
{
    const char *text = scalar_text(reader, node, setting->name);
    enum field_kind kind = run_fields[setting->fields[0]].kind;
    bool is_text = field_is_text(&run_fields[setting->fields[0]]) || kind == FIELD_CHOICE;
    if (text == NULL) {
        setting->broken = true;
    } else if (!node->plain && !is_text) {
        problems_add(&reader->problems, node->place,
                     "%s: '%s' is in quotes and so a text; write %s without quotes", setting->name,
                     problems_shown(&reader->problems, text),
                     kind == FIELD_SWITCH ? "on or off" : "the number");
        setting->broken = true;
    } else if (strlen(text) > FIELD_VALUE_SIZE && !field_is_text(&run_fields[setting->fields[0]])) {
        problems_add(&reader->problems, node->place, "%s: '%s' is too long for a value",
                     setting->name, problems_shown(&reader->problems, text));
        setting->broken = true;
    } else {
        setting_add_text(reader, setting, includes_path(reader, setting->fields[0], node),
                         node->place);
    }
}

static void add_guards(struct reader *reader, struct setting *setting, unsigned mask,
                       struct place place)
{
    setting->guard_sets |= 1U << mask;
    union field_value *values = setting_add_row(reader, setting, place);
    for (size_t i = 0; values != NULL && i < setting->columns; i++) {
        values[i].on = (mask >> i & 1) != 0;
    }
}

static void read_guards_value(struct reader *reader, struct setting *setting,
                              const struct node *node, bool alone)
{
    const char *text = scalar_text(reader, node, setting->name);
    unsigned mask;
    if (text == NULL) {
        setting->broken = true;
    } else if (strcmp(text, "all") == 0 && alone) {
        for (mask = 0; mask < 8; mask++) {
            add_guards(reader, setting, mask, node->place);
        }
    } else if (strcmp(text, "all") == 0) {
        problems_add(&reader->problems, node->place,
                     "guards: 'all' stands for the eight sets and so cannot be one of a list; the "
                     "set of all three is '%s'",
                     run_guards_name(7));
        setting->broken = true;
    } else if (run_guards_parse(text, &mask)) {
        add_guards(reader, setting, mask, node->place);
    } else {
        problems_add(&reader->problems, node->place,
                     "guards: '%s' is no guard set; write all, none, or init, scale, norm joined "
                     "by '+'",
                     problems_shown(&reader->problems, text));
        setting->broken = true;
    }
}

static void read_value(struct reader *reader, struct setting *setting, const struct node *node,
                       bool alone)
{
    bool guards = setting->mask == RUN_GUARDS;
    if (node->kind == NODE_MAP && !guards) {
        range_read(reader, setting, node);
    } else if (guards) {
        read_guards_value(reader, setting, node, alone);
    } else {
        read_field_value(reader, setting, node);
    }
}

static void append_spelled(struct reader *reader, struct text *text, const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        text_append(text, problems_shown(&reader->problems, node->text));
        return;
    }
    text_append(text, node->kind == NODE_LIST ? "[" : "{");
    size_t shown = 0;
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        text_append(text, shown == 0 ? "" : ", ");
        if (shown++ == SPELLED_ITEMS) {
            text_append(text, "...");
            break;
        }
        text_append_format(text, "%s%s", child->key == NULL ? "" : child->key->text,
                           child->key == NULL ? "" : ": ");
        text_append(text, child->kind == NODE_SCALAR
                              ? problems_shown(&reader->problems, child->text)
                          : child->kind == NODE_LIST ? "[...]"
                                                     : "{...}");
    }
    text_append(text, node->kind == NODE_LIST ? "]" : "}");
}

static void sort_rows(struct setting *setting)
{
    if (setting->columns == 1 && setting->count > 0) {
        qsort(setting->values, setting->count, sizeof *setting->values,
              comparisons[run_fields[setting->fields[0]].kind]);
    }
}

static void read_values(struct reader *reader, struct setting *setting, const struct node *node,
                        enum setting_use use)
{
    bool scalar = node->kind == NODE_SCALAR;
    bool rows = setting->columns == 1 && run_fields[setting->fields[0]].kind == FIELD_ROWS;
    if (rows && node->kind == NODE_LIST) {
        score_lists_read(reader, setting, node, use);
    } else if (use == SETTING_FIXED &&
               (!scalar || (setting->mask == RUN_GUARDS && strcmp(node->text, "all") == 0))) {
        problems_add(&reader->problems, node->place,
                     "%s: one value wanted; several make an axis, which belongs under 'grid'",
                     setting->name);
        setting->broken = true;
    } else if (node->kind != NODE_LIST) {
        read_value(reader, setting, node, true);
    } else if (node->count == 0) {
        problems_add(&reader->problems, node->place,
                     "%s: axis has no values; write some, or leave it out", setting->name);
        setting->broken = true;
    } else {
        for (const struct node *child = node->first; child != NULL; child = child->next) {
            read_value(reader, setting, child, node->count == 1);
        }
    }
    if (use == SETTING_CONDITION) {
        struct text text = TEXT_INIT(reader->arena);
        append_spelled(reader, &text, node);
        setting->spelled = text_finish(&text, reader->err);
        sort_rows(setting);
    }
}

static struct setting *make_setting(struct reader *reader, const char *name, const struct node *key,
                                    enum setting_use use)
{
    struct setting *setting = arena_alloc(reader->arena, 1, sizeof *setting, reader->err);
    if (setting != NULL) {
        *setting = (struct setting){.name = name, .place = key->place, .use = use, .spelled = ""};
    }
    return setting;
}

struct setting *setting_read_field(struct reader *reader, enum run_field field,
                                   const struct node *key, const struct node *value,
                                   enum setting_use use)
{
    struct setting *setting = make_setting(reader, run_fields[field].name, key, use);
    if (setting != NULL) {
        setting->fields[0] = field;
        setting->columns = 1;
        setting->mask = UINT64_C(1) << field;
        read_values(reader, setting, value, use);
    }
    return setting;
}

static struct setting *read_guards(struct reader *reader, const struct node *key,
                                   const struct node *value, enum setting_use use)
{
    struct setting *setting = make_setting(reader, GUARDS_NAME, key, use);
    if (setting != NULL) {
        setting->fields[0] = RUN_GUARD_INIT;
        setting->fields[1] = RUN_GUARD_SCALE;
        setting->fields[2] = RUN_GUARD_NORM;
        setting->columns = 3;
        setting->mask = RUN_GUARDS;
        read_values(reader, setting, value, use);
    }
    return setting;
}

/* The nearest name that could stand here. */
static const char *nearest_setting(const char *name)
{
    const char *names[RUN_FIELD_COUNT];
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        bool of_report = i == RUN_SATURATION_ROW_MAX || i == RUN_SATURATION_GRADIENT;
        names[i] = of_report ? GUARDS_NAME : run_fields[i].name;
    }
    return text_nearest(name, names, RUN_FIELD_COUNT);
}

static void refuse_key(struct reader *reader, const struct node *key, const struct node *value)
{
    struct problems *problems = &reader->problems;
    if (!problems_open(problems)) {
        problems_add(problems, key->place, "unknown field");
        return;
    }
    const char *nearest = nearest_setting(key->text);
    const char *shown = problems_shown(problems, key->text);
    const char *hint = hint_for_key(reader, key, value);
    if (hint != NULL) {
        problems_add(problems, key->place, "unknown field '%s'; %s", shown, hint);
    } else if (nearest != NULL) {
        problems_add(problems, key->place, "unknown field '%s'; did you mean '%s'?", shown,
                     nearest);
    } else {
        problems_add(problems, key->place, "unknown field '%s'; 'rowmax fields' lists them", shown);
    }
}

struct setting *setting_read(struct reader *reader, const struct node *key,
                             const struct node *value, enum setting_use use)
{
    if (strcmp(key->text, GUARDS_NAME) == 0) {
        return read_guards(reader, key, value, use);
    }
    const struct field *field = run_field_find(key->text);
    if (field == NULL) {
        refuse_key(reader, key, value);
        return NULL;
    }
    const bool gradient = field == &run_fields[RUN_SATURATION_GRADIENT];
    if ((gradient || field == &run_fields[RUN_SATURATION_ROW_MAX]) && use != SETTING_CONDITION) {
        const char *name = gradient ? "gradient" : "row_max";
        problems_add(&reader->problems, key->place,
                     key->place.origin == 0
                         ? "'%s' holds for a whole sweep; write saturation: {%s: ...} at the top "
                           "level"
                         : "'%s' holds for a whole sweep; write saturation.%s=...",
                     field->name, name);
        return NULL;
    }
    return setting_read_field(reader, run_field_index(field), key, value, use);
}
