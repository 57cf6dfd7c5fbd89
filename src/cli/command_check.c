/* SPDX-License-Identifier: MIT */
/* rowmax check: results against a baseline, for people, for machines and for the nights to come. */
#include "base/files.h"
#include "base/permissions.h"
#include "cli/check_internal.h"
#include "cli/folder.h"
#include "store/store.h"
#include "sweep/tolerance_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What is written must be none of what is read, and no two into one file. */
static bool check_paths(const struct options *options, struct error *err)
{
    const char *const outputs[] = {options->json, options->junit, options->history};
    static const char *const names[] = {"json", "junit", "history"};
    const char *const inputs[] = {options->operands[0], options->against, options->tolerance};
    if (options->against == NULL) {
        return command_refuse("check", "--against", err);
    }
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < i; j++) {
            if (cli_same_file(outputs[i], outputs[j])) {
                return error_set(err, ERROR_USAGE, "--%s and --%s are both '%s'; name two files",
                                 names[j], names[i], outputs[i]);
            }
        }
        for (size_t j = 0; j < 3; j++) {
            bool dash = outputs[i] != NULL && strcmp(outputs[i], "-") == 0;
            if (!dash && cli_same_file(outputs[i], inputs[j])) {
                return error_set(err, ERROR_USAGE, "--%s '%s' is read here; name another file",
                                 names[i], outputs[i]);
            }
        }
        if (outputs[i] != NULL && !cli_spares_results(names[i], outputs[i], err)) {
            return false;
        }
    }
    return true;
}

/* Everything that a check holds while it is made. */
struct checking {
    const struct options *options;
    struct arena *arena;
    struct error *err;
    struct result_set now, baseline;
    struct tolerance_set tolerances;
    struct history history;
    bool unfinished_line; /* the history's last line lacks its line feed */
    struct history_night tonight;
    const char **warnings;
    size_t warning_count, warning_capacity;
    struct check check;
};

static bool warn(struct checking *checking, const char *warning)
{
    const char **list =
        warning == NULL ? NULL
                        : arena_grow(checking->arena, checking->warnings, checking->warning_count,
                                     &checking->warning_capacity, sizeof *list, checking->err);
    if (list == NULL) {
        return false;
    }
    checking->warnings = list;
    list[checking->warning_count++] = warning;
    return true;
}

static bool warn_incomplete(struct checking *checking, const char *path,
                            const struct result_set *set)
{
    int64_t planned = 0;
    for (size_t i = 0; i < set->count; i++) {
        planned += result_index(set, i) >= 0;
    }
    return planned >= set->planned ||
           warn(checking, arena_format(checking->arena, checking->err,
                                       "'%s' holds %" PRId64 " of %" PRId64 " planned runs", path,
                                       planned, set->planned));
}

static bool warn_of_runs(struct checking *checking, enum gate_state state, const char *what)
{
    uint64_t runs = checking->check.gate.states[state];
    return runs == 0 ||
           warn(checking, arena_format(checking->arena, checking->err, "%" PRIu64 " run%s %s", runs,
                                       runs == 1 ? "" : "s", what));
}

/* Where no run is in both, which fields hold other values: lists of new and missing runs tell that
 * to nobody. */
static bool warn_of_fields(struct checking *checking)
{
    static const char *const places[] = {"in the baseline", "now"};
    struct check *check = &checking->check;
    const struct report_side sides[] = {{.set = &checking->baseline}, {.set = &checking->now}};
    struct text text = TEXT_INIT(checking->arena);
    uint64_t unpaired[] = {check->gate.states[GATE_NEW], check->gate.states[GATE_MISSING]};
    /* Of a file without a run nothing is known. */
    if (unpaired[0] == 0 || unpaired[1] == 0 || unpaired[0] + unpaired[1] < check->gate.run_count) {
        return true;
    }
    if (!contrasts_find(sides, checking->arena, &check->fields, checking->err)) {
        return false;
    }
    text_append(&text, "no run is in both");
    contrasts_append(&text, &check->fields, places);
    return check->fields.count == 0 || warn(checking, text_finish(&text, checking->err));
}

