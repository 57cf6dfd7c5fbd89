/* SPDX-License-Identifier: MIT */
/* See fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 8

static char folder[64];
static char made[NAMES_MAX][96];
static size_t made_count;

static void remove_all(void)
{
    for (size_t i = 0; i < made_count; i++) {
        unlink(made[i]);
    }
    rmdir(folder);
}

static void make_folder(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    snprintf(folder, sizeof folder, "%s/rowmax-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
    fuzz_require(mkdtemp(folder) != NULL);
    atexit(remove_all);
}

const char *fuzz_path(const char *name)
{
    if (folder[0] == '\0') {
        make_folder();
    }
    char path[sizeof made[0]];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < made_count; i++) {
        if (strcmp(made[i], path) == 0) {
            return made[i];
        }
    }
    fuzz_require(made_count < NAMES_MAX);
    strcpy(made[made_count], path);
    return made[made_count++];
}

const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    fuzz_require(file != NULL && (size == 0 || fwrite(bytes, 1, size, file) == size));
    fuzz_require(fclose(file) == 0);
    return path;
}

void fuzz_require_at(bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
        abort();
    }
}

void fuzz_require_refusal(const struct error *err, enum error_code one, enum error_code other)
{
    if ((err->code != one && err->code != other) || err->message[0] == '\0') {
        fprintf(stderr, "an error of code %d: %s\n", (int)err->code, err->message);
        abort();
    }
}

size_t fuzz_touch(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}
