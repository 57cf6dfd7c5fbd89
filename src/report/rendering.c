/* SPDX-License-Identifier: MIT */
/* Rendering all pictures of a report; see rendering.h. */
#include "report/rendering.h"

#include "base/files.h"
#include "report/fonts.h"
#include "report/picture_note.h"
#include "report/probe.h"

#include <string.h>
#include <unistd.h>

/* What all pictures of a report share. */
struct job {
    const struct report_options *options;
    const struct figures *figures;
    struct picture_note notes[FIGURES_LIMIT];
    const char *boxed[FIGURES_LIMIT]; /* scripts with boxes, for the time being; or NULL */
    struct arena *arena;
};

/* SVG names its characters, and whoever shows it has to find fonts. */
static bool is_svg(const struct picture *picture)
{
    return strcmp(picture->format, "svg") == 0;
}

const char *rendering_comment(const struct result_set *set, struct arena *arena, struct error *err)
{
    struct picture_note note;
    return picture_note_make(set, arena, &note, err)
               ? arena_format(arena, err, "# %s\n", note.description)
               : NULL;
}

static bool make_notes(struct job *job, const struct result_set *set, struct error *err)
{
    struct picture_note note;
    if (!picture_note_make(set, job->arena, &note, err)) {
        return false;
    }
    for (size_t f = 0; f < job->figures->count; f++) {
        job->notes[f] = note;
        job->notes[f].title = job->figures->list[f].title;
    }
    return true;
}

static bool write_boxed(struct job *job, size_t f, const char *script, struct error *err)
{
    job->boxed[f] = arena_format(job->arena, err, "%s.boxes.tmp", job->figures->list[f].name);
    const char *path = job->boxed[f] == NULL
                           ? NULL
                           : files_join(job->arena, job->options->folder, job->boxed[f], err);
    return path != NULL && files_replace(path, script, strlen(script), err);
}

/* Scripts without the characters that no font has, for those figures that need one. */
static bool find_boxed(struct job *job, struct error *err)
{
    struct fonts fonts = {0, NULL};
    bool asked = false;
    for (size_t f = 0; f < job->figures->count; f++) {
        const char *script = job->figures->list[f].script;
        if (!fonts_needed(script)) {
            continue;
        }
        if (!asked && !fonts_find("fc-list", job->arena, &fonts, err)) {
            return false;
        }
        asked = true;
        const char *boxed = fonts_replace(&fonts, script, job->arena, err);
        if (boxed == NULL || (boxed != script && !write_boxed(job, f, boxed, err))) {
            return false;
        }
    }
    return true;
}

static void list_pictures(const struct job *job, struct rendered *out)
{
    for (size_t f = 0; f < job->figures->count; f++) {
        for (size_t i = 0; i < PICTURE_FORMATS; i++) {
            if ((job->options->formats & picture_formats[i].bit) == 0) {
                continue;
            }
            struct picture *picture = &out->pictures[out->count];
            *picture = (struct picture){.name = job->figures->list[f].name,
                                        .format = picture_formats[i].name,
                                        .note = &job->notes[f]};
            picture->script = is_svg(picture) ? NULL : job->boxed[f];
            out->boxed[out->count++] = picture->script != NULL;
        }
    }
}

static void remove_file(const struct job *job, const char *name)
{
    struct error ignored = ERROR_INIT;
    const char *path = files_join(job->arena, job->options->folder, name, &ignored);
    if (path != NULL) {
        unlink(path);
    }
}

/* Takes back pictures without letters, and says why they are missing. */
static bool refuse_blank(const struct job *job, struct rendered *out, struct error *err)
{
    for (size_t p = 0; p < out->count; p++) {
        struct picture *picture = &out->pictures[p];
        if (is_svg(picture)) {
            continue;
        }
        const char *name = arena_format(job->arena, err, "%s.%s", picture->name, picture->format);
        if (name == NULL) {
            return false;
        }
        remove_file(job, name);
        picture->reason = probe_reason;
    }
    return true;
}

/* Whether a picture other than SVG is missing and no font has the letter a: what gnuplot says then,
 * if anything, is of sizes. */
static bool lacks_fonts(const struct job *job, const struct rendered *out)
{
    struct error unasked = ERROR_INIT;
    struct fonts fonts = {0, NULL};
    bool missing = false;
    for (size_t p = 0; p < out->count; p++) {
        missing = missing || (!is_svg(&out->pictures[p]) && out->pictures[p].reason != NULL);
    }
    return missing && fonts_find("fc-list", job->arena, &fonts, &unasked) &&
           !fonts_have(&fonts, 'a');
}

/* All pictures, and among them the two that tell whether there are letters. */
static bool render(const struct job *job, struct rendered *out, struct error *err)
{
    struct picture pictures[RENDERING_LIMIT + PROBE_PICTURES];
    const char *folder = job->options->folder;
    const size_t count = out->count;
    bool probed = count > 0 && (job->options->formats & (REPORT_PNG | REPORT_PDF)) != 0;
    memcpy(pictures, out->pictures, count * sizeof *pictures);
    if (probed && !probe_prepare(folder, pictures + count, job->arena, err)) {
        return false;
    }
    bool good = gnuplot_render(job->options, pictures, count + (probed ? PROBE_PICTURES : 0),
                               job->arena, err);
    memcpy(out->pictures, pictures, count * sizeof *pictures);
    if (good && probed &&
        (probe_blank(folder, pictures + count, job->arena) || lacks_fonts(job, out))) {
        good = refuse_blank(job, out, err);
    }
    if (probed) {
        probe_remove(folder);
    }
    return good;
}

bool rendering_make(const struct result_set *set, const struct figures *figures,
                    const struct report_options *options, struct arena *arena, struct rendered *out,
                    struct error *err)
{
    struct job *job = arena_alloc(arena, 1, sizeof *job, err);
    if (job == NULL) {
        return false;
    }
    *job = (struct job){.options = options, .figures = figures, .arena = arena};
    out->count = 0;
    bool raster = (options->formats & (REPORT_PNG | REPORT_PDF)) != 0;
    bool good = make_notes(job, set, err) && (!raster || find_boxed(job, err));
    if (good) {
        list_pictures(job, out);
        good = render(job, out, err);
    }
    for (size_t f = 0; f < figures->count; f++) {
        if (job->boxed[f] != NULL) {
            remove_file(job, job->boxed[f]);
        }
    }
    return good;
}
