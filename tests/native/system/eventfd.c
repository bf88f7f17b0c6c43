/* Two workers announce results by an eventfd, main waits for it with poll. FLAG: one of them writes
 * its result after the announcement. SHORT: main waits for one of them only. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int done, results[2];

static void *work(void *number) {
    int *result = number;
    uint64_t one = 1;
#ifndef FLAG
    *result = 1;
#endif
    write(done, &one, sizeof one);
#ifdef FLAG
    *result = 1;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    uint64_t seen = 0, count;
    done = eventfd(0, EFD_NONBLOCK);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, &results[i]);
    }
#ifdef SHORT
    while (seen < 1) {
#else
    while (seen < 2) {
#endif
        struct pollfd waits = {.fd = done, .events = POLLIN};
        assert(poll(&waits, 1, -1) == 1);
        assert(read(done, &count, sizeof count) == sizeof count);
        seen += count;
    }
    assert(results[0] + results[1] == 2);
    close(done);
    return 0;
}
