/* SPDX-License-Identifier: MIT */
/* The JSON Schema of a sweep file, made from the field table and the keys. Draft 7, which
 * yaml-language-server reads.
 *
 * A schema judges values, not their spelling, and each value by itself. The reader alone refuses:
 * numbers that have the right value in the wrong spelling (64.0, 1e3 or 0x40 for an integer, 1.0
 * for the version), .nan, switches and -inf in quotes; the end and the direction of a range; rows
 * of scores, and lists of a zip, of different lengths; a field that is set twice, missing, or
 * without effect; names of more than 200 bytes; YAML beyond the plain (anchors, tags, keys given
 * twice); files and words that are not there. The schema alone refuses a text written null. */
#include "sweep/schema_json.h"
#include "sweep/sweep_internal.h"

#include "base/escape.h"

#include <stdio.h>
#include <string.h>

/* What may stand where a field is set. */
enum form { FORM_VALUE, FORM_AXIS, FORM_CONDITION };

/* {"$ref": "#/definitions/KIND_FIELD"} */
static void put_reference(struct json *json, const char *name, const char *kind, const char *field)
{
    json_begin(json, name);
    text_append_format(&json->text, "{\"$ref\": \"#/definitions/%s%s\"}", kind, field);
}

/* A schema for one value or a list of them. */
static void put_one_or_list(struct json *json, const char *kind, const char *name)
{
    json_open(json, "anyOf", "[");
    put_reference(json, NULL, kind, name);
    json_begin(json, NULL);
    text_append_format(&json->text,
                       "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
                       "\"#/definitions/%s%s\"}}",
                       kind, name);
    json_close(json, "]");
}

static bool is_number(const struct field *field)
{
    return field->kind == FIELD_INTEGER || field->kind == FIELD_REAL;
}

static const char *number_type(const struct field *field)
{
    return field->kind == FIELD_INTEGER ? "integer" : "number";
}

/* Any case, as the reader takes them. */
#define SWITCH_SCHEMA                                                                              \
    "[{\"enum\": [\"off\", \"on\"]}, {\"type\": \"boolean\"}, {\"type\": \"string\", "             \
    "\"pattern\": "                                                                                \
    "\"^([Oo][Ff][Ff]|[Oo][Nn]|[Nn][Oo]|[Yy][Ee][Ss]|[Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee])$\"}]"

/* YAML takes 1984 and true for no text, the reader does. */
#define TEXT_TYPES "[\"string\", \"number\", \"boolean\"]"

/* One score of a list; the limit leaves infinity out. */
#define SCORE_SCHEMA                                                                               \
    "{\"anyOf\": [{\"type\": \"number\", \"maximum\": 1.7976931348623157e+308}, {\"enum\": "       \
    "[\"-inf\"]}]}"

/* Rows in one text: numbers parted by commas or blanks, rows by semicolons. */
#define SCORE_WORD                                                                                 \
    "([-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?|-inf|-[.]inf|-[.]Inf|-[.]INF)"
#define SCORE_ROW                                                                                  \
    "[ \\\\t\\\\r\\\\n]*" SCORE_WORD                                                               \
    "(([ \\\\t\\\\r\\\\n]+|[ \\\\t\\\\r\\\\n]*,[ \\\\t\\\\r\\\\n]*)" SCORE_WORD                    \
    ")*[ \\\\t\\\\r\\\\n]*"
#define SCORE_TEXT "{\"type\": \"string\", \"pattern\": \"^" SCORE_ROW "(;" SCORE_ROW ")*$\"}"

static void put_scores(struct json *json)
{
    json_open(json, "anyOf", "[");
    put_reference(json, NULL, "score_row", "");
    json_put(json, NULL,
             "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
             "\"#/definitions/score_row\"}}");
    json_put(json, NULL, "{\"type\": \"number\", \"maximum\": 1.7976931348623157e+308}");
    json_put(json, NULL, SCORE_TEXT);
    json_close(json, "]");
}

static void put_choices(struct json *json, const char *const *choices)
{
    json_begin(json, "enum");
    for (size_t i = 0; choices[i] != NULL; i++) {
        text_append(&json->text, i == 0 ? "[" : ", ");
        escape_json(&json->text, choices[i]);
    }
    text_append(&json->text, "]");
}

static void put_default(struct json *json, const struct field *field)
{
    if (field->fallback != NULL && is_number(field)) {
        json_put(json, "default", field->fallback);
    } else if (field->fallback != NULL) {
        json_put_text(json, "default", field->fallback);
    }
}

