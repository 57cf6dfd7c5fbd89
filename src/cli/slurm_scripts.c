/* SPDX-License-Identifier: MIT */
/* The two scripts that a planned folder sends to Slurm; see slurm.h. */
#include "cli/slurm.h"

/* Seconds before the time limit at which a shard is told to save, and how often a shard starts
 * again that was killed, found its results in use, or got nothing done. */
#define WARNING_SECONDS 60
#define MOST_TRIES 5

/* A word of a shell script, whatever is in it. */
static void append_quoted(struct text *text, const char *word)
{
    text_append(text, "'");
    for (const char *at = word; *at != '\0'; at++) {
        if (*at == '\'') {
            text_append(text, "'\\''");
        } else {
            text_append_bytes(text, at, 1);
        }
    }
    text_append(text, "'");
}

static void append_value(struct text *text, const char *option, const char *value)
{
    if (value != NULL) {
        text_append_format(text, "#SBATCH --%s=%s\n", option, value);
    }
}

/* What both scripts ask for. The user's own lines come last: of two the later one holds. */
static void append_requests(struct text *text, const struct cluster_options *options)
{
    text_append(text, "#SBATCH --open-mode=append\n#SBATCH --ntasks=1\n");
    append_value(text, "partition", options->partition);
    append_value(text, "account", options->account);
    append_value(text, "mem", options->memory);
    append_value(text, "constraint", options->constraint);
    if (options->minutes > 0) {
        text_append_format(text, "#SBATCH --time=%llu\n", (unsigned long long)options->minutes);
    }
    for (size_t i = 0; i < options->line_count; i++) {
        text_append_format(text, "#SBATCH %s\n", options->lines[i]);
    }
}

static void append_names(struct text *text, const char *program, const char *folder)
{
    text_append(text, "\nrowmax=");
    append_quoted(text, program);
    text_append(text, "\nfolder=");
    append_quoted(text, folder);
    text_append(text, "\n");
}

/* Why it is as it is:
 * - the worker is in the background, since bash acts on a signal only between two commands;
 * - the limit is announced by USR1 and not TERM, which is what scancel sends: who cancels a shard
 *   does not want it back;
 * - SLURM_ARRAY_TASK_COUNT is not the number of shards where only some were submitted;
 * - SLURM_JOB_ID of one task of an array is the id of the array, and requeues all of it. */
