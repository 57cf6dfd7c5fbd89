/* SPDX-License-Identifier: MIT */
/* Files that a sweep reads, and copies of them that stand for them; see engine.h. */
#include "engine/engine_internal.h"

#include "base/files.h"
#include "base/hash.h"

#include <string.h>

char *engine_frozen(const char *folder, const char *name, struct arena *arena, struct error *err)
{
    char hex[HASH_HEX_SIZE];
    hash_bytes_hex(name, strlen(name), hex);
    return arena_format(arena, err, "%s/" ENGINE_FROZEN_FOLDER "/%s", folder, hex);
}

/* What stands before a colon may be the name of a file, and what is behind it a dataset. */
const char *engine_locate(struct engine *engine, const char *name, struct error *err)
{
    char *file = arena_copy_text(engine->arena, name, err);
    for (char *colon = file; colon != NULL; colon = strrchr(file, ':')) {
        if (colon > file) {
            *colon = '\0';
        } else if (*colon == ':') {
            break;
        }
        const char *frozen = engine_frozen(engine->folder, file, engine->arena, err);
        if (frozen == NULL || files_exists(frozen)) {
            return frozen == NULL
                       ? NULL
                       : arena_format(engine->arena, err, "%s%s", frozen, name + strlen(file));
        }
    }
    return file == NULL ? NULL : files_join(engine->arena, engine->folder, name, err);
}

/* The file behind an array: its path, and the sweep's name for it without the dataset. */
static bool describe_array(const struct array_source *source, struct arena *arena,
                           struct engine_file *out, struct error *err)
{
    out->path = array_path(source->location, arena, err);
    if (out->path == NULL) {
        return false;
    }
    size_t dataset = strlen(source->location) - strlen(out->path);
    out->name = arena_copy_bytes(arena, source->name, strlen(source->name) - dataset, err);
    return out->name != NULL;
}

struct engine_file *engine_files(const struct engine *engine, struct arena *arena, size_t *count,
                                 struct error *err)
{
    size_t corpora = engine->corpus_count;
    *count = corpora + engine->array_count;
    struct engine_file *files = arena_alloc(arena, *count, sizeof *files, err);
    for (size_t i = 0; files != NULL && i < corpora; i++) {
        files[i] = (struct engine_file){engine->corpora[i]->name, engine->corpora[i]->path};
    }
    for (size_t i = 0; files != NULL && i < engine->array_count; i++) {
        if (!describe_array(engine->arrays[i], arena, &files[corpora + i], err)) {
            return NULL;
        }
    }
    return files;
}
