/* SPDX-License-Identifier: MIT */
/* A history of nights: one line of JSON each, with the mean of every measure in every group of
 * runs, and the night where one of them stepped. Pure: no I/O. */
#ifndef SUMMARY_HISTORY_H
#define SUMMARY_HISTORY_H

#include "run/tolerance.h"
#include "summary/summary.h"

#define HISTORY_SIZE_LIMIT ((size_t)256 << 20)

/* A sweep of more groups is one group in its history. */
#define HISTORY_GROUP_LIMIT 256

struct history_group {
    const char *where; /* "corpus=demo guards=none"; "" for all runs together */
    uint64_t runs;
    double means[MEASUREMENT_FIELD_COUNT]; /* NaN where not finite or not known */
    const struct run *sample;              /* one of its runs; NULL when read from a file */
};

struct history_night {
    const char *date;    /* "2026-11-29" */
    const char *name;    /* of the sweep */
    const char *version; /* of rowmax, that made the results */
    const char *verdict; /* "pass", "fail" or "nothing compared" */
    uint64_t compared, regressions, improvements;
    bool other_host; /* than the baseline's; false where a line does not tell */
    const struct history_group *groups;
    size_t group_count;
};

struct history {
    const struct history_night *nights; /* as they were appended */
    size_t count;
};

/* Reads the lines of a history; an empty text is an empty history. ERROR_INPUT as path:line:column
 * names the first line that is none of a history. */
bool history_parse(const char *path, const char *text, size_t size, struct arena *arena,
                   struct history *out, struct error *err) MUST_CHECK;

/* The groups of tonight's results; the other members are the caller's. */
bool history_groups(const struct summary *summary, struct arena *arena, struct history_night *out,
                    struct error *err) MUST_CHECK;

/* The night as a line, its line feed included. */
const char *history_line(const struct history_night *night, struct arena *arena,
                         struct error *err) MUST_CHECK;

/* A measure of a group that stepped. */
struct history_step {
    const char *where;
    int measure;
    size_t night; /* first one of the new level; history.count is tonight */
    const char *date;
    double before, after;
};

struct history_steps {
    const struct history_step *items; /* the latest night first, then by group and measure */
    size_t count;
};

/* Follows every measure of tonight's groups back through the nights of the same sweep; nights in
 * which it is not a finite number are passed over. */
bool history_find_steps(const struct history *history, const struct history_night *tonight,
                        const struct tolerance_set *tolerances, struct arena *arena,
                        struct history_steps *out, struct error *err) MUST_CHECK;

#endif
