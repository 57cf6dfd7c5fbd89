/* SPDX-License-Identifier: MIT */
/* What the rows of a results file are to the process that writes it. */
#include "cli/cli_internal.h"

struct run_tally run_tally_rows(const struct prepared *prepared, const struct result_set *set)
{
    struct run_tally tally = {0};
    for (size_t i = 0; i < set->count; i++) {
        int64_t index = result_index(set, i);
        if (index < 0) {
            tally.outside++;
        } else if (prepared_owns(prepared, (size_t)index)) {
            tally.own++;
            tally.failed += result_status(set, i) == RESULT_FAILED;
        } else {
            tally.others++;
        }
    }
    return tally;
}

void run_tally_say_kept(const struct run_tally *tally, const char *path, size_t narrowed)
{
    if (narrowed > 0) {
        cli_say("%s: of %s run%s there were measures that the sweep does not name; they are no "
                "longer stored",
                path, cli_count(narrowed), narrowed == 1 ? "" : "s");
    }
    if (tally->outside > 0) {
        cli_say("%s: %s older run%s that the sweep no longer holds %s kept, outside the report",
                path, cli_count(tally->outside), tally->outside == 1 ? "" : "s",
                tally->outside == 1 ? "is" : "are");
    }
    if (tally->others > 0) {
        cli_say("%s: %s run%s of other shards %s kept", path, cli_count(tally->others),
                tally->others == 1 ? "" : "s", tally->others == 1 ? "is" : "are");
    }
}
