#!/bin/bash
# How steps and findings of memory errors are shown, and that they can be replayed.
. "$(dirname "$0")/../library.sh"

cat > shown.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
static char buffer[10], other[10];
static void *t(void *p) {
    free(p);
    return 0;
}
int main(int count, char **words) {
    pthread_t thread;
    int *p = malloc(16);
#ifdef UNINITIALISED
    if (p[3]) other[1] = 1;
#endif
    p[0] = 1;
    pthread_create(&thread, 0, t, p);
#ifdef OVERFLOW
    *(buffer + 10 + count) = 1;
#endif
    pthread_join(thread, 0);
    return p[0] + other[0] + words[0][0];
}
EOF
expect 1 "$heddle" check --schedule=found shown.c
says out '  free p '
expect 1 "$heddle" replay found
expect 1 "$heddle" check -DOVERFLOW --schedule=found shown.c
says out 'write buffer\+11'
expect 1 "$heddle" replay found
expect 1 "$heddle" check -DUNINITIALISED --schedule=found shown.c
expect 1 "$heddle" replay found
says out 'uninitialised memory decides'

# What is read from another thread's stack is shown.
cat > local.c << 'EOF'
#include <assert.h>
#include <pthread.h>
static void *t(void *p) {
    int mine = *(int *)p;
    assert(mine == 8);
    return 0;
}
int main(void) {
    pthread_t thread;
    int seven = 7;
    pthread_create(&thread, 0, t, &seven);
    pthread_join(thread, 0);
}
EOF
expect 1 "$heddle" check local.c
says out 'read seven -> 7'

# What was written to a local is gone when its function has returned: no value is shown.
cat > left.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) p;
static void set(void) {
    int local = 1;
    p = &local;
    *p = 2;
}
static void *t(void *unused) {
    set();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    int *seen = p;
    pthread_join(thread, 0);
    return seen ? *seen : 0;
}
EOF
expect 1 "$heddle" check left.c
says out "write T1's local = 1 "
if grep "write T1's local = " out | grep -Ev '= [12] '; then fail "a value that was not written"; fi

# The step that is named is the one with the access, also if its place was come to again since.
cat > again.c << 'EOF'
#include <pthread.h>
static struct account { int balance; pthread_mutex_t lock; } accounts[3] = {
    {10, PTHREAD_MUTEX_INITIALIZER}, {20, PTHREAD_MUTEX_INITIALIZER}, {30, PTHREAD_MUTEX_INITIALIZER}};
static void add(int i) {
    if (i != 1) pthread_mutex_lock(&accounts[i].lock);
    accounts[i].balance++;
    if (i != 1) pthread_mutex_unlock(&accounts[i].lock);
}
static void *all(void *unused) {
    for (int i = 0; i < 3; i++) add(i);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, all, 0);
    pthread_create(&b, 0, all, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
EOF
expect 1 "$heddle" check again.c
says out ' 8 +write accounts\[1\].balance = 21 '
says out 'write by T1 in step 8 \(again.c:6\), holding no lock'
cat > freed.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
static int *items[3];
static void *clean(void *unused) {
    for (int i = 0; i < 3; i++) free(items[i]);
    return unused;
}
int main(void) {
    for (int i = 0; i < 3; i++) items[i] = calloc(1, sizeof(int));
    pthread_t t;
    pthread_create(&t, 0, clean, 0);
    pthread_join(t, 0);
    return *items[0];
}
EOF
expect 1 "$heddle" check freed.c
step=$(grep -m1 -E '^ .*free ' out | grep -Eo '[0-9]+' | head -1)
says out "freed by T1 in step $step "

# A write has its value although the code after it, in the same step, ends the program.
cat > fault.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
static char flag;
static void *t(void *unused) {
    flag++;
    return unused;
}
int main(void) {
    pthread_t thread;
    int zero = 0;
    char *block = malloc(4), *volatile null = NULL;
    pthread_create(&thread, 0, t, 0);
    flag = 5;
#if FAULT == 0
    *null = 1;
#elif FAULT == 1
    block[4] = 1;
#elif FAULT == 2
    zero = 7 / zero;
#endif
    pthread_join(thread, 0);
    free(block);
    return zero;
}
EOF
for fault in 0 1 2; do
    expect 1 "$heddle" check -k -DFAULT=$fault fault.c
    says out "write flag = 5 "
    if grep 'write flag = 0' out; then fail "a value that was not written"; fi
done

# One step is not "1 steps".
cat > single.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
static void *t(void *unused) { return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    abort();
}
EOF
expect 1 "$heddle" check --schedule=found single.c
expect 1 "$heddle" replay found
says out '^Replayed 1 step as recorded\.$'

# A lock that both hold for reading is named as such, and does not order them.
cat > reading.c << 'EOF'
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;
static void *look(void *unused) {
    pthread_rwlock_rdlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    look(0);
    pthread_join(thread, 0);
}
EOF
expect 1 "$heddle" check reading.c
says out 'by T1 in step .*, holding lock for reading$'
says out 'Nothing orders the two: the lock that both hold for reading does not keep either out'
