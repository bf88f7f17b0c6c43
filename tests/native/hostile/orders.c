/* Wrong in one of N! orders only, and that is among the last that are explored: whoever loses an
 * order on the way finds nothing wrong. With -DENDS the first one is wrong too, and this one ends
 * the process. */
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "raw.h"

#ifndef ORDER
#define ORDER \
    { 1, 2, 3, 4, 0, 5, 6, 7 }
#endif

static const int order[] = ORDER;
enum { N = sizeof order / sizeof *order };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken, same = 1;
#ifdef ENDS
static int ascending = 1;
#endif

static void *run(void *argument) {
    int mine = (int)(long)argument;
    pthread_mutex_lock(&mutex);
    same = same && mine == order[taken];
    taken++;
#ifdef ENDS
    ascending = ascending && mine == taken - 1;
    assert(taken < N || !ascending);
    if (taken == N && same) {
        raw(SYS_exit_group, 0, 0, 0, 0);
    }
#else
    assert(taken < N || !same);
#endif
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], 0, run, (void *)i);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
