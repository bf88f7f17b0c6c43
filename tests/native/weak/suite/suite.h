/* Small programs with C11 atomics, as the test suites of checkers for weak memory have them. Each is
 * a function that main calls by its name; `expected` has what each memory model makes of it. Where a
 * program comes in several versions, the last word of its name says what is missing. */
#ifndef SUITE_H
#define SUITE_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR  memory_order_acq_rel
#define SC  memory_order_seq_cst

#define load(place, order)          atomic_load_explicit(place, order)
#define store(place, value, order)  atomic_store_explicit(place, value, order)
#define add(place, value, order)    atomic_fetch_add_explicit(place, value, order)
#define sub(place, value, order)    atomic_fetch_sub_explicit(place, value, order)
#define swap(place, value, order)   atomic_exchange_explicit(place, value, order)
#define fence(order)                atomic_thread_fence(order)
#define cas(place, seen, value, order) \
    atomic_compare_exchange_strong_explicit(place, seen, value, order, RLX)
#define cas_acquire(place, seen, value, order) \
    atomic_compare_exchange_strong_explicit(place, seen, value, order, ACQ)
#define cas_weak(place, seen, value, order) \
    atomic_compare_exchange_weak_explicit(place, seen, value, order, RLX)

/* Threads with numbers from 0, up to their end. */
typedef void body(int);
void run(int count, body *);

/* The same for two functions. */
void run_both(body *, body *);

/* What a lock protects: without it, updates are lost. */
extern atomic_int guarded;
static inline void update(void) {
    store(&guarded, load(&guarded, RLX) + 1, RLX);
}

#define PROGRAM(name) void name(void);
#include "list.h"
#undef PROGRAM

#endif
