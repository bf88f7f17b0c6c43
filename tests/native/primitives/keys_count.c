// A registry of live threads: destructors sign off under the lock, twice if they set the value
// again. verified UNLOCKED: data-race alive LOCK_HELD: deadlock waits for
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alive, rounds;
static void sign_off(void *value) {
#ifndef UNLOCKED
    pthread_mutex_lock(&lock);
#endif
    if (value == &rounds) {
        rounds++;
        pthread_setspecific(key, &alive);
    } else {
        alive--;
    }
#ifndef UNLOCKED
    pthread_mutex_unlock(&lock);
#endif
}
static void *work(void *first) {
    pthread_mutex_lock(&lock);
    alive++;
    pthread_setspecific(key, first);
#ifdef LOCK_HELD
    if (first == &rounds) {
        pthread_exit(NULL);
    }
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, sign_off);
    pthread_create(&threads[0], NULL, work, &rounds);
    pthread_create(&threads[1], NULL, work, &alive);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(alive == 0 && rounds == 1);
    return 0;
}
