/* SPDX-License-Identifier: MIT */
/* What this processor can do, one core: products, exponentials, normal numbers, memory. Every line
 * is a name and a rate a second: gemm (operations of OpenBLAS at 2048^3), fma (operations in
 * registers), exponentials, normals (both rowmax's own), read (bytes of 512 MB). Medians of the
 * rounds given as argument. */
#include "base/random.h"
#include "numeric/exponential.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ORDER = 2048, LANES = 8, CHAINS = 12, BUFFER = 4096, ROUNDS_LIMIT = 99 };

#define MEMORY ((size_t)512 << 20)

/* A register of numbers; as many chains of fused steps as hide their latency. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

struct room {
    double *a, *b, *c; /* of MEMORY / sizeof(double) together */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double gemm(const struct room *room)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ORDER, ORDER, ORDER, 1, room->a, ORDER,
                room->b, ORDER, 0, room->c, ORDER);
    return 2.0 * ORDER * ORDER * ORDER;
}

static double fma_steps(const struct room *room)
{
    const size_t steps = 4000000;
    lanes sums[CHAINS];
    lanes factor = room->a[0] + (lanes){0};
    lanes summand = room->a[1] + (lanes){0};
    double total = 0;
    for (size_t chain = 0; chain < CHAINS; chain++) {
        sums[chain] = (double)chain + (lanes){0};
    }
    for (size_t step = 0; step < steps; step++) {
#pragma GCC unroll 12
        for (size_t chain = 0; chain < CHAINS; chain++) {
            sums[chain] = sums[chain] * factor + summand;
        }
    }
    for (size_t chain = 0; chain < CHAINS; chain++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            total += sums[chain][lane];
        }
    }
    room->c[0] = total;
    return 2.0 * LANES * CHAINS * (double)steps;
}

MANY_TARGETS_VOID(exponentials_once, (size_t count, const double *in, double *out),
                  (count, in, out))
{
    for (size_t i = 0; i < count; i++) {
        out[i] = exponential(in[i]);
    }
}

static double exponentials(const struct room *room)
{
    const size_t repeats = 20000;
    for (size_t i = 0; i < BUFFER; i++) {
        room->b[i] = -20 * (double)i / BUFFER;
    }
    for (size_t repeat = 0; repeat < repeats; repeat++) {
        room->b[repeat % BUFFER] -= 1e-9; /* not the same work again */
        exponentials_once(BUFFER, room->b, room->c);
    }
    return (double)repeats * BUFFER;
}

static double normals(const struct room *room)
{
    const uint32_t rows = 10000;
    for (uint32_t row = 0; row < rows; row++) {
        random_normals(1, RANDOM_TEST, row, 0, BUFFER, room->c);
    }
    return (double)rows * BUFFER;
}

static double read_memory(const struct room *room)
{
    size_t count = MEMORY / sizeof *room->a / LANES / 4 * 4;
    lanes sums[4] = {{0}, {0}, {0}, {0}};
    const lanes *from = (const lanes *)(const void *)room->a;
    for (size_t i = 0; i < count; i += 4) {
        sums[0] += from[i];
        sums[1] += from[i + 1];
        sums[2] += from[i + 2];
        sums[3] += from[i + 3];
    }
    sums[0] += sums[1] + sums[2] + sums[3];
    room->a[0] += 1e-300 * sums[0][0];
    return (double)MEMORY;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_rate(double (*work)(const struct room *), const struct room *room,
                          size_t rounds)
{
    double rates[ROUNDS_LIMIT];
    for (size_t round = 0; round < rounds; round++) {
        double begin = seconds();
        double done = work(room);
        rates[round] = done / (seconds() - begin);
    }
    qsort(rates, rounds, sizeof rates[0], compare);
    return rates[rounds / 2];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        double (*work)(const struct room *);
    } kinds[] = {{"gemm", gemm},
                 {"fma", fma_steps},
                 {"exponentials", exponentials},
                 {"normals", normals},
                 {"read", read_memory}};
    size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
    double *memory = aligned_alloc(64, MEMORY);
    if (memory == NULL || rounds == 0 || rounds > ROUNDS_LIMIT) {
        fprintf(stderr, "limits: usage: limits ROUNDS (1 to %d); needs 512 MB\n", ROUNDS_LIMIT);
        return 2;
    }
    const size_t part = (size_t)ORDER * ORDER;
    for (size_t i = 0; i < MEMORY / sizeof *memory; i++) {
        memory[i] = 0.5 + 1e-9 * (double)(i % 1000);
    }
    const struct room room = {memory, memory + part, memory + 2 * part};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        printf("%s %.6g\n", kinds[i].name, median_rate(kinds[i].work, &room, rounds));
    }
    free(memory);
    return 0;
}
