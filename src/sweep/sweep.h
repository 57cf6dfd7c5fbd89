/* SPDX-License-Identifier: MIT */
/* A sweep file: YAML text to a checked description, and that to an ordered plan of runs.
 * Every fault of the schema is reported at once, one line each: file:line:column: what is wrong. */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "base/arena.h"
#include "run/results.h"
#include "run/run_list.h"

struct sweep_internal; /* sweep/sweep_internal.h */

struct sweep {
    const char *path;   /* as given; "-" for standard input */
    const char *folder; /* that paths in the sweep are relative to */
    const char *name;   /* `name`, or the file's stem; "sweep" for standard input */
    bool named;         /* by `name` */
    const char *title;  /* `title`, or the name */
    const char *text;   /* the file as read, NUL-terminated */
    size_t text_size;
    uint64_t measures;               /* bit m: measure m is to be stored */
    struct sweep_internal *internal; /* axes, rules, kept matrices */
};

/* The keys of a sweep file: those of its top level, and `guards`, which stands where fields do. */
enum sweep_key_index {
    SWEEP_ROWMAX,
    SWEEP_NAME,
    SWEEP_TITLE,
    SWEEP_INCLUDE,
    SWEEP_FIXED,
    SWEEP_GRID,
    SWEEP_ZIP,
    SWEEP_EXCLUDE,
    SWEEP_SATURATION,
    SWEEP_KEEP,
    SWEEP_MEASURES,
    SWEEP_TOP_KEYS, /* how many the top level has */
    SWEEP_GUARDS = SWEEP_TOP_KEYS,
    SWEEP_KEY_COUNT
};

struct sweep_key {
    const char *name;
    const char *help; /* lines without a full stop at the end */
};

extern const struct sweep_key sweep_keys[SWEEP_KEY_COUNT];

/* The key of the top level of that name, or SWEEP_TOP_KEYS. */
size_t sweep_key_find(const char *name);

/* A JSON Schema (draft 7) of the sweep file, made from the field table and the keys: what editors
 * check and complete by. What a schema cannot say is listed in schema.c. */
const char *sweep_schema(struct arena *arena, struct error *err) MUST_CHECK;

#define SWEEP_FILE_LIMIT ((size_t)4 << 20)
#define SWEEP_DEPTH_LIMIT 32
#define SWEEP_NODE_LIMIT 200000
#define SWEEP_RUN_LIMIT 1000000
#define SWEEP_RULE_LIMIT ((uint64_t)1 << 28) /* runs times rules of exclusion: some seconds */

/* Reads and checks a sweep; ERROR_INPUT (or ERROR_USAGE for a bad --set) on failure. Each of `sets`
 * is the `field=value` of one --set: the value is read as YAML, a list or a range makes an axis,
 * and it replaces whatever the file sets for the field. Texts and paths are taken whole unless they
 * begin with '[', '{' or a quote; `guards`, `saturation.row_max`, `saturation.gradient`, `name` and
 * `title` work too. */
bool sweep_read(const char *path, const char *const *sets, size_t set_count, struct arena *arena,
                struct sweep *out, struct error *err) MUST_CHECK;

/* The same for text in memory; `path` stands for the file in messages. */
bool sweep_parse(const char *path, const char *text, size_t size, const char *const *sets,
                 size_t set_count, struct arena *arena, struct sweep *out,
                 struct error *err) MUST_CHECK;

/* What a rule of the sweep did to the plan, for `rowmax plan`. */
struct plan_rule {
    const char *text;  /* e.g. "exclude corpus=harbour guard_norm=on", "duplicates" */
    uint64_t excluded; /* runs it took away */
};

/* An axis as `rowmax plan` shows it. */
struct plan_axis {
    const char *name; /* "d_model", "guards", or zipped names joined by ',' */
    size_t values;
};

enum { PLAN_KEEP_SCORES = RESULT_SCORES, PLAN_KEEP_WEIGHTS = RESULT_WEIGHTS };

/* The runs in order: grids as written, the last axis fastest within a grid, duplicates removed. */
struct plan {
    uint64_t points; /* before exclusion and duplicates */
    size_t count;
    struct run_list runs;      /* whoever reads the inputs may complete them */
    const unsigned char *keep; /* PLAN_KEEP_... of each run */
    const struct plan_rule *rules;
    size_t rule_count;
    const struct plan_axis *axes;
    size_t axis_count;
};

/* Expands the sweep; the points are counted in checked 64 bit before anything is allocated.
 * ERROR_INPUT when there are more than `limit` points or no run is left. */
bool plan_make(const struct sweep *sweep, uint64_t limit, struct arena *arena, struct plan *out,
               struct error *err) MUST_CHECK;

/* The version of libyaml in use. */
const char *sweep_yaml_version(void);

#endif
