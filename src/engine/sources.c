/* SPDX-License-Identifier: MIT */
/* The files behind a sweep: where a corpus of a given name lies, and each file read once. */
#include "engine/engine_internal.h"

#include "base/data_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "run/fields.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER_COUNT 5

/* Where named corpora are looked for, in order. */
static bool corpora_folders(struct engine *engine, const char *folders[FOLDER_COUNT],
                            struct error *err)
{
    const char *given = getenv("ROWMAX_CORPORA");
    folders[0] = given == NULL ? "" : given;
    folders[1] = files_join(engine->arena, engine->folder, "corpora", err);
    folders[2] = files_join(engine->arena, engine->folder, "../corpora", err);
    folders[3] = "corpora";
    const char *installed = data_folder(engine->arena, err);
    folders[4] = installed == NULL ? NULL : files_join(engine->arena, installed, "corpora", err);
    return folders[1] != NULL && folders[2] != NULL && folders[4] != NULL;
}

/* Of the file of a named corpus, in the order in which they are tried. */
static const char *const endings[] = {".txt", ".txt.gz"};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

/* The corpus that a file of this name holds, in so many first bytes of it; 0 for none. */
static size_t corpus_length(const char *file)
{
    size_t length = strlen(file);
    for (size_t i = 0; i < ENDINGS; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(file + length - ending, endings[i]) == 0) {
            return length - ending;
        }
    }
    return 0;
}

#define KNOWN_LIMIT 64

/* Names of the corpora that a folder holds, sorted, each once. */
static size_t list_folder(struct engine *engine, const char *folder, const char *known[KNOWN_LIMIT])
{
    struct dirent **entries = NULL;
    struct error ignored = ERROR_INIT;
    size_t found = 0;
    int count = folder[0] == '\0' ? 0 : scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        size_t length = corpus_length(file);
        bool again = found > 0 && strlen(known[found - 1]) == length &&
                     memcmp(known[found - 1], file, length) == 0;
        if (length > 0 && !again && found < KNOWN_LIMIT) {
            known[found] = arena_copy_bytes(engine->arena, file, length, &ignored);
            found += known[found] != NULL;
        }
        free(entries[i]);
    }
    free(entries);
    return found;
}

/* No folder holds a corpus: likely none was found. */
static bool no_corpora(const char *name, const char *given, struct error *err)
{
    if (given[0] != '\0') {
        return error_set(
            err, ERROR_INPUT,
            "no corpus '%s': none at all in '%s', which ROWMAX_CORPORA names, nor in a "
            "folder corpora/ beside the sweep, above it or here; set ROWMAX_CORPORA to "
            "one that has it, or give the path of a text file",
            name, given);
    }
    return error_set(err, ERROR_INPUT,
                     "no corpus '%s': no folder corpora/ with texts beside the sweep, above it or "
                     "here; set ROWMAX_CORPORA to one, or give the path of a text file",
                     name);
}

static bool no_corpus(struct engine *engine, const char *name, const char *const *folders,
                      struct error *err)
{
    const char *known[KNOWN_LIMIT];
    size_t count = 0;
    for (size_t i = 0; i < FOLDER_COUNT && count == 0; i++) {
        count = list_folder(engine, folders[i], known);
    }
    if (count == 0) {
        return no_corpora(name, folders[0], err);
    }
    const char *nearest = text_nearest(name, known, count);
    if (nearest != NULL) {
        return error_set(err, ERROR_INPUT, "no corpus '%s'; did you mean '%s'?", name, nearest);
    }
    struct text list = TEXT_INIT(engine->arena);
    for (size_t i = 0; i < count; i++) {
        text_append_format(&list, "%s%s", i == 0 ? "" : ", ", known[i]);
    }
    return error_set(err, ERROR_INPUT,
                     "no corpus '%s' (known: %s); name one of these, or give the path of a text "
                     "file",
                     name, list.data == NULL ? "?" : list.data);
}

static bool no_file(const char *path, struct error *err)
{
    return error_set(err, ERROR_INPUT, "no file '%s'; paths are relative to the sweep file", path);
}

/* The path of a corpus, NULL with `err` set when there is none. */
static const char *corpus_path(struct engine *engine, const char *name, struct error *err)
{
    const char *frozen = engine_frozen(engine->folder, name, engine->arena, err);
    if (frozen == NULL || files_exists(frozen)) {
        return frozen;
    }
    const char *beside = files_join(engine->arena, engine->folder, name, err);
    if (beside == NULL || run_field_names_file(RUN_CORPUS, name)) {
        return beside == NULL || files_exists(beside) || no_file(beside, err) ? beside : NULL;
    }
    const char *folders[FOLDER_COUNT];
    if (!corpora_folders(engine, folders, err)) {
        return NULL;
    }
    for (size_t i = 0; i < FOLDER_COUNT; i++) {
        for (size_t j = 0; folders[i][0] != '\0' && j < ENDINGS; j++) {
            const char *path =
                arena_format(engine->arena, err, "%s/%s%s", folders[i], name, endings[j]);
            if (path == NULL || files_exists(path)) {
                return path;
            }
        }
    }
    if (files_exists(beside)) {
        return beside;
    }
    no_corpus(engine, name, folders, err);
    return NULL;
}

const struct corpus_source *engine_corpus(struct engine *engine, const char *name,
                                          struct error *err)
{
    for (size_t i = 0; i < engine->corpus_count; i++) {
        if (strcmp(engine->corpora[i]->name, name) == 0) {
            return engine->corpora[i];
        }
    }
    const char *path = corpus_path(engine, name, err);
    struct corpus_source *source = arena_alloc(engine->arena, 1, sizeof *source, err);
    engine->corpora = arena_grow(engine->arena, engine->corpora, engine->corpus_count,
                                 &engine->corpus_capacity, sizeof *engine->corpora, err);
    if (path == NULL || source == NULL || engine->corpora == NULL ||
        !corpus_read(path, engine->arena, &source->corpus, err)) {
        return NULL;
    }
    source->name = name;
    source->path = path;
    engine->corpora[engine->corpus_count++] = source;
    return source;
}

const struct array *engine_array(struct engine *engine, const char *name, struct error *err)
{
    for (size_t i = 0; i < engine->array_count; i++) {
        if (strcmp(engine->arrays[i]->name, name) == 0) {
            return &engine->arrays[i]->array;
        }
    }
    const char *location = engine_locate(engine, name, err);
    struct array_source *source = arena_alloc(engine->arena, 1, sizeof *source, err);
    engine->arrays = arena_grow(engine->arena, engine->arrays, engine->array_count,
                                &engine->array_capacity, sizeof *engine->arrays, err);
    if (location == NULL || source == NULL || engine->arrays == NULL ||
        !array_read(location, engine->arena, &source->array, err)) {
        return NULL;
    }
    source->name = name;
    source->location = location;
    engine->arrays[engine->array_count++] = source;
    return &source->array;
}
