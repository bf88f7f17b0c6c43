/* SV-COMP's circular buffer: a producer and a consumer, N rounds each. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
enum { SIZE = 10 };

static int buffer[SIZE], first, next, size;
static int send = 1, receive, value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void insert(int element) {
    buffer[next] = element;
    next = (next + 1) % SIZE;
    size++;
}

static int take(void) {
    int element = buffer[first];
    first = (first + 1) % SIZE;
    size--;
    return element;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (send) {
            insert(i);
            value = i;
            send = 0;
            receive = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (receive) {
            assert(take() == value);
            receive = 0;
            send = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_create(&thread, NULL, consumer, NULL);
    return 0;
}
