/* What is easily got wrong under weak memory models. WHAT says which; ORDER where it matters. */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release

static atomic_int x, y;
static int one, other;

#if WHAT < 6 /* store buffering, with what may be a fence in between */
static _Thread_local int own;
static inline void fence(void) {
#if WHAT == 0
    __asm__ volatile("mfence" ::: "memory");
#elif WHAT == 1
    __asm__ volatile("lock; addl $0, (%%rsp)" ::: "memory", "cc");
#elif WHAT == 2
    int value = 0;
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(own)::"memory");
#elif WHAT == 3
    _mm_mfence();
#elif WHAT == 4 /* no fence for a processor */
    __asm__ volatile("" ::: "memory");
#elif WHAT == 5 /* a read-modify-write of what nobody else knows: none for C11 */
    atomic_int local = 0;
    atomic_fetch_add(&local, 1);
#endif
    own++;
}
static void *first(void *unused) {
    atomic_store_explicit(&x, 1, RELAXED);
    fence();
    one = atomic_load_explicit(&y, RELAXED);
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&y, 1, RELAXED);
    fence();
    other = atomic_load_explicit(&x, RELAXED);
    return unused;
}
static void end(void) {
    assert(one || other);
}
#elif WHAT == 6 /* a local that is published, and whose frame is left */
static _Atomic(atomic_int *) shared;
static void *first(void *unused) {
    atomic_int local;
    atomic_init(&local, 0);
    atomic_store_explicit(&local, 7, RELAXED);
    atomic_store_explicit(&shared, &local, ORDER ? RELEASE : RELAXED);
    while (!atomic_load_explicit(&x, ACQUIRE))
        ;
    return unused;
}
static void *second(void *unused) {
    atomic_int *found = atomic_load_explicit(&shared, ORDER ? ACQUIRE : RELAXED);
    int value = found ? atomic_load_explicit(found, RELAXED) : 7;
    atomic_store_explicit(&x, 1, RELEASE);
    assert(value == 7);
    return unused;
}
static void end(void) {
}
#elif WHAT == 7 || WHAT == 8 /* written plainly at the end; and read atomically again */
static void *first(void *unused) {
    atomic_store_explicit(&x, 1, RELAXED);
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&x, 2, RELAXED);
    return unused;
}
static void end(void) {
    int nine = 9;
    memcpy((void *)&x, &nine, sizeof nine);
    assert(*(int *)(void *)&x == 9);
#if WHAT == 8
    assert(atomic_load_explicit(&x, RELAXED) == 9);
#endif
}
#elif WHAT == 9 /* sixteen bytes */
static __int128 wide;
static void *first(void *unused) {
    __atomic_store_n(&wide, 1, __ATOMIC_RELAXED);
    return unused;
}
static void *second(void *unused) {
    one = (int)__atomic_load_n(&wide, __ATOMIC_RELAXED);
    return unused;
}
static void end(void) {
}
#elif WHAT == 10 /* attempts to lock in loops, before anything else has shown that it is one */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *unused) {
    while (pthread_mutex_trylock(&mutex))
        ;
    one++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void *second(void *unused) {
    return first(unused);
}
static void end(void) {
}
#elif WHAT == 11 /* a data race, for --no-race-check: an update may be lost */
static void *first(void *unused) {
    one++;
    return unused;
}
static void *second(void *unused) {
    one++;
    return unused;
}
static void end(void) {
    assert(one == 2);
}
#elif WHAT == 12 /* a read-write lock orders what it protects, checked or not */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *first(void *unused) {
    pthread_rwlock_wrlock(&lock);
    one = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}
static void *second(void *unused) {
    pthread_rwlock_rdlock(&lock);
    other = one;
    pthread_rwlock_unlock(&lock);
    return unused;
}
static void end(void) {
}
#elif WHAT == 13 /* volatile accesses are plain ones: ORDER 0 they race, 1 they do not */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shown;
static void *first(void *unused) {
    if (ORDER)
        pthread_mutex_lock(&mutex);
    shown++;
    if (ORDER)
        pthread_mutex_unlock(&mutex);
    return unused;
}
static void *second(void *unused) {
    return first(unused);
}
static void end(void) {
    assert(shown == 2);
}
#elif WHAT == 14 /* what a compare-and-exchange expects is plain memory that others could see: ORDER 0 they
                    do, 1 they do not */
static struct request {
    int expected;
    atomic_int done;
} requests[2];
static atomic_int lock;
static void *first(void *argument) {
    struct request *own = &requests[ORDER && argument];
    atomic_compare_exchange_strong_explicit(&lock, &own->expected, 1, memory_order_relaxed,
                                            memory_order_relaxed);
    return argument;
}
static void *second(void *unused) {
    (void)unused;
    return first(&lock);
}
static void end(void) {
    assert(requests[0].expected + requests[1].expected == 1);
}
#endif

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    end();
    return 0;
}
