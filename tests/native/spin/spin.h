/* What the programs of this directory share. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifndef N
#define N 2
#endif

#ifndef PAUSE
#define PAUSE()
#endif

static int in_section;

static inline void section(void) {
    in_section++;
    assert(in_section == 1);
    in_section--;
}

/* N threads that run `body` with their numbers. */
static inline void run_threads(void *(*body)(void *)) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, body, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
}
