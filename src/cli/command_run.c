/* SPDX-License-Identifier: MIT */
/* rowmax run: what is missing is run, everything is saved. */
#include "base/files.h"
#include "base/order.h"
#include "base/permissions.h"
#include "cli/cli_internal.h"
#include "engine/engine.h"
#include "run/fields.h"
#include "store/store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const struct options *options;
    struct prepared *prepared;
    struct result_set description; /* what the file says but its rows */
    struct store *store;
    struct origins origins;
    struct progress progress;
    struct engine_pace pace;
    size_t reused, done;
    size_t narrowed;      /* runs at hand with measures that the sweep does not name */
    struct budget budget; /* of the runs to do */
};

static bool on_results(void *context, const struct result *results, size_t count, struct error *err)
{
    struct job *job = context;
    size_t failed = 0;
    double started = cli_thread_seconds();
    for (size_t i = 0; i < count; i++) {
        failed += results[i].status == RESULT_FAILED;
    }
    if (!store_append(job->store, results, count, err)) {
        return false;
    }
    job->done += count;
    job->budget.journal += cli_thread_seconds() - started;
    progress_step(&job->progress, count, failed);
    return true;
}

static void on_advance(void *context)
{
    struct job *job = context;
    progress_step(&job->progress, 0, 0);
}

/* Small vocabularies take a moment and need no word. */
#define LARGE_VOCABULARY 20000

static void on_learning(void *context, const struct run *run, size_t vocabulary, double seconds)
{
    struct job *job = context;
    if (vocabulary >= LARGE_VOCABULARY && !job->options->quiet) {
        char takes[40];
        progress_end(&job->progress); /* no bar before the line */
        cli_say("learning %s-dimensional vectors of %s words from '%s', about %s; Ctrl-C ends it",
                cli_count((uint64_t)run->d_model), cli_count(vocabulary), run->corpus,
                cli_duration(seconds / job->budget.speed, takes));
    }
    progress_learn(&job->progress, seconds);
}

/* What the engine is asked to do. */
static struct engine_task *make_tasks(const struct job *job, const struct missing *missing,
                                      struct arena *arena, struct error *err)
{
    const struct prepared *prepared = job->prepared;
    struct engine_task *tasks = arena_alloc(arena, missing->count, sizeof *tasks, err);
    for (size_t i = 0; tasks != NULL && i < missing->count; i++) {
        size_t run = missing->runs[i];
        unsigned keep = prepared->plan.keep[run];
        tasks[i] = (struct engine_task){.run = run,
                                        .key = prepared->keys[run],
                                        .keep_scores = (keep & PLAN_KEEP_SCORES) != 0,
                                        .keep_weights = (keep & PLAN_KEEP_WEIGHTS) != 0,
                                        .lacking = job->description.lacking};
    }
    return tasks;
}

/* Adds the results that the plan no longer holds: nothing finished is ever lost. Their order is
 * that of their keys, so that it does not depend on history. */
static bool add_outside(const struct job *job, const struct result_set *rows, const bool *planned,
                        struct result_place *places, size_t *count, struct error *err)
{
    struct arena scratch = {NULL};
    size_t outside = 0;
    if (*count == rows->count) {
        return true;
    }
    struct keyed_row *keyed = arena_alloc(&scratch, rows->count - *count, sizeof *keyed, err);
    for (size_t i = 0; keyed != NULL && i < rows->count; i++) {
        uint64_t key = result_key(rows, i);
        if (!planned[i] && store_find(job->store, key) == i) {
            keyed[outside++] = (struct keyed_row){key, i};
        }
    }
    if (outside > 0) {
        qsort(keyed, outside, sizeof *keyed, order_keys);
    }
    for (size_t i = 0; i < outside; i++) {
        places[(*count)++] = (struct result_place){(uint32_t)keyed[i].row, -1};
    }
    bool good = keyed != NULL;
    arena_release(&scratch);
    return good;
}

/* Rows with measures that the sweep does not name: the file to be written has no place for them. */
static size_t count_narrowed(const struct job *job, const struct result_set *rows)
{
    size_t narrowed = 0;
    for (size_t i = 0; i < rows->count; i++) {
        narrowed += (job->description.lacking & ~result_lacking(rows, i)) != 0;
    }
    return narrowed;
}

