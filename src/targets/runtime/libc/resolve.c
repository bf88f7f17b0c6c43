#define _GNU_SOURCE
/* <netdb.h>: addresses and ports as numbers, and localhost. Nobody else can be reached (sockets.c),
 * so other names are unsupported. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

/* One block of the program's heap for each address, which freeaddrinfo frees. */
typedef struct resolved {
    struct addrinfo info; /* first */
    struct sockaddr_storage address;
    char name[INET6_ADDRSTRLEN]; /* of AI_CANONNAME */
} resolved;

enum { MOST_RESOLVED = 16 }; /* two families with three kinds of sockets, and room */

static const char *number_of(const char *node, const struct addrinfo *hints) {
    bool local = node && !(hints->ai_flags & AI_NUMERICHOST) && strcmp(node, "localhost") == 0;
    return !local ? node : hints->ai_family == AF_INET6 ? "::1" : "127.0.0.1";
}

/* What libc says of numbers, which it finds without asking anybody. */
static int resolve(const char *node, const char *service, const struct addrinfo *hints,
                   resolved *found, uint32_t *count) {
    struct addrinfo *list, own = *hints;
    own.ai_flags = (own.ai_flags & ~AI_ADDRCONFIG) | AI_NUMERICHOST | AI_NUMERICSERV;
    int error = getaddrinfo(number_of(node, hints), service, &own, &list);
    if (error) {
        return error;
    }
    for (const struct addrinfo *a = list; a && *count < MOST_RESOLVED; a = a->ai_next) {
        resolved *r = &found[(*count)++];
        *r = (resolved){.info = *a};
        CHECK(a->ai_addrlen <= sizeof r->address);
        memcpy(&r->address, a->ai_addr, a->ai_addrlen);
        strncpy(r->name, a->ai_canonname ? a->ai_canonname : "", sizeof r->name - 1);
    }
    CHECK(*count && *count <= MOST_RESOLVED);
    freeaddrinfo(list);
    return 0;
}

/* From the last one on. NULL: no memory. */
static struct addrinfo *give(const resolved *found, uint32_t count, const void *here) {
    struct addrinfo *next = NULL;
    for (uint32_t i = count; i-- > 0;) {
        resolved *r = heap_allocate(sizeof *r, here);
        if (!r) {
            return NULL;
        }
        writes(r, sizeof *r, here);
        *r = found[i];
        r->info.ai_addr = (struct sockaddr *)&r->address;
        r->info.ai_canonname = found[i].info.ai_canonname ? r->name : NULL;
        r->info.ai_next = next;
        next = &r->info;
    }
    return next;
}

/* Somebody would have to be asked. */
static bool needs_others(const char *node, const char *service, int flags) {
    unsigned char address[sizeof(struct in6_addr)];
    bool numbers =
        !node || inet_pton(AF_INET, node, address) == 1 || inet_pton(AF_INET6, node, address) == 1;
    bool port = !service || !service[strspn(service, "0123456789")];
    return (!numbers && !(flags & AI_NUMERICHOST)) || (!port && !(flags & AI_NUMERICSERV));
}

int heddle_getaddrinfo(const char *node, const char *service, const void *hints, void *result) {
    resolved found[MOST_RESOLVED];
    uint32_t count = 0;
    struct addrinfo own = {0};
    if (node) {
        reads_string(node, HERE);
    }
    if (service) {
        reads_string(service, HERE);
    }
    if (hints) {
        reads(hints, sizeof own, HERE);
        own = *(const struct addrinfo *)hints;
    }
    int error = resolve(node, service, &own, found, &count);
    if (error == EAI_NONAME && needs_others(node, service, own.ai_flags)) {
        heddle_unsupported(
            "getaddrinfo of a name other than localhost, or of a service by its name", HERE);
    }
    struct addrinfo *list = error ? NULL : give(found, count, HERE);
    if (error || !list) {
        return error ? error : EAI_MEMORY;
    }
    writes(result, sizeof list, HERE);
    memcpy(result, &list, sizeof list);
    return 0;
}

void heddle_freeaddrinfo(void *first) {
    struct addrinfo *list = first;
    while (list) {
        reads(&list->ai_next, sizeof list->ai_next, HERE);
        struct addrinfo *next = list->ai_next;
        heap_free(list, HERE);
        list = next;
    }
}

int heddle_getnameinfo(const void *address, socklen_t length, char *node, socklen_t size,
                       char *service, socklen_t service_size, int flags) {
    char own_node[NI_MAXHOST] = "", own_service[NI_MAXSERV] = "";
    if ((node && !(flags & NI_NUMERICHOST)) || (service && !(flags & NI_NUMERICSERV))) {
        heddle_unsupported("getnameinfo without NI_NUMERICHOST and NI_NUMERICSERV", HERE);
    }
    reads(address, length, HERE);
    int error = getnameinfo(address, length, own_node, node ? size : 0, own_service,
                            service ? service_size : 0, flags | NI_NUMERICHOST | NI_NUMERICSERV);
    if (!error && node && size) {
        writes(node, strlen(own_node) + 1, HERE);
        strcpy(node, own_node);
    }
    if (!error && service && service_size) {
        writes(service, strlen(own_service) + 1, HERE);
        strcpy(service, own_service);
    }
    return error;
}
