/* SPDX-License-Identifier: MIT */
/* Reads a journal back; see journal.h. */
#include "store/journal.h"

#include "base/files.h"
#include "base/hash.h"
#include "store/reader.h"

#include <string.h>

#define READ_MAX (SIZE_MAX / 8)

/* The journal in memory, while it is read. */
struct reading {
    const char *bytes;
    size_t size;
    size_t end; /* past the last byte that is not 0: a power cut can leave zeros behind it */
    struct record_layout layout;
    struct arena *layout_arena;
    uint32_t list_tag, base_tag; /* of the layout, and of the base */
    struct result base;          /* its texts point into the bytes */
    bool based;
};

struct visitor {
    journal_visit *visit;
    void *context;
};

enum frame_state { FRAME_WHOLE, FRAME_TORN, FRAME_DAMAGED };

/* The record at `at`. One that is not whole is torn when nothing was written behind it. */
static enum frame_state read_frame(const struct reading *reading, size_t at, size_t *length)
{
    if (reading->size - at < JOURNAL_FRAME_SIZE) {
        return FRAME_TORN;
    }
    const char *frame = reading->bytes + at;
    uint64_t stated = record_get(frame, 4);
    if ((stated ^ record_get(frame + 4, 4)) != UINT32_MAX) {
        return reading->end < at + JOURNAL_FRAME_SIZE ? FRAME_TORN : FRAME_DAMAGED;
    }
    if (stated > reading->size - at - JOURNAL_FRAME_SIZE) {
        return FRAME_TORN;
    }
    *length = (size_t)stated;
    if (hash_short(frame + JOURNAL_FRAME_SIZE, *length) == record_get(frame + 8, 8)) {
        return FRAME_WHOLE;
    }
    return reading->end <= at + JOURNAL_FRAME_SIZE + *length ? FRAME_TORN : FRAME_DAMAGED;
}

static bool damaged(const struct journal *journal, size_t at, struct error *err)
{
    return error_set(err, ERROR_FILE,
                     "'%s' is damaged at byte %zu and is left as it is; move it away to go on "
                     "without the runs in it",
                     journal->path, at);
}

/* What records name another one by. */
static uint32_t tag_of(const char *payload, size_t length)
{
    return (uint32_t)hash_short(payload, length);
}

/* Takes over a field list: its first byte says whether the journal replaces the results file. */
static bool take_list(struct journal *journal, struct reading *reading, const char *payload,
                      size_t length, struct error *err)
{
    const char *text = NULL;
    struct record_layout layout;
    /* One that is not understood whole is none: where damage is read over, records follow it. */
    reading->layout = (struct record_layout){.fields = NULL};
    if (length > 2) {
        text = arena_copy_bytes(reading->layout_arena, payload + 2, length - 2, err);
    }
    if (text == NULL) {
        return error_set(err, ERROR_FILE, "a field list is empty");
    }
    journal->fresh = journal->fresh || payload[1] == '1';
    reading->list_tag = tag_of(payload, length);
    reading->based = false;
    if (!record_layout_parse(text, reading->layout_arena, &layout, err)) {
        return false;
    }
    reading->layout = layout;
    const char *own = record_layout_text(reading->layout.lacking, &journal->scratch, err);
    journal->listed = own != NULL && strcmp(text, own) == 0;
    journal->list_tag = reading->list_tag;
    journal->list_lacking = reading->layout.lacking;
    return own != NULL;
}

/* The next text of a description, with its end; NULL when there is none or memory is short. */
static const char *take_text(struct journal *journal, const char *payload, size_t length,
                             size_t *at, struct error *err)
{
    const char *end = *at < length ? memchr(payload + *at, '\0', length - *at) : NULL;
    if (end == NULL) {
        error_set(err, ERROR_FILE, "the description of the sweep is cut");
        return NULL;
    }
    const char *copy = arena_copy_text(journal->arena, payload + *at, err);
    *at = (size_t)(end - payload) + 1;
    return copy;
}

