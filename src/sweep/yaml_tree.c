/* SPDX-License-Identifier: MIT */
/* The tree is built from libyaml's events, not its documents: events pass the depth limit, unknown
 * aliases and cycles by one at a time, before anything grows. See yaml_tree.h. */
#include "sweep/yaml_tree.h"

#include "base/hdf_signature.h"
#include "base/text.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct level {
    struct node *container;
    struct node *last;      /* child */
    const struct node *key; /* read, its value still to come */
};

struct builder {
    yaml_parser_t parser;
    struct problems *problems;
    size_t origin;
    const char *text; /* after a byte-order mark */
    size_t size;
    size_t depth;
    struct level levels[SWEEP_DEPTH_LIMIT];
    struct node *root;
    bool ended; /* the stream is read, or must not be read further */
};

const char *node_kind_name(const struct node *node)
{
    static const char *const names[] = {"a text", "a list", "a map"};
    return node_is_empty(node) ? "nothing" : names[node->kind];
}

bool node_is_empty(const struct node *node)
{
    return node->kind == NODE_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0);
}

static struct place place_of(const struct builder *builder, yaml_mark_t mark)
{
    return (struct place){.origin = builder->origin,
                          .line = mark.line + 1,
                          .column = mark.column + 1,
                          .file = builder->problems->file};
}

