/* SPDX-License-Identifier: MIT */
/* The top level of a sweep file: its keys, and reading from a file or from memory; see sweep.h. */
#include "sweep/sweep_internal.h"

#include "base/files.h"

#include <string.h>

#define NAME_SIZE_LIMIT 200

static const char *one_line(struct reader *reader, const struct node *node, const char *key)
{
    const char *text = scalar_text(reader, node, key);
    if (text == NULL) {
        return NULL;
    }
    /* A folded block ends in a line feed that nobody meant. */
    char *line = arena_copy_text(reader->arena, text, reader->err);
    size_t length = line == NULL ? 0 : strlen(line);
    while (length > 0 && line[length - 1] == '\n') {
        line[--length] = '\0';
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7F) {
            problems_add(&reader->problems, node->place, "%s: must be one line of plain text", key);
            return NULL;
        }
    }
    return line;
}

void title_read(struct reader *reader, const struct node *node)
{
    const char *title = one_line(reader, node, "title");
    reader->sweep->title = title == NULL ? reader->sweep->title : title;
}

/* The name becomes part of file names. */
void name_read(struct reader *reader, const struct node *node)
{
    const char *name = one_line(reader, node, "name");
    if (name == NULL) {
        return;
    }
    bool good = name[0] != '\0' && name[0] != '.' && name[0] != '-' && strchr(name, '/') == NULL;
    if (good && strlen(name) <= NAME_SIZE_LIMIT) {
        reader->sweep->name = name;
        reader->sweep->named = true;
    } else {
        problems_add(
            &reader->problems, node->place,
            "name: '%s' is no file name; leave out '/', a first '.' or '-', and keep to %d "
            "bytes",
            problems_shown(&reader->problems, name), NAME_SIZE_LIMIT);
    }
}

static void read_version(struct reader *reader, const struct node *node)
{
    const char *text = scalar_text(reader, node, "rowmax");
    if (text != NULL && (strcmp(text, "1") != 0 || !node->plain)) {
        problems_add(&reader->problems, node->place,
                     "rowmax: format '%s' is not known; this program reads format 1",
                     problems_shown(&reader->problems, text));
    }
}

static const struct node *version_of(const struct node *root)
{
    const struct node *child = root->first;
    while (child != NULL && strcmp(child->key->text, sweep_keys[SWEEP_ROWMAX].name) != 0) {
        child = child->next;
    }
    return child;
}

bool version_read(struct reader *reader, const struct node *root)
{
    const struct node *version = version_of(root);
    if (version != NULL) {
        read_version(reader, version);
    }
    return version != NULL;
}

static bool is_map(struct reader *reader, const struct node *node, const char *name)
{
    if (node->kind == NODE_MAP) {
        return true;
    }
    if (node_is_empty(node)) {
        problems_add(&reader->problems, node->place, "%s: empty value", name);
    } else {
        problems_add(&reader->problems, node->place, "%s: a map of fields wanted, found %s", name,
                     node_kind_name(node));
    }
    return false;
}

/* Settings that stand before `grid` in the file are the slower axes. */
static struct setting **outer_list(struct reader *reader)
{
    struct sweep_internal *internal = reader->internal;
    return internal->blocks == NULL ? &internal->leading : &internal->trailing;
}

static void link_settings(struct reader *reader, struct setting **list, const struct node *map,
                          enum setting_use use)
{
    struct setting **end = list;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct setting *setting = setting_read(reader, child->key, child, use);
        if (setting != NULL) {
            setting_link(end, setting);
            end = &setting->next;
        }
    }
}

static void read_fixed(struct reader *reader, const struct node *node)
{
    if (is_map(reader, node, "fixed")) {
        link_settings(reader, outer_list(reader), node, SETTING_FIXED);
    }
}

/* A map stands for a list of one. */
static const struct node *first_of(const struct node *node)
{
    return node->kind == NODE_LIST ? node->first : node;
}

static void read_grid(struct reader *reader, const struct node *node)
{
    struct sweep_internal *internal = reader->internal;
    size_t count = node->kind == NODE_LIST ? node->count : 1;
    internal->blocks = arena_alloc(reader->arena, count + 1, sizeof(struct setting *), reader->err);
    if (internal->blocks == NULL) {
        return;
    }
    if (count == 0) {
        problems_add(&reader->problems, node->place, "grid: the list has no grid");
    }
    internal->block_count = count;
    const struct node *item = first_of(node);
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (is_map(reader, item, "grid")) {
            link_settings(reader, &internal->blocks[i], item, SETTING_AXIS);
        }
    }
}

