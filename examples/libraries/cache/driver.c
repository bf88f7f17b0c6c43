/* Two threads ask for the same key, one of them for another one, too. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "cache.h"

static cache *squares;

static int square(int key) {
    return key * key;
}

static void *ask(void *unused) {
    assert(cache_get(squares, 3) == 9);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    squares = cache_create(square);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, ask, NULL);
    }
    assert(cache_get(squares, 4) == 16);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(cache_count(squares) == 2);
    cache_destroy(squares);
    return 0;
}
