/* A function that is called in every round looks at variables on the stack of another thread. */
#include "spin.h"

struct ring {
    volatile long reader, writer;
};

static int is_empty(const struct ring *r) {
    return r->reader == r->writer;
}

static void *read_all(void *argument) {
    struct ring *r = argument;
    for (int i = 0; i < N; i++) {
        while (is_empty(r)) {
            PAUSE();
        }
        r->reader = r->reader + 1;
    }
    return NULL;
}

int main(void) {
    struct ring r = {0};
    pthread_t reader;
    pthread_create(&reader, NULL, read_all, &r);
    for (int i = 0; i < N; i++) {
        r.writer = r.writer + 1;
    }
    pthread_join(reader, NULL);
    assert(is_empty(&r));
}
