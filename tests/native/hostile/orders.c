/* Wrong in one of N! orders only, and that is among the last that are explored: whoever loses an
 * order on the way finds nothing wrong. */
#include <assert.h>
#include <pthread.h>

#ifndef ORDER
#define ORDER \
    { 1, 2, 3, 4, 0, 5, 6, 7 }
#endif

static const int order[] = ORDER;
enum { N = sizeof order / sizeof *order };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken, same = 1;

static void *run(void *argument) {
    int mine = (int)(long)argument;
    pthread_mutex_lock(&mutex);
    same = same && mine == order[taken];
    taken++;
    assert(taken < N || !same);
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
