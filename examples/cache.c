/* A table that is made when it is first needed, by whoever needs it (docs/TUTORIAL.md), in three
 * stages (-DSTAGE=1, 2, 3), of which the last one is right. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef STAGE
#define STAGE 1
#endif

typedef struct table {
    int size;
} table;

#if STAGE == 1
static table *cache;
#else
static table *_Atomic cache;
#endif
static atomic_int made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static table *make_table(void) {
    table *fresh = malloc(sizeof *fresh);
    fresh->size = 42;
    made++;
    return fresh;
}

static table *get_table(void) {
#if STAGE == 3
    pthread_mutex_lock(&lock);
#endif
    if (!cache) {
        cache = make_table();
    }
    table *found = cache;
#if STAGE == 3
    pthread_mutex_unlock(&lock);
#endif
    return found;
}

static void *use(void *none) {
    assert(get_table()->size == 42);
    return none;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, use, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(made == 1);
    free(cache);
    (void)lock;
}
