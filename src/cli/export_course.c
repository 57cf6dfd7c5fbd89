/* SPDX-License-Identifier: MIT */
/* rowmax export --format module: course data, and what moved in it. */
#include "base/files.h"
#include "cli/export_internal.h"
#include "report/course_files.h"
#include "sweep/tolerance_file.h"

#include <stdio.h>
#include <string.h>

struct exporting {
    const struct options *options;
    struct course course;
    struct arena *arena;
    struct error *err;
};

static bool check(const struct options *options, struct error *err)
{
    if (options->export.fields != NULL) {
        return error_set(err, ERROR_USAGE, "--fields is for tables; course data has every measure");
    }
    if (options->output == NULL && options->export.diff == NULL) {
        return error_set(err, ERROR_USAGE,
                         "--format module writes a folder: name it with -o, or one to compare with "
                         "by --diff");
    }
    return options->output == NULL || strcmp(options->output, "-") != 0 ||
           error_set(err, ERROR_USAGE, "--output -: course data is a folder of files; name it");
}

/* Prints what moved since the export of --diff; *moved is whether anything did. */
static bool print_changes(struct exporting *exporting, bool *moved)
{
    const struct options *options = exporting->options;
    struct course old;
    struct tolerance_set tolerances = {NULL, 0};
    struct course_moves moves;
    struct text text = TEXT_INIT(exporting->arena);
    bool tolerant = options->tolerance != NULL;
    bool good = (!tolerant || tolerance_read(options->tolerance, exporting->arena, &tolerances,
                                             exporting->err)) &&
                load_course(options->export.diff, true, exporting->arena, &old, exporting->err) &&
                course_compare(&old, &exporting->course, tolerant ? &tolerances : NULL,
                               exporting->arena, &moves, exporting->err);
    if (!good) {
        return false;
    }
    export_append_changes(&text, &moves, options->quiet);
    *moved = moves.count > 0;
    const char *lines = text_finish(&text, exporting->err);
    if (lines != NULL) {
        fwrite(lines, 1, text.length, stdout);
    }
    return lines != NULL;
}

static void tell_gaps(const struct exporting *exporting)
{
    const struct course *course = &exporting->course;
    struct error ignored = ERROR_INIT;
    size_t failed = 0;
    for (size_t p = 0; p < course->pair_count; p++) {
        for (int c = 0; c < COURSE_COMBINATIONS; c++) {
            failed += course->pairs[p].combinations[c].status != RESULT_OK;
        }
    }
    if (failed > 0) {
        cli_say("%s of %s combinations failed; their measures are null", cli_count(failed),
                cli_count(course->pair_count * COURSE_COMBINATIONS));
    }
    if (course->weights_kept < course->pair_count * COURSE_COMBINATIONS) {
        const char *note = course_note(course, exporting->arena, &ignored);
        cli_say("%s", note == NULL ? "" : note);
    }
}

static bool write_folder(struct exporting *exporting)
{
    const char *folder = exporting->options->output;
    struct course old;
    const char *index = files_join(exporting->arena, folder, COURSE_INDEX, exporting->err);
    if (index == NULL) {
        return false;
    }
    bool replaces = files_exists(index);
    if (replaces && !load_course(folder, false, exporting->arena, &old, exporting->err)) {
        return false;
    }
    size_t removed = 0;
    bool good = course_write(&exporting->course, replaces ? &old : NULL, folder, &removed,
                             exporting->arena, exporting->err);
    /* Said even with --quiet: data is gone that these results do not hold. */
    if (removed > 0) {
        cli_say("%s pair%s of an earlier export removed from '%s'", cli_count(removed),
                removed == 1 ? "" : "s", folder);
    }
    if (good && !exporting->options->quiet) {
        tell_gaps(exporting);
    }
    if (good && exporting->options->export.diff == NULL) {
        printf("%s\n", index);
    }
    return good;
}

bool export_module(const struct options *options, const struct result_set *set,
                   const struct selection *selection, struct arena *arena, struct error *err)
{
    struct exporting exporting = {.options = options, .arena = arena, .err = err};
    bool moved = false;
    if (!check(options, err) || !course_make(set, selection, arena, &exporting.course, err)) {
        return false;
    }
    if ((options->export.diff != NULL && !print_changes(&exporting, &moved)) ||
        (options->output != NULL && !write_folder(&exporting))) {
        return false;
    }
    return !moved || !options->export.strict ||
           error_set(err, ERROR_REGRESSION, "the data is not that of '%s' (--strict)",
                     options->export.diff);
}