static void check_lengths(struct reader *reader, struct setting *zip)
{
    const struct setting *first = zip->parts;
    for (struct setting *part = first->next; part != NULL; part = part->next) {
        if (!part->broken && !first->broken && part->count != first->count) {
            problems_add(&reader->problems, part->place,
                         "lists of one zip have one length: '%s' has %zu values, '%s' has %zu",
                         first->name, first->count, part->name, part->count);
        }
    }
}

static struct setting *read_zip_entry(struct reader *reader, const struct node *node)
{
    if (!is_map(reader, node, "zip")) {
        return NULL;
    }
    struct setting *zip = arena_alloc(reader->arena, 1, sizeof *zip, reader->err);
    if (zip == NULL) {
        return NULL;
    }
    *zip = (struct setting){.name = "zip", .place = node->place, .use = SETTING_AXIS};
    link_settings(reader, &zip->parts, node, SETTING_AXIS);
    if (node->count == 0) {
        problems_add(&reader->problems, node->place, "zip: the map has no fields");
    }
    if (zip->parts == NULL) {
        return NULL;
    }
    check_lengths(reader, zip);
    return zip;
}

static void read_zip(struct reader *reader, const struct node *node)
{
    if (node->kind == NODE_LIST && node->count == 0) {
        problems_add(&reader->problems, node->place, "zip: the list has no fields");
    }
    struct setting **end = outer_list(reader);
    const struct node *item = first_of(node);
    while (item != NULL) {
        struct setting *zip = read_zip_entry(reader, item);
        if (zip != NULL) {
            setting_link(end, zip);
            end = &zip->next;
        }
        item = item == node ? NULL : item->next;
    }
}

static void read_saturation(struct reader *reader, const struct node *node)
{
    if (!is_map(reader, node, "saturation")) {
        return;
    }
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        enum run_field field = strcmp(child->key->text, "row_max") == 0    ? RUN_SATURATION_ROW_MAX
                               : strcmp(child->key->text, "gradient") == 0 ? RUN_SATURATION_GRADIENT
                                                                           : RUN_FIELD_COUNT;
        if (field == RUN_FIELD_COUNT) {
            problems_add(&reader->problems, child->key->place,
                         "unknown key '%s'; 'saturation' has row_max and gradient",
                         problems_shown(&reader->problems, child->key->text));
            continue;
        }
        struct setting *setting =
            setting_read_field(reader, field, child->key, child, SETTING_FIXED);
        if (setting != NULL) {
            setting_link(outer_list(reader), setting);
        }
    }
}

/* includes.c has been there before. */
static void skip(struct reader *reader, const struct node *node)
{
    (void)reader;
    (void)node;
}

static void (*const readers[SWEEP_TOP_KEYS])(struct reader *reader, const struct node *node) = {
    [SWEEP_ROWMAX] = read_version,
    [SWEEP_NAME] = name_read,
    [SWEEP_TITLE] = title_read,
    [SWEEP_INCLUDE] = skip,
    [SWEEP_FIXED] = read_fixed,
    [SWEEP_GRID] = read_grid,
    [SWEEP_ZIP] = read_zip,
    [SWEEP_EXCLUDE] = exclude_read,
    [SWEEP_SATURATION] = read_saturation,
    [SWEEP_KEEP] = keep_read,
    [SWEEP_MEASURES] = measures_read,
};

static void refuse_section(struct reader *reader, const struct node *key)
{
    struct problems *problems = &reader->problems;
    if (!problems_open(problems)) {
        problems_add(problems, key->place, "unknown key");
        return;
    }
    const char *names[SWEEP_TOP_KEYS];
    for (size_t i = 0; i < SWEEP_TOP_KEYS; i++) {
        names[i] = sweep_keys[i].name;
    }
    const char *nearest = text_nearest(key->text, names, SWEEP_TOP_KEYS);
    const char *field = run_field_nearest(key->text);
    const char *shown = problems_shown(problems, key->text);
    const char *hint = hint_for_key(reader, key, NULL);
    if (hint != NULL) {
        problems_add(problems, key->place, "unknown key '%s'; under 'fixed' or 'grid' %s", shown,
                     hint);
    } else if (run_field_find(key->text) != NULL || strcmp(key->text, GUARDS_NAME) == 0) {
        problems_add(problems, key->place, "'%s' belongs under 'fixed', 'grid' or 'zip'", shown);
    } else if (nearest != NULL || field != NULL) {
        problems_add(problems, key->place, "unknown key '%s'; did you mean '%s'%s?", shown,
                     nearest != NULL ? nearest : field,
                     nearest != NULL ? "" : " under 'fixed' or 'grid'");
    } else {
        problems_add(problems, key->place,
                     "unknown key '%s'; a sweep has rowmax, name, title, include, fixed, grid, "
                     "zip, exclude, saturation, keep and measures",
                     shown);
    }
}

