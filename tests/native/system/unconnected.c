/* Sockets that are not connected, or that listen, fail at once. PIPE: a write to one kills the
 * program. SEEK: a socket is no file. */
#include <assert.h>
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static void fails_with(long result, int error) {
    assert(result == -1 && errno == error);
}

int main(void) {
    int local = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
    int listener = socket(AF_INET, SOCK_STREAM, 0), event = eventfd(0, 0), pair[2];
    char byte;
    assert(listen(listener, 1) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
#ifdef PIPE
    write(other, "x", 1);
#elif defined SEEK
    pread(other, &byte, 1, 0);
#endif
    fails_with(read(other, &byte, 1), ENOTCONN);
    fails_with(recv(other, &byte, 1, 0), ENOTCONN);
    fails_with(read(local, &byte, 1), EINVAL);
    fails_with(send(other, "x", 1, MSG_NOSIGNAL), EPIPE);
    fails_with(send(local, "x", 1, MSG_NOSIGNAL), ENOTCONN);
    fails_with(read(listener, &byte, 1), ENOTCONN);
    fails_with(accept(other, NULL, NULL), EINVAL);
    fails_with(accept(pair[0], NULL, NULL), EINVAL);
    fails_with(shutdown(other, SHUT_RDWR), ENOTCONN);
    fails_with(shutdown(pair[0], 3), EINVAL);
    fails_with(read(event, &byte, 1), EINVAL);
    return 0;
}
