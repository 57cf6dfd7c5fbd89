/* SPDX-License-Identifier: MIT */
/* Where the projections come from; see projections.h. */
#include "report/projections.h"

enum projections projections_of(const struct summary *summary)
{
    enum projections found = PROJECTIONS_UNTOUCHED;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct run *run = summary->groups[g].sample;
        if (run->w_q == NULL || run->w_k == NULL) {
            return PROJECTIONS_DRAWN;
        }
        found = run->weights_as_given ? found : PROJECTIONS_READ;
    }
    return summary->group_count == 0 ? PROJECTIONS_DRAWN : found;
}

const char *projections_guards(enum projections projections)
{
    static const char *const lines[] = {
        "Guards: init, projections drawn with variance 1/d_model; scale, scores divided by √d_k; "
        "norm, each input row normalised.",
        "Guards: init, projections from their files divided by √d_model; scale, scores divided by "
        "√d_k; norm, each input row normalised.",
        "Guards: scale, scores divided by √d_k; norm, each input row normalised. The projections "
        "are used as their files hold them."};
    return lines[projections];
}
