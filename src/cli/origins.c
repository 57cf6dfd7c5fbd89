/* SPDX-License-Identifier: MIT */
/* Where the runs of a results file come from: whoever made them is named in it, and who only looks
 * at them is not. */
#include "cli/cli_internal.h"
#include "store/facts_join.h"
#include "store/merge.h"
#include "store/store.h"

#include <string.h>

bool origins_find(const struct store *store, struct result_set *description, struct arena *arena,
                  struct origins *out, struct error *err)
{
    const struct result_set *sets[3];
    const struct result_set own = *description;
    struct joined_facts before;
    struct joined_facts with_own;
    size_t count = store_origins(store, sets);
    *out = (struct origins){.own = own.provenance,
                            .own_count = own.provenance_count,
                            .facts = own.provenance,
                            .count = own.provenance_count};
    if (count == 0) {
        return true;
    }
    sets[count] = &own;
    if (!facts_join(sets, count, &own, arena, &before, err) ||
        !facts_join(sets, count + 1, &own, arena, &with_own, err)) {
        return false;
    }
    out->at_hand = true;
    out->facts = before.facts;
    out->count = before.count;
    out->commits = with_own.commits;
    out->differing = with_own.differing;
    description->provenance = with_own.facts;
    description->provenance_count = with_own.count;
    return true;
}

void origins_settle(const struct origins *origins, size_t done, struct result_set *set)
{
    if (done == 0) {
        set->provenance = origins->facts;
        set->provenance_count = origins->count;
    } else if (done == set->count) {
        set->provenance = origins->own;
        set->provenance_count = origins->own_count;
    }
}

bool origins_are_traceable(const struct result_set *at_hand, const char *path, struct error *err)
{
    const char *commit = result_fact(at_hand, MERGE_COMMIT);
    return (commit != NULL && provenance_is_traceable(commit)) ||
           error_set(err, ERROR_INPUT,
                     "--require-provenance: '%s' has runs of a program whose commit is %s; run "
                     "them again with --fresh, or name another file with -o",
                     path, commit == NULL ? "not stated" : commit);
}

void origins_say(const struct origins *origins, const char *path, bool added)
{
    const char *differing = origins->differing;
    const char *commit = origins->commits == NULL ? "" : "commit";
    const char *between = differing != NULL && commit[0] != '\0' ? ", " : "";
    if (differing == NULL && commit[0] == '\0') {
        return;
    }
    cli_say(added ? "%s: its runs were not all made alike; the file names all values of %s%s%s"
                  : "%s: not all of its runs were made by this program on this machine, see %s%s%s "
                    "in 'rowmax show --provenance'; --fresh runs them again",
            path, commit, between, differing == NULL ? "" : differing);
}
