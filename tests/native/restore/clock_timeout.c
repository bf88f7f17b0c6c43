// verified: a wait that times out has lasted until its time
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    struct timespec end, now;
    pthread_create(&t, NULL, signaller, NULL);
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 5;
    pthread_mutex_lock(&mutex);
    while (!ready) {
        if (pthread_cond_timedwait(&condition, &mutex, &end) == ETIMEDOUT) {
            clock_gettime(CLOCK_REALTIME, &now);
            assert(now.tv_sec >= end.tv_sec);
            break;
        }
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
