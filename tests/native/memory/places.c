/* Errors outside of the heap. The argument names the case: CASE marks the line that is wrong; case
 * 0 does what is right only just. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int first[4], second[3];
static char odd[5] = "odd", *names[] = {"a", "b"};
int shown = 1;
static const int constant[4] = {1, 2};
static _Thread_local int own[2];
static volatile int sink;
static int *volatile published;

extern char **environ;

#define CASE(number, ...)   \
    if (wanted == number) { \
        __VA_ARGS__;        \
    }

static int *dead(void) {
    int local = 1;
    int *volatile p = &local;
    return p;
}

static int *deeper(int depth) {
    volatile char room[100];
    room[0] = 0;
    return depth ? deeper(depth - 1) : dead();
}

static void *publish(void *unused) {
    (void)unused;
    volatile int local = 1;
    published = (int *)&local;
    return (void *)published;
}

static void *publish_own(void *unused) {
    (void)unused;
    published = &own[1];
    return NULL;
}

/* Nothing of the program: what libc hands out. */
static void libc(void) {
    time_t now = 0;
    struct tm *calendar = localtime(&now);
    calendar->tm_sec = 3;
    optind = 1;
    errno = 0;
    sink = isalpha('a') + toupper('b') + (int)strlen(strerror(ENOENT)) + stdout->_flags;
    sink = setlocale(LC_ALL, "C")[0] + localeconv()->decimal_point[0];
    char *path = getenv("PATH");
    if (path) {
        sink = path[0];
        path[0] = path[0];
    }
    sink = environ[0][0] + (int)strlen(environ[0]);
    int *error = &errno;
    *error = 1;
}

static void right(char **arguments) {
    char local[16], *text = arguments[0];
    first[0] = first[3] = second[2] = shown = own[1] = 1;
    odd[4] = 'x';
    names[1] = names[0];
    memset(local, 0, sizeof local);
    sink = (int)strlen(text) + names[1][1] + constant[3] + "abc"[3];
    text[0] = text[strlen(text)];
}

int main(int argc, char **arguments) {
    int wanted = argc > 1 ? atoi(arguments[1]) : 0;
    pthread_t thread;
    void *result;
    if (wanted == 0 || wanted == 100) {
        (wanted ? libc() : right(arguments));
        return 0;
    }
    CASE(1, *(first + 4) = 1)
    CASE(2, *(second + 3) = 1)
    CASE(3, *(odd + 5) = 'x')
    CASE(4, *(names + 2) = NULL)
    CASE(5, (&shown)[1] = 1)
    CASE(6, sink = *(first - 1))
    CASE(7, memset(first, 0, sizeof first + 1))
    CASE(8, sink = *dead())
    CASE(9, *deeper(3) = 1)
    CASE(10, pthread_create(&thread, 0, publish, 0); pthread_join(thread, &result);
         sink = *(int *)result)
    CASE(11, pthread_create(&thread, 0, publish_own, 0); pthread_join(thread, 0); *published = 1)
    CASE(12, *(int *)&constant[1] = 3)
    CASE(13, strcpy((char *)"abc", "x"))
    CASE(14, *(volatile int *)0 = 1)
    CASE(15, sink = *(volatile int *)8)
    CASE(16, *(char *)&printf = 1)
    CASE(17, memset((char *)&printf, 0, 8))
    CASE(18, *(first + 5) = 1)
    CASE(19, published = (int *)&wanted; published[300] = 1)
    CASE(20, published = (int *)&wanted; sink = published[3000])
    CASE(21, memset(&wanted, 0, 1000))
    return 0;
}