static bool warn_of_contents(struct checking *checking)
{
    struct check_content files[CHECK_CONTENTS_LIMIT];
    size_t count = check_contents(&checking->check.gate, files);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = warn(checking,
                    arena_format(checking->arena, checking->err,
                                 "%s '%s' has another content than in the baseline, so its runs "
                                 "are new",
                                 run_fields[files[i].field].name, files[i].path));
    }
    return good;
}

/* What one of the two files does not hold; what neither holds nobody asked for. */
static bool warn_of_measures(struct checking *checking)
{
    uint64_t lacking = checking->now.lacking ^ checking->baseline.lacking;
    if (lacking == 0) {
        return true;
    }
    struct text text = TEXT_INIT(checking->arena);
    bool several = (lacking & (lacking - 1)) != 0;
    for (const char *before = ""; lacking != 0; lacking &= lacking - 1, before = ", ") {
        text_append_format(&text, "%s'%s'", before,
                           measurement_fields[__builtin_ctzll(lacking)].name);
    }
    text_append(&text, several ? " are not in both files and were not compared"
                               : " is not in both files and was not compared");
    return warn(checking, text_finish(&text, checking->err));
}

static bool warn_of_all(struct checking *checking)
{
    const struct gate *gate = &checking->check.gate;
    struct arena *arena = checking->arena;
    bool good = warn_of_fields(checking) &&
                warn_of_runs(checking, GATE_NEW, "without a baseline") &&
                warn_of_runs(checking, GATE_MISSING, "of the baseline missing") &&
                warn_of_contents(checking) &&
                warn_of_runs(checking, GATE_UNMEASURED, "failed in both, not compared") &&
                warn_incomplete(checking, checking->check.results, &checking->now) &&
                warn_incomplete(checking, checking->check.baseline, &checking->baseline);
    for (size_t i = 0; good && i < gate->fact_count; i++) {
        const struct gate_fact *fact = &gate->facts[i];
        good = warn(checking,
                    arena_format(arena, checking->err, "%s differs: '%s' in the baseline, '%s' now",
                                 fact->name, fact->baseline, fact->now));
    }
    good = good && warn_of_measures(checking);
    checking->check.warnings = checking->warnings;
    checking->check.warning_count = checking->warning_count;
    return good;
}

/* A pipe or a device, which no file may take the place of. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* A history that is not there yet is an empty one; what cannot be read back is none. */
static bool read_history(struct checking *checking)
{
    const char *path = checking->options->history;
    if (path != NULL && is_special(path) && !folder_is_one(path)) {
        return error_set(checking->err, ERROR_FILE,
                         "the history '%s' is not a regular file; name one that is", path);
    }
    return path == NULL || !files_exists(path) ||
           load_history(path, checking->arena, &checking->history, &checking->unfinished_line,
                        checking->err);
}

static bool read_inputs(struct checking *checking)
{
    const struct options *options = checking->options;
    struct arena *arena = checking->arena;
    struct error *err = checking->err;
    return (options->tolerance == NULL ||
            tolerance_read(options->tolerance, arena, &checking->tolerances, err)) &&
           read_history(checking) &&
           load_results(options->operands[0], arena, &checking->now, err) &&
           (load_results(options->against, arena, &checking->baseline, err) ||
            error_add_context(err, "the baseline"));
}

static const char *today(struct arena *arena, struct error *err)
{
    time_t now = time(NULL);
    struct tm parts;
    char date[32];
    if (gmtime_r(&now, &parts) == NULL || strftime(date, sizeof date, "%Y-%m-%d", &parts) == 0) {
        error_set(err, ERROR_INTERNAL, "the date is unknown; name it by --date");
        return NULL;
    }
    return arena_copy_text(arena, date, err);
}

static const char *version_of(const struct result_set *set)
{
    const char *version = result_fact(set, "rowmax_version");
    return version == NULL ? "unknown" : version;
}

static bool on_other_host(const struct gate *gate)
{
    for (size_t i = 0; i < gate->fact_count; i++) {
        if (gate->facts[i].of_host) {
            return true;
        }
    }
    return false;
}

