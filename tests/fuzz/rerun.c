/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of a folder, as an ordinary test: what was found once stays
 * mended. Besides whole, each file is read cut at some places and with some bytes flipped. */
#include "fuzz.h"

#include "base/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_LIMIT ((size_t)1 << 20)
#define VARIANTS 8

/* A copy of exactly its size, so that a sanitizer sees a byte too far. */
static void run_copy(const char *bytes, size_t size)
{
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    fuzz_require(copy != NULL);
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_variants(char *bytes, size_t size)
{
    run_copy(bytes, size);
    for (size_t i = 0; i < VARIANTS; i++) {
        size_t at = size * (2 * i + 1) / (2 * VARIANTS);
        run_copy(bytes, at);
        if (at < size) {
            bytes[at] = (char)(bytes[at] ^ (1 << i));
            run_copy(bytes, size);
            bytes[at] = (char)(bytes[at] ^ (1 << i));
        }
    }
}

static bool run_file(const char *folder, const char *name, struct error *err)
{
    struct arena arena = {NULL};
    size_t size = 0;
    char *path = files_join(&arena, folder, name, err);
    char *bytes = path == NULL ? NULL : files_read(path, INPUT_LIMIT, &arena, &size, err);
    bool good = bytes != NULL;
    if (good) {
        printf("%s\n", name);
        fflush(stdout);
        run_variants(bytes, size);
    }
    arena_release(&arena);
    return good;
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    size_t files = 0;
    bool good = argc == 2;
    DIR *folder = good ? opendir(argv[1]) : NULL;
    const struct dirent *entry = folder == NULL ? NULL : readdir(folder);
    for (; good && entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            good = run_file(argv[1], entry->d_name, &err);
            files++;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    if (!good || files == 0) {
        fprintf(stderr, "rerun FOLDER: %s\n", good ? "no file there" : err.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