static void define_value(struct json *json, const struct field *field)
{
    char name[80];
    snprintf(name, sizeof name, "value_%s", field->name);
    json_open(json, name, "{");
    json_put_text(json, "description", field->help);
    switch (field->kind) {
    case FIELD_INTEGER:
    case FIELD_REAL:
        json_put_text(json, "type", number_type(field));
        json_put_number(json, "minimum", field->minimum);
        json_put_number(json, "maximum", field->maximum);
        break;
    case FIELD_SWITCH:
        json_put(json, "anyOf", SWITCH_SCHEMA);
        break;
    case FIELD_CHOICE:
        put_choices(json, field->choices);
        break;
    case FIELD_ROWS:
        put_scores(json);
        break;
    case FIELD_TEXT:
    case FIELD_PATH:
        json_put(json, "type", TEXT_TYPES);
        json_put(json, "minLength", "1");
        break;
    }
    put_default(json, field);
    json_close(json, "}");
}

/* The first value is always there, so it lies in the range of the field; the end is where no step
 * may lead. An integer range without a step reaches its end. */
static void define_range(struct json *json, const struct field *field)
{
    char name[80];
    snprintf(name, sizeof name, "range_%s", field->name);
    json_open(json, name, "{");
    json_put_text(json, "description", field->help);
    json_put(json, "type", "\"object\"");
    json_put(json, "required", "[\"from\", \"to\"]");
    json_put(json, "additionalProperties", "false");
    json_open(json, "properties", "{");
    put_reference(json, "from", "value_", field->name);
    json_begin(json, "to");
    text_append_format(&json->text, "{\"type\": \"%s\"}", number_type(field));
    json_begin(json, "step");
    text_append_format(&json->text, "{\"type\": \"%s\", \"not\": {\"const\": 0}}",
                       number_type(field));
    json_begin(json, "factor");
    text_append_format(&json->text, "{\"type\": \"%s\", \"exclusiveMinimum\": 1}",
                       number_type(field));
    json_close(json, "}");
    json_put(json, "not", "{\"required\": [\"step\", \"factor\"]}");
    json_put(json, "dependencies",
             "{\"factor\": {\"properties\": {\"from\": {\"exclusiveMinimum\": 0}, \"to\": "
             "{\"exclusiveMinimum\": 0}}}}");
    if (field->kind == FIELD_INTEGER) {
        json_put(
            json, "if",
            "{\"not\": {\"anyOf\": [{\"required\": [\"step\"]}, {\"required\": [\"factor\"]}]}}");
        json_begin(json, "then");
        text_append_format(&json->text,
                           "{\"properties\": {\"to\": {\"$ref\": \"#/definitions/value_%s\"}}}",
                           field->name);
    }
    json_close(json, "}");
}

static void define_axis(struct json *json, const struct field *field)
{
    char name[80];
    snprintf(name, sizeof name, "axis_%s", field->name);
    json_open(json, name, "{");
    json_put_text(json, "description", field->help);
    if (is_number(field)) {
        json_open(json, "anyOf", "[");
        put_reference(json, NULL, "value_", field->name);
        put_reference(json, NULL, "range_", field->name);
        json_begin(json, NULL);
        text_append_format(&json->text,
                           "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"anyOf\": "
                           "[{\"$ref\": \"#/definitions/value_%s\"}, {\"$ref\": "
                           "\"#/definitions/range_%s\"}]}}",
                           field->name, field->name);
        json_close(json, "]");
    } else if (field->kind == FIELD_ROWS) {
        json_open(json, "anyOf", "[");
        put_reference(json, NULL, "value_", field->name);
        json_put(json, NULL,
                 "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                 "\"minItems\": 1, \"items\": {\"$ref\": \"#/definitions/score_row\"}}}");
        json_close(json, "]");
    } else {
        put_one_or_list(json, "value_", field->name);
    }
    json_close(json, "}");
}

/* Names of the sets with their switches in another order than the usual. */
static void put_other_orders(struct json *json)
{
    size_t written = 0;
    for (unsigned i = 0; i < 64; i++) {
        char name[64];
        unsigned mask;
        unsigned last = i >> 4 & 3;
        snprintf(name, sizeof name, "%s+%s%s%s", run_guards_name(1U << (i & 3)),
                 run_guards_name(1U << (i >> 2 & 3)), last == 3 ? "" : "+",
                 last == 3 ? "" : run_guards_name(1U << last));
        if (run_guards_parse(name, &mask) && strcmp(name, run_guards_name(mask)) != 0) {
            text_append(&json->text, written++ == 0 ? "" : ", ");
            escape_json(&json->text, name);
        }
    }
}

