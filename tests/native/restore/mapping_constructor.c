// bug crash: what a constructor has protected is so in every execution
// options: -D_GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static char *area;
static _Atomic int wanted;

__attribute__((constructor)) static void reserve(void) {
    area = mmap(NULL, 8 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(area + 6 * 4096, 2 * 4096);
    mprotect(area, 4096, PROT_READ | PROT_WRITE);
}

static void *worker(void *unused) {
    area[wanted * 4096] = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    wanted = 1;
    pthread_join(t, NULL);
    return 0;
}
