/* Loops that wait for another thread. WHAT says which; ORDER: 0 relaxed, 1 release and acquire, 2
 * seq_cst. What the locks protect is plain, so that too weak an order is a data race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

#if ORDER == 2
#define RELEASE memory_order_seq_cst
#define ACQUIRE memory_order_seq_cst
#elif ORDER == 1
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#else
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#endif
#define RELAXED memory_order_relaxed

static atomic_int a, b;
static int guarded;

#if WHAT == 0 /* a flag: the last thread waits for all others */
static void *body(void *number) {
    if ((size_t)number < N - 1) {
        if (number == NULL)
            guarded = 1;
        atomic_fetch_add_explicit(&a, 1, RELEASE);
    } else {
        while (atomic_load_explicit(&a, ACQUIRE) < N - 1)
            ;
        assert(guarded == 1);
    }
    return NULL;
}
#elif WHAT == 1 || WHAT == 2 || WHAT == 3 /* locks: test-and-set, with a test before, by tickets */
static void lock(void) {
#if WHAT == 1
    while (atomic_exchange_explicit(&a, 1, ACQUIRE))
        ;
#elif WHAT == 2
    do
        while (atomic_load_explicit(&a, RELAXED))
            ;
    while (atomic_exchange_explicit(&a, 1, ACQUIRE));
#else
    int ticket = atomic_fetch_add_explicit(&b, 1, RELAXED);
    while (atomic_load_explicit(&a, ACQUIRE) != ticket)
        ;
#endif
}
static void unlock(void) {
    atomic_store_explicit(&a, WHAT == 3 ? atomic_load_explicit(&a, RELAXED) + 1 : 0, RELEASE);
}
static void *body(void *unused) {
    lock();
    guarded++;
    unlock();
    return unused;
}
#elif WHAT == 4 /* a seqlock: a writer, and readers that try again */
static atomic_int sequence;
static void *body(void *number) {
    int before, x, y;
    if (number == NULL) {
        atomic_store_explicit(&sequence, 1, RELAXED);
        if (ORDER)
            atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&a, 1, RELAXED);
        atomic_store_explicit(&b, 1, RELAXED);
        atomic_store_explicit(&sequence, 2, RELEASE);
        return NULL;
    }
    do {
        while ((before = atomic_load_explicit(&sequence, ACQUIRE)) % 2)
            ;
        x = atomic_load_explicit(&a, RELAXED);
        y = atomic_load_explicit(&b, RELAXED);
        if (ORDER)
            atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&sequence, RELAXED) != before);
    assert(x == y);
    return NULL;
}
#elif WHAT == 5 /* an increment by compare-and-swap */
static void *body(void *unused) {
    int seen = atomic_load_explicit(&a, RELAXED);
    while (!atomic_compare_exchange_weak_explicit(&a, &seen, seen + 1, RELEASE, RELAXED))
        ;
    return unused;
}
#elif WHAT == 6 /* Peterson's lock, with fences if ORDER is 3 */
static atomic_int wants[2], turn;
static void *body(void *number) {
    int me = number != NULL;
    atomic_store_explicit(&wants[me], 1, RELAXED);
    atomic_store_explicit(&turn, !me, RELEASE);
    if (ORDER == 3)
        atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&wants[!me], ACQUIRE) && atomic_load_explicit(&turn, ACQUIRE) != me)
        ;
    guarded++;
    atomic_store_explicit(&wants[me], 0, RELEASE);
    return NULL;
}
#elif WHAT == 7 /* nobody ever writes what the loop waits for; there is a fence in it */
static void *body(void *number) {
    if (number == NULL)
        atomic_store_explicit(&a, 1, RELEASE);
    else
        while (atomic_load_explicit(&a, RELAXED) != 2)
            atomic_thread_fence(memory_order_acquire);
    return NULL;
}
#elif WHAT == 8 /* waits for what is overwritten, or not */
static void *body(void *number) {
    if (number == NULL) {
        atomic_store_explicit(&a, 1, RELEASE);
        atomic_store_explicit(&a, 2, RELEASE);
    } else {
        while (atomic_load_explicit(&a, ACQUIRE) != 1)
            ;
    }
    return NULL;
}
#endif

int main(void) {
    pthread_t t[N];
    for (size_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, body, (void *)i);
    for (size_t i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(WHAT == 0 || WHAT > 3 || guarded == N);
    assert(WHAT != 5 || a == N);
    return 0;
}
