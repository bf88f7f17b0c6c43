// verified: who learns of a time never sees an earlier one
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec stamp;
static _Atomic long flag;

static long long look(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void *producer(void *unused) {
    look();
    look();
    struct timespec pause = {.tv_nsec = 1000};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&mutex);
    clock_gettime(CLOCK_REALTIME, &stamp);
    pthread_mutex_unlock(&mutex);
    flag = look();
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    if (stamp.tv_sec) {
        assert(look() > stamp.tv_sec * 1000000000ll + stamp.tv_nsec);
    }
    pthread_mutex_unlock(&mutex);
    long seen = flag;
    assert(look() > seen);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(look() > flag);
    return 0;
}
