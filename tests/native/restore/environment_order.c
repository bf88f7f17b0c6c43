// bug assertion: another thread may look at the environment before it is changed
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    assert(getenv("HEDDLE_TEST_NAME"));
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    setenv("HEDDLE_TEST_NAME", "one", 1);
    pthread_join(t, NULL);
    return 0;
}
