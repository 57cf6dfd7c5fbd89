/* SPDX-License-Identifier: MIT */
/* Writes a journal; see journal.h. */
#include "store/journal.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/permissions.h"
#include "store/column_values.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool journal_init(struct journal *journal, const char *path, bool fresh, struct arena *arena,
                  struct error *err)
{
    *journal = (struct journal){.descriptor = -1, .fresh = fresh, .arena = arena};
    journal->results = arena_copy_text(arena, path, err);
    journal->path = arena_format(arena, err, "%s.journal", path);
    return journal->results != NULL && journal->path != NULL;
}

/* Opens the file for the first append and cuts off what does not hold. */
static bool open_to_append(struct journal *journal, struct error *err)
{
    journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (journal->descriptor < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot create '%s'", journal->path);
    }
    /* It holds what the results file will hold, which may not be for everyone. */
    permissions_take(journal->descriptor, journal->results);
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
    /* It is made behind the record, so that no record costs memory of its own. */
    size_t end = out->length;
    size_t length = end - start - JOURNAL_FRAME_SIZE;
    uint64_t sum = hash_short(out->data + start + JOURNAL_FRAME_SIZE, length);
    record_put(out, length, 4);
    record_put(out, ~(uint64_t)length, 4);
    record_put(out, sum, 8);
    out->failed = out->failed || length > UINT32_MAX;
    if (!out->failed) {
        memcpy(out->data + start, out->data + end, JOURNAL_FRAME_SIZE);
        out->length = end;
    }
}

/* The tag of the record that begins at `start`. */
static uint32_t record_tag(const struct text *out, size_t start)
{
    return out->failed ? 0 : (uint32_t)record_get(out->data + start + 8, 4);
}

static size_t open_frame(struct text *out, char kind)
{
    static const char empty[JOURNAL_FRAME_SIZE] = {0};
    size_t start = out->length;
    text_append_bytes(out, empty, JOURNAL_FRAME_SIZE);
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

/* The field list for a result, and the tag it is named by. */
static bool encode_list(struct journal *journal, uint64_t lacking, struct text *out,
                        struct error *err)
{
    const char *list = record_layout_text(lacking, &journal->scratch, err);
    if (list == NULL) {
        return false;
    }
    size_t start = open_frame(out, 'F');
    text_append(out, journal->fresh ? "1" : "0");
    text_append(out, list);
    close_frame(out, start);
    journal->listed = true;
    journal->list_lacking = lacking;
    journal->list_tag = record_tag(out, start);
    return true;
}

/* Keeps the texts of a base, which last as long as what they belong to does. */
static bool keep_base(struct journal *journal, const struct result *result, struct error *err)
{
    struct result *base = &journal->base;
    arena_reset(&journal->base_arena);
    *base = *result;
    base->message = "";
    base->kept = (struct kept){0, 0, NULL, NULL, NULL};
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        const char *text = field_is_text(field) ? value_text(field, &base->run) : NULL;
        if (text == NULL) {
            continue;
        }
        text = arena_copy_text(&journal->base_arena, text, err);
        value_set_text(field, &base->run, text);
        const char *digest = field->kind == FIELD_PATH ? value_digest(field, &base->run) : NULL;
        if (digest != NULL) {
            digest = arena_copy_text(&journal->base_arena, digest, err);
            value_set_digest(field, &base->run, digest);
        }
    }
    return err->code == ERROR_NONE;
}

/* A result whole, as the base of those to come, with its field list where that is another. */
static bool encode_base(struct journal *journal, const struct result *result, struct text *out,
                        struct error *err)
{
    bool listed = journal->listed && journal->list_lacking == result->lacking;
    if (!listed && !encode_list(journal, result->lacking, out, err)) {
        return false;
    }
    size_t start = open_frame(out, 'B');
    record_put(out, journal->list_tag, 4);
    record_encode(out, result);
    close_frame(out, start);
    journal->base_tag = record_tag(out, start);
    journal->based = true;
    return keep_base(journal, result, err);
}

static bool encode_result(struct journal *journal, const struct result *result, struct text *out,
                          struct error *err)
{
    if (!journal->based || journal->base.lacking != result->lacking) {
        return encode_base(journal, result, out, err);
    }
    size_t start = open_frame(out, 'C');
    record_put(out, journal->base_tag, 4);
    record_encode_compact(out, &journal->base, result);
    close_frame(out, start);
    return true;
}

/* All that one append writes: what the file lacks before its first record, and the records. */
static bool encode(struct journal *journal, const struct result *results, size_t count,
                   struct text *out, struct error *err)
{
    if (journal->size == 0) {
        text_append(out, JOURNAL_MAGIC);
    }
    if (!journal->described && journal->sweep.name != NULL) {
        encode_sweep(&journal->sweep, out);
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = encode_result(journal, &results[i], out, err);
    }
    return good && text_finish(out, err) != NULL;
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
static bool write_records(struct journal *journal, const struct text *out, struct error *err)
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

bool journal_append(struct journal *journal, const struct result *results, size_t count,
                    struct error *err)
{
    struct text *out = &journal->out;
    out->arena = &journal->out_arena;
    out->length = 0;
    bool good = (journal->descriptor >= 0 || open_to_append(journal, err)) &&
                encode(journal, results, count, out, err) && write_records(journal, out, err);
    if (good) {
        journal->size += out->length;
        journal->described = true;
        good = sync_now_and_then(journal, err);
    } else {
        /* The list and the base may be among what was not written. */
        journal->listed = false;
        journal->based = false;
        out->failed = false;
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
    journal->based = false;
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
    arena_release(&journal->base_arena);
    arena_release(&journal->out_arena);
}
