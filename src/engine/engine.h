/* SPDX-License-Identifier: MIT */
/* From plan to measurements: inputs are read and checked once, then runs go to a pool of threads.
 * Results do not depend on the number of threads, the order, or which runs are done together. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/arena.h"
#include "run/results.h"
#include "run/run_list.h"

#include <stdatomic.h>

struct engine;

/* Reads and checks every corpus and array that the runs name, sets the digests of the runs and the
 * sizes that arrays bring, and checks every sentence against its vocabulary; learns nothing yet.
 * `runs` must stay: tasks name places in it. Paths are relative to `folder`;
 * a corpus without a slash or an ending .txt or .gz is looked up as NAME.txt or NAME.txt.gz in the
 * corpora folders, then as a path. ERROR_INPUT when an input cannot be used. */
struct engine *engine_open(struct run_list *runs, const char *folder, struct arena *arena,
                           struct error *err) MUST_CHECK;

/* A file that the runs name. */
struct engine_file {
    const char *name; /* as the sweep spells it, without a dataset */
    const char *path; /* where it was found */
};

/* The files behind the runs; one that several datasets are read from comes once for each. */
struct engine_file *engine_files(const struct engine *engine, struct arena *arena, size_t *count,
                                 struct error *err) MUST_CHECK;

/* The path in `folder` under which a copy stands for the file that the sweeps of that folder call
 * `name`. Where the copy exists, engine_open reads it and looks nowhere else. */
#define ENGINE_FROZEN_FOLDER "inputs"
char *engine_frozen(const char *folder, const char *name, struct arena *arena,
                    struct error *err) MUST_CHECK;

/* A run to do. */
struct engine_task {
    size_t run;   /* its place in the plan */
    uint64_t key; /* run_key of the run */
    bool keep_scores, keep_weights;
    uint64_t lacking; /* bit m: measure m is not wanted, and is NaN */
};

/* Receives finished runs, never from two threads at once; false ends the sweep. They come in
 * batches: what one thread finished within a few milliseconds, or one run that took longer. */
typedef bool engine_sink(void *context, const struct result *results, size_t count,
                         struct error *err);

/* What takes time, apart: another machine, or another user of this one, slows each differently. */
enum engine_work_kind {
    WORK_LEARNING, /* word vectors */
    WORK_RUNS,     /* what each run takes whatever its sizes, its record in the journal included */
    WORK_SCORES,   /* weighing and measuring rows */
    WORK_INPUTS,   /* drawing and measuring X: where memory is first used, which may be slow */
    WORK_PRODUCTS, /* of matrices */
    WORK_SLOPES,   /* gradients that are no such products */
    WORK_DRAWS,
    WORK_WAITING, /* of threads for each other, where all do one run together */
    WORK_KINDS
};

/* Seconds of one thread of the machine of estimate.h, by kind. */
struct engine_work {
    double kind[WORK_KINDS];
};

/* How fast the runs are done: what tells the time left. */
struct engine_pace {
    double started; /* CLOCK_MONOTONIC, once everything is learned; 0 before */
    double busy;    /* seconds that the threads spent on what is done so far, added up */
    size_t threads;
    size_t working; /* of these, those that found runs to do, and are not at the end of them */
    double over;    /* when the others came there: seconds from the start, added up */
    double part;    /* how much is done of the runs in hand, added up, where these tell */
    struct engine_work left; /* that was not told of yet */
    struct engine_work last; /* what was told of last, and the seconds for it */
    double last_seconds;
};

struct engine_options {
    size_t threads;       /* at least 1 */
    bool fail_fast;       /* stop at the first failed run */
    double run_timeout;   /* seconds after which a run is a failed one; 0 for never */
    double large_seconds; /* runs that are expected to take longer, on the machine of estimate.h,
                             are done by all threads together; 0 for the usual quarter */
    double long_seconds;  /* runs that are expected to take longer tell how far they are; 0 for the
                             usual half */
    const atomic_int *stop; /* non-zero: finish the runs in hand, but for those of all threads
                               together, and return */
    engine_sink *sink;
    /* Told now and then while a run takes long, once the pace, which then is not NULL, knows of it;
       never beside the sink. May be NULL. */
    void (*advance)(void *context);
    /* Told before word vectors are learned, and the seconds that take one thread of the machine of
       estimate.h; may be NULL. */
    void (*learning)(void *context, const struct run *run, size_t vocabulary, double seconds);
    void *context;
    struct engine_pace *pace; /* kept up to date, for the sink; may be NULL */
    /* For tests: stands for the whole computation of a run when not NULL; false is a failed run. */
    bool (*measure)(const struct run *run, struct measurement *out, struct error *err);
};

/* Learns the embeddings that the tasks need, then does the tasks. A run that fails is a result with
 * its message, not an error. ERROR_INTERRUPTED when *stop ended it. */
bool engine_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                const struct engine_options *options, struct error *err) MUST_CHECK;

/* Tokens of a run's input (keys), and its queries, known after engine_open. */
size_t engine_tokens(const struct engine *engine, size_t run);
size_t engine_queries(const struct engine *engine, size_t run);

#endif
