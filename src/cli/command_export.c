/* SPDX-License-Identifier: MIT */
/* rowmax export: results for other programs. */
#include "base/files.h"
#include "base/replacement.h"
#include "cli/export_internal.h"
#include "report/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A reader that has seen enough, as head(1), is no failure. */
struct printing {
    bool closed;
};

static bool print_bytes(void *context, const char *bytes, size_t size, struct error *err)
{
    struct printing *printing = context;
    errno = 0;
    if (fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0) {
        return true;
    }
    printing->closed = errno == EPIPE;
    return !printing->closed &&
           error_set_system(err, ERROR_FILE, errno, "cannot write standard output");
}

static bool replace_bytes(void *context, const char *bytes, size_t size, struct error *err)
{
    return replacement_write(context, bytes, size, err);
}

struct device {
    int descriptor;
    const char *path;
};

static bool device_bytes(void *context, const char *bytes, size_t size, struct error *err)
{
    const struct device *device = context;
    return files_write_all(device->descriptor, bytes, size, device->path, err);
}

static bool write_table(const struct export_table *table, enum export_format format,
                        const struct export_sink *sink, struct error *err)
{
    switch (format) {
    case EXPORT_JSON:
        return export_json(table, sink, err);
    case EXPORT_JSONL:
        return export_jsonl(table, sink, err);
    default:
        return export_csv(table, sink, err);
    }
}

static bool print_table(const struct export_table *table, enum export_format format,
                        struct error *err)
{
    struct printing printing = {false};
    const struct export_sink sink = {print_bytes, &printing};
    bool good = write_table(table, format, &sink, err);
    if (printing.closed) {
        clearerr(stdout);
    }
    return good || printing.closed;
}

/* A device or a pipe is written to, not replaced. */
static bool write_device(const struct export_table *table, enum export_format format,
                         const char *path, struct error *err)
{
    struct device device = {open(path, O_WRONLY | O_CLOEXEC), path};
    const struct export_sink sink = {device_bytes, &device};
    if (device.descriptor < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot open '%s'", path);
    }
    bool good = write_table(table, format, &sink, err);
    return (close(device.descriptor) == 0 || !good ||
            error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path)) &&
           good;
}

static bool write_file(const struct export_table *table, enum export_format format,
                       const char *path, struct arena *arena, struct error *err)
{
    struct stat status;
    struct replacement replacement;
    const struct export_sink sink = {replace_bytes, &replacement};
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return error_set(err, ERROR_FILE, "'%s' is a folder; name a file", path);
    }
    if (exists && !S_ISREG(status.st_mode)) {
        return write_device(table, format, path, err);
    }
    if (exists && !cli_spares_results("output", path, err)) {
        return false;
    }
    const char *followed = files_follow(path, arena, err);
    if (followed == NULL) {
        return false;
    }
    bool good =
        replacement_open(&replacement, followed, err) && write_table(table, format, &sink, err);
    return replacement_close(&replacement, good, err);
}

static bool export_rows(const struct options *options, const struct result_set *set,
                        const struct selection *selection, struct arena *arena, struct error *err)
{
    struct export_table table;
    enum export_format format = options->export.format;
    if (options->export.diff != NULL) {
        return error_set(err, ERROR_USAGE,
                         "--diff is for --format module; 'rowmax check' compares "
                         "results");
    }
    if (!export_choose_columns(set, selection, options->export.fields, arena, &table, err)) {
        return false;
    }
    bool prints = options->output == NULL || strcmp(options->output, "-") == 0;
    return prints ? print_table(&table, format, err)
                  : write_file(&table, format, options->output, arena, err);
}

static bool check(const struct options *options, struct error *err)
{
    if (options->export.format == EXPORT_NONE) {
        return command_refuse("export", "--format csv, json, jsonl or module", err);
    }
    return options->export.diff != NULL ||
           (options->tolerance == NULL && !options->export.strict) ||
           error_set(err, ERROR_USAGE, "--%s is for --diff",
                     options->export.strict ? "strict" : "tolerance");
}

bool command_export(const struct options *options, struct arena *arena, struct error *err)
{
    struct result_set set;
    struct selection selection;
    if (!check(options, err) || !load_results(options->operands[0], arena, &set, err) ||
        !selection_make(&set, options->export.where, options->export.where_count, arena, &selection,
                        err)) {
        return false;
    }
    if (selection.outside > 0 && !options->quiet) {
        cli_say("%s row%s that the sweep no longer holds %s left out", cli_count(selection.outside),
                selection.outside == 1 ? "" : "s", selection.outside == 1 ? "is" : "are");
    }
    return options->export.format == EXPORT_MODULE
               ? export_module(options, &set, &selection, arena, err)
               : export_rows(options, &set, &selection, arena, err);
}
