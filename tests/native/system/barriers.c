/* Asymmetric fences by membarrier: neither thread misses the other. WITHOUT: the flags of both are
 * plain, which membarrier does not mend. */
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef WITHOUT
static int here, there;
#else
static atomic_int here, there;
#endif
static int seen_here, seen_there;

static void *fast(void *unused) {
    here = 1;
    seen_there = there;
    return unused;
}

int main(void) {
    pthread_t thread;
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    pthread_create(&thread, NULL, fast, NULL);
    there = 1;
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    seen_here = here;
    pthread_join(thread, NULL);
    assert(seen_here || seen_there);
    return 0;
}