/* Everything at hand as one set, in the order of the plan and under the names that it gives. */
static bool collect(struct job *job, struct arena *arena, struct result_set *set, struct error *err)
{
    const struct prepared *prepared = job->prepared;
    const struct result_set rows = store_rows(job->store);
    job->narrowed = count_narrowed(job, &rows);
    struct result_place *places = arena_alloc(arena, rows.count, sizeof *places, err);
    bool *planned = arena_alloc(arena, rows.count, sizeof *planned, err);
    if (places == NULL || planned == NULL) {
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < prepared->plan.count; i++) {
        size_t found = store_find(job->store, prepared->keys[i]);
        if (found != STORE_NONE) {
            places[count++] = (struct result_place){(uint32_t)found, (int32_t)i};
            planned[found] = true;
        }
    }
    if (!add_outside(job, &rows, planned, places, &count, err)) {
        return false;
    }
    *set = job->description;
    set->table = rows.table;
    set->places = places;
    set->plan = &prepared->plan.runs;
    set->wanted = prepared->plan.keep;
    set->count = count;
    origins_settle(&job->origins, job->done, set);
    return true;
}

static void say_found(const char *path, const struct store_found *found)
{
    if (found->torn_bytes > 0) {
        cli_say("%s.journal: its last record was cut short by a crash; %zu bytes dropped, that run "
                "is done again",
                path, found->torn_bytes);
    }
    if (found->in_journal > 0) {
        cli_say("%s: resuming; %s finished runs of an interrupted sweep are kept", path,
                cli_count(found->in_journal));
    }
}

static void say_outcome(const struct job *job, const struct run_tally *tally, double seconds)
{
    const struct shard shard = job->prepared->shard;
    const char *path = job->prepared->output;
    char took[40];
    char of_shard[64] = "";
    if (shard.count > 0) {
        snprintf(of_shard, sizeof of_shard, " of shard %zu/%zu", shard.index, shard.count);
    }
    cli_say("%s of %s runs%s in %s (%s new, %s reused, %s failed), %s", cli_count(tally->own),
            cli_count(job->prepared->own), of_shard, path, cli_count(job->done),
            cli_count(job->reused), cli_count(tally->failed), cli_duration(seconds, took));
    run_tally_say_kept(tally, path, job->narrowed);
}

static bool fail_interrupted(struct error *err)
{
    enum error_code code = atomic_load(&cli_stop) == SIGTERM ? ERROR_TERMINATED : ERROR_INTERRUPTED;
    return error_set(err, code, "interrupted; what was finished is kept, 'rowmax run' goes on");
}

/* Results are complete without it, so that a folder too full for it is no failure. */
static void record_timing(const struct job *job, double seconds)
{
    struct error trouble = ERROR_INIT;
    bool whole = atomic_load(&cli_stop) == 0 && job->done > 0;
    if (whole && !timing_write(&job->budget, job->prepared->output, seconds, &trouble)) {
        cli_say("%s", trouble.message);
    }
}

/* The closing line, and whether a failed run makes the status 3. */
static bool conclude(const struct job *job, const struct result_set *set, double seconds,
                     struct error *err)
{
    struct run_tally tally = run_tally_rows(job->prepared, set);
    record_timing(job, seconds);
    if (!job->options->quiet) {
        say_outcome(job, &tally, seconds);
        if (job->done < set->count && job->done + job->reused > 0) {
            origins_say(&job->origins, job->prepared->output, job->done > 0);
        }
        if (job->options->verbose) {
            narrate_times(&job->budget);
        }
    }
    if (atomic_load(&cli_stop) != 0) {
        return fail_interrupted(err);
    }
    return tally.failed == 0 ||
           error_set(err, ERROR_RUNS_FAILED,
                     "%zu of %zu runs failed; 'rowmax show' says why, --retry-failed runs them "
                     "again",
                     tally.failed, tally.own);
}

/* What the runs will take; refused where this machine clearly lacks it. */
static bool make_budget(struct job *job, const struct missing *missing, struct error *err)
{
    return budget_make(job->prepared, missing->runs, missing->count, job->options->jobs,
                       &job->budget, err) &&
           (job->options->force || budget_check(&job->budget, job->prepared->output, err));
}

