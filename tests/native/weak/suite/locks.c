/* Locks made of atomics. What they protect is two relaxed accesses, so that a lock which orders too
 * little loses an update under the models that let it, and never races. */
#include "suite.h"

#include <sched.h>
#include <unistd.h>

#define CHECKED(name, count) \
    void name(void) { run(count, name##_body); assert(load(&guarded, RLX) == (count)); }

/* ---- by one word ---- */

static atomic_flag flag = ATOMIC_FLAG_INIT;
#define TAS(name, acquire, release, rest) \
    static void name##_body(int i) { \
        (void)i; \
        while (atomic_flag_test_and_set_explicit(&flag, acquire)) { rest; } \
        update(); \
        atomic_flag_clear_explicit(&flag, release); \
    } \
    CHECKED(name, 2)
TAS(tas, ACQ, REL, )
TAS(tas_yield, ACQ, REL, sched_yield())
TAS(tas_sleep, ACQ, REL, usleep(10))
TAS(tas_pause, ACQ, REL, __builtin_ia32_pause())
TAS(tas_no_release, ACQ, RLX, )
TAS(tas_no_acquire, RLX, REL, )

static atomic_int word;
#define TTAS(name, acquire, release) \
    static void name##_body(int i) { \
        (void)i; \
        do { \
            while (load(&word, RLX)) { \
            } \
        } while (swap(&word, 1, acquire)); \
        update(); \
        store(&word, 0, release); \
    } \
    CHECKED(name, 2)
TTAS(ttas, ACQ, REL)
TTAS(ttas_no_release, ACQ, RLX)

#define CAS_LOCK(name, acquire, release) \
    static void name##_body(int i) { \
        int zero = 0; \
        (void)i; \
        while (!cas_weak(&word, &zero, 1, acquire)) \
            zero = 0; \
        update(); \
        store(&word, 0, release); \
    } \
    CHECKED(name, 2)
CAS_LOCK(cas_lock, ACQ, REL)
CAS_LOCK(cas_lock_no_acquire, RLX, REL)

/* The old builtins are full barriers. */
static int old_word;
static void sync_lock_body(int i) {
    (void)i;
    while (__sync_lock_test_and_set(&old_word, 1)) {
    }
    update();
    __sync_lock_release(&old_word);
}
CHECKED(sync_lock, 2)

/* ---- by queues ---- */

static atomic_int next, serving;
#define TICKET(name, acquire, release) \
    static void name##_body(int i) { \
        i = add(&next, 1, RLX); \
        while (load(&serving, acquire) != i) { \
        } \
        update(); \
        store(&serving, i + 1, release); \
    } \
    CHECKED(name, 2)
TICKET(ticket, ACQ, REL)
TICKET(ticket_no_acquire, RLX, REL)
TICKET(ticket_no_release, ACQ, RLX)

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} node;
static _Atomic(node *) tail;
static node nodes[3];
#define MCS(name, acquire, release) \
    static void name##_body(int i) { \
        node *own = &nodes[i], *before, *after = own; \
        store(&own->next, NULL, RLX); \
        store(&own->waits, 1, RLX); \
        before = swap(&tail, own, AR); \
        if (before) { \
            store(&before->next, own, REL); \
            while (load(&own->waits, acquire)) { \
            } \
        } \
        update(); \
        if (!load(&own->next, ACQ)) { \
            if (cas(&tail, &after, NULL, release)) \
                return; \
            while (!load(&own->next, ACQ)) { \
            } \
        } \
        store(&load(&own->next, ACQ)->waits, 0, release); \
    } \
    CHECKED(name, 2)
MCS(mcs, ACQ, REL)
MCS(mcs_no_acquire, RLX, REL)
MCS(mcs_no_release, ACQ, RLX)

/* ---- by loads and stores ---- */

static atomic_int wants[3], turn;
#define PETERSON(name, stores, loads) \
    static void name##_body(int i) { \
        store(&wants[i], 1, stores); \
        store(&turn, 1 - i, stores); \
        while (load(&wants[1 - i], loads) && load(&turn, loads) == 1 - i) { \
        } \
        update(); \
        store(&wants[i], 0, REL); \
    } \
    CHECKED(name, 2)
PETERSON(peterson, SC, SC)
PETERSON(peterson_acquire, REL, ACQ)

#define DEKKER(name, stores, loads, middle) \
    static void name##_body(int i) { \
        store(&wants[i], 1, stores); \
        middle; \
        while (load(&wants[1 - i], loads)) { \
            if (load(&turn, loads) != i) { \
                store(&wants[i], 0, stores); \
                while (load(&turn, loads) != i) { \
                } \
                store(&wants[i], 1, stores); \
                middle; \
            } \
        } \
        update(); \
        store(&turn, 1 - i, REL); \
        store(&wants[i], 0, REL); \
    } \
    CHECKED(name, 2)
DEKKER(dekker, SC, SC, )
DEKKER(dekker_fences, RLX, ACQ, fence(SC))
DEKKER(dekker_acquire, REL, ACQ, )

static atomic_int choosing[2], number[2];
#define BAKERY(name, stores, loads) \
    static void name##_body(int i) { \
        int other = 1 - i, own; \
        store(&choosing[i], 1, stores); \
        own = load(&number[other], loads) + 1; \
        store(&number[i], own, stores); \
        store(&choosing[i], 0, stores); \
        while (load(&choosing[other], loads)) { \
        } \
        while (true) { \
            int theirs = load(&number[other], loads); \
            if (theirs == 0 || theirs > own || (theirs == own && other > i)) \
                break; \
        } \
        update(); \
        store(&number[i], 0, REL); \
    } \
    CHECKED(name, 2)
