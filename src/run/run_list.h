/* SPDX-License-Identifier: MIT */
/* A long list of runs in little memory: what all of them share is kept once, and of a field that
 * varies eight bytes a run. */
#ifndef RUN_RUN_LIST_H
#define RUN_RUN_LIST_H

#include "base/arena.h"
#include "run/fields.h"

/* The columns of a list: the run fields, then `given`, then the digests of the path fields in the
 * order of the field table. */
enum {
    RUN_LIST_PATHS = 6,
    RUN_LIST_GIVEN = RUN_FIELD_COUNT,
    RUN_LIST_DIGESTS,
    RUN_LIST_COLUMNS = RUN_LIST_DIGESTS + RUN_LIST_PATHS
};

/* A value of any kind; the member that the field's kind names is set. */
union run_cell {
    int64_t integer;
    double real;
    bool on;
    int choice;
    const char *text;
    uint64_t given;
};

struct run_list {
    struct arena *arena;
    size_t count, capacity;
    struct run common;                       /* of columns without cells */
    union run_cell *cells[RUN_LIST_COLUMNS]; /* of each run; NULL where all have the common one */
    unsigned char varying[RUN_LIST_COLUMNS]; /* the columns with cells */
    size_t varying_count;
    struct {
        unsigned short offset, size; /* of the member in struct run */
    } members[RUN_LIST_COLUMNS];
};

/* An empty list whose memory comes from the arena. */
void run_list_init(struct run_list *list, struct arena *arena);

/* Room for `count` runs in all, so that appending them copies nothing. */
bool run_list_reserve(struct run_list *list, size_t count, struct error *err) MUST_CHECK;

/* Adds a run; its texts are kept by pointer. */
bool run_list_append(struct run_list *list, const struct run *run, struct error *err) MUST_CHECK;

/* Makes the list `count` runs that are all like this one. */
bool run_list_fill(struct run_list *list, const struct run *run, size_t count,
                   struct error *err) MUST_CHECK;

void run_list_get(const struct run_list *list, size_t place, struct run *out);
bool run_list_set(struct run_list *list, size_t place, const struct run *run,
                  struct error *err) MUST_CHECK;

/* Puts run `from` at `to`, for lists that are thinned out; then forgets all behind `count`. */
void run_list_move(struct run_list *list, size_t to, size_t from);
void run_list_cut(struct run_list *list, size_t count);

/* Where a value lies, as the member of struct run would. */
const void *run_list_at(const struct run_list *list, size_t place, size_t column);

/* Whether all runs have one value in this column. A text may be there in several copies. */
static inline bool run_list_shares(const struct run_list *list, size_t column)
{
    return list->cells[column] == NULL;
}

/* The cells of a column, made where it had none: for filling it at once. */
union run_cell *run_list_column(struct run_list *list, size_t column, struct error *err) MUST_CHECK;

/* Gives all runs one value in a column. */
void run_list_share(struct run_list *list, size_t column, const void *value);

/* Makes columns whose cells turned out equal shared ones again. */
void run_list_settle(struct run_list *list);

/* run_normalise on every run. */
bool run_list_normalise(struct run_list *list, struct error *err) MUST_CHECK;

/* The keys of all runs, whose digests must be known; run_key gives the same one by one. */
bool run_list_keys(const struct run_list *list, uint64_t *keys, struct error *err) MUST_CHECK;

/* The place of a path field's digest among the columns. */
size_t run_list_digest(enum run_field path);

#endif
