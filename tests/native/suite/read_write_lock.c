/* read_write_lock: its operations are functions that are atomic by their names, and a thread for
 * which there is no room stops in the middle of one. With BUG the writer does not mind the readers.
 * expect: errors none
 * expect -DBUG: errors assertion */
#include "suite.h"

static int writing, readers;
static atomic_int x, y;

static void __VERIFIER_atomic_take_write(void) {
#ifdef BUG
    __VERIFIER_assume(writing == 0);
#else
    __VERIFIER_assume(writing == 0 && readers == 0);
#endif
    writing = 1;
}

static void __VERIFIER_atomic_take_read(void) {
    __VERIFIER_assume(writing == 0);
    readers++;
}

static void __VERIFIER_atomic_release_read(void) {
    readers--;
}

static void *writer(void *unused) {
    __VERIFIER_atomic_take_write();
    x = 3;
    __VERIFIER_atomic_begin();
    writing = 0;
    __VERIFIER_atomic_end();
    return unused;
}

static void *reader(void *unused) {
    __VERIFIER_atomic_take_read();
    int before = x;
    y = before;
    if (y != x) {
        reach_error();
    }
    __VERIFIER_atomic_release_read();
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
