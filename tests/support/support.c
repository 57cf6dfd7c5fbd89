/* SPDX-License-Identifier: MIT */
/* See support.h. */
#define _XOPEN_SOURCE 700 /* nftw */

#include "support.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static pid_t owner;

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    if (getpid() == owner) {
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
}

const char *support_folder(void)
{
    if (folder[0] == '\0') {
        strcpy(folder, "/tmp/rowmax-test-XXXXXX");
        /* Before the first test runs, where Check's own assertions abort even when they hold. */
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(EXIT_FAILURE);
        }
        owner = getpid();
        atexit(remove_folder);
    }
    return folder;
}

const char *support_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", support_folder(), name);
    return path;
}

const char *support_file(const char *name, const char *bytes, size_t size)
{
    const char *path = support_path(name);
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL);
    ck_assert(fwrite(bytes, 1, size, file) == size);
    ck_assert(fclose(file) == 0);
    return path;
}

int support_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    /* Made in the parent, so that every forked test shares it and one process removes it. */
    support_folder();
    srunner_run_all(runner, CK_ENV);
    int ran = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return ran > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool support_use_level(enum processor_level level)
{
    struct error err = ERROR_INIT;
    return processor_force(processor_level_name(level), &err);
}

int support_run_levels(Suite *(*make)(void))
{
    int status = EXIT_SUCCESS;
    for (int level = 0; level < PROCESSOR_LEVEL_COUNT; level++) {
        /* Every test's process starts with what its parent has chosen. */
        if (support_use_level((enum processor_level)level)) {
            printf("level %s\n", processor_level_name((enum processor_level)level));
            fflush(stdout);
            status = support_run(make()) == EXIT_SUCCESS ? status : EXIT_FAILURE;
        }
    }
    return status;
}