static bool look_back(struct checking *checking)
{
    struct check *check = &checking->check;
    struct summary summary;
    if (checking->options->history == NULL) {
        return true;
    }
    const char *date = checking->options->date;
    date = date == NULL ? today(checking->arena, checking->err) : date;
    checking->tonight = (struct history_night){.date = date,
                                               .name = checking->now.name,
                                               .version = version_of(&checking->now),
                                               .verdict = check_verdict_name(check->gate.verdict),
                                               .compared = check->gate.runs_compared,
                                               .regressions = check->gate.regressions.count,
                                               .improvements = check->gate.improvements.count,
                                               .other_host = on_other_host(&check->gate)};
    check->has_history = true;
    return date != NULL && summary_make(&checking->now, checking->arena, &summary, checking->err) &&
           history_groups(&summary, checking->arena, &checking->tonight, checking->err) &&
           history_find_steps(&checking->history, &checking->tonight, &checking->tolerances,
                              checking->arena, &check->steps, checking->err);
}

static bool append_history(struct checking *checking)
{
    if (checking->options->history == NULL) {
        return true;
    }
    const char *line = history_line(&checking->tonight, checking->arena, checking->err);
    const char *whole = line == NULL ? NULL
                                     : arena_format(checking->arena, checking->err, "%s%s",
                                                    checking->unfinished_line ? "\n" : "", line);
    return whole != NULL &&
           files_append(checking->options->history, whole, strlen(whole), checking->err);
}

static bool write_special(const char *path, const char *bytes, size_t size, struct error *err)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot open '%s'", path);
    }
    bool good = files_write_all(descriptor, bytes, size, path, err);
    close(descriptor);
    return good;
}

/* A verdict of yesterday must not be read as today's, however this check ends. */
static bool remove_old(const char *path, struct error *err)
{
    if (path == NULL || strcmp(path, "-") == 0 || !files_exists(path) || is_special(path)) {
        return true;
    }
    struct arena arena = {NULL};
    const char *followed = files_follow(path, &arena, err);
    bool good = followed != NULL && permissions_allow(path, path, err) &&
                (unlink(followed) == 0 ||
                 error_set_system(err, ERROR_FILE, errno, "cannot replace '%s'", path));
    arena_release(&arena);
    return good;
}

static bool write_document(const char *path, struct text *text, struct error *err)
{
    const char *bytes = text_finish(text, err);
    if (bytes == NULL) {
        return false;
    }
    if (strcmp(path, "-") == 0) {
        fwrite(bytes, 1, text->length, stdout);
        return true;
    }
    if (is_special(path)) {
        return write_special(path, bytes, text->length, err);
    }
    const char *followed = files_follow(path, text->arena, err);
    return followed != NULL && files_replace(followed, bytes, text->length, err);
}

static bool write_documents(const struct checking *checking)
{
    const struct options *options = checking->options;
    bool good = true;
    if (options->json != NULL) {
        struct text text = TEXT_INIT(checking->arena);
        check_append_json(&text, &checking->check);
        good = write_document(options->json, &text, checking->err);
    }
    if (good && options->junit != NULL) {
        struct text text = TEXT_INIT(checking->arena);
        check_append_junit(&text, &checking->check);
        good = write_document(options->junit, &text, checking->err);
    }
    return good;
}

/* A document on standard output stands there alone. */
static bool print_lines(const struct checking *checking)
{
    const struct options *options = checking->options;
    bool taken = (options->json != NULL && strcmp(options->json, "-") == 0) ||
                 (options->junit != NULL && strcmp(options->junit, "-") == 0);
    struct text text = TEXT_INIT(checking->arena);
    for (size_t i = 0; i < checking->warning_count; i++) {
        cli_say("rowmax check: warning: %s", checking->warnings[i]);
    }
    check_append_lines(&text, &checking->check);
    if (options->github) {
        check_append_github(&text, &checking->check);
    }
    const char *lines = text_finish(&text, checking->err);
    if (lines == NULL) {
        return false;
    }
    fwrite(lines, 1, text.length, taken ? stderr : stdout);
    /* Now, as what is written next must not be there where this is not. */
    return fflush(stdout) == 0 || errno == EPIPE ||
           error_set_system(checking->err, ERROR_FILE, errno, "cannot write standard output");
}