/* Where a byte lies: libyaml tells only the offset of one that it cannot read. */
static struct place place_of_byte(const struct builder *builder, size_t offset)
{
    struct place place = {
        .origin = builder->origin, .line = 1, .column = 1, .file = builder->problems->file};
    for (size_t i = 0; i < offset && i < builder->size; i++) {
        char byte = builder->text[i];
        bool pair = byte == '\r' && i + 1 < builder->size && builder->text[i + 1] == '\n';
        if (byte == '\n' || (byte == '\r' && !pair)) {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)byte & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

/* The first byte of the character at a mark, which counts code points; NUL at the end. */
static char byte_at(const struct builder *builder, yaml_mark_t mark)
{
    size_t seen = 0;
    for (size_t i = 0; i < builder->size; i++) {
        if (((unsigned char)builder->text[i] & 0xC0) != 0x80 && seen++ == mark.index) {
            return builder->text[i];
        }
    }
    return '\0';
}

static bool has(const char *problem, const char *part)
{
    return problem != NULL && strstr(problem, part) != NULL;
}

static void stop_at_scanner_error(struct builder *builder)
{
    const yaml_parser_t *parser = &builder->parser;
    const char *problem = parser->problem == NULL ? "not YAML" : parser->problem;
    struct place place = place_of(builder, parser->problem_mark);
    char byte = byte_at(builder, parser->problem_mark);
    bool strange = has(problem, "cannot start any token");
    if (has(parser->context, "quoted scalar") && has(problem, "unexpected")) {
        problems_add(builder->problems, place_of(builder, parser->context_mark),
                     "this quote is never closed");
    } else if (has(problem, "tab character") || (strange && byte == '\t')) {
        problems_add(builder->problems, place, "tab used for indentation; use spaces");
    } else if (strange) {
        problems_add(builder->problems, place, "a text cannot begin with '%c'; put it in quotes",
                     byte);
    } else if (has(problem, "incompatible YAML")) {
        problems_add(builder->problems, place, "unsupported YAML version; write YAML 1.2");
    } else if (has(problem, "mapping values are not allowed")) {
        problems_add(builder->problems, place,
                     "unexpected ':'; is a space missing after a ':' above, or quotes around a "
                     "text that holds ': '?");
    } else if (parser->context != NULL && parser->context_mark.line != parser->problem_mark.line) {
        problems_add(builder->problems, place, "%s (%s that starts on line %zu)", problem,
                     parser->context, parser->context_mark.line + 1);
    } else {
        problems_add(builder->problems, place, "%s", problem);
    }
}

static void stop_at_parser_error(struct builder *builder)
{
    builder->ended = true;
    const yaml_parser_t *parser = &builder->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        error_set(builder->problems->err, ERROR_INTERNAL, "out of memory while reading YAML");
    } else if (parser->error == YAML_READER_ERROR) {
        problems_add(builder->problems, place_of_byte(builder, parser->problem_offset),
                     "control character U+%04X is not allowed", (unsigned)parser->problem_value);
    } else {
        stop_at_scanner_error(builder);
    }
}

static void stop(struct builder *builder, struct place place, const char *message)
{
    problems_add(builder->problems, place, "%s", message);
    builder->ended = true;
}

static struct level *top(struct builder *builder)
{
    return builder->depth == 0 ? NULL : &builder->levels[builder->depth - 1];
}

/* Hangs a node in where the document is now: as root, list item, key or value. */
static void attach(struct builder *builder, struct node *node)
{
    struct level *level = top(builder);
    if (level == NULL) {
        builder->root = node;
        return;
    }
    struct node *container = level->container;
    if (container->kind == NODE_MAP && level->key == NULL) {
        level->key = node;
        if (node->kind != NODE_SCALAR) {
            stop(builder, node->place, "a key must be a single word, not a list or a map");
        } else if (node->plain && strcmp(node->text, "<<") == 0) {
            problems_add(builder->problems, node->place,
                         "merge keys ('<<') are not supported; write the keys out");
        }
        return;
    }
    node->key = level->key;
    level->key = NULL;
    if (level->last == NULL) {
        container->first = node;
    } else {
        level->last->next = node;
    }
    level->last = node;
    container->count++;
}

static struct node *make_node(struct builder *builder, enum node_kind kind, struct place place)
{
    struct problems *problems = builder->problems;
    if (++problems->nodes > SWEEP_NODE_LIMIT) {
        problems_add(problems, place,
                     "more than %d values and keys, the limit; write ranges, or several sweeps",
                     SWEEP_NODE_LIMIT);
        builder->ended = true;
        return NULL;
    }
    struct node *node = arena_alloc(problems->arena, 1, sizeof *node, problems->err);
    if (node == NULL) {
        builder->ended = true;
        return NULL;
    }
    *node = (struct node){.kind = kind, .place = place, .text = ""};
    return node;
}

static void refuse_extras(struct builder *builder, struct place place, const yaml_char_t *anchor,
                          const yaml_char_t *tag)
{
    struct problems *problems = builder->problems;
    if (anchor != NULL) {
        problems_add(problems, place, "anchors are not supported ('&%s'); write the value out",
                     problems_shown(problems, (const char *)anchor));
    }
    if (tag != NULL) {
        problems_add(problems, place, "tags are not supported ('%s'); the field gives the type",
                     problems_shown(problems, (const char *)tag));
    }
}

static void take_scalar(struct builder *builder, const yaml_event_t *event)
{
    struct place place = place_of(builder, event->start_mark);
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    struct problems *problems = builder->problems;
    refuse_extras(builder, place, event->data.scalar.anchor, event->data.scalar.tag);
    if (memchr(value, '\0', length) != NULL) {
        problems_add(problems, place, "NUL in a text; leave it out");
    }
    struct node *node = make_node(builder, NODE_SCALAR, place);
    char *copy = arena_copy_bytes(problems->arena, value, length, problems->err);
    if (node == NULL || copy == NULL) {
        builder->ended = true;
        return;
    }
    node->text = copy;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    attach(builder, node);
}

static void take_alias(struct builder *builder, const yaml_event_t *event)
{
    struct place place = place_of(builder, event->start_mark);
    problems_add(builder->problems, place, "aliases are not supported ('*%s'); write the value out",
                 problems_shown(builder->problems, (const char *)event->data.alias.anchor));
    struct node *node = make_node(builder, NODE_SCALAR, place);
    if (node != NULL) {
        attach(builder, node);
    }
}

static void open_container(struct builder *builder, enum node_kind kind, const yaml_event_t *event)
{
    bool map = kind == NODE_MAP;
    struct place place = place_of(builder, event->start_mark);
    refuse_extras(builder, place,
                  map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
                  map ? event->data.mapping_start.tag : event->data.sequence_start.tag);
    if (builder->depth == SWEEP_DEPTH_LIMIT) {
        problems_add(builder->problems, place, "nested too deeply (limit %d)", SWEEP_DEPTH_LIMIT);
        builder->ended = true;
        return;
    }
    struct node *node = make_node(builder, kind, place);
    if (node == NULL) {
        return;
    }
    attach(builder, node);
    builder->levels[builder->depth++] = (struct level){.container = node};
}

static int compare_keys(const void *left, const void *right)
{
    const struct node *a = *(const struct node *const *)left;
    const struct node *b = *(const struct node *const *)right;
    int order = strcmp(a->text, b->text);
    order = order != 0 ? order : (a->place.line > b->place.line) - (a->place.line < b->place.line);
    return order != 0 ? order
                      : (a->place.column > b->place.column) - (a->place.column < b->place.column);
}

/* Sorting finds the equal keys of a map of any size in n log n. */
static void refuse_duplicates(struct builder *builder, const struct node *map)
{
    struct problems *problems = builder->problems;
    const struct node **keys =
        arena_alloc(problems->arena, map->count, sizeof *keys, problems->err);
    if (keys == NULL) {
        builder->ended = true;
        return;
    }
    size_t count = 0;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        keys[count++] = child->key;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(keys[first]->text, keys[i]->text) == 0) {
            problems_add(problems, keys[i]->place,
                         "duplicate key '%s' (first on line %zu); keep one",
                         problems_shown(problems, keys[first]->text), keys[first]->place.line);
        } else {
            first = i;
        }
    }
}

