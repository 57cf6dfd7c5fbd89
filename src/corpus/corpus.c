/* SPDX-License-Identifier: MIT */
/* From bytes to word ids and sentences; see corpus.h for the rules. */
#include "corpus/corpus.h"

#include "base/hash.h"
#include "base/text.h"
#include "corpus/dictionary.h"
#include "corpus/letters.h"
#include "corpus/pieces.h"
#include "corpus/short_words.h"

#include <string.h>

/* Where a reader is in a text, of which it has one piece at a time. Tokens lie in `arena`, which
 * keeps them; other arrays grow in `scratch`. */
struct reader {
    const char *name;
    const char *bytes; /* the piece */
    size_t size, at;
    size_t offset;   /* of the piece in the text */
    size_t expected; /* bytes of the text, as far as known */
    struct hash hash;
    struct arena *arena, *scratch;
    struct dictionary dictionary;
    struct short_words waiting; /* tokens counted, but not looked up */
    struct folded folded;
    uint32_t *tokens;
    size_t token_count, token_capacity;
    size_t *ends; /* of sentences, in tokens */
    size_t sentence_count, sentence_capacity;
    bool stopped;    /* a full stop was seen: white space ends the sentence */
    size_t newlines; /* since the last character that was not white space */
};

#define FIRST_TOKENS ((size_t)1 << 10)

/* Makes room for as many tokens as the text will have if it goes on as so far, so that little is
 * copied and little left over. */
static bool grow_tokens(struct reader *reader, struct error *err)
{
    size_t count = reader->token_count;
    size_t seen = reader->offset + reader->at + 1;
    size_t known = reader->offset + reader->size;
    size_t size = reader->expected > known ? reader->expected : known;
    size_t most_at_first = size / 2 + 1;
    size_t capacity = count + count / 8 + FIRST_TOKENS;
    double expected = 1.05 * (double)count * (double)size / (double)seen;
    capacity = expected > (double)capacity ? (size_t)expected : capacity;
    capacity = count == 0 && capacity > most_at_first ? most_at_first : capacity;
    uint32_t *tokens = arena_alloc_raw(reader->arena, capacity, sizeof *tokens, err);
    if (tokens == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(tokens, reader->tokens, count * sizeof *tokens);
    }
    reader->tokens = tokens;
    reader->token_capacity = capacity;
    return true;
}

/* Looks the waiting words up; they are the last tokens. */
static bool look_up_waiting(struct reader *reader, struct error *err)
{
    const struct short_words *waiting = &reader->waiting;
    if (waiting->count == 0) {
        return true;
    }
    uint32_t *tokens = reader->tokens + (reader->token_count - waiting->count);
    for (size_t i = 0; i < waiting->count; i++) {
        const struct dictionary_key *key = &waiting->keys[i];
        size_t length = waiting->lengths[i];
        tokens[i] = dictionary_find_short(&reader->dictionary, key, length);
        if (tokens[i] == DICTIONARY_NONE &&
            !dictionary_add_short(&reader->dictionary, key, length, &tokens[i], err)) {
            return false;
        }
    }
    reader->waiting.count = 0;
    return true;
}

static bool add_token(struct reader *reader, const char *word, size_t length, struct error *err)
{
    return look_up_waiting(reader, err) &&
           (reader->token_count < reader->token_capacity || grow_tokens(reader, err)) &&
           dictionary_add(&reader->dictionary, word, length, &reader->tokens[reader->token_count++],
                          err);
}

/* Adds the words of bytes[at .. end), which is one word before folding and mostly one after. */
static bool add_words(struct reader *reader, size_t at, size_t end, struct error *err)
{
    if (end - at > CORPUS_WORD_LIMIT) {
        return error_set(err, ERROR_INPUT,
                         "'%s' holds a word of %zu bytes at byte %zu (more than %zu); is it text?",
                         reader->name, end - at, reader->offset + at, CORPUS_WORD_LIMIT);
    }
    const struct folded *folded = &reader->folded;
    if (!letters_fold(&reader->folded, reader->bytes + at, end - at, err)) {
        return false;
    }
    for (size_t i = 0; i < folded->size;) {
        struct letter letter = letter_at(folded->bytes, folded->size, i);
        size_t next = i + letter.size;
        if (letter.kind == LETTER_WORD) {
            next = letters_word_end(folded->bytes, folded->size, i);
            if (!add_token(reader, folded->bytes + i, next - i, err)) {
                return false;
            }
        }
        i = next;
    }
    return true;
}

static bool end_sentence(struct reader *reader, struct error *err)
{
    size_t start = reader->sentence_count == 0 ? 0 : reader->ends[reader->sentence_count - 1];
    reader->stopped = false;
    if (reader->token_count == start) {
        return true;
    }
    size_t *ends = arena_grow(reader->scratch, reader->ends, reader->sentence_count,
                              &reader->sentence_capacity, sizeof *ends, err);
    if (ends == NULL) {
        return false;
    }
    ends[reader->sentence_count++] = reader->token_count;
    reader->ends = ends;
    return true;
}

