/* Names of the network: numbers, and localhost. */
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct addrinfo *find(const char *node, const char *service, int flags) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    struct addrinfo *found;
    assert(getaddrinfo(node, service, &hints, &found) == 0 && !found->ai_next);
    return found;
}

static void *connect_to(void *unused) {
    struct addrinfo *a = find("localhost", "4711", 0);
    int client = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    assert(connect(client, a->ai_addr, a->ai_addrlen) == 0);
    assert(write(client, "x", 1) == 1);
    close(client);
#ifndef LEAK
    freeaddrinfo(a);
#endif
    return unused;
}

int main(void) {
    struct addrinfo *a = find(NULL, "4711", AI_PASSIVE);
    char node[64], service[16], byte;
    pthread_t thread;
    int server = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    assert(bind(server, a->ai_addr, a->ai_addrlen) == 0 && listen(server, 1) == 0);
    pthread_create(&thread, NULL, connect_to, NULL);
    int accepted = accept(server, NULL, NULL);
    assert(read(accepted, &byte, 1) == 1);
    pthread_join(thread, NULL);
    freeaddrinfo(a);
    a = find("127.0.0.1", "80", AI_NUMERICHOST);
    assert(getnameinfo(a->ai_addr, a->ai_addrlen, node, sizeof node, service, sizeof service,
                       NI_NUMERICHOST | NI_NUMERICSERV) == 0);
    assert(strcmp(node, "127.0.0.1") == 0 && strcmp(service, "80") == 0);
    freeaddrinfo(a);
    assert(getaddrinfo("no number", NULL, &(struct addrinfo){.ai_flags = AI_NUMERICHOST}, &a) ==
           EAI_NONAME);
    assert(getaddrinfo("localhost", NULL, &(struct addrinfo){.ai_flags = AI_NUMERICHOST}, &a) ==
           EAI_NONAME);
#ifdef FAR
    find("example.org", "80", 0);
#endif
    return 0;
}
