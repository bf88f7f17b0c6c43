// A byte in a pipe says that there is work; what it is about lies in memory.
// verified
// BYTE_FIRST: data-race work
// TWO_READERS: deadlock waits for bytes from
#include <pthread.h>
#include <unistd.h>
static int ends[2], work;
static void *worker(void *unused) {
    char byte;
    if (read(ends[0], &byte, 1) == 1) {
        return work == 42 ? unused : &work;
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pipe(ends);
    pthread_create(&threads[0], NULL, worker, NULL);
#ifdef TWO_READERS
    pthread_create(&threads[1], NULL, worker, NULL);
#endif
#ifdef BYTE_FIRST
    write(ends[1], "x", 1);
    work = 42;
#else
    work = 42;
    write(ends[1], "x", 1);
#endif
    pthread_join(threads[0], NULL);
#ifdef TWO_READERS
    pthread_join(threads[1], NULL);
#endif
    close(ends[0]);
    close(ends[1]);
    return 0;
}
