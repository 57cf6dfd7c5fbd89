/* SPDX-License-Identifier: MIT */
/* rowmax report: figures and text from a results file alone. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "report/report.h"
#include "store/store.h"
#include "sweep/tolerance_file.h"

#include <stdio.h>
#include <stdlib.h>

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
    bool good =
        report_write_past(set, options->history == NULL ? NULL : &past, &report, arena, err);
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

bool command_report(const struct options *options, struct arena *arena, struct error *err)
{
    struct result_set set;
    const char *folder = options->output;
    if (folder == NULL) {
        folder = report_folder(options->operands[0], arena, err);
    }
    return folder != NULL && load_results(options->operands[0], arena, &set, err) &&
           write_report(&set, options, folder, arena, err);
}
