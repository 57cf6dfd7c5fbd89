/* SPDX-License-Identifier: MIT */
/* Writes and reads the lines of a history; see history.h. */
#include "summary/history.h"

#include "base/escape.h"
#include "summary/gate.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HISTORY_FORMAT 1

/* What groups differ in. */
static uint64_t axis_fields(const struct summary *summary)
{
    uint64_t fields = 0;
    for (size_t i = 0; i < summary->axis_count; i++) {
        int field = summary->axes[i].field;
        fields |= field == AXIS_GUARDS ? RUN_GUARDS : UINT64_C(1) << field;
    }
    return fields;
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

static bool fill_group(const struct summary_group *from, uint64_t fields, struct arena *arena,
                       struct history_group *out, struct error *err)
{
    struct text where = TEXT_INIT(arena);
    text_append(&where, "");
    gate_append_where(&where, fields, from->sample);
    *out = (struct history_group){
        .where = text_finish(&where, err), .runs = from->runs, .sample = from->sample};
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        out->means[m] = finite_or_nan(from->measures[m].mean);
    }
    return out->where != NULL;
}

/* Each group counts by its runs that have measures. */
static void fill_whole(const struct summary *summary, struct history_group *out)
{
    *out = (struct history_group){.where = "", .sample = summary->groups[0].sample};
    for (size_t g = 0; g < summary->group_count; g++) {
        out->runs += summary->groups[g].runs;
    }
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        double sum = 0;
        double count = 0;
        for (size_t g = 0; g < summary->group_count; g++) {
            const struct estimate *estimate = &summary->groups[g].measures[m];
            if (estimate->count > 0) {
                sum += (double)estimate->count * estimate->mean;
                count += (double)estimate->count;
            }
        }
        out->means[m] = finite_or_nan(sum / count);
    }
}

bool history_groups(const struct summary *summary, struct arena *arena, struct history_night *out,
                    struct error *err)
{
    bool whole = summary->group_count > HISTORY_GROUP_LIMIT;
    size_t count = whole ? 1 : summary->group_count;
    struct history_group *groups = arena_alloc(arena, count, sizeof *groups, err);
    if (groups == NULL) {
        return false;
    }
    uint64_t fields = axis_fields(summary);
    bool good = true;
    for (size_t g = 0; good && !whole && g < count; g++) {
        good = fill_group(&summary->groups[g], fields, arena, &groups[g], err);
    }
    if (whole) {
        fill_whole(summary, groups);
    }
    out->groups = groups;
    out->group_count = count;
    return good;
}

static void append_member(struct text *text, const char *name, const char *value)
{
    text_append_format(text, ", \"%s\": ", name);
    escape_json(text, value);
}

static void append_group(struct text *text, const struct history_group *group)
{
    text_append(text, "{\"where\": ");
    escape_json(text, group->where);
    text_append_format(text, ", \"runs\": %" PRIu64 ", \"means\": {", group->runs);
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        text_append_format(text, "%s\"%s\": ", m == 0 ? "" : ", ", measurement_fields[m].name);
        escape_json_number(text, group->means[m]);
    }
    text_append(text, "}}");
}

const char *history_line(const struct history_night *night, struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    text_append_format(&text, "{\"rowmax_history\": %d", HISTORY_FORMAT);
    append_member(&text, "date", night->date);
    append_member(&text, "name", night->name);
    append_member(&text, "version", night->version);
    append_member(&text, "verdict", night->verdict);
    text_append_format(&text,
                       ", \"compared\": %" PRIu64 ", \"regressions\": %" PRIu64
                       ", \"improvements\": %" PRIu64 ", \"other_host\": %s, \"groups\": [",
                       night->compared, night->regressions, night->improvements,
                       night->other_host ? "true" : "false");
    for (size_t g = 0; g < night->group_count; g++) {
        text_append(&text, g == 0 ? "" : ", ");
        append_group(&text, &night->groups[g]);
    }
    text_append(&text, "]}\n");
    return text_finish(&text, err);
}

/* A line being read. */
struct line {
    const char *path;
    size_t number; /* from 1 */
    struct arena *arena;
    struct error *err;
};

