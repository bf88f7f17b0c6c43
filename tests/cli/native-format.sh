#!/bin/bash
# What functions of the printf family read and write through their arguments: arguments by position,
# wide strings, precisions, and %n of every length.
. "$(dirname "$0")/../library.sh"

cat > format.c << 'EOF'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
int main(void) {
    char text[80];
    char *name = strdup("abc");
    wchar_t *wide = malloc(4 * sizeof *wide);
    signed char *one = malloc(1);
    short *two = malloc(2);
    long *eight = malloc(8);
    char *open = malloc(3);
    memcpy(open, "xyz", 3); /* no end */
    wcscpy(wide, L"abc");
    snprintf(text, sizeof text, "abc%hhn%hn%ln", one, two, eight);
    assert(*one == 3 && *two == 3 && *eight == 3);
    snprintf(text, sizeof text, "%ls %S %lc %m %% %c", wide, wide, (wint_t)L'x', 'y');
    snprintf(text, sizeof text, "%3$*1$.*2$f", 6, 2, 1.5);
    snprintf(text, sizeof text, "%.3s %.*s", open, 3, open);
    snprintf(text, sizeof text, "%Lf %lld %zu %s", 1.0L, 1ll, (size_t)1, name);
    assert(!strcmp(text, "1.000000 1 1 abc"));
#ifdef POSITION
    free(name);
    snprintf(text, sizeof text, "%2$d %1$s", name, 5);
#elif defined WIDE
    wide[3] = L'd'; /* no end */
    snprintf(text, sizeof text, "%ls", wide);
#elif defined WRITTEN
    snprintf(text, sizeof text, "%n", (int *)two);
#elif defined LAST
    free(name);
    snprintf(text, sizeof text, "%*d %.*f %Lf %c %s", 3, 4, 2, 1.5, 1.0L, 'c', name);
#endif
    return 0;
}
EOF
expect 0 "$heddle" check --leaks=ignore format.c
expect 1 "$heddle" check -DPOSITION --leaks=ignore format.c
says out 'use after free: read of 4 bytes'
expect 1 "$heddle" check -DWIDE --leaks=ignore format.c
says out 'out of bounds: read'
expect 1 "$heddle" check -DWRITTEN --leaks=ignore format.c
says out 'out of bounds: write of 4 bytes'
expect 1 "$heddle" check -DLAST --leaks=ignore format.c
says out 'use after free'

# A format with several strings is made piece by piece: as libc makes it.
cat > pieces.c << 'EOF'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static char whole[2000], piece[2000], wanted[2100];
#define SAME(form, ...)                                                                  \
    do {                                                                                 \
        int length = snprintf(piece, sizeof piece, form __VA_OPT__(, ) __VA_ARGS__);     \
        snprintf(wanted, sizeof wanted, "<%s>", piece);                                  \
        int all = snprintf(whole, sizeof whole, "%s" form "%s", "<" __VA_OPT__(, ) __VA_ARGS__, ">"); \
        assert(all == length + 2 && strcmp(whole, wanted) == 0);                         \
    } while (0)
int main(void) {
    int count = 0;
    signed char small = 0;
    SAME("");
    SAME("%d", -42);
    SAME("%5d%-5d%05d%+d% d", 1, 2, 3, 4, 5);
    SAME("%x %#X %#o %u", -1, 255, 8, -1);
    SAME("%hhd %hd %ld %lld %qd", 300, 70000, -5L, 1LL << 40, -1LL);
    SAME("%zu %jd %td %" PRIu64, sizeof count, (intmax_t)-7, (ptrdiff_t)9, UINT64_MAX);
    SAME("%c%3c%lc", 'a', 'b', (wint_t)'c');
    SAME("%f %.3f %10.2e %-9g| %a %G", 1.5, 2.0 / 3, 12345.678, 0.1, 1.0, 1e30);
    SAME("%Lf %.2Le %La", 1.25L, 6.02e23L, 1.0L);
    SAME("%p %p", (void *)0x1234, NULL);
    SAME("%%%d%%", 5);
    SAME("%*d|%-*d|%.*f|%*.*s|", 6, 1, -6, 2, 2, 3.14159, 5, 2, "abc");
    SAME("%*d", -4, 7);
    SAME("%.*s|%.3s|%.0s|%s", -1, "whole", "abcdef", "x", (char *)NULL);
    SAME("%ls|%.2ls|%S", L"wide", L"cut", L"also");
    SAME("%'d %Id", 1234567, 12);
    errno = ENOENT;
    SAME("%m|%20m");
    assert(snprintf(whole, sizeof whole, "%3$s %1$d %2$s", 7, "two", "three") == 11);
    assert(strcmp(whole, "three 7 two") == 0);
    assert(snprintf(whole, sizeof whole, "%2$*1$d|%3$s%3$s", 4, 7, "s") == 7);
    assert(strcmp(whole, "   7|ss") == 0);
    assert(snprintf(whole, sizeof whole, "%s%n%s%hhn", "ab", &count, "cde", &small) == 5);
    assert(count == 2 && small == 5);
    assert(snprintf(whole, 4, "%s%s", "ab", "cde") == 5 && strcmp(whole, "abc") == 0);
    assert(snprintf(NULL, 0, "%s%s", "ab", "cde") == 5);
    memset(piece, 'x', 1500);
    piece[1500] = '\0';
    assert(snprintf(whole, sizeof whole, "%s%s%d", "ab", piece, 3) == 1503 && whole[1502] == '3');
    char *block;
    assert(asprintf(&block, "%s-%s", "ab", "cd") == 5 && strcmp(block, "ab-cd") == 0);
    free(block);
    assert(asprintf(&block, "%s-%s", piece, "cd") == 1503 && block[1502] == 'd');
    free(block);
    return 0;
}
EOF
gcc -w -o pieces pieces.c && expect 0 ./pieces
expect 0 "$heddle" check -w pieces.c
