// Records go through a pipe until the writer closes its end.
// verified
// END_KEPT_OPEN: deadlock waits for bytes from
// READER_GONE: crash SIGPIPE
// SHORT_READ: assertion length == sizeof record
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *writer(void *unused) {
    for (int i = 1; i <= 2; i++) {
        int record[2] = {i, i * i};
#ifdef SHORT_READ
        write(ends[1], &record[0], sizeof record[0]);
        write(ends[1], &record[1], sizeof record[1]);
#else
        write(ends[1], record, sizeof record);
#endif
    }
#ifndef END_KEPT_OPEN
    close(ends[1]);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    int record[2], sum = 0;
    ssize_t length;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    while ((length = read(ends[0], record, sizeof record)) > 0) {
        assert(length == sizeof record);
        sum += record[1];
#ifdef READER_GONE
        close(ends[0]);
        break;
#endif
    }
    pthread_join(thread, NULL);
    return sum != 5;
}
