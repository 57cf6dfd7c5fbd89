/* SPDX-License-Identifier: MIT */
/* What to say when a file holds several arrays and the wanted one is not among them. */
#include "arrays/array_internal.h"

#include "base/text.h"

#include <string.h>

#define SHOWN 20
#define NAME_SIZE 200

/* "it holds 'a', 'b' and 3 more". */
static void append_list(struct text *message, const struct array_names *names)
{
    char shown[NAME_SIZE];
    text_append(message, names->count == 0 ? "it holds none" : "it holds ");
    for (size_t i = 0; i < names->count && i < SHOWN; i++) {
        text_append_format(message, "%s'%s'", i == 0 ? "" : ", ",
                           text_printable(names->names[i], shown, sizeof shown));
    }
    if (names->count > SHOWN) {
        text_append_format(message, " and %zu more", names->count - SHOWN);
    }
}

bool array_no_dataset(const char *path, const char *dataset, const struct array_names *names,
                      struct arena *scratch, struct error *err)
{
    struct text message = TEXT_INIT(scratch);
    char shown[NAME_SIZE];
    if (dataset == NULL || dataset[0] == '\0') {
        text_append_format(&message, "'%s' holds datasets; name one as '%s:DATASET': ", path, path);
    } else {
        const char *nearest = text_nearest(dataset, names->names, names->count);
        text_append_format(&message, "no dataset '%s' in '%s'; ",
                           text_printable(dataset, shown, sizeof shown), path);
        if (nearest != NULL) {
            text_append_format(&message, "did you mean '%s'? ",
                               text_printable(nearest, shown, sizeof shown));
        }
    }
    append_list(&message, names);
    const char *text = text_finish(&message, err);
    return text != NULL && error_set(err, ERROR_INPUT, "%s", text);
}
