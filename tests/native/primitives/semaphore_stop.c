// A completion on the stack: the caller waits until the helper has posted it.
// verified
// NO_WAIT: misuse|use-after-free|data-race .
// TIMED_OUT --timeouts=may: misuse|use-after-free|data-race .
// LOST_POST: deadlock waits for a post
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
struct request {
    sem_t done;
    int value;
};
static void *helper(void *argument) {
    struct request *request = argument;
    request->value *= 2;
#ifdef LOST_POST
    if (request->value == 42) {
        return NULL;
    }
#endif
    sem_post(&request->done);
    return NULL;
}
static int call(int value) {
    pthread_t thread;
    struct request request = {.value = value};
    struct timespec soon = {.tv_sec = 1000000009};
    (void)soon;
    sem_init(&request.done, 0, 0);
    pthread_create(&thread, NULL, helper, &request);
    pthread_detach(thread);
#ifdef TIMED_OUT
    sem_timedwait(&request.done, &soon);
#elif !defined NO_WAIT
    sem_wait(&request.done);
#endif
    sem_destroy(&request.done);
    return request.value;
}
int main(void) {
    return call(21) != 42;
}
