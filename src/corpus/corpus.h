/* SPDX-License-Identifier: MIT */
/* Text to tokens: any UTF-8 file, plain or gzip.
 *
 * A word is a run of letters, digits and the marks that follow them, of any script, kept whole;
 * an apostrophe (' or U+2019, read as ') between two of them joins, everything else separates.
 * Words are folded (NFKC, case, default ignorables such as soft hyphens and joiners dropped).
 * Scripts written without spaces give one word per unbroken run.
 *
 * A sentence ends at . ! ? … and their kin when white space follows (closing quotes and brackets
 * may stand between), so that 3.14 and e.g.this do not end one; at the marks that scripts like
 * Chinese or Hindi write without a space after (。！？।), always; at a blank line. Windows do not
 * reach across. */
#ifndef CORPUS_CORPUS_H
#define CORPUS_CORPUS_H

#include "base/arena.h"
#include "base/hash.h"

#include <stdint.h>

/* A tokenised text. Word ids count from 0 in order of first appearance. */
struct corpus {
    char digest[HASH_HEX_SIZE]; /* SHA-256 of the unpacked text, hexadecimal */
    size_t sentence_count;      /* sentences with at least one word */
    size_t token_count;
    const uint32_t *tokens;       /* word ids, all sentences end to end */
    const size_t *sentence_start; /* sentence_count + 1 offsets into tokens */
    size_t word_count;            /* distinct words */
    const char *const *words;     /* by id */
};

/* Reads and tokenises `path`. ERROR_INPUT with the path for: missing file, folder, invalid UTF-8
 * (byte offset), UTF-16 (said so), NUL bytes, a damaged or cut gzip, more than CORPUS_LIMIT bytes
 * unpacked, a word of more than CORPUS_WORD_LIMIT bytes, no word at all. A byte order mark is
 * dropped; CR LF is a line end. */
#define CORPUS_LIMIT ((size_t)1 << 30)
#define CORPUS_WORD_LIMIT ((size_t)1 << 16)
bool corpus_read(const char *path, struct arena *arena, struct corpus *out,
                 struct error *err) MUST_CHECK;

/* The same for text in memory; `name` stands for the path in messages. */
bool corpus_parse(const char *name, const char *bytes, size_t size, struct arena *arena,
                  struct corpus *out, struct error *err) MUST_CHECK;

/* The words of a text, folded as the corpus folds, end to end (sentence ends are ignored). */
bool corpus_words(const char *text, struct arena *arena, const char *const **words, size_t *count,
                  struct error *err) MUST_CHECK;

/* The version of zlib in use. */
const char *corpus_zlib_version(void);

#endif
