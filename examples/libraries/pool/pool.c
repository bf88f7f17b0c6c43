#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct task {
    void (*run)(void *);
    void *argument;
} task;

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool closed;
    int threads, capacity, first, count;
    pthread_t *handles;
    task *tasks;
};

static bool take(pool *p, task *next) {
    pthread_mutex_lock(&p->mutex);
    while (!p->count && !p->closed) {
        pthread_cond_wait(&p->changed, &p->mutex);
    }
    bool found = p->count > 0;
    if (found) {
        *next = p->tasks[p->first];
        p->first = (p->first + 1) % p->capacity;
        p->count--;
    }
    pthread_mutex_unlock(&p->mutex);
    return found;
}

static void *work(void *argument) {
    task next;
    while (take(argument, &next)) {
        next.run(next.argument);
    }
    return NULL;
}

pool *pool_create(int threads, int capacity) {
    pool *p = calloc(1, sizeof *p);
    p->threads = threads;
    p->capacity = capacity;
    p->handles = calloc((size_t)threads, sizeof *p->handles);
    p->tasks = calloc((size_t)capacity, sizeof *p->tasks);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    for (int i = 0; i < threads; i++) {
        pthread_create(&p->handles[i], NULL, work, p);
    }
    return p;
}

int pool_submit(pool *p, void (*run)(void *), void *argument) {
    pthread_mutex_lock(&p->mutex);
    bool fits = p->count < p->capacity;
    if (fits) {
        p->tasks[(p->first + p->count++) % p->capacity] = (task){run, argument};
        pthread_cond_signal(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
    return fits ? 0 : -1;
}

void pool_destroy(pool *p) {
    pthread_mutex_lock(&p->mutex);
    p->closed = true;
#ifdef FORGET_LAST
    pthread_cond_signal(&p->changed);
#else
    pthread_cond_broadcast(&p->changed);
#endif
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < p->threads; i++) {
        pthread_join(p->handles[i], NULL);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->mutex);
    free(p->tasks);
    free(p->handles);
    free(p);
}