static void read_section(struct reader *reader, const struct node *node)
{
    size_t key = sweep_key_find(node->key->text);
    if (key < SWEEP_TOP_KEYS) {
        readers[key](reader, node);
        return;
    }
    refuse_section(reader, node->key);
    reader->guessing = reader->guessing || node->kind != NODE_SCALAR;
}

static void read_root(struct reader *reader, const struct node *root)
{
    for (const struct node *child = root->first; child != NULL; child = child->next) {
        read_section(reader, child);
    }
    if (version_of(root) == NULL) {
        problems_add(&reader->problems, root->place,
                     "the format version is missing; add 'rowmax: 1'");
    }
}

/* The tree of the text, with what it includes. */
static const struct node *read_tree(struct reader *reader)
{
    const struct sweep *sweep = reader->sweep;
    const struct node *root = yaml_tree_read(sweep->text, sweep->text_size, 0, &reader->problems);
    if (root != NULL && root->kind != NODE_MAP) {
        problems_add(&reader->problems, root->place,
                     "a sweep is a map that begins with 'rowmax: 1', found %s",
                     node_kind_name(root));
        return NULL;
    }
    return root == NULL ? NULL : includes_resolve(reader, root);
}

/* What is recorded of a sweep that includes others must stand without them. */
static void record(struct reader *reader, const struct node *root)
{
    if (reader->included == NULL || reader->problems.count > 0) {
        return;
    }
    const char *text = resolved_text(reader, root);
    if (text != NULL) {
        reader->sweep->text = text;
        reader->sweep->text_size = strlen(text);
    }
}

/* Without `grid` there is one block with no axis of its own. */
static bool ensure_block(struct reader *reader)
{
    struct sweep_internal *internal = reader->internal;
    if (internal->blocks == NULL) {
        internal->blocks = arena_alloc(reader->arena, 1, sizeof *internal->blocks, reader->err);
        internal->block_count = 1;
    }
    return internal->blocks != NULL;
}

static bool describe(struct reader *reader, size_t set_count)
{
    const struct node *root = read_tree(reader);
    if (root != NULL) {
        read_root(reader, root);
        record(reader, root);
    }
    if (reader->err->code == ERROR_NONE && root != NULL && ensure_block(reader)) {
        overrides_apply(reader, set_count);
        checks_run(reader);
    }
    return problems_finish(&reader->problems);
}

static bool name_after_file(struct sweep *sweep, struct arena *arena, struct error *err)
{
    bool is_file = strcmp(sweep->path, "-") != 0;
    sweep->folder = is_file ? files_folder(arena, sweep->path, err) : ".";
    sweep->name = is_file ? files_stem(arena, sweep->path, err) : "sweep";
    return sweep->folder != NULL && sweep->name != NULL;
}

bool sweep_parse(const char *path, const char *text, size_t size, const char *const *sets,
                 size_t set_count, struct arena *arena, struct sweep *out, struct error *err)
{
    if (size > SWEEP_FILE_LIMIT) {
        return error_set(err, ERROR_INPUT, "'%s' is larger than %zu bytes, the limit", path,
                         SWEEP_FILE_LIMIT);
    }
    struct sweep sweep = {.path = path, .text_size = size, .measures = measurement_fields_all()};
    sweep.text = arena_copy_bytes(arena, text, size, err);
    struct sweep_internal *internal = arena_alloc(arena, 1, sizeof *internal, err);
    if (sweep.text == NULL || internal == NULL || !name_after_file(&sweep, arena, err)) {
        return false;
    }
    sweep.internal = internal;
    struct reader reader = {.arena = arena,
                            .err = err,
                            .problems = {.arena = arena, .path = path, .sets = sets, .err = err},
                            .sweep = &sweep,
                            .internal = internal,
                            .scratch = run_default()};
    if (!describe(&reader, set_count)) {
        return false;
    }
    sweep.title = sweep.title == NULL ? sweep.name : sweep.title;
    *out = sweep;
    return true;
}

bool sweep_read(const char *path, const char *const *sets, size_t set_count, struct arena *arena,
                struct sweep *out, struct error *err)
{
    size_t size = 0;
    const char *text = files_read(path, SWEEP_FILE_LIMIT, arena, &size, err);
    return text != NULL && sweep_parse(path, text, size, sets, set_count, arena, out, err);
}
