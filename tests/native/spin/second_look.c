/* A round that backs off looks at `outer` alone while that is held, which it is in the end. Only if it
 * had come before the worker took `inner` does it succeed, and race. Nobody waits for either.
 * With ALONE the round begins with that try: while it fails the round takes nothing, and is no section. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused) {
    (void)unused;
    count = 1;
    pthread_mutex_lock(&inner);
    pthread_mutex_lock(&outer); /* and ends with it */
    pthread_mutex_unlock(&inner);
    return NULL;
}

#ifdef ALONE
#define LOCK_OWN()
#define UNLOCK_OWN()
#else
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
#define LOCK_OWN() pthread_mutex_lock(&own)
#define UNLOCK_OWN() pthread_mutex_unlock(&own)
#endif

static void *polite(void *unused) {
    (void)unused;
    for (;;) {
        LOCK_OWN();
        if (pthread_mutex_trylock(&outer) == 0) {
            if (pthread_mutex_trylock(&inner) == 0) {
                break;
            }
            pthread_mutex_unlock(&outer);
        }
        UNLOCK_OWN();
    }
    count = 2;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    UNLOCK_OWN();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, polite, NULL);
    return 0;
}
