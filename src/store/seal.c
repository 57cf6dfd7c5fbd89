/* SPDX-License-Identifier: MIT */
/* See seal.h. */
#include "store/seal.h"

#include <string.h>

#define MAGIC_SIZE (sizeof SEAL_MAGIC - 1)
/* How far behind the seal other bytes may begin. */
#define SEARCH_SIZE 4096

void seal_put(char *bytes, size_t size)
{
    memcpy(bytes + size, SEAL_MAGIC, MAGIC_SIZE);
    hash_bytes_hex(bytes, size, bytes + size + MAGIC_SIZE);
    bytes[size + SEAL_SIZE - 1] = '\n';
}

/* The last seal in the file, or NULL. */
static const char *find(const char *bytes, size_t size)
{
    size_t first = size > SEARCH_SIZE ? size - SEARCH_SIZE : 0;
    for (size_t at = size; at >= first + MAGIC_SIZE; at--) {
        if (memcmp(bytes + at - MAGIC_SIZE, SEAL_MAGIC, MAGIC_SIZE) == 0) {
            return bytes + at - MAGIC_SIZE;
        }
    }
    return NULL;
}

size_t seal_end(const char *bytes, size_t size)
{
    const char *seal = find(bytes, size);
    size_t start = seal == NULL ? 0 : (size_t)(seal - bytes);
    return seal == NULL || size - start < SEAL_SIZE ? 0 : start + SEAL_SIZE;
}

bool seal_check(const char *bytes, size_t size, bool *sealed, struct error *err)
{
    char hex[HASH_HEX_SIZE];
    const char *seal = find(bytes, size);
    *sealed = seal != NULL;
    if (seal == NULL) {
        return true;
    }
    if (size - (size_t)(seal - bytes) < SEAL_SIZE) {
        return error_set(err, ERROR_FILE, "truncated file: its last line is cut; copy it again");
    }
    hash_bytes_hex(bytes, (size_t)(seal - bytes), hex);
    return memcmp(hex, seal + MAGIC_SIZE, HASH_HEX_SIZE - 1) == 0 ||
           error_set(err, ERROR_FILE,
                     "damaged: it does not match its checksum; copy it again, or save what can be "
                     "verified with 'run --recover NEW'");
}
