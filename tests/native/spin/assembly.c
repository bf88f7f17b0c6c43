/* Spin locks in inline assembly, as libraries have them. */
#include "spin.h"

#ifndef INLINE
#define INLINE inline
#endif

static unsigned held;
static int count;
#ifdef BEFORE
static atomic_int arrived;
#endif

static INLINE unsigned exchange(unsigned *p, unsigned v) {
    __asm__ volatile("xchgl %1, %0" : "+m"(*p), "+q"(v) : : "memory");
    return v;
}

static INLINE unsigned load(unsigned *p) {
    unsigned v;
    __asm__ volatile("movl %1, %0" : "=q"(v) : "m"(*p) : "memory");
    return v;
}

static INLINE void store(unsigned *p, unsigned v) {
    __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory");
}

static INLINE unsigned compare_exchange(unsigned *p, unsigned old, unsigned new) {
    __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(old), "+m"(*p) : "r"(new) : "memory");
    return old;
}

static void lock(void) {
#if WAY == 1
    while (compare_exchange(&held, 0, 1) != 0) {
        __asm__ volatile("pause");
    }
#elif WAY == 2
    while (exchange(&held, 1)) {
        do {
            __asm__ volatile("pause");
        } while (load(&held));
    }
#elif WAY == 3
    static atomic_int never;
    while (exchange(&held, 1)) {
        assert(!never);
    }
#else
    while (exchange(&held, 1)) {
        __asm__ volatile("pause");
    }
#endif
}

static void *body(void *argument) {
#ifdef BEFORE /* heddle's functions leave something in registers */
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    arrived |= 1;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
#endif
    lock();
    count++;
#ifndef BUG
    store(&held, 0);
#endif
    return argument;
}

int main(void) {
    run_threads(body);
    assert(count == N);
}
