/* SPDX-License-Identifier: MIT */
/* Reading .npy: a magic text, a version, a header that is a Python dict literal with exactly the
 * keys descr, fortran_order and shape, then the numbers (NumPy, "NPY format"). Every size is
 * checked against the file before it is used. */
#include "arrays/array_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define MAGIC_SIZE ((size_t)6)
#define TYPE_SHOWN 40

enum header_key { KEY_DESCR, KEY_FORTRAN_ORDER, KEY_SHAPE, KEY_COUNT };

struct header {
    bool seen[KEY_COUNT];
    char descr[TYPE_SHOWN]; /* cut if longer, which no supported type is */
    bool fortran_order;
    struct array_shape shape;
};

/* A place in a text that is not terminated. */
struct cursor {
    const char *at, *end;
};

static void skip_space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n')) {
        cursor->at++;
    }
}

/* Takes a character after white space, if it is the next one. */
static bool take(struct cursor *cursor, char wanted)
{
    skip_space(cursor);
    if (cursor->at == cursor->end || *cursor->at != wanted) {
        return false;
    }
    cursor->at++;
    return true;
}

/* Takes a word such as True. */
static bool take_word(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    skip_space(cursor);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0) {
        return false;
    }
    cursor->at += length;
    return true;
}

/* A quoted text without escapes; cut to what `out` of TYPE_SHOWN bytes holds. */
static bool take_quoted(struct cursor *cursor, char *out)
{
    char quote = '\'';
    if (!take(cursor, quote)) {
        quote = '"';
        if (!take(cursor, quote)) {
            return false;
        }
    }
    size_t length = 0;
    for (; cursor->at < cursor->end && *cursor->at != quote; cursor->at++) {
        if (*cursor->at == '\\' || *cursor->at == '\0') {
            return false;
        }
        if (length + 1 < TYPE_SHOWN) {
            out[length++] = *cursor->at;
        }
    }
    out[length] = '\0';
    return take(cursor, quote);
}

static bool take_size(struct cursor *cursor, uint64_t *size)
{
    skip_space(cursor);
    const char *start = cursor->at;
    uint64_t value = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        uint64_t digit = (uint64_t)(*cursor->at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = 10 * value + digit;
    }
    *size = value;
    return cursor->at > start;
}

/* A tuple of sizes: (), (3,), (3, 4), (3, 4,). */
static bool take_shape(struct cursor *cursor, struct array_shape *shape)
{
    if (!take(cursor, '(')) {
        return false;
    }
    while (!take(cursor, ')')) {
        if (shape->rank == ARRAY_RANK_MAX || !take_size(cursor, &shape->size[shape->rank])) {
            return false;
        }
        shape->rank++;
        if (!take(cursor, ',')) {
            /* "(3)" would be a number in Python, not a tuple. */
            return shape->rank > 1 && take(cursor, ')');
        }
    }
    return true;
}

static bool take_value(struct cursor *cursor, enum header_key key, struct header *header)
{
    switch (key) {
    case KEY_DESCR:
        if (take(cursor, '[')) { /* a list of fields: the type is refused, the rest is not read */
            strcpy(header->descr, "[structured]");
            cursor->at = cursor->end;
            return true;
        }
        return take_quoted(cursor, header->descr);
    case KEY_FORTRAN_ORDER:
        header->fortran_order = take_word(cursor, "True");
        return header->fortran_order || take_word(cursor, "False");
    case KEY_SHAPE:
        return take_shape(cursor, &header->shape);
    case KEY_COUNT:
        break;
    }
    return false;
}

static bool take_entry(struct cursor *cursor, struct header *header)
{
    static const char *const names[KEY_COUNT] = {"descr", "fortran_order", "shape"};
    char name[TYPE_SHOWN];
    if (!take_quoted(cursor, name) || !take(cursor, ':')) {
        return false;
    }
    for (int key = 0; key < KEY_COUNT; key++) {
        if (strcmp(name, names[key]) == 0 && !header->seen[key]) {
            header->seen[key] = true;
            return take_value(cursor, (enum header_key)key, header);
        }
    }
    return false;
}

/* The dict with each key once, in any order, a trailing comma or not, then white space only. */
static bool header_parse(const char *bytes, size_t size, struct header *header)
{
    struct cursor cursor = {bytes, bytes + size};
    *header = (struct header){.fortran_order = false};
    if (!take(&cursor, '{')) {
        return false;
    }
    while (!take(&cursor, '}')) {
        if (!take_entry(&cursor, header)) {
            return false;
        }
        if (header->descr[0] == '[') {
            return true;
        }
        if (!take(&cursor, ',')) {
            if (!take(&cursor, '}')) {
                return false;
            }
            break;
        }
    }
    skip_space(&cursor);
    return cursor.at == cursor.end && header->seen[KEY_DESCR] && header->seen[KEY_FORTRAN_ORDER] &&
           header->seen[KEY_SHAPE];
}

