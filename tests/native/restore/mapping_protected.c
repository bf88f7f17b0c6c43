// bug crash: a write to what was made readable, of one page
// options: -D_GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static _Atomic(int *) area;

static void *worker(void *unused) {
    int *p = area;
    if (p) {
        *p = 1;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, worker, NULL);
    *p = 2;
    mprotect(p, 4096, PROT_READ);
    area = p;
    pthread_join(t, NULL);
    return *p - 2;
}
