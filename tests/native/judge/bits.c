/* What a bit-field shares its bytes with is read and written back: by every way that compilers have
 * to store one. WAY 1: a field is cleared, and the other one set, by one instruction each if it is
 * optimised. 2: variables. 3: in an array, in a loop. 4: volatile. 5: of a local. 6: packed, across
 * bytes and words. 7: thread-local, of another thread. 8: truth values. 9: counted up. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct packed {
    unsigned a : 7;
    unsigned long b : 50;
    unsigned c : 20;
} __attribute__((packed));

#if WAY == 4
typedef volatile struct fields {
    unsigned a : 3, b : 5;
} fields;
#elif WAY == 6
typedef struct packed fields;
#elif WAY == 8
typedef struct fields {
    bool a : 1, b : 1;
} fields;
#else
typedef struct fields {
    unsigned a : 3, b : 5;
} fields;
#endif

#if WAY == 7
static _Thread_local fields shared;
#else
static fields shared;
#endif
static fields array[3], *place;
static volatile int one = 1;
#ifdef LOCKED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#else
#define LOCK()
#define UNLOCK()
#endif

static void *change_a(void *unused) {
    LOCK();
#if WAY == 1
    place->a = 0;
#elif WAY == 2
    place->a = one;
#elif WAY == 3
    for (int i = 0; i < 3; i++) {
        array[i].a = i;
    }
#elif WAY == 4
    shared.a = 1;
#elif WAY == 9
    place->a++;
#else
    place->a = 1;
#endif
    UNLOCK();
    return unused;
}

int main(void) {
    pthread_t thread;
#if WAY == 5
    fields local = {0};
    place = &local;
#else
    place = &shared;
#endif
#if WAY == 1
    place->a = 7;
#endif
    pthread_create(&thread, NULL, change_a, NULL);
    LOCK();
#if WAY == 3
    array[1].b = 9;
#elif WAY == 8
    place->b = one;
#elif WAY == 9
    place->a++;
#elif WAY == 4
    shared.b = 31;
#elif WAY == 5
    local.b = 31;
#else
    place->b = 31;
#endif
    UNLOCK();
    pthread_join(thread, NULL);
#if WAY == 1
    assert(place->a == 0);
#elif WAY == 3
    assert(array[1].a == 1);
#elif WAY == 9
    assert(place->a == 2);
#else
    assert(place->a == 1);
#endif
    return 0;
}
