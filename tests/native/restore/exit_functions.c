// verified: functions given to atexit run at the end, latest first, then destructors
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order;
static _Atomic int x;

static void last(void) {
    assert(order++ == 2);
}

static void middle(int status, void *argument) {
    assert(order++ == 1 && status == 0 && argument == &order);
}

static void first(void) {
    assert(order++ == 0);
}

__attribute__((destructor)) static void end(void) {
    assert(order == 3);
}

static void *worker(void *unused) {
    x = 1;
    return unused;
}

extern int on_exit(void (*)(int, void *), void *);

int main(void) {
    pthread_t t;
    atexit(last);
    on_exit(middle, &order);
    atexit(first);
    pthread_create(&t, NULL, worker, NULL);
    if (x) {
        pthread_join(t, NULL);
    }
    return 0;
}
