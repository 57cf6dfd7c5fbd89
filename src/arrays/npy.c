/* SPDX-License-Identifier: MIT */
/* Reading .npy: a magic text, a version, a header that is a Python dict literal with exactly the
 * keys descr, fortran_order and shape, then the numbers (NumPy, "NPY format"). Every size is
 * checked against the file before it is used. */
#include "arrays/npy.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"

#include <string.h>

#define NPY_LIMIT ((size_t)1 << 30)
#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE ((size_t)6)
#define DIMENSIONS_MAX 32 /* as NumPy */
#define TYPE_SHOWN 40

enum header_key { KEY_DESCR, KEY_FORTRAN_ORDER, KEY_SHAPE, KEY_COUNT };

struct header {
    bool seen[KEY_COUNT];
    char descr[TYPE_SHOWN]; /* cut if longer, which no supported type is */
    bool fortran_order;
    size_t dimensions;
    size_t shape[2]; /* the first two */
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

static bool take_size(struct cursor *cursor, size_t *size)
{
    skip_space(cursor);
    const char *start = cursor->at;
    size_t value = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        size_t digit = (size_t)(*cursor->at - '0');
        if (value > (SIZE_MAX - digit) / 10) {
            return false;
        }
        value = 10 * value + digit;
    }
    *size = value;
    return cursor->at > start;
}

/* A tuple of sizes: (), (3,), (3, 4), (3, 4,). */
static bool take_shape(struct cursor *cursor, struct header *header)
{
    if (!take(cursor, '(')) {
        return false;
    }
    while (!take(cursor, ')')) {
        size_t size = 0;
        if (header->dimensions == DIMENSIONS_MAX || !take_size(cursor, &size)) {
            return false;
        }
        if (header->dimensions < 2) {
            header->shape[header->dimensions] = size;
        }
        header->dimensions++;
        if (!take(cursor, ',')) {
            /* "(3)" would be a number in Python, not a tuple. */
            return header->dimensions > 1 && take(cursor, ')');
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
        return take_shape(cursor, header);
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
    *header = (struct header){.dimensions = 0};
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

static uint64_t little_endian(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Finds the header behind magic and version; the numbers begin at *header + *header_size. */
static bool locate(const char *path, const char *bytes, size_t size, const char **header,
                   size_t *header_size, struct error *err)
{
    const unsigned char *raw = (const unsigned char *)bytes;
    if (size < MAGIC_SIZE + 2 || memcmp(bytes, MAGIC, MAGIC_SIZE) != 0) {
        return error_set(err, ERROR_INPUT,
                         "'%s' is not a .npy file; write it with numpy.save(path, array)", path);
    }
    unsigned major = raw[MAGIC_SIZE];
    unsigned minor = raw[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has .npy version %u.%u; versions 1.0, 2.0 and 3.0 can be read", path,
                         major, minor);
    }
    size_t start = MAGIC_SIZE + 2;
    size_t length_size = major == 1 ? 2 : 4;
    if (size - start < length_size ||
        size - start - length_size < little_endian(raw + start, length_size)) {
        return error_set(err, ERROR_INPUT, "'%s' ends within its header; save or copy it again",
                         path);
    }
    *header = bytes + start + length_size;
    *header_size = (size_t)little_endian(raw + start, length_size);
    return true;
}

/* Bytes of a number of the type, or 0 where it is not supported. */
static size_t element_size(const char *descr)
{
    static const struct {
        const char *descr;
        size_t size;
    } types[] = {{"<f8", 8}, {">f8", 8}, {"<f4", 4}, {">f4", 4}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(descr, types[i].descr) == 0) {
            return types[i].size;
        }
    }
    return 0;
}

/* The header describes a supported array that fills exactly `data_size` bytes. */
static bool header_check(const struct header *header, const char *path, size_t data_size,
                         struct error *err)
{
    size_t element = element_size(header->descr);
    if (element == 0) {
        char shown[TYPE_SHOWN];
        return error_set(err, ERROR_INPUT,
                         "'%s': type '%s' is not supported; save as float64: "
                         "array.astype('float64')",
                         path, text_printable(header->descr, shown, sizeof shown));
    }
    if (header->dimensions != 2) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has %zu dimension%s where 2 are needed; save "
                         "array.reshape(rows, columns)",
                         path, header->dimensions, header->dimensions == 1 ? "" : "s");
    }
    size_t rows = header->shape[0];
    size_t columns = header->shape[1];
    if (rows == 0 || columns == 0) {
        return error_set(err, ERROR_INPUT, "'%s' has shape (%zu, %zu): there is no number in it",
                         path, rows, columns);
    }
    bool fits = rows <= data_size / element / columns;
    if (fits && rows * columns * element == data_size) {
        return true;
    }
    return error_set(err, ERROR_INPUT,
                     "'%s' has shape (%zu, %zu) of %zu bytes each but %s bytes (%zu) after the "
                     "header; save or copy it again",
                     path, rows, columns, element, fits ? "too many" : "too few", data_size);
}

static double element_read(const unsigned char *bytes, size_t size, bool big)
{
    unsigned char ordered[8];
    for (size_t i = 0; i < size; i++) {
        ordered[i] = bytes[big ? size - 1 - i : i];
    }
    uint64_t bits = little_endian(ordered, size);
    if (size == 4) {
        uint32_t single_bits = (uint32_t)bits;
        float single = 0;
        memcpy(&single, &single_bits, sizeof single);
        return (double)single;
    }
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void convert(const struct header *header, const char *data, double *values)
{
    size_t rows = header->shape[0];
    size_t columns = header->shape[1];
    size_t element = element_size(header->descr);
    bool big = header->descr[0] == '>';
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            size_t at = header->fortran_order ? column * rows + row : row * columns + column;
            const unsigned char *bytes = (const unsigned char *)data + at * element;
            values[row * columns + column] = element_read(bytes, element, big);
        }
    }
}

static bool parse(const char *path, const char *bytes, size_t size, struct arena *arena,
                  struct npy *out, struct error *err)
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
    if (!header_check(&header, path, size - (size_t)(data - bytes), err)) {
        return false;
    }
    double *values = arena_alloc(arena, header.shape[0], header.shape[1] * sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    convert(&header, data, values);
    *out = (struct npy){.rows = header.shape[0], .columns = header.shape[1], .values = values};
    uint8_t digest[HASH_SIZE];
    hash_bytes(bytes, size, digest);
    hash_hex(digest, out->digest);
    return true;
}

bool npy_read(const char *path, struct arena *arena, struct npy *out, struct error *err)
{
    struct arena scratch = {0};
    size_t size = 0;
    const char *bytes = files_read(path, NPY_LIMIT, &scratch, &size, err);
    bool read = bytes != NULL && parse(path, bytes, size, arena, out, err);
    arena_release(&scratch);
    return read;
}