/* What a character between words does to the sentence. */
static bool separate(struct reader *reader, enum letter_kind kind, struct error *err)
{
    bool newline = kind == LETTER_NEWLINE;
    bool space = kind == LETTER_SPACE || newline;
    reader->newlines = space ? reader->newlines + newline : 0;
    if (kind == LETTER_PARAGRAPH || kind == LETTER_OPEN_STOP || (space && reader->stopped) ||
        reader->newlines >= 2) {
        return end_sentence(reader, err);
    }
    bool closes = kind == LETTER_CLOSE || kind == LETTER_APOSTROPHE;
    reader->stopped = kind == LETTER_STOP || (closes && reader->stopped);
    return true;
}

/* Reads short words and the spaces behind them, as many as there are before anything else. They
 * wait to be looked up, since fetching the places where they may be takes a while. */
static bool read_short_words(struct reader *reader, struct error *err)
{
    struct short_words *waiting = &reader->waiting;
    size_t found;
    do {
        if (waiting->count > SHORT_WORDS_MOST - SHORT_WORDS_BLOCK / 2 &&
            !look_up_waiting(reader, err)) {
            return false;
        }
        size_t before = waiting->count;
        reader->at =
            short_words_find(reader->bytes, reader->size, reader->at, &reader->dictionary, waiting);
        found = waiting->count - before;
        while (reader->token_capacity - reader->token_count < found) {
            if (!grow_tokens(reader, err)) {
                return false;
            }
        }
        reader->token_count += found;
    } while (found > 0 && reader->at < reader->size);
    return true;
}

/* Reads one character between words, or one word of any kind. */
static bool read_next(struct reader *reader, struct error *err)
{
    size_t at = reader->at;
    struct letter letter = letter_at(reader->bytes, reader->size, at);
    if (letter.kind != LETTER_WORD) {
        reader->at = at + letter.size;
        return separate(reader, letter.kind, err);
    }
    reader->stopped = false;
    reader->newlines = 0;
    if (letter.size == 1) {
        if (!read_short_words(reader, err)) {
            return false;
        }
        if (reader->at > at) {
            return true;
        }
    }
    size_t end = letters_word_end(reader->bytes, reader->size, at);
    if (!add_words(reader, at, end, err)) {
        return false;
    }
    reader->at = end;
    return true;
}

/* Where the ASCII that begins at bytes[at] ends. */
static size_t ascii_end(const char *bytes, size_t size, size_t at)
{
    enum { STEP = 64 };
    for (; size - at >= STEP; at += STEP) {
        unsigned char all = 0;
        for (size_t i = 0; i < STEP; i++) {
            all |= (unsigned char)bytes[at + i];
        }
        if (all >= 0x80) {
            break;
        }
    }
    while (at < size && (unsigned char)bytes[at] < 0x80) {
        at++;
    }
    return at;
}

/* text_utf8_error, at the speed of memory over ASCII, where no character begins or ends wrongly. */
static size_t utf8_error(const char *bytes, size_t size)
{
    size_t at = ascii_end(bytes, size, 0);
    while (at < size) {
        size_t end = at;
        while (end < size && (unsigned char)bytes[end] >= 0x80) {
            end++;
        }
        size_t fault = text_utf8_error(bytes + at, end - at);
        if (fault < end - at) {
            return at + fault;
        }
        at = ascii_end(bytes, size, end);
    }
    return size;
}

static bool check_start(const char *name, const char *bytes, size_t size, struct error *err)
{
    bool mark =
        size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
    bool halves = size >= 2 && (bytes[0] == '\0') != (bytes[1] == '\0');
    if (mark || halves) {
        return error_set(err, ERROR_INPUT,
                         "'%s' looks like UTF-16; convert it: iconv -f UTF-16 -t UTF-8", name);
    }
    return true;
}

static bool check_encoding(const struct reader *reader, struct error *err)
{
    const char *bytes = reader->bytes;
    size_t size = reader->size;
    if (reader->offset == 0 && !check_start(reader->name, bytes, size, err)) {
        return false;
    }
    const char *nul = size == 0 ? NULL : memchr(bytes, '\0', size);
    if (nul != NULL) {
        return error_set(
            err, ERROR_INPUT,
            "'%s' holds a NUL byte at byte %zu (counted from 0): it is not a text; name one",
            reader->name, reader->offset + (size_t)(nul - bytes));
    }
    size_t fault = utf8_error(bytes, size);
    if (fault < size) {
        return error_set(err, ERROR_INPUT,
                         "'%s' is not valid UTF-8 at byte %zu (counted from 0), value 0x%02X; "
                         "convert it, for example: iconv -f WINDOWS-1252 -t UTF-8",
                         reader->name, reader->offset + fault,
                         (unsigned)(unsigned char)bytes[fault]);
    }
    return true;
}

