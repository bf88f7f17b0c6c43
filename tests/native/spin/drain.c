/* Reads a pipe that does not block until it has got two bytes. A failed read leaves errno, so that
 * one of them, before the first byte or the second, is no void round. With FAILS each round leaves
 * another errno first, and a failed read, with what follows, is one. With ENDS the stream ends before
 * the second byte, and the reader reads its end forever. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "spin.h"

static int ends[2];

static void *reader(void *argument) {
    char byte;
    for (int got = 0; got < 2;) {
#ifdef FAILS
        struct epoll_event event;
        epoll_wait(0, &event, 1, -1);
#endif
        while (read(ends[0], &byte, 1) == 1) {
            got++;
        }
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pipe2(ends, O_NONBLOCK);
    pthread_create(&thread, NULL, reader, NULL);
    write(ends[1], "a", 1);
#ifdef ENDS
    close(ends[1]);
#else
    write(ends[1], "b", 1);
#endif
    pthread_join(thread, NULL);
    return 0;
}
