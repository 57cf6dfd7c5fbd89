/* SPDX-License-Identifier: MIT */
/* Character classes by table for ASCII, by utf8proc's categories beyond; see letters.h. */
#include "corpus/letters.h"

#include <utf8proc.h>

#define RIGHT_SINGLE_QUOTE 0x2019

static enum letter_kind ascii_kind(unsigned char byte)
{
    enum { o = LETTER_OTHER, w = LETTER_WORD, a = LETTER_APOSTROPHE, s = LETTER_SPACE };
    enum { n = LETTER_NEWLINE, e = LETTER_STOP, c = LETTER_CLOSE };
    static const uint8_t kinds[128] = {
        o, o, o, o, o, o, o, o, o, s, n, s, s, s, o, o, /* tab, LF, VT, FF, CR */
        o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, /* */
        s, e, c, o, o, o, o, a, o, c, o, o, o, o, e, o, /*  !"#$%&'()*+,-./ */
        w, w, w, w, w, w, w, w, w, w, o, o, o, o, o, e, /* 0123456789:;<=>? */
        o, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, /* @ABCDEFGHIJKLMNO */
        w, w, w, w, w, w, w, w, w, w, w, o, o, c, o, o, /* PQRSTUVWXYZ[\]^_ */
        o, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, /* `abcdefghijklmno */
        w, w, w, w, w, w, w, w, w, w, w, o, o, c, o, o, /* pqrstuvwxyz{|}~ */
    };
    return (enum letter_kind)kinds[byte];
}

/* The characters whose kind their category does not tell. */
static enum letter_kind special_kind(int32_t code)
{
    switch (code) {
    case RIGHT_SINGLE_QUOTE:
        return LETTER_APOSTROPHE;
    case 0x00AD: /* soft hyphen, joiners: invisible, dropped by folding */
    case 0x200C:
    case 0x200D:
    case 0x2060:
        return LETTER_MARK;
    case 0x0085: /* next line: a control character by category */
        return LETTER_NEWLINE;
    case 0x203C: /* ‼ ‽ … ⁇ ⁈ ⁉ */
    case 0x203D:
    case 0x2026:
    case 0x2047:
    case 0x2048:
    case 0x2049:
        return LETTER_STOP;
    case 0x0589: /* Armenian */
    case 0x061F: /* Arabic */
    case 0x06D4:
    case 0x0964: /* Indic dandas */
    case 0x0965:
    case 0x104B: /* Burmese */
    case 0x1362: /* Ethiopic */
    case 0x1367:
    case 0x17D4: /* Khmer */
    case 0x17D5:
    case 0x3002: /* Chinese, Japanese: 。．！？｡ */
    case 0xFF0E:
    case 0xFF01:
    case 0xFF1F:
    case 0xFF61:
        return LETTER_OPEN_STOP;
    default:
        return LETTER_OTHER;
    }
}

static enum letter_kind category_kind(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return LETTER_WORD;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return LETTER_MARK;
    case UTF8PROC_CATEGORY_ZS:
        return LETTER_SPACE;
    case UTF8PROC_CATEGORY_ZL:
        return LETTER_NEWLINE;
    case UTF8PROC_CATEGORY_ZP:
        return LETTER_PARAGRAPH;
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI: /* German closes with “ and « */
    case UTF8PROC_CATEGORY_PF:
        return LETTER_CLOSE;
    default:
        return LETTER_OTHER;
    }
}

struct letter letter_at(const char *bytes, size_t size, size_t at)
{
    unsigned char byte = (unsigned char)bytes[at];
    if (byte < 0x80) {
        struct letter letter = {ascii_kind(byte), 1};
        bool alone = byte == '\r' && (at + 1 == size || bytes[at + 1] != '\n');
        letter.kind = alone ? LETTER_NEWLINE : letter.kind;
        return letter;
    }
    static const unsigned char lead_bits[5] = {0, 0, 0x1F, 0x0F, 0x07};
    size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    int32_t code = byte & lead_bits[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)bytes[at + i] & 0x3F);
    }
    enum letter_kind special = special_kind(code);
    return (struct letter){special != LETTER_OTHER ? special : category_kind(code), length};
}

size_t letters_word_end(const char *bytes, size_t size, size_t at)
{
    while (at < size) {
        struct letter letter = letter_at(bytes, size, at);
        size_t next = at + letter.size;
        bool joins = letter.kind == LETTER_APOSTROPHE && next < size &&
                     letter_at(bytes, size, next).kind == LETTER_WORD;
        if (letter.kind != LETTER_WORD && letter.kind != LETTER_MARK && !joins) {
            break;
        }
        at = next;
    }
    return at;
}

static bool is_ascii(const char *bytes, size_t size)
{
    unsigned char all = 0;
    for (size_t i = 0; i < size; i++) {
        all |= (unsigned char)bytes[i];
    }
    return all < 0x80;
}

static bool reserve(struct folded *folded, size_t count, struct error *err)
{
    if (count <= folded->capacity) {
        return true;
    }
    folded->capacity = 0;
    folded->buffer = arena_alloc(folded->arena, 2 * count, sizeof *folded->buffer, err);
    folded->capacity = folded->buffer == NULL ? 0 : 2 * count;
    return folded->buffer != NULL;
}

static bool fold_unicode(struct folded *folded, const char *bytes, size_t size, struct error *err)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *text = (const utf8proc_uint8_t *)bytes;
    utf8proc_ssize_t room = (utf8proc_ssize_t)folded->capacity - 1;
    utf8proc_ssize_t count =
        utf8proc_decompose(text, (utf8proc_ssize_t)size, folded->buffer, room, options);
    if (count > room) {
        if (!reserve(folded, (size_t)count + 1, err)) {
            return false;
        }
        count = utf8proc_decompose(text, (utf8proc_ssize_t)size, folded->buffer, count, options);
    }
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        if (folded->buffer[i] == RIGHT_SINGLE_QUOTE) {
            folded->buffer[i] = '\'';
        }
    }
    count = count < 0 ? count : utf8proc_reencode(folded->buffer, count, options);
    if (count < 0) {
        return error_set(err, ERROR_INTERNAL, "utf8proc: %s", utf8proc_errmsg(count));
    }
    folded->bytes = (const char *)folded->buffer;
    folded->size = (size_t)count;
    return true;
}

bool letters_fold(struct folded *folded, const char *bytes, size_t size, struct error *err)
{
    if (!reserve(folded, size + 1, err)) {
        return false;
    }
    if (!is_ascii(bytes, size)) {
        return fold_unicode(folded, bytes, size, err);
    }
    unsigned char *lower = (unsigned char *)folded->buffer;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        lower[i] = (unsigned char)(byte >= 'A' && byte <= 'Z' ? byte | 0x20U : byte);
    }
    folded->bytes = (const char *)lower;
    folded->size = size;
    return true;
}