/* Reads the next piece of the text; only the last one may end within a word. */
static bool read_piece(struct reader *reader, const char *bytes, size_t size, struct error *err)
{
    reader->bytes = bytes;
    reader->size = size;
    reader->at = 0;
    if (!check_encoding(reader, err)) {
        return false;
    }
    if (reader->offset == 0 && size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        reader->at = 3;
    }
    while (reader->at < size) {
        if (!read_next(reader, err)) {
            return false;
        }
    }
    hash_add(&reader->hash, bytes, size);
    reader->offset += size;
    return look_up_waiting(reader, err);
}

/* Copies the rest of what a reader gathered into its arena: tokens and the dictionary's words are
 * there already. */
static bool keep(struct reader *reader, struct corpus *out, struct error *err)
{
    size_t words = reader->dictionary.count;
    size_t *starts = arena_alloc(reader->arena, reader->sentence_count + 1, sizeof *starts, err);
    const char **list = arena_alloc(reader->arena, words, sizeof *list, err);
    if (starts == NULL || list == NULL) {
        return false;
    }
    if (reader->token_count > 0) {
        memcpy(starts + 1, reader->ends, reader->sentence_count * sizeof *starts);
        memcpy(list, reader->dictionary.words, words * sizeof *list);
    }
    *out = (struct corpus){.sentence_count = reader->sentence_count,
                           .token_count = reader->token_count,
                           .tokens = reader->tokens,
                           .sentence_start = starts,
                           .word_count = words,
                           .words = list};
    uint8_t digest[HASH_SIZE];
    hash_end(&reader->hash, digest);
    hash_hex(digest, out->digest);
    return true;
}

static void reader_begin(struct reader *reader, const char *name, struct arena *arena,
                         struct arena *scratch)
{
    *reader = (struct reader){.name = name, .arena = arena, .scratch = scratch};
    reader->folded.arena = scratch;
    dictionary_init(&reader->dictionary, arena, scratch);
    hash_begin(&reader->hash);
}

/* Tokenises a text in memory; one without a word is fine here. */
static bool tokenise(const char *name, const char *bytes, size_t size, struct arena *arena,
                     struct corpus *out, struct error *err)
{
    struct arena scratch = {0};
    struct reader reader;
    reader_begin(&reader, name, arena, &scratch);
    bool kept = read_piece(&reader, bytes, size, err) && end_sentence(&reader, err) &&
                keep(&reader, out, err);
    arena_release(&scratch);
    return kept;
}

static bool has_words(const char *name, const struct corpus *corpus, struct error *err)
{
    return corpus->word_count > 0 ||
           error_set(err, ERROR_INPUT, "'%s' holds no word; a corpus is a text", name);
}

bool corpus_parse(const char *name, const char *bytes, size_t size, struct arena *arena,
                  struct corpus *out, struct error *err)
{
    struct corpus corpus;
    if (!tokenise(name, bytes, size, arena, &corpus, err) || !has_words(name, &corpus, err)) {
        return false;
    }
    *out = corpus;
    return true;
}

static bool read_pieces(struct reader *reader, struct pieces *pieces, struct error *err)
{
    reader->expected = pieces->unpack.expected;
    do {
        if (!pieces_next(pieces, err) || !read_piece(reader, pieces->bytes, pieces->size, err)) {
            return false;
        }
    } while (pieces->size > 0);
    return end_sentence(reader, err);
}

bool corpus_read(const char *path, struct arena *arena, struct corpus *out, struct error *err)
{
    struct pieces pieces;
    if (!pieces_open(&pieces, path, CORPUS_LIMIT, err)) {
        return false;
    }
    struct arena scratch = {0};
    struct reader reader;
    struct corpus corpus;
    reader_begin(&reader, path, arena, &scratch);
    bool kept = read_pieces(&reader, &pieces, err) && keep(&reader, &corpus, err) &&
                has_words(path, &corpus, err);
    if (kept) {
        *out = corpus;
    }
    arena_release(&scratch);
    pieces_close(&pieces);
    return kept;
}

bool corpus_words(const char *text, struct arena *arena, const char *const **words, size_t *count,
                  struct error *err)
{
    struct corpus corpus;
    if (!tokenise("sentence", text, strlen(text), arena, &corpus, err)) {
        return false;
    }
    const char **list = arena_alloc(arena, corpus.token_count, sizeof *list, err);
    if (list == NULL) {
        return false;
    }
    for (size_t i = 0; i < corpus.token_count; i++) {
        list[i] = corpus.words[corpus.tokens[i]];
    }
    *words = list;
    *count = corpus.token_count;
    return true;
}
