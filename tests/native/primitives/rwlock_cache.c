// A cache that is filled on demand: who has waited for the write lock looks again.
// verified
// NO_SECOND_LOOK: assertion entries == 1
// COUNT_AS_READER: data-race hits
// UPGRADE: deadlock waits to write-lock
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries, hits;
static int present(void) {
    pthread_rwlock_rdlock(&lock);
    int found = entries > 0;
#ifdef COUNT_AS_READER
    hits += found;
#endif
#ifndef UPGRADE
    pthread_rwlock_unlock(&lock);
#endif
    return found;
}
static void *look(void *unused) {
    if (!present()) {
        pthread_rwlock_wrlock(&lock);
#ifndef NO_SECOND_LOOK
        if (entries == 0)
#endif
        {
            entries++;
        }
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    look(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(entries == 1 && hits == 0);
    pthread_rwlock_destroy(&lock);
    return 0;
}
