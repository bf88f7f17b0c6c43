// bug data-race: mapped memory is shared like any other
// options: -D_GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *worker(void *unused) {
    (*shared)++;
    return unused;
}

int main(void) {
    pthread_t t;
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, worker, NULL);
    (*shared)++;
    pthread_join(t, NULL);
    return 0;
}
