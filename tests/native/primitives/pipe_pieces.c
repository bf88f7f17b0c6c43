// A head and its body go through a pipe in one writev: no other record comes in between.
// verified
// TWO_WRITES: assertion head.tag == body
// EMPTY_LIST: assertion written
#include <assert.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>
struct head {
    int tag, size;
};
static int ends[2];
static void *writer(void *tag) {
    int body = (int)(long)tag;
    struct head head = {body, sizeof body};
    struct iovec pieces[] = {{&head, sizeof head}, {NULL, 0}, {&body, sizeof body}};
#if defined(TWO_WRITES)
    writev(ends[1], pieces, 1);
    writev(ends[1], pieces + 2, 1);
#elif defined(EMPTY_LIST)
    ssize_t written = writev(ends[1], pieces, -1);
    assert(written > 0);
#else
    ssize_t written = writev(ends[1], pieces, 3);
    assert(written == sizeof head + sizeof body);
#endif
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    pipe(ends);
    for (long i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
    }
    for (int i = 0; i < 2; i++) {
        struct head head = {0, 0};
        int body = 0;
        struct iovec pieces[] = {{&head.tag, sizeof head.tag}, {&head.size, sizeof head.size}, {&body, sizeof body}};
        size_t length = (size_t)readv(ends[0], pieces, 3);
#ifdef TWO_WRITES
        for (ssize_t more; length < sizeof head + sizeof body; length += (size_t)more) {
            more = read(ends[0], (char *)&body + (length - sizeof head), sizeof head + sizeof body - length);
        }
#endif
        assert(length == sizeof head + sizeof body && head.size == sizeof body);
        assert(head.tag == body);
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