/* The facts behind the texts; journals of early versions have none. */
static bool take_facts(struct journal *journal, const char *payload, size_t length, size_t at,
                       struct error *err)
{
    size_t count = 0;
    for (size_t i = at; i < length; i++) {
        count += payload[i] == '\0';
    }
    count /= 2;
    struct provenance *facts = arena_alloc(journal->arena, count, sizeof *facts, err);
    for (size_t i = 0; facts != NULL && i < count; i++) {
        facts[i].name = take_text(journal, payload, length, &at, err);
        facts[i].value =
            facts[i].name == NULL ? NULL : take_text(journal, payload, length, &at, err);
        if (facts[i].value == NULL) {
            return false;
        }
    }
    journal->sweep.provenance = facts;
    journal->sweep.provenance_count = count;
    return facts != NULL;
}

static bool take_sweep(struct journal *journal, const char *payload, size_t length,
                       struct error *err)
{
    /* The number of runs, then three texts, then names and values of facts, each with its end. */
    const char *texts[3];
    size_t at = 8;
    for (size_t i = 0; i < 3; i++) {
        texts[i] = take_text(journal, payload, length, &at, err);
        if (texts[i] == NULL) {
            return false;
        }
    }
    journal->sweep = (struct result_set){.name = texts[0],
                                         .title = texts[1],
                                         .sweep_text = texts[2],
                                         .planned = (int64_t)record_get(payload, 8)};
    return take_facts(journal, payload, length, at, err);
}

/* A result in all fields listed. */
static bool take_base(struct journal *journal, struct reading *reading, const char *payload,
                      size_t length, struct result *result, struct error *err)
{
    bool named = length >= 5 && record_get(payload + 1, 4) == reading->list_tag;
    if (reading->layout.fields == NULL || !named) {
        return error_set(err, ERROR_FILE, "a record needs a field list that is not there");
    }
    if (!record_decode(&reading->layout, payload + 5, length - 5, &journal->scratch, result, err)) {
        return false;
    }
    reading->base = *result;
    reading->base_tag = tag_of(payload, length);
    reading->based = true;
    return true;
}

static bool take_compact(struct journal *journal, const struct reading *reading,
                         const char *payload, size_t length, struct result *result,
                         struct error *err)
{
    bool named = length >= 5 && record_get(payload + 1, 4) == reading->base_tag;
    if (!reading->based || !named) {
        return error_set(err, ERROR_FILE, "a record needs another one that is not there");
    }
    return record_decode_compact(&reading->layout, &reading->base, payload + 5, length - 5,
                                 &journal->scratch, result, err);
}

/* Takes a record; *is_result says whether it is one. */
static bool take_record(struct journal *journal, struct reading *reading, const char *payload,
                        size_t length, bool *is_result, struct result *result, struct error *err)
{
    char kind = '\0';
    if (length > 0) {
        kind = payload[0];
    }
    *is_result = kind == 'B' || kind == 'C' || kind == 'R';
    if (kind == 'F') {
        return take_list(journal, reading, payload, length, err);
    }
    if (kind == 'S') {
        return take_sweep(journal, payload + 1, length - 1, err);
    }
    if (kind == 'B') {
        return take_base(journal, reading, payload, length, result, err);
    }
    if (kind == 'C') {
        return take_compact(journal, reading, payload, length, result, err);
    }
    if (kind != 'R' || reading->layout.fields == NULL) {
        return error_set(err, ERROR_FILE, "a record is of a kind not known here");
    }
    return record_decode(&reading->layout, payload + 1, length - 1, &journal->scratch, result, err);
}

/* The next place behind damage where a whole record begins, or the end. */
static size_t skip_damage(struct journal *journal, const struct reading *reading, size_t at)
{
    size_t next = at + 1;
    size_t length;
    while (next < reading->size && read_frame(reading, next, &length) != FRAME_WHOLE) {
        next++;
    }
    journal->lost_bytes += next - at;
    return next;
}

