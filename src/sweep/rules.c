/* SPDX-License-Identifier: MIT */
/* The parts of a sweep that look at finished runs: what to exclude, and whose matrices to keep. */
#include "sweep/sweep_internal.h"

#include <string.h>

static struct setting *read_conditions(struct reader *reader, const struct node *map)
{
    struct setting *list = NULL;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct setting *setting = setting_read(reader, child->key, child, SETTING_CONDITION);
        if (setting != NULL) {
            setting_link(&list, setting);
        }
    }
    return list;
}

/* "exclude corpus=harbour guard_norm=on" */
static const char *rule_text(struct reader *reader, const struct setting *conditions)
{
    struct text text = TEXT_INIT(reader->arena);
    text_append(&text, "exclude");
    for (; conditions != NULL; conditions = conditions->next) {
        text_append_format(&text, " %s=%s", conditions->name, conditions->spelled);
    }
    return text_finish(&text, reader->err);
}

static struct rule *read_rule(struct reader *reader, const struct node *node)
{
    if (node->kind != NODE_MAP || node->count == 0) {
        problems_add(&reader->problems, node->place,
                     "exclude: a rule is a map of conditions, such as {corpus: demo}; found %s",
                     node->kind == NODE_MAP ? "an empty map" : node_kind_name(node));
        return NULL;
    }
    struct rule *rule = arena_alloc(reader->arena, 1, sizeof *rule, reader->err);
    if (rule != NULL) {
        rule->conditions = read_conditions(reader, node);
        rule->text = rule_text(reader, rule->conditions);
    }
    return rule;
}

void exclude_read(struct reader *reader, const struct node *node)
{
    struct rule **end = &reader->internal->rules;
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    while (item != NULL) {
        struct rule *rule = read_rule(reader, item);
        if (rule != NULL) {
            *end = rule;
            end = &rule->next;
            reader->internal->rule_count++;
        }
        item = item == node ? NULL : item->next;
    }
}

static void read_matrix(struct reader *reader, const struct node *node)
{
    const char *text = scalar_text(reader, node, "keep");
    if (text == NULL) {
        return;
    }
    if (strcmp(text, "scores") == 0) {
        reader->internal->keep |= PLAN_KEEP_SCORES;
    } else if (strcmp(text, "weights") == 0) {
        reader->internal->keep |= PLAN_KEEP_WEIGHTS;
    } else {
        problems_add(&reader->problems, node->place,
                     "keep: '%s' is no matrix; write scores or weights",
                     problems_shown(&reader->problems, text));
    }
}

static void read_matrices(struct reader *reader, const struct node *node)
{
    if (node->kind == NODE_LIST && node->count == 0) {
        problems_add(&reader->problems, node->place,
                     "keep: the list names no matrix; to keep none write keep: none");
    }
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    while (item != NULL) {
        read_matrix(reader, item);
        item = item == node ? NULL : item->next;
    }
}

static void read_keep_key(struct reader *reader, const struct node *node)
{
    const char *key = node->key->text;
    if (strcmp(key, "matrices") == 0) {
        read_matrices(reader, node);
    } else if (strcmp(key, "where") != 0) {
        problems_add(&reader->problems, node->key->place,
                     "unknown key '%s'; 'keep' has matrices and where",
                     problems_shown(&reader->problems, key));
    } else if (node->kind == NODE_MAP) {
        reader->internal->keep_where = read_conditions(reader, node);
    } else {
        problems_add(&reader->problems, node->place,
                     "where: a map of conditions wanted, such as {seed: 1}; found %s",
                     node_kind_name(node));
    }
}

/* What takes the place of an included list. */
static bool is_none(const struct node *node)
{
    return node->kind == NODE_SCALAR && strcmp(node->text, "none") == 0;
}

void keep_read(struct reader *reader, const struct node *node)
{
    if (is_none(node)) {
        return;
    }
    if (node->kind != NODE_MAP) {
        read_matrices(reader, node);
        return;
    }
    bool named = false;
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        named = named || strcmp(child->key->text, "matrices") == 0;
        read_keep_key(reader, child);
    }
    if (!named) {
        problems_add(&reader->problems, node->place,
                     "keep: 'matrices' is missing; write matrices: [scores, weights]");
    }
}
