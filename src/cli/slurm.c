/* SPDX-License-Identifier: MIT */
/* Calls the programs of Slurm and reads what they say; see slurm.h. */
#include "cli/slurm.h"

#include "base/child.h"
#include "base/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define JOBS_LIMIT ((size_t)1 << 20)
/* The programs wait some ten seconds themselves for a controller that does not answer. */
#define ASKING_SECONDS 30

bool slurm_call(const char *const *arguments, double seconds, struct arena *arena,
                const char **output, int *status, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    const struct child_command command = {.arguments = arguments,
                                          .captured = CHILD_BOTH,
                                          .seconds = seconds,
                                          .whole_environment = true,
                                          .sink = &text};
    struct child child;
    *status = -1;
    *output = "";
    if (!child_start(&child, &command, err)) {
        err->code = ERROR_FILE;
        return false;
    }
    while (child.running) {
        child_step_all(&child, 1);
    }
    text_append(&text, "");
    *output = text_finish(&text, err);
    if (child.timed_out) {
        return error_set(err, ERROR_FILE, "'%s' did not end within %.0f s", arguments[0], seconds);
    }
    *status = WIFEXITED(child.status) ? WEXITSTATUS(child.status) : 128;
    return *output != NULL;
}

static bool is_id(const char *word)
{
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits < 20 && word[digits] == '\0';
}

/* "4711 4712 0-7" */
static bool read_job(char *line, struct slurm_job *out)
{
    char *rest = NULL;
    out->array = strtok_r(line, " ", &rest);
    out->merge = strtok_r(NULL, " ", &rest);
    out->shards = strtok_r(NULL, " ", &rest);
    return out->array != NULL && is_id(out->array) && out->merge != NULL &&
           (is_id(out->merge) || strcmp(out->merge, "-") == 0) && out->shards != NULL;
}

struct slurm_job *slurm_jobs(const struct folder *folder, struct arena *arena, size_t *count,
                             struct error *err)
{
    struct slurm_job *jobs = NULL;
    size_t capacity = 0;
    *count = 0;
    const char *path = arena_format(arena, err, "%s/slurm/jobs", folder->path);
    if (path == NULL || !files_exists(path)) {
        return path == NULL ? NULL : arena_alloc(arena, 0, sizeof *jobs, err);
    }
    size_t size;
    char *text = files_read_own(path, JOBS_LIMIT, arena, &size, err);
    char *rest = NULL;
    char *line = text == NULL ? NULL : strtok_r(text, "\n", &rest);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        jobs = arena_grow(arena, jobs, *count, &capacity, sizeof *jobs, err);
        if (jobs == NULL) {
            return NULL;
        }
        if (!read_job(line, &jobs[(*count)++])) {
            error_set(err, ERROR_INPUT, "'%s' is damaged: a line is 'ARRAY-ID MERGE-ID SHARDS'",
                      path);
            return NULL;
        }
    }
    return text != NULL && jobs == NULL ? arena_alloc(arena, 0, sizeof *jobs, err) : jobs;
}

/* The shard that a job of a submission is, `shards` for its merge; SIZE_MAX for none. */
static size_t shard_of(const char *job, const struct slurm_job *submission, size_t shards)
{
    size_t length = strcspn(job, "_");
    if (strcmp(submission->merge, job) == 0) {
        return shards;
    }
    /* Tasks that are not yet apart are "4711_[4-7%4]". */
    bool array = strlen(submission->array) == length &&
                 strncmp(submission->array, job, length) == 0 && job[length] == '_' &&
                 isdigit((unsigned char)job[length + 1]);
    return array ? strtoul(job + length + 1, NULL, 10) : SIZE_MAX;
}

/* "4711_3|RUNNING|n2|None" */
static void take_answer(char *line, const struct slurm_job *jobs, size_t count,
                        struct slurm_task *tasks, size_t shards)
{
    char *rest = NULL;
    const char *job = strtok_r(line, "|", &rest);
    const char *state = strtok_r(NULL, "|", &rest);
    const char *detail = strtok_r(NULL, "|", &rest);
    if (job == NULL || state == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = shard_of(job, &jobs[i], shards);
        /* A later submission has the last word, unless it has ended and the earlier has not. */
        if (at <= shards && (tasks[at].state == NULL || slurm_is_active(state) ||
                             !slurm_is_active(tasks[at].state))) {
            tasks[at] = (struct slurm_task){state, detail == NULL ? "" : detail, job};
        }
    }
}

