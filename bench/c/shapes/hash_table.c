/* A hash table of 10,000 entries that main sets up, and threads that look up and insert under its
 * lock. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 2
#endif

enum { THREADS = 3, ENTRIES = 10000, BUCKETS = 4096, LOOKUPS = 20 };

typedef struct entry {
    struct entry *next;
    uint32_t key, value;
} entry;

static entry *buckets[BUCKETS], pool[ENTRIES + THREADS * N];
static uint32_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t hash(uint32_t key) {
    return key * 2654435761u % BUCKETS;
}

static entry *find(uint32_t key) {
    entry *e = buckets[hash(key)];
    while (e && e->key != key) {
        e = e->next;
    }
    return e;
}

static void insert(uint32_t key, uint32_t value) {
    entry *e = &pool[used++];
    *e = (entry){buckets[hash(key)], key, value};
    buckets[hash(key)] = e;
}

static void *work(void *argument) {
    uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0; round < N; round++) {
        pthread_mutex_lock(&lock);
        for (uint32_t i = 0; i < LOOKUPS; i++) {
            uint32_t key = (self * 977 + round * 331 + i * 37) % ENTRIES;
            const entry *e = find(key);
            assert(e && e->value == key + 1);
        }
        insert(ENTRIES + self * N + round, self);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    used = 0;
    memset(buckets, 0, sizeof buckets);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        insert(i, i + 1);
    }
    for (uintptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(used == ENTRIES + THREADS * N);
    return 0;
}
