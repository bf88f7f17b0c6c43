/* Data structures. Nodes are plain memory: what is published by too weak an order is a data race,
 * under every model, because happens-before is that of C11. */
#include "suite.h"

typedef struct item {
    int value;
    struct item *_Atomic next;
} item;

static item *new_item(int value) {
    item *made = malloc(sizeof *made);
    made->value = value;
    atomic_init(&made->next, NULL);
    return made;
}

/* ---- a stack (Treiber) ---- */

static item *_Atomic top;
#define STACK(name, release, acquire, after) \
    static void name##_push(int i) { \
        item *made = new_item(i + 1), *seen = load(&top, RLX); \
        do \
            store(&made->next, seen, RLX); \
        while (!atomic_compare_exchange_weak_explicit(&top, &seen, made, release, RLX)); \
    } \
    static void name##_pop(int i) { \
        item *seen = load(&top, acquire); \
        while (seen && !atomic_compare_exchange_strong_explicit( \
                           &top, &seen, load(&seen->next, RLX), acquire, acquire)) { \
        } \
        if (seen) { \
            i = seen->value; \
            assert(i == 1); \
            after; \
        } \
    } \
    void name(void) { run_both(name##_push, name##_pop); }
STACK(stack, REL, ACQ, )
STACK(stack_no_release, RLX, ACQ, )
STACK(stack_no_acquire, REL, RLX, )
STACK(stack_free, REL, ACQ, free(seen))

/* Two pop what was pushed before: one may look into what the other has freed. */
static void pop_free_body(int i) {
    item *seen = load(&top, ACQ);
    (void)i;
    while (seen && !cas_acquire(&top, &seen, load(&seen->next, RLX), ACQ)) {
    }
    free(seen);
}
void stack_two_free(void) {
    item *first = new_item(1);
    store(&first->next, new_item(2), RLX);
    store(&top, first, RLX);
    run(2, pop_free_body);
}

/* ---- queues ---- */

static item *_Atomic head, *_Atomic tail;
#define QUEUE(name, release, acquire) \
    static void name##_enqueue(int i) { \
        item *made = new_item(i + 1), *last, *after; \
        while (true) { \
            last = load(&tail, ACQ); \
            after = load(&last->next, ACQ); \
            if (after) { \
                cas(&tail, &last, after, REL); \
            } else if (cas(&last->next, &after, made, release)) { \
                cas(&tail, &last, made, REL); \
                return; \
            } \
        } \
    } \
    static void name##_dequeue(int i) { \
        item *first = load(&head, RLX), *after = load(&first->next, acquire); \
        (void)i; \
        if (after && cas(&head, &first, after, RLX)) \
            assert(after->value == 1); \
    } \
    void name(void) { \
        store(&head, new_item(0), RLX); \
        store(&tail, load(&head, RLX), RLX); \
        run_both(name##_enqueue, name##_dequeue); \
    }
QUEUE(queue, REL, ACQ)
QUEUE(queue_no_release, RLX, ACQ)
QUEUE(queue_no_acquire, REL, RLX)

enum { ROOM = 2 };
static int ring_items[ROOM];
static atomic_uint put, taken;
#define SPSC(name, publish, see, leave, reuse) \
    static void name##_put(int i) { \
        for (i = 0; i < 3; i++) { \
            unsigned at = load(&put, RLX); \
            if (at - load(&taken, reuse) == ROOM) \
                return; \
            ring_items[at % ROOM] = i + 1; \
            store(&put, at + 1, publish); \
        } \
    } \
    static void name##_take(int i) { \
        for (i = 0; i < 3; i++) { \
            unsigned at = load(&taken, RLX); \
            if (load(&put, see) == at) \
                return; \
            assert(ring_items[at % ROOM] == i + 1); \
            store(&taken, at + 1, leave); \
        } \
    } \
    void name(void) { run_both(name##_put, name##_take); }
SPSC(spsc, REL, ACQ, REL, ACQ)
SPSC(spsc_no_publish, RLX, ACQ, REL, ACQ)
SPSC(spsc_no_see, REL, RLX, REL, ACQ)
SPSC(spsc_no_leave, REL, ACQ, RLX, ACQ)
SPSC(spsc_no_reuse, REL, ACQ, REL, RLX)

/* Many producers and consumers: a number for each cell says whose turn it is. */
static struct {
    atomic_uint turn;
    int value;
} cells[2];
static atomic_uint enqueued, dequeued;
#define MPMC(name, publish, see) \
    static void name##_put(int value) { \
        unsigned at = load(&enqueued, RLX); \
        while (true) { \
            int ahead = (int)(load(&cells[at % 2].turn, see) - at); \
            if (ahead < 0) \
                return; \
            if (ahead > 0) \
                at = load(&enqueued, RLX); \
            else if (cas_weak(&enqueued, &at, at + 1, RLX)) \
                break; \
        } \
        cells[at % 2].value = value + 1; \
        store(&cells[at % 2].turn, at + 1, publish); \
    } \
    static void name##_take(int i) { \
        unsigned at = load(&dequeued, RLX); \
        (void)i; \
        if (load(&cells[at % 2].turn, see) == at + 1 && cas(&dequeued, &at, at + 1, RLX)) { \
            assert(cells[at % 2].value > 0); \
            store(&cells[at % 2].turn, at + 2, publish); \
        } \
    } \
    static void name##_body(int i) { i < 2 ? name##_put(i) : name##_take(i); } \
    void name(void) { \
        store(&cells[1].turn, 1, RLX); \
        run(3, name##_body); \
    }
MPMC(mpmc, REL, ACQ)
MPMC(mpmc_no_publish, RLX, ACQ)
MPMC(mpmc_no_see, REL, RLX)

/* ---- work stealing (Chase and Lev) ---- */

static atomic_int deque_top, deque_bottom, deque_item[2], taken_items;
#define DEQUE(name, take_fence, steal_fence) \
    static void name##_take(int i) { \
        for (int round = 0; round < 2; round++) { \
            int bottom = load(&deque_bottom, RLX) - 1, top_seen; \
            store(&deque_bottom, bottom, RLX); \
            take_fence; \
            top_seen = load(&deque_top, RLX); \
            i = top_seen <= bottom ? load(&deque_item[bottom], RLX) : 0; \
            if (top_seen >= bottom) { \
                if (top_seen == bottom && !cas(&deque_top, &top_seen, top_seen + 1, SC)) \
                    i = 0; \
                store(&deque_bottom, bottom + 1, RLX); \
            } \
            assert(!i || !(add(&taken_items, i, RLX) / i % 10)); \
        } \
    } \
    static void name##_steal(int i) { \
        int top_seen = load(&deque_top, ACQ); \
        steal_fence; \
        if (top_seen < load(&deque_bottom, ACQ)) { \
            i = load(&deque_item[top_seen], RLX); \
            if (cas(&deque_top, &top_seen, top_seen + 1, SC)) \
                assert(!(add(&taken_items, i, RLX) / i % 10)); \
        } \
    } \
    static void name##_body(int i) { i ? name##_steal(i) : name##_take(i); } \
    void name(void) { \
        store(&deque_item[0], 1, RLX); \
        store(&deque_item[1], 10, RLX); \
        store(&deque_bottom, 2, RLX); \
        run(3, name##_body); \
    }
DEQUE(deque, fence(SC), fence(SC))
DEQUE(deque_no_fence, , fence(SC))
DEQUE(deque_no_thief_fence, fence(SC), )

/* ---- lives ---- */

/* Reference counts: whoever drops the last one frees. */
typedef struct counted {
    atomic_int count;
    int value;
} counted;
static counted *object;
#define COUNTED(name, release, last) \
    static void name##_body(int i) { \
        (void)i; \
        i = object->value; \
        if (sub(&object->count, 1, release) == 1) { \
            last; \
            object->value = 0; \
            free(object); \
        } \
    } \
    void name(void) { \
        object = malloc(sizeof *object); \
        object->value = 1; \
        atomic_init(&object->count, 2); \
        run(2, name##_body); \
    }
COUNTED(counted_fence, REL, fence(ACQ))
COUNTED(counted_both, AR, )
COUNTED(counted_no_acquire, REL, )
COUNTED(counted_no_release, RLX, fence(ACQ))

/* A hazard pointer: the reader says what it reads, and looks again. */
static item *_Atomic current, *_Atomic hazard;
#define HAZARD(name, middle) \
    static void name##_reader(int i) { \
        item *seen = load(&current, ACQ); \
        store(&hazard, seen, RLX); \
        middle; \
        if (load(&current, ACQ) == seen) { \
            i = seen->value; \
            assert(i > 0); \
        } \
        store(&hazard, NULL, REL); \
    } \
    static void name##_writer(int i) { \
        item *old = swap(&current, new_item(i + 1), AR); \
        middle; \
        if (load(&hazard, ACQ) != old) \
            free(old); \
    } \
    void name(void) { \
        store(&current, new_item(1), RLX); \
        run_both(name##_reader, name##_writer); \
    }
HAZARD(hazard_fences, fence(SC))
HAZARD(hazard_none, )

/* Read, copy, update: the writer waits until no reader is inside. */
static atomic_int inside;
#define RCU(name, enter, leave, waits) \
    static void name##_reader(int i) { \
        enter; \
        item *seen = load(&current, ACQ); \
        i = seen->value; \
        assert(i > 0); \
        leave; \
    } \
    static void name##_writer(int i) { \
        item *old = swap(&current, new_item(i + 1), SC); \
        waits; \
        free(old); \
    } \
    void name(void) { \
        store(&current, new_item(1), RLX); \
        run_both(name##_reader, name##_writer); \
    }
#define WAITS(order) while (load(&inside, order)) { }
RCU(rcu, store(&inside, 1, SC); fence(SC), store(&inside, 0, REL), fence(SC); WAITS(ACQ))
RCU(rcu_no_wait, store(&inside, 1, SC); fence(SC), store(&inside, 0, REL), )
RCU(rcu_no_fence, store(&inside, 1, RLX), store(&inside, 0, REL), WAITS(ACQ))
RCU(rcu_no_release, store(&inside, 1, SC); fence(SC), store(&inside, 0, RLX), fence(SC); WAITS(ACQ))

/* ---- once ---- */

static item *_Atomic instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define DOUBLE_CHECKED(name, publish, see) \
    static void name##_body(int i) { \
        item *seen = load(&instance, see); \
        if (!seen) { \
            pthread_mutex_lock(&mutex); \
            seen = load(&instance, RLX); \
            if (!seen) { \
                seen = new_item(1); \
                store(&instance, seen, publish); \
            } \
            pthread_mutex_unlock(&mutex); \
        } \
        i = seen->value; \
        assert(i == 1); \
    } \
    void name(void) { run(2, name##_body); }
DOUBLE_CHECKED(double_checked, REL, ACQ)
DOUBLE_CHECKED(double_checked_no_release, RLX, ACQ)
DOUBLE_CHECKED(double_checked_no_acquire, REL, RLX)

/* Whoever is first makes it, and the others throw theirs away. */
static void race_to_make_body(int i) {
    item *made = new_item(i + 1), *seen = NULL;
    if (!atomic_compare_exchange_strong_explicit(&instance, &seen, made, REL, ACQ)) {
        free(made);
        assert(seen->value > 0);
    }
}
void race_to_make(void) { run(2, race_to_make_body); }
static void race_to_make_relaxed_body(int i) {
    item *made = new_item(i + 1), *seen = NULL;
    if (!atomic_compare_exchange_strong_explicit(&instance, &seen, made, REL, RLX)) {
        free(made);
        assert(seen->value > 0);
    }
}
void race_to_make_failure(void) { run(2, race_to_make_relaxed_body); }
