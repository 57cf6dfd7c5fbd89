/* SPDX-License-Identifier: MIT */
/* One source, several instruction sets.
 *     MANY_TARGETS(double, NAME, (size_t n, const double *x), (n, x))
 *     {
 *         ...
 *     }
 * compiles a static function for each level of base/processor.h and makes NAME, which picks one by
 * the level in use. Such functions fix the order of every sum themselves and nothing is
 * reassociated, so all give the same bits, but where a file lets the compiler fuse a * b + c
 * (cmake/rooms.cmake): there the plain level alone rounds twice. Elsewhere than on x86-64 there is
 * the plain one only. */
#ifndef BASE_CLONES_H
#define BASE_CLONES_H

#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define MANY_PROCESSORS
#define TARGET_AVX512 __attribute__((target("avx512f")))
#define TARGET_AVX2 __attribute__((target("avx2,fma")))
#endif

/* A part of a function for many processors, which must be compiled with it. */
#define PART_OF_TARGETS static inline __attribute__((always_inline))

/* NAME from NAME_avx512, NAME_avx2 and NAME_plain, which differ in more than the target. */
#define PICK_TARGET(type, name, parameters, arguments)                                             \
    PICK_TARGET_GIVING(return, type, name, parameters, arguments)
#define PICK_TARGET_VOID(name, parameters, arguments)                                              \
    PICK_TARGET_GIVING(, void, name, parameters, arguments)

/* The head of a function, its body to follow. */
#define MANY_TARGETS(type, name, parameters, arguments)                                            \
    MANY_TARGETS_GIVING(return, type, name, parameters, arguments)
#define MANY_TARGETS_VOID(name, parameters, arguments)                                             \
    MANY_TARGETS_GIVING(, void, name, parameters, arguments)

/* `give` is return, or nothing for what returns nothing. */
#ifdef MANY_PROCESSORS
#define PICK_TARGET_GIVING(give, type, name, parameters, arguments)                                \
    static type name parameters                                                                    \
    {                                                                                              \
        switch (processor_level()) {                                                               \
        case PROCESSOR_AVX512:                                                                     \
            give name##_avx512 arguments;                                                          \
            break;                                                                                 \
        case PROCESSOR_AVX2:                                                                       \
            give name##_avx2 arguments;                                                            \
            break;                                                                                 \
        default:                                                                                   \
            give name##_plain arguments;                                                           \
        }                                                                                          \
    }
#define MANY_TARGETS_GIVING(give, type, name, parameters, arguments)                               \
    PART_OF_TARGETS type name##_body parameters;                                                   \
    TARGET_AVX512 static type name##_avx512 parameters                                             \
    {                                                                                              \
        give name##_body arguments;                                                                \
    }                                                                                              \
    TARGET_AVX2 static type name##_avx2 parameters                                                 \
    {                                                                                              \
        give name##_body arguments;                                                                \
    }                                                                                              \
    static type name##_plain parameters                                                            \
    {                                                                                              \
        give name##_body arguments;                                                                \
    }                                                                                              \
    PICK_TARGET_GIVING(give, type, name, parameters, arguments)                                    \
    PART_OF_TARGETS type name##_body parameters
#else
#define PICK_TARGET_GIVING(give, type, name, parameters, arguments)                                \
    static type name parameters                                                                    \
    {                                                                                              \
        give name##_plain arguments;                                                               \
    }
#define MANY_TARGETS_GIVING(give, type, name, parameters, arguments) static type name parameters
#endif

#endif
