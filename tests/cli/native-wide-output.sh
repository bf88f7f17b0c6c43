#!/bin/bash
# Output of wide characters is silent; what it reads is looked at. Limits of the process are refused.
. "$(dirname "$0")/../library.sh"

cat > wide.c << 'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <wchar.h>
static void *t(void *u) {
    wprintf(L"%d %ls %s\n", 1, L"x", "y");
    return u;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, t, 0);
    fwide(stderr, 1);
    fwprintf(stderr, L"%c", 'x');
    fputws(L"x", stdout);
    putwchar(L'x');
    pthread_join(other, 0);
    jmp_buf place;
    if (!_setjmp(place)) _longjmp(place, 1);
#ifdef FREED
    char *name = calloc(4, 1);
    free(name);
    wprintf(L"%s", name);
#elif defined LIMIT
    struct rlimit limit = {1, 1};
    setrlimit(RLIMIT_AS, &limit);
#elif defined OTHER_LIMIT
    struct rlimit limit = {1, 1};
    prlimit(0, RLIMIT_AS, &limit, 0);
#endif
    return 0;
}
EOF
expect 0 "$heddle" check wide.c
expect 1 "$heddle" check -DFREED wide.c
says out 'use after free'
expect 2 "$heddle" check -DLIMIT wide.c
says err 'unsupported: setrlimit at'
expect 2 "$heddle" check -DOTHER_LIMIT wide.c
says err 'unsupported: prlimit at'
