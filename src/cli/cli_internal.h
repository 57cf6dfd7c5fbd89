/* SPDX-License-Identifier: MIT */
/* What the files of the command line share. */
#ifndef CLI_CLI_INTERNAL_H
#define CLI_CLI_INTERNAL_H

#include "base/arena.h"
#include "cli/eta.h"
#include "engine/estimate.h"
#include "run/results.h"
#include "sweep/sweep.h"

#include <stdatomic.h>

struct store;
struct engine;
struct folder;
struct history;

enum progress_mode { PROGRESS_AUTO, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_NONE };
enum layout { LAYOUT_TEXT, LAYOUT_JSON };

/* One bit an option; a command's row says which it takes. */
enum {
    OPTION_OUTPUT = 1 << 0,
    OPTION_JOBS = 1 << 1,
    OPTION_SET = 1 << 2,
    OPTION_FRESH = 1 << 3,
    OPTION_FAIL_FAST = 1 << 4,
    OPTION_RETRY_FAILED = 1 << 5,
    OPTION_REPORT = 1 << 6,
    OPTION_FORMAT = 1 << 7,
    OPTION_PROGRESS = 1 << 8,
    OPTION_QUIET = 1 << 9,
    OPTION_MAX_RUNS = 1 << 10,
    OPTION_LIST = 1 << 11,
    OPTION_TOKENS = 1 << 12,
    OPTION_SPREAD = 1 << 13,
    OPTION_LAYOUT = 1 << 14,
    OPTION_WEIGHTS = 1 << 15,
    OPTION_AGAINST = 1 << 16,
    OPTION_TOLERANCE = 1 << 17,
    OPTION_JSON = 1 << 18,
    OPTION_JUNIT = 1 << 19,
    OPTION_GITHUB = 1 << 20,
    OPTION_STRICT_HOST = 1 << 21,
    OPTION_STRICT_BASELINE = 1 << 22,
    OPTION_FAIL_ON_IMPROVEMENT = 1 << 23,
    OPTION_MIN_COMPARED = 1 << 24,
    OPTION_HISTORY = 1 << 25,
    OPTION_DATE = 1 << 26,
    OPTION_VERBOSE = 1 << 30
};

/* An enum ends at 31 bits; from here on as macros. */
#define OPTION_SHARD (UINT64_C(1) << 32)
#define OPTION_RUN_TIMEOUT (UINT64_C(1) << 33)
#define OPTION_RECOVER (UINT64_C(1) << 34)
#define OPTION_WHY (UINT64_C(1) << 35)
#define OPTION_PARTIAL (UINT64_C(1) << 36)
/* Of planned folders; options_cluster.c reads their values. */
#define OPTION_SHARDS (UINT64_C(1) << 44)
#define OPTION_OUT (UINT64_C(1) << 45)
#define OPTION_ENGINE (UINT64_C(1) << 46)
#define OPTION_PARTITION (UINT64_C(1) << 47)
#define OPTION_TIME (UINT64_C(1) << 48)
#define OPTION_THROTTLE (UINT64_C(1) << 49)
#define OPTION_ACCOUNT (UINT64_C(1) << 50)
#define OPTION_MEM (UINT64_C(1) << 51)
#define OPTION_CONSTRAINT (UINT64_C(1) << 52)
#define OPTION_SBATCH_ARG (UINT64_C(1) << 53)
#define OPTION_MISSING (UINT64_C(1) << 54)
#define OPTION_WAIT (UINT64_C(1) << 55)
#define OPTION_ALLOW_LOCAL (UINT64_C(1) << 56)
#define OPTION_NO_REPORT (UINT64_C(1) << 57)
#define OPTIONS_OF_CLUSTER (OPTION_NO_REPORT * 2 - OPTION_SHARDS)
#define OPTION_PROVENANCE (UINT64_C(1) << 37)
#define OPTION_VERIFY (UINT64_C(1) << 38)
#define OPTION_REQUIRE_PROVENANCE (UINT64_C(1) << 39)
#define OPTION_TIMING (UINT64_C(1) << 40)
#define OPTION_FORCE (UINT64_C(1) << 41)
#define OPTION_NO_LOCK (UINT64_C(1) << 42)
/* Of export; options_export.c reads their values. */
#define OPTION_EXPORT_FORMAT (UINT64_C(1) << 58)
#define OPTION_FIELDS (UINT64_C(1) << 59)
#define OPTION_WHERE (UINT64_C(1) << 60)
#define OPTION_DIFF (UINT64_C(1) << 61)
#define OPTION_STRICT (UINT64_C(1) << 62)
#define OPTIONS_OF_EXPORT (OPTION_STRICT * 2 - OPTION_EXPORT_FORMAT)

