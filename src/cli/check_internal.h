/* SPDX-License-Identifier: MIT */
/* What the files of `rowmax check` share: the comparison and the documents made of it. */
#ifndef CLI_CHECK_INTERNAL_H
#define CLI_CHECK_INTERNAL_H

#include "cli/cli_internal.h"
#include "report/contrasts.h"
#include "summary/gate.h"
#include "summary/history.h"

#define CHECK_LISTED_LIMIT 20 /* new runs, missing runs and steps that are printed, each */

struct check {
    const char *results, *baseline, *tolerance; /* paths; tolerance may be NULL */
    const char *name;                           /* of the sweep */
    struct gate gate;
    struct contrasts
        fields; /* that differ, the baseline first; looked for where no run is in both */
    bool strict_baseline, fail_on_improvement; /* what is a failure then */
    const char *const *warnings;
    size_t warning_count;
    bool has_history;
    struct history_steps steps;
};

/* A file that new runs read, with another content than in the baseline. */
struct check_content {
    int field;        /* enum run_field, as RUN_CORPUS */
    const char *path; /* as the sweep names it */
};

#define CHECK_CONTENTS_LIMIT 10

/* How many there are, up to the limit. */
size_t check_contents(const struct gate *gate, struct check_content out[CHECK_CONTENTS_LIMIT]);

/* One line a deviation, tab-separated under a heading, then new and missing runs, steps and a line
 * that sums up. */
void check_append_lines(struct text *text, const struct check *check);

/* One JSON document, its line feed included. */
void check_append_json(struct text *text, const struct check *check);

/* The same keys for a check that could not be made, of which the paths are known. */
void check_append_json_error(struct text *text, const struct check *check,
                             const struct error *error);

/* JUnit XML: a test case a run. */
void check_append_junit(struct text *text, const struct check *check);
void check_append_junit_error(struct text *text, const struct error *error);

/* Lines that GitHub Actions shows beside a job; at most ten of each kind, as many as it shows. */
void check_append_github(struct text *text, const struct check *check);
void check_append_github_error(struct text *text, const struct error *error);

/* "0123456789abcdef". */
void check_append_key(struct text *text, uint64_t key);

/* A measure's value as text: "ok" and "failed" for the status. Returns a static text or `out`. */
const char *check_value(int measure, double value, char out[TEXT_REAL_SIZE]);

/* "lower is better" and so on. */
const char *check_direction(int measure);

/* Whether the state of a run is one that fails this check. */
bool check_run_fails(const struct check *check, enum gate_state state);

/* "pass", "fail" or "nothing compared". */
const char *check_verdict_name(enum gate_verdict verdict);

/* The words for the bits of gate.reasons; NULL ends the list. */
struct check_reason {
    unsigned bit;
    const char *name;
};
extern const struct check_reason check_reasons[];

#endif
