/* SPDX-License-Identifier: MIT */
/* Files through zlib: gzip is unpacked, anything else is read as it is. */
#ifndef CORPUS_UNPACK_H
#define CORPUS_UNPACK_H

#include "base/error.h"

#include <stddef.h>

/* An open file; its members are its own, but `expected`. */
struct unpack {
    const char *path;
    void *file;          /* zlib's */
    size_t expected;     /* bytes of text as far as the file tells: a guess, 0 for none */
    size_t limit, total; /* bytes of text that it may hold, and that were read */
};

/* Opens `path`, which must outlive it. ERROR_INPUT for a file that is missing or a folder. */
bool unpack_open(struct unpack *unpack, const char *path, size_t limit,
                 struct error *err) MUST_CHECK;

/* The next bytes of text, up to `size`; *got is 0 at the end only. ERROR_INPUT naming the path for
 * a file that is damaged, cut short or larger than the limit. */
bool unpack_read(struct unpack *unpack, char *to, size_t size, size_t *got,
                 struct error *err) MUST_CHECK;

void unpack_close(struct unpack *unpack);

#endif
