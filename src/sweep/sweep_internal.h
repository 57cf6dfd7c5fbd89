/* SPDX-License-Identifier: MIT */
/* Private to sweep/: the checked description of a sweep, and the reader that makes it. */
#ifndef SWEEP_SWEEP_INTERNAL_H
#define SWEEP_SWEEP_INTERNAL_H

#include "run/fields.h"
#include "sweep/sweep.h"
#include "sweep/yaml_tree.h"

#define GUARDS_NAME "guards"

union field_value {
    int64_t integer;
    double real;
    bool on;
    int choice;
    const char *text;
};

enum setting_use {
    SETTING_FIXED,    /* one value */
    SETTING_AXIS,     /* a value, a list or a range */
    SETTING_CONDITION /* the same, in exclude and where; the rows are sorted */
};

/* What is set: fields that move together through `count` rows of values. One field, the three
 * switches of `guards`, or the `parts` of a zip (which then hold the fields and values). */
struct setting {
    const char *name;
    struct place place;
    uint64_t mask; /* of the fields, parts included */
    enum run_field fields[3];
    size_t columns;            /* fields in use; 0 when there are parts */
    union field_value *values; /* (count, columns) */
    size_t count, capacity;
    unsigned guard_sets; /* bit m: guards holds the set of mask m */
    enum setting_use use;
    bool broken;           /* a value was refused: count tells nothing */
    const char *spelled;   /* the values as written, cut when long */
    struct setting *parts; /* of a zip */
    struct setting *next;
};

/* An exclude rule: a run goes when each condition holds one of its rows. */
struct rule {
    const char *text;
    struct setting *conditions;
    struct rule *next;
};

/* Axes run in the order leading, one block, trailing; blocks are the grids, whose union is taken.
 */
struct sweep_internal {
    struct setting *leading; /* fixed and zip as far as they stand before grid */
    struct setting **blocks; /* at least one, may be empty */
    size_t block_count;
    struct setting *trailing; /* after grid, and new ones from --set */
    struct rule *rules;
    size_t rule_count;
    unsigned keep; /* PLAN_KEEP_... */
    struct setting *keep_where;
};

/* Files that sweeps include, in all and one below the other. */
#define INCLUDE_FILE_LIMIT 64
#define INCLUDE_DEPTH_LIMIT 8

/* A file that belongs to a sweep, by the number that places have; 0 is the sweep itself. */
struct included {
    const char *text;
    size_t size;
    const char *name;   /* as the sweep would name it: relative to the sweep's folder */
    const char *folder; /* the folder part of that */
};

/* While a sweep is read. */
struct reader {
    struct arena *arena;
    struct error *err; /* memory only, until problems_finish */
    struct problems problems;
    struct sweep *sweep;
    struct sweep_internal *internal;
    struct run scratch; /* that values are typed in */
    bool guessing; /* an unknown section may hide any field: nothing can be said to be missing */
    size_t rows;   /* of all settings, against sweeps that name more than memory holds */
    const struct included *included; /* NULL when nothing is included */
    size_t included_count;           /* the sweep counted */
};

/* settings.c */

/* One `field: value` of a sweep. NULL when the key is no field (a problem was added) or memory is
 * short; values that do not fit are problems too and leave the setting broken. */
struct setting *setting_read(struct reader *reader, const struct node *key,
                             const struct node *value, enum setting_use use);

/* The field whatever its name, for those that have a place of their own. */
struct setting *setting_read_field(struct reader *reader, enum run_field field,
                                   const struct node *key, const struct node *value,
                                   enum setting_use use);

/* Room for `more` rows of a setting whose length is known. */
void setting_reserve(struct reader *reader, struct setting *setting, size_t more);

/* One more row, to be filled in; NULL when memory is short or, with a problem added, when there are
 * too many. */
union field_value *setting_add_row(struct reader *reader, struct setting *setting,
                                   struct place place);

/* One more row, of the field's value as the text spells it; a problem where it does not fit. */
void setting_add_text(struct reader *reader, struct setting *setting, const char *text,
                      struct place place);

/* Puts row `row` into the run. */
void setting_apply(const struct setting *setting, size_t row, struct run *run);

/* Whether the run holds one of the rows of every condition in the list. */
bool settings_match(const struct setting *list, const struct run *run);

/* Appends to a list. */
void setting_link(struct setting **list, struct setting *setting);

/* A scalar that must say something: its text, or NULL with a problem added. */
const char *scalar_text(struct reader *reader, const struct node *node, const char *name);

/* hints.c: what a value that does not fit probably meant, as a clause "; did you mean ..." for the
 * end of a message; "" where nothing can be said. */
const char *hint_for_value(struct reader *reader, const struct setting *setting, const char *text);

/* What to write instead of a key that is no field, given what stands behind it; NULL where nothing
 * can be said. */
const char *hint_for_key(struct reader *reader, const struct node *node, const struct node *value);

/* ranges.c: {from, to}, {from, to, step}, {from, to, factor} into rows of the setting. */
void range_read(struct reader *reader, struct setting *setting, const struct node *node);

/* score_lists.c: [2, 1], [[2, 1], [0, 3]] or a list of such into rows of the setting. The node is a
 * list. */
void score_lists_read(struct reader *reader, struct setting *setting, const struct node *node,
                      enum setting_use use);

/* rules.c: exclude and keep. */
void exclude_read(struct reader *reader, const struct node *node);
void keep_read(struct reader *reader, const struct node *node);

/* measures.c: which measures to store. */
void measures_read(struct reader *reader, const struct node *node);

/* includes.c: the tree of a sweep with what it includes below its own keys; the tree itself when
 * it includes nothing. */
const struct node *includes_resolve(struct reader *reader, const struct node *root);

/* The text of a value of the field: paths in an included file become relative to the sweep. */
const char *includes_path(struct reader *reader, enum run_field field, const struct node *node);

/* layers.c: one map of the keys of two sweeps, of which `above` holds; where it includes the other,
 * a field with no value under its `fixed` is taken out. */
const struct node *layers_join(struct reader *reader, const struct node *below,
                               const struct node *above, bool includes);

/* resolved.c: the sweep as one file that says the same, with its files in comments. */
const char *resolved_text(struct reader *reader, const struct node *root);

/* overrides.c: applies every --set to the description. */
void overrides_apply(struct reader *reader, size_t set_count);

/* description.c: the top-level keys that --set knows too. */
void name_read(struct reader *reader, const struct node *node);
void title_read(struct reader *reader, const struct node *node);

/* Whether the map says that it is a sweep of this format; a problem where it says another. */
bool version_read(struct reader *reader, const struct node *root);

/* Who sets each field in one block; NULL where nobody does. */
struct owners {
    const struct setting *of[RUN_FIELD_COUNT];
};

/* checks.c: completes the zips, then finds fields set twice, missing, or without effect. */
void checks_run(struct reader *reader);

/* effects.c: why the values of a field change nothing in any run of a block, given the sources (1
 * << enum run_source) that its runs have; NULL where some run may look at them. The sources are
 * taken to be those of the field. */
const char *effects_idle(struct reader *reader, const struct owners *owners, unsigned sources,
                         enum run_field field);

#endif