static const char *all_ids(const struct slurm_job *jobs, size_t count, struct arena *arena)
{
    struct text ids = TEXT_INIT(arena);
    struct error ignored = ERROR_INIT;
    for (size_t i = 0; i < count; i++) {
        text_append_format(&ids, i == 0 ? "%s" : ",%s", jobs[i].array);
        if (jobs[i].merge[0] != '-') {
            text_append_format(&ids, ",%s", jobs[i].merge);
        }
    }
    return text_finish(&ids, &ignored);
}

/* Calls a program that lists jobs and takes its lines; false where it gives none that are good. */
static bool take_list(const char *const *arguments, const struct folder *folder,
                      const struct slurm_job *jobs, size_t count, struct slurm_task *tasks,
                      struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *output;
    int status = 0;
    if (!slurm_call(arguments, ASKING_SECONDS, arena, &output, &status, &ignored) || status != 0) {
        return false;
    }
    char *answer = arena_copy_text(arena, output, &ignored);
    char *rest = NULL;
    char *line = answer == NULL ? NULL : strtok_r(answer, "\n", &rest);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        take_answer(line, jobs, count, tasks, folder->shard_count);
    }
    return answer != NULL;
}

/* What accounting remembers of what squeue knows no longer. Only ends are taken where squeue
 * answers: jobs whose end was lost run there for ever. "CANCELLED by 0" is CANCELLED. */
static bool add_accounts(const char *ids, const struct folder *folder, const struct slurm_job *jobs,
                         size_t count, bool queue_answers, struct slurm_task *tasks,
                         struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *const arguments[] = {
        "sacct", "-n", "-P", "-X", "-j", ids, "--delimiter=|", "-o", "JobID,State,NodeList", NULL};
    size_t tasks_count = folder->shard_count + 1;
    struct slurm_task *old = arena_alloc(arena, tasks_count, sizeof *old, &ignored);
    bool any = false;
    if (old == NULL || !take_list(arguments, folder, jobs, count, old, arena)) {
        return false;
    }
    for (size_t i = 0; i < tasks_count; i++) {
        if (old[i].state == NULL) {
            continue;
        }
        char *state = arena_copy_text(arena, old[i].state, &ignored);
        if (state != NULL) {
            state[strcspn(state, " ")] = '\0';
        }
        bool ended = state != NULL && !slurm_is_active(state);
        any = true;
        if (tasks[i].state == NULL && state != NULL && (ended || !queue_answers)) {
            tasks[i] = (struct slurm_task){state, old[i].detail, old[i].job};
        }
    }
    return any;
}

static bool knows_all(const struct slurm_task *tasks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].state == NULL) {
            return false;
        }
    }
    return true;
}

bool slurm_ask(const struct folder *folder, const struct slurm_job *jobs, size_t count,
               struct slurm_task *tasks, struct arena *arena)
{
    const char *ids = count == 0 ? NULL : all_ids(jobs, count, arena);
    const char *const arguments[] = {"squeue", "-h", "-r", "-t",       "all",
                                     "-j",     ids,  "-o", "%i|%T|%R", NULL};
    if (ids == NULL) {
        return false;
    }
    bool answers = take_list(arguments, folder, jobs, count, tasks, arena);
    bool accounts = !knows_all(tasks, folder->shard_count + 1) &&
                    add_accounts(ids, folder, jobs, count, answers, tasks, arena);
    return answers || accounts;
}

bool slurm_is_active(const char *state)
{
    static const char *const active[] = {"PENDING",     "RUNNING",      "COMPLETING", "CONFIGURING",
                                         "REQUEUED",    "REQUEUE_FED",  "SUSPENDED",  "STAGE_OUT",
                                         "STOPPED",     "REQUEUE_HOLD", "SIGNALING",  "RESIZING",
                                         "SPECIAL_EXIT"};
    for (size_t i = 0; i < sizeof active / sizeof active[0]; i++) {
        if (strcmp(state, active[i]) == 0) {
            return true;
        }
    }
    return false;
}

size_t slurm_array_limit(struct arena *arena)
{
    static const char name[] = "MaxArraySize";
    const char *const arguments[] = {"scontrol", "show", "config", NULL};
    struct error ignored = ERROR_INIT;
    const char *output;
    int status;
    if (!slurm_call(arguments, ASKING_SECONDS, arena, &output, &status, &ignored) || status != 0) {
        return 0;
    }
    const char *line = strstr(output, name);
    const char *equals = line == NULL ? NULL : strchr(line, '=');
    return equals == NULL ? 0 : strtoul(equals + 1, NULL, 10);
}
