/* SPDX-License-Identifier: MIT */
/* Records of a journal as another version would write them. */
#ifndef JOURNAL_FRAME_H
#define JOURNAL_FRAME_H

#include "base/hash.h"
#include "store/record.h"

/* A frame around a payload. */
static inline void put_frame(struct text *out, const char *payload, size_t size)
{
    record_put(out, size, 4);
    record_put(out, ~(uint64_t)size, 4);
    record_put(out, hash_short(payload, size), 8);
    text_append_bytes(out, payload, size);
}

#endif
