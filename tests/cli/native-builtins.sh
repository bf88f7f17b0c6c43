#!/bin/bash
# Builtins that become calls, in a program that does not declare the functions: their results are
# pointers, and what they access is looked at.
. "$(dirname "$0")/../library.sh"

cat > builtins.c << 'EOF'
void *malloc(unsigned long);
void free(void *);
struct pair { int a, b; };
int main(void) {
    char *from = malloc(10), *to = malloc(10);
    struct pair p;
    __builtin_memset(from, 1, 10);
    if (__builtin_memcpy(to, from, 10) != to) __builtin_abort();
    if (__builtin_memmove(to + 1, to, 9) != to + 1) __builtin_abort();
    __builtin_memcpy(&p, &(struct pair){1, 2}, sizeof p);
    if (p.b != 2) __builtin_abort();
    free(from);
#ifdef FREED
    __builtin_memcpy(to, from, 10);
#endif
    free(to);
    return 0;
}
EOF
for level in "" --optimize; do
    expect 0 "$heddle" check $level builtins.c
    silent err
    expect 1 "$heddle" check $level -DFREED builtins.c
    says out 'use after free: read of 10 bytes'
done

# Functions of <math.h> that compilers know need no library either.
cat > absolute.c << 'EOF'
#include <math.h>
int main(int count, char **unused) { (void)unused; return fabs(-1.5 * count) != 1.5; }
EOF
expect 0 "$heddle" check --exit-status absolute.c
expect 0 "$heddle" cc absolute.c -o absolute
expect 0 ./absolute
