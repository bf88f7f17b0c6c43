// Readers mark what they use; who retires it looks at the marks after the barrier.
// verified
// NO_RECHECK: use-after-free|data-race .
// MARK_UNSEEN: use-after-free|data-race .
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int *_Atomic current;
static int *_Atomic marked;
static void *reader(void *unused) {
    int *seen = current;
    atomic_store_explicit(&marked, seen, memory_order_relaxed);
#ifndef NO_RECHECK
    if (current != seen) {
        marked = NULL;
        return unused;
    }
#endif
    int value = *seen;
    atomic_store_explicit(&marked, NULL, memory_order_release);
    return value == 1 ? unused : seen;
}
int main(void) {
    pthread_t thread;
    int *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    *old = *new = 1;
    current = old;
    pthread_create(&thread, NULL, reader, NULL);
    current = new;
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
#ifdef MARK_UNSEEN
    free(old);
#else
    if (marked != old) {
        free(old);
        old = NULL;
    }
#endif
    pthread_join(thread, NULL);
#ifndef MARK_UNSEEN
    free(old);
#endif
    free(new);
    return 0;
}