/* Shard `index` of `count`, from 0; a count of 0 is the whole sweep. */
struct shard {
    size_t index, count;
};

/* A sweep on several machines; texts that were not given are NULL, numbers 0. */
struct cluster_options {
    uint64_t shards, minutes, throttle;
    const char *folder, *partition, *account, *memory, *constraint;
    const char **lines; /* of --sbatch-arg */
    size_t line_count;
    bool engine, missing, wait, allow_local, no_report;
};

enum export_format { EXPORT_NONE, EXPORT_CSV, EXPORT_JSON, EXPORT_JSONL, EXPORT_MODULE };

/* What to export; texts that were not given are NULL. */
struct export_options {
    enum export_format format;
    const char *fields, *diff;
    const char **where; /* of --where */
    size_t where_count;
    bool strict;
};

/* What the user asked for. */
struct options {
    const char *command; /* its name, for advice */
    const char *output;  /* NULL when not given */
    size_t jobs;
    const char **sets;
    size_t set_count;
    bool fresh, fail_fast, retry_failed, report, quiet, list;
    unsigned formats; /* REPORT_... */
    enum progress_mode progress;
    uint64_t max_runs;
    uint64_t tokens; /* 0 when not given */
    double spread;   /* NaN when not given */
    enum layout layout;
    const char *weights;                                             /* NULL when not given */
    const char *against, *tolerance, *json, *junit, *history, *date; /* the same */
    bool github, strict_host, strict_baseline, fail_on_improvement;
    uint64_t min_compared; /* 0 when not given */
    struct shard shard;
    double run_timeout;  /* seconds; 0 when not given */
    const char *recover; /* NULL when not given */
    bool why, partial;
    struct cluster_options cluster;
    struct export_options export;
    const char *plan; /* merge: the digest that the parts must have; NULL for any */
    bool provenance, verify, require_provenance, timing, force, no_lock, verbose;
    const char *const *operands;
    size_t operand_count;
};

/* A command: one row of the table in commands.c. */
struct command {
    const char *name;
    const char *operand; /* "SWEEP", "RESULTS", "[TOPIC]" or "" */
    size_t least_operands, most_operands;
    uint64_t needed; /* of the options those without which it does nothing */
    uint64_t options;
    const char *summary;     /* one line */
    const char *description; /* for `rowmax help NAME`; may be NULL */
    bool (*function)(const struct options *options, struct arena *arena, struct error *err);
};

extern const struct command commands[];
extern const size_t command_count;
const struct command *command_find(const char *name);

/* Reads the arguments after the command's name; ERROR_USAGE with the remedy on failure. */
bool options_parse(const struct command *command, int argc, char **argv, struct arena *arena,
                   struct options *out, struct error *err) MUST_CHECK;

/* Takes an option of OPTIONS_OF_CLUSTER; false when it does not take such a value. */
bool options_cluster_take(uint64_t bit, const char *value, struct cluster_options *out);

/* The same for OPTIONS_OF_EXPORT. */
bool options_export_take(uint64_t bit, const char *value, struct export_options *out);

/* "rowmax check --against BASELINE [options] RESULTS" in `out`, which is returned. */
#define COMMAND_USAGE_SIZE 128
char *command_usage(const struct command *command, char out[COMMAND_USAGE_SIZE]);

/* ERROR_USAGE: `what` is missing; with the usage of the command. */
bool command_refuse(const char *command, const char *what, struct error *err);

/* The option lines of a command's help, on stdout. */
void options_print_help(const struct command *command);

