/* A first-fit allocator with one lock; threads allocate blocks, fill and check them, and free
 * them. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#ifndef N
#define N 2
#endif

enum { THREADS = 2, ARENA_WORDS = 1024, FILLED = 24 };

/* A block: its size in words, then whether it is free, then its words. */
static uint32_t arena[ARENA_WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void split(uint32_t at, uint32_t size) {
    if (arena[at] > size + 4) {
        uint32_t rest = at + 2 + size;
        arena[rest] = arena[at] - size - 2;
        arena[rest + 1] = 1;
        arena[at] = size;
    }
}

static uint32_t *allocate(uint32_t size) {
    uint32_t *found = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t at = 0; at < ARENA_WORDS && !found; at += 2 + arena[at]) {
        if (arena[at + 1] && arena[at] >= size) {
            split(at, size);
            arena[at + 1] = 0;
            found = &arena[at + 2];
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* Free blocks that follow each other become one. */
static void release(uint32_t *block) {
    pthread_mutex_lock(&lock);
    block[-1] = 1;
    for (uint32_t at = 0; at < ARENA_WORDS;) {
        uint32_t next = at + 2 + arena[at];
        if (next < ARENA_WORDS && arena[at + 1] && arena[next + 1]) {
            arena[at] += 2 + arena[next];
        } else {
            at = next;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    uint32_t self = (uint32_t)(uintptr_t)argument;
    for (uint32_t round = 0; round < N; round++) {
        uint32_t *block = allocate(FILLED + self);
        for (uint32_t i = 0; i < FILLED; i++) {
            block[i] = self * 100 + i;
        }
        for (uint32_t i = 0; i < FILLED; i++) {
            assert(block[i] == self * 100 + i);
        }
        release(block);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    memset(arena, 0, sizeof arena);
    arena[0] = ARENA_WORDS - 2;
    arena[1] = 1;
    for (uintptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(arena[0] == ARENA_WORDS - 2);
    return 0;
}
