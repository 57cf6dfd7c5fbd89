/* SPDX-License-Identifier: MIT */
/* SHA-256, the one hash of rowmax: anyone can check it with sha256sum. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/error.h"

#include <stdint.h>

#define HASH_SIZE 32
#define HASH_HEX_SIZE (2 * HASH_SIZE + 1)

/* Of what comes piece by piece; the state is libcrypto's. */
struct hash {
    uint64_t state[16];
};

void hash_begin(struct hash *hash);
void hash_add(struct hash *hash, const void *bytes, size_t size);
void hash_end(struct hash *hash, uint8_t digest[HASH_SIZE]);

void hash_bytes(const void *bytes, size_t size, uint8_t digest[HASH_SIZE]);

/* The first eight bytes of the digest, big endian: checksums and run keys. */
uint64_t hash_short(const void *bytes, size_t size);

/* Lower-case hexadecimal, terminated: of a digest, and of that of the bytes. */
void hash_hex(const uint8_t digest[HASH_SIZE], char hex[HASH_HEX_SIZE]);
void hash_bytes_hex(const void *bytes, size_t size, char hex[HASH_HEX_SIZE]);

#endif