#define SECONDS_OF_DISK 0.03
/* Some figures in two formats; see docs/performance.md. */
#define SECONDS_OF_REPORT 0.5
#define SECONDS_A_REPORTED_ROW 2.3e-6

/* The time left before anything is done. How the runs' work divides is told when they begin. */
static struct eta expect(const struct job *job)
{
    const struct engine_estimate *estimate = &job->budget.estimate;
    struct engine_work work = {.kind = {[WORK_LEARNING] = estimate->learning,
                                        [WORK_RUNS] = (double)job->budget.runs * ESTIMATE_A_RECORD,
                                        [WORK_SCORES] = estimate->draws + estimate->runs}};
    /* A start is nearly all a file of no rows, which then has to come to the disk. */
    double after = SECONDS_OF_DISK + estimate->start + estimate->rows -
                   (double)job->budget.runs * ESTIMATE_A_RECORD;
    after += job->options->report
                 ? SECONDS_OF_REPORT + SECONDS_A_REPORTED_ROW * (double)job->prepared->own
                 : 0;
    return eta_start(&work, 1 / job->budget.speed, after / job->budget.speed);
}

/* Runs what is missing; an interruption is no failure. */
static bool run_missing(struct job *job, struct arena *scratch, struct error *err)
{
    const struct options *options = job->options;
    const struct at_hand at_hand = at_hand_in_store(job->store);
    struct missing missing;
    if (!missing_list(job->prepared, &at_hand, options->retry_failed, scratch, &missing, err)) {
        return false;
    }
    job->reused = missing.served;
    struct engine_task *tasks = make_tasks(job, &missing, scratch, err);
    /* With something to append or to report, all that is at hand is needed. */
    bool whole = missing.count > 0 || options->report;
    const char *output = job->prepared->output;
    if (tasks == NULL || (missing.count > 0 && !permissions_allow(output, output, err)) ||
        !make_budget(job, &missing, err) || (whole && !store_complete(job->store, err))) {
        return false;
    }
    const struct eta eta = expect(job);
    if (options->verbose) {
        narrate_intent(job->prepared, &job->budget, scratch);
    }
    struct engine_options engine_options = {.threads = options->jobs,
                                            .fail_fast = options->fail_fast,
                                            .run_timeout = options->run_timeout,
                                            .stop = &cli_stop,
                                            .sink = on_results,
                                            .advance = on_advance,
                                            .learning = on_learning,
                                            .context = job,
                                            .pace = &job->pace};
    progress_start(&job->progress, options->quiet ? PROGRESS_NONE : options->progress,
                   missing.count, options->jobs, &eta, &job->pace);
    bool good = engine_run(job->prepared->engine, tasks, missing.count, &engine_options, err);
    progress_end(&job->progress);
    return good || err->code == ERROR_INTERRUPTED;
}

/* Runs the missing tasks and saves; the result set is good whenever true is returned. */
static bool run_and_save(struct job *job, struct arena *arena, struct result_set *set,
                         struct error *err)
{
    /* The tasks of a long sweep take room that its saving needs. */
    struct arena scratch = {NULL};
    bool good = run_missing(job, &scratch, err);
    arena_release(&scratch);
    if (!good) {
        return false;
    }
    *err = (struct error)ERROR_INIT;
    if (!collect(job, arena, set, err)) {
        return false;
    }
    /* Interrupted before anything was done: no file of nothing. A shard of no runs has one, though:
     * a merge is told of every part. */
    bool nothing = set->count == 0 && job->prepared->own > 0;
    double started = cli_seconds();
    double worked = cli_thread_seconds();
    bool saved = nothing || store_save(job->store, set, err);
    job->budget.pack = cli_thread_seconds() - worked;
    job->budget.pack_seconds = cli_seconds() - started;
    return saved;
}

/* A report of what there is, also when some runs failed: their error, if any, is in `err` and
 * stands. */
