/* SPDX-License-Identifier: MIT */
/* Writes the folder of a report: scripts and data first, then pictures, then the text, which knows
 * which pictures there are. See report.h. */
#include "report/report.h"

#include "base/files.h"
#include "report/arithmetic.h"
#include "report/changes.h"
#include "report/figures.h"
#include "report/labels.h"
#include "report/nights.h"
#include "report/onsets.h"
#include "report/panel.h"
#include "report/rendering.h"
#include "report/sections.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Every figure that a report of ours can hold, and what stands beside its pictures. */
static const char *const figure_names[] = {
    "saturation", "saturation-1", "saturation-2",  "saturation-3",  "phase",        "theory",
    "weights",    "undefined",    "nights",        "changes",       "changes-1",    "changes-2",
    "changes-3",  "differences",  "differences-1", "differences-2", "differences-3"};
static const char *const source_extensions[] = {"gp", "tsv"};

struct report {
    const struct result_set *set;
    const struct report_past *past;
    const struct report_options *options;
    struct arena *arena;
    const char *shared_data; /* name of the data of the first figures */
    struct summary summary;
    struct view view;
    struct nights nights;
    struct figures figures;
    struct panel panel;
    struct rendered rendered;
};

static void remove_file(const struct report *report, const char *stem, const char *extension)
{
    struct error ignored = ERROR_INIT;
    char name[64];
    snprintf(name, sizeof name, "%s.%s", stem, extension);
    const char *path = files_join(report->arena, report->options->folder, name, &ignored);
    if (path != NULL) {
        unlink(path);
    }
}

/* Removes figures of an older report: beside new text they would be taken for its own. */
static void remove_old(const struct report *report)
{
    for (size_t i = 0; i < sizeof figure_names / sizeof figure_names[0]; i++) {
        for (size_t e = 0; e < sizeof source_extensions / sizeof source_extensions[0]; e++) {
            remove_file(report, figure_names[i], source_extensions[e]);
        }
        for (size_t f = 0; f < PICTURE_FORMATS; f++) {
            remove_file(report, figure_names[i], picture_formats[f].name);
        }
    }
    remove_file(report, "panel", "html");
}

static bool write_file(const struct report *report, const char *stem, const char *extension,
                       const char *bytes, struct error *err)
{
    const char *name = arena_format(report->arena, err, "%s.%s", stem, extension);
    const char *path =
        name == NULL ? NULL : files_join(report->arena, report->options->folder, name, err);
    return path != NULL && files_replace(path, bytes, strlen(bytes), err);
}

static bool write_scripts(const struct report *report, struct error *err)
{
    const char *origin = rendering_comment(report->set, report->arena, err);
    if (origin == NULL) {
        return false;
    }
    for (size_t f = 0; f < report->figures.count; f++) {
        const struct figure *figure = &report->figures.list[f];
        const char *script = arena_format(report->arena, err, "%s%s", origin, figure->script);
        if (script == NULL || !write_file(report, figure->name, "gp", script, err)) {
            return false;
        }
        /* pages of one figure share their data */
        bool first = f == 0 || f >= report->figures.curves;
        const char *stem = f < report->figures.curves ? report->shared_data : figure->name;
        if (first && !write_file(report, stem, "tsv", figure->data, err)) {
            return false;
        }
    }
    return true;
}

/* The picture of a figure in a format, or NULL when it was not asked for. */
static const struct picture *picture_of(const struct report *report, const struct figure *figure,
                                        const char *format)
{
    for (size_t p = 0; p < report->rendered.count; p++) {
        const struct picture *picture = &report->rendered.pictures[p];
        if (strcmp(picture->name, figure->name) == 0 && strcmp(picture->format, format) == 0) {
            return picture;
        }
    }
    return NULL;
}

/* The report is the same on every machine but for this: not every machine has every font. */
static void append_boxed(struct text *out, const struct report *report,
                         const struct picture *picture)
{
    if (report->rendered.boxed[picture - report->rendered.pictures]) {
        text_append(out, "> A box (□) stands for a character that no font of the machine has on "
                         "which this picture was drawn. The SVG names the character; a font such "
                         "as Debian's fonts-unifont draws it.\n\n");
    }
}

