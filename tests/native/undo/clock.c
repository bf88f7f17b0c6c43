/* Times are carried along the order of reads and writes: going back takes them back as well. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int mail;
static atomic_long sent;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *sender(void *argument) {
    sleep((unsigned)(long)argument);
    sent = now();
    mail = 1;
    return NULL;
}

static void *receiver(void *unused) {
    (void)unused;
    if (mail) {
        long time = sent;
        assert(now() > time);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, sender, (void *)1L);
    pthread_create(&threads[1], NULL, sender, (void *)2L);
    pthread_create(&threads[2], NULL, receiver, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
