/* What weak memory models are explored with, and what is refused: WHAT says which. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x;
static pthread_mutex_t m;
static int guarded;

#if WHAT == 0 /* a mutex that is initialised and destroyed, and a plain variable */
static void *work(void *unused) {
    pthread_mutex_lock(&m);
    guarded++;
    pthread_mutex_unlock(&m);
    return unused;
}
#elif WHAT == 1 /* every kind of read-modify-write */
static void *work(void *unused) {
    atomic_fetch_add_explicit(&x, 6, memory_order_relaxed);
    atomic_fetch_sub_explicit(&x, 2, memory_order_relaxed);
    atomic_fetch_or_explicit(&x, 16, memory_order_relaxed);
    atomic_fetch_and_explicit(&x, 31, memory_order_relaxed);
    atomic_fetch_xor_explicit(&x, 32, memory_order_relaxed);
    return unused;
}
#elif WHAT == 2 /* atomics that share a granule, of several sizes */
static struct {
    atomic_char a, b;
    atomic_short c;
    atomic_int d;
} s;
static void *work(void *unused) {
    atomic_fetch_add_explicit(&s.a, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&s.b, 2, memory_order_relaxed);
    atomic_fetch_add_explicit(&s.c, 3, memory_order_relaxed);
    atomic_fetch_add_explicit(&s.d, 4, memory_order_relaxed);
    assert(s.a <= 2 && s.b <= 4 && s.c <= 6 && s.d <= 8);
    return unused;
}
#elif WHAT == 3 /* memory that is allocated and freed */
static void *work(void *unused) {
    atomic_int *own = malloc(sizeof *own);
    atomic_init(own, 1);
    atomic_fetch_add_explicit(own, 1, memory_order_relaxed);
    assert(*own == 2);
    free(own);
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return unused;
}
#elif WHAT == 6 /* refused: memory that is accessed in two sizes */
static union {
    atomic_int whole;
    atomic_short half;
} u;
static void *work(void *unused) {
    atomic_store_explicit(&u.whole, 1, memory_order_relaxed);
    atomic_load_explicit(&u.half, memory_order_relaxed);
    return unused;
}
#elif WHAT == 7 /* atomic memory that is written plainly in between */
static void *work(void *unused) {
    pthread_mutex_lock(&m);
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    memset((void *)&x, 0, sizeof x);
    pthread_mutex_unlock(&m);
    return unused;
}
#elif WHAT == 8 /* a mutex that its owner locks again */
static void *work(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}
#endif

int main(void) {
    pthread_t t[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (WHAT == 8)
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attributes);
    pthread_create(&t[0], 0, work, 0);
    pthread_create(&t[1], 0, work, &t);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_mutex_destroy(&m);
    assert(WHAT != 0 || guarded == 2);
    return 0;
}
