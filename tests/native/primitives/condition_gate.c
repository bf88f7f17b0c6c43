// A gate on the heap that its last user destroys.
// verified
// UNLOCKED_FLAG: data-race .
// SIGNAL_AFTER_UNLOCK: data-race|use-after-free|misuse .
// NO_RELOCK: misuse unlock|mutex
#include <pthread.h>
#include <stdlib.h>
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    int open;
};
static void *opener(void *argument) {
    struct gate *gate = argument;
#ifdef UNLOCKED_FLAG
    gate->open = 1;
    pthread_mutex_lock(&gate->lock);
#else
    pthread_mutex_lock(&gate->lock);
    gate->open = 1;
#endif
#ifndef SIGNAL_AFTER_UNLOCK
    pthread_cond_signal(&gate->opened);
#endif
    pthread_mutex_unlock(&gate->lock);
#ifdef SIGNAL_AFTER_UNLOCK
    pthread_cond_signal(&gate->opened);
#endif
    return NULL;
}
int main(void) {
    pthread_t thread;
    struct gate *gate = malloc(sizeof *gate);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
    gate->open = 0;
    pthread_create(&thread, NULL, opener, gate);
    pthread_detach(thread);
#ifndef NO_RELOCK
    pthread_mutex_lock(&gate->lock);
#endif
    while (!gate->open) {
        pthread_cond_wait(&gate->opened, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
    pthread_cond_destroy(&gate->opened);
    pthread_mutex_destroy(&gate->lock);
    free(gate);
    return 0;
}
