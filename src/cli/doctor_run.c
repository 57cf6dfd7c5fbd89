/* SPDX-License-Identifier: MIT */
/* The checks of rowmax doctor that do what a run does: threads, locks, HDF5; and what is installed.
 */
#include "base/data_folder.h"
#include "base/files.h"
#include "cli/cli_internal.h"
#include "cli/doctor.h"
#include "engine/threads.h"
#include "run/measurement.h"
#include "store/store.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNS 8

/* The softmax of 2, 1 and 0.1 has a largest weight of 1 / (1 + exp(-1) + exp(-1.9)). */
static const char known_sweep[] = "rowmax: 1\n"
                                  "fixed: {source: scores, scores: [2, 1, 0.1]}\n"
                                  "grid: {score_factor: [1, 2, 3, 4, 5, 6, 7, 8]}\n";

/* Removes what a run left in the folder. */
static void tidy(const char *folder, struct arena *arena)
{
    static const char *const names[] = {"check.yaml", "check.h5", "check.h5.timing",
                                        "check.h5.journal", "check.h5.lock"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct error ignored = ERROR_INIT;
        const char *path = files_join(arena, folder, names[i], &ignored);
        if (path != NULL) {
            unlink(path);
        }
    }
}

/* Whether the file holds the numbers that the sweep must give. */
static bool is_known(const char *path, struct arena *arena, struct error *err)
{
    struct result_set set;
    const struct field *measure = measurement_field_find("row_max_mean");
    if (!store_load(path, arena, &set, err)) {
        return false;
    }
    bool right = set.count == RUNS && measure != NULL;
    for (size_t row = 0; right && row < set.count; row++) {
        double factor = (double)(row + 1);
        double known = 1 / (1 + exp(-factor) + exp(-1.9 * factor));
        double found = result_number(&set, row, (size_t)(measure - measurement_fields));
        right = fabs(found - known) <= 1e-14 * known;
    }
    return right || error_set(err, ERROR_FILE,
                              "numbers came back wrong; install libhdf5 and rowmax of one system");
}

static bool run_known(const char *folder, struct arena *arena, struct error *err)
{
    const char *sweep = files_join(arena, folder, "check.yaml", err);
    const char *results = files_join(arena, folder, "check.h5", err);
    if (sweep == NULL || results == NULL ||
        !files_replace(sweep, known_sweep, sizeof known_sweep - 1, err)) {
        return false;
    }
    const struct options options = {.output = results,
                                    .jobs = threads_processors(),
                                    .quiet = true,
                                    .max_runs = RUNS,
                                    .operands = &sweep,
                                    .operand_count = 1};
    return command_run(&options, arena, err) && is_known(results, arena, err);
}

bool doctor_run(const char *folder, struct arena *arena)
{
    struct error err = ERROR_INIT;
    bool good = run_known(folder, arena, &err);
    tidy(folder, arena);
    doctor_tell(good ? VERDICT_OK : VERDICT_FAIL, "results", "HDF5 %s; %s", store_hdf5_version(),
                good ? "a sweep was run, written here and read back, to the known numbers"
                     : err.message);
    return good;
}

bool doctor_locks(const char *folder, struct arena *arena)
{
    struct error err = ERROR_INIT;
    struct store_found found;
    const char *path = files_join(arena, folder, "check.h5", &err);
    struct store *first = path == NULL ? NULL : store_open(path, 0, arena, &found, &err);
    struct error refusal = ERROR_INIT;
    struct store *second = first == NULL ? NULL : store_open(path, 0, arena, &found, &refusal);
    bool good = first != NULL && second == NULL;
    store_close(second);
    store_close(first);
    tidy(folder, arena);
    doctor_tell(good ? VERDICT_OK : VERDICT_FAIL, "locks", "%s",
                good            ? "a second writer is kept out of results in this folder"
                : first == NULL ? err.message
                                : "two programs could write one results file in this folder; use a "
                                  "local disk, or see to it that only one does");
    return good;
}

bool doctor_threads(void)
{
    size_t wanted = threads_processors();
    size_t started = threads_that_start(wanted);
    long machine = sysconf(_SC_NPROCESSORS_ONLN);
    if (started < wanted) {
        doctor_tell(VERDICT_FAIL, "threads",
                    "%zu of %zu start; raise the limit on processes (ulimit -u)", started, wanted);
    } else if (machine > 0 && wanted < (size_t)machine) {
        doctor_tell(VERDICT_NOTE, "threads",
                    "%zu start, but only %zu of %ld processors are given to this shell; use -j %zu",
                    started, wanted, machine, wanted);
    } else {
        doctor_tell(VERDICT_OK, "threads", "%zu start, one a processor", started);
    }
    return started == wanted;
}

/* How many files of the folder end so. */
static size_t count_files(const char *folder, const char *ending)
{
    size_t count = 0;
    DIR *open = opendir(folder);
    for (const struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        size_t length = strlen(entry->d_name);
        size_t end = strlen(ending);
        count += length > end && strcmp(entry->d_name + length - end, ending) == 0;
    }
    if (open != NULL) {
        closedir(open);
    }
    return count;
}

void doctor_data(struct arena *arena)
{
    struct error err = ERROR_INIT;
    const char *data = data_folder(arena, &err);
    const char *corpora = data == NULL ? NULL : files_join(arena, data, "corpora", &err);
    const char *experiments = data == NULL ? NULL : files_join(arena, data, "experiments", &err);
    if (corpora == NULL || experiments == NULL) {
        return;
    }
    size_t texts = count_files(corpora, ".txt") + count_files(corpora, ".txt.gz");
    size_t sweeps = count_files(experiments, ".yaml");
    if (texts > 0 && sweeps > 0) {
        doctor_tell(VERDICT_OK, "data", "%zu corpora and %zu experiments in %s", texts, sweeps,
                    data);
    } else {
        doctor_tell(VERDICT_NOTE, "data",
                    "no corpora and experiments in %s; a name is looked for beside the sweep, here "
                    "and in ROWMAX_CORPORA; 'cmake --install' puts them there",
                    data);
    }
}
