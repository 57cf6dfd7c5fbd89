/* SPDX-License-Identifier: MIT */
/* How fast this machine is beside the reference; see estimate.h. */
#include "engine/estimate.h"

#include "base/random.h"
#include "numeric/product.h"

#include <math.h>
#include <time.h>

#define ORDER 48
#define EXPONENTIALS 2048
/* What one round takes on the reference machine. */
#define REFERENCE_SECONDS 2.14e-5
/* The first round or two find everything cold. */
#define ROUNDS_MIN 3
#define ROUNDS_MAX 100

/* Processor time: who else runs here now is not part of a machine's speed. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct bench {
    double a[ORDER * ORDER], b[ORDER * ORDER], c[ORDER * ORDER];
    double x[EXPONENTIALS];
};

static void work(struct bench *bench, unsigned round)
{
    random_normal_matrix(round, RANDOM_SEARCH, ORDER, ORDER, bench->a);
    random_normal_matrix(round, RANDOM_SEARCH, ORDER, ORDER, bench->b);
    product_multiply(ORDER, ORDER, ORDER, bench->a, bench->b, bench->c);
    for (int i = 0; i < EXPONENTIALS; i++) {
        bench->x[i] = exp(-fabs(bench->c[i]));
    }
}

double estimate_speed(double limit)
{
    limit = fmin(limit, ESTIMATE_SPEED_SECONDS);
    struct bench bench;
    double least = HUGE_VAL;
    double sum = 0;
    for (unsigned round = 0; round < ROUNDS_MIN || (round < ROUNDS_MAX && sum < limit); round++) {
        double before = seconds();
        work(&bench, round);
        double taken = seconds() - before;
        least = taken > 0 && taken < least ? taken : least;
        sum += taken;
    }
    double speed = REFERENCE_SECONDS / least;
    return isfinite(speed) && speed > 0.02 && speed < 50 ? speed : 1;
}
