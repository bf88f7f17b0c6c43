// Two threads average their neighbours in rounds; a barrier after reading and one after writing.
// verified
// ONE_BARRIER: data-race cells
// ONE_LESS: deadlock waits for more threads at
#include <pthread.h>
static pthread_barrier_t barrier;
static int cells[2] = {2, 4};
static void *work(void *number) {
    int own = number != NULL;
    for (int round = 0; round < 2; round++) {
        int mean = (cells[0] + cells[1]) / 2;
        pthread_barrier_wait(&barrier);
        cells[own] = mean;
#ifdef ONE_LESS
        if (own == 1 && round == 1) {
            break;
        }
#endif
#ifndef ONE_BARRIER
        pthread_barrier_wait(&barrier);
#endif
    }
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, cells);
    work(NULL);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return cells[0] - cells[1];
}
