/* SPDX-License-Identifier: MIT */
/* run --recover: what can be verified of damaged results goes to a new file, and the sweep goes on
 * there. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "store/store.h"

static void say_losses(const char *damaged, const char *recovered, size_t count,
                       const struct store_losses *losses)
{
    if (losses->file != NULL) {
        cli_say("%s: its runs are lost: %s", damaged, losses->file);
    }
    if (losses->journal != NULL) {
        cli_say("%s.journal: its runs are lost: %s", damaged, losses->journal);
    }
    if (losses->journal_bytes > 0) {
        cli_say("%s.journal: the runs in %s of its bytes are lost: they match no checksum", damaged,
                cli_count(losses->journal_bytes));
    }
    cli_say("%s: %s verified runs of %s; what is lost is run again", recovered, cli_count(count),
            damaged);
}

static bool copy_rows(struct store *store, const struct result_set *set, struct error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        struct result space;
        if (!store_append(store, result_row(set, i, &space), 1, err)) {
            return false;
        }
    }
    return true;
}

/* The new file must be new: it could hold other results. */
static bool check_new(const char *path, struct arena *arena, struct error *err)
{
    const char *journal = arena_format(arena, err, "%s.journal", path);
    if (journal == NULL) {
        return false;
    }
    return (!files_exists(path) && !files_exists(journal)) ||
           error_set(err, ERROR_FILE, "--recover '%s': there is such a file; name a new one", path);
}

unsigned store_ways(const struct options *options)
{
    return (options->fresh ? STORE_FRESH : 0u) | (options->no_lock ? STORE_NO_LOCK : 0u);
}

struct store *recover_results(const char *damaged, const struct options *options,
                              struct arena *arena, struct error *err)
{
    const char *recovered = options->recover;
    struct result_set set;
    struct store_losses losses;
    struct store_found found;
    if (!check_new(recovered, arena, err) || !store_salvage(damaged, arena, &set, &losses, err) ||
        (options->require_provenance && set.count > 0 &&
         !origins_are_traceable(&set, damaged, err))) {
        return NULL;
    }
    struct store *store = store_open(recovered, store_ways(options), arena, &found, err);
    if (store == NULL) {
        return NULL;
    }
    if (set.provenance_count > 0) {
        store_describe(store, &set);
    }
    if (!copy_rows(store, &set, err)) {
        store_close(store);
        return NULL;
    }
    if (!options->quiet) {
        say_losses(damaged, recovered, set.count, &losses);
    }
    return store;
}
