// A flag for the fast side, and a barrier of the whole process on the slow side.
// verified
// LOOK_FIRST: data-race|assertion .
// NO_FLAG: data-race shared
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int fast_inside, slow_inside;
static int shared;
static void *fast(void *unused) {
#ifdef LOOK_FIRST
    int other = slow_inside;
    fast_inside = 1;
#else
#ifndef NO_FLAG
    atomic_store_explicit(&fast_inside, 1, memory_order_relaxed);
#endif
    atomic_signal_fence(memory_order_seq_cst);
    int other = atomic_load_explicit(&slow_inside, memory_order_acquire);
#endif
    if (!other) {
        shared++;
    }
    atomic_store_explicit(&fast_inside, 0, memory_order_release);
    return unused;
}
int main(void) {
    pthread_t thread;
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    pthread_create(&thread, NULL, fast, NULL);
    slow_inside = 1;
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    if (atomic_load_explicit(&fast_inside, memory_order_acquire) == 0) {
        shared++;
    }
    atomic_store_explicit(&slow_inside, 0, memory_order_release);
    pthread_join(thread, NULL);
    return 0;
}
