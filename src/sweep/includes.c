/* SPDX-License-Identifier: MIT */
/* Sweeps that build on others. An included file is data of a stranger: nothing but a regular file
 * within the limits of a sweep is read, and no message shows what is in a file that is no sweep. */
#include "sweep/sweep_internal.h"

#include "base/files.h"

#include <string.h>

/* The files by their numbers, while they are found. */
struct including {
    struct reader *reader;
    struct problem_file files[INCLUDE_FILE_LIMIT + 1];
    struct included included[INCLUDE_FILE_LIMIT + 1];
    struct file_identity identities[INCLUDE_FILE_LIMIT + 1];
    bool known[INCLUDE_FILE_LIMIT + 1]; /* the identity is */
    size_t depths[INCLUDE_FILE_LIMIT + 1];
    size_t count, bytes;
};

static const struct node *child_of(const struct node *map, enum sweep_key_index key)
{
    const struct node *child = map->kind == NODE_MAP ? map->first : NULL;
    while (child != NULL && strcmp(child->key->text, sweep_keys[key].name) != 0) {
        child = child->next;
    }
    return child;
}

/* "a.yaml -> b.yaml -> a.yaml", from the first of the chain that leads to `file`. */
static const char *chain_text(struct including *including, size_t first, size_t file)
{
    size_t chain[INCLUDE_DEPTH_LIMIT + 2];
    size_t length = 0;
    for (size_t at = file;; at = including->files[at].place.file) {
        chain[length++] = at;
        if (at == first) {
            break;
        }
    }
    struct text text = TEXT_INIT(including->reader->arena);
    for (size_t i = length; i > 0; i--) {
        text_append_format(&text, "'%s'%s includes ", including->files[chain[i - 1]].path,
                           i == length ? "" : ", which");
    }
    text_append_format(&text, "'%s'", including->files[first].path);
    return text_finish(&text, including->reader->err);
}

/* Whether the file that was just read is one of those that lead to it. */
static bool closes_circle(struct including *including, size_t file, const struct node *item)
{
    size_t at = including->files[file].place.file;
    for (bool more = true; more; more = at != 0, at = including->files[at].place.file) {
        if (including->known[at] && memcmp(&including->identities[at], &including->identities[file],
                                           sizeof including->identities[0]) == 0) {
            const char *chain = chain_text(including, at, including->files[file].place.file);
            problems_add(&including->reader->problems, item->place,
                         "include: a sweep cannot include itself: %s", chain == NULL ? "" : chain);
            return true;
        }
    }
    return false;
}

/* A number for the file that `item` names, NULL with a problem where it cannot have one. */
static size_t open_file(struct including *including, const struct node *item, const char *name)
{
    struct reader *reader = including->reader;
    size_t from = item->place.file;
    size_t file = including->count;
    if (including->depths[from] == INCLUDE_DEPTH_LIMIT) {
        problems_add(&reader->problems, item->place, "include: nested too deeply (limit %d)",
                     INCLUDE_DEPTH_LIMIT);
        return 0;
    }
    if (file > INCLUDE_FILE_LIMIT) {
        problems_add(&reader->problems, item->place, "include: more than %d files, the limit",
                     INCLUDE_FILE_LIMIT);
        return 0;
    }
    struct included *out = &including->included[file];
    out->name = files_join(reader->arena, including->included[from].folder, name, reader->err);
    const char *path = out->name == NULL ? NULL
                                         : files_join(reader->arena, reader->sweep->folder,
                                                      out->name, reader->err);
    out->folder = path == NULL ? NULL : files_folder(reader->arena, out->name, reader->err);
    if (out->folder == NULL) {
        return 0;
    }
    including->files[file] = (struct problem_file){.path = path, .place = item->place};
    including->depths[file] = including->depths[from] + 1;
    including->count++;
    return file;
}

static bool refuse(struct including *including, const struct node *item, size_t file,
                   const char *what)
{
    struct problems *problems = &including->reader->problems;
    problems_add(problems, item->place, "include: '%s' %s",
                 problems_shown(problems, including->files[file].path), what);
    return false;
}

