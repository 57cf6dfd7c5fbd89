/* SPDX-License-Identifier: MIT */
/* See threads.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "engine/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
};

static void *wait_at(void *argument)
{
    struct gate *gate = argument;
    pthread_mutex_lock(&gate->lock);
    while (!gate->open) {
        pthread_cond_wait(&gate->opened, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
    return NULL;
}

size_t threads_that_start(size_t wanted)
{
    pthread_t threads[MOST_THREADS];
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    size_t started = 0;
    while (started < wanted && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, wait_at, &gate) == 0) {
        started++;
    }
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.opened);
    pthread_mutex_unlock(&gate.lock);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return started;
}

size_t threads_processors(void)
{
    cpu_set_t set;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return allowed > 0 ? (size_t)allowed : all > 0 ? (size_t)all : 1;
}
