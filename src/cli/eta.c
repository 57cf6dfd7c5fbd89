/* SPDX-License-Identifier: MIT */
/* See eta.h. */
#include "cli/eta.h"

double eta_left(const struct eta *eta, double busy, double elapsed, size_t threads)
{
    double trusted = ETA_TRUST * eta->total;
    if (!(eta->done + trusted > 0) || threads == 0) {
        return eta->after;
    }
    double pace = (busy + trusted * eta->expected) / (eta->done + trusted);
    double in_hand = (double)threads * elapsed - busy;
    double left = (pace * (eta->total - eta->done) - in_hand) / (double)threads;
    return (left > 0 ? left : 0) + eta->after;
}
