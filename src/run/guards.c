/* SPDX-License-Identifier: MIT */
/* Names of the eight guard sets; declared in fields.h. */
#include "run/fields.h"

#include <string.h>

static const char *const names[8] = {
    "none", "init", "scale", "init+scale", "norm", "init+norm", "scale+norm", "init+scale+norm",
};
static const char *const switches[3] = {"init", "scale", "norm"};

const char *run_guards_name(unsigned mask)
{
    return names[mask & 7];
}

unsigned run_guards_mask(const struct run *run)
{
    return (run->guard_init ? 1U : 0) | (run->guard_scale ? 2U : 0) | (run->guard_norm ? 4U : 0);
}

const char *run_guards_text(const struct run *run)
{
    return run_guards_name(run_guards_mask(run));
}

/* The bit of the switch that is named by the first `length` bytes, 0 if none. */
static unsigned switch_bit(const char *text, size_t length)
{
    for (unsigned i = 0; i < 3; i++) {
        if (strlen(switches[i]) == length && memcmp(switches[i], text, length) == 0) {
            return 1U << i;
        }
    }
    return 0;
}

bool run_guards_parse(const char *text, unsigned *mask)
{
    unsigned found = 0;
    if (strcmp(text, "none") != 0) {
        for (;;) {
            size_t length = strcspn(text, "+");
            unsigned bit = switch_bit(text, length);
            if (bit == 0 || (found & bit) != 0) {
                return false;
            }
            found |= bit;
            if (text[length] == '\0') {
                break;
            }
            text += length + 1;
        }
    }
    *mask = found;
    return true;
}
