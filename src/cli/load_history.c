/* SPDX-License-Identifier: MIT */
/* A history of nights as check and report read it. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "summary/history.h"

bool load_history(const char *path, struct arena *arena, struct history *out, bool *unfinished,
                  struct error *err)
{
    size_t size = 0;
    const char *text = files_read(path, HISTORY_SIZE_LIMIT, arena, &size, err);
    if (text == NULL) {
        return error_add_context(err, "the history");
    }
    if (unfinished != NULL) {
        *unfinished = size > 0 && text[size - 1] != '\n';
    }
    return history_parse(path, text, size, arena, out, err);
}
