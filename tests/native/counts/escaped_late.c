/* A local that is shared only in some executions: its address is published, and whoever sees the
 * address in time reads the local while its owner changes it. T1: local = 1; p = &local; local = 2;
 * the end of the function; the end of the thread. T2: if (p) read *p, and again if it is 2. T2 reads
 * p before (1), or after and then *p before local = 2 (1), after it and again before the ends,
 * between them, or after them (3), or the first time between the ends or after them (2).
 * expect --no-race: executions 7 errors use-after-free
 * expect: executions 7 errors data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) p;

static void *owner(void *unused) {
    (void)unused;
    int local = 1;
    p = &local;
    local = 2;
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int *seen = p;
    if (seen) {
        assert(*seen == 1 || *seen == 2);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, owner, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_exit(NULL);
}
