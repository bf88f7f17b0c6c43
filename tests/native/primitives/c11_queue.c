// A queue of <threads.h>: the consumer waits for items or for the end.
// verified
// NO_LOOP: deadlock|assertion waits for a signal|items > 0
// END_WITHOUT_WAKING: deadlock waits for a signal
// DETACHED: misuse detached
#include <assert.h>
#include <threads.h>
static mtx_t lock;
static cnd_t changed;
static int items, ended;
static int consume(void *unused) {
    int taken = 0;
    (void)unused;
    mtx_lock(&lock);
#ifdef NO_LOOP
    if (items == 0) {
#else
    while (items == 0 && !ended) {
#endif
        cnd_wait(&changed, &lock);
    }
#ifndef NO_LOOP
    if (items > 0)
#endif
    {
        assert(items > 0);
        items--;
        taken = 1;
    }
    mtx_unlock(&lock);
    return taken;
}
int main(void) {
    thrd_t threads[2];
    int taken[2];
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&threads[0], consume, NULL);
    thrd_create(&threads[1], consume, NULL);
    mtx_lock(&lock);
    items = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    mtx_lock(&lock);
    ended = 1;
#ifndef END_WITHOUT_WAKING
    cnd_broadcast(&changed);
#endif
    mtx_unlock(&lock);
#ifdef DETACHED
    thrd_detach(threads[1]);
#endif
    thrd_join(threads[0], &taken[0]);
    thrd_join(threads[1], &taken[1]);
    assert(taken[0] + taken[1] == 1);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
