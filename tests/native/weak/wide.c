/* Atomic objects of sixteen bytes. WHAT says which; ORDER 0 is relaxed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define READ  (ORDER ? memory_order_acquire : memory_order_relaxed)
#define WRITE (ORDER ? memory_order_release : memory_order_relaxed)

typedef struct pair {
    uint64_t first, second;
} pair;
static _Atomic pair shared;
static int payload, seen[2];

#if WHAT == 0 /* a message, whose halves belong together */
static void *first(void *unused) {
    payload = 1;
    atomic_store_explicit(&shared, ((pair){1, 2}), WRITE);
    return unused;
}
static void *second(void *unused) {
    pair p = atomic_load_explicit(&shared, READ);
    assert(p.second == 2 * p.first);
    if (p.second)
        assert(payload == 1);
    return unused;
}
static void end(void) {
}
#elif WHAT == 1 /* store buffering; with a fence for ORDER 1 */
static _Atomic pair other;
static void *first(void *unused) {
    atomic_store_explicit(&shared, ((pair){0, 1}), memory_order_relaxed);
    if (ORDER)
        atomic_thread_fence(memory_order_seq_cst);
    seen[0] = (int)atomic_load_explicit(&other, memory_order_relaxed).second;
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&other, ((pair){0, 1}), memory_order_relaxed);
    if (ORDER)
        atomic_thread_fence(memory_order_seq_cst);
    seen[1] = (int)atomic_load_explicit(&shared, memory_order_relaxed).second;
    return unused;
}
static void end(void) {
    assert(seen[0] || seen[1]);
}
#elif WHAT == 2 /* a counter beside a pointer */
static void *first(void *unused) {
    pair old = atomic_load_explicit(&shared, READ), new;
    do
        new = (pair){(uintptr_t)&payload, old.second + 1};
    while (!atomic_compare_exchange_weak_explicit(&shared, &old, new, memory_order_relaxed,
                                                  memory_order_relaxed));
    return unused;
}
static void *second(void *unused) {
    pair old = {0, 0};
    bool won = atomic_compare_exchange_strong_explicit(&shared, &old, ((pair){5, 9}),
                                                       memory_order_relaxed, memory_order_relaxed);
    assert(won ? old.second == 0 : old.second == 1);
    return unused;
}
static void end(void) {
    pair last = atomic_load(&shared);
    assert(last.second == 10 || last.second == 1);
}
#elif WHAT == 3 /* a loop that waits for both halves */
static void *first(void *unused) {
    payload = 3;
    atomic_store_explicit(&shared, ((pair){1, 0}), WRITE);
    atomic_store_explicit(&shared, ((pair){1, 1}), WRITE);
    return unused;
}
static void *second(void *unused) {
    pair p;
    do
        p = atomic_load_explicit(&shared, READ);
    while (!p.first || !p.second);
    assert(payload == 3);
    return unused;
}
static void end(void) {
}
#elif WHAT == 4 /* arithmetic, beginning again with a plain write */
static unsigned __int128 number;
static void *first(void *unused) {
    __atomic_fetch_add(&number, (unsigned __int128)1 << 64, __ATOMIC_RELAXED);
    return unused;
}
static void *second(void *unused) {
    __atomic_fetch_or(&number, 1, __ATOMIC_RELAXED);
    return unused;
}
static void end(void) {
    assert(__atomic_load_n(&number, __ATOMIC_RELAXED) == (((unsigned __int128)1 << 64) | 1));
    number = 12;
    assert(__atomic_sub_fetch(&number, 2, __ATOMIC_RELAXED) == 10);
}
#elif WHAT == 5 /* refused: one half by itself */
static void *first(void *unused) {
    atomic_store_explicit(&shared, ((pair){1, 2}), WRITE);
    return unused;
}
static void *second(void *unused) {
    seen[0] = (int)__atomic_load_n((uint64_t *)&shared, __ATOMIC_RELAXED);
    return unused;
}
static void end(void) {
}
#endif

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    end();
    return 0;
}
