/* SPDX-License-Identifier: MIT */
/* SHA-256 through libcrypto; see hash.h. */
/* The functions of one algorithm, which need no look-up of it in each call: a run key is a hash of
 * some hundred bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hash.h"

#include <openssl/sha.h>

_Static_assert(sizeof(SHA256_CTX) <= sizeof(struct hash), "the state fits");

static SHA256_CTX *context_of(struct hash *hash)
{
    return (SHA256_CTX *)(void *)hash->state;
}

void hash_begin(struct hash *hash)
{
    SHA256_Init(context_of(hash));
}

void hash_add(struct hash *hash, const void *bytes, size_t size)
{
    SHA256_Update(context_of(hash), bytes, size);
}

void hash_end(struct hash *hash, uint8_t digest[HASH_SIZE])
{
    SHA256_Final(digest, context_of(hash));
}

void hash_bytes(const void *bytes, size_t size, uint8_t digest[HASH_SIZE])
{
    struct hash hash;
    hash_begin(&hash);
    hash_add(&hash, bytes, size);
    hash_end(&hash, digest);
}

uint64_t hash_short(const void *bytes, size_t size)
{
    uint8_t digest[HASH_SIZE];
    hash_bytes(bytes, size, digest);
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof value; i++) {
        value = value << 8 | digest[i];
    }
    return value;
}

void hash_hex(const uint8_t digest[HASH_SIZE], char hex[HASH_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_SIZE; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[HASH_HEX_SIZE - 1] = '\0';
}

void hash_bytes_hex(const void *bytes, size_t size, char hex[HASH_HEX_SIZE])
{
    uint8_t digest[HASH_SIZE];
    hash_bytes(bytes, size, digest);
    hash_hex(digest, hex);
}
