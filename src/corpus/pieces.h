/* SPDX-License-Identifier: MIT */
/* A file of text a piece at a time, so that a piece is in the cache when its words are looked for,
 * and no text is ever held whole. */
#ifndef CORPUS_PIECES_H
#define CORPUS_PIECES_H

#include "base/arena.h"
#include "corpus/unpack.h"

/* Bytes that a piece has at most, unless it takes more to come to white space. */
#define PIECE_SIZE ((size_t)1 << 18)

/* Where a reader of pieces is. */
struct pieces {
    struct unpack unpack;
    struct arena arena; /* of `bytes` */
    char *bytes;        /* the piece, and behind it what was read ahead */
    size_t size, read, capacity;
};

/* Opens a file as unpack_open does. */
bool pieces_open(struct pieces *pieces, const char *path, size_t limit,
                 struct error *err) MUST_CHECK;

/* The next piece, in `bytes` and `size`; 0 bytes at the end. Each but the last ends behind a space
 * or a newline, so that no character, no word and no line end (CR LF) is cut. Errors are those of
 * unpack_read. */
bool pieces_next(struct pieces *pieces, struct error *err) MUST_CHECK;

void pieces_close(struct pieces *pieces);

#endif
