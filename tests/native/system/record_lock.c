/* fcntl's record locks are those of the process: they keep no threads apart. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file, counter;

static void *count(void *unused) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    assert(fcntl(file, F_SETLKW, &lock) == 0);
#ifdef RIGHT
    pthread_mutex_lock(&mutex);
#endif
    counter++;
#ifdef RIGHT
    pthread_mutex_unlock(&mutex);
#endif
    lock.l_type = F_UNLCK;
    assert(fcntl(file, F_SETLK, &lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    file = open("file", O_RDONLY);
    assert(fcntl(file, F_SETLK, &lock) == -1 && errno == EBADF);
    assert(fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    (void)mutex;
    return 0;
}