static void define_guards(struct json *json)
{
    json_open(json, "value_guards", "{");
    json_put_text(json, "description", sweep_keys[SWEEP_GUARDS].help);
    json_open(json, "anyOf", "[");
    json_begin(json, NULL);
    text_append(&json->text, "{\"enum\": [");
    for (unsigned mask = 0; mask < 8; mask++) {
        text_append(&json->text, mask == 0 ? "" : ", ");
        escape_json(&json->text, run_guards_name(mask));
    }
    text_append(&json->text, "]}");
    json_begin(json, NULL);
    text_append(&json->text, "{\"enum\": [");
    put_other_orders(json);
    text_append(&json->text, "]}");
    json_close(json, "]");
    json_close(json, "}");
    json_open(json, "axis_guards", "{");
    json_put_text(json, "description", sweep_keys[SWEEP_GUARDS].help);
    json_open(json, "anyOf", "[");
    json_put(json, NULL, "{\"enum\": [\"all\"]}");
    put_reference(json, NULL, "value_", GUARDS_NAME);
    json_put(json, NULL,
             "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
             "\"#/definitions/value_guards\"}}");
    json_put(json, NULL,
             "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1, \"items\": {\"enum\": "
             "[\"all\"]}}");
    json_close(json, "]");
    json_close(json, "}");
}

/* The thresholds of a report hold for a whole sweep, but runs can be told apart by them. */
static bool stands_in(enum run_field field, enum form form)
{
    return form == FORM_CONDITION ||
           (field != RUN_SATURATION_ROW_MAX && field != RUN_SATURATION_GRADIENT);
}

/* A value may be left out where it takes out one of an included file. */
static void put_member(struct json *json, const char *field, const char *kind, enum form form)
{
    if (form != FORM_VALUE) {
        put_reference(json, field, kind, field);
        return;
    }
    json_begin(json, field);
    text_append_format(&json->text,
                       "{\"anyOf\": [{\"$ref\": \"#/definitions/%s%s\"}, {\"type\": \"null\"}]}",
                       kind, field);
}

static void define_map(struct json *json, const char *name, const char *help, enum form form)
{
    const char *kind = form == FORM_VALUE ? "value_" : "axis_";
    json_open(json, name, "{");
    if (help != NULL) {
        json_put_text(json, "description", help);
    }
    json_put(json, "type", "\"object\"");
    json_put(json, "additionalProperties", "false");
    json_open(json, "properties", "{");
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (stands_in((enum run_field)i, form)) {
            put_member(json, run_fields[i].name, kind, form);
        }
    }
    put_member(json, GUARDS_NAME, kind, form);
    json_close(json, "}");
    json_close(json, "}");
}

/* A map, or a list of maps of at least `least` items; each map has at least one member where
 * `full`. */
static void put_maps(struct json *json, enum sweep_key_index key, const char *map, int least,
                     bool full)
{
    const char *members = full ? ", \"minProperties\": 1" : "";
    json_open(json, sweep_keys[key].name, "{");
    json_put_text(json, "description", sweep_keys[key].help);
    json_open(json, "anyOf", "[");
    json_begin(json, NULL);
    text_append_format(&json->text, "{\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]%s}", map,
                       members);
    json_begin(json, NULL);
    text_append_format(&json->text,
                       "{\"type\": \"array\", \"minItems\": %d, \"items\": {\"allOf\": "
                       "[{\"$ref\": \"#/definitions/%s\"}]%s}}",
                       least, map, members);
    json_close(json, "]");
    json_close(json, "}");
}

static void define_measures(struct json *json)
{
    json_open(json, "measure", "{");
    json_open(json, "anyOf", "[");
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        json_begin(json, NULL);
        text_append(&json->text, "{\"enum\": [");
        escape_json(&json->text, measurement_fields[i].name);
        text_append(&json->text, "], \"description\": ");
        escape_json(&json->text, measurement_fields[i].help);
        text_append(&json->text, "}");
    }
    json_close(json, "]");
    json_close(json, "}");
}

static void put_definitions(struct json *json)
{
    json_open(json, "definitions", "{");
    define_map(json, "values", sweep_keys[SWEEP_FIXED].help, FORM_VALUE);
    define_map(json, "axes", NULL, FORM_AXIS);
    define_map(json, "conditions", NULL, FORM_CONDITION);
    define_guards(json);
    json_begin(json, "score_row");
    text_append(&json->text, "{\"type\": \"array\", \"minItems\": 1, \"items\": " SCORE_SCHEMA "}");
    json_put(json, "matrix", "{\"enum\": [\"scores\", \"weights\"]}");
    json_open(json, "matrices", "{");
    put_one_or_list(json, "matrix", "");
    json_close(json, "}");
    define_measures(json);
    json_put(json, "path", "{\"type\": " TEXT_TYPES ", \"minLength\": 1}");
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        define_value(json, field);
        define_axis(json, field);
        if (is_number(field)) {
            define_range(json, field);
        }
    }
    json_close(json, "}");
}

