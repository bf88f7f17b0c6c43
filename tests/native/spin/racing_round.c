/* Every round reads something that another thread changes without a lock: the race has no effect on
 * the loop, which still repeats itself. With SECTION the round takes two locks first. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static int value;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static int look(void) {
#ifdef SECTION
    int seen = -1;
    pthread_mutex_lock(&first);
    if (pthread_mutex_trylock(&second) == 0) {
        seen = value;
        pthread_mutex_unlock(&second);
    }
    pthread_mutex_unlock(&first);
    return seen;
#else
    return value;
#endif
}

static void *spin(void *none) {
    while (look() != 7 && !go) {
    }
    return none;
}

static void *change(void *none) {
    value = 1;
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
    return 0;
}
