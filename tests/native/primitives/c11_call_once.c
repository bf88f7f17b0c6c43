// A logger that starts when it is first used, and a hand-made flag in its place.
// verified
// OWN_FLAG: data-race .
// SELF_USE: deadlock waits for the end of the initialisation
#include <assert.h>
#include <threads.h>
static once_flag once = ONCE_FLAG_INIT;
static int started, starts;
static void write_line(void);
static void start(void) {
    starts++;
    started = 1;
#ifdef SELF_USE
    write_line();
#endif
}
static void write_line(void) {
#ifdef OWN_FLAG
    if (!started) {
        start();
    }
#else
    call_once(&once, start);
#endif
    assert(started);
}
static int logs(void *unused) {
    (void)unused;
    write_line();
    return 0;
}
int main(void) {
    thrd_t thread;
    thrd_create(&thread, logs, NULL);
    write_line();
    thrd_join(thread, NULL);
    assert(starts == 1);
    return 0;
}
