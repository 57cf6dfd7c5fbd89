/* SPDX-License-Identifier: MIT */
/* Which kept matrices are worked out row by row, and their part of the report; declared in
 * sections.h. */
#include "report/worked.h"

#include <string.h>

/* A matrix and the setting it belongs to. */
struct matrix {
    const struct summary_group *group;
    size_t row; /* of the set */
};

/* Small enough to be read: what a sweep spelled out may have a few more keys. */
static bool is_small(const struct result_set *set, size_t row)
{
    const struct kept kept = result_kept(set, row);
    if (result_status(set, row) != RESULT_OK || kept.scores == NULL || kept.queries == 0 ||
        kept.tokens == 0) {
        return false;
    }
    const int *source = result_run_member(set, row, RUN_SOURCE);
    return *source == SOURCE_SCORES
               ? kept.tokens <= WORKED_KEYS
               : kept.tokens <= WORKED_JACOBIAN && kept.queries <= WORKED_QUERIES;
}

/* The small matrices in the order of the settings; `out` NULL counts them. */
static size_t collect(const struct sections *sections, struct matrix *out)
{
    const struct summary *summary = sections->view->summary;
    size_t count = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        for (size_t r = 0; r < group->runs; r++) {
            bool small = is_small(sections->set, group->rows[r]);
            if (small && out != NULL) {
                out[count] = (struct matrix){group, group->rows[r]};
            }
            count += small;
        }
    }
    return count;
}

static size_t rows_shown_of(int source, size_t queries)
{
    size_t most = source == SOURCE_SCORES ? WORKED_GIVEN : WORKED_QUERIES;
    return queries < most ? queries : most;
}

static size_t rows_shown(const struct result *result)
{
    return rows_shown_of(result->run.source, result->kept.queries);
}

static bool append_heading(const struct sections *sections, const struct matrix *matrix,
                           struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    if (summary->axis_count == 0 && matrix->group->runs == 1) {
        return true;
    }
    text_append(out, "### ");
    if (summary->axis_count > 0 && !sections_append_setting(sections, matrix->group, err)) {
        return false;
    }
    if (matrix->group->runs > 1) {
        const int64_t *seed = result_run_member(sections->set, matrix->row, RUN_SEED);
        text_append_format(out, "%sseed %lld", summary->axis_count > 0 ? ", " : "",
                           (long long)*seed);
    }
    text_append(out, "\n\n");
    return true;
}

/* "Row 2", with its word where queries and keys are the same tokens. */
static bool append_row_name(const struct sections *sections, const struct result *result,
                            size_t query, struct error *err)
{
    const struct kept *kept = &result->kept;
    if (kept->queries == 1) {
        return true;
    }
    text_append_format(sections->out, "**Row %zu**", query + 1);
    if (kept->words != NULL && kept->queries == kept->tokens) {
        const char *name = worked_key_name(kept->words, query, sections->arena, err);
        if (name == NULL) {
            return false;
        }
        text_append(sections->out, ", the query ");
        markdown_text_cut(sections->out, name, WORKED_KEYS);
    }
    text_append(sections->out, "\n\n");
    return true;
}

/* The rows of a matrix as text; NULL with `err` set when memory ran short. */
static const char *rows_text(const struct sections *sections, const struct result *result,
                             struct error *err)
{
    struct text out = TEXT_INIT(sections->arena);
    const struct sections aside = {&out, sections->set, sections->view, sections->arena};
    for (size_t query = 0; query < rows_shown(result); query++) {
        struct worked_row row;
        worked_row_make(result, query, &row);
        if (!append_row_name(&aside, result, query, err) ||
            !worked_row_append(&aside, result, &row, err)) {
            return NULL;
        }
    }
    if (result->kept.queries > rows_shown(result)) {
        text_append_format(&out, "The first %zu of %zu rows are shown.\n\n", rows_shown(result),
                           result->kept.queries);
    }
    return text_finish(&out, err);
}

/* `before` is the text of the last matrix whose numbers were shown, or "". */
static bool append_matrix(const struct sections *sections, const struct matrix *matrix,
                          const char **before, struct error *err)
{
    struct result space;
    const char *text = rows_text(sections, result_row(sections->set, matrix->row, &space), err);
    if (text == NULL || !append_heading(sections, matrix, err)) {
        return false;
    }
    if (strcmp(text, *before) == 0) {
        text_append(sections->out, "The same to all digits shown as the last one above.\n\n");
        return true;
    }
    text_append(sections->out, text);
    *before = text;
    return true;
}

static void append_intro(struct text *out, size_t shown, size_t count)
{
    text_append(out,
                "## Row by row\n\n"
                "Small rows of scores, worked out key by key. A slope is the derivative of a "
                "weight by its own score: w(1 − w) for softmax, at most ¼, and near 0 once a "
                "weight is near 0 or 1. J holds the derivatives of all weights by all scores; its "
                "trace is the sum of the slopes. Scores stand as the number format of the run "
                "holds them. Totals are those of the numbers before they are rounded for print.");
    if (shown < count) {
        char numbers[2][TEXT_COUNT_SIZE];
        text_append_format(out,
                           " %s of %s matrices that were kept and are small enough are shown, "
                           "evenly from the first to the last.",
                           text_from_count(shown, numbers[0]), text_from_count(count, numbers[1]));
    }
    text_append(out, "\n\n");
}

/* As many matrices as have room for their rows. */
static size_t choose_count(const struct result_set *set, const struct matrix *matrices,
                           size_t count)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const int *source = result_run_member(set, matrices[i].row, RUN_SOURCE);
        size_t shown = rows_shown_of(*source, result_kept(set, matrices[i].row).queries);
        most = shown > most ? shown : most;
    }
    size_t room = WORKED_ROWS / most;
    room = room < WORKED_MATRICES ? room : WORKED_MATRICES;
    return count < room ? count : room;
}

bool worked_append(const struct sections *sections, struct error *err)
{
    size_t count = collect(sections, NULL);
    if (count == 0) {
        return true;
    }
    struct matrix *matrices = arena_alloc(sections->arena, count, sizeof *matrices, err);
    if (matrices == NULL) {
        return false;
    }
    collect(sections, matrices);
    size_t shown = choose_count(sections->set, matrices, count);
    const char *before = "";
    append_intro(sections->out, shown, count);
    for (size_t i = 0; i < shown; i++) {
        size_t at = shown == 1 ? 0 : (i * (count - 1) + (shown - 1) / 2) / (shown - 1);
        if (!append_matrix(sections, &matrices[at], &before, err)) {
            return false;
        }
    }
    return true;
}
