/* SPDX-License-Identifier: MIT */
/* rowmax submit: a planned folder becomes a job array and a merge that waits for it. */
#include "base/files.h"
#include "cli/slurm.h"
#include "store/store.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SUBMIT_SECONDS 60
/* Between two looks of --wait, and looks without an answer until it gives up. */
#define WAIT_SECONDS 2
#define SILENT_LOOKS 60
/* A shard is warned a minute before the limit, give or take half a minute. */
#define SHORT_MINUTES 10

struct submission {
    const struct options *options;
    const struct folder *folder;
    const char *path; /* absolute */
    const char *word; /* the folder as it was named, as a word of a command */
    const struct slurm_job *jobs;
    size_t job_count;
    bool *chosen; /* shards to submit */
    size_t chosen_count, active;
    const char *shards; /* of these, as a list */
    struct arena *arena;
};

static bool refuse_local(const char *path, struct error *err)
{
    static const char *const roots[] = {"/tmp", "/dev/shm", "/var/tmp"};
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        size_t length = strlen(roots[i]);
        if (strncmp(path, roots[i], length) == 0 && (path[length] == '/' || path[length] == '\0')) {
            return error_set(err, ERROR_INPUT,
                             "'%s' is in %s, which every node has for itself; plan in a folder "
                             "that all nodes share (--allow-local if this one is)",
                             path, roots[i]);
        }
    }
    return true;
}

/* Slurm replaces what follows a % in the names of logs, and takes \ for a quote. */
static bool check_path(struct submission *submission, struct error *err)
{
    char resolved[PATH_MAX];
    const char *path = submission->folder->path;
    if (realpath(path, resolved) == NULL) {
        return error_set_system(err, ERROR_FILE, errno, "cannot use the folder '%s'", path);
    }
    if (strpbrk(resolved, "%\\\n") != NULL) {
        return error_set(
            err, ERROR_INPUT,
            "the path '%s' has a '%%', '\\' or line feed, which Slurm reads otherwise; "
            "plan in another folder",
            resolved);
    }
    submission->path = arena_copy_text(submission->arena, resolved, err);
    return submission->path != NULL &&
           (submission->options->cluster.allow_local || refuse_local(resolved, err));
}

/* Whether Slurm is at a shard already; where it does not answer, the lock of the part keeps two
 * attempts apart. */
static const struct slurm_task *ask(const struct submission *submission, struct error *err)
{
    struct slurm_task *tasks =
        arena_alloc(submission->arena, submission->folder->shard_count + 1, sizeof *tasks, err);
    if (tasks != NULL) {
        (void)slurm_ask(submission->folder, submission->jobs, submission->job_count, tasks,
                        submission->arena);
    }
    return tasks;
}

static bool choose(struct submission *submission, struct error *err)
{
    const struct folder *folder = submission->folder;
    bool missing_only = submission->options->cluster.missing;
    const struct slurm_task *tasks = missing_only ? ask(submission, err) : NULL;
    submission->chosen =
        arena_alloc(submission->arena, folder->shard_count, sizeof *submission->chosen, err);
    if (submission->chosen == NULL || (missing_only && tasks == NULL)) {
        return false;
    }
    for (size_t i = 0; i < folder->shard_count; i++) {
        struct part part = {.state = PART_MISSING};
        if (missing_only && !folder_look(folder, i, &part, err)) {
            return false;
        }
        bool active = missing_only && tasks[i].state != NULL && slurm_is_active(tasks[i].state);
        submission->chosen[i] = part.state != PART_DONE && !active;
        submission->chosen_count += submission->chosen[i];
        submission->active += part.state != PART_DONE && active;
    }
    struct text list = TEXT_INIT(submission->arena);
    text_append(&list, "");
    ranges_append(&list, submission->chosen, folder->shard_count);
    submission->shards = text_finish(&list, err);
    return submission->shards != NULL;
}

static bool check_limit(const struct submission *submission, struct error *err)
{
    size_t limit = slurm_array_limit(submission->arena);
    size_t shards = submission->folder->shard_count;
    return limit == 0 || shards <= limit ||
           error_set(err, ERROR_INPUT,
                     "'%s' has %zu shards, and this cluster takes arrays of at most %zu "
                     "(MaxArraySize); plan anew with --shards %zu or fewer",
                     submission->folder->path, shards, limit, limit);
}

static const char *own_program(struct arena *arena, struct error *err)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (length <= 0 || access(path, X_OK) != 0) {
        error_set(err, ERROR_FILE, "cannot find this program's own file; start it anew");
        return NULL;
    }
    return arena_copy_text(arena, path, err);
}

