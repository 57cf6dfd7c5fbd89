/* SPDX-License-Identifier: MIT */
/* Any bytes as a journal, as they are or, where they do not begin as one, as records that get
 * frames, checksums and tags that hold: a kind, two bytes of length, the content. The kind 'f'
 * stands for the field list of this program. */
#include "fuzz.h"
#include "touch_set.h"

#include "base/hash.h"
#include "store/journal.h"
#include "store/store.h"

#include <string.h>

struct tags {
    uint32_t list, base;
};

static void append_record(struct text *out, char kind, const char *content, size_t size,
                          struct tags *tags, struct arena *arena)
{
    struct text payload = TEXT_INIT(arena);
    struct error err = ERROR_INIT;
    const char upper = 'F';
    text_append_bytes(&payload, kind == 'f' ? &upper : &kind, 1);
    if (kind == 'B' || kind == 'C') {
        record_put(&payload, kind == 'B' ? tags->list : tags->base, 4);
    }
    text_append_bytes(&payload, content, size);
    if (kind == 'f') {
        payload.length = 1;
        text_append(&payload, "0");
        text_append(&payload, record_layout_text(0, arena, &err));
    }
    uint64_t sum = hash_short(payload.data, payload.length);
    if (kind == 'F' || kind == 'f') {
        tags->list = (uint32_t)sum;
    } else if (kind == 'B') {
        tags->base = (uint32_t)sum;
    }
    record_put(out, payload.length, 4);
    record_put(out, ~(uint64_t)payload.length, 4);
    record_put(out, sum, 8);
    text_append_bytes(out, payload.data, payload.length);
}

static struct text make_journal(const char *bytes, size_t size, struct arena *arena)
{
    struct text out = TEXT_INIT(arena);
    struct tags tags = {0, 0};
    text_append(&out, JOURNAL_MAGIC);
    for (size_t at = 0; at + 3 <= size;) {
        size_t length = (size_t)record_get(bytes + at + 1, 2);
        length = length < size - at - 3 ? length : size - at - 3;
        append_record(&out, bytes[at], bytes + at + 3, length, &tags, arena);
        at += 3 + length;
    }
    return out;
}

/* What is whole is read, or refused; over damage it is always read. */
static void load(const char *path, bool over_damage)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct result_set set;
    struct store_losses losses;
    bool good = over_damage ? store_salvage(path, &arena, &set, &losses, &err)
                            : store_load(path, &arena, &set, &err);
    if (good) {
        fuzz_touch_set(&set, &arena);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_FILE);
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    const char *text = (const char *)bytes;
    const char *path = fuzz_path("r.h5");
    if (size >= 14 && memcmp(text, JOURNAL_MAGIC, 14) == 0) {
        fuzz_file("r.h5.journal", text, size);
    } else {
        const struct text journal = make_journal(text, size, &arena);
        fuzz_file("r.h5.journal", journal.data, journal.length);
    }
    load(path, false);
    load(path, true);
    arena_release(&arena);
    return 0;
}
