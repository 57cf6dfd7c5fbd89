/* SPDX-License-Identifier: MIT */
/* SHA-256 through libcrypto; see hash.h. */
#include "base/hash.h"

#include <openssl/sha.h>

void hash_bytes(const void *bytes, size_t size, uint8_t digest[HASH_SIZE])
{
    SHA256(bytes, size, digest);
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
