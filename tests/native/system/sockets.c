/* A server that answers one request of each client, and its clients. EARLY: a client may connect
 * before the server listens. ONE: the server answers one client only. FLAG: what a client does
 * after it has got the answer is not ordered with the server. SHUT: shutdown ends accept. POLLED:
 * accept does not wait. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef TWO
enum { CLIENTS = 2 };
#else
enum { CLIENTS = 1 };
#endif

static struct sockaddr_in address = {.sin_family = AF_INET};
static int listener, data, flag;

static int accept_client(void) {
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    int client = accept(listener, (struct sockaddr *)&from, &size);
    assert(client < 0 || (size == sizeof from && from.sin_family == AF_INET));
    return client;
}

static void serve(void) {
#ifdef ONE
    int count = 1;
#else
    int count = CLIENTS;
#endif
    for (int i = 0; i < count; i++) {
        char request = 0;
        int client = accept_client();
        assert(client >= 0 && recv(client, &request, 1, 0) == 1);
        assert(data == 1);
        request++;
        assert(send(client, &request, 1, MSG_NOSIGNAL) == 1);
#ifdef FLAG
        assert(flag == 0);
#endif
        close(client);
    }
}

static void *call(void *argument) {
    char c = 'a';
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
#ifndef TWO
    data = 1;
#endif
    assert(connect(s, (struct sockaddr *)&address, sizeof address) == 0);
    assert(sendto(s, &c, 1, MSG_NOSIGNAL, NULL, 0) == 1);
    assert(read(s, &c, 1) == 1 && c == 'b');
#ifdef FLAG
    flag = 1;
#endif
    assert(read(s, &c, 1) == 0);
    close(s);
    return argument;
}

static void *listen_forever(void *unused) {
    assert(accept(listener, NULL, NULL) == -1 && errno == EINVAL);
    return unused;
}

static void open_listener(void) {
    int one = 1;
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &size) == 0 && address.sin_port);
#ifndef EARLY
    assert(listen(listener, 5) == 0);
#endif
}

static void by_path(void) {
    struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "/tmp/no-such-socket"};
    assert(unlink(path.sun_path) == -1 && errno == ENOENT);
    int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(client, (struct sockaddr *)&path, sizeof path) == -1 && errno == ENOENT);
    assert(bind(server, (struct sockaddr *)&path, sizeof path) == 0);
    assert(connect(client, (struct sockaddr *)&path, sizeof path) == -1 && errno == ECONNREFUSED);
    assert(listen(server, 1) == 0);
    assert(connect(client, (struct sockaddr *)&path, sizeof path) == 0);
    assert(connect(client, (struct sockaddr *)&path, sizeof path) == -1 && errno == EISCONN);
    close(server);
    char byte;
    assert(read(client, &byte, 1) == 0); /* it was never accepted */
    close(client);
}

int main(void) {
    pthread_t threads[2];
    by_path();
    open_listener();
#ifdef SHUT
    pthread_create(&threads[0], NULL, listen_forever, NULL);
    shutdown(listener, SHUT_RDWR);
    pthread_join(threads[0], NULL);
#elif defined POLLED
    close(listener);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 1);
    assert(accept(listener, NULL, NULL) == -1 && errno == EAGAIN);
    pthread_create(&threads[0], NULL, call, NULL);
    struct pollfd file = {.fd = listener, .events = POLLIN};
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
    serve();
    pthread_join(threads[0], NULL);
#else
#ifdef TWO
    data = 1;
#endif
    for (int i = 0; i < CLIENTS; i++) {
        pthread_create(&threads[i], NULL, call, NULL);
    }
#ifdef EARLY
    listen(listener, 5);
#endif
    serve();
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(threads[i], NULL);
    }
#endif
    close(listener);
    (void)serve, (void)call, (void)listen_forever, (void)flag;
    return 0;
}
