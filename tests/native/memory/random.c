/* Blocks of random sizes: accesses of all sizes that stay inside just so, then one that does not.
 * The arguments are a seed and which: 0 none, 1 read past the end or write after free, 2 write
 * before or free twice, 3 memset beyond the end or after free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t s;
static unsigned rnd(unsigned n) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (unsigned)(s % n);
}
enum { N = 40 };
static unsigned char *p[N];
static size_t size[N];
static int live[N];
static volatile unsigned char sink;
static void touch(unsigned char *q, size_t n, int how) {
    switch (how % 6) {
        case 0:
            sink = q[0];
            sink = q[n - 1];
            break;
        case 1: memset(q, 1, n); break;
        case 2:
            if (n >= 8) {
                *(uint64_t *)q = 1;
                *(volatile uint64_t *)(q + n - 8);
            }
            break;
        case 3:
            if (n >= 4) {
                *(uint32_t *)(q + n - 4) = 2;
            }
            break;
        case 4: sink = memchr(q, 'x', n) != 0; break;
        case 5:
            if (n >= 2)
                *(uint16_t *)(q + n - 2) = 1;
            break;
    }
}
static size_t pick(void) {
    switch (rnd(8)) {
        case 0: return rnd(16) + 1;
        case 1: return rnd(64) + 1;
        case 2: return rnd(300) + 1;
        case 3: return rnd(2000) + 1;
        case 4: return 4090 + rnd(12);
        case 5: return 4000 + rnd(9000);
        case 6: return 131060 + rnd(30);
        default: return rnd(300000) + 1;
    }
}
int main(int argc, char **argv) {
    s = strtoull(argv[1], 0, 10) * 0x9e3779b97f4a7c15u + 1;
    int bad = atoi(argv[2]);
    for (int step = 0; step < 60; step++) {
        int i = rnd(N);
        if (!live[i]) {
            size[i] = pick();
            switch (rnd(4)) {
                case 0: p[i] = calloc(1, size[i]); break;
                case 1: p[i] = aligned_alloc(64, size[i]); break;
                case 2: p[i] = realloc(NULL, size[i]); break;
                default: p[i] = malloc(size[i]);
            }
            live[i] = 1;
            touch(p[i], size[i], 1);
        } else
            switch (rnd(3)) {
                case 0:
                    free(p[i]);
                    live[i] = 0;
                    break;
                case 1:
                    size[i] = pick();
                    p[i] = realloc(p[i], size[i]);
                    memset(p[i], 3, size[i]);
                    break;
                default: touch(p[i], size[i], rnd(6));
            }
    }
    int i;
    do
        i = rnd(N);
    while (!p[i]);
    if (bad == 1) {
        if (live[i]) {
            sink = p[i][size[i] + rnd(8)];
        } else
            p[i][rnd(size[i])] = 1;
    }
    if (bad == 2) {
        if (live[i])
            p[i][-1 - (int)rnd(16)] = 1;
        else
            free(p[i]);
    }
    if (bad == 3) {
        if (live[i])
            memset(p[i], 0, size[i] + 1 + rnd(20));
        else
            memset(p[i], 0, size[i]);
    }
    for (i = 0; i < N; i++)
        if (live[i])
            free(p[i]);
    return 0;
}
