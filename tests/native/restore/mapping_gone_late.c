// bug use-after-free: without the race check, the order in which the part is gone occurs
// options: -D_GNU_SOURCE --no-race-check
#include <pthread.h>
#include <sys/mman.h>

static char *area;

static void *worker(void *unused) {
    munmap(area + 4096, 4096);
    return unused;
}

int main(void) {
    pthread_t t;
    area = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, worker, NULL);
    area[4096] = 1;
    pthread_join(t, NULL);
    return 0;
}
