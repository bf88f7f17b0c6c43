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
