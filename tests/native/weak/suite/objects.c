/* Where atomics live, how they are accessed, and what goes wrong with the memory behind them. */
#include "suite.h"

#include <semaphore.h>
#include <threads.h>

static atomic_int x, y;

/* Message passing through anything: the message is plain. */
#define MESSAGE(name, declared, send, receive) \
    declared; \
    static int name##_message; \
    static void name##_first(int i) { (void)i; name##_message = 1; send; } \
    static void name##_second(int i) { (void)i; if (receive) assert(name##_message == 1); } \
    void name(void) { run_both(name##_first, name##_second); }

MESSAGE(byte, static _Atomic unsigned char byte_flag[3], store(&byte_flag[1], 1, REL), load(&byte_flag[1], ACQ))
MESSAGE(half, static _Atomic short half_flag[3], store(&half_flag[1], 1, REL), load(&half_flag[1], ACQ))
MESSAGE(wide, static _Atomic long long wide_flag, store(&wide_flag, 1ll << 40, REL), load(&wide_flag, ACQ))
MESSAGE(sixteen, static __attribute__((aligned(16))) __int128 sixteen_flag,
        __atomic_store_n(&sixteen_flag, (__int128)1 << 100, __ATOMIC_RELEASE),
        __atomic_load_n(&sixteen_flag, __ATOMIC_ACQUIRE))
MESSAGE(boolean, static atomic_bool boolean_flag, store(&boolean_flag, true, REL), load(&boolean_flag, ACQ))
MESSAGE(builtin, static int builtin_flag, __atomic_store_n(&builtin_flag, 1, __ATOMIC_RELEASE),
        __atomic_load_n(&builtin_flag, __ATOMIC_ACQUIRE))
MESSAGE(builtin_relaxed, static int relaxed_flag, __atomic_store_n(&relaxed_flag, 1, __ATOMIC_RELAXED),
        __atomic_load_n(&relaxed_flag, __ATOMIC_ACQUIRE))
MESSAGE(old_builtin, static int old_flag, __sync_fetch_and_add(&old_flag, 1), __sync_fetch_and_add(&old_flag, 0))
MESSAGE(sync_fence, static int sync_flag, __sync_synchronize(); __atomic_store_n(&sync_flag, 1, __ATOMIC_RELAXED),
        __atomic_load_n(&sync_flag, __ATOMIC_RELAXED) && (__sync_synchronize(), 1))
MESSAGE(plain_flag, static int raced_flag, raced_flag = 1, raced_flag)
MESSAGE(volatile_flag, static volatile int volatile_raced, volatile_raced = 1, volatile_raced)
MESSAGE(atomic_operators, static atomic_int operator_flag, operator_flag = 1, operator_flag)
MESSAGE(flag_type, static atomic_flag clear = ATOMIC_FLAG_INIT,
        (void)atomic_flag_test_and_set_explicit(&clear, REL), atomic_flag_test_and_set_explicit(&clear, ACQ))
MESSAGE(structure, static struct { int before; atomic_int flag; } structure_flag,
        store(&structure_flag.flag, 1, REL), load(&structure_flag.flag, ACQ))
MESSAGE(failure_acquire, static atomic_int failing, store(&failing, 1, REL),
        !atomic_compare_exchange_strong_explicit(&failing, &(int){0}, 0, ACQ, ACQ))
MESSAGE(failure_relaxed, static atomic_int failing_relaxed, store(&failing_relaxed, 1, REL),
        !atomic_compare_exchange_strong_explicit(&failing_relaxed, &(int){0}, 0, ACQ, RLX))
MESSAGE(fences, static atomic_int fenced, fence(REL); store(&fenced, 1, RLX), load(&fenced, RLX) && (fence(ACQ), 1))
MESSAGE(fence_missing, static atomic_int half_fenced, fence(REL); store(&half_fenced, 1, RLX), load(&half_fenced, RLX))
MESSAGE(signal_fences, static atomic_int signalled, atomic_signal_fence(REL); store(&signalled, 1, RLX),
        load(&signalled, RLX) && (atomic_signal_fence(ACQ), 1))
MESSAGE(by_or, static atomic_int by_or_flag, atomic_fetch_or_explicit(&by_or_flag, 4, REL), load(&by_or_flag, ACQ) & 4)

/* An atomic object is accessed plainly as well. */
static void mixed_first(int i) { (void)i, store(&x, 1, SC); }
static int *plainly(atomic_int *p) { return (int *)p; }
static void mixed_second(int i) { (void)i, *plainly(&x) = 2; }
void mixed_plain(void) { run_both(mixed_first, mixed_second); }

/* Initialised before the threads are there, in each of several ways. */
static atomic_int *heap;
static void heap_body(int i) { (void)i, add(heap, 1, RLX); }
void heap_counter(void) {
    heap = malloc(sizeof *heap);
    atomic_init(heap, 5);
    run(2, heap_body);
    assert(*heap == 7);
    free(heap);
}

static atomic_int *_Atomic published;
static void publish_local(int i) {
    atomic_int local;
    (void)i;
    atomic_init(&local, 1);
    store(&published, &local, REL);
    while (load(&local, ACQ) == 1) {
    }
}
static void use_local(int i) {
    atomic_int *seen;
    (void)i;
    while (!(seen = load(&published, ACQ))) {
    }
    store(seen, 2, REL);
}
void local(void) { run_both(publish_local, use_local); }

static void leave_local(int i) {
    atomic_int local_gone;
    (void)i;
    atomic_init(&local_gone, 1);
    store(&published, &local_gone, REL);
}
static void use_if_there(int i) {
    atomic_int *seen = load(&published, ACQ);
    (void)i;
    if (seen)
        store(seen, 2, RLX);
}
void local_gone(void) { run_both(leave_local, use_if_there); }

static _Thread_local atomic_int own;
static void own_body(int i) { store(&own, i, RLX), add(&x, 1, RLX), assert(load(&own, RLX) == i); }
void thread_local_atomic(void) { run(2, own_body); }

/* Published by a relaxed store, from a heap block that was cleared. */
static int *_Atomic block;
static void publish_block(int i) { (void)i, store(&block, calloc(1, sizeof(int)), RLX); }
static void read_block(int i) {
    int *seen = load(&block, RLX);
    (void)i;
    if (seen)
        assert(*seen == 0);
}
void relaxed_block(void) { run_both(publish_block, read_block); }

/* ---- errors that only a weak model has ---- */

static int *_Atomic pointer;
static int target = 1;
static void set_pointer(int i) { (void)i, store(&pointer, &target, RLX), store(&y, 1, RLX); }
static void follow_pointer(int i) {
    if (load(&y, RLX))
        i = *load(&pointer, RLX);
    assert(i == 1);
}
void null_pointer(void) { run_both(set_pointer, follow_pointer); }

static int four[4];
static void set_index(int i) { (void)i, store(&x, 5, RLX), store(&y, 1, RLX), four[0] = 0; }
static void use_index(int i) {
    (void)i;
    if (load(&y, RLX))
        four[load(&x, RLX) - 2] = 1;
}
void negative_index(void) { run_both(set_index, use_index); }

static void *once_freed;
#define FREE_BOTH(name, stores, loads) \
    static void name##_body(int i) { \
        atomic_int *own = i ? &x : &y, *other = i ? &y : &x; \
        store(own, 1, stores); \
        if (!load(other, loads)) \
            free(once_freed); \
    } \
    void name(void) { \
        once_freed = malloc(8); \
        run(2, name##_body); \
    }
FREE_BOTH(free_both, SC, SC)
FREE_BOTH(free_both_acquire, REL, ACQ)

static sem_t semaphore;
#define SLEEP(name, stores, loads) \
    static void name##_sleeper(int i) { \
        (void)i; \
        store(&x, 1, stores); \
        if (!load(&y, loads)) \
            sem_wait(&semaphore); \
    } \
    static void name##_waker(int i) { \
        (void)i; \
        store(&y, 1, stores); \
        if (load(&x, loads)) \
            sem_post(&semaphore); \
    } \
    void name(void) { \
        sem_init(&semaphore, 0, 0); \
        run_both(name##_sleeper, name##_waker); \
    }
SLEEP(sleeper, SC, SC)
SLEEP(sleeper_acquire, REL, ACQ)

static void wait_forever(int i) {
    (void)i;
    while (!load(&x, ACQ)) {
    }
}
void never_set(void) { run(1, wait_forever); }

/* ---- many ---- */

static void many_body(int i) { i ? (void)load(&x, RLX) : store(&x, 1, RLX); }
void ten_threads(void) { run(10, many_body); }

static atomic_int long_cells[2];
static void long_body(int i) {
    for (int round = 0; round < 120; round++)
        store(&long_cells[i], load(&long_cells[i], RLX) + 1, RLX);
}
void five_hundred_events(void) {
    run(2, long_body);
    assert(load(&long_cells[0], RLX) == 120 && load(&long_cells[1], RLX) == 120);
}

static int c11_message;
static int c11_first(void *unused) { (void)unused, c11_message = 1, store(&x, 1, REL); return 0; }
void c11_threads(void) {
    thrd_t thread;
    thrd_create(&thread, c11_first, NULL);
    if (load(&x, ACQ))
        assert(c11_message == 1);
    thrd_join(thread, NULL);
}
