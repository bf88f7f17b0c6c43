// A mutex of <threads.h> that a function takes again, and one with a time limit.
// verified
// PLAIN: deadlock waits for lock, held by itself
// RESULT_IGNORED --timeouts=may: data-race|misuse .
#include <threads.h>
#include <time.h>
static mtx_t lock;
static int depth;
static void enter(int left) {
    mtx_lock(&lock);
    depth++;
    if (left > 0) {
        enter(left - 1);
    }
    mtx_unlock(&lock);
}
static int hurries(void *unused) {
    struct timespec soon;
    (void)unused;
    timespec_get(&soon, TIME_UTC);
    soon.tv_sec++;
    int status = mtx_timedlock(&lock, &soon);
#ifdef RESULT_IGNORED
    status = thrd_success;
#endif
    if (status == thrd_success) {
        depth++;
        mtx_unlock(&lock);
    }
    return status;
}
int main(void) {
    thrd_t thread;
    int status;
#ifdef PLAIN
    mtx_init(&lock, mtx_timed);
#else
    mtx_init(&lock, mtx_timed | mtx_recursive);
#endif
    thrd_create(&thread, hurries, NULL);
    enter(1);
    thrd_join(thread, &status);
    if (mtx_trylock(&lock) != thrd_success) {
        return 1;
    }
    mtx_unlock(&lock);
    mtx_destroy(&lock);
    return depth != (status == thrd_success ? 3 : 2);
}
