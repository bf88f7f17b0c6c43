/* What libc keeps for a thread is the thread's own (OWN); what it keeps for all of them is seen in
 * every order (DOMAIN, CONCURRENCY: the other thread may come first), and races where POSIX does
 * not protect it (TEXT). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <libintl.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void *other(void *unused) {
#if defined OWN
    struct in_addr address = {.s_addr = htonl(0x01020304)};
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    assert(strcmp(inet_ntoa(address), "1.2.3.4") == 0);
    assert(setpriority(PRIO_PROCESS, 0, 5) == 0 && getpriority(PRIO_PROCESS, 0) == 5);
#elif defined DOMAIN
    textdomain("other");
#elif defined CONCURRENCY
    pthread_setconcurrency(3);
#else
    l64a(5);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
#if defined OWN
    struct in_addr address = {.s_addr = htonl(0x05060708)};
    const char *text = inet_ntoa(address);
    assert(nice(3) == 3 && nice(30) == 19);
#elif defined DOMAIN
    assert(strcmp(textdomain(NULL), "messages") == 0);
#elif defined CONCURRENCY
    assert(pthread_getconcurrency() == 0);
#else
    assert(strcmp(l64a(7), "7") != 0);
#endif
    pthread_join(thread, NULL);
#if defined OWN
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE && getpriority(PRIO_PROCESS, 0) == 19);
    assert(strcmp(text, "5.6.7.8") == 0);
#endif
    return 0;
}