BAKERY(bakery, SC, SC)
BAKERY(bakery_acquire, REL, ACQ)

/* Szymanski's, with states 1 to 4. Of the second load in TWO_LOADS, which comes to see that the other
 * thread continues, nothing is left to wait for. */
static atomic_int state[2];
#define SZYMANSKI(name, stores, loads, others) \
    static void name##_body(int i) { \
        int other = 1 - i, seen; \
        store(&state[i], 1, stores); \
        while (load(&state[other], loads) >= 3) { \
        } \
        store(&state[i], 3, stores); \
        if (load(&state[other], loads) == 1) { \
            store(&state[i], 2, stores); \
            while (load(&state[other], loads) != 4) { \
            } \
        } \
        store(&state[i], 4, stores); \
        while (i == 1 && load(&state[0], loads) >= 2) { \
        } \
        update(); \
        while (i == 0 && (others)) { \
        } \
        (void)seen; \
        store(&state[i], 0, REL); \
    } \
    CHECKED(name, 2)
#define ONE_LOAD(loads) (seen = load(&state[1], loads)) == 2 || seen == 3
#define TWO_LOADS       load(&state[1], SC) == 2 || load(&state[1], SC) == 3
SZYMANSKI(szymanski, SC, SC, ONE_LOAD(SC))
SZYMANSKI(szymanski_acquire, REL, ACQ, ONE_LOAD(ACQ))
SZYMANSKI(szymanski_two_loads, SC, SC, TWO_LOADS)

/* ---- readers and writers ---- */

enum { BIAS = 100 };
static atomic_int rw = BIAS;
static atomic_int first_half, second_half;
#define RWLOCK(name, acquire, release) \
    static void name##_body(int i) { \
        int cost = i ? 1 : BIAS; \
        int before = sub(&rw, cost, acquire); \
        while (i ? before <= 0 : before != BIAS) { \
            add(&rw, cost, RLX); \
            while (i ? load(&rw, RLX) <= 0 : load(&rw, RLX) != BIAS) { \
            } \
            before = sub(&rw, cost, acquire); \
        } \
        if (i) { \
            int first = load(&first_half, RLX); \
            assert(load(&second_half, RLX) == first); \
        } else { \
            store(&first_half, 1, RLX); \
            store(&second_half, 1, RLX); \
        } \
        add(&rw, cost, release); \
    } \
    void name(void) { run(2, name##_body); }
RWLOCK(linux_rwlock, ACQ, REL)
RWLOCK(linux_rwlock_no_acquire, RLX, REL)

static atomic_uint sequence;
#define SEQLOCK(name, before_write, begin, end, before_check) \
    static void name##_writer(int i) { \
        (void)i; \
        store(&sequence, 1, RLX); \
        before_write; \
        store(&first_half, 1, RLX); \
        store(&second_half, 1, RLX); \
        store(&sequence, 2, end); \
    } \
    static void name##_reader(int i) { \
        unsigned seen; \
        int first; \
        do { \
            while ((seen = load(&sequence, begin)) & 1) { \
            } \
            first = load(&first_half, RLX); \
            i = load(&second_half, RLX); \
            before_check; \
        } while (load(&sequence, RLX) != seen); \
        assert(first == i); \
    } \
    void name(void) { run_both(name##_writer, name##_reader); }
SEQLOCK(seqlock, fence(REL), ACQ, REL, fence(ACQ))
SEQLOCK(seqlock_no_writer_fence, , ACQ, REL, fence(ACQ))
SEQLOCK(seqlock_no_reader_fence, fence(REL), ACQ, REL, )
SEQLOCK(seqlock_no_release, fence(REL), ACQ, RLX, fence(ACQ))

/* ---- barriers ---- */

static atomic_int arrived, phase;
static atomic_int cells[3];
#define BARRIER(name, arrives, leaves, waits) \
    static void name##_body(int i) { \
        store(&cells[i], 1, RLX); \
        if (add(&arrived, 1, arrives) == 1) \
            store(&phase, 1, leaves); \
        else \
            while (!load(&phase, waits)) { \
            } \
        assert(load(&cells[1 - i], RLX) == 1); \
    } \
    void name(void) { run(2, name##_body); }
BARRIER(barrier, AR, REL, ACQ)
BARRIER(barrier_no_acquire, AR, REL, RLX)
BARRIER(barrier_no_order, RLX, REL, ACQ)

static void latch_body(int i) {
    if (i < 2) {
        store(&cells[i], 1, RLX);
        add(&arrived, 1, REL);
    } else {
        while (load(&arrived, ACQ) != 2) {
        }
        assert(load(&cells[0], RLX) && load(&cells[1], RLX));
    }
}
void latch(void) { run(3, latch_body); }

static void latch_relaxed_body(int i) {
    if (i < 2) {
        store(&cells[i], 1, RLX);
        add(&arrived, 1, RLX);
    } else {
        while (load(&arrived, ACQ) != 2) {
        }
        assert(load(&cells[0], RLX) && load(&cells[1], RLX));
    }
}
void latch_no_release(void) { run(3, latch_relaxed_body); }