/* Takes the whole record at `at`. One that means nothing here ends the reading, or is lost. */
static bool read_one(struct journal *journal, struct reading *reading, size_t at, size_t length,
                     const struct visitor *visitor, struct error *err)
{
    const char *payload = reading->bytes + at + JOURNAL_FRAME_SIZE;
    struct result result;
    bool is_result;
    bool taken = take_record(journal, reading, payload, length, &is_result, &result, err);
    if (!taken && journal->salvage && err->code == ERROR_FILE) {
        *err = (struct error)ERROR_INIT;
        journal->lost_bytes += JOURNAL_FRAME_SIZE + length;
    } else if (!taken) {
        return error_add_context(err, "cannot read '%s' at byte %zu", journal->path, at);
    } else if (is_result && !visitor->visit(visitor->context, &result, err)) {
        return false;
    }
    arena_reset(&journal->scratch);
    return true;
}

static bool read_records(struct journal *journal, struct reading *reading,
                         const struct visitor *visitor, struct error *err)
{
    size_t at = JOURNAL_MAGIC_SIZE;
    while (at < reading->size) {
        size_t length = 0;
        enum frame_state state = read_frame(reading, at, &length);
        if (state != FRAME_WHOLE && journal->salvage) {
            at = skip_damage(journal, reading, at);
            continue;
        }
        if (state == FRAME_DAMAGED) {
            return damaged(journal, at, err);
        }
        if (state == FRAME_TORN) {
            break;
        }
        if (!read_one(journal, reading, at, length, visitor, err)) {
            return false;
        }
        at += JOURNAL_FRAME_SIZE + length;
    }
    journal->size = at;
    return true;
}

/* A first line cut by a crash holds nothing; any other start means another file. */
static bool check_start(const struct journal *journal, const struct reading *reading, bool *torn,
                        struct error *err)
{
    size_t common = reading->end < JOURNAL_MAGIC_SIZE ? reading->end : JOURNAL_MAGIC_SIZE;
    *torn = reading->end < JOURNAL_MAGIC_SIZE;
    return journal->salvage || memcmp(reading->bytes, JOURNAL_MAGIC, common) == 0 ||
           memcmp(reading->bytes, JOURNAL_FIRST_MAGIC, common) == 0 ||
           error_set(
               err, ERROR_FILE,
               "'%s' is not a journal that this rowmax can read and is left as it is; move it "
               "away to go on without it",
               journal->path);
}

static bool read_bytes(struct journal *journal, struct reading *reading,
                       const struct visitor *visitor, struct error *err)
{
    bool torn;
    reading->end = reading->size;
    while (reading->end > 0 && reading->bytes[reading->end - 1] == '\0') {
        reading->end--;
    }
    if (!check_start(journal, reading, &torn, err)) {
        return false;
    }
    return torn || read_records(journal, reading, visitor, err);
}

bool journal_read(struct journal *journal, journal_visit *visit, void *context, uint64_t *torn,
                  struct error *err)
{
    struct arena arena = {NULL};
    struct reading reading = {.layout_arena = &arena};
    *torn = 0;
    if (!files_exists(journal->path)) {
        return true;
    }
    struct error trouble = ERROR_INIT;
    reading.bytes = files_read_own(journal->path, READ_MAX, &arena, &reading.size, &trouble);
    bool good;
    if (reading.bytes != NULL) {
        good = read_bytes(journal, &reading, &(struct visitor){visit, context}, err);
    } else {
        /* Gone since: a writer just finished. */
        good = !files_exists(journal->path) || reader_unread(&trouble, err);
    }
    *torn = good ? reading.size - journal->size : 0;
    arena_release(&journal->scratch);
    arena_release(&arena);
    return good;
}
