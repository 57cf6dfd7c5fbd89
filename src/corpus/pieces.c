/* SPDX-License-Identifier: MIT */
/* Pieces of a text that end behind white space; see pieces.h. */
#include "corpus/pieces.h"

#include <string.h>

bool pieces_open(struct pieces *pieces, const char *path, size_t limit, struct error *err)
{
    *pieces = (struct pieces){.capacity = PIECE_SIZE};
    pieces->bytes = arena_alloc_raw(&pieces->arena, PIECE_SIZE, 1, err);
    if (pieces->bytes == NULL || !unpack_open(&pieces->unpack, path, limit, err)) {
        arena_release(&pieces->arena);
        return false;
    }
    return true;
}

/* Twice the room, for text without white space. */
static bool grow(struct pieces *pieces, struct error *err)
{
    struct arena larger = {NULL};
    char *bytes = arena_alloc_raw(&larger, 2 * pieces->capacity, 1, err);
    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, pieces->bytes, pieces->read);
    arena_release(&pieces->arena);
    pieces->arena = larger;
    pieces->bytes = bytes;
    pieces->capacity *= 2;
    return true;
}

/* What was read ahead comes to the front. */
static void drop_piece(struct pieces *pieces)
{
    pieces->read -= pieces->size;
    memmove(pieces->bytes, pieces->bytes + pieces->size, pieces->read);
    pieces->size = 0;
}

/* Behind the last white space of what is there from `first` on; 0 if there is none. */
static size_t last_cut(const struct pieces *pieces, size_t first)
{
    size_t end = pieces->read;
    while (end > first && pieces->bytes[end - 1] != ' ' && pieces->bytes[end - 1] != '\n') {
        end--;
    }
    return end > first ? end : 0;
}

bool pieces_next(struct pieces *pieces, struct error *err)
{
    drop_piece(pieces);
    size_t got = 1;
    while (got > 0 && pieces->size == 0) {
        size_t before = pieces->read;
        if (before == pieces->capacity && !grow(pieces, err)) {
            return false;
        }
        if (!unpack_read(&pieces->unpack, pieces->bytes + before, pieces->capacity - before, &got,
                         err)) {
            return false;
        }
        pieces->read += got;
        pieces->size = last_cut(pieces, before);
    }
    pieces->size = got == 0 ? pieces->read : pieces->size;
    return true;
}

void pieces_close(struct pieces *pieces)
{
    unpack_close(&pieces->unpack);
    arena_release(&pieces->arena);
}
