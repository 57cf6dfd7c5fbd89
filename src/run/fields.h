/* SPDX-License-Identifier: MIT */
/* The field table: the one description of every value that goes into a run or comes out of it. It
 * drives YAML keys, suggestions, run keys, HDF5 columns, report headings and `rowmax fields`.
 * A new axis or measure is one row here, one struct member, and its computation. */
#ifndef RUN_FIELDS_H
#define RUN_FIELDS_H

#include "base/text.h"
#include "run/measurement.h"
#include "run/run.h"

enum field_kind {
    FIELD_INTEGER, /* int64_t */
    FIELD_REAL,    /* double */
    FIELD_SWITCH,  /* bool: on or off */
    FIELD_CHOICE,  /* int: index into choices */
    FIELD_TEXT,    /* const char *, NULL when not set */
    FIELD_ROWS,    /* const char *: rows of numbers, "2,1,0.1;1,2,3"; NULL when not set */
    FIELD_PATH /* const char *: names a file; its content, not its name, is part of the run key */
};

/* Sources (1 << enum run_source) that a field has a meaning for. */
enum {
    FIELD_FOR_CORPUS = 1 << SOURCE_CORPUS,
    FIELD_FOR_GAUSSIAN = 1 << SOURCE_GAUSSIAN,
    FIELD_FOR_ARRAYS = 1 << SOURCE_ARRAYS,
    FIELD_FOR_SCORES = 1 << SOURCE_SCORES,
    FIELD_FOR_HEADS = FIELD_FOR_CORPUS | FIELD_FOR_GAUSSIAN | FIELD_FOR_ARRAYS,
    FIELD_FOR_ALL = FIELD_FOR_HEADS | FIELD_FOR_SCORES
};

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;              /* of the member in struct run or struct measurement */
    size_t digest;              /* FIELD_PATH: offset of its digest in struct run */
    const char *unit;           /* "" for a pure number */
    double minimum, maximum;    /* inclusive, for numbers; of a measure: 0, 1 if it is a share */
    const char *fallback;       /* default as the sweep would spell it; NULL when there is none */
    const char *const *choices; /* NULL-terminated, for FIELD_CHOICE */
    unsigned sources;           /* FIELD_FOR_... */
    unsigned learners;          /* 1 << enum run_learner that read it; 0 for every learner */
    bool judges;                /* read by reports alone: changes no result, so it is in no key */
    const char *label;          /* short name for axes and table heads, UTF-8 */
    const char *help;           /* one sentence */
    const char *range;          /* of a measure, in words */
    const char *section;        /* of docs/method.md, for a measure */
};

/* Whether the member is a const char *. */
static inline bool field_is_text(const struct field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_ROWS || field->kind == FIELD_PATH;
}

/* Bytes of a member of this kind. */
static inline size_t field_size(enum field_kind kind)
{
    switch (kind) {
    case FIELD_SWITCH:
        return sizeof(bool);
    case FIELD_CHOICE:
        return sizeof(int);
    default:
        return sizeof(int64_t); /* integers, reals and pointers */
    }
}

extern const struct field run_fields[RUN_FIELD_COUNT];
extern const struct field measurement_fields[MEASUREMENT_FIELD_COUNT];

/* The run field of that name, or NULL. */
const struct field *run_field_find(const char *name);
const struct field *measurement_field_find(const char *name);

/* Masks of measures, bit m for measure m: all there are, and those that every results file has
 * whatever the sweep asks for: the counts, which say what the others are about, and row_max_mean,
 * by which a run is called saturated. */
uint64_t measurement_fields_all(void);
uint64_t measurement_fields_always(void);

/* Puts the measures of a mask to what means that there are none: NaN, and 0 for counts. */
void measurement_blank(struct measurement *measurement, uint64_t measures);

/* Index of a row of run_fields. */
enum run_field run_field_index(const struct field *field);

/* Whether the text of a path field is the path of a file; a corpus may be a bare name, which is
 * looked for in folders of corpora. */
