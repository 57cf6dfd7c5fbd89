/* SPDX-License-Identifier: MIT */
/* See crew.h. A part is taken and handed back under one lock, so that the caller waits for parts
 * and never for a thread that has none. */
#include "engine/crew.h"

#include <pthread.h>
#include <signal.h>

struct hand {
    struct threads *threads;
    size_t number;
    pthread_t thread;
};

struct threads {
    struct crew crew; /* first, so that one is the other */
    struct hand *others;
    size_t started;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t begun, done;
    crew_part *part;
    void *task;
    size_t count, next, unfinished;
    bool ended;
};

/* Does parts while there are any; called and returns with the lock held. */
static void do_parts(struct threads *threads, size_t hand)
{
    while (threads->next < threads->count) {
        size_t number = threads->next++;
        crew_part *part = threads->part;
        void *task = threads->task;
        pthread_mutex_unlock(&threads->lock);
        part(task, number, hand);
        pthread_mutex_lock(&threads->lock);
        if (--threads->unfinished == 0) {
            pthread_cond_signal(&threads->done);
        }
    }
}

static void *wait_for_parts(void *argument)
{
    const struct hand *hand = argument;
    struct threads *threads = hand->threads;
    pthread_mutex_lock(&threads->lock);
    while (!threads->ended) {
        do_parts(threads, hand->number);
        if (!threads->ended) {
            pthread_cond_wait(&threads->begun, &threads->lock);
        }
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

static void work(struct crew *crew, size_t count, crew_part *part, void *task)
{
    struct threads *threads = (struct threads *)crew;
    pthread_mutex_lock(&threads->lock);
    threads->part = part;
    threads->task = task;
    threads->count = count;
    threads->next = 0;
    threads->unfinished = count;
    pthread_cond_broadcast(&threads->begun);
    do_parts(threads, 0);
    while (threads->unfinished > 0) {
        pthread_cond_wait(&threads->done, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
}

struct crew *crew_start(size_t hands, struct arena *arena, struct error *err)
{
    struct threads *threads = arena_alloc(arena, 1, sizeof *threads, err);
    if (threads == NULL) {
        return NULL;
    }
    threads->others = arena_alloc(arena, hands, sizeof *threads->others, err);
    if (threads->others == NULL) {
        return NULL;
    }
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->begun, NULL);
    pthread_cond_init(&threads->done, NULL);
    /* Signals are for the caller's thread. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool good = true;
    while (good && threads->started + 1 < hands) {
        struct hand *hand = &threads->others[threads->started];
        *hand = (struct hand){.threads = threads, .number = threads->started + 1};
        good = pthread_create(&hand->thread, NULL, wait_for_parts, hand) == 0;
        threads->started += good;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    threads->crew = (struct crew){threads->started + 1, work};
    return &threads->crew;
}

void crew_end(struct crew *crew)
{
    struct threads *threads = (struct threads *)crew;
    if (crew == NULL) {
        return;
    }
    pthread_mutex_lock(&threads->lock);
    threads->ended = true;
    pthread_cond_broadcast(&threads->begun);
    pthread_mutex_unlock(&threads->lock);
    for (size_t i = 0; i < threads->started; i++) {
        pthread_join(threads->others[i].thread, NULL);
    }
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->begun);
    pthread_mutex_destroy(&threads->lock);
}