static const char shards_body[] =
    "shard=${SLURM_ARRAY_TASK_ID:?this is one task of a job array}\n"
    "start=${SLURM_RESTART_COUNT:-0}\n"
    "cd \"$folder\" || exit 5\n"
    "part=$(printf 'parts/part-%05d.h5' \"$shard\")\n"
    "tries=slurm/tries-$shard\n"
    "export HDF5_USE_FILE_LOCKING=FALSE\n"
    "\n"
    "say() { echo \"$(date '+%F %T') shard $shard start $start on ${SLURMD_NODENAME:-?}: $*\"; }\n"
    "at_hand() { cat \"$part\" \"$part.journal\" 2>/dev/null | cksum; }\n"
    "\n"
    "worker= woken=no near=no early=\n"
    "pass_on() {\n"
    "  woken=yes\n"
    "  if [ -n \"$worker\" ]; then kill -\"$1\" \"$worker\" 2>/dev/null; else early=$1; fi\n"
    "}\n"
    "trap 'near=yes; say \"the time limit is near\"; pass_on USR1' USR1\n"
    "trap 'near=no; say \"told to end\"; pass_on TERM' TERM INT\n"
    "\n"
    "[ \"$start\" != 0 ] || echo 0 >\"$tries\"\n"
    "before=$(at_hand)\n"
    "say \"begins\"\n"
    "\"$rowmax\" run \"$folder\" --shard \"$shard/$shards\" -j \"${SLURM_CPUS_PER_TASK:-1}\" "
    "--progress none &\n"
    "worker=$!\n"
    "[ -z \"$early\" ] || kill -\"$early\" \"$worker\" 2>/dev/null\n"
    "woken=no\n"
    "wait \"$worker\"\n"
    "code=$?\n"
    "while [ \"$woken\" = yes ]; do # a signal has ended the waiting, not the worker\n"
    "  woken=no\n"
    "  wait \"$worker\"\n"
    "  code=$?\n"
    "done\n"
    "say \"ends with status $code\"\n"
    "\n"
    "again=no counts=no\n"
    "case $code in\n"
    "  130 | 138 | 143) # told to end: what was finished is saved\n"
    "    again=$near\n"
    "    [ \"$(at_hand)\" != \"$before\" ] || counts=yes ;;\n"
    "  5 | 137) # its results are in use or out of reach; killed, perhaps for want of memory\n"
    "    again=yes counts=yes ;;\n"
    "esac\n"
    "if [ $again = yes ] && [ $counts = yes ]; then\n"
    "  tried=$(cat \"$tries\" 2>/dev/null || echo 0)\n"
    "  if [ \"$tried\" -ge \"$most\" ]; then\n"
    "    say \"given up after $tried tries; mend the cause, then: rowmax submit FOLDER "
    "--missing\"\n"
    "    again=no\n"
    "  fi\n"
    "  echo $((tried + 1)) >\"$tries\"\n"
    "fi\n"
    "if [ $again = yes ]; then\n"
    "  say \"back to the queue\"\n"
    "  scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$shard\" && sleep 60 # Slurm ends it meanwhile\n"
    "  say \"cannot be requeued; later: rowmax submit FOLDER --missing\"\n"
    "fi\n"
    "exit $code\n";

const char *slurm_shards_script(const char *program, const char *folder, size_t shards,
                                const struct cluster_options *options, struct arena *arena,
                                struct error *err)
{
    struct text text = TEXT_INIT(arena);
    text_append_format(&text,
                       "#!/bin/bash\n"
                       "# One shard of a sweep, written by rowmax submit.\n"
                       "#SBATCH --job-name=rowmax-shard\n"
                       "#SBATCH --output=log/shard-%%a.log\n"
                       "#SBATCH --requeue\n"
                       "#SBATCH --cpus-per-task=1\n"
                       "#SBATCH --signal=B:USR1@%d\n",
                       WARNING_SECONDS);
    append_requests(&text, options);
    append_names(&text, program, folder);
    text_append_format(&text, "shards=%zu most=%d\n", shards, MOST_TRIES);
    text_append(&text, shards_body);
    return text_finish(&text, err);
}

/* A report of all runs, also where some have failed (3). */
static const char report_body[] =
    "if [ $code = 0 ] || [ $code = 3 ]; then\n"
    "  \"$rowmax\" report \"$folder/sweep.h5\" -o \"$folder/report\"\n"
    "  reported=$?\n"
    "  echo \"$(date '+%F %T') report ends with status $reported\"\n"
    "  [ $code != 0 ] || code=$reported\n"
    "fi\n";

const char *slurm_merge_script(const char *program, const char *folder,
                               const struct cluster_options *options, struct arena *arena,
                               struct error *err)
{
    struct text text = TEXT_INIT(arena);
    text_append(&text, "#!/bin/bash\n"
                       "# Merges the shards of a sweep, written by rowmax submit.\n"
                       "#SBATCH --job-name=rowmax-merge\n"
                       "#SBATCH --output=log/merge.log\n");
    append_requests(&text, options);
    append_names(&text, program, folder);
    text_append(&text, "export HDF5_USE_FILE_LOCKING=FALSE\n"
                       "\"$rowmax\" merge \"$folder\"\n"
                       "code=$?\n"
                       "echo \"$(date '+%F %T') merge ends with status $code\"\n");
    if (!options->no_report) {
        text_append(&text, report_body);
    }
    text_append(&text, "exit $code\n");
    return text_finish(&text, err);
}
