/* SPDX-License-Identifier: MIT */
/* Writes the folder of course data; see course_files.h. */
#include "report/course_files.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The files on their way: number i, a pair or last of all the index, is `stage`/i until it gets its
 * name. */
struct writing {
    const struct course *course;
    const char *folder;
    const char *stage;
    struct arena *arena;
    struct arena scratch; /* emptied after each file */
    struct error *err;
};

static const char *staged_path(struct writing *writing, size_t i)
{
    return arena_format(&writing->scratch, writing->err, "%s/%zu", writing->stage, i);
}

static const char *final_path(struct writing *writing, size_t i)
{
    const struct course *course = writing->course;
    const char *name = i == course->pair_count ? COURSE_INDEX : course->pairs[i].path;
    return files_join(&writing->scratch, writing->folder, name, writing->err);
}

static bool stage_file(struct writing *writing, size_t i)
{
    const struct course *course = writing->course;
    struct text text = TEXT_INIT(&writing->scratch);
    if (i == course->pair_count) {
        course_append_index(&text, course);
    } else {
        course_append_pair(&text, course, &course->pairs[i]);
    }
    const char *bytes = text_finish(&text, writing->err);
    const char *path = staged_path(writing, i);
    const char *shown = final_path(writing, i);
    bool good = bytes != NULL && path != NULL && shown != NULL &&
                files_write_synced(path, NULL, O_TRUNC, bytes, text.length, shown, writing->err);
    arena_reset(&writing->scratch);
    return good;
}

/* Pairs go into folders of ours in the folder that the user named, and nowhere else. */
static bool leads_elsewhere(const char *folder)
{
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISLNK(status.st_mode);
}

static bool make_corpus_folder(const char *folder, struct error *err)
{
    return leads_elsewhere(folder)
               ? error_set(err, ERROR_FILE,
                           "'%s' is a symbolic link, which an export does not follow; remove it",
                           folder)
               : files_make_folders(folder, err);
}

static bool make_corpus_folders(struct writing *writing)
{
    bool good = true;
    for (size_t c = 0; good && c < writing->course->corpus_count; c++) {
        const char *folder = files_join(&writing->scratch, writing->folder,
                                        writing->course->corpora[c].folder, writing->err);
        good = folder != NULL && make_corpus_folder(folder, writing->err);
    }
    arena_reset(&writing->scratch);
    return good;
}

/* The folder of a corpus is synced with its last pair, before the index names it. */
static bool place_file(struct writing *writing, size_t i)
{
    const struct course *course = writing->course;
    const char *from = staged_path(writing, i);
    const char *to = final_path(writing, i);
    bool last =
        i >= course->pair_count - 1 || course->pairs[i + 1].corpus != course->pairs[i].corpus;
    bool good = from != NULL && to != NULL;
    if (good && rename(from, to) != 0) {
        good = error_set_system(writing->err, ERROR_FILE, errno, "cannot replace '%s'", to);
    }
    good = good && (!last || files_sync_folder(to, writing->err));
    arena_reset(&writing->scratch);
    return good;
}

/* Folders that hold nothing go as well; the others stay, which rmdir sees to. */
static void remove_stage(struct writing *writing)
{
    for (size_t i = 0; i <= writing->course->pair_count; i++) {
        const char *path = staged_path(writing, i);
        if (path != NULL) {
            unlink(path);
        }
        arena_reset(&writing->scratch);
    }
    rmdir(writing->stage);
    for (size_t c = 0; c < writing->course->corpus_count; c++) {
        const char *folder = files_join(&writing->scratch, writing->folder,
                                        writing->course->corpora[c].folder, writing->err);
        if (folder != NULL) {
            rmdir(folder);
        }
    }
    arena_reset(&writing->scratch);
}

static bool is_kept(const struct course *course, const struct course_pair *old)
{
    bool found = false;
    for (size_t p = 0; !found && p < course->pair_count; p++) {
        found = course->pairs[p].seed == old->seed && strcmp(course->pairs[p].path, old->path) == 0;
    }
    return found;
}

/* Pairs that only the earlier export had; how many went. One that cannot be removed does no harm:
 * no index names it any more. */
static size_t remove_stale(struct writing *writing, const struct course *old)
{
    size_t removed = 0;
    for (size_t p = 0; old != NULL && p < old->pair_count; p++) {
        const char *name = old->pairs[p].path;
        if (!course_path_is_ours(name) || is_kept(writing->course, &old->pairs[p])) {
            continue;
        }
        struct error ignored = ERROR_INIT;
        const char *path = files_join(&writing->scratch, writing->folder, name, &ignored);
        const char *folder = path == NULL ? NULL : files_folder(&writing->scratch, path, &ignored);
        if (folder != NULL && !leads_elsewhere(folder) && unlink(path) == 0) {
            rmdir(folder);
            removed++;
        }
        arena_reset(&writing->scratch);
    }
    return removed;
}

static bool write_all(struct writing *writing)
{
    size_t files = writing->course->pair_count + 1;
    bool good = true;
    for (size_t i = 0; good && i < files; i++) {
        good = stage_file(writing, i);
    }
    good = good && make_corpus_folders(writing);
    for (size_t i = 0; good && i < files; i++) {
        good = place_file(writing, i);
    }
    return good;
}

bool course_write(const struct course *course, const struct course *old, const char *folder,
                  size_t *removed, struct arena *arena, struct error *err)
{
    struct writing writing = {course, folder, NULL, arena, {NULL}, err};
    *removed = 0;
    writing.stage = arena_format(arena, err, "%s/.export.tmp.%ld", folder, (long)getpid());
    if (writing.stage == NULL || !files_make_folders(folder, err) ||
        !files_make_folders(writing.stage, err)) {
        return false;
    }
    bool good = write_all(&writing);
    remove_stage(&writing);
    *removed = good ? remove_stale(&writing, old) : 0;
    arena_release(&writing.scratch);
    return good;
}
