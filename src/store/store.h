/* SPDX-License-Identifier: MIT */
/* Results on disk. Each finished run is one checksummed record of OUT.h5.journal; at the end the
 * HDF5 file is built in memory, written beside, synced, verified and renamed over OUT.h5, and the
 * journal removed. flock on OUT.h5.lock keeps a second writer out; the kernel frees it.
 * HDF5 is used from one thread. Layout of the file: docs/results.md. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/arena.h"
#include "run/results.h"

struct store;

/* Bytes that the kept matrices of a file may take, each padded to the largest. */
#define STORE_KEPT_MAX 2147483648.0

/* Whether `path` leads to a file that holds runs, by how it begins: an HDF5 file, or the journal of
 * a sweep. For those who would replace it by something else. */
bool store_is_results(const char *path);

/* What store_open found. */
struct store_found {
    size_t in_file;    /* rows of OUT.h5 */
    size_t in_journal; /* records of the journal */
    size_t torn_bytes; /* of a last record cut by a crash, dropped */
};

/* How a store is opened: with STORE_FRESH nothing is read, and old results are replaced when the
 * new ones are saved; with STORE_NO_LOCK a file system without locks will do. */
enum { STORE_FRESH = 1, STORE_NO_LOCK = 2 };

/* Locks `path` for writing and reads what it holds. ERROR_FILE when the folder is missing or not
 * writable, when another process holds the lock (it is named), or when the file or the journal is
 * damaged (then it is left untouched). */
struct store *store_open(const char *path, unsigned how, struct arena *arena,
                         struct store_found *found, struct error *err) MUST_CHECK;

/* What is said of the sweep whose runs were at hand when the store was opened, or appended since,
 * by the file and by its journal: returns how many of both have runs. One that says nothing has no
 * facts. Good until store_describe. */
size_t store_origins(const struct store *store, const struct result_set *origins[2]);

/* Tells what the runs to come belong to, so that a sweep that is killed can be shown and merged
 * whole: all of `sweep` but its rows. The texts must last until store_close. */
void store_describe(struct store *store, const struct result_set *sweep);

/* The place of the finished run with this key among those below, or STORE_NONE. */
#define STORE_NONE SIZE_MAX
size_t store_find(const struct store *store, uint64_t key);

/* Every result at hand, found and appended, in no order; good until the next is appended. The
 * measures of a file that nothing was appended to may be unread until store_complete; what is said
 * of the sweep is left out. */
struct result_set store_rows(const struct store *store);

/* Reads what store_open left unread: it takes no measures to see that nothing is to be done. */
bool store_complete(struct store *store, struct error *err) MUST_CHECK;

/* Adds finished runs: on return of true they survive a kill. A power cut they survive from the next
 * sync on: that of this call, of the first call a second after the last sync, or of store_close. A
 * run with a key at hand replaces it. The caller serialises calls. */
bool store_append(struct store *store, const struct result *results, size_t count,
                  struct error *err) MUST_CHECK;

/* Writes the set as OUT.h5, unless that holds it already, and removes the journal. On failure the
 * journal and the old file stand (or, where only a folder could not be synced or the journal not
 * removed, the new file). */
bool store_save(struct store *store, const struct result_set *set, struct error *err) MUST_CHECK;

/* Unlocks; what was appended and not saved stays in the journal. NULL is allowed. */
void store_close(struct store *store);

/* Reads a results file without locking it; where a journal stands beside it, its runs are added
 * (an interrupted or running sweep can be looked at). ERROR_INPUT names the path and the reason. */
bool store_load(const char *path, struct arena *arena, struct result_set *out,
                struct error *err) MUST_CHECK;

/* What store_salvage could not save. */
struct store_losses {
    const char *file;       /* why OUT.h5 could not be read, NULL when it was */
    const char *journal;    /* why nothing more of its journal could be read, NULL when it was */
    uint64_t journal_bytes; /* of the journal that match no checksum, a torn last record's too */
};

/* Reads what can be verified of damaged results: of OUT.h5 all or nothing, by the checksums of its
 * columns where that of the file does not hold; of the journal every record whose checksum holds.
 * Writes nothing. ERROR_FILE when there is nothing of that name, ERROR_INTERNAL when memory is
 * short. */
bool store_salvage(const char *path, struct arena *arena, struct result_set *out,
                   struct store_losses *losses, struct error *err) MUST_CHECK;

/* "1.10.8". */
const char *store_hdf5_version(void);

#endif
