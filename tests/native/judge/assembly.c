/* Atomic operations in inline assembly, as libraries write them. */
#include <assert.h>
#include <pthread.h>

static int count, flag, data;
static long wide;

static inline int fetch_add(int *p, int v) {
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static inline int compare_exchange(int *p, int old, int new) {
    int result;
    __asm__ volatile("lock; cmpxchgl %2, %1"
                     : "=a"(result), "+m"(*p)
                     : "r"(new), "0"(old)
                     : "memory");
    return result;
}

static inline int exchange(int *p, int v) {
    __asm__ volatile("xchg %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static inline int load(int *p) {
    int v;
    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}

static inline void store(int *p, int v) {
    __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory");
}

static void *work(void *unused) {
#if defined COMPARE
    if (compare_exchange(&flag, 0, 1) == 0) {
        data++;
        store(&flag, 2);
    }
    fetch_add(&count, 1);
#elif defined DECREMENT
    unsigned char zero;
    __asm__ volatile("lock decl %0; sete %1" : "+m"(flag), "=q"(zero) : : "memory", "cc");
    if (zero) {
        data++;
    }
    fetch_add(&count, 1);
#elif defined WIDE
    __asm__ volatile("lock\n\taddq $1, (%0)" : : "r"(&wide) : "memory", "cc");
    fetch_add(&count, 1);
#elif defined LOST
    int seen = load(&count);
    store(&count, seen + 1);
#elif defined RACE
    data++;
    fetch_add(&count, 1);
#else
    fetch_add(&count, 1);
    exchange(&flag, 1);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
#ifdef DECREMENT
    flag = 2;
#endif
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
#ifdef DECREMENT
    assert(data == 1);
#elif defined WIDE
    assert(wide == 2);
#endif
    return 0;
}
