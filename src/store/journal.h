/* SPDX-License-Identifier: MIT */
/* The journal PATH.journal: finished runs that PATH does not hold yet. After a line that names the
 * format come records: length, its complement, checksum, payload. A payload is a field list ('F'),
 * what is known of the sweep ('S'), a result in the fields listed last ('B'), or what differs in a
 * result from the last such one, its base ('C'). 'B' names its list and 'C' its base by four bytes
 * of their checksums, so that nothing is taken for what it is not where records between are
 * damaged. Journals of the first format have 'R', a 'B' without that name, and no 'C'.
 * Each append is one write(2), so a kill can only cut the last record that is left. */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H

#include "run/results.h"
#include "store/record.h"

#include <time.h>

#define JOURNAL_MAGIC "rowmax journal 2\n"
#define JOURNAL_FIRST_MAGIC "rowmax journal 1\n"
#define JOURNAL_MAGIC_SIZE (sizeof JOURNAL_MAGIC - 1)
#define JOURNAL_FRAME_SIZE 16

struct journal {
    const char *path, *results; /* results: beside which it lies */
    int descriptor;             /* -1 until something is appended */
    uint64_t size;              /* bytes that hold: the next record goes here */
    bool fresh;                 /* its runs replace PATH instead of adding to it */
    bool listed; /* the field list it holds last is this program's, without these measures: */
    uint64_t list_lacking;
    bool based;                  /* the base it holds last is `base`, in the list it holds last */
    uint32_t list_tag, base_tag; /* what those are named by */
    struct result base;          /* its texts are in `base_arena` */
    struct arena base_arena;
    bool unsynced;
    struct timespec synced;
    struct arena *arena; /* for what is found */
    struct arena scratch;
    struct text out; /* of an append; its room stays */
    struct arena out_arena;
    struct result_set sweep; /* all but its rows: to write before the next run, or as found; name is
                                NULL for unknown */
    bool described;          /* `sweep` stands in the file */
    bool salvage;            /* to read over damage, to the next record that holds */
    uint64_t lost_bytes;     /* read over */
};

/* Names the journal of a results file. Nothing is opened; `fresh` forgets what it holds when the
 * first run is appended. */
bool journal_init(struct journal *journal, const char *path, bool fresh, struct arena *arena,
                  struct error *err) MUST_CHECK;

/* Is handed each result, in the order they were appended; its texts and arrays last until return.
 */
typedef bool journal_visit(void *context, const struct result *result, struct error *err);

/* Reads all records. A last record that a crash cut is left out and its length is in *torn; a file
 * damaged in any other way is an ERROR_FILE and stays as it is. No journal is no record. */
bool journal_read(struct journal *journal, journal_visit *visit, void *context, uint64_t *torn,
                  struct error *err) MUST_CHECK;

/* Appends results. On failure the journal holds what it held, or, where only the sync failed, these
 * results as well. */
bool journal_append(struct journal *journal, const struct result *results, size_t count,
                    struct error *err) MUST_CHECK;

/* Removes the file, its runs being safe elsewhere. */
bool journal_remove(struct journal *journal, struct error *err) MUST_CHECK;

/* Syncs what is not yet and closes the file. */
void journal_close(struct journal *journal);

#endif
