// Who waits has the condition in its frame, which it leaves as soon as it is notified that all is done.
// verified
// LATE: use-after-free|data-race .
#include <pthread.h>
struct completion {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int done;
};
static pthread_t thread;
static void *complete(void *argument) {
    struct completion *c = argument;
    pthread_mutex_lock(&c->mutex);
    c->done = 1;
#ifdef LATE
    pthread_mutex_unlock(&c->mutex);
    pthread_cond_signal(&c->condition);
#else
    pthread_cond_signal(&c->condition);
    pthread_mutex_unlock(&c->mutex);
#endif
    return NULL;
}
static void call(void) {
    struct completion c = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_create(&thread, NULL, complete, &c);
    pthread_mutex_lock(&c.mutex);
    while (!c.done) {
        pthread_cond_wait(&c.condition, &c.mutex);
    }
    pthread_mutex_unlock(&c.mutex);
}
int main(void) {
    call();
    pthread_join(thread, NULL);
    return 0;
}