static bool refuse(const struct line *line, int column, const char *why)
{
    return error_set(line->err, ERROR_INPUT,
                     "%s:%zu:%d: %s; this is no line of a history, remove it or name another file",
                     line->path, line->number, column, why);
}

static const char *get_text(const struct line *line, const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (value == NULL) {
        char why[64];
        snprintf(why, sizeof why, "'%s' is missing or no text", name);
        refuse(line, 1, why);
        return NULL;
    }
    return arena_copy_text(line->arena, value, line->err);
}

static bool get_count(const struct line *line, const json_t *object, const char *name,
                      uint64_t *out)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        char why[64];
        snprintf(why, sizeof why, "'%s' is missing or no count", name);
        return refuse(line, 1, why);
    }
    *out = (uint64_t)json_integer_value(value);
    return true;
}

/* What another version measured and this one does not is left out. */
static bool get_group(const struct line *line, const json_t *object, struct history_group *out)
{
    const json_t *means = json_object_get(object, "means");
    *out = (struct history_group){.where = get_text(line, object, "where")};
    if (out->where == NULL || !get_count(line, object, "runs", &out->runs)) {
        return false;
    }
    if (!json_is_object(means)) {
        return refuse(line, 1, "'means' is missing or no object");
    }
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        const json_t *mean = json_object_get(means, measurement_fields[m].name);
        if (mean != NULL && !json_is_number(mean) && !json_is_null(mean)) {
            return refuse(line, 1, "a mean is neither a number nor null");
        }
        out->means[m] = json_is_number(mean) ? json_number_value(mean) : (double)NAN;
    }
    return true;
}

static bool get_groups(const struct line *line, const json_t *object, struct history_night *out)
{
    const json_t *list = json_object_get(object, "groups");
    if (!json_is_array(list)) {
        return refuse(line, 1, "'groups' is missing or no list");
    }
    size_t count = json_array_size(list);
    struct history_group *groups = arena_alloc(line->arena, count, sizeof *groups, line->err);
    bool good = groups != NULL;
    for (size_t g = 0; good && g < count; g++) {
        good = get_group(line, json_array_get(list, g), &groups[g]);
    }
    out->groups = groups;
    out->group_count = count;
    return good;
}

static bool get_night(const struct line *line, const json_t *object, struct history_night *out)
{
    const json_t *format = json_object_get(object, "rowmax_history");
    if (!json_is_integer(format) || json_integer_value(format) != HISTORY_FORMAT) {
        return refuse(line, 1, "'rowmax_history' is not 1");
    }
    out->other_host = json_is_true(json_object_get(object, "other_host"));
    return (out->date = get_text(line, object, "date")) != NULL &&
           (out->name = get_text(line, object, "name")) != NULL &&
           (out->version = get_text(line, object, "version")) != NULL &&
           (out->verdict = get_text(line, object, "verdict")) != NULL &&
           get_count(line, object, "compared", &out->compared) &&
           get_count(line, object, "regressions", &out->regressions) &&
           get_count(line, object, "improvements", &out->improvements) &&
           get_groups(line, object, out);
}

static bool read_line(const struct line *line, const char *bytes, size_t size,
                      struct history_night *out)
{
    json_error_t fault;
    json_t *object = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault);
    if (object == NULL) {
        return refuse(line, fault.column > 0 ? fault.column : 1, fault.text);
    }
    bool good = get_night(line, object, out);
    json_decref(object);
    return good;
}

bool history_parse(const char *path, const char *text, size_t size, struct arena *arena,
                   struct history *out, struct error *err)
{
    struct history_night *nights = NULL;
    size_t count = 0;
    size_t capacity = 0;
    struct line line = {path, 0, arena, err};
    const char *end = text + size;
    while (text < end) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        size_t length = feed == NULL ? (size_t)(end - text) : (size_t)(feed - text);
        line.number++;
        /* An empty line is nobody's night. */
        if (length > 0 && !(length == 1 && text[0] == '\r')) {
            nights = arena_grow(arena, nights, count, &capacity, sizeof *nights, err);
            if (nights == NULL || !read_line(&line, text, length, &nights[count])) {
                return false;
            }
            count++;
        }
        text += length + (feed == NULL ? 0 : 1);
    }
    *out = (struct history){nights, count};
    return true;
}
