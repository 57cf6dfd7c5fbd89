/* SPDX-License-Identifier: MIT */
/* See journal.h. */
#include "store/journal.h"

#include "base/files.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "rowmax journal 1\n"
#define MAGIC_SIZE (sizeof MAGIC - 1)
#define FRAME_SIZE 16
#define READ_MAX (SIZE_MAX / 8)

bool journal_init(struct journal *journal, const char *path, bool fresh, struct arena *arena,
                  struct error *err)
{
    *journal = (struct journal){.descriptor = -1, .fresh = fresh, .arena = arena};
    journal->path = arena_format(arena, err, "%s.journal", path);
    return journal->path != NULL;
}

/* The journal in memory, while it is read. */
struct reading {
    const char *bytes;
    size_t size;
    size_t end; /* past the last byte that is not 0: a power cut can leave zeros behind it */
    struct record_layout layout;
    struct arena *layout_arena;
};

struct visitor {
    journal_visit *visit;
    void *context;
};

enum frame_state { FRAME_WHOLE, FRAME_TORN, FRAME_DAMAGED };

/* The record at `at`. One that is not whole is torn when nothing was written behind it. */
static enum frame_state read_frame(const struct reading *reading, size_t at, size_t *length)
{
    if (reading->size - at < FRAME_SIZE) {
        return FRAME_TORN;
    }
    const char *frame = reading->bytes + at;
    uint64_t stated = record_get(frame, 4);
    if ((stated ^ record_get(frame + 4, 4)) != UINT32_MAX) {
        return reading->end < at + FRAME_SIZE ? FRAME_TORN : FRAME_DAMAGED;
    }
    if (stated > reading->size - at - FRAME_SIZE) {
        return FRAME_TORN;
    }
    *length = (size_t)stated;
    if (hash_short(frame + FRAME_SIZE, *length) == record_get(frame + 8, 8)) {
        return FRAME_WHOLE;
    }
    return reading->end <= at + FRAME_SIZE + *length ? FRAME_TORN : FRAME_DAMAGED;
}

static bool damaged(const struct journal *journal, size_t at, struct error *err)
{
    return error_set(err, ERROR_FILE,
                     "'%s' is damaged at byte %zu and is left as it is; move it away to go on "
                     "without the runs in it",
                     journal->path, at);
}

