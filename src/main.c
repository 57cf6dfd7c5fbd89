/* SPDX-License-Identifier: MIT */
/* The program: everything is in cli/, but for what must be done before any library begins. */
#include "cli/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ONE_THREAD "OPENBLAS_NUM_THREADS=1"
#define VARIABLES_MAX 4096
#define PATH_SIZE 4096

/* Nothing is there yet that a sanitizer needs. */
#define BEFORE_ALL __attribute__((no_sanitize("address", "undefined")))

/* The environment with ONE_THREAD in place of any other number; false when it is so already, or
 * too large. */
BEFORE_ALL static bool ask_for_one_thread(char **environment, char *out[VARIABLES_MAX + 2])
{
    static char one_thread[] = ONE_THREAD;
    size_t name = strcspn(ONE_THREAD, "=") + 1;
    size_t count = 0;
    for (char **at = environment; *at != NULL; at++) {
        if (strcmp(*at, ONE_THREAD) == 0 || count == VARIABLES_MAX) {
            return false;
        }
        if (strncmp(*at, ONE_THREAD, name) != 0) {
            out[count++] = *at;
        }
    }
    out[count++] = one_thread;
    out[count] = NULL;
    return true;
}

/* OpenBLAS starts a thread for every processor when it is loaded, and waits for ever where a limit
 * on memory (ulimit -v) leaves no room for them. It needs none here, and the only way to tell it in
 * time is the environment that it finds: this program starts itself again with that. */
BEFORE_ALL static void spare_threads(int argc, char **argv, char **environment)
{
    struct rlimit limit;
    char path[PATH_SIZE];
    char *changed[VARIABLES_MAX + 2];
    (void)argc;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !ask_for_one_thread(environment, changed)) {
        return;
    }
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execve(path, argv, changed);
    }
}

/* What the loader calls before the libraries' own beginnings. */
__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = spare_threads;

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
