// The serial thread destroys the barrier and frees it: all have arrived.
// verified
// BOTH: misuse|use-after-free|double-free|data-race .
// TOO_MANY: deadlock waits for more threads at
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t *barrier;
static int parts[2], sum;
static void *work(void *number) {
    int own = number != NULL;
    parts[own] = own + 1;
    int status = pthread_barrier_wait(barrier);
#ifndef BOTH
    if (status == PTHREAD_BARRIER_SERIAL_THREAD)
#endif
    {
        sum = parts[0] + parts[1] + (status == 0);
        pthread_barrier_destroy(barrier);
    }
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    barrier = malloc(sizeof *barrier);
#ifdef TOO_MANY
    pthread_barrier_init(barrier, NULL, 3);
#else
    pthread_barrier_init(barrier, NULL, 2);
#endif
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &sum);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(barrier);
    return sum != 3;
}