/* Takes over a field list: its first byte says whether the journal replaces the results file. */
static bool take_list(struct journal *journal, struct reading *reading, const char *payload,
                      size_t length, struct error *err)
{
    const char *current = record_layout_text(&journal->scratch, err);
    const char *text = NULL;
    if (current != NULL && length > 1) {
        text = arena_copy_bytes(reading->layout_arena, payload + 1, length - 1, err);
    }
    if (text == NULL) {
        return error_set(err, ERROR_FILE, "a field list is empty");
    }
    journal->fresh = journal->fresh || payload[0] == '1';
    journal->listed = strcmp(text, current) == 0;
    return record_layout_parse(text, reading->layout_arena, &reading->layout, err);
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

static bool take_record(struct journal *journal, struct reading *reading, const char *payload,
                        size_t length, struct result *result, struct error *err)
{
    if (length > 0 && payload[0] == 'F') {
        return take_list(journal, reading, payload + 1, length - 1, err);
    }
    if (length > 0 && payload[0] == 'S') {
        return take_sweep(journal, payload + 1, length - 1, err);
    }
    if (length == 0 || payload[0] != 'R' || reading->layout.fields == NULL) {
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
    const char *payload = reading->bytes + at + FRAME_SIZE;
    struct result result;
    bool taken = take_record(journal, reading, payload, length, &result, err);
    if (!taken && journal->salvage && err->code == ERROR_FILE) {
        *err = (struct error)ERROR_INIT;
        journal->lost_bytes += FRAME_SIZE + length;
    } else if (!taken) {
        return error_add_context(err, "cannot read '%s' at byte %zu", journal->path, at);
    } else if (payload[0] == 'R' && !visitor->visit(visitor->context, &result, err)) {
        return false;
    }
    arena_reset(&journal->scratch);
    return true;
}

static bool read_records(struct journal *journal, struct reading *reading,
                         const struct visitor *visitor, struct error *err)
{
    size_t at = MAGIC_SIZE;
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
        at += FRAME_SIZE + length;
    }
    journal->size = at;
    return true;
}

/* A first line cut by a crash holds nothing; any other start means another file. */
static bool check_start(const struct journal *journal, const struct reading *reading, bool *torn,
                        struct error *err)
{
    size_t common = reading->end < MAGIC_SIZE ? reading->end : MAGIC_SIZE;
    *torn = reading->end < MAGIC_SIZE;
    return journal->salvage || memcmp(reading->bytes, MAGIC, common) == 0 ||
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
    reading.bytes = files_read(journal->path, READ_MAX, &arena, &reading.size, &trouble);
    bool good;
    if (reading.bytes != NULL) {
        good = read_bytes(journal, &reading, &(struct visitor){visit, context}, err);
    } else {
        /* Gone since: a writer just finished. */
        good = !files_exists(journal->path) || error_set(err, ERROR_FILE, "%s", trouble.message);
    }
    *torn = good ? reading.size - journal->size : 0;
    arena_release(&journal->scratch);
    arena_release(&arena);
    return good;
}

/* Opens the file for the first append and cuts off what does not hold. */
static bool open_to_append(struct journal *journal, struct error *err)
{
    journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (journal->descriptor < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot create '%s'", journal->path);
    }
    if (ftruncate(journal->descriptor, (off_t)journal->size) != 0) {
        error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", journal->path);
    } else if (files_sync_folder(journal->path, err)) {
        return true;
    }
    close(journal->descriptor);
    journal->descriptor = -1;
    return false;
}

/* Ends the record whose frame was left empty at `start`. */
static void close_frame(struct text *out, size_t start)
{
    if (out->failed) {
        return;
    }
    struct text frame = TEXT_INIT(out->arena);
    const char *payload = out->data + start + FRAME_SIZE;
    size_t length = out->length - start - FRAME_SIZE;
    record_put(&frame, length, 4);
    record_put(&frame, ~(uint64_t)length, 4);
    record_put(&frame, hash_short(payload, length), 8);
    out->failed = frame.failed || length > UINT32_MAX;
    if (!out->failed) {
        memcpy(out->data + start, frame.data, FRAME_SIZE);
    }
}

static size_t open_frame(struct text *out, char kind)
{
    static const char empty[FRAME_SIZE] = {0};
    size_t start = out->length;
    text_append_bytes(out, empty, FRAME_SIZE);
    text_append_bytes(out, &kind, 1);
    return start;
}

static void append_text(struct text *out, const char *value)
{
    text_append_bytes(out, value, strlen(value) + 1);
}

static void encode_sweep(const struct result_set *sweep, struct text *out)
{
    size_t start = open_frame(out, 'S');
    record_put(out, (uint64_t)sweep->planned, 8);
    append_text(out, sweep->name);
    append_text(out, sweep->title);
    append_text(out, sweep->sweep_text);
    for (size_t i = 0; i < sweep->provenance_count; i++) {
        append_text(out, sweep->provenance[i].name);
        append_text(out, sweep->provenance[i].value);
    }
    close_frame(out, start);
}

/* All that one append writes: what the file lacks before its first record, and the record. */
static bool encode(struct journal *journal, const struct result *result, struct text *out,
                   struct error *err)
{
    if (journal->size == 0) {
        text_append(out, MAGIC);
    }
    if (!journal->listed) {
        const char *list = record_layout_text(&journal->scratch, err);
        if (list == NULL) {
            return false;
        }
        size_t start = open_frame(out, 'F');
        text_append(out, journal->fresh ? "1" : "0");
        text_append(out, list);
        close_frame(out, start);
    }
    if (!journal->described && journal->sweep.name != NULL) {
        encode_sweep(&journal->sweep, out);
    }
    size_t start = open_frame(out, 'R');
    record_encode(out, result);
    close_frame(out, start);
    return text_finish(out, err) != NULL;
}

/* At most once a second: a sync can take longer than a run. */
static bool sync_now_and_then(struct journal *journal, struct error *err)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed = (double)(now.tv_sec - journal->synced.tv_sec) +
                    1e-9 * (double)(now.tv_nsec - journal->synced.tv_nsec);
    journal->unsynced = true;
    if (passed < 1) {
        return true;
    }
    if (fdatasync(journal->descriptor) != 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", journal->path);
    }
    journal->synced = now;
    journal->unsynced = false;
    return true;
}

/* Writes at the end that holds. */
static bool write_record(struct journal *journal, const struct text *out, struct error *err)
{
    if (lseek(journal->descriptor, (off_t)journal->size, SEEK_SET) < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", journal->path);
    }
    bool good = files_write_all(journal->descriptor, out->data, out->length, journal->path, err);
    if (!good) {
        /* Opening it again for the next append cuts off what was written of this one. */
        close(journal->descriptor);
        journal->descriptor = -1;
    }
    return good;
}

bool journal_append(struct journal *journal, const struct result *result, struct error *err)
{
    struct text out = TEXT_INIT(&journal->scratch);
    bool good = (journal->descriptor >= 0 || open_to_append(journal, err)) &&
                encode(journal, result, &out, err) && write_record(journal, &out, err);
    if (good) {
        journal->size += out.length;
        journal->listed = true;
        journal->described = true;
        good = sync_now_and_then(journal, err);
    }
    arena_reset(&journal->scratch);
    return good;
}

bool journal_remove(struct journal *journal, struct error *err)
{
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
        journal->descriptor = -1;
    }
    if (unlink(journal->path) != 0 && errno != ENOENT) {
        return error_set_system(err, ERROR_FILE, errno, "cannot remove '%s'", journal->path);
    }
    journal->size = 0;
    journal->listed = false;
    journal->described = false;
    journal->fresh = false;
    journal->unsynced = false;
    return files_sync_folder(journal->path, err);
}

void journal_close(struct journal *journal)
{
    if (journal->descriptor >= 0) {
        if (journal->unsynced) {
            fdatasync(journal->descriptor);
        }
        close(journal->descriptor);
        journal->descriptor = -1;
    }
    arena_release(&journal->scratch);
}
