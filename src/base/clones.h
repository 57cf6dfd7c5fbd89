/* SPDX-License-Identifier: MIT */
/* One source, several instruction sets: a function marked MANY_TARGETS is compiled for AVX-512,
 * AVX2 and the plain processor, and the loader picks one. The marked functions fix the order of
 * every sum themselves and nothing is contracted or reassociated, so all give the same bits. */
#ifndef BASE_CLONES_H
#define BASE_CLONES_H

/* The loader's choice and the sanitizers do not get along. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MANY_TARGETS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MANY_TARGETS
#endif

/* A part of a marked function, which must be compiled with it. */
#define PART_OF_TARGETS static inline __attribute__((always_inline))

#endif
