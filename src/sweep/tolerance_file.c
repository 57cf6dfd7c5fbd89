/* SPDX-License-Identifier: MIT */
/* See tolerance_file.h. Conditions are read as those of `exclude` are. */
#include "sweep/tolerance_file.h"

#include "base/files.h"
#include "sweep/sweep_internal.h"

#include <math.h>
#include <string.h>

#define DEFAULT_NAME "default"

struct rules {
    struct reader reader;
    struct tolerance_rule *list;
    size_t count, capacity;
};

static double setting_number(const struct setting *setting, size_t row)
{
    const union field_value *value = &setting->values[row * setting->columns];
    if (setting->mask == RUN_GUARDS) {
        return (value[0].on ? 1 : 0) + (value[1].on ? 2 : 0) + (value[2].on ? 4 : 0);
    }
    switch (run_fields[setting->fields[0]].kind) {
    case FIELD_INTEGER:
        return (double)value->integer;
    case FIELD_REAL:
        return value->real;
    case FIELD_SWITCH:
        return value->on ? 1 : 0;
    case FIELD_CHOICE:
        return value->choice;
    default:
        return (double)NAN;
    }
}

/* Sets of guards come as they are written; there are eight at most that differ. */
static void sort_numbers(double *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && numbers[j] < numbers[j - 1]; j--) {
            double larger = numbers[j - 1];
            numbers[j - 1] = numbers[j];
            numbers[j] = larger;
        }
    }
}

/* The settings of one field are sorted already. */
static bool make_numbers(struct reader *reader, const struct setting *setting,
                         struct tolerance_condition *out)
{
    double *numbers = arena_alloc(reader->arena, setting->count, sizeof *numbers, reader->err);
    if (numbers == NULL) {
        return false;
    }
    for (size_t row = 0; row < setting->count; row++) {
        numbers[row] = setting_number(setting, row);
    }
    if (setting->mask == RUN_GUARDS) {
        sort_numbers(numbers, setting->count);
    }
    out->numbers = numbers;
    return true;
}

static bool make_texts(struct reader *reader, const struct setting *setting,
                       struct tolerance_condition *out)
{
    const char **texts = arena_alloc(reader->arena, setting->count, sizeof *texts, reader->err);
    if (texts == NULL) {
        return false;
    }
    for (size_t row = 0; row < setting->count; row++) {
        const char *value = setting->values[row].text;
        texts[row] = value == NULL ? "" : value;
    }
    out->texts = texts;
    return true;
}

static bool make_condition(struct reader *reader, const struct setting *setting,
                           struct tolerance_condition *out)
{
    bool guards = setting->mask == RUN_GUARDS;
    *out = (struct tolerance_condition){
        .field = guards ? (int)TOLERANCE_GUARDS : (int)setting->fields[0], .count = setting->count};
    bool text = !guards && field_is_text(&run_fields[setting->fields[0]]);
    return text ? make_texts(reader, setting, out) : make_numbers(reader, setting, out);
}

static void read_where(struct reader *reader, const struct node *node, struct tolerance_rule *rule)
{
    if (node->kind != NODE_MAP || node->count == 0) {
        problems_add(&reader->problems, node->place,
                     "where: a map of fields wanted, such as {precision: fp16}; found %s",
                     node->kind == NODE_MAP ? "an empty map" : node_kind_name(node));
        return;
    }
    struct tolerance_condition *list =
        arena_alloc(reader->arena, node->count, sizeof *list, reader->err);
    if (list == NULL) {
        return;
    }
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        struct setting *setting = setting_read(reader, child->key, child, SETTING_CONDITION);
        if (setting != NULL && !setting->broken &&
            make_condition(reader, setting, &list[rule->condition_count])) {
            rule->condition_count++;
        }
    }
    rule->conditions = list;
}

static void read_number(struct reader *reader, const struct node *node, const char *name,
                        double *out)
{
    const char *text = scalar_text(reader, node, name);
    double number = 0;
    if (text == NULL) {
        return;
    }
    if (!node->plain || !text_to_real(text, &number) || number < 0) {
        problems_add(&reader->problems, node->place,
                     "%s: '%s' is no tolerance; write a finite number, 0 or larger%s", name,
                     problems_shown(&reader->problems, text),
                     node->plain ? "" : ", without quotes");
        return;
    }
    *out = fabs(number); /* -0 is 0 */
}

static void refuse_part(struct reader *reader, const struct node *key)
{
    static const char *const names[] = {"atol", "rtol", "where"};
    const char *shown = problems_shown(&reader->problems, key->text);
    const char *nearest = text_nearest(key->text, names, 3);
    if (nearest != NULL) {
        problems_add(&reader->problems, key->place, "unknown key '%s'; did you mean '%s'?", shown,
                     nearest);
    } else {
        problems_add(&reader->problems, key->place,
                     "unknown key '%s'; a tolerance has atol, rtol and where", shown);
    }
}

