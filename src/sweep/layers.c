/* SPDX-License-Identifier: MIT */
/* A sweep on top of one that it includes: a field that the sweep sets is taken out of the other,
 * and what remains stands beside its own. Each section stands once, where the lower one has it, so
 * that the whole can be written as one file. */
#include "sweep/sweep_internal.h"

#include <string.h>

/* A map or list in the making. */
struct container {
    struct reader *reader;
    struct node *node;
    struct node *last;
};

static struct node *copy_node(struct reader *reader, const struct node *node)
{
    struct node *copy = arena_alloc(reader->arena, 1, sizeof *copy, reader->err);
    if (copy != NULL) {
        *copy = *node;
        copy->next = NULL;
    }
    return copy;
}

/* An empty one of that kind in the place of `like`. */
static struct container container_like(struct reader *reader, const struct node *like,
                                       enum node_kind kind)
{
    struct container container = {.reader = reader, .node = copy_node(reader, like)};
    if (container.node != NULL) {
        container.node->kind = kind;
        container.node->first = NULL;
        container.node->count = 0;
    }
    return container;
}

static void add(struct container *container, const struct node *node)
{
    struct node *copy = node == NULL ? NULL : copy_node(container->reader, node);
    if (copy == NULL || container->node == NULL) {
        return;
    }
    if (container->last == NULL) {
        container->node->first = copy;
    } else {
        container->last->next = copy;
    }
    container->last = copy;
    container->node->count++;
}

static void add_all(struct container *container, const struct node *children)
{
    for (; children != NULL; children = children->next) {
        add(container, children);
    }
}

static bool is_key(const struct node *node, enum sweep_key_index key)
{
    return strcmp(node->key->text, sweep_keys[key].name) == 0;
}

/* The fields that a key stands for; none for a key that is no field. */
static uint64_t fields_of_key(const char *key, bool thresholds)
{
    if (thresholds) {
        return strcmp(key, "row_max") == 0    ? UINT64_C(1) << RUN_SATURATION_ROW_MAX
               : strcmp(key, "gradient") == 0 ? UINT64_C(1) << RUN_SATURATION_GRADIENT
                                              : 0;
    }
    const struct field *field = run_field_find(key);
    uint64_t guards = strcmp(key, GUARDS_NAME) == 0 ? RUN_GUARDS : 0;
    return field == NULL ? guards : UINT64_C(1) << run_field_index(field);
}

static bool sets_fields(const struct node *section)
{
    return is_key(section, SWEEP_FIXED) || is_key(section, SWEEP_GRID) ||
           is_key(section, SWEEP_ZIP) || is_key(section, SWEEP_SATURATION);
}

static uint64_t fields_of_map(const struct node *map, bool thresholds)
{
    uint64_t fields = 0;
    const struct node *child = map->kind == NODE_MAP ? map->first : NULL;
    for (; child != NULL; child = child->next) {
        fields |= fields_of_key(child->key->text, thresholds);
    }
    return fields;
}

/* All that a sweep sets. */
static uint64_t fields_of_sweep(const struct node *root)
{
    uint64_t fields = 0;
    for (const struct node *section = root->first; section != NULL; section = section->next) {
        if (!sets_fields(section)) {
            continue;
        }
        fields |= fields_of_map(section, is_key(section, SWEEP_SATURATION));
        const struct node *item = section->kind == NODE_LIST ? section->first : NULL;
        for (; item != NULL; item = item->next) {
            fields |= fields_of_map(item, false);
        }
    }
    return fields;
}

/* The map without the fields that are set above; whatever is no map as it is. */
static const struct node *without(struct reader *reader, const struct node *map, uint64_t above,
                                  bool thresholds)
{
    if (map->kind != NODE_MAP) {
        return map;
    }
    struct container left = container_like(reader, map, NODE_MAP);
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        uint64_t fields = fields_of_key(child->key->text, thresholds);
        if (fields == 0 || (fields & ~above) != 0) {
            add(&left, child);
        }
    }
    return left.node;
}

/* A map alone counts as a list of it. */
static const struct node *items_of(const struct node *section)
{
    return section->kind == NODE_LIST ? section->first : section;
}

static const struct node *next_item(const struct node *section, const struct node *item)
{
    return section->kind == NODE_LIST ? item->next : NULL;
}

/* The maps of a list that have fields left. */
static void add_zips(struct container *out, const struct node *section, uint64_t above)
{
    for (const struct node *item = items_of(section); item != NULL;
         item = next_item(section, item)) {
        const struct node *left = without(out->reader, item, above, false);
        if (left != NULL && (left->kind != NODE_MAP || left->count > 0 || item->count == 0)) {
            add(out, left);
        }
    }
}

static const struct node *join_zips(struct reader *reader, const struct node *below,
                                    const struct node *above, uint64_t fields)
{
    struct container out = container_like(reader, above == NULL ? below : above, NODE_LIST);
    bool faulty = below->kind == NODE_LIST && below->count == 0;
    add_zips(&out, below, fields);
    if (above != NULL) {
        faulty = faulty || (above->kind == NODE_LIST && above->count == 0);
        add_zips(&out, above, 0);
    }
    /* An empty list is a fault, but not when its fields were taken out. */
    return out.node != NULL && out.node->count == 0 && !faulty ? NULL : out.node;
}

static bool are_maps(const struct node *section)
{
    bool maps = true;
    for (const struct node *item = items_of(section); item != NULL;
         item = next_item(section, item)) {
        maps = maps && item->kind == NODE_MAP;
    }
    return maps;
}

static size_t grids_of(const struct node *section)
{
    return section->kind == NODE_LIST ? section->count : 1;
}