static void close_container(struct builder *builder)
{
    const struct level *level = top(builder);
    if (level == NULL) {
        return;
    }
    builder->depth--;
    if (level->container->kind == NODE_MAP) {
        refuse_duplicates(builder, level->container);
    }
}

static void take_event(struct builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root != NULL) {
            stop(builder, place_of(builder, event->start_mark),
                 "more than one document; a sweep is a single one");
        }
        break;
    case YAML_SCALAR_EVENT:
        take_scalar(builder, event);
        break;
    case YAML_ALIAS_EVENT:
        take_alias(builder, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_container(builder, NODE_LIST, event);
        break;
    case YAML_MAPPING_START_EVENT:
        open_container(builder, NODE_MAP, event);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_container(builder);
        break;
    case YAML_STREAM_END_EVENT:
        builder->ended = true;
        break;
    default:
        break;
    }
}

static void read_events(struct builder *builder)
{
    while (!builder->ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&builder->parser, &event)) {
            stop_at_parser_error(builder);
            return;
        }
        take_event(builder, &event);
        yaml_event_delete(&event);
    }
}

/* The bytes that libyaml would guess from or stumble over: other encodings, invalid UTF-8. */
static bool check_encoding(struct builder *builder)
{
    struct place start = place_of_byte(builder, 0);
    const char *text = builder->text;
    bool wide = builder->size >= 2 &&
                (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    if (wide) {
        problems_add(builder->problems, start, "looks like UTF-16; save it as UTF-8");
        return false;
    }
    if (builder->size >= HDF_SIGNATURE_SIZE &&
        memcmp(text, HDF_SIGNATURE, HDF_SIGNATURE_SIZE) == 0) {
        problems_add(builder->problems, start,
                     "an HDF5 file, no YAML; 'rowmax report' and 'rowmax show' read results");
        return false;
    }
    size_t bad = text_utf8_error(text, builder->size);
    if (bad < builder->size) {
        problems_add(builder->problems, place_of_byte(builder, bad),
                     "invalid UTF-8 (byte 0x%02X at offset %zu); save it as UTF-8",
                     (unsigned char)text[bad], bad);
    }
    return bad == builder->size;
}

const struct node *yaml_tree_read(const char *text, size_t size, size_t origin,
                                  struct problems *problems)
{
    /* libyaml would count a byte-order mark as a column. */
    size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    struct builder builder = {
        .problems = problems, .origin = origin, .text = text + mark, .size = size - mark};
    size_t before = problems->count;
    if (!check_encoding(&builder)) {
        return NULL;
    }
    if (!yaml_parser_initialize(&builder.parser)) {
        error_set(problems->err, ERROR_INTERNAL, "out of memory while reading YAML");
        return NULL;
    }
    yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&builder.parser, (const unsigned char *)builder.text,
                                 builder.size);
    read_events(&builder);
    yaml_parser_delete(&builder.parser);
    if (problems->count == before && builder.root == NULL) {
        const char *empty = problems->empty != NULL
                                ? problems->empty
                                : "the file is empty; a sweep begins with 'rowmax: 1'";
        problems_add(problems, (struct place){origin, 1, 1, problems->file}, "%s",
                     origin == 0 ? empty : "empty value");
    }
    return problems->count == before && problems->err->code == ERROR_NONE ? builder.root : NULL;
}

const char *sweep_yaml_version(void)
{
    return yaml_get_version_string();
}