static bool write_scripts(const struct submission *submission, struct error *err)
{
    struct arena *arena = submission->arena;
    const struct cluster_options *options = &submission->options->cluster;
    const char *program = own_program(arena, err);
    if (program == NULL) {
        return false;
    }
    const char *shards = slurm_shards_script(program, submission->path,
                                             submission->folder->shard_count, options, arena, err);
    const char *merge = slurm_merge_script(program, submission->path, options, arena, err);
    const char *shards_path = arena_format(arena, err, "%s/slurm/shards.sbatch", submission->path);
    const char *merge_path = arena_format(arena, err, "%s/slurm/merge.sbatch", submission->path);
    return shards != NULL && merge != NULL && shards_path != NULL && merge_path != NULL &&
           files_replace(shards_path, shards, strlen(shards), err) &&
           files_replace(merge_path, merge, strlen(merge), err);
}

/* The id in what `sbatch --parsable` says: "4711" or "4711;cluster" on a line of its own. */
static const char *find_id(const char *output, struct arena *arena, struct error *err)
{
    for (const char *line = output; line != NULL && *line != '\0';) {
        size_t digits = strspn(line, "0123456789");
        if (digits > 0 && digits < 20 && strchr(";\n", line[digits]) != NULL) {
            return arena_copy_bytes(arena, line, digits, err);
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
    error_set(err, ERROR_FILE, "sbatch gave no job id but '%s'", output);
    return NULL;
}

/* Calls sbatch with one more argument that says which job it is. */
static const char *sbatch(const struct submission *submission, const char *script,
                          const char *which, struct error *err)
{
    struct arena *arena = submission->arena;
    const char *folder = arena_format(arena, err, "--chdir=%s", submission->path);
    const char *path = arena_format(arena, err, "%s/slurm/%s", submission->path, script);
    const char *const arguments[] = {"sbatch", "--parsable", folder, which, path, NULL};
    const char *output;
    int status;
    if (folder == NULL || path == NULL || which == NULL) {
        return NULL;
    }
    if (!slurm_call(arguments, SUBMIT_SECONDS, arena, &output, &status, err)) {
        error_add_context(err,
                          "Slurm is needed on this machine; call this where sbatch is installed");
        return NULL;
    }
    if (status != 0) {
        error_set(err, ERROR_FILE, "sbatch refused %s: %.*s", script, (int)strcspn(output, "\n"),
                  output);
        return NULL;
    }
    return find_id(output, arena, err);
}

/* Notes the submissions, those of before and this one. */
static bool note(const struct submission *submission, const char *array, const char *merge,
                 struct error *err)
{
    struct text text = TEXT_INIT(submission->arena);
    const char *path = arena_format(submission->arena, err, "%s/slurm/jobs", submission->path);
    for (size_t i = 0; i < submission->job_count; i++) {
        const struct slurm_job *job = &submission->jobs[i];
        text_append_format(&text, "%s %s %s\n", job->array, job->merge, job->shards);
    }
    text_append_format(&text, "%s %s %s\n", array, merge, submission->shards);
    const char *lines = text_finish(&text, err);
    return path != NULL && lines != NULL && files_replace(path, lines, text.length, err);
}

/* The array is noted before the merge is submitted: a failure in between leaves no unknown job. */
static const char *submit(const struct submission *submission, struct error *err)
{
    struct arena *arena = submission->arena;
    uint64_t throttle = submission->options->cluster.throttle;
    const char *which = throttle == 0
                            ? arena_format(arena, err, "--array=%s", submission->shards)
                            : arena_format(arena, err, "--array=%s%%%llu", submission->shards,
                                           (unsigned long long)throttle);
    const char *array = sbatch(submission, "shards.sbatch", which, err);
    if (array == NULL || !note(submission, array, "-", err)) {
        return NULL;
    }
    /* afterok never recovers once a task has failed, also when it then is requeued and succeeds. */
    const char *after = arena_format(arena, err, "--dependency=afterany:%s", array);
    const char *merge = sbatch(submission, "merge.sbatch", after, err);
    if (merge == NULL) {
        error_add_context(err, "the shards are job %s, their merge is left to rowmax merge %s",
                          array, submission->word);
        return NULL;
    }
    if (!note(submission, array, merge, err)) {
        return NULL;
    }
    if (!submission->options->quiet) {
        cli_say("submitted shards %s as job %s and their merge as job %s; see: rowmax status %s",
                submission->shards, array, merge, submission->word);
    }
    return merge;
}

/* Whether the merge has ended; `silent` counts looks without an answer. */
static bool has_ended(const char *merge, size_t *silent, struct arena *arena)
{
    const char *const arguments[] = {"squeue", "-h", "-t", "all", "-j", merge, "-o", "%T", NULL};
    struct error ignored = ERROR_INIT;
    const char *output;
    int status;
    if (!slurm_call(arguments, SUBMIT_SECONDS, arena, &output, &status, &ignored)) {
        (*silent)++;
        return false;
    }
    if (status != 0) {
        (*silent)++;
        return strstr(output, "Invalid job id") != NULL; /* ended and forgotten */
    }
    *silent = 0;
    char state[32] = "";
    size_t length = strcspn(output, "\n");
    memcpy(state, output, length < sizeof state - 1 ? length : sizeof state - 1);
    return !slurm_is_active(state);
}

/* What the merged file says is the result. */
static bool judge(const struct submission *submission, struct error *err)
{
    const struct folder *folder = submission->folder;
    struct result_set set;
    size_t failed = 0;
    if (!files_exists(folder->merged)) {
        return error_set(err, ERROR_FILE,
                         "not merged; '%s/log/merge.log' says why, and what is there: rowmax "
                         "status %s",
                         folder->path, submission->word);
    }
    if (!store_load(folder->merged, submission->arena, &set, err)) {
        return false;
    }
    for (size_t i = 0; i < set.count; i++) {
        failed += result_status(&set, i) == RESULT_FAILED;
    }
    if (set.count < folder->runs) {
        return error_set(err, ERROR_FILE,
                         "'%s' holds %zu of %zu runs; submit what is left with --missing",
                         folder->merged, set.count, folder->runs);
    }
    return failed == 0 || error_set(err, ERROR_RUNS_FAILED,
                                    "%zu of %zu runs of '%s' failed; 'rowmax show' says why",
                                    failed, set.count, folder->merged);
}

static bool wait_for(const struct submission *submission, const char *merge, struct error *err)
{
    size_t silent = 0;
    signals_install();
    for (;;) {
        struct arena arena = {NULL};
        bool ended = has_ended(merge, &silent, &arena);
        arena_release(&arena);
        if (ended) {
            return judge(submission, err);
        }
        if (atomic_load(&cli_stop) != 0) {
            return error_set(err, ERROR_INTERRUPTED,
                             "interrupted; the jobs go on; to end them: rowmax cancel %s",
                             submission->word);
        }
        if (silent == SILENT_LOOKS) {
            return error_set(err, ERROR_FILE, "squeue does not answer; see: rowmax status %s",
                             submission->word);
        }
        const struct timespec pause = {WAIT_SECONDS, 0};
        nanosleep(&pause, NULL);
    }
}

static void say_before(const struct submission *submission)
{
    const struct options *options = submission->options;
    if (options->quiet) {
        return;
    }
    if (submission->active > 0) {
        cli_say(submission->active == 1 ? "%s shard is with Slurm already and is left to it"
                                        : "%s shards are with Slurm already and are left to it",
                cli_count(submission->active));
    }
    if (options->cluster.minutes > 0 && options->cluster.minutes < SHORT_MINUTES) {
        cli_say("--time %llu: a shard saves and goes back to the queue a minute or two before the "
                "limit; %d minutes or more waste less",
                (unsigned long long)options->cluster.minutes, SHORT_MINUTES);
    }
}

bool command_submit(const struct options *options, struct arena *arena, struct error *err)
{
    struct submission submission = {.options = options, .arena = arena};
    if (!options->cluster.engine) {
        return command_refuse("submit", "the batch system, --engine slurm,", err);
    }
    submission.folder = folder_read(options->operands[0], arena, err);
    submission.jobs = submission.folder == NULL
                          ? NULL
                          : slurm_jobs(submission.folder, arena, &submission.job_count, err);
    if (submission.jobs == NULL || !check_path(&submission, err)) {
        return false;
    }
    submission.word = cli_word(submission.folder->path, arena, err);
    if (submission.word == NULL) {
        return false;
    }
    if (submission.job_count > 0 && !options->cluster.missing) {
        return error_set(err, ERROR_INPUT,
                         "'%s' was submitted as job %s; --missing submits the shards that are not "
                         "done",
                         submission.folder->path, submission.jobs[submission.job_count - 1].array);
    }
    if (!check_limit(&submission, err) || !choose(&submission, err)) {
        return false;
    }
    say_before(&submission);
    if (submission.chosen_count == 0) {
        cli_say("no shard is to be submitted; see: rowmax status %s", submission.word);
        return true;
    }
    if (!write_scripts(&submission, err)) {
        return false;
    }
    const char *merge = submit(&submission, err);
    return merge != NULL && (!options->cluster.wait || wait_for(&submission, merge, err));
}