/* Finds the header behind magic and version; the numbers begin at *header + *header_size. */
static bool locate(const char *path, const char *bytes, size_t size, const char **header,
                   size_t *header_size, struct error *err)
{
    const unsigned char *raw = (const unsigned char *)bytes;
    const size_t start = MAGIC_SIZE + 2;
    const unsigned major = size < start ? 1 : raw[MAGIC_SIZE];
    const unsigned minor = size < start ? 0 : raw[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has .npy version %u.%u; versions 1.0, 2.0 and 3.0 can be read", path,
                         major, minor);
    }
    const size_t length_size = major == 1 ? 2 : 4;
    if (size < start + length_size ||
        size - start - length_size < array_little_endian(raw + start, length_size)) {
        return error_set(err, ERROR_INPUT, "'%s' ends within its header; save or copy it again",
                         path);
    }
    *header = bytes + start + length_size;
    *header_size = (size_t)array_little_endian(raw + start, length_size);
    return true;
}

/* NumPy knows bfloat16 only through ml_dtypes, which calls it a void of two bytes. */
static bool find_type(const char *descr, struct array_order *order)
{
    static const struct {
        const char *descr;
        enum array_number number;
        bool big_endian;
    } types[] = {
        {"<f8", ARRAY_F64, false},  {">f8", ARRAY_F64, true},        {"<f4", ARRAY_F32, false},
        {">f4", ARRAY_F32, true},   {"<f2", ARRAY_F16, false},       {">f2", ARRAY_F16, true},
        {"<V2", ARRAY_BF16, false}, {"bfloat16", ARRAY_BF16, false},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(descr, types[i].descr) == 0) {
            order->number = types[i].number;
            order->big_endian = types[i].big_endian;
            return true;
        }
    }
    return false;
}

/* The header describes a supported array that fills exactly `data_size` bytes. */
static bool header_check(const struct header *header, const char *path, size_t data_size,
                         struct array_order *order, struct array *out, struct error *err)
{
    char shown[ARRAY_SHAPE_TEXT];
    if (!find_type(header->descr, order)) {
        return error_set(err, ERROR_INPUT,
                         "'%s': type '%s' is not supported; save as float64: "
                         "array.astype('float64')",
                         path, text_printable(header->descr, shown, sizeof shown));
    }
    if (!array_shape_fold(&header->shape, path, out, err)) {
        return false;
    }
    order->fortran = header->fortran_order;
    const size_t element = array_number_size(order->number);
    uint64_t wanted = 0;
    bool fits = array_shape_bytes(&header->shape, element, &wanted) && wanted <= data_size;
    if (fits && wanted == data_size) {
        return true;
    }
    return error_set(err, ERROR_INPUT,
                     "'%s' has shape %s of %zu bytes each but %s bytes (%zu) after the "
                     "header; save or copy it again",
                     path, array_shape_text(&header->shape, shown), element,
                     fits ? "too many" : "too few", data_size);
}

static bool parse(const char *path, const char *bytes, size_t size, struct arena *arena,
                  struct array *out, struct error *err)
{
    const char *text = NULL;
    size_t text_size = 0;
    if (!locate(path, bytes, size, &text, &text_size, err)) {
        return false;
    }
    struct header header;
    if (!header_parse(text, text_size, &header)) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has a header that is not {'descr': ..., 'fortran_order': ..., "
                         "'shape': ...}; write it with numpy.save(path, array)",
                         path);
    }
    const char *data = text + text_size;
    struct array_order order;
    if (!header_check(&header, path, size - (size_t)(data - bytes), &order, out, err)) {
        return false;
    }
    out->values = array_convert(out, &order, (const unsigned char *)data, arena, err);
    if (out->values == NULL) {
        return false;
    }
    hash_bytes_hex(bytes, size, out->digest);
    return true;
}

bool npy_read(const struct array_file *file, struct arena *arena, struct array *out,
              struct error *err)
{
    if (file->size > ARRAY_BYTES_MAX) {
        return error_set(err, ERROR_INPUT, "'%s' is larger than %" PRIu64 " bytes, the limit",
                         file->path, ARRAY_BYTES_MAX);
    }
    struct arena scratch = {NULL};
    const size_t size = (size_t)file->size;
    char *bytes = arena_alloc(&scratch, size, 1, err);
    bool read = bytes != NULL && array_file_read(file, 0, bytes, size, err) &&
                parse(file->path, bytes, size, arena, out, err);
    arena_release(&scratch);
    return read;
}
