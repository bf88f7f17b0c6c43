/* A thread spins while it holds a lock, and reads what others write under that lock: it need not
 * execute a round to see a race. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *spin(void *none) {
    pthread_mutex_lock(&lock);
    for (;;) {
        volatile int seen = value;
        (void)seen;
        if (go) {
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return none;
}

static void *change(void *none) {
#ifdef BUG
    value = 1;
#else
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
#endif
    return none;
}

static void *set(void *none) {
    go = 1;
    return none;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, spin, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_create(&threads[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}