bool command_plan(const struct options *options, struct arena *arena, struct error *err);
bool command_run(const struct options *options, struct arena *arena, struct error *err);
bool command_report(const struct options *options, struct arena *arena, struct error *err);
bool command_check(const struct options *options, struct arena *arena, struct error *err);
bool command_export(const struct options *options, struct arena *arena, struct error *err);
bool command_merge(const struct options *options, struct arena *arena, struct error *err);
bool command_submit(const struct options *options, struct arena *arena, struct error *err);
bool command_status(const struct options *options, struct arena *arena, struct error *err);
bool command_cancel(const struct options *options, struct arena *arena, struct error *err);
bool command_show(const struct options *options, struct arena *arena, struct error *err);
bool command_fields(const struct options *options, struct arena *arena, struct error *err);
bool command_init(const struct options *options, struct arena *arena, struct error *err);
bool command_schema(const struct options *options, struct arena *arena, struct error *err);
bool command_theory(const struct options *options, struct arena *arena, struct error *err);
bool command_properties(const struct options *options, struct arena *arena, struct error *err);
bool command_completion(const struct options *options, struct arena *arena, struct error *err);
bool command_doctor(const struct options *options, struct arena *arena, struct error *err);
bool command_help(const struct options *options, struct arena *arena, struct error *err);
bool command_version(const struct options *options, struct arena *arena, struct error *err);

/* STORE_... as the options ask for. */
unsigned store_ways(const struct options *options);

/* A sweep, its plan and the inputs behind it, checked and ready to run. */
struct prepared {
    struct sweep sweep;
    struct plan plan; /* its runs have their digests and the sizes of arrays */
    uint64_t *keys;   /* of each run */
    struct engine *engine;
    const char *output; /* results file */
    struct shard shard;
    const uint32_t *owners;      /* the shard of each run; NULL without shards */
    size_t own;                  /* runs of the plan that this process is to do */
    const struct folder *folder; /* where the plan is frozen; NULL without */
};

/* Whether run i of the plan is this process's to do. */
static inline bool prepared_owns(const struct prepared *prepared, size_t i)
{
    return prepared->owners == NULL || prepared->owners[i] == prepared->shard.index;
}

/* Divides the prepared plan into shards. */
bool shards_divide(struct prepared *prepared, struct shard shard, struct arena *arena,
                   struct error *err) MUST_CHECK;

/* What a shard takes on one thread, estimated as for a whole sweep. */
struct shard_load {
    size_t runs;
    double seconds; /* of the reference machine */
    double memory;  /* bytes */
};

/* The load of each shard of the divided plan; NULL on failure. */
struct shard_load *shards_weigh(const struct prepared *prepared, struct arena *arena,
                                struct error *err) MUST_CHECK;

/* plan --shards: prints how the sweep divides and writes the folder asked for. */
bool plan_shards(const struct options *options, struct arena *arena, struct error *err) MUST_CHECK;

/* Everything that a results file of the prepared sweep says but its rows: names, size, facts. */
bool describe_sweep(const struct prepared *prepared, struct arena *arena, struct result_set *out,
                    struct error *err) MUST_CHECK;

/* Opens the results file of --recover for what can be verified of `damaged`, and says what cannot.
 */
struct store *recover_results(const char *damaged, const struct options *options,
                              struct arena *arena, struct error *err) MUST_CHECK;

/* A row and its key. */
struct keyed_row {
    uint64_t key; /* first, for order_keys */
    size_t row;
};

#define NO_ROW SIZE_MAX /* as STORE_NONE */

/* Results at hand, found by their keys: those of a store or of a set. */
struct at_hand {
    struct result_set set;
    const void *index;
    size_t (*find)(const void *index, uint64_t key); /* the row, or NO_ROW */
};

/* Good until something is appended to the store. */
struct at_hand at_hand_in_store(const struct store *store);

bool at_hand_in_set(const struct result_set *set, struct arena *arena, struct at_hand *out,
                    struct error *err) MUST_CHECK;

/* The runs of this process that nothing at hand serves. */
struct missing {
    uint32_t *runs; /* by their places in the plan */
    size_t count;
    size_t served,
        failed; /* the others; and the runs that are failed ones at hand, served or not */
};

bool missing_list(const struct prepared *prepared, const struct at_hand *at_hand, bool retry_failed,
                  struct arena *arena, struct missing *out, struct error *err) MUST_CHECK;

