/* SPDX-License-Identifier: MIT */
/* The command table, which help and the man page test read too, and version. */
#include "base/processor.h"
#include "cli/cli_internal.h"
#include "numeric/lapack.h"
#include "store/store.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

#define TALK (OPTION_PROGRESS | OPTION_QUIET)

const struct command commands[] = {
    {"plan", "SWEEP", 1, 1, 0,
     OPTION_SET | OPTION_OUTPUT | OPTION_JOBS | OPTION_MAX_RUNS | OPTION_LIST |
         OPTION_RETRY_FAILED | OPTION_SHARD | OPTION_WHY | OPTION_SHARDS | OPTION_OUT,
     "show the runs of a sweep, what they cost and what a resume would do",
     "Reads the sweep and its inputs and starts nothing. -o names the results file to compare "
     "with. With\n--shards and --out, writes a planned folder, which takes the place of SWEEP in "
     "run and of the parts in merge.",
     command_plan},
    {"run", "SWEEP", 1, 1, 0,
     OPTION_OUTPUT | OPTION_JOBS | OPTION_SET | OPTION_FRESH | OPTION_RETRY_FAILED |
         OPTION_FAIL_FAST | OPTION_REPORT | OPTION_FORMAT | OPTION_MAX_RUNS | OPTION_SHARD |
         OPTION_RUN_TIMEOUT | OPTION_RECOVER | OPTION_REQUIRE_PROVENANCE | OPTION_FORCE |
         OPTION_NO_LOCK | OPTION_VERBOSE | TALK,
     "run what is missing and save the results",
     "Results go to -o, results/NAME.h5 by default. Runs that are there already are not run again; "
     "a "
     "stopped sweep goes on where it was.",
     command_run},
    {"merge", "PART...", 1, SIZE_MAX, 0,
     OPTION_OUTPUT | OPTION_PARTIAL | OPTION_NO_LOCK | OPTION_QUIET,
     "put the results files of shards together into the one of -o",
     "The file is that of one process that did all runs, byte for byte. Parts of another sweep, "
     "version or\ncorpus are refused, and so are missing runs, unless --partial. Parts stay as "
     "they "
     "are. A planned folder\nstands for its parts and, unless -o is given, the output sweep.h5 in "
     "it.",
     command_merge},
    {"submit", "FOLDER", 1, 1, OPTION_ENGINE,
     OPTION_ENGINE | OPTION_PARTITION | OPTION_TIME | OPTION_THROTTLE | OPTION_ACCOUNT |
         OPTION_MEM | OPTION_CONSTRAINT | OPTION_SBATCH_ARG | OPTION_MISSING | OPTION_WAIT |
         OPTION_ALLOW_LOCAL | OPTION_NO_REPORT | OPTION_QUIET,
     "hand the shards of a planned folder to a cluster, and their merge",
     "Writes the scripts of a job array and of a merge that waits for it, and calls sbatch for "
     "both. The merge\nwrites FOLDER/report as well. All nodes must see the folder and this "
     "program "
     "under the names they have here.",
     command_submit},
    {"status", "FOLDER", 1, 1, 0, 0, "say how far a planned folder is, from its files",
     "What the batch system says about its jobs is added where it answers.", command_status},
    {"cancel", "FOLDER", 1, 1, 0, OPTION_QUIET, "end the jobs of a planned folder",
     "Finished runs are kept; 'rowmax submit FOLDER --missing' goes on.", command_cancel},
    {"report", "RESULTS [LATER]", 1, 2, 0,
     OPTION_OUTPUT | OPTION_FORMAT | OPTION_HISTORY | OPTION_TOLERANCE,
     "write report.md and its figures from a results file, or on what moved between two",
     "The report goes to the folder -o, reports/NAME by default; the path of report.md is printed. "
     "With\n--history it shows every night of a history that check wrote, and where a measure "
     "stepped beyond\n--tolerance. With a second results file of the same sweep it says what moved "
     "from the first to the second\nbeyond --tolerance, in reports/NAME-vs-LATER.",
     command_report},
    {"check", "RESULTS", 1, 1, OPTION_AGAINST,
     OPTION_AGAINST | OPTION_TOLERANCE | OPTION_JSON | OPTION_JUNIT | OPTION_GITHUB |
         OPTION_STRICT_HOST | OPTION_STRICT_BASELINE | OPTION_FAIL_ON_IMPROVEMENT |
         OPTION_MIN_COMPARED | OPTION_HISTORY | OPTION_DATE,
     "compare results with a baseline, measure by measure",
     "A measure deviates when |now - baseline| > atol + rtol |baseline|; atol is 1e-10 and rtol "
     "1e-8 "
     "unless\n--tolerance says otherwise, and counts must be equal. Away from saturation is an "
     "improvement, anything\nelse a regression. Prints one tab-separated line each. Exit status 1: "
     "a regression, or what a strict\noption asks for; 4: no run could be compared, or fewer than "
     "--min-compared.\nA second check on one date appends another line to --history, which counts "
     "as another night.",
     command_check},
    {"export", "RESULTS", 1, 1, OPTION_EXPORT_FORMAT,
     OPTION_EXPORT_FORMAT | OPTION_OUTPUT | OPTION_FIELDS | OPTION_WHERE | OPTION_DIFF |
         OPTION_TOLERANCE | OPTION_STRICT | OPTION_QUIET,
     "write results as a table, or as data for a course page",
     "csv, json and jsonl have a row a run and go to standard output unless -o names a file. "
     "module\nwrites the folder -o, an index and a file for each corpus and seed; with --diff, "
     "what "
     "moved since an\nearlier one is printed, and without -o nothing is written.",
     command_export},
    {"show", "RESULTS", 1, 1, 0, OPTION_PROVENANCE | OPTION_VERIFY | OPTION_TIMING,
     "print what a results file holds",
     "--verify ends with status 5 and a line for each fault where something does not hold.",
     command_show},
    {"fields", "", 0, 0, 0, 0, "list every field of a sweep and every measure", NULL,
     command_fields},
    {"init", "[FILE]", 0, 1, 0, OPTION_QUIET, "write a first sweep, with comments, to change",
     "FILE is sweep.yaml unless given, and - standard output. A file that is there already is left "
     "alone.",
     command_init},
    {"schema", "", 0, 0, 0, 0, "print a JSON Schema of the sweep file, for editors",
     "Editors with yaml-language-server check and complete a sweep by it, where a line of the "
     "sweep "
     "says\n# yaml-language-server: $schema=PATH",
     command_schema},
    {"theory", "", 0, 0, OPTION_TOKENS, OPTION_TOKENS | OPTION_SPREAD | OPTION_LAYOUT,
     "print what rows of independent normal scores show on average",
     "Exact expectations for --tokens scores of standard deviation --spread, and the spreads at "
     "which a\ntenth, half and nine tenths of the gradient are gone: onset, saturated, collapsed. "
     "A row of the report\nis saturated by another measure, its row-max: row_max_at_0_9 is the "
     "spread at which that is 0.9 on\naverage. Without --spread these four alone. Nothing is run.",
     command_theory},
    {"properties", "", 0, 0, 0, OPTION_WEIGHTS | OPTION_LAYOUT,
     "look for counter-examples to what weights are said to be",
     "A fixed catalogue of rows, then random ones, always the same; the smallest counter-example "
     "is "
     "shown. 'yes' means that none was found.",
     command_properties},
    {"completion", "SHELL", 1, 1, 0, 0,
     "print what makes a shell complete commands and their options",
     "SHELL is bash, zsh or fish. In bash: eval \"$(rowmax completion bash)\". In zsh the output "
     "is "
     "the file _rowmax\nin a folder of $fpath, in fish rowmax.fish in ~/.config/fish/completions.",
     command_completion},
    {"doctor", "", 0, 0, 0, 0, "check that this machine can do the job", NULL, command_doctor},
    {"help", "[TOPIC]", 0, 1, 0, 0,
     "explain a command, a field, a measure or a key of the sweep file", NULL, command_help},
    {"version", "", 0, 0, 0, 0, "print versions of rowmax and its libraries", NULL,
     command_version},
};
const size_t command_count = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

bool command_version(const struct options *options, struct arena *arena, struct error *err)
{
    struct lapack lapack;
    char name[LAPACK_NAME_SIZE];
    (void)options;
    (void)arena;
    if (!lapack_load(&lapack, err)) {
        return false;
    }
    printf("rowmax %s\n", ROWMAX_VERSION);
    printf("commit %s\n", build_commit);
    printf("processor level %s%s\n", processor_level_name(processor_level()),
           processor_is_forced() ? ", forced by ROWMAX_CPU" : "");
    printf("HDF5 %s, %s, glibc %s\n", store_hdf5_version(), lapack_name(&lapack, name),
           gnu_get_libc_version());
    return true;
}
