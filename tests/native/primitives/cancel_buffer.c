// A thread that can be cancelled has a buffer, and a part in which it must not be.
// verified --leaks=error
// NO_CLEANUP --leaks=error: leak heap block
// NOT_DISABLED: assertion half == 2 .. half == 0
// USED_AFTER_CANCEL: use-after-free|data-race .
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int half;
static int *shown;
static void *work(void *unused) {
    int *buffer = malloc(sizeof *buffer);
    int state;
    *buffer = 1;
#ifdef USED_AFTER_CANCEL
    shown = buffer;
#endif
#ifndef NO_CLEANUP
    pthread_cleanup_push(free, buffer);
#endif
    pthread_testcancel();
#ifndef NOT_DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
#endif
    half++;
    usleep(1);
    half++;
#ifndef NOT_DISABLED
    pthread_setcancelstate(state, NULL);
#endif
    pthread_testcancel();
#ifdef NO_CLEANUP
    free(buffer);
#else
    pthread_cleanup_pop(1);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(half == 2 || half == 0);
#ifdef USED_AFTER_CANCEL
    return *shown;
#endif
    return shown != NULL;
}
