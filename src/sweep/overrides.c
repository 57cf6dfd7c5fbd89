/* SPDX-License-Identifier: MIT */
/* --set field=value: the value is read like one of the file and takes the place of what the file
 * sets for the field. */
#include "sweep/sweep_internal.h"

#include <string.h>

static struct node *make_scalar(struct reader *reader, struct place place, const char *text,
                                size_t length)
{
    struct node *node = arena_alloc(reader->arena, 1, sizeof *node, reader->err);
    char *copy = arena_copy_bytes(reader->arena, text, length, reader->err);
    if (node == NULL || copy == NULL) {
        return NULL;
    }
    *node = (struct node){.kind = NODE_SCALAR, .plain = true, .place = place, .text = copy};
    return node;
}

/* Names and sentences are taken whole: their commas, colons and '#' are no YAML. */
static bool is_taken_whole(const char *key, const char *value)
{
    const struct field *field = run_field_find(key);
    bool is_text = field == NULL ? strcmp(key, "name") == 0 || strcmp(key, "title") == 0
                                 : field_is_text(field);
    return value[0] == '\0' || (is_text && strchr("[{\"'", value[0]) == NULL);
}

static const struct node *read_value(struct reader *reader, const struct node *key,
                                     const char *value)
{
    struct place place = key->place;
    size_t length = strlen(value);
    if (!is_taken_whole(key->text, value)) {
        if (strchr("[{\"'", value[0]) == NULL && strchr(value, ',') != NULL) {
            problems_add(&reader->problems, place, "'%s' is not one value; a list is written [%s]",
                         problems_shown(&reader->problems, value),
                         problems_shown(&reader->problems, value));
            return NULL;
        }
        return yaml_tree_read(value, length, place.origin, &reader->problems);
    }
    size_t bad = text_utf8_error(value, length);
    if (bad < length) {
        problems_add(&reader->problems, place, "invalid UTF-8 (byte 0x%02X at offset %zu)",
                     (unsigned char)value[bad], bad);
        return NULL;
    }
    return make_scalar(reader, place, value, length);
}

/* Removes the file's parts that set nothing but fields of the mask. */
static void remove_parts(struct setting *zip, uint64_t mask)
{
    struct setting **link = &zip->parts;
    while (*link != NULL) {
        if (((*link)->mask & ~mask) == 0) {
            *link = (*link)->next;
        } else {
            link = &(*link)->next;
        }
    }
}

/* Takes the fields of `setting` out of the list; the first place that becomes free is given to
 * `setting`, if `free_place` says that it still looks for one. */
static void replace_in(struct setting **list, struct setting *setting, bool *free_place)
{
    struct setting **link = list;
    while (*link != NULL) {
        struct setting *old = *link;
        bool was_zip = old->parts != NULL;
        remove_parts(old, setting->mask);
        bool goes = was_zip ? old->parts == NULL
                            : old->place.origin == 0 && (old->mask & ~setting->mask) == 0;
        if (goes && *free_place) {
            setting->next = old->next;
            *link = setting;
            *free_place = false;
        } else if (goes) {
            *link = old->next;
            continue;
        }
        link = &(*link)->next;
    }
}

static void replace(struct sweep_internal *internal, struct setting *setting)
{
    bool looking = true;
    bool elsewhere = false;
    replace_in(&internal->leading, setting, &looking);
    for (size_t i = 0; i < internal->block_count; i++) {
        /* One grid of several is no place for what holds in all. */
        replace_in(&internal->blocks[i], setting,
                   internal->block_count == 1 ? &looking : &elsewhere);
    }
    replace_in(&internal->trailing, setting, &looking);
    if (looking) {
        setting_link(&internal->trailing, setting);
    }
}

static void apply_field(struct reader *reader, const struct node *key, const struct node *value)
{
    bool row_max = strcmp(key->text, "saturation.row_max") == 0;
    bool threshold = row_max || strcmp(key->text, "saturation.gradient") == 0;
    struct setting *setting =
        threshold
            ? setting_read_field(reader, row_max ? RUN_SATURATION_ROW_MAX : RUN_SATURATION_GRADIENT,
                                 key, value, SETTING_FIXED)
            : setting_read(reader, key, value, SETTING_AXIS);
    if (setting == NULL) {
        return;
    }
    if (value->kind == NODE_SCALAR && setting->count <= 1) {
        setting->use = SETTING_FIXED;
    }
    replace(reader->internal, setting);
}

static void apply(struct reader *reader, size_t index)
{
    const char *set = reader->problems.sets[index];
    struct place place = {.origin = index + 1, .line = 1, .column = 1};
    const char *equals = strchr(set, '=');
    if (equals == NULL || equals == set) {
        problems_add(&reader->problems, place, "write it as field=value");
        return;
    }
    const struct node *key = make_scalar(reader, place, set, (size_t)(equals - set));
    const struct node *value = key == NULL ? NULL : read_value(reader, key, equals + 1);
    if (value == NULL) {
        return;
    }
    if (strcmp(key->text, "name") == 0) {
        name_read(reader, value);
    } else if (strcmp(key->text, "title") == 0) {
        title_read(reader, value);
    } else if (strcmp(key->text, "keep") == 0) {
        reader->internal->keep = 0;
        reader->internal->keep_where = NULL;
        keep_read(reader, value);
    } else if (strcmp(key->text, "measures") == 0) {
        measures_read(reader, value);
    } else {
        apply_field(reader, key, value);
    }
}

void overrides_apply(struct reader *reader, size_t set_count)
{
    for (size_t i = 0; i < set_count && reader->err->code == ERROR_NONE; i++) {
        apply(reader, i);
    }
}