/* One line; a name is part of file names, too. */
static void put_line(struct json *json, enum sweep_key_index key, const char *pattern)
{
    json_open(json, sweep_keys[key].name, "{");
    json_put_text(json, "description", sweep_keys[key].help);
    json_put(json, "type", TEXT_TYPES);
    json_put(json, "minLength", "1");
    json_put_text(json, "pattern", pattern);
    if (key == SWEEP_NAME) { /* a number with a sign would begin with it */
        json_put(json, "minimum", "0");
    }
    json_close(json, "}");
}

static void put_saturation(struct json *json)
{
    json_open(json, sweep_keys[SWEEP_SATURATION].name, "{");
    json_put_text(json, "description", sweep_keys[SWEEP_SATURATION].help);
    json_put(json, "type", "\"object\"");
    json_put(json, "additionalProperties", "false");
    json_open(json, "properties", "{");
    put_reference(json, "row_max", "value_", run_fields[RUN_SATURATION_ROW_MAX].name);
    put_reference(json, "gradient", "value_", run_fields[RUN_SATURATION_GRADIENT].name);
    json_close(json, "}");
    json_close(json, "}");
}

static void put_keep(struct json *json)
{
    json_open(json, sweep_keys[SWEEP_KEEP].name, "{");
    json_put_text(json, "description", sweep_keys[SWEEP_KEEP].help);
    json_open(json, "anyOf", "[");
    json_put(json, NULL, "{\"enum\": [\"none\"]}");
    put_reference(json, NULL, "matrices", "");
    json_put(
        json, NULL,
        "{\"type\": \"object\", \"required\": [\"matrices\"], \"additionalProperties\": false, "
        "\"properties\": {\"matrices\": {\"$ref\": \"#/definitions/matrices\"}, \"where\": "
        "{\"$ref\": \"#/definitions/conditions\"}}}");
    json_close(json, "]");
    json_close(json, "}");
}

static void put_measures(struct json *json)
{
    json_open(json, sweep_keys[SWEEP_MEASURES].name, "{");
    json_put_text(json, "description", sweep_keys[SWEEP_MEASURES].help);
    json_open(json, "anyOf", "[");
    json_put(json, NULL, "{\"enum\": [\"all\"]}");
    put_reference(json, NULL, "measure", "");
    json_put(json, NULL,
             "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
             "\"#/definitions/measure\"}}");
    json_close(json, "]");
    json_close(json, "}");
}

static void put_properties(struct json *json)
{
    json_open(json, "properties", "{");
    json_open(json, sweep_keys[SWEEP_ROWMAX].name, "{");
    json_put_text(json, "description", sweep_keys[SWEEP_ROWMAX].help);
    json_put(json, "const", "1");
    json_close(json, "}");
    put_line(json, SWEEP_NAME, "^[^./\\u0000-\\u001f\\u007f-][^/\\u0000-\\u001f\\u007f]*\\n*$");
    put_line(json, SWEEP_TITLE, "^[^\\u0000-\\u001f\\u007f]*\\n*$");
    json_open(json, sweep_keys[SWEEP_INCLUDE].name, "{");
    json_put_text(json, "description", sweep_keys[SWEEP_INCLUDE].help);
    put_one_or_list(json, "path", "");
    json_close(json, "}");
    put_reference(json, sweep_keys[SWEEP_FIXED].name, "values", "");
    put_maps(json, SWEEP_GRID, "axes", 1, false);
    put_maps(json, SWEEP_ZIP, "axes", 1, true);
    put_maps(json, SWEEP_EXCLUDE, "conditions", 0, true);
    put_saturation(json);
    put_keep(json);
    put_measures(json);
    json_close(json, "}");
}

const char *sweep_schema(struct arena *arena, struct error *err)
{
    struct json json = {.text = TEXT_INIT(arena)};
    json_open(&json, NULL, "{");
    json_put(&json, "$schema", "\"http://json-schema.org/draft-07/schema#\"");
    json_put(&json, "title", "\"A rowmax sweep\"");
    json_put(&json, "description",
             "\"What 'rowmax plan' and 'rowmax run' read; written by 'rowmax schema'\"");
    json_put(&json, "type", "\"object\"");
    json_put(&json, "required", "[\"rowmax\"]");
    json_put(&json, "additionalProperties", "false");
    put_properties(&json);
    json_put(&json, "if", "{\"not\": {\"required\": [\"include\"]}}");
    json_put(&json, "then",
             "{\"properties\": {\"fixed\": {\"additionalProperties\": {\"not\": {\"type\": "
             "\"null\"}}}}}");
    put_definitions(&json);
    json_close(&json, "}");
    text_append(&json.text, "\n");
    return text_finish(&json.text, err);
}
