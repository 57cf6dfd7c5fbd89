/* SPDX-License-Identifier: MIT */
/* See processor.h. */
#include "base/processor.h"

#include "base/clones.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* The one variable of the program that outlives a call. A level is a fact about the machine, the
 * same for whoever asks; every kernel asks, and most have no place for an argument that only says
 * how to do what the caller wants. It goes from undecided to its value once, and threads that
 * decide at the same time decide alike. */
enum { UNDECIDED, DECIDED, FORCED = DECIDED + PROCESSOR_LEVEL_COUNT };
static atomic_int chosen = UNDECIDED;

enum processor_level processor_best(void)
{
#ifdef MANY_PROCESSORS
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
        return PROCESSOR_PLAIN;
    }
    bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
    return wide ? PROCESSOR_AVX512 : PROCESSOR_AVX2;
#else
    return PROCESSOR_PLAIN;
#endif
}

/* Kept apart, so that the usual way stays short. */
static __attribute__((noinline)) int decide(void)
{
    int decided = DECIDED + (int)processor_best();
    atomic_store_explicit(&chosen, decided, memory_order_relaxed);
    return decided;
}

static int choice(void)
{
    int found = atomic_load_explicit(&chosen, memory_order_relaxed);
    return found != UNDECIDED ? found : decide();
}

enum processor_level processor_level(void)
{
    int found = choice();
    return (enum processor_level)(found - (found < FORCED ? DECIDED : FORCED));
}

bool processor_is_forced(void)
{
    return choice() >= FORCED;
}

const char *processor_level_name(enum processor_level level)
{
    static const char *const names[PROCESSOR_LEVEL_COUNT] = {"plain", "avx2", "avx512"};
    return names[level];
}

/* "plain, avx2": the names of the levels that this processor has. */
static void list_levels(char *out, size_t size)
{
    size_t length = 0;
    for (int level = 0; level <= (int)processor_best() && length < size; level++) {
        length += (size_t)snprintf(out + length, size - length, "%s%s", level == 0 ? "" : ", ",
                                   processor_level_name((enum processor_level)level));
    }
}

bool processor_force(const char *name, struct error *err)
{
    char levels[64];
    list_levels(levels, sizeof levels);
    for (int level = 0; level < PROCESSOR_LEVEL_COUNT; level++) {
        if (strcmp(name, processor_level_name((enum processor_level)level)) != 0) {
            continue;
        }
        if (level > (int)processor_best()) {
            return error_set(err, ERROR_INPUT, "this processor lacks '%s'; choose among: %s", name,
                             levels);
        }
        atomic_store_explicit(&chosen, FORCED + level, memory_order_relaxed);
        return true;
    }
    return error_set(err, ERROR_USAGE, "unknown processor level '%s'; choose among: %s", name,
                     levels);
}