static bool read_text(struct including *including, size_t file, const struct node *item)
{
    struct reader *reader = including->reader;
    struct included *out = &including->included[file];
    struct error err = ERROR_INIT;
    out->text = files_read_regular(including->files[file].path, SWEEP_FILE_LIMIT, reader->arena,
                                   &out->size, &including->identities[file], &err);
    including->known[file] = out->text != NULL;
    if (out->text == NULL && err.code == ERROR_INTERNAL) {
        *reader->err = err;
        return false;
    }
    if (out->text == NULL) {
        problems_add(&reader->problems, item->place, "include: %s", err.message);
        return false;
    }
    including->bytes += out->size;
    if (including->bytes > SWEEP_FILE_LIMIT) {
        problems_add(&reader->problems, item->place,
                     "include: the sweep and its files are larger than %zu bytes, the limit",
                     SWEEP_FILE_LIMIT);
        return false;
    }
    if (closes_circle(including, file, item)) {
        return false;
    }
    /* What the reader says of a file may show parts of it: of none but sweeps. */
    return strstr(out->text, sweep_keys[SWEEP_ROWMAX].name) != NULL ||
           refuse(including, item, file, "is no sweep: it lacks 'rowmax: 1'");
}

/* The tree of an included file, NULL with a problem where there is none. */
static const struct node *read_file(struct including *including, const struct node *item)
{
    struct reader *reader = including->reader;
    const char *name = scalar_text(reader, item, sweep_keys[SWEEP_INCLUDE].name);
    size_t file = name == NULL ? 0 : open_file(including, item, name);
    if (file == 0 || !read_text(including, file, item)) {
        return NULL;
    }
    reader->problems.file = file;
    const struct included *source = &including->included[file];
    const struct node *root = yaml_tree_read(source->text, source->size, 0, &reader->problems);
    if (root != NULL && (root->kind != NODE_MAP || !version_read(reader, root))) {
        refuse(including, item, file, "is no sweep: it lacks 'rowmax: 1'");
        root = NULL;
    }
    reader->problems.file = 0;
    return root;
}

/* What a sweep includes with the sweep on top. */
static const struct node *resolve(struct including *including, const struct node *root)
{
    struct reader *reader = including->reader;
    const struct node *include = child_of(root, SWEEP_INCLUDE);
    const struct node *below = NULL;
    bool list = include != NULL && include->kind == NODE_LIST;
    if (list && include->count == 0) {
        problems_add(&reader->problems, include->place, "include: the list names no file");
    }
    const struct node *item = list ? include->first : include;
    for (; item != NULL; item = list ? item->next : NULL) {
        const struct node *tree = read_file(including, item);
        tree = tree == NULL ? NULL : resolve(including, tree);
        if (tree != NULL) {
            below = below == NULL ? tree : layers_join(reader, below, tree, false);
        }
    }
    return below == NULL ? root : layers_join(reader, below, root, true);
}

const struct node *includes_resolve(struct reader *reader, const struct node *root)
{
    if (child_of(root, SWEEP_INCLUDE) == NULL) {
        return root;
    }
    struct including *including = arena_alloc(reader->arena, 1, sizeof *including, reader->err);
    if (including == NULL) {
        return NULL;
    }
    const struct sweep *sweep = reader->sweep;
    bool is_file = strcmp(sweep->path, "-") != 0;
    including->reader = reader;
    including->count = 1;
    including->bytes = sweep->text_size;
    including->included[0] =
        (struct included){.text = sweep->text, .size = sweep->text_size, .name = "", .folder = "."};
    including->files[0].path = is_file ? sweep->path : "standard input";
    including->known[0] = is_file && files_identify(sweep->path, &including->identities[0]);
    reader->problems.files = including->files;
    reader->included = including->included;
    size_t before = reader->problems.count;
    const struct node *whole = resolve(including, root);
    reader->included_count = including->count;
    /* With a file missing nothing can be said of what the sweep lacks, but of all else. */
    reader->guessing = reader->problems.count > before;
    return whole;
}

const char *includes_path(struct reader *reader, enum run_field field, const struct node *node)
{
    bool moved = node->place.file != 0 && run_field_names_file(field, node->text);
    const char *text = moved ? files_join(reader->arena, reader->included[node->place.file].folder,
                                          node->text, reader->err)
                             : node->text;
    return text == NULL ? "" : text;
}
