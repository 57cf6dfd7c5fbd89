/* SPDX-License-Identifier: MIT */
/* Where the projections come from; see projections.h. */
#include "report/projections.h"

#include "report/scope.h"

static bool has_projections(const struct run *run)
{
    return run->source != SOURCE_SCORES && !(run->source == SOURCE_ARRAYS && run->q != NULL);
}

enum projections projections_of(const struct summary *summary)
{
    enum projections found = PROJECTIONS_NONE;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct run *run = summary->groups[g].sample;
        if (!has_projections(run)) {
            continue;
        }
        if (run->w_q == NULL || run->w_k == NULL) {
            return PROJECTIONS_DRAWN;
        }
        if (found != PROJECTIONS_READ) {
            found = run->weights_as_given ? PROJECTIONS_UNTOUCHED : PROJECTIONS_READ;
        }
    }
    return summary->group_count == 0 ? PROJECTIONS_DRAWN : found;
}

const char *projections_guards(const struct summary *summary, struct arena *arena,
                               struct error *err)
{
    static const char *const inits[] = {"init, projections drawn with variance 1/d_model; ",
                                        "init, projections from their files divided by √d_model; ",
                                        "", ""};
    static const char *const ends[] = {"", "",
                                       " The projections are used as their files hold them.", ""};
    const struct scope scope = scope_of(summary);
    enum projections projections = projections_of(summary);
    return arena_format(arena, err, "Guards: %sscale, scores %s%s.%s", inits[projections],
                        scope_scale_words(&scope),
                        projections == PROJECTIONS_NONE ? "" : "; norm, each input row normalised",
                        ends[projections]);
}
