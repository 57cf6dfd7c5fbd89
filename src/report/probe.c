/* SPDX-License-Identifier: MIT */
/* Whether figures with text can be drawn here: gnuplot says nothing when it finds no font. */
#include "base/files.h"
#include "report/gnuplot.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A picture of nothing, and one of a single word. */
static const char *const labels[2] = {"", "set label 1 'word' at screen 0.5, 0.5 center\n"};
static const char *const names[2] = {"probe-blank", "probe-word"};

static bool write_script(const char *folder, size_t which, struct arena *arena, struct error *err)
{
    const char *path = arena_format(arena, err, "%s/%s.gp", folder, names[which]);
    const char *script = arena_format(
        arena, err,
        "set terminal pngcairo size 200,60 noenhanced font 'DejaVu Sans,20'\nset output OUT\n"
        "unset border\nunset tics\nunset key\n%splot [0:1] [0:1] -1\n",
        labels[which]);
    return path != NULL && script != NULL && files_replace(path, script, strlen(script), err);
}

/* The bytes of a rendered probe, or NULL. */
static const char *read_picture(const char *folder, size_t which, struct arena *arena, size_t *size)
{
    struct error unread = ERROR_INIT;
    const char *path = arena_format(arena, &unread, "%s/%s.png", folder, names[which]);
    return path == NULL ? NULL : files_read(path, 1 << 20, arena, size, &unread);
}

static void clean_up(const char *folder, struct arena *arena)
{
    static const char *const extensions[2] = {"gp", "png"};
    for (size_t i = 0; i < 4; i++) {
        struct error ignored = ERROR_INIT;
        const char *path =
            arena_format(arena, &ignored, "%s/%s.%s", folder, names[i / 2], extensions[i % 2]);
        if (path != NULL) {
            unlink(path);
        }
    }
}

static bool probe(const char *gnuplot, const char *folder, struct arena *arena, struct error *err)
{
    const struct report_options options = {folder, REPORT_PNG, gnuplot, 20};
    struct picture pictures[2] = {{names[0], "png", NULL}, {names[1], "png", NULL}};
    if (!write_script(folder, 0, arena, err) || !write_script(folder, 1, arena, err) ||
        !gnuplot_render(&options, pictures, 2, arena, err)) {
        return false;
    }
    size_t sizes[2] = {0, 0};
    const char *blank = read_picture(folder, 0, arena, &sizes[0]);
    const char *word = read_picture(folder, 1, arena, &sizes[1]);
    if (blank == NULL || word == NULL) {
        const char *reason = pictures[0].reason != NULL ? pictures[0].reason : pictures[1].reason;
        return error_set(err, ERROR_FIGURES, "%s", reason == NULL ? "no picture" : reason);
    }
    bool same = sizes[0] == sizes[1] && memcmp(blank, word, sizes[0]) == 0;
    return !same || error_set(err, ERROR_FIGURES, "no text in figures: no font was found");
}

bool report_probe(const char *gnuplot, const char *folder, struct arena *arena, struct error *err)
{
    bool good = probe(gnuplot, folder, arena, err);
    clean_up(folder, arena);
    return good;
}
