/* SPDX-License-Identifier: MIT */
/* How results came to be. No dates and no host names: the same sweep gives the same bytes. */
#include "base/hash.h"
#include "cli/cli_internal.h"
#include "numeric/matrix.h"
#include "store/store.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *provenance_processor(void)
{
    static char name[128] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return name;
}

bool provenance_collect(const struct sweep *sweep, struct arena *arena,
                        const struct provenance **items, size_t *count, struct error *err)
{
    uint8_t digest[HASH_SIZE];
    char hex[HASH_HEX_SIZE];
    hash_bytes(sweep->text, sweep->text_size, digest);
    hash_hex(digest, hex);
    const struct provenance facts[] = {
        {"rowmax_version", ROWMAX_VERSION},
        {"sweep_sha256", arena_copy_text(arena, hex, err)},
        {"processor", arena_copy_text(arena, provenance_processor(), err)},
        {"blas", arena_format(arena, err, "OpenBLAS, kernel %s", matrix_kernel_name())},
        {"compiler", COMPILER},
        {"libc", arena_format(arena, err, "glibc %s", gnu_get_libc_version())},
        {"hdf5", store_hdf5_version()},
    };
    struct provenance *copy = arena_alloc(arena, sizeof facts / sizeof facts[0], sizeof *copy, err);
    if (copy == NULL || err->code != ERROR_NONE) {
        return false;
    }
    memcpy(copy, facts, sizeof facts);
    *items = copy;
    *count = sizeof facts / sizeof facts[0];
    return true;
}
