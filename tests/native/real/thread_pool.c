/* A pool of two workers with a queue of jobs, a mutex and conditions. With BUG a worker tests the
 * queue once instead of in a loop after it was woken: another worker may have been faster.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct job {
    void (*run)(void *);
    void *argument;
    struct job *next;
} job;

typedef struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work;
    job *first;
    bool closing;
    pthread_t workers[2];
} pool;

static int done;
static pthread_mutex_t done_mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pool *p = argument;
    for (;;) {
        pthread_mutex_lock(&p->mutex);
#ifdef BUG
        if (!p->first && !p->closing) {
#else
        while (!p->first && !p->closing) {
#endif
            pthread_cond_wait(&p->work, &p->mutex);
        }
        if (!p->first && p->closing) {
            pthread_mutex_unlock(&p->mutex);
            return NULL;
        }
        job *j = p->first;
        assert(j);
        p->first = j->next;
        pthread_mutex_unlock(&p->mutex);
        j->run(j->argument);
        free(j);
    }
}

static void submit(pool *p, void (*run)(void *), void *argument) {
    job *j = malloc(sizeof *j);
    j->run = run;
    j->argument = argument;
    pthread_mutex_lock(&p->mutex);
    j->next = p->first;
    p->first = j;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->mutex);
}

static void count(void *argument) {
    pthread_mutex_lock(&done_mutex);
    done += *(int *)argument;
    pthread_mutex_unlock(&done_mutex);
}

int main(void) {
    pool p = {.first = NULL};
    int one = 1;
    pthread_mutex_init(&p.mutex, NULL);
    pthread_cond_init(&p.work, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_create(&p.workers[i], NULL, worker, &p);
    }
    submit(&p, count, &one);
    pthread_mutex_lock(&p.mutex);
    p.closing = true;
    pthread_cond_broadcast(&p.work);
    pthread_mutex_unlock(&p.mutex);
    for (int i = 0; i < 2; i++) {
        pthread_join(p.workers[i], NULL);
    }
    assert(done == 1);
    pthread_cond_destroy(&p.work);
    pthread_mutex_destroy(&p.mutex);
    return 0;
}