/* The image, in the first of PNG and SVG that is there; else why there is none. */
static void append_picture(struct text *out, const struct report *report,
                           const struct figure *figure)
{
    const char *reason = NULL;
    for (size_t i = 0; i < PICTURE_FORMATS; i++) {
        const struct picture *picture = picture_of(report, figure, picture_formats[i].name);
        if (picture == NULL) {
            continue;
        }
        if (picture->reason == NULL && picture_formats[i].bit != REPORT_PDF) {
            text_append_format(out, "![%s](%s.%s)\n\n", figure->title, figure->name,
                               picture_formats[i].name);
            append_boxed(out, report, picture);
            return;
        }
        reason = reason == NULL ? picture->reason : reason;
    }
    if (reason == NULL) {
        text_append(out, "> The figure was not asked for as PNG or SVG.");
    } else {
        text_append(out, "> **The figure could not be rendered**: ");
        markdown_text(out, reason);
        text_append(out, ".");
    }
    text_append_format(out, " To draw it, run `gnuplot -d %s.gp` in this folder.\n\n",
                       figure->name);
}

static void append_links(struct text *out, const struct report *report, const struct figure *figure)
{
    for (size_t i = 0; i < PICTURE_FORMATS; i++) {
        const struct picture *picture = picture_of(report, figure, picture_formats[i].name);
        if (picture != NULL && picture->reason == NULL) {
            text_append_format(out, "[%s](%s.%s) · ", picture_formats[i].label, figure->name,
                               picture_formats[i].name);
        }
    }
    bool curves = figure < report->figures.list + report->figures.curves;
    text_append_format(out,
                       "[script](%s.gp) · [data](%s.tsv) (every report writes the script anew: "
                       "copy it before you edit it)\n\n",
                       figure->name, curves ? report->shared_data : figure->name);
}

static void append_figures(struct text *out, const struct report *report, size_t first, size_t end)
{
    for (size_t f = first; f < end; f++) {
        const struct figure *figure = &report->figures.list[f];
        if (figure->heading != NULL) {
            text_append_format(out, "## %s\n\n", figure->heading);
        }
        append_picture(out, report, figure);
        text_append_format(out, "%s\n\n", figure->caption);
        append_links(out, report, figure);
    }
}

/* The part on number formats with its figure. */
static bool append_arithmetic(const struct sections *sections, const struct report *report,
                              struct error *err)
{
    if (!arithmetic_append(sections, err)) {
        return false;
    }
    append_figures(sections->out, report, report->figures.arithmetic, report->figures.nights);
    return true;
}

static void append_nights(const struct sections *sections, const struct report *report)
{
    if (report->past != NULL) {
        nights_append_lead(sections, &report->nights);
        append_figures(sections->out, report, report->figures.nights, report->figures.count);
        nights_append_steps(sections, &report->nights);
    }
}

static bool append_text(struct text *out, const struct report *report, struct error *err)
{
    const struct sections sections = {out, report->set, &report->view, report->arena};
    text_append(out, "# ");
    markdown_text(out, labels_title(report->set));
    text_append(out, "\n\n");
    if (!verdict_append(&sections, err) || !verdict_append_lines(&sections, err) ||
        !verdict_append_notes(&sections, err)) {
        return false;
    }
    if (report->figures.nights == 0) {
        text_append(out, "> No figure is drawn, since no run has a result.\n\n");
    }
    if (report->panel.page != NULL) {
        panel_append_link(out, &report->panel);
    }
    const bool leads = arithmetic_leads(&report->summary);
    if (leads && !append_arithmetic(&sections, report, err)) {
        return false;
    }
    append_figures(out, report, 0, report->figures.curves);
    if (!onsets_append(&sections, err) || !tables_append(&sections, err)) {
        return false;
    }
    append_figures(out, report, report->figures.curves, report->figures.arithmetic);
    if (!worked_append(&sections, err) || !properties_append(&sections, err) ||
        (!leads && !append_arithmetic(&sections, report, err))) {
        return false;
    }
    append_nights(&sections, report);
    if (!guide_append_reading(&sections, err) || !record_append(&sections, err)) {
        return false;
    }
    guide_append_limits(&sections);
    if (report->panel.page == NULL) {
        panel_append_link(out, &report->panel);
    }
    return true;
}