static bool tell_failure(const struct gate *gate, struct error *err)
{
    static const struct {
        unsigned bit;
        const char *words;
    } reasons[] = {{GATE_FOR_REGRESSION, "measures left their tolerance"},
                   {GATE_FOR_IMPROVEMENT, "measures improved (--fail-on-improvement)"},
                   {GATE_FOR_BASELINE, "runs are new or missing (--strict-baseline)"},
                   {GATE_FOR_HOST, "the baseline is from another host (--strict-host)"}};
    char line[256] = "";
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if ((gate->reasons & reasons[i].bit) != 0) {
            size_t used = strlen(line);
            snprintf(line + used, sizeof line - used, "%s%s", used == 0 ? "" : "; ",
                     reasons[i].words);
        }
    }
    return error_set(err, ERROR_REGRESSION, "%s", line);
}

static bool tell_verdict(const struct checking *checking)
{
    const struct gate *gate = &checking->check.gate;
    if (gate->verdict == GATE_FAIL) {
        return tell_failure(gate, checking->err);
    }
    if (gate->verdict == GATE_NOTHING_COMPARED && gate->runs_compared == 0) {
        return error_set(checking->err, ERROR_NOT_COMPARED,
                         "nothing was compared: '%s' and '%s' share no run that succeeded; compare "
                         "results of one sweep",
                         checking->check.results, checking->check.baseline);
    }
    return gate->verdict == GATE_PASS ||
           error_set(checking->err, ERROR_NOT_COMPARED,
                     "only %" PRIu64 " run%s compared, fewer than --min-compared %" PRIu64,
                     gate->runs_compared, gate->runs_compared == 1 ? " was" : "s were",
                     checking->options->min_compared);
}

static bool compare(struct checking *checking)
{
    const struct options *options = checking->options;
    const struct gate_options gate = {.tolerances = checking->tolerances,
                                      .min_compared = options->min_compared,
                                      .strict_host = options->strict_host,
                                      .strict_baseline = options->strict_baseline,
                                      .fail_on_improvement = options->fail_on_improvement};
    checking->check.name = checking->now.name;
    return gate_compare(&checking->now, &checking->baseline, &gate, checking->arena,
                        &checking->check.gate, checking->err) &&
           warn_of_all(checking) && look_back(checking);
}

/* Whoever reads documents and not the exit status is told as well. */
static void write_error_documents(const struct checking *checking)
{
    const struct options *options = checking->options;
    struct error later = ERROR_INIT;
    if (options->github) {
        struct text text = TEXT_INIT(checking->arena);
        check_append_github_error(&text, checking->err);
        const char *line = text_finish(&text, &later);
        fputs(line == NULL ? "" : line, stderr);
    }
    if (options->json != NULL) {
        struct text text = TEXT_INIT(checking->arena);
        check_append_json_error(&text, &checking->check, checking->err);
        (void)!write_document(options->json, &text, &later);
    }
    if (options->junit != NULL) {
        struct text text = TEXT_INIT(checking->arena);
        check_append_junit_error(&text, checking->err);
        (void)!write_document(options->junit, &text, &later);
    }
}

bool command_check(const struct options *options, struct arena *arena, struct error *err)
{
    if (!check_paths(options, err) || !remove_old(options->json, err) ||
        !remove_old(options->junit, err)) {
        return false;
    }
    struct checking checking = {.options = options,
                                .arena = arena,
                                .err = err,
                                .check = {.results = options->operands[0],
                                          .baseline = options->against,
                                          .tolerance = options->tolerance,
                                          .strict_baseline = options->strict_baseline,
                                          .fail_on_improvement = options->fail_on_improvement}};
    if (!read_inputs(&checking) || !compare(&checking)) {
        write_error_documents(&checking);
        return false;
    }
    return print_lines(&checking) && write_documents(&checking) && append_history(&checking) &&
           tell_verdict(&checking);
}
