/* SPDX-License-Identifier: MIT */
/* A sweep that includes others, written as one file that says the same: what results files and
 * planned folders hold, so that nothing is lost when an included file is. The files themselves
 * stand behind it as comments. */
#include "sweep/sweep_internal.h"

#include <string.h>

/* A plain scalar that means the same in any YAML and anywhere. */
static bool is_safe(const char *text)
{
    return text[0] != '\0' && strcmp(text, "-") != 0 &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_.+-")] == '\0';
}

/* In double quotes, with all spelled out that YAML or a comment could take for a line end. */
static void append_quoted(struct text *text, const char *value)
{
    size_t size = strlen(value);
    size_t step;
    text_append(text, "\"");
    for (size_t at = 0; at < size; at += step) {
        uint32_t code = 0;
        step = text_utf8_step(value + at, size - at, &code);
        bool odd = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 ||
                   code == 0x2029 || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
        step = step == 0 ? 1 : step;
        if (code == '"' || code == '\\') {
            text_append_format(text, "\\%c", (char)code);
        } else if (odd) {
            text_append_format(text, "\\u%04X", code);
        } else {
            text_append_bytes(text, value + at, step);
        }
    }
    text_append(text, "\"");
}

static void append_scalar(struct reader *reader, struct text *text, const struct node *node,
                          const struct field *field)
{
    const char *value = field != NULL && field->kind == FIELD_PATH
                            ? includes_path(reader, run_field_index(field), node)
                            : node->text;
    if (node->plain && is_safe(value)) {
        text_append(text, value);
    } else {
        append_quoted(text, value);
    }
}

static void append_key(struct text *text, const char *key)
{
    if (is_safe(key)) {
        text_append_format(text, "%s: ", key);
    } else {
        append_quoted(text, key);
        text_append(text, ": ");
    }
}

/* A node in flow style; `field` is the field that it is a value of. A tree has a limited depth. */
static void append_flow(struct reader *reader, struct text *text, const struct node *node,
                        const struct field *field)
{
    if (node->kind == NODE_SCALAR) {
        append_scalar(reader, text, node, field);
        return;
    }
    text_append(text, node->kind == NODE_LIST ? "[" : "{");
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        text_append(text, child == node->first ? "" : ", ");
        if (child->key != NULL) {
            append_key(text, child->key->text);
        }
        append_flow(reader, text, child,
                    child->key == NULL ? field : run_field_find(child->key->text));
    }
    text_append(text, node->kind == NODE_LIST ? "]" : "}");
}

/* A field or a map a line. */
static void append_section(struct reader *reader, struct text *text, const struct node *section)
{
    bool map = section->kind == NODE_MAP && section->count > 0;
    bool list =
        section->kind == NODE_LIST && section->count > 0 && section->first->kind != NODE_SCALAR;
    text_append_format(text, "%s:", section->key->text);
    if (!map && !list) {
        text_append(text, " ");
        append_flow(reader, text, section, NULL);
        text_append(text, "\n");
        return;
    }
    text_append(text, "\n");
    for (const struct node *child = section->first; child != NULL; child = child->next) {
        text_append(text, list ? "  - " : "  ");
        if (map) {
            append_key(text, child->key->text);
        }
        append_flow(reader, text, child, map ? run_field_find(child->key->text) : NULL);
        text_append(text, "\n");
    }
}

/* How many bytes of the line end at `at`, of those that YAML knows; 0 for none. */
static size_t line_end(const char *at)
{
    static const char *const ends[] = {"\r\n",     "\n",           "\r",
                                       "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t length = strlen(ends[i]);
        if (strncmp(at, ends[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* A byte-order mark is none within a text. */
static void append_commented(struct text *text, const char *file)
{
    const char *at = strncmp(file, "\xEF\xBB\xBF", 3) == 0 ? file + 3 : file;
    while (*at != '\0') {
        const char *start = at;
        size_t end = 0;
        while (*at != '\0' && (end = line_end(at)) == 0) {
            at++;
        }
        text_append(text, at == start ? "#" : "# ");
        text_append_bytes(text, start, (size_t)(at - start));
        text_append(text, "\n");
        at += *at == '\0' ? 0 : end;
    }
}

static void append_files(struct reader *reader, struct text *text)
{
    char shown[1024];
    for (size_t i = 0; i < reader->included_count; i++) {
        const struct included *file = &reader->included[i];
        text_append_format(text, "\n# ---- %s%s\n", i == 0 ? "the sweep itself" : "included: ",
                           i == 0 ? "" : text_printable(file->name, shown, sizeof shown));
        append_commented(text, file->text);
    }
}

const char *resolved_text(struct reader *reader, const struct node *root)
{
    struct text text = TEXT_INIT(reader->arena);
    text_append(&text, "# A sweep with what it includes, as one; the files follow as comments.\n"
                       "rowmax: 1\nname: ");
    append_quoted(&text, reader->sweep->name);
    text_append(&text, "\n");
    if (reader->sweep->title != NULL) {
        text_append(&text, "title: ");
        append_quoted(&text, reader->sweep->title);
        text_append(&text, "\n");
    }
    for (const struct node *section = root->first; section != NULL; section = section->next) {
        const char *key = section->key->text;
        if (strcmp(key, sweep_keys[SWEEP_ROWMAX].name) != 0 &&
            strcmp(key, sweep_keys[SWEEP_NAME].name) != 0 &&
            strcmp(key, sweep_keys[SWEEP_TITLE].name) != 0) {
            append_section(reader, &text, section);
        }
    }
    append_files(reader, &text);
    const char *finished = text_finish(&text, reader->err);
    if (finished != NULL && text.length > SWEEP_FILE_LIMIT) {
        problems_add(&reader->problems, root->place,
                     "the sweep with its files and what they set takes more than %zu bytes, the "
                     "limit",
                     SWEEP_FILE_LIMIT);
    }
    return finished;
}
