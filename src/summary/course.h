/* SPDX-License-Identifier: MIT */
/* Course data: what a page that flips the three guards needs, by corpus and seed. Made from results
 * or read from an earlier export; pure, no I/O. The files: docs/course-data.md. */
#ifndef SUMMARY_COURSE_H
#define SUMMARY_COURSE_H

#include "run/tolerance.h"
#include "summary/selection.h"

#define COURSE_FORMAT 1
#define COURSE_INDEX "index.json"
#define COURSE_FILE_LIMIT ((size_t)256 << 20) /* bytes of an index or a pair */

enum { COURSE_COMBINATIONS = 8 };

/* One of the eight guard sets. */
struct course_combination {
    const struct run *run; /* NULL when read from an export */
    int status;            /* enum result_status */
    const char *message;   /* "" when ok */
    double measures[MEASUREMENT_FIELD_COUNT];
    size_t queries, tokens; /* of the weights */
    const double *weights;  /* (queries, tokens); NULL when not kept */
};

struct course_pair {
    size_t corpus; /* its place in course.corpora */
    int64_t seed;
    const char *path;  /* "demo/1.json", below the folder of the export */
    const char *words; /* the tokens joined by blanks; NULL when no matrix of the corpus is kept */
    struct course_combination *combinations; /* by the mask of run_guards_mask; NULL: not read */
};

struct course_corpus {
    const char *name;   /* as the sweep spells it */
    const char *folder; /* course_folder_name of it */
    const char *digest; /* SHA-256 in hexadecimal */
};

/* A field that all runs share, but for corpus, seed and guards. */
struct course_setting {
    int field; /* enum run_field */
    const char *value;
};

struct course {
    const char *name, *title;
    const char *version, *commit, *sweep_digest; /* NULL where the results do not say */
    uint64_t lacking;                            /* bit m: measure m is not in the data */
    const struct course_setting *settings;
    size_t setting_count;
    const struct course_corpus *corpora; /* in the order of the plan */
    size_t corpus_count;
    struct course_pair *pairs; /* by corpus, seeds rising */
    size_t pair_count;
    size_t weights_kept; /* combinations with a matrix */
};

/* Refuses (ERROR_INPUT, with the remedy) runs that are not of a corpus, that differ in anything but
 * corpus, seed and guards, and a pair that lacks one of the eight guard sets. The texts are those
 * of the set. */
bool course_make(const struct result_set *set, const struct selection *selection,
                 struct arena *arena, struct course *out, struct error *err) MUST_CHECK;

/* The value of a setting, or NULL. */
const char *course_setting_value(const struct course *course, enum run_field field);

/* A folder name for a corpus that is the same on every file system and in every URL, and different
 * for different names: small letters, digits, '-', '_' and inner dots stand for themselves, any
 * other byte is "~" and two hexadecimal digits; long names end in "~~" and a hash. */
const char *course_folder_name(const char *corpus, struct arena *arena,
                               struct error *err) MUST_CHECK;

/* Whether an export can have written a file of this name below its folder. */
bool course_path_is_ours(const char *path);

/* Reads the index of an export: its pairs have no combinations yet. `path` names the file in
 * messages; ERROR_INPUT for what no export has written. */
bool course_read_index(const char *path, const char *text, size_t size, struct arena *arena,
                       struct course *out, struct error *err) MUST_CHECK;

/* Reads the file of one of its pairs. */
bool course_read_pair(const char *path, const char *text, size_t size, struct arena *arena,
                      const struct course *course, struct course_pair *pair,
                      struct error *err) MUST_CHECK;

enum course_change {
    COURSE_MOVED,   /* a measure or a weight */
    COURSE_STATUS,  /* ok in one, failed in the other */
    COURSE_TOKENS,  /* the words, or the shape of the weights */
    COURSE_WEIGHTS, /* kept in one only */
    COURSE_NEW,     /* a pair */
    COURSE_GONE,    /* a pair */
    COURSE_TEXT,    /* the text of a corpus */
    COURSE_SETTING, /* a field that all runs share */
    COURSE_MEASURE, /* known to one only */
    COURSE_CHANGE_COUNT
};
extern const char *const course_change_names[COURSE_CHANGE_COUNT];

struct course_move {
    enum course_change change;
    const char *corpus;              /* NULL where it is not about a corpus */
    int64_t seed;                    /* -1 where it is not about a seed */
    int guards;                      /* -1 where it is not about a guard set */
    const char *what;                /* measure, setting or "weights"; "" for pairs */
    size_t row, column;              /* of a weight */
    double before, after;            /* of COURSE_MOVED */
    const char *old_text, *new_text; /* of the others; NULL for nothing there */
};

/* What moved of one measure, or of the weights. */
struct course_total {
    uint64_t compared, moved;
    size_t largest; /* the item that moved most, by |after - before|; of no meaning when none did */
};

enum { COURSE_TOTAL_WEIGHTS = MEASUREMENT_FIELD_COUNT, COURSE_TOTAL_COUNT };

struct course_moves {
    const struct course_move *items;
    size_t count;
    uint64_t counts[COURSE_CHANGE_COUNT]; /* numbers for COURSE_MOVED: all weights of a matrix, of
                                             which items hold the one that moved most */
    uint64_t numbers;                     /* compared */
    size_t pairs, pairs_moved;            /* that both have; of them those with any change */
    struct course_total totals[COURSE_TOTAL_COUNT]; /* by enum measurement_field */
};

/* What differs between two exports. A number moves when it is beyond its tolerance; NULL allows no
 * difference at all. Weights have the tolerance of row_max_mean. Two NaN, and equal infinities, do
 * not differ. */
bool course_compare(const struct course *before, const struct course *after,
                    const struct tolerance_set *tolerances, struct arena *arena,
                    struct course_moves *out, struct error *err) MUST_CHECK;

/* How far a number moved; one that is no number any more, or again, has moved furthest. */
double course_distance(double before, double after);

/* (after - before) / the larger of both in size, so never beyond 2; NaN where that is none. */
double course_relative(const struct course_move *move);

#endif
