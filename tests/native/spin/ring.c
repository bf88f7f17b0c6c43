/* A full ring: each round of the producer writes what is there, and so none of them waits. The race
 * is found after thousands of rounds, of which the report needs none (tests/cli/simplified.sh). */
#include <pthread.h>
#include <string.h>
typedef struct ring {
    long size;
    volatile long head, tail;
    int *values;
} ring;
static int values[2];
static ring r = {2, 0, 0, values};
static long room(const ring *q) {
    return q->size - (q->head - q->tail);
}
static long regions(ring *q, long wanted, void **place) {
    long count = wanted < room(q) ? wanted : room(q);
    *place = &q->values[q->head % q->size];
    if (count)
        __sync_synchronize();
    return count;
}
static long put(ring *q, const int *value) {
    void *place;
    long count = regions(q, 1, &place);
    memcpy(place, value, (size_t)count * sizeof *value);
    __sync_synchronize();
    q->head = q->head + count;
    return count;
}
static long take(ring *q) {
    long count = q->head - q->tail > 0;
    __sync_synchronize();
    q->tail = q->tail + count;
    return count;
}
static void *producer(void *a) {
    for (int i = 0; i < 3; i++)
        while (!put(&r, &i))
            ;
    return a;
}
static void *consumer(void *a) {
    for (int i = 0; i < 3; i++)
        while (!take(&r))
            ;
    return a;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, consumer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
