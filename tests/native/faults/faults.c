/* One fault in a thread, chosen at compile time; the other thread is well. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero, sink;
static int *volatile nowhere;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int deep(volatile int n) {
    volatile char room[512];
    room[0] = (char)n;
    return deep(n + 1) + room[0];
}

static void fault(void) {
#if defined(FAULT_ASSERT)
    assert(zero == 1);
#elif defined(FAULT_ABORT)
    abort();
#elif defined(FAULT_SEGV)
    *nowhere = 1;
#elif defined(FAULT_SEGV_READ)
    sink = *nowhere;
#elif defined(FAULT_SEGV_WILD)
    sink = *(int *)0x181000000000;
#elif defined(FAULT_FPE)
    sink = 7 / zero;
#elif defined(FAULT_ILL)
    __builtin_trap();
#elif defined(FAULT_BUS) && defined(__x86_64__)
    __asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq\n\tmovl 1(%0), %%eax" /* aligned! */
                     :
                     : "r"(&mutex)
                     : "eax", "memory", "cc");
#elif defined(FAULT_STACK)
    sink = deep(0);
#elif defined(FAULT_JUMP)
    void (*function)(void) = (void (*)(void))0x1234;
    function();
#elif defined(FAULT_LOOP)
    int local = 0;
    while (local == 0) {
    }
#elif defined(FAULT_WATCHED) && defined(__x86_64__)
    while (!(__builtin_ia32_readeflags_u64() & 0x100)) { /* until run by single instructions */
    }
    *nowhere = 1;
#elif defined(FAULT_MEMCPY)
    memcpy((void *)(8 + zero), "abc", 3);
#elif defined(FAULT_ATOMIC)
    __atomic_fetch_add((int *)16, 1, __ATOMIC_SEQ_CST);
#elif defined(FAULT_CAS)
    int expected = 0;
    __atomic_compare_exchange_n((int *)16, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#elif defined(FAULT_DOUBLE_FREE)
    void *block = malloc(10);
    free(block);
    free(block);
#elif defined(FAULT_INVALID_FREE)
    free((char *)malloc(64) + 16);
#elif defined(FAULT_UNLOCK)
    pthread_mutex_unlock(&mutex);
#elif defined(FAULT_EXIT)
    exit(3);
#elif defined(FAULT__EXIT)
    _Exit(3);
#elif defined(FAULT_QUICK_EXIT)
    quick_exit(3);
#elif defined(FAULT_RAISE_ABRT)
    raise(SIGABRT);
#elif defined(FAULT_RAISE_BUS)
    raise(SIGBUS);
#elif defined(FAULT_EXHAUST)
    while (malloc(1 << 30)) {
    }
#endif
}

static void *bad(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    fault();
    return NULL;
}

static void *good(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, bad, NULL);
    pthread_create(&other, NULL, good, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
