// Each thread counts for itself, and adds its part when it ends.
// verified
// PARTS_LOST: assertion total == 4
// READ_BY_OTHERS: data-race .
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static thread_local int own = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, *parts[2];
static void *count(void *number) {
    parts[number != NULL] = &own;
    own++;
#ifndef PARTS_LOST
    pthread_mutex_lock(&lock);
    total += own;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, count, NULL);
    pthread_create(&threads[1], NULL, count, &total);
#ifdef READ_BY_OTHERS
    int sum = parts[0] ? *parts[0] : 0;
    (void)sum;
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#ifdef PARTS_LOST
    total += own;
#endif
    assert(total == 4 && own == 1);
    return 0;
}
