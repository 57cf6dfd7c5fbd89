/* SPDX-License-Identifier: MIT */
/* What else differs between two results files: their sweeps, the files they read, how they were
 * made. Declared in changes.h. */
#include "report/changes_internal.h"
#include "run/run_list.h"

enum { VALUE_LIMIT = 200, DIGEST_LIMIT = 16, CONTENTS_LISTED = 20 };

static void append_cell(struct text *out, const char *value, size_t limit)
{
    text_append(out, " | ");
    markdown_text_cut(out, value, limit);
}

static const char *given(const char *text)
{
    return text == NULL ? "" : text;
}

static void append_row(struct text *out, const char *name, const char *first, const char *second)
{
    text_append_format(out, "| %s", name);
    append_cell(out, *first == '\0' ? "nothing else" : first, VALUE_LIMIT);
    append_cell(out, *second == '\0' ? "nothing else" : second, VALUE_LIMIT);
    text_append(out, " |\n");
}

static bool append_sweeps(const struct sections *sections, const struct changes *changes,
                          struct error *err)
{
    static const char *const heads[] = {"field", "only in A", "only in B"};
    struct text *out = sections->out;
    const struct result_set *before = changes->sides[0].set;
    const struct result_set *now = changes->sides[1].set;
    struct contrasts contrasts;
    bool same_text = strcmp(given(before->sweep_text), given(now->sweep_text)) == 0;
    bool same_name = strcmp(given(before->name), given(now->name)) == 0;
    bool same_title = strcmp(given(before->title), given(now->title)) == 0;
    if (!contrasts_find(changes->sides, sections->arena, &contrasts, err)) {
        return false;
    }
    text_append(out, "### The sweeps\n\n");
    text_append(out, same_text ? "The text of the sweep is the same."
                               : "The text of the sweep is not the same.");
    if (contrasts.count == 0 && same_name && same_title) {
        text_append(out, same_text ? "\n\n"
                                   : " No field has other values, so only its wording, its order "
                                     "or what is kept differs.\n\n");
        return true;
    }
    text_append(out,
                same_text ? " Yet the runs of the files differ, as after `--set`:\n\n" : "\n\n");
    markdown_table(out, heads, 3, 3);
    if (!same_name) {
        append_row(out, "name", given(before->name), given(now->name));
    }
    if (!same_title) {
        append_row(out, "title", given(before->title), given(now->title));
    }
    for (size_t i = 0; i < contrasts.count; i++) {
        const struct contrast *contrast = &contrasts.items[i];
        text_append_format(out, "| `%s`", contrast->name);
        append_cell(out, *contrast->only[0] == '\0' ? "nothing else" : contrast->only[0], SIZE_MAX);
        append_cell(out, *contrast->only[1] == '\0' ? "nothing else" : contrast->only[1], SIZE_MAX);
        text_append(out, " |\n");
    }
    text_append(out, "\n");
    return true;
}

/* A file that runs read, with another content in either results file. */
struct content {
    const char *path, *digests[2];
};

static const char *digest_of(const struct result_set *set, uint32_t row, int path)
{
    const char *const *digest = result_run_member(set, row, run_list_digest((enum run_field)path));
    return given(*digest);
}

static size_t add_content(struct content *list, size_t count, const struct content *found)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].path, found->path) == 0 &&
            strcmp(list[i].digests[0], found->digests[0]) == 0 &&
            strcmp(list[i].digests[1], found->digests[1]) == 0) {
            return count;
        }
    }
    if (count < CONTENTS_LISTED) {
        list[count++] = *found;
    }
    return count;
}

static size_t find_contents(const struct changes *changes, struct content list[CONTENTS_LISTED])
{
    size_t count = 0;
    for (size_t i = 0; i < changes->pairs.count; i++) {
        const struct pair *pair = &changes->pairs.items[i];
        for (int f = 0; f < RUN_FIELD_COUNT && pair_is_whole(pair); f++) {
            const struct field *field = &run_fields[f];
            char buffer[FIELD_VALUE_SIZE];
            if (field->kind != FIELD_PATH) {
                continue;
            }
            const struct content content = {
                field_member_text(
                    field, result_run_member(changes->pairs.now, pair->now, (size_t)f), buffer),
                {digest_of(changes->pairs.before, pair->before, f),
                 digest_of(changes->pairs.now, pair->now, f)}};
            if (strcmp(content.digests[0], content.digests[1]) != 0) {
                count = add_content(list, count, &content);
            }
        }
    }
    return count;
}

static void append_contents(const struct sections *sections, const struct changes *changes)
{
    static const char *const heads[] = {"file", "SHA-256 in A", "in B"};
    struct content list[CONTENTS_LISTED];
    size_t count = find_contents(changes, list);
    struct text *out = sections->out;
    if (count == 0) {
        return;
    }
    text_append(out, "### Corpora and arrays with another content\n\n");
    markdown_table(out, heads, 3, 3);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "| ");
        markdown_text_cut(out, list[i].path, VALUE_LIMIT);
        append_cell(out, list[i].digests[0], DIGEST_LIMIT);
        append_cell(out, list[i].digests[1], DIGEST_LIMIT);
        text_append(out, " |\n");
    }
    text_append(out, "\n");
}

/* A fact that either file states otherwise; the head goes before the first. */
static void append_fact(struct text *out, const char *name, const char *first, const char *second,
                        size_t *listed)
{
    static const char *const heads[] = {"recorded", "A", "B"};
    if (strcmp(given(first), given(second)) == 0) {
        return;
    }
    if ((*listed)++ == 0) {
        markdown_table(out, heads, 3, 3);
    }
    text_append(out, "| ");
    markdown_text_cut(out, name, VALUE_LIMIT);
    append_cell(out, first == NULL ? "not recorded" : first, VALUE_LIMIT);
    append_cell(out, second == NULL ? "not recorded" : second, VALUE_LIMIT);
    text_append(out, " |\n");
}

static void append_provenance(const struct sections *sections, const struct changes *changes)
{
    const struct result_set *before = changes->sides[0].set;
    const struct result_set *now = changes->sides[1].set;
    struct text *out = sections->out;
    size_t listed = 0;
    text_append(out, "### How they were made\n\n");
    for (size_t i = 0; i < before->provenance_count; i++) {
        const struct provenance *fact = &before->provenance[i];
        append_fact(out, fact->name, fact->value, result_fact(now, fact->name), &listed);
    }
    for (size_t i = 0; i < now->provenance_count; i++) {
        const struct provenance *fact = &now->provenance[i];
        if (result_fact(before, fact->name) == NULL) {
            append_fact(out, fact->name, NULL, fact->value, &listed);
        }
    }
    text_append(out, listed == 0 ? "Both files record the same: version, commit, processor, BLAS, "
                                   "compiler and libraries, as far as they tell.\n\n"
                                 : "\n");
}

bool changes_append_record(const struct sections *sections, const struct changes *changes,
                           struct error *err)
{
    text_append(sections->out, "## What else differs\n\n");
    if (!append_sweeps(sections, changes, err)) {
        return false;
    }
    append_contents(sections, changes);
    append_provenance(sections, changes);
    return true;
}
