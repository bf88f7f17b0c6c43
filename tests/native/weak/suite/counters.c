/* Counters, arrays, and who reads what. */
#include "suite.h"

static atomic_int x, y, z;

/* ---- increments ---- */

static void ainc_body(int i) { (void)i, add(&x, 1, RLX); }
void ainc(void) { run(3, ainc_body); assert(load(&x, RLX) == 3); }

static void ainc_sc_body(int i) { (void)i, add(&x, 1, SC); }
void ainc_sc(void) { run(4, ainc_sc_body); assert(load(&x, RLX) == 4); }

static void binc_body(int i) { (void)i, add(&x, 1, RLX), add(&y, 1, RLX); }
void binc(void) { run(2, binc_body); assert(load(&x, RLX) + load(&y, RLX) == 4); }

static void lost_body(int i) { (void)i, store(&x, load(&x, RLX) + 1, RLX); }
void lost_update(void) { run(2, lost_body); assert(load(&x, RLX) == 2); }

static void casinc_body(int i) {
    int seen = load(&x, RLX);
    (void)i;
    while (!cas(&x, &seen, seen + 1, RLX)) {
    }
}
void casinc(void) { run(3, casinc_body); assert(load(&x, RLX) == 3); }

static void casinc_weak_body(int i) {
    int seen = 0;
    (void)i;
    while (!cas_weak(&x, &seen, seen + 1, RLX)) {
    }
}
void casinc_weak(void) { run(2, casinc_weak_body); assert(load(&x, RLX) == 2); }

static int plain;
static void plain_body(int i) { (void)i, plain++; }
void plain_increment(void) { run(2, plain_body); }

/* At most two rounds. */
static void fib_first(int i) { for (i = 0; i < 2; i++) store(&x, load(&x, RLX) + load(&y, RLX), RLX); }
static void fib_second(int i) { for (i = 0; i < 2; i++) store(&y, load(&y, RLX) + load(&x, RLX), RLX); }
static void fib(int bound) {
    store(&x, 1, RLX), store(&y, 1, RLX);
    run_both(fib_first, fib_second);
    assert(load(&x, RLX) <= bound && load(&y, RLX) <= bound);
}
void fib_bench(void) { fib(8); }
void fib_bench_low(void) { fib(7); }

/* ---- arrays ---- */

enum { READERS = 3 };
static void readers_body(int i) { i ? (void)load(&x, RLX) : store(&x, 1, RLX); }
void readers(void) { run(READERS + 1, readers_body); }

static atomic_int array[16];
static void lastzero_body(int i) {
    if (i) {
        store(&array[i], load(&array[i - 1], RLX) + 1, RLX);
    } else {
        int at = 3;
        while (at > 0 && load(&array[at], RLX) != 0)
            at--;
        assert(load(&array[0], RLX) == 0);
    }
}
void lastzero(void) { run(4, lastzero_body); }

enum { SIZE = 128, THREADS = 3 };
static atomic_int table[SIZE];
static void indexer_body(int number) {
    for (int message = 0; message < 2; message++) {
        int value = message * 11 + number + 1, hash = value * 7 % SIZE, free = 0;
        while (!cas(&table[hash], &free, value, RLX))
            hash = (hash + 1) % SIZE, free = 0;
    }
}
void indexer(void) { run(THREADS, indexer_body); }

static void writers_body(int i) { store(&x, i + 1, RLX); }
void writers(void) { run(3, writers_body); }

static void peekers_body(int i) { store(&array[i], 1, RLX), (void)load(&array[(i + 1) % 3], RLX); }
void ring(void) { run(3, peekers_body); }

/* ---- coherence ---- */

static void corr_write(int i) { (void)i, store(&x, 1, RLX), store(&x, 2, RLX); }
static void corr_read(int i) {
    i = load(&x, RLX);
    assert(load(&x, RLX) >= i);
}
void corr(void) { run_both(corr_write, corr_read); }

static void coww(int i) { (void)i, store(&x, 1, RLX), store(&x, 2, RLX); }
static void cowr(int i) { (void)i, store(&x, 3, RLX), assert(load(&x, RLX) != 1 || load(&x, RLX) != 3); }
void coherence(void) { run_both(coww, cowr); }

static void corr_two_body(int i) {
    if (i < 2) {
        store(&x, i + 1, RLX);
    } else {
        int first = load(&x, RLX), second = load(&x, RLX);
        store(i == 2 ? &y : &z, first * 10 + second, RLX);
    }
}
/* Two readers agree about the order of two writes to one place. */
void corr_two(void) {
    run(4, corr_two_body);
    assert(!(load(&y, RLX) == 12 && load(&z, RLX) == 21));
}

/* A thread reads its own write, or a later one. */
static void own_first(int i) { (void)i, store(&x, 1, RLX), assert(load(&x, RLX) != 0); }
static void own_second(int i) { (void)i, store(&x, 2, RLX); }
void own_write(void) { run_both(own_first, own_second); }

/* ---- values out of thin air ---- */

static void lb_first(int i) { i = load(&x, RLX), store(&y, i, RLX); }
static void lb_second(int i) { i = load(&y, RLX), store(&x, i, RLX); }
void thin_air(void) { run_both(lb_first, lb_second); assert(load(&x, RLX) == 0); }

/* ---- what the checker is given ---- */

static void assume_first(int i) { (void)i, store(&x, 1, RLX), store(&y, 1, RLX); }
static void assume_second(int i) { (void)i, __VERIFIER_assume(load(&y, RLX) == 1), assert(load(&x, RLX)); }
void assumption(void) { run_both(assume_first, assume_second); }

static void nondet_body(int i) {
    store(&array[i], __VERIFIER_nondet_bool(), RLX);
}
void nondet(void) { run(2, nondet_body); assert(load(&array[0], RLX) + load(&array[1], RLX) < 3); }
