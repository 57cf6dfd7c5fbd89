/* SPDX-License-Identifier: MIT */
/* SHA-256 through libcrypto; see hash.h. */
/* The functions of one algorithm, which need no look-up of it in each call: a run key is a hash of
 * some hundred bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hash.h"

#include <openssl/sha.h>

void hash_bytes(const void *bytes, size_t size, uint8_t digest[HASH_SIZE])
{
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, size);
    SHA256_Final(digest, &context);
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
