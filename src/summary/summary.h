/* SPDX-License-Identifier: MIT */
/* Runs grouped over seeds: every field that varies, other than the seed, is an axis; the three
 * guard switches together are one. Pure: no I/O. */
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "base/arena.h"
#include "run/fields.h"
#include "run/results.h"

/* A measure over the finite or undefined values of a group's successful runs. */
struct estimate {
    size_t count;      /* runs behind it */
    double mean;       /* NaN when any of them is NaN or none is there */
    double half_width; /* of the 95 % Student interval of the mean; NaN below two runs */
    double maximum;    /* NaN like the mean */
};

/* AXIS_GUARDS stands for the three switches together, AXIS_SETTINGS for combinations of several
 * fields that a report shows as one axis. */
enum { AXIS_GUARDS = RUN_FIELD_COUNT, AXIS_SETTINGS };

struct summary_axis {
    int field;         /* enum run_field, AXIS_GUARDS or AXIS_SETTINGS */
    const char *name;  /* "corpus", "guards" */
    const char *label; /* for people */
    bool numeric;      /* integers and reals that can be put on a scale; not heads and seeds, which
                          are names */
    size_t count;      /* distinct values, at least 2 */
    const struct run *const
        *samples;             /* a run that has value v; numbers rising, others as planned */
    const char *const *names; /* of the values of AXIS_SETTINGS; NULL for all others */
};

/* All runs that agree in everything but the seed. */
struct summary_group {
    const struct run *sample;
    const size_t *place;    /* value index on each axis */
    size_t runs, failed;    /* rows in the group, and those of them without measures */
    const size_t *rows;     /* their places in the result set */
    size_t undefined_runs;  /* successful runs with rows that have no weights */
    int64_t undefined_rows; /* such rows in all of them */
    struct estimate measures[MEASUREMENT_FIELD_COUNT];
};

struct summary {
    size_t axis_count;
    const struct summary_axis *axes;
    size_t group_count;
    const struct summary_group *groups; /* in the order of the plan */
    size_t seeds;                       /* most runs in a group */
    size_t planned, outside; /* rows in the plan; rows that it no longer holds, left out */
    size_t failed;           /* of those in the plan */
    uint64_t lacking;        /* bit m: measure m is not in the results, and NaN here */
};

bool summary_make(const struct result_set *set, struct arena *arena, struct summary *out,
                  struct error *err) MUST_CHECK;

/* The axis of that field, or NULL. */
const struct summary_axis *summary_axis_find(const struct summary *summary, int field);

/* Index of the value that a group has on an axis of the summary; 0 when `axis` is NULL. */
size_t summary_place(const struct summary *summary, const struct summary_group *group,
                     const struct summary_axis *axis);

/* The value v of an axis as text; may use `out`. */
const char *summary_axis_value(const struct summary_axis *axis, size_t value,
                               char out[FIELD_VALUE_SIZE]);

#endif
