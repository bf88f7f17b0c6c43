// bug assertion: a thread that a constructor creates runs beside main
#include <assert.h>
#include <pthread.h>

static _Atomic int x;
static pthread_t thread;

static void *worker(void *unused) {
    x = 1;
    return unused;
}

__attribute__((constructor)) static void begin(void) {
    int created = pthread_create(&thread, NULL, worker, NULL);
    assert(created == 0);
}

int main(void) {
    int seen = x;
    pthread_join(thread, NULL);
    assert(x == 1);
    assert(seen == 0);
    return 0;
}
