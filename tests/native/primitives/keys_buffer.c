// Each thread has a buffer of its own, which the destructor of its key frees.
// verified --leaks=error
// NO_DESTRUCTOR --leaks=error: leak heap block of 8 bytes
// DELETED_EARLY --leaks=error: leak heap block of 8 bytes
// SHARED: data-race .
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static int spare[2];
static int *buffer(void) {
    int *own = pthread_getspecific(key);
    if (own == NULL) {
#ifdef SHARED
        own = spare;
#else
        own = calloc(2, sizeof *own);
#endif
        pthread_setspecific(key, own);
    }
    return own;
}
static void release(void *own) {
    if (own != spare) {
        free(own);
    }
}
static void *work(void *unused) {
    buffer()[0]++;
    buffer()[1]++;
#ifdef DELETED_EARLY
    pthread_key_delete(key);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef NO_DESTRUCTOR
    pthread_key_create(&key, NULL);
#else
    pthread_key_create(&key, release);
#endif
    pthread_create(&thread, NULL, work, NULL);
    int sum = buffer()[0] + ++buffer()[1];
    pthread_join(thread, NULL);
#ifndef NO_DESTRUCTOR
    release(buffer());
#endif
    return sum != 1;
}
