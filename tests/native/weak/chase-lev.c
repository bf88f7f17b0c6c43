/* The work-stealing deque of Chase and Lev with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP
 * 2013), of a fixed size: the owner pushes one item and takes it back, a thief steals. ORDER: 0
 * without the fences between the two ends, 1 with them. Nobody may get an item twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 4, NOTHING = -1 };

static atomic_int top, bottom, items[SIZE], taken;

static void between_the_ends(void) {
#if ORDER
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void push(int item) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % SIZE], item, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    between_the_ends();
    int t = atomic_load_explicit(&top, memory_order_relaxed), item = NOTHING;
    if (t <= b) {
        item = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
        if (t < b)
            return item;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            item = NOTHING;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    between_the_ends();
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NOTHING;
    int item = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                   memory_order_relaxed)
               ? item
               : NOTHING;
}

static void use(int item) {
    if (item != NOTHING)
        assert((atomic_fetch_or_explicit(&taken, 1 << item, memory_order_relaxed) >> item & 1) == 0);
}

static void *thief(void *unused) {
    use(steal());
    use(steal());
    return unused;
}

int main(void) {
    pthread_t t;
    push(0);
    push(1);
    pthread_create(&t, NULL, thief, NULL);
    use(take());
    pthread_join(t, NULL);
    return 0;
}
