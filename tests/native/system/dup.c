/* Descriptors of one file share its position and flags; a pipe has an end when the last of its
 * writers is closed. OPEN: one is not. EARLY: the data are written after the byte. LARGE: there are
 * more descriptors than heddle has. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
static int ends[2];
static int data;
static void *writer(void *nothing) {
    int copy = dup(ends[1]);
#ifndef EARLY
    data = 1;
#endif
#ifndef OPEN
    assert(close(ends[1]) == 0);
#endif
    assert(write(copy, "x", 1) == 1);
#ifdef EARLY
    data = 1;
#endif
    assert(close(copy) == 0);
    return nothing;
}
int main(void) {
    char byte;
    pthread_t t;
    int file = open("file", O_RDONLY), other = dup(file), third = fcntl(file, F_DUPFD, 20);
    assert(third >= 20 && other != file);
    assert(read(file, &byte, 1) == 1 && byte == '#' && read(other, &byte, 1) == 1 && byte == 'd');
    close(file);
    assert(read(file, &byte, 1) == -1 && errno == EBADF);
    assert(lseek(third, 0, SEEK_CUR) == 2);
    FILE *s = fdopen(third, "r");
    assert(fgetc(s) == 'e' && fileno(s) == third && fclose(s) == 0);
    assert(read(third, &byte, 1) == -1);
    assert(pipe(ends) == 0);
#ifdef LARGE
    assert(dup2(ends[0], 77) == 77);
#endif
    assert(dup2(ends[0], 30) == 30 && dup2(30, 30) == 30 && dup2(99, 30) == -1);
    assert(fcntl(30, F_SETFL, O_NONBLOCK) == 0 && (fcntl(ends[0], F_GETFL) & O_NONBLOCK));
    assert(ioctl(30, FIONBIO, &(int){0}) == 0 && !(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
    close(ends[0]);
    int out = dup(1);
    assert(out > 2 && write(out, "hello\n", 6) == 6 && close(out) == 0);
    pthread_create(&t, NULL, writer, NULL);
    assert(read(30, &byte, 1) == 1);
    assert(data == 1);
    assert(read(30, &byte, 1) == 0); /* the last writer is gone */
    pthread_join(t, NULL);
    return 0;
}
