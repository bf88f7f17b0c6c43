/* A read-write lock of the program's own, of relaxed atomics, and a message, annotated by client
 * requests of valgrind: by its headers if HEADER is one, else by their binary interface. WITHOUT:
 * they are not. READERS: a reader writes. FORGOTTEN: the message is sent, then forgotten. COUNTED:
 * a counter is changed without the lock, which is BENIGN; or checked AGAIN; or PART of it is.
 * UNTAKEN: the lock is released before anyone has taken it.
 * ORDER: of the atomic accesses. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef HEADER
#include HEADER
#else
static unsigned long request(unsigned long number, const volatile void *place, unsigned long more) {
    volatile unsigned long arguments[6] = {0x48470000 + number, (unsigned long)place, more};
    unsigned long result = 0;
    __asm__ volatile(
        "rolq $3,  %%rdi ; rolq $13, %%rdi\n\trolq $61, %%rdi ; rolq $51, %%rdi\n\t"
        "xchgq %%rbx,%%rbx"
        : "+d"(result)
        : "a"(&arguments[0])
        : "cc", "memory");
    return result;
}
#define ANNOTATE_RWLOCK_ACQUIRED(lock, writer)       request(273, lock, writer)
#define ANNOTATE_RWLOCK_RELEASED(lock, writer)       request(274, lock, 0)
#define ANNOTATE_HAPPENS_BEFORE(place)               request(289, place, 0)
#define ANNOTATE_HAPPENS_AFTER(place)                request(290, place, 0)
#define ANNOTATE_HAPPENS_BEFORE_FORGET_ALL(place)    request(291, place, 0)
#define ANNOTATE_BENIGN_RACE_SIZED(place, size, why) request(295, place, size)
#define VALGRIND_HG_ENABLE_CHECKING(place, size)     request(296, place, size)
#endif

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int state; /* readers, or -1 */
static atomic_int sent;
static int value, message, counter;

static void take(int change) {
    for (;;) {
        int old = atomic_load_explicit(&state, ORDER);
        if ((change < 0 ? old == 0 : old >= 0) &&
            atomic_compare_exchange_strong_explicit(&state, &old, old + change, ORDER, ORDER)) {
            break;
        }
    }
#ifndef WITHOUT
    ANNOTATE_RWLOCK_ACQUIRED(&state, change < 0);
#endif
}

static void give(int change) {
#ifndef WITHOUT
    ANNOTATE_RWLOCK_RELEASED(&state, change < 0);
#endif
    atomic_fetch_sub_explicit(&state, change, ORDER);
}

static void *read_value(void *unused) {
#ifdef COUNTED
    counter++;
#endif
    if (atomic_load_explicit(&sent, ORDER)) {
        ANNOTATE_HAPPENS_AFTER(&sent);
        assert(message == 1);
    }
    take(1);
    assert(value == 0 || value == 1);
#ifdef READERS
    value = 1;
#endif
    give(1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
#ifdef UNTAKEN
    ANNOTATE_RWLOCK_RELEASED(&state, 0);
#endif
#ifdef BENIGN
    ANNOTATE_BENIGN_RACE_SIZED(&counter, sizeof counter, "statistics");
#endif
#ifdef AGAIN
    VALGRIND_HG_ENABLE_CHECKING(&counter, sizeof counter);
#endif
#ifdef PART
    ANNOTATE_BENIGN_RACE_SIZED(&counter, sizeof counter - 1, "statistics");
#endif
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, read_value, NULL);
    }
    message = 1;
    ANNOTATE_HAPPENS_BEFORE(&sent);
#ifdef FORGOTTEN
    ANNOTATE_HAPPENS_BEFORE_FORGET_ALL(&sent);
#endif
    atomic_store_explicit(&sent, 1, ORDER);
    take(-1);
    value = 1;
    give(-1);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