/* Why each run would run or not. */
bool print_why(const struct prepared *prepared, const struct at_hand *at_hand, bool retry_failed,
               struct arena *arena, struct error *err) MUST_CHECK;

/* The path of the sweep that an operand of `command` names: itself, or the file of an experiment by
 * its name, from experiments/ here or as installed. NULL with what may have been meant. */
const char *installed_sweep(const char *operand, const char *command, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* Names of the experiments in a folder, sorted, `limit` at most; returns how many. */
size_t installed_experiments(const char *folder, struct arena *arena, const char **names,
                             size_t limit);

/* Whether nothing says where results go: a sweep from standard input without a name, and no -o. */
bool prepared_is_nameless(const struct prepared *prepared, const struct options *options);

/* Reads sweep, corpora and arrays; creates nothing. */
bool prepare(const struct options *options, struct arena *arena, struct prepared *out,
             struct error *err) MUST_CHECK;

/* Makes the folder results where the results file `path` is to lie right in it; any other folder
 * must be there. `named`: the user asked for that path. */
bool default_folder_make(const char *path, bool named, struct error *err) MUST_CHECK;

/* store_load, with a message of its own for a sweep in place of its results. */
bool load_results(const char *path, struct arena *arena, struct result_set *out,
                  struct error *err) MUST_CHECK;

/* Reads a history; *unfinished, where it is asked for, is whether its last line lacks its line
 * feed. */
bool load_history(const char *path, struct arena *arena, struct history *out, bool *unfinished,
                  struct error *err) MUST_CHECK;

/* Whether a row at hand serves a run: it holds the matrices and the measures asked for, and is no
 * failure that is to be tried again. `row` may be NO_ROW. */
bool result_serves(const struct result_set *set, size_t row, unsigned keep, uint64_t measures,
                   bool retry_failed);

/* A bit for each measure that the sweep does not store. */
uint64_t lacking_measures(const struct prepared *prepared);

/* Bytes that the kept matrices of the plan take before compression. */
double kept_bytes(const struct prepared *prepared);

/* What doing some runs is expected to take; of budget_make, the places in the plan of the runs. */
struct budget {
    size_t runs, jobs;
    double speed;   /* of this machine, 1 for the reference */
    double seconds; /* wall clock */
    struct engine_estimate estimate;
    /* Measured: processor seconds of all threads at the journal and of saving the results file, and
     * what saving took by the clock. */
    double journal, pack, pack_seconds;
};

bool budget_make(const struct prepared *prepared, const uint32_t *runs, size_t count, size_t jobs,
                 struct budget *out, struct error *err) MUST_CHECK;

/* Refuses what this machine clearly has no memory or no room on the disk for. */
bool budget_check(const struct budget *budget, const char *output, struct error *err) MUST_CHECK;

/* OUT.h5.timing: what the last runs into a results file took beside what was expected. It is a file
 * of its own, as results do not depend on time. */
bool timing_write(const struct budget *budget, const char *output, double seconds,
                  struct error *err) MUST_CHECK;
bool timing_print(const char *output, struct arena *arena, struct error *err) MUST_CHECK;

/* reports/NAME for results/NAME.h5. */
const char *report_folder(const char *results, struct arena *arena, struct error *err) MUST_CHECK;

/* Writes the report of a set to `folder` and prints the path of report.md. */
bool write_report(const struct result_set *set, const struct options *options, const char *folder,
                  struct arena *arena, struct error *err) MUST_CHECK;

/* Facts for the results file: versions, processor, kernels, sweep hash. */
bool provenance_collect(const struct sweep *sweep, const struct plan *plan, struct arena *arena,
                        const struct provenance **items, size_t *count,
                        struct error *err) MUST_CHECK;

/* What the build states about itself: the commit, 12 digits of its hash with "-dirty" behind them
 * when files had been changed, or "unknown" and the reason; and the flags of the compiler. */
extern const char *const build_commit;
extern const char *const build_flags;

/* Whether a commit names the source exactly; of several, "A | B", whether each does. */
bool provenance_is_traceable(const char *commit);

/* The rows of a set, by what they are to this process. */
struct run_tally {
    size_t own, failed; /* its runs, and the failed ones among them */
    size_t others;      /* runs of other shards */
    size_t outside;     /* runs that the plan no longer holds */
};
struct run_tally run_tally_rows(const struct prepared *prepared, const struct result_set *set);

/* Says which of them are kept beside its own, and that some lost measures: so many. */
void run_tally_say_kept(const struct run_tally *tally, const char *path, size_t narrowed);

/* What is known of the runs at hand when a sweep goes on. */
struct origins {
    bool at_hand;                   /* there are some */
    const struct provenance *own;   /* of this program */
    const struct provenance *facts; /* of a file to which nothing is added */
    size_t own_count, count;
    const char *commits, *differing; /* as in struct joined_facts, of them and this program */
};

/* Puts the facts of a file to which this program adds runs into `description`, which has its own.
 */
bool origins_find(const struct store *store, struct result_set *description, struct arena *arena,
                  struct origins *out, struct error *err) MUST_CHECK;

/* Puts right those of a set of which this program has `done` runs: none, or all of it. */
void origins_settle(const struct origins *origins, size_t done, struct result_set *set);

/* ERROR_INPUT unless the commits of the runs at hand in `path` are traceable. */
bool origins_are_traceable(const struct result_set *at_hand, const char *path,
                           struct error *err) MUST_CHECK;

/* A line where not all was made alike; `added`: this program has run something. */
void origins_say(const struct origins *origins, const char *path, bool added);

/* "Intel Xeon ..."; "unknown" where the system does not say. Static text. */
const char *provenance_processor(void);

/* The number of the first signal that asked the program to end, 0 before; a second one ends it at
 * once. */
extern atomic_int cli_stop;
void signals_install(void);

/* A file size limit or a closed pipe comes back as an error instead of ending the process. */
void signals_ignore_limits(void);

/* A line for people on stderr, made safe for a terminal. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A text as a word of a shell command, quoted where it must be. */
const char *cli_word(const char *text, struct arena *arena, struct error *err) MUST_CHECK;

/* Whether two paths lead to one file, be it there or not; false for NULL. */
bool cli_same_file(const char *a, const char *b);

/* Whether what --`option` names may be replaced: a results file or a journal may not, a slip that
 * would cost a night. ERROR_USAGE otherwise. */
bool cli_spares_results(const char *option, const char *path, struct error *err) MUST_CHECK;

/* With --verbose: what runs read and are expected to take, and what they took. */
void narrate_intent(const struct prepared *prepared, const struct budget *budget,
                    struct arena *arena);
void narrate_times(const struct budget *budget);

/* What to do with the results; `report` is the folder of their report, NULL for none. */
void narrate_next(const char *results, const char *report, struct arena *arena);

/* Progress of a known number of steps on stderr. */
struct progress {
    enum progress_mode mode; /* resolved: never AUTO */
    size_t total, done, failed;
    double started, last_shown;
    int last_percent;
    bool drawn; /* a bar stands on the current line */
    struct eta eta;
    const struct engine_pace *pace; /* of the threads */
    size_t threads;
    double learning, learning_since; /* cost of the word vectors in hand, 0 for none */
};

/* `eta` with nothing done yet; `threads` at most. */
void progress_start(struct progress *progress, enum progress_mode mode, size_t total,
                    size_t threads, const struct eta *eta, const struct engine_pace *pace);
/* Word vectors are about to be learned, for `seconds` of one thread of the machine of
 * engine/estimate.h; those before are learned. */
void progress_learn(struct progress *progress, double seconds);
/* The pace is that after the runs done since the last step, or after a part of a long one. */
void progress_step(struct progress *progress, size_t done, size_t failed);
void progress_end(struct progress *progress);

/* Seconds on a clock that never steps back; processor seconds of this thread, and of all. */
double cli_seconds(void);
double cli_thread_seconds(void);
double cli_processor_seconds(void);

/* "1,234,567" in static storage, valid for the next seven calls. */
const char *cli_count(uint64_t number);

/* "0.4 s", "3 min 20 s", "2 h 5 min" in `out` of at least 40 bytes. */
char *cli_duration(double seconds, char *out);

/* "1.2 MB" in `out` of at least 40 bytes. */
char *cli_bytes(double bytes, char *out);

#endif
