// bug assertion: sleeping promises nothing about other threads
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static _Atomic int done;

static void *worker(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sleep(1);
    assert(done);
    pthread_join(t, NULL);
    return 0;
}
