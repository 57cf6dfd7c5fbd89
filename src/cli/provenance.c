/* SPDX-License-Identifier: MIT */
/* How results came to be. No dates and no host names: the same sweep gives the same bytes. */
#include "arrays/array.h"
#include "base/hash.h"
#include "base/processor.h"
#include "base/text.h"
#include "cli/cli_internal.h"
#include "corpus/corpus.h"
#include "numeric/fingerprint.h"
#include "numeric/lapack.h"
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

bool provenance_is_traceable(const char *commit)
{
    size_t length = strspn(commit, "0123456789abcdef");
    bool more = strncmp(commit + length, " | ", 3) == 0;
    return length >= 12 &&
           (more ? provenance_is_traceable(commit + length + 3) : commit[length] == '\0');
}

/* The vector sets among which the C library and BLAS choose, and our own loops by their level. */
static const char *vector_sets(struct arena *arena, struct error *err)
{
    struct text sets = TEXT_INIT(arena);
#if defined(__x86_64__)
    const struct {
        const char *name;
        int has;
    } known[] = {{"sse4.2", __builtin_cpu_supports("sse4.2")},
                 {"avx", __builtin_cpu_supports("avx")},
                 {"avx2", __builtin_cpu_supports("avx2")},
                 {"fma", __builtin_cpu_supports("fma")},
                 {"avx512f", __builtin_cpu_supports("avx512f")},
                 {"avx512dq", __builtin_cpu_supports("avx512dq")},
                 {"avx512vl", __builtin_cpu_supports("avx512vl")}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].has != 0) {
            text_append_format(&sets, "%s%s", sets.length == 0 ? "" : " ", known[i].name);
        }
    }
#endif
    if (sets.length == 0) {
        text_append(&sets, "none known");
    }
    return text_finish(&sets, err);
}

/* Whether a run takes singular vectors, or the factor of a collapsed draw. */
static bool uses_lapack(const struct run *run)
{
    bool decomposes = run->learner == LEARNER_COUNT_SVD || run->learner == LEARNER_LOG_COUNT_SVD ||
                      run->learner == LEARNER_PPMI_SVD;
    return (run->source == SOURCE_CORPUS && decomposes) || run->draw == DRAW_COLLAPSED;
}

/* The library where it is used. To ask it for its name is to load it, which takes as long as a
 * small sweep. */
static const char *blas(const struct plan *plan, struct arena *arena, struct error *err)
{
    char name[LAPACK_NAME_SIZE];
    struct lapack lapack;
    for (size_t i = 0; i < plan->count; i++) {
        struct run run;
        run_list_get(&plan->runs, i, &run);
        if (uses_lapack(&run)) {
            return lapack_load(&lapack, err)
                       ? arena_copy_text(arena, lapack_name(&lapack, name), err)
                       : NULL;
        }
    }
    return "not used";
}

static const char *numerics(struct arena *arena, struct error *err)
{
    struct fingerprint taken;
    fingerprint_take(&taken);
    return arena_format(arena, err, "%016llx", (unsigned long long)fingerprint_hash(&taken));
}

bool provenance_collect(const struct sweep *sweep, const struct plan *plan, struct arena *arena,
                        const struct provenance **items, size_t *count, struct error *err)
{
    char hex[HASH_HEX_SIZE];
    hash_bytes_hex(sweep->text, sweep->text_size, hex);
    const struct provenance facts[] = {
        {"rowmax_version", ROWMAX_VERSION},
        {"commit", build_commit},
        {"sweep_sha256", arena_copy_text(arena, hex, err)},
        {"processor", arena_copy_text(arena, provenance_processor(), err)},
        {"cpu_features", vector_sets(arena, err)},
        {"cpu_level", processor_level_name(processor_level())},
        {"cpu_level_from", processor_is_forced() ? "ROWMAX_CPU" : "processor"},
        {"blas", blas(plan, arena, err)},
        {"numerics", numerics(arena, err)},
        {"compiler", COMPILER},
        {"compiler_flags", build_flags},
        {"libc", arena_format(arena, err, "glibc %s", gnu_get_libc_version())},
        {"hdf5", store_hdf5_version()},
        {"libyaml", sweep_yaml_version()},
        {"zlib", corpus_zlib_version()},
        {"jansson", array_jansson_version()},
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
