/* A producer sends numbers through a pipe, the consumer adds them up until the end of the file.
 * OPEN: the producer forgets to close its end. SPLIT: two writes make one record, and there are two
 * producers. CLOSED: the consumer closes its end early. SMALL: the pipe is full. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

struct record {
    int first, second;
};

static int ends[2];

static void *produce(void *unused) {
    struct record r = {1, 1};
#ifdef SPLIT
    write(ends[1], &r.first, sizeof r.first);
    r.second = 2;
    write(ends[1], &r.second, sizeof r.second);
#else
    write(ends[1], &r, sizeof r);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    struct record r;
    int sum = 0;
    pipe(ends);
#ifdef SMALL
    static char page[4096];
    assert(fcntl(ends[0], F_GETPIPE_SZ) == 65536);
    assert(fcntl(ends[1], F_SETPIPE_SZ, 100) == sizeof page);
    assert(write(ends[1], page, sizeof page) == sizeof page);
#endif
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, produce, NULL);
    }
#ifdef CLOSED
    close(ends[0]);
#endif
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
#ifndef OPEN
    close(ends[1]);
#endif
    while (read(ends[0], &r, sizeof r) == sizeof r) {
#ifdef SPLIT
        assert(r.second == 2);
#endif
        sum += r.first;
    }
    assert(sum == 2);
    return 0;
}
