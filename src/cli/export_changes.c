/* SPDX-License-Identifier: MIT */
/* What `rowmax export --diff` prints. */
#include "cli/export_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A cell of the table: names may hold tabs and worse. */
static void append_cell(struct text *text, const char *value)
{
    struct arena scratch = {NULL};
    struct error ignored = ERROR_INIT;
    text_append(text, "\t");
    if (value == NULL || value[0] == '\0') {
        text_append(text, "-");
        return;
    }
    char *out = arena_alloc(&scratch, strlen(value) + 1, 1, &ignored);
    text->failed = text->failed || out == NULL;
    text_append(text, out == NULL ? "" : text_printable(value, out, strlen(value) + 1));
    arena_release(&scratch);
}

static void append_number(struct text *text, double value)
{
    char number[TEXT_REAL_SIZE];
    text_append_format(text, "\t%s", text_from_real(value, number));
}

static void append_place(struct text *text, const struct course_move *move)
{
    append_cell(text, move->corpus);
    if (move->seed >= 0) {
        text_append_format(text, "\t%" PRId64, move->seed);
    } else {
        append_cell(text, NULL);
    }
    append_cell(text, move->guards >= 0 ? run_guards_name((unsigned)move->guards) : NULL);
}

/* Which weight it is. */
static void append_element(struct text *text, const struct course_move *move)
{
    if (strcmp(move->what, "weights") == 0) {
        text_append_format(text, "[%zu][%zu]", move->row, move->column);
    }
}

static void append_move(struct text *text, const struct course_move *move)
{
    text_append(text, course_change_names[move->change]);
    append_place(text, move);
    append_cell(text, move->what);
    if (move->change != COURSE_MOVED) {
        append_cell(text, move->old_text);
        append_cell(text, move->new_text);
        text_append(text, "\t-\t-\n");
        return;
    }
    append_element(text, move);
    double relative = course_relative(move);
    append_number(text, move->before);
    append_number(text, move->after);
    append_number(text, move->after - move->before);
    if (isnan(relative)) {
        append_cell(text, NULL);
    } else {
        text_append_format(text, "\t%.3g", relative);
    }
    text_append(text, "\n");
}

/* "; 2 new" and so on for the kinds of change there are. */
static void append_counts(struct text *text, const struct course_moves *moves)
{
    static const struct {
        enum course_change change;
        const char *words;
    } kinds[] = {{COURSE_STATUS, "changed status"},
                 {COURSE_TOKENS, "changed tokens"},
                 {COURSE_WEIGHTS, "with weights on one side only"},
                 {COURSE_NEW, "new pairs"},
                 {COURSE_GONE, "pairs gone"},
                 {COURSE_TEXT, "corpora of other text"},
                 {COURSE_SETTING, "settings changed"},
                 {COURSE_MEASURE, "measures on one side only"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint64_t count = moves->counts[kinds[i].change];
        if (count > 0) {
            text_append_format(text, "; %s: %s", kinds[i].words, cli_count(count));
        }
    }
}

static void append_total(struct text *text, const struct course_moves *moves,
                         const struct course_total *total)
{
    const struct course_move *largest = &moves->items[total->largest];
    text_append(text, largest->what);
    append_element(text, largest);
    text_append_format(text, "\t%" PRIu64 "\t%" PRIu64, total->moved, total->compared);
    append_number(text, fabs(largest->after - largest->before));
    append_place(text, largest);
    append_number(text, largest->before);
    append_number(text, largest->after);
    text_append(text, "\n");
}

/* How many numbers of each measure moved, and the one that moved most with its place. */
static void append_totals(struct text *text, const struct course_moves *moves)
{
    if (moves->counts[COURSE_MOVED] == 0) {
        return;
    }
    text_append(text, "measure\tmoved\tof\tlargest\tcorpus\tseed\tguards\told\tnew\n");
    for (int i = 0; i < COURSE_TOTAL_COUNT; i++) {
        if (moves->totals[i].moved > 0) {
            append_total(text, moves, &moves->totals[i]);
        }
    }
}

void export_append_changes(struct text *text, const struct course_moves *moves, bool brief)
{
    if (moves->count == 0) {
        text_append_format(text, "nothing moved: %s numbers of %s pairs compared\n",
                           cli_count(moves->numbers), cli_count(moves->pairs));
        return;
    }
    if (!brief) {
        text_append(text, "change\tcorpus\tseed\tguards\twhat\told\tnew\tdifference\trelative\n");
    }
    for (size_t i = 0; !brief && i < moves->count; i++) {
        append_move(text, &moves->items[i]);
    }
    append_totals(text, moves);
    text_append_format(text, "%s of %s numbers moved, changes in %s of %s pairs",
                       cli_count(moves->counts[COURSE_MOVED]), cli_count(moves->numbers),
                       cli_count(moves->pairs_moved), cli_count(moves->pairs));
    append_counts(text, moves);
    text_append(text, "\n");
}
