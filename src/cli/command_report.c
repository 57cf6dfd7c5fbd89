/* SPDX-License-Identifier: MIT */
/* rowmax report: figures and text from a results file alone. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "report/report.h"
#include "store/store.h"
#include "summary/pairs.h"
#include "sweep/tolerance_file.h"

#include <stdio.h>
#include <string.h>

/* Read before anything is written. */
static bool read_past(const struct options *options, struct arena *arena, struct report_past *out,
                      struct error *err)
{
    if (options->history == NULL) {
        return options->tolerance == NULL ||
               error_set(err, ERROR_USAGE,
                         "--tolerance '%s' is for the steps of a history; add --history FILE",
                         options->tolerance);
    }
    return load_history(options->history, arena, &out->history, NULL, err) &&
           (options->tolerance == NULL ||
            tolerance_read(options->tolerance, arena, &out->tolerances, err));
}

bool write_report(const struct result_set *set, const struct options *options, const char *folder,
                  struct arena *arena, struct error *err)
{
    struct report_options report = {.folder = folder,
                                    .formats = options->formats,
                                    .gnuplot = "gnuplot",
                                    .seconds_a_figure = 60};
    struct report_past past = {.tolerances = {NULL, 0}};
    if (!read_past(options, arena, &past, err)) {
        return false;
    }
    bool good = report_write(set, options->history == NULL ? NULL : &past, &report, arena, err);
    if (good || err->code == ERROR_FIGURES) {
        printf("%s/report.md\n", folder);
    }
    return good;
}

const char *report_folder(const char *results, struct arena *arena, struct error *err)
{
    const char *stem = files_stem(arena, results, err);
    return stem == NULL ? NULL : arena_format(arena, err, "reports/%s", stem);
}

/* The last part of a path without the folders, and the last folder, where that has a name. */
struct named {
    const char *file, *folder;
};

static bool name_path(const char *path, struct arena *arena, struct named *out, struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *folder = files_folder(arena, path, err);
    if (folder == NULL) {
        return false;
    }
    const char *last = strrchr(folder, '/');
    last = last == NULL ? folder : last + 1;
    bool plain = *last != '\0' && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
    *out = (struct named){slash == NULL ? path : slash + 1, plain ? last : ""};
    return true;
}

/* The version and the commit that made a set. */
static const char *made_by(const struct result_set *set, struct arena *arena, struct error *err)
{
    const char *version = result_fact(set, "rowmax_version");
    const char *commit = result_fact(set, "commit");
    return arena_format(arena, err, "rowmax %s, commit %.24s",
                        version == NULL ? "unknown" : version, commit == NULL ? "unknown" : commit);
}

/* What sets of one file name are told apart by. */
enum telling { BY_FILE, BY_MAKER, BY_FOLDER, BY_ORDER };

static const char *label_side(enum telling telling, const struct named *name, const char *maker,
                              const char *order, struct arena *arena, struct error *err)
{
    switch (telling) {
    case BY_FILE:
        return name->file;
    case BY_MAKER:
        return arena_format(arena, err, "%s (%s)", name->file, maker);
    case BY_FOLDER:
        return arena_format(arena, err, "%s%s%s", name->folder, *name->folder == '\0' ? "" : "/",
                            name->file);
    case BY_ORDER:
        break;
    }
    return arena_format(arena, err, "%s (%s)", name->file, order);
}

/* File names; where they are equal with what made the sets, with their folders, or by their order.
 */
static bool label_sides(const struct options *options, struct report_side sides[2],
                        struct arena *arena, struct error *err)
{
    static const char *const orders[] = {"the first", "the second"};
    struct named names[2];
    const char *makers[2];
    for (size_t i = 0; i < 2; i++) {
        makers[i] = made_by(sides[i].set, arena, err);
        if (makers[i] == NULL || !name_path(options->operands[i], arena, &names[i], err)) {
            return false;
        }
    }
    enum telling telling = strcmp(names[0].file, names[1].file) != 0       ? BY_FILE
                           : strcmp(makers[0], makers[1]) != 0             ? BY_MAKER
                           : strcmp(names[0].folder, names[1].folder) != 0 ? BY_FOLDER
                                                                           : BY_ORDER;
    for (size_t i = 0; i < 2; i++) {
        sides[i].label = label_side(telling, &names[i], makers[i], orders[i], arena, err);
        if (sides[i].label == NULL) {
            return false;
        }
    }
    return true;
}

/* reports/A-vs-B; where the stems are equal, their folders are put in front. */
static const char *folder_of_two(const struct options *options, struct arena *arena,
                                 struct error *err)
{
    struct named names[2];
    const char *stems[2];
    for (size_t i = 0; i < 2; i++) {
        stems[i] = files_stem(arena, options->operands[i], err);
        if (stems[i] == NULL || !name_path(options->operands[i], arena, &names[i], err)) {
            return NULL;
        }
    }
    bool same = strcmp(stems[0], stems[1]) == 0;
    for (size_t i = 0; i < 2 && same; i++) {
        const char *folder = names[i].folder;
        stems[i] = *folder == '\0' ? stems[i] : arena_format(arena, err, "%s-%s", folder, stems[i]);
        if (stems[i] == NULL) {
            return NULL;
        }
    }
    return arena_format(arena, err, "reports/%s-vs-%s", stems[0], stems[1]);
}

static bool report_two(const struct options *options, struct arena *arena, struct error *err)
{
    struct result_set sets[2];
    struct report_side sides[2] = {{&sets[0], NULL}, {&sets[1], NULL}};
    struct tolerance_set tolerances = {NULL, 0};
    struct report_options report = {.folder = options->output,
                                    .formats = options->formats,
                                    .gnuplot = "gnuplot",
                                    .seconds_a_figure = 60};
    if (options->history != NULL) {
        return error_set(err, ERROR_USAGE,
                         "--history shows the nights of one results file; leave out '%s'",
                         options->operands[1]);
    }
    if (report.folder == NULL) {
        report.folder = folder_of_two(options, arena, err);
    }
    if (report.folder == NULL ||
        (options->tolerance != NULL &&
         !tolerance_read(options->tolerance, arena, &tolerances, err)) ||
        !load_results(options->operands[0], arena, &sets[0], err) ||
        !load_results(options->operands[1], arena, &sets[1], err) ||
        !label_sides(options, sides, arena, err)) {
        return false;
    }
    bool good = report_write_two(sides, &tolerances, &report, arena, err);
    if (good || err->code == ERROR_FIGURES) {
        printf("%s/report.md\n", report.folder);
    }
    return good;
}

bool command_report(const struct options *options, struct arena *arena, struct error *err)
{
    if (options->operand_count == 2) {
        return report_two(options, arena, err);
    }
    struct result_set set;
    const char *folder = options->output;
    if (folder == NULL) {
        folder = report_folder(options->operands[0], arena, err);
    }
    return folder != NULL && load_results(options->operands[0], arena, &set, err) &&
           write_report(&set, options, folder, arena, err);
}