static bool report_too(const struct job *job, const struct result_set *set, struct arena *arena,
                       struct error *err)
{
    struct error figures = ERROR_INIT;
    const char *folder = report_folder(job->prepared->output, arena, &figures);
    bool reported = folder != NULL && write_report(set, job->options, folder, arena, &figures);
    if (atomic_load(&cli_stop) != 0) {
        *err = (struct error)ERROR_INIT;
        return fail_interrupted(err);
    }
    if (!reported && err->code == ERROR_NONE) {
        *err = figures;
    }
    return err->code == ERROR_NONE;
}

/* Where the results are and what to do with them. Those of a shard are to be merged first. */
static void say_next(const struct job *job, struct arena *arena)
{
    struct error ignored = ERROR_INIT;
    const char *output = job->prepared->output;
    bool stopped = atomic_load(&cli_stop) != 0;
    if (!job->options->quiet && !stopped && job->prepared->shard.count == 0) {
        const char *folder = job->options->report ? report_folder(output, arena, &ignored) : NULL;
        narrate_next(output, folder, arena);
    }
}

/* What excludes what, before anything is read. */
static bool check_options(const struct options *options, struct error *err)
{
    if (options->fresh && options->recover != NULL) {
        return error_set(err, ERROR_USAGE, "--fresh and --recover exclude each other; give one");
    }
    if (options->quiet && options->verbose) {
        return error_set(err, ERROR_USAGE, "--quiet and --verbose exclude each other; give one");
    }
    return !options->require_provenance || provenance_is_traceable(build_commit) ||
           error_set(err, ERROR_USAGE,
                     "--require-provenance: the commit of this program is %s; build it from a "
                     "clean checkout",
                     build_commit);
}

static struct store *open_results(struct job *job, struct arena *arena, struct error *err)
{
    const struct options *options = job->options;
    struct prepared *prepared = job->prepared;
    struct store_found found;
    if (options->recover != NULL) {
        const char *damaged = prepared->output;
        prepared->output = options->recover;
        return !default_folder_make(prepared->output, true, err)
                   ? NULL
                   : recover_results(damaged, options, arena, err);
    }
    struct store *store = store_open(prepared->output, store_ways(options), arena, &found, err);
    if (store != NULL && !options->quiet) {
        say_found(prepared->output, &found);
    }
    return store;
}

/* Sweeps without a name must not end in one file. */
static bool has_place(const struct prepared *prepared, const struct options *options,
                      struct error *err)
{
    return !prepared_is_nameless(prepared, options) ||
           error_set(err, ERROR_USAGE,
                     "a sweep from standard input needs a name for its results; write 'name: ...' "
                     "in it, or give -o results/NAME.h5");
}

/* What is at hand, and what the runs to come will belong to. */
static bool take_up(struct job *job, struct arena *arena, struct error *err)
{
    const struct origins *origins = &job->origins;
    if (!origins_find(job->store, &job->description, arena, &job->origins, err)) {
        return false;
    }
    const struct result_set at_hand = {.provenance = origins->facts,
                                       .provenance_count = origins->count};
    if (job->options->require_provenance && origins->at_hand &&
        !origins_are_traceable(&at_hand, job->prepared->output, err)) {
        return false;
    }
    store_describe(job->store, &job->description);
    return true;
}

bool command_run(const struct options *options, struct arena *arena, struct error *err)
{
    double started = cli_seconds();
    signals_install();
    struct prepared prepared;
    struct job job = {.options = options, .prepared = &prepared};
    struct result_set set;
    if (!check_options(options, err) || !prepare(options, arena, &prepared, err) ||
        !has_place(&prepared, options, err) ||
        !default_folder_make(prepared.output, options->output != NULL, err) ||
        !describe_sweep(&prepared, arena, &job.description, err)) {
        return false;
    }
    job.store = open_results(&job, arena, err);
    if (job.store == NULL) {
        return false;
    }
    bool good = take_up(&job, arena, err) && run_and_save(&job, arena, &set, err);
    if (good) {
        good = conclude(&job, &set, cli_seconds() - started, err);
        /* Who interrupts wants no report. */
        if (options->report && atomic_load(&cli_stop) == 0) {
            good = report_too(&job, &set, arena, err);
        }
        say_next(&job, arena);
    }
    store_close(job.store);
    return good;
}
