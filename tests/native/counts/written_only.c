/* A variable that is written and never read: no level of optimization may leave the writes out.
 * expect: executions 2 errors data-race
 * expect --faithful: executions 2 errors data-race */
#include <pthread.h>

static int got;

static void *worker(void *argument) {
    got = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
