// verified: parts of a mapping are unmapped, protected and given back, while others are in use
// options: -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, SIZE = 16 * PAGE };

static char *area;

/* As allocators do: more than is needed, without its ends. */
static char *aligned(void) {
    char *all = mmap(NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(all != MAP_FAILED);
    char *start = (char *)(((uintptr_t)all + SIZE - 1) & ~(uintptr_t)(SIZE - 1));
    if (start > all) {
        assert(munmap(all, (size_t)(start - all)) == 0);
    }
    assert(munmap(start + SIZE, (size_t)(all + SIZE - start)) == 0);
    assert(mprotect(start + SIZE, PAGE, PROT_READ) == -1 && errno == ENOMEM);
    assert(mprotect(start, 4 * PAGE, PROT_READ | PROT_WRITE) == 0);
    return start;
}

static void *worker(void *unused) {
    area[PAGE]++;
    assert(mprotect(area + PAGE, PAGE, PROT_READ) == 0);
    assert(area[PAGE] == 1);
    assert(mprotect(area + PAGE, PAGE, PROT_READ | PROT_WRITE) == 0);
    area[PAGE]++;
    return unused;
}

int main(void) {
    pthread_t t;
    area = aligned();
    assert(area[0] == 0 && area[PAGE] == 0);
    pthread_create(&t, NULL, worker, NULL);
    area[0] = 1;
    assert(munmap(area + 2 * PAGE, PAGE) == 0);
    assert(madvise(area, PAGE, MADV_DONTNEED) == 0 && area[0] == 0);
    pthread_join(t, NULL);
    assert(area[PAGE] == 2);
    assert(mmap(area, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) == area);
    assert(area[PAGE] == 0);
    area[PAGE] = 7;
    assert(munmap(area, 2 * PAGE) == 0 && munmap(area + 3 * PAGE, SIZE - 3 * PAGE) == 0);
    return 0;
}
