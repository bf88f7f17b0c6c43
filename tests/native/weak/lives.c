/* Objects that are initialised again while other threads run. WHAT says which; with ORDER 0 somebody uses one
 * without being ordered with its initialisation. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE (ORDER ? memory_order_release : memory_order_relaxed)

#if WHAT == 0 /* a slot that is handed on: initialised plainly, counted atomically */
static struct { int references, data; } slot;
static atomic_int is_free = 1;
static void *first(void *unused) {
    int expected = 1;
    if (atomic_compare_exchange_strong_explicit(&is_free, &expected, 0, ACQUIRE, RELAXED)) {
        slot.references = 2;
        slot.data++;
        assert(__atomic_sub_fetch(&slot.references, 1, __ATOMIC_RELAXED) == 1);
        assert(__atomic_sub_fetch(&slot.references, 1, __ATOMIC_RELAXED) == 0);
        atomic_store_explicit(&is_free, 1, RELEASE);
    }
    return unused;
}
static void *second(void *unused) {
    return first(unused);
}
static void end(void) {
    slot.references = 7;
    assert(__atomic_load_n(&slot.references, __ATOMIC_RELAXED) == 7);
}
#elif WHAT == 1              /* counters that are cleared between two phases */
static atomic_int counts[2];
static pthread_barrier_t barrier;
static void *first(void *unused) {
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add_explicit(&counts[0], 1, RELAXED);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            assert(atomic_load_explicit(&counts[0], RELAXED) == 2);
            memset((void *)counts, 0, sizeof counts);
        }
        pthread_barrier_wait(&barrier);
    }
    return unused;
}
static void *second(void *unused) {
    return first(unused);
}
static void end(void) {
    assert(atomic_load_explicit(&counts[0], RELAXED) == 0);
}
#elif WHAT == 2              /* locals, also of another size in the place of what is gone */
static void *add_int(void *place) {
    atomic_fetch_add_explicit((atomic_int *)place, 1, RELAXED);
    return NULL;
}
static void *add_long(void *place) {
    atomic_fetch_add_explicit((atomic_long *)place, 1, RELAXED);
    return NULL;
}
static __attribute__((noinline)) void use_ints(void) {
    atomic_int counts[8];
    pthread_t t;
    for (int i = 0; i < 8; i++)
        atomic_init(&counts[i], 1);
    pthread_create(&t, NULL, add_int, &counts[1]);
    for (int i = 0; i < 8; i++)
        atomic_fetch_add_explicit(&counts[i], 1, RELAXED);
    pthread_join(t, NULL);
    assert(counts[1] == 3);
}
static __attribute__((noinline)) void use_longs(void) {
    atomic_long counts[5];
    pthread_t t;
    for (int i = 0; i < 5; i++)
        counts[i] = 10 + i;
    pthread_create(&t, NULL, add_long, &counts[1]);
    atomic_fetch_add_explicit(&counts[1], 3, RELAXED);
    pthread_join(t, NULL);
    assert(counts[1] == 15);
}
static void *first(void *unused) {
    use_ints();
    use_longs();
    return unused;
}
static void *second(void *unused) {
    return unused;
}
static void end(void) {
    use_ints();
}
#elif WHAT == 3 || WHAT == 4 /* a mutex in a node: initialised by a function, by an assignment */
struct node {
    pthread_mutex_t mutex;
    int value;
};
static _Atomic(struct node *) shared;
static void *first(void *unused) {
    struct node *n = malloc(sizeof *n);
#if WHAT == 3
    pthread_mutex_init(&n->mutex, NULL);
    n->value = 0;
#else
    *n = (struct node){.mutex = PTHREAD_MUTEX_INITIALIZER};
#endif
    atomic_store_explicit(&shared, n, RELEASE);
    pthread_mutex_lock(&n->mutex);
    n->value++;
    pthread_mutex_unlock(&n->mutex);
    return unused;
}
static void *second(void *unused) {
    struct node *n = atomic_load_explicit(&shared, ACQUIRE);
    if (n && pthread_mutex_trylock(&n->mutex) == 0) {
        n->value++;
        pthread_mutex_unlock(&n->mutex);
    }
    return unused;
}
static void end(void) {
    struct node *n = atomic_load_explicit(&shared, RELAXED);
    pthread_mutex_destroy(&n->mutex);
    pthread_mutex_init(&n->mutex, NULL);
    assert(pthread_mutex_trylock(&n->mutex) == 0 && n->value <= 2);
    free(n);
}
#elif WHAT == 5 /* a semaphore that begins again with another value */
static sem_t semaphore;
static void *first(void *unused) {
    sem_wait(&semaphore);
    return unused;
}
static void *second(void *unused) {
    sem_post(&semaphore);
    return unused;
}
static void end(void) {
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 2);
    sem_wait(&semaphore);
    sem_wait(&semaphore);
    assert(sem_trywait(&semaphore) != 0);
}
#endif

int main(void) {
    pthread_t a, b;
#if WHAT == 1
    pthread_barrier_init(&barrier, NULL, 2);
#elif WHAT == 5
    sem_init(&semaphore, 0, 0);
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    end();
    return 0;
}
