#!/bin/bash
# A schedule of a C program means the same threads in another process, however threads were met.
. "$(dirname "$0")/../library.sh"

cat > children.c << 'END'
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *leaf(void *unused) {
    return unused;
}

static void *branch(void *number) {
    pthread_t child;
    pthread_mutex_lock(&mutex);
    if (!first) {
        first = *(int *)number;
    }
    pthread_create(&child, NULL, leaf, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(child, NULL);
    return NULL;
}

int main(void) {
    static int numbers[] = {1, 2};
    pthread_t branches[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&branches[i], NULL, branch, &numbers[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(branches[i], NULL);
    }
    assert(first != 2);
    return 0;
}
END
for first in lowest highest round-robin; do
    expect 1 "$heddle" check --first=$first --schedule=found children.c
    says found '^thread [0-9] T1\.1$'
    says found '^thread [0-9] T2\.1$'
    expect 1 "$heddle" replay found
    says out '^Replayed [0-9]+ steps as recorded\.$'
done
sed 's/^\(thread [0-9]\) T2\.1$/\1 T2.7/' found > strange
expect 2 "$heddle" replay strange
says err 'diverged at the start: the program can have no thread T2\.7'

cat > fork.c << 'END'
#include <unistd.h>
int main(void) {
    return fork();
}
END
expect 2 "$heddle" check --json fork.c
says err 'unsupported: fork at .*fork\.c:3'
json '.verdict == "incomplete" and .errors[0].kind == "unsupported"'

# What the compiler does not announce is not covered, and so nothing is verified.
cat > by-value.c << 'END'
struct pair {
    int a, b;
};
static struct pair shared;
static int sum(struct pair p) {
    return p.a + p.b;
}
int main(void) {
    return sum(shared);
}
END
expect 3 "$heddle" check --json by-value.c
json '.verdict == "incomplete" and (.warnings | length) == 2'
