/* A table that main fills before it creates its threads: all executions share that. */
#include <pthread.h>

#ifndef ENTRIES
#define ENTRIES 10000
#endif

static struct entry {
    long key, value;
} table[ENTRIES + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    long key = (long)argument;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        table[(key * 7 + i) % (ENTRIES + 1)].value++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < ENTRIES; i++) {
        table[i].key = i;
        table[i].value = i * i;
    }
    for (long i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