bool run_field_names_file(enum run_field field, const char *text);

/* The nearest name to a misspelled one, or NULL. */
const char *run_field_nearest(const char *name);
const char *measurement_field_nearest(const char *name);

/* A run with every field at its default. */
struct run run_default(void);

/* The same for the source and learner of `run`, which have defaults of their own: position is none
 * for arrays; glove has a window of 15, 25 epochs and a learning rate of 0.05. */
struct run run_default_beside(const struct run *run);

/* Whether these differ from the common ones. */
bool run_has_own_defaults(const struct run *run);

/* Sets one field from its text. False with *why set to a clause for the user ("'x' is not a
 * decimal integer"; static or in the arena) when the text does not fit the field. Text and path
 * values are kept by pointer: they must live as long as the run. */
bool run_set(struct run *run, enum run_field field, const char *value, struct arena *arena,
             const char **why) MUST_CHECK;

/* Puts every field that has no meaning for the run's source or learner back to its default, those
 * that are not given to the default of that source or learner, and guard_init to off where weights
 * are taken as given. */
void run_normalise(struct run *run);

/* Defaults remembered from one run to the next, as most runs have the same: to make them takes as
 * long as a small run. All zero to begin with. */
struct run_defaults {
    bool known;
    struct run common; /* run_default */
    struct run plain;  /* run_default_beside a run of these two: */
    int source, learner;
};
void run_defaults_follow(struct run_defaults *last, const struct run *run);
void run_normalise_like(struct run *run, struct run_defaults *last);

/* Whether the field has a meaning for the run's source and learner. */
bool run_field_applies(const struct run *run, enum run_field field);
bool run_field_applies_to(int source, int learner, enum run_field field);

/* The value as a sweep would spell it ("on", "0.5", "layer"); "" for a text that is not set.
 * Returned text is the field's own or lies in `out`. */
#define FIELD_VALUE_SIZE 64
const char *field_value_text(const struct field *field, const void *base,
                             char out[FIELD_VALUE_SIZE]);

/* The value as a number: integers, reals, switches (0, 1), choices (index); NaN for texts. */
double field_value_number(const struct field *field, const void *base);

/* Whether two structs hold the same value in this field. */
bool field_value_equal(const struct field *field, const void *a, const void *b);

/* The three above for members that lie outside of their struct. */
const char *field_member_text(const struct field *field, const void *at,
                              char out[FIELD_VALUE_SIZE]);
double field_member_number(const struct field *field, const void *at);
bool field_member_equal(const struct field *field, const void *a, const void *b);

/* The three guard switches: their bits in a mask of fields, and whether a field is one of them. */
#define RUN_GUARDS                                                                                 \
    (UINT64_C(1) << RUN_GUARD_INIT | UINT64_C(1) << RUN_GUARD_SCALE | UINT64_C(1) << RUN_GUARD_NORM)
static inline bool run_field_is_guard(int field)
{
    return field == RUN_GUARD_INIT || field == RUN_GUARD_SCALE || field == RUN_GUARD_NORM;
}

/* Names of guard sets: "none", "init", "init+scale", ... in the order init, scale, norm. */
const char *run_guards_text(const struct run *run);

/* "none", or names joined by "+" in any order: the mask of switches (1 init, 2 scale, 4 norm). */
bool run_guards_parse(const char *text, unsigned *mask) MUST_CHECK;
const char *run_guards_name(unsigned mask);
unsigned run_guards_mask(const struct run *run);

/* The run's identity: 64 bits of SHA-256 over the canonical text below. Path fields count by
 * content, so their digests must be resolved. */
uint64_t run_key(const struct run *run);

/* "rowmax run 1\nname=length:value\n..." with the fields that apply and differ from their default,
 * in table order, reals in hexadecimal: what the key hashes. NULL when the arena is full. */
const char *run_canonical_text(const struct run *run, struct arena *arena,
                               struct error *err) MUST_CHECK;

#endif
