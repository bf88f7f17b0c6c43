// verified: anonymous mappings hold zeroes in every execution
// options: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static _Atomic int *shared;

static void *worker(void *unused) {
    (*shared)++;
    return unused;
}

int main(void) {
    pthread_t t;
    shared = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED && (unsigned long)shared % 4096 == 0);
    char *large = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(*shared == 0 && large[1 << 19] == 0);
    large[1 << 19] = 1;
    pthread_create(&t, NULL, worker, NULL);
    (*shared)++;
    pthread_join(t, NULL);
    assert(*shared == 2);
    assert(munmap((void *)shared, 5000) == 0 && munmap(large, 1 << 20) == 0);
    return 0;
}
