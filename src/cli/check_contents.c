/* SPDX-License-Identifier: MIT */
/* rowmax check: files that runs read and that hold another content than they did in the baseline.
 * Their runs have other keys, so that they are told as new and as missing, and look alike.
 */
#include "cli/check_internal.h"

#include "run/run_list.h"

#include <string.h>

#define SEEN_LIMIT 256 /* files of either side; more are not looked at */

struct seen {
    struct check_content items[SEEN_LIMIT];
    const char *digests[SEEN_LIMIT];
    size_t count;
};

static const char *text_of(const struct result_set *set, uint32_t row, size_t column)
{
    return *(const char *const *)result_run_member(set, row, column);
}

static bool holds(const struct seen *seen, int field, const char *path, const char *digest)
{
    for (size_t i = seen->count; i-- > 0;) { /* the runs of a file often follow each other */
        if (seen->items[i].field == field && strcmp(seen->items[i].path, path) == 0 &&
            (digest == NULL || strcmp(seen->digests[i], digest) == 0)) {
            return true;
        }
    }
    return false;
}

static void see(struct seen *seen, const struct result_set *set, uint32_t row)
{
    for (int f = 0; f < RUN_FIELD_COUNT && seen->count < SEEN_LIMIT; f++) {
        if (run_fields[f].kind != FIELD_PATH) {
            continue;
        }
        const char *path = text_of(set, row, (size_t)f);
        const char *digest = text_of(set, row, run_list_digest((enum run_field)f));
        if (path != NULL && digest != NULL && !holds(seen, f, path, digest)) {
            seen->items[seen->count] = (struct check_content){f, path};
            seen->digests[seen->count++] = digest;
        }
    }
}

size_t check_contents(const struct gate *gate, struct check_content out[CHECK_CONTENTS_LIMIT])
{
    struct seen now = {.count = 0};
    struct seen baseline = {.count = 0};
    for (size_t i = 0; i < gate->run_count; i++) {
        const struct gate_run *run = &gate->runs[i];
        if (run->state == GATE_NEW) {
            see(&now, gate->now, run->now);
        }
        if (run->baseline != GATE_NO_ROW) {
            see(&baseline, gate->baseline, run->baseline);
        }
    }
    size_t count = 0;
    for (size_t i = 0; i < now.count && count < CHECK_CONTENTS_LIMIT; i++) {
        const struct check_content *file = &now.items[i];
        if (holds(&baseline, file->field, file->path, NULL) &&
            !holds(&baseline, file->field, file->path, now.digests[i])) {
            out[count++] = *file;
        }
    }
    return count;
}
