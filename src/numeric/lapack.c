/* SPDX-License-Identifier: MIT */
/* See lapack.h. The build says what the libraries are called (cmake/packages.cmake). */
#include "numeric/lapack.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the address of a function goes. */
struct wanted {
    const char *name;
    size_t offset;
};

void lapack_use_one_thread(void)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* Loads a library, or finds it loaded, and fills in a structure of functions. */
static bool load(const char *library, const char *package, const struct wanted *wanted,
                 size_t count, void *out, struct error *err)
{
    /* Global: ARPACK is to find the LAPACK that is there, and not to bring one of its own. */
    void *handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (handle == NULL) {
        const char *why = dlerror();
        return error_set(err, ERROR_FILE, "cannot load '%s': %s; apt-get install %s", library,
                         why == NULL ? "no reason given" : why, package);
    }
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(handle, wanted[i].name);
        if (found == NULL) {
            dlclose(handle);
            return error_set(err, ERROR_FILE, "'%s' has no function '%s'; apt-get install %s",
                             library, wanted[i].name, package);
        }
        memcpy((char *)out + wanted[i].offset, &found, sizeof found);
    }
    dlclose(handle); /* it stays */
    return true;
}

bool lapack_load(struct lapack *out, struct error *err)
{
    static const struct wanted wanted[] = {
        {"dsyevr_", offsetof(struct lapack, dsyevr)},
        {"dgeqrf_", offsetof(struct lapack, dgeqrf)},
        {"dorgqr_", offsetof(struct lapack, dorgqr)},
        {"dgemm_", offsetof(struct lapack, dgemm)},
        {"openblas_get_corename", offsetof(struct lapack, kernel_name)},
        {"openblas_get_config", offsetof(struct lapack, configuration)},
    };
    return load(ROWMAX_OPENBLAS, "libopenblas0", wanted, sizeof wanted / sizeof wanted[0], out,
                err);
}

bool arpack_load(struct arpack *out, struct error *err)
{
    static const struct wanted wanted[] = {
        {"dsaupd_c", offsetof(struct arpack, dsaupd)},
        {"dseupd_c", offsetof(struct arpack, dseupd)},
    };
    struct lapack lapack; /* before it */
    return lapack_load(&lapack, err) &&
           load(ROWMAX_ARPACK, "libarpack2", wanted, sizeof wanted / sizeof wanted[0], out, err);
}

const char *lapack_name(const struct lapack *lapack, char out[LAPACK_NAME_SIZE])
{
    static const char name[] = "OpenBLAS ";
    const char *found = strstr(lapack->configuration(), name);
    const char *version = found == NULL ? "unknown" : found + sizeof name - 1;
    snprintf(out, LAPACK_NAME_SIZE, "%s%.*s, kernel %s", name, (int)strcspn(version, " "), version,
             lapack->kernel_name());
    return out;
}
