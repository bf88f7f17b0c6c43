/* The algorithms of tests/abstract/weak in C, with as many executions. ALGORITHM is one of the
 * functions; ORDER: 0 as weak as it gets, 1 as strong as it needs to be, 2 seq_cst (Peterson's). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void __VERIFIER_assume(int);

#define ORDERED(weak, strong) (ORDER ? memory_order_##strong : memory_order_##weak)
#define READ(p)               atomic_load_explicit(p, memory_order_relaxed)
#define WRITE(p, value)       atomic_store_explicit(p, value, memory_order_relaxed)

static int compare_and_swap(atomic_int *p, int expected, int desired, memory_order order) {
    return atomic_compare_exchange_strong_explicit(p, &expected, desired, order,
                                                   memory_order_relaxed);
}

static int enter(void) {
    static atomic_int inside;
    int others = atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
    return others;
}

static atomic_int flag[2], turn;

static void peterson(int own) {
    memory_order store = ORDER == 2 ? memory_order_seq_cst : memory_order_release;
    memory_order load = ORDER == 2 ? memory_order_seq_cst : memory_order_acquire;
    atomic_store_explicit(&flag[own], 1, store);
    atomic_store_explicit(&turn, 1 - own, store);
    if (ORDER == 1)
        atomic_thread_fence(memory_order_seq_cst);
    __VERIFIER_assume(!(atomic_load_explicit(&flag[1 - own], load) &&
                        atomic_load_explicit(&turn, load) == 1 - own));
    int others = enter();
    atomic_store_explicit(&flag[own], 0, store);
    assert(others == 0);
}

static void dekker(int own) {
    memory_order store = ORDERED(release, seq_cst), load = ORDERED(acquire, seq_cst);
    atomic_store_explicit(&flag[own], 1, store);
    if (atomic_load_explicit(&flag[1 - own], load)) {
        if (atomic_load_explicit(&turn, load) != own) {
            atomic_store_explicit(&flag[own], 0, store);
            __VERIFIER_assume(atomic_load_explicit(&turn, load) == own);
            atomic_store_explicit(&flag[own], 1, store);
        }
        __VERIFIER_assume(atomic_load_explicit(&flag[1 - own], load) == 0);
    }
    int others = enter();
    atomic_store_explicit(&turn, 1 - own, store);
    atomic_store_explicit(&flag[own], 0, store);
    assert(others == 0);
}

static void seqlock(int reads) {
    static atomic_int sequence, a, b;
    if (reads) {
        int before = READ(&sequence);
        __VERIFIER_assume(before % 2 == 0);
        if (ORDER)
            atomic_thread_fence(memory_order_acquire);
        int x = READ(&a), y = READ(&b);
        if (ORDER)
            atomic_thread_fence(memory_order_acquire);
        if (READ(&sequence) == before)
            assert(x == y);
    } else {
        WRITE(&sequence, 1);
        if (ORDER)
            atomic_thread_fence(memory_order_release);
        WRITE(&a, 1);
        WRITE(&b, 1);
        if (ORDER)
            atomic_thread_fence(memory_order_release);
        WRITE(&sequence, 2);
    }
}

static void ticket(int unused) {
    static atomic_int next, serving, inside;
    (void)unused;
    int own = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    __VERIFIER_assume(atomic_load_explicit(&serving, ORDERED(relaxed, acquire)) == own);
    int x = READ(&inside);
    WRITE(&inside, x + 1);
    atomic_store_explicit(&serving, own + 1, ORDERED(relaxed, release));
    assert(x == own);
}

/* Nodes are numbers; what they hold is atomic, so that the bug is no data race. */
static atomic_int following[3], data[3];

static void treiber(int own) {
    static atomic_int top;
    if (own > 0) { /* push */
        WRITE(&data[own], 1);
        int seen;
        do {
            seen = READ(&top);
            WRITE(&following[own], seen);
        } while (!compare_and_swap(&top, seen, own, ORDERED(relaxed, release)));
    } else { /* pop */
        int seen = atomic_load_explicit(&top, ORDERED(relaxed, acquire));
        if (seen && compare_and_swap(&top, seen, READ(&following[seen]), ORDERED(relaxed, acquire)))
            assert(READ(&data[seen]));
    }
}

static atomic_int head, tail;

static int append(int own) {
    int done = 0;
    int last = atomic_load_explicit(&tail, ORDERED(relaxed, acquire));
    int next = atomic_load_explicit(&following[last], ORDERED(relaxed, acquire));
    if (!next) {
        done = compare_and_swap(&following[last], 0, own, ORDERED(relaxed, release));
        next = done ? own : 3 - own;
    }
    compare_and_swap(&tail, last, next, ORDERED(relaxed, release));
    return done;
}

static void ms_queue(int own) {
    if (own > 0) {
        WRITE(&data[own], 1);
        while (!append(own))
            continue;
    } else { /* take */
        int first = atomic_load_explicit(&head, ORDERED(relaxed, acquire));
        int next = atomic_load_explicit(&following[first], ORDERED(relaxed, acquire));
        if (next && compare_and_swap(&head, first, next, ORDERED(relaxed, release)))
            assert(READ(&data[next]));
    }
}

static int got[3]; /* plain: read after the threads have ended */

static void chase_lev(int own) {
    static atomic_int top, bottom, items[2];
    if (own == 0) { /* push two, take one */
        WRITE(&items[0], 1);
        atomic_store_explicit(&bottom, 1, memory_order_release);
        WRITE(&items[1], 2);
        atomic_store_explicit(&bottom, 2, memory_order_release);
        WRITE(&bottom, 1);
        if (ORDER)
            atomic_thread_fence(memory_order_seq_cst);
        int t = READ(&top);
        if (t <= 1) {
            READ(&items[1]);
            if (t < 1 || compare_and_swap(&top, 1, 2, memory_order_seq_cst))
                got[own] = 2;
        }
    } else { /* steal */
        int t = atomic_load_explicit(&top, memory_order_acquire);
        if (ORDER)
            atomic_thread_fence(memory_order_seq_cst);
        int b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t < b) {
            READ(&items[t]);
            if (compare_and_swap(&top, t, t + 1, memory_order_seq_cst))
                got[own] = t + 1;
        }
    }
}

static void mutex(int unused) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *run(void *argument) {
    ALGORITHM((int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    /* So that all of them are used. */
    void (*const all[])(int) = {peterson, dekker, seqlock, ticket, treiber, ms_queue, chase_lev, mutex};
    (void)all;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(!got[0] || (got[0] != got[1] && got[0] != got[2]));
    assert(!got[1] || got[1] != got[2]);
    return 0;
}