static bool write_text(const struct report *report, struct error *err)
{
    struct text out = TEXT_INIT(report->arena);
    if (!append_text(&out, report, err)) {
        return false;
    }
    const char *text = text_finish(&out, err);
    return text != NULL && write_file(report, "report", "md", text, err) &&
           (report->panel.page == NULL ||
            write_file(report, "panel", "html", report->panel.page, err));
}

static bool check_pictures(const struct report *report, struct error *err)
{
    size_t missing = 0;
    const char *reason = NULL;
    for (size_t p = 0; p < report->rendered.count; p++) {
        missing += report->rendered.pictures[p].reason != NULL;
        reason = reason == NULL ? report->rendered.pictures[p].reason : reason;
    }
    if (missing == 0) {
        return true;
    }
    return error_set(err, ERROR_FIGURES,
                     "%zu of %zu pictures could not be rendered: %s; text, scripts and data in "
                     "'%s' are complete; 'rowmax doctor' looks for the cause",
                     missing, report->rendered.count, reason, report->options->folder);
}

/* The nights of the history that was given, and their figure. */
static bool make_nights(struct report *report, struct error *err)
{
    const struct report_past *past = report->past;
    struct figures *figures = &report->figures;
    if (past == NULL) {
        return true;
    }
    if (!nights_make(report->set->name, &report->summary, &past->history, &past->tolerances,
                     report->arena, &report->nights, err)) {
        return false;
    }
    return report->nights.measure_count == 0 ||
           nights_draw(report->set, &report->nights, report->arena,
                       &figures->list[figures->count++], err);
}

bool report_write(const struct result_set *set, const struct report_past *past,
                  const struct report_options *options, struct arena *arena, struct error *err)
{
    struct report report = {
        .set = set, .past = past, .options = options, .arena = arena, .shared_data = "saturation"};
    if (!summary_make(set, arena, &report.summary, err) ||
        !view_make(&report.summary, arena, &report.view, err) ||
        !onsets_make(set, &report.view, arena, &report.view.onsets, err) ||
        !figures_make(set, &report.view, arena, &report.figures, err) ||
        !make_nights(&report, err) || !panel_make(set, &report.view, arena, &report.panel, err) ||
        !files_make_folders(options->folder, err)) {
        return false;
    }
    remove_old(&report);
    return write_scripts(&report, err) &&
           rendering_make(set, &report.figures, options, arena, &report.rendered, err) &&
           write_text(&report, err) && check_pictures(&report, err);
}

static bool append_text_of_two(struct text *out, const struct report *report,
                               const struct changes *changes, struct error *err)
{
    const struct sections sections = {out, report->set, &changes->view, report->arena};
    text_append(out, "# What moved: ");
    markdown_text(out, labels_title(report->set));
    text_append(out, "\n\n");
    if (!changes_append_verdict(&sections, changes, err)) {
        return false;
    }
    append_figures(out, report, 0, report->figures.count);
    return changes_append_tables(&sections, changes, err) &&
           changes_append_record(&sections, changes, err);
}

bool report_write_two(const struct report_side sides[2], const struct tolerance_set *tolerances,
                      const struct report_options *options, struct arena *arena, struct error *err)
{
    struct report report = {
        .set = sides[1].set, .options = options, .arena = arena, .shared_data = "changes"};
    struct changes changes;
    struct text out = TEXT_INIT(arena);
    if (!changes_make(sides, tolerances, arena, &changes, err) ||
        !changes_draw(&changes, arena, &report.figures, err) ||
        !files_make_folders(options->folder, err)) {
        return false;
    }
    remove_old(&report);
    if (!write_scripts(&report, err) ||
        !rendering_make(report.set, &report.figures, options, arena, &report.rendered, err) ||
        !append_text_of_two(&out, &report, &changes, err)) {
        return false;
    }
    const char *text = text_finish(&out, err);
    return text != NULL && write_file(&report, "report", "md", text, err) &&
           check_pictures(&report, err);
}
