/* Errors of one thread in the heap. The argument names the case: CASE marks the line that is
 * wrong; case 0 does what is right only just. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct wide {
    char bytes[200];
};

static int variable[4];
static const int constant[4] = {1, 2};
static volatile int sink;

#define CASE(number, ...)   \
    if (wanted == number) { \
        __VA_ARGS__;        \
    }

static void right(char *p, char *q) {
    char *r = malloc(100000);
    p[0] = p[12] = q[0] = q[23] = r[0] = r[99999] = 1;
    *(long *)p = 1;
    memset(p, 'x', 13);
    p[12] = '\0';
    sink = (int)strlen(p);
    q = realloc(q, 4001);
    sink = q[23] + q[4000];
    q = realloc(q, 5);
    strcpy(q, "abcd");
    snprintf(p, 13, "%s", "more than thirteen bytes");
    sprintf(p, "%012d", 7);
    r = realloc(r, 200000);
    memset(r, 0, 200000);
    memcpy(r, p, 13);
    char *aligned = aligned_alloc(128, 130), *copy = strdup("abc"), *text;
    aligned[129] = copy[3] = 0;
    sink = asprintf(&text, "%d", 12);
    sink = text[2];
    atomic_fetch_add((atomic_int *)(q + 0), 1);
    free(text);
    free(copy);
    free(aligned);
    free(malloc(0));
    free(NULL);
    free(p);
    free(q);
    free(r);
}

int main(int argc, char **arguments) {
    int wanted = argc > 1 ? atoi(arguments[1]) : 0;
    char *p = malloc(13), *q = calloc(3, 8), local[16], *r;
    struct wide whole;
    memset(&whole, 0, sizeof whole);
    memset(local, 0, sizeof local);
    if (!wanted) {
        right(p, q);
        return 0;
    }
    memset(p, 'x', 13);
    CASE(1, p[13] = 1)
    CASE(2, free(p); sink = p[0])
    CASE(3, free(p); p[12] = 1)
    CASE(4, free(p); free(p))
    CASE(5, free(p + 1))
    CASE(6, free(local))
    CASE(7, free(variable))
    CASE(8, free((void *)constant))
    CASE(9, p[-1] = 1)
    CASE(10, memset(p, 0, 14))
    CASE(11, memcpy(local, p, 14))
    CASE(12, sink = (int)strlen(p))
    CASE(13, q[24] = 1)
    CASE(14, p = realloc(p, 20); p[20] = 1)
    CASE(15, r = p; p = realloc(p, 20); r[0] = 1)
    CASE(16, p = aligned_alloc(64, 70); p[70] = 2)
    CASE(17, p = strdup("abc"); p[4] = 1)
    CASE(18, free(p); atomic_fetch_add((atomic_int *)p, 1))
    CASE(19, free(p); sink = atomic_load((atomic_int *)p))
    CASE(20, free(p); int e = 0; atomic_compare_exchange_strong((atomic_int *)p, &e, 1))
    CASE(21, r = malloc(40); pthread_mutex_init((void *)r, 0); free(r);
         pthread_mutex_lock((void *)r))
    CASE(22, p = malloc(100000); p[100000] = 1)
    CASE(23, p = malloc(100000); p[99999] = 1; free(p); p[50000] = 1)
    CASE(24, free(p); printf("%s", p))
    CASE(25, sprintf(p, "%s", "1234567890abc"))
    CASE(26, p = malloc(0); *p = 1)
    CASE(27, sink = *(int *)(p + 2000))
    CASE(28, *(long *)(p + 8) = 1)
    CASE(29, r = malloc(199); *(struct wide *)r = whole)
    CASE(30, r = malloc(200); free(r); whole = *(struct wide *)r)
    CASE(31, r = (char *)wcscpy(malloc(16), L"abcd"))
    CASE(32, p = realloc(p, 20); p = realloc(p, 0); p = realloc(q + 8, 4))
    CASE(33, p = malloc(300000); free(p); free(p))
    CASE(34, p = malloc(300000); memset(p, 1, 300001))
    CASE(35, sink = memcmp(q, q + 8, 17))
    CASE(36, r = malloc(7); fwrite(r, 1, 8, stdout))
    CASE(37, r = calloc(2, 1); puts(r); r[1] = r[0] = 'x'; puts(r))
    return 0;
}
