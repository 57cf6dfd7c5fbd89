/* SPDX-License-Identifier: MIT */
/* store_load: results to look at, taken while others may write. */
#include "store/store.h"

#include "base/files.h"
#include "store/facts_join.h"
#include "store/lock.h"
#include "store/merged.h"

/* The journal stands beside the file that a link leads to, be that there or not. What cannot be
 * resolved is left to reading to complain about. */
static bool init_journal(struct journal *journal, const char *path, struct arena *arena,
                         struct error *err)
{
    struct error ignored = ERROR_INIT;
    const char *resolved = lock_resolve(path, arena, &ignored);
    return journal_init(journal, resolved == NULL ? path : resolved, false, arena, err);
}

/* What some run of the plan lacks: a sweep that went over to more measures and was stopped has them
 * for some of its runs only. Without any run it is what the file has no column of. */
static uint64_t lacking_of(const struct result_set *set, uint64_t lacking)
{
    const struct result_set rows = {
        .table = set->table, .places = set->places, .count = set->count};
    uint64_t some = 0;
    size_t runs = 0;
    for (size_t row = 0; row < rows.count; row++) {
        if (result_index(&rows, row) >= 0 && result_status(&rows, row) == RESULT_OK) {
            some |= result_lacking(&rows, row);
            runs++;
        }
    }
    return runs == 0 ? lacking : some;
}

/* Runs of a journal that does not say who made them stand beside those of the file. */
static bool join_unknown(struct result_set *set, struct arena *arena, struct error *err)
{
    const struct result_set file = *set;
    const struct result_set nothing = {.name = NULL};
    const struct result_set *sets[] = {&file, &nothing};
    struct joined_facts joined;
    if (!facts_join(sets, 2, &file, arena, &joined, err)) {
        return false;
    }
    set->provenance = joined.facts;
    set->provenance_count = joined.count;
    return true;
}

/* The journal's sweep is the later one; a journal that names none tells as much as its runs do. */
static bool describe(const char *path, const struct merged *merged, const struct result_set *sweep,
                     struct arena *arena, struct result_set *out, struct error *err)
{
    *out = merged->file;
    if (sweep->name != NULL) {
        out->name = sweep->name;
        out->title = sweep->title;
        out->sweep_text = sweep->sweep_text;
        out->planned = sweep->planned;
    }
    if (sweep->name != NULL && sweep->provenance_count > 0) {
        out->provenance = sweep->provenance;
        out->provenance_count = sweep->provenance_count;
    } else if (merged->in_journal > 0 && !join_unknown(out, arena, err)) {
        return false;
    }
    if (out->name == NULL) {
        out->name = files_stem(arena, path, err);
        out->title = "";
        out->sweep_text = "";
    }
    struct result_table *table = arena_alloc(arena, 1, sizeof *table, err);
    out->places = merged_sorted(merged, &out->count, err);
    if (out->name == NULL || out->places == NULL || table == NULL) {
        return false;
    }
    *table = merged->rows.table;
    out->table = table;
    out->lacking = lacking_of(out, merged->file.lacking);
    for (size_t row = 0; row < out->count; row++) {
        int64_t least = result_index(out, row) + 1;
        out->planned = out->planned < least ? least : out->planned;
    }
    return true;
}

static bool check_there(const char *path, const struct journal *journal, struct error *err)
{
    return files_exists(path) || files_exists(journal->path) ||
           error_set(err, ERROR_FILE, "there is no file '%s'", path);
}

static bool load(const char *path, struct journal *journal, struct arena *arena,
                 struct result_set *out, struct error *err)
{
    struct merged merged;
    merged_init(&merged, arena);
    return init_journal(journal, path, arena, err) && check_there(path, journal, err) &&
           merged_read(&merged, path, journal, false, err) &&
           describe(path, &merged, &journal->sweep, arena, out, err);
}

bool store_load(const char *path, struct arena *arena, struct result_set *out, struct error *err)
{
    struct journal journal = {.descriptor = -1};
    bool good = load(path, &journal, arena, out, err);
    if (!good && err->code == ERROR_FILE) {
        /* To read is to be handed an input; ERROR_FILE is about writing. */
        err->code = ERROR_INPUT;
    }
    journal_close(&journal);
    return good;
}

/* Keeps the reason of a loss; what is no loss, such as a lack of memory, is an error. */
static bool note(const struct error *trouble, struct arena *arena, const char **reason,
                 struct error *err)
{
    if (trouble->code != ERROR_NONE && trouble->code != ERROR_FILE) {
        return error_set(err, trouble->code, "%s", trouble->message);
    }
    if (trouble->code == ERROR_FILE) {
        *reason = arena_copy_text(arena, trouble->message, err);
    }
    return err->code == ERROR_NONE;
}

bool store_salvage(const char *path, struct arena *arena, struct result_set *out,
                   struct store_losses *losses, struct error *err)
{
    struct journal journal = {.descriptor = -1};
    struct merged merged;
    struct error of_journal = ERROR_INIT;
    struct error of_file = ERROR_INIT;
    merged_init(&merged, arena);
    *losses = (struct store_losses){0};
    bool good = init_journal(&journal, path, arena, err) && check_there(path, &journal, err) &&
                lock_check_unwritten(path, path, err);
    if (good && !merged_salvage(&merged, path, &journal, &of_journal, &of_file)) {
        good = note(&of_journal, arena, &losses->journal, err) &&
               note(&of_file, arena, &losses->file, err);
    }
    losses->journal_bytes = journal.lost_bytes;
    good = good && describe(path, &merged, &journal.sweep, arena, out, err);
    journal_close(&journal);
    return good;
}
