/* SPDX-License-Identifier: MIT */
/* Files as text: gzip is unpacked, anything else is read as it is. */
#ifndef CORPUS_UNPACK_H
#define CORPUS_UNPACK_H

#include "base/arena.h"

#include <stddef.h>
#include <zlib.h>

enum unpack_state {
    UNPACK_START, /* nothing was looked at */
    UNPACK_PLAIN,
    UNPACK_PACKED, /* within a gzip member */
    UNPACK_END     /* behind the last one */
};

/* An open file; its members are its own, but `expected`. */
struct unpack {
    const char *path;
    size_t expected;     /* bytes of text as far as the file tells: a guess, 0 for none */
    size_t limit, total; /* bytes of text that it may hold, and that were read */
    enum unpack_state state;
    int descriptor;
    struct arena arena;   /* of `bytes` */
    unsigned char *bytes; /* of the file, read ahead */
    size_t at, held;      /* the next of them, and how many there are */
    z_stream stream;
    bool unpacking; /* the stream is to be closed */
};

/* Opens `path`, which must outlive it. ERROR_INPUT for a file that is missing or a folder. */
bool unpack_open(struct unpack *unpack, const char *path, size_t limit,
                 struct error *err) MUST_CHECK;

/* The next bytes of text, up to `size`; *got is 0 at the end only. Gzip members follow each other
 * as one text, and zeros may follow the last. ERROR_INPUT naming the path for a file that is
 * damaged, cut short, followed by other bytes, or larger than the limit. */
bool unpack_read(struct unpack *unpack, char *to, size_t size, size_t *got,
                 struct error *err) MUST_CHECK;

void unpack_close(struct unpack *unpack);

#endif
