// A thread may be cancelled while another waits for its end, also by itself, but not after that.
// verified
// BY_THIRD: misuse pthread_cancel of .*, a thread that was joined before
// AFTERWARDS: misuse pthread_cancel of .*, a thread that was joined before
#include <assert.h>
#include <pthread.h>
static pthread_t thread;
static void *work(void *unused) {
#if !defined BY_THIRD && !defined AFTERWARDS
    pthread_cancel(pthread_self());
#endif
    pthread_testcancel();
    return unused;
}
static void *cancel(void *unused) {
    pthread_cancel(thread);
    return unused;
}
int main(void) {
    pthread_t third;
    void *result;
    pthread_create(&thread, NULL, work, &result);
#ifdef BY_THIRD
    pthread_create(&third, NULL, cancel, NULL);
#endif
    pthread_join(thread, &result);
#ifdef AFTERWARDS
    pthread_create(&third, NULL, cancel, NULL);
#endif
#if !defined BY_THIRD && !defined AFTERWARDS
    (void)third;
    (void)cancel;
    assert(result == PTHREAD_CANCELED);
#else
    pthread_join(third, NULL);
#endif
    return 0;
}