static struct tolerance_rule *add_rule(struct rules *rules, int measure)
{
    struct reader *reader = &rules->reader;
    struct tolerance_rule *list = arena_grow(reader->arena, rules->list, rules->count,
                                             &rules->capacity, sizeof *list, reader->err);
    if (list == NULL) {
        return NULL;
    }
    rules->list = list;
    list[rules->count] =
        (struct tolerance_rule){.measure = measure, .atol = (double)NAN, .rtol = (double)NAN};
    return &list[rules->count++];
}

static void read_rule(struct rules *rules, const struct node *node, const char *name, int measure)
{
    struct reader *reader = &rules->reader;
    if (node->kind != NODE_MAP) {
        problems_add(&reader->problems, node->place,
                     "%s: a map such as {atol: 1e-9, rtol: 1e-6} wanted, found %s", name,
                     node_kind_name(node));
        return;
    }
    struct tolerance_rule *rule = add_rule(rules, measure);
    bool named = false;
    for (const struct node *child = node->first; rule != NULL && child != NULL;
         child = child->next) {
        if (strcmp(child->key->text, "atol") == 0) {
            read_number(reader, child, "atol", &rule->atol);
            named = true;
        } else if (strcmp(child->key->text, "rtol") == 0) {
            read_number(reader, child, "rtol", &rule->rtol);
            named = true;
        } else if (strcmp(child->key->text, "where") == 0) {
            read_where(reader, child, rule);
        } else {
            refuse_part(reader, child->key);
            named = true;
        }
    }
    if (!named) {
        problems_add(&reader->problems, node->place, "%s: neither atol nor rtol is given", name);
    }
}

static void refuse_measure(struct reader *reader, const struct node *key)
{
    struct problems *problems = &reader->problems;
    if (!problems_open(problems)) {
        problems_add(problems, key->place, "unknown measure");
        return;
    }
    const char *names[MEASUREMENT_FIELD_COUNT + 1];
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        names[i] = measurement_fields[i].name;
    }
    names[MEASUREMENT_FIELD_COUNT] = DEFAULT_NAME;
    const char *nearest = text_nearest(key->text, names, MEASUREMENT_FIELD_COUNT + 1);
    const char *shown = problems_shown(problems, key->text);
    if (nearest != NULL) {
        problems_add(problems, key->place, "unknown measure '%s'; did you mean '%s'?", shown,
                     nearest);
    } else if (run_field_find(key->text) != NULL || strcmp(key->text, GUARDS_NAME) == 0) {
        problems_add(problems, key->place,
                     "'%s' is a field, not a measure; it can stand in the 'where' of a measure",
                     shown);
    } else {
        problems_add(problems, key->place,
                     "unknown measure '%s'; 'rowmax fields' lists them, and 'default' stands for "
                     "all others",
                     shown);
    }
}

static void read_measure(struct rules *rules, const struct node *node)
{
    const char *name = node->key->text;
    const struct field *field = measurement_field_find(name);
    if (field == NULL && strcmp(name, DEFAULT_NAME) != 0) {
        refuse_measure(&rules->reader, node->key);
        if (node->kind == NODE_SCALAR) {
            return;
        }
        /* What its rules say is read on, for their own faults. */
        name = problems_shown(&rules->reader.problems, name);
    }
    int measure = field == NULL ? (int)TOLERANCE_EVERY : (int)(field - measurement_fields);
    if (node->kind != NODE_LIST) {
        read_rule(rules, node, name, measure);
        return;
    }
    if (node->count == 0) {
        problems_add(&rules->reader.problems, node->place, "%s: the list has no rule", name);
    }
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        read_rule(rules, item, name, measure);
    }
}

static void read_tolerances(struct rules *rules, const struct node *root)
{
    if (root->kind != NODE_MAP) {
        problems_add(&rules->reader.problems, root->place,
                     "a tolerance file is a map of measures, such as row_max_mean: {rtol: 1e-6}; "
                     "found %s",
                     node_kind_name(root));
        return;
    }
    for (const struct node *child = root->first; child != NULL; child = child->next) {
        read_measure(rules, child);
    }
}

bool tolerance_parse(const char *path, const char *text, size_t size, struct arena *arena,
                     struct tolerance_set *out, struct error *err)
{
    struct rules rules = {.reader = {.arena = arena,
                                     .err = err,
                                     .problems = {.arena = arena,
                                                  .path = path,
                                                  .err = err,
                                                  .empty = "the file is empty; a tolerance file "
                                                           "is a map of measures, such as "
                                                           "row_max_mean: {rtol: 1e-6}"},
                                     .scratch = run_default()}};
    const struct node *root = yaml_tree_read(text, size, 0, &rules.reader.problems);
    if (root != NULL) {
        read_tolerances(&rules, root);
    }
    if (!problems_finish(&rules.reader.problems)) {
        return false;
    }
    *out = (struct tolerance_set){rules.list, rules.count};
    return true;
}

bool tolerance_read(const char *path, struct arena *arena, struct tolerance_set *out,
                    struct error *err)
{
    size_t size = 0;
    const char *text = files_read(path, SWEEP_FILE_LIMIT, arena, &size, err);
    return text != NULL && tolerance_parse(path, text, size, arena, out, err);
}
