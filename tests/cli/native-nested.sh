#!/bin/bash
# Nested functions of gcc. A pointer to one leads to code on the stack; what it does to the locals
# around it is not announced, which is said.
. "$(dirname "$0")/../library.sh"

cat > nested.c << 'EOF'
#include <assert.h>
#include <pthread.h>
int main(void) {
    int n = 0;
    void *add(void *u) { n++; return u; }
    add(0);
    assert(n == 1);
#ifdef POINTER
    pthread_t one, other;
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(n == 3);
#endif
    return 0;
}
EOF
expect 0 "$heddle" check nested.c
expect 3 "$heddle" check -DPOINTER nested.c
says out '1 pointer to a nested function, whose accesses are not instrumented, was taken'
