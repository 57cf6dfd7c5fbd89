/* SPDX-License-Identifier: MIT */
/* Whether figures with text can be drawn here: gnuplot says nothing when it finds no font. */
#include "report/probe.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

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

const char probe_reason[] = "gnuplot draws no letters, since it finds no font";

bool probe_prepare(const char *folder, struct picture pictures[PROBE_PICTURES], struct arena *arena,
                   struct error *err)
{
    for (size_t i = 0; i < PROBE_PICTURES; i++) {
        pictures[i] = (struct picture){.name = names[i], .format = "png"};
    }
    bool good = write_script(folder, 0, arena, err) && write_script(folder, 1, arena, err);
    if (!good) {
        probe_remove(folder);
    }
    return good;
}

bool probe_blank(const char *folder, const struct picture pictures[PROBE_PICTURES],
                 struct arena *arena)
{
    if (pictures[0].reason != NULL || pictures[1].reason != NULL) {
        return false;
    }
    size_t sizes[2] = {0, 0};
    const char *blank = read_picture(folder, 0, arena, &sizes[0]);
    const char *word = read_picture(folder, 1, arena, &sizes[1]);
    return blank != NULL && word != NULL && sizes[0] == sizes[1] &&
           memcmp(blank, word, sizes[0]) == 0;
}

void probe_remove(const char *folder)
{
    static const char *const extensions[2] = {"gp", "png"};
    for (size_t i = 0; i < 4; i++) {
        char path[PATH_SIZE];
        int length =
            snprintf(path, sizeof path, "%s/%s.%s", folder, names[i / 2], extensions[i % 2]);
        if (length > 0 && (size_t)length < sizeof path) {
            unlink(path);
        }
    }
}

static bool probe(const char *gnuplot, const char *folder, struct arena *arena, struct error *err)
{
    const struct report_options options = {folder, REPORT_PNG, gnuplot, 20};
    struct picture pictures[PROBE_PICTURES];
    if (!probe_prepare(folder, pictures, arena, err) ||
        !gnuplot_render(&options, pictures, PROBE_PICTURES, arena, err)) {
        return false;
    }
    const char *reason = pictures[0].reason != NULL ? pictures[0].reason : pictures[1].reason;
    if (reason == NULL && probe_blank(folder, pictures, arena)) {
        reason = probe_reason;
    }
    return reason == NULL || error_set(err, ERROR_FIGURES, "%s", reason);
}

static const char terminal_name[] = "probe-terminal";
static const char *const formats[] = {"png", "svg", "pdf"}; /* as the bits of REPORT_PNG... */
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static const char terminal_script[] =
    "if (FORMAT eq 'png') set terminal pngcairo size 200,60 noenhanced\n"
    "if (FORMAT eq 'svg') set terminal svg size 200,60 noenhanced\n"
    "if (FORMAT eq 'pdf') set terminal pdfcairo size 2in,1in noenhanced\n"
    "set output OUT\nunset key\nplot [0:1] [0:1] x notitle\n";

static void remove_terminal(const char *folder, const char *extension, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *path = arena_format(arena, &ignored, "%s/%s.%s", folder, terminal_name, extension);
    if (path != NULL) {
        unlink(path);
    }
}

unsigned report_terminals(const char *gnuplot, const char *folder, struct arena *arena,
                          struct error *err)
{
    const struct report_options options = {folder, REPORT_PNG, gnuplot, 20};
    struct picture pictures[FORMAT_COUNT];
    unsigned missing = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        pictures[i] = (struct picture){.name = terminal_name, .format = formats[i]};
    }
    const char *path = arena_format(arena, err, "%s/%s.gp", folder, terminal_name);
    bool rendered = path != NULL &&
                    files_replace(path, terminal_script, strlen(terminal_script), err) &&
                    gnuplot_render(&options, pictures, FORMAT_COUNT, arena, err);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (!rendered || pictures[i].reason != NULL) {
            missing |= 1U << i;
            error_set(err, ERROR_FIGURES, "%s", rendered ? pictures[i].reason : "");
        }
        remove_terminal(folder, formats[i], arena);
    }
    remove_terminal(folder, "gp", arena);
    return missing;
}

bool report_probe(const char *gnuplot, const char *folder, struct arena *arena, struct error *err)
{
    bool good = probe(gnuplot, folder, arena, err);
    probe_remove(folder);
    return good;
}