/* Every grid of one with every grid of the other: one of the two has a single one. */
static const struct node *join_grids(struct reader *reader, const struct node *below,
                                     const struct node *above, uint64_t fields)
{
    bool single = below->kind == NODE_MAP && above->kind == NODE_MAP;
    struct container out = container_like(reader, above, NODE_LIST);
    if (grids_of(below) > 1 && grids_of(above) > 1) {
        struct problems *problems = &reader->problems;
        problems_add(problems, above->place,
                     "grid: there are several grids in '%s', too; keep them in one of the files",
                     problems_shown(problems, problems_path(problems, below->place.file)));
        return above;
    }
    if (!are_maps(below) || !are_maps(above) || grids_of(below) == 0 || grids_of(above) == 0) {
        return are_maps(below) && grids_of(below) > 0 ? above : below;
    }
    const struct node *only = NULL;
    for (const struct node *low = items_of(below); low != NULL; low = next_item(below, low)) {
        const struct node *left = without(reader, low, fields, false);
        const struct node *high = left == NULL ? NULL : items_of(above);
        for (; high != NULL; high = next_item(above, high)) {
            struct container grid = container_like(reader, high, NODE_MAP);
            add_all(&grid, left->first);
            add_all(&grid, high->first);
            only = grid.node;
            add(&out, grid.node);
        }
    }
    return single ? only : out.node;
}

static const struct node *join_maps(struct reader *reader, const struct node *below,
                                    const struct node *above, uint64_t fields)
{
    bool thresholds = is_key(below, SWEEP_SATURATION);
    if (above != NULL && (below->kind != NODE_MAP || above->kind != NODE_MAP)) {
        return below->kind != NODE_MAP ? below : above;
    }
    const struct node *left = without(reader, below, fields, thresholds);
    if (above == NULL || left == NULL) {
        return left;
    }
    struct container out = container_like(reader, above, NODE_MAP);
    add_all(&out, left->first);
    add_all(&out, above->first);
    return out.node;
}

/* A grid of which nothing above is one. */
static const struct node *thin_grid(struct reader *reader, const struct node *below,
                                    uint64_t fields)
{
    if (below->kind != NODE_LIST) {
        return without(reader, below, fields, false);
    }
    struct container out = container_like(reader, below, NODE_LIST);
    for (const struct node *item = below->first; item != NULL; item = item->next) {
        add(&out, without(reader, item, fields, false));
    }
    return out.node;
}

static const struct node *join_sections(struct reader *reader, const struct node *below,
                                        const struct node *above, uint64_t fields)
{
    if (is_key(below, SWEEP_ZIP)) {
        return join_zips(reader, below, above, fields);
    }
    if (is_key(below, SWEEP_GRID)) {
        return above == NULL ? thin_grid(reader, below, fields)
                             : join_grids(reader, below, above, fields);
    }
    if (sets_fields(below)) {
        return join_maps(reader, below, above, fields);
    }
    return above == NULL ? below : above;
}

/* What a file says of itself alone. */
static bool is_own(const struct node *section)
{
    return is_key(section, SWEEP_ROWMAX) || is_key(section, SWEEP_NAME) ||
           is_key(section, SWEEP_TITLE) || is_key(section, SWEEP_INCLUDE);
}

/* Others are faults, told of both files. */
static bool is_known(const struct node *section)
{
    return sweep_key_find(section->key->text) < SWEEP_TOP_KEYS;
}

static const struct node *same_section(const struct node *root, const struct node *section)
{
    const struct node *child = is_known(section) ? root->first : NULL;
    while (child != NULL && strcmp(child->key->text, section->key->text) != 0) {
        child = child->next;
    }
    return child;
}

/* The section without the fields that it only takes out of what lies below. */
static const struct node *without_empty(struct reader *reader, const struct node *section,
                                        uint64_t below)
{
    if (!is_key(section, SWEEP_FIXED) || section->kind != NODE_MAP) {
        return section;
    }
    struct container left = container_like(reader, section, NODE_MAP);
    for (const struct node *child = section->first; child != NULL; child = child->next) {
        uint64_t fields = node_is_empty(child) ? fields_of_key(child->key->text, false) : 0;
        if (fields == 0) {
            add(&left, child);
        } else if ((fields & below) == 0) {
            problems_add(&reader->problems, child->key->place,
                         "'%s' without a value takes out what an included file sets, and none sets "
                         "it",
                         child->key->text);
        }
    }
    return left.node;
}

static const struct node *without_empty_fields(struct reader *reader, const struct node *root,
                                               uint64_t below)
{
    struct container out = container_like(reader, root, NODE_MAP);
    for (const struct node *section = root->first; section != NULL; section = section->next) {
        add(&out, without_empty(reader, section, below));
    }
    return out.node;
}

const struct node *layers_join(struct reader *reader, const struct node *below,
                               const struct node *above, bool includes)
{
    uint64_t fields = fields_of_sweep(above);
    if (includes) {
        above = without_empty_fields(reader, above, fields_of_sweep(below));
    }
    if (above == NULL) {
        return below;
    }
    struct container out = container_like(reader, above, NODE_MAP);
    for (const struct node *section = below->first; section != NULL; section = section->next) {
        if (!is_own(section)) {
            add(&out, join_sections(reader, section, same_section(above, section), fields));
        }
    }
    for (const struct node *section = above->first; section != NULL; section = section->next) {
        if (!is_key(section, SWEEP_INCLUDE) &&
            (is_own(section) || same_section(below, section) == NULL)) {
            add(&out, section);
        }
    }
    return out.node;
}
