#!/bin/bash
# A schedule of a C program means the same threads in another process, in whatever order threads were first seen.
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
json '.verdict == "unsupported" and .errors[0].kind == "unsupported"'

# A struct by value, which the compiler does not announce.
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
expect 0 "$heddle" check --json --algorithm=none by-value.c
json '.events == 1 and (.warnings | length) == 0'

# Objects that announce nothing are not covered, either; archives named by -l are.
cat > worker.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;
void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
END
cat > main.c << 'END'
#include <pthread.h>
void *work(void *);
int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
END
gcc -c worker.c -o plain.o
expect 3 "$heddle" check main.c plain.o
says out 'does not control was called: work of plain\.o$'
expect 0 "$heddle" cc -c worker.c -o worker.o
ar rc libworker.a worker.o
expect 0 "$heddle" check --json main.c -L. -lworker
json '.executions == 2'

# Addresses may differ from one process to the next.
cat > address.c << 'END'
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static int value;
static int *_Atomic pointer;
int main(int argc, char **arguments) {
    pointer = argc > 1 && atoi(arguments[1]) == 7 ? &value : NULL;
    assert(!pointer);
    return 0;
}
END
expect 1 "$heddle" check --schedule=found address.c -- 7
expect 1 "$heddle" replay found

# A mutex that was destroyed must not be locked until it is initialised again, in whatever way.
cat > destroyed.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void again(void) {
    pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&local);
    pthread_mutex_unlock(&local);
    pthread_mutex_destroy(&local);
}
int main(void) {
    again();
    again();
    pthread_mutex_destroy(&mutex);
#ifndef BUG
    pthread_mutex_init(&mutex, NULL);
#endif
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
END
expect 0 "$heddle" check destroyed.c
expect 1 "$heddle" check --json -DBUG destroyed.c
json '.errors[0].kind == "misuse" and .errors[0].line == 16'

# A local that turns out to be shared in the middle of an exploration: it starts over, whatever the
# algorithm, and the schedule file records it for the replay.
cat > late.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) where;
static atomic_int go;
static void *other(void *unused) {
    int *place = where;
    if (place && go == 1) {
        assert(*place != 2);
        *place = 3;
    }
    return unused;
}
int main(void) {
    int local = 1, copy = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    local = copy;
    where = &local;
    go = 1;
    local++;
    copy = local;
    go = 2;
    return pthread_join(thread, NULL);
}
END
for algorithm in pop optimal source classic sleep-sets observers none; do
    expect 1 "$heddle" check --no-race-check --algorithm=$algorithm --schedule=found late.c
    says out 'assertion failed: \*place != 2'
    says found '^shared 0 [0-9]+ 8$'
    expect 1 "$heddle" replay found
    says out '^Replayed [0-9]+ steps as recorded\.$'
done

# Undetermined values: all of a small type; of a wide one those on both sides of comparisons, or some.
cat > undetermined.c << 'END'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int main(void) {
#ifdef WIDE
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    assert(x > 0);
    assert(x != LIMIT);
#elif defined(SQUARE)
    int x = __VERIFIER_nondet_int();
    assert(x * x != LIMIT);
#else
    char c = __VERIFIER_nondet_char();
    assert(c != LIMIT || !__VERIFIER_nondet_bool());
#endif
    return 0;
}
END
expect 0 "$heddle" check --json -DLIMIT=1000 undetermined.c
json '.executions == 1' # no character is 1000: nobody looks at it
expect 1 "$heddle" check --json -k -DLIMIT=-77 undetermined.c
json '.executions == 257'
expect 1 "$heddle" check -DWIDE -DLIMIT=3 undetermined.c
expect 3 "$heddle" check --json -DSQUARE -DLIMIT=10 undetermined.c
json '.warnings | any(contains("__VERIFIER_nondet_int"))'
expect 1 "$heddle" check -DWIDE -DLIMIT=2147483647 undetermined.c

# A loop without end is given up, and named.
cat > counts.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *reader(void *unused) {
    long rounds = 0;
    while (!atomic_load(&flag)) rounds++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    flag = 1;
    return 0;
}
END
expect 3 "$heddle" check --json counts.c
json '.warnings | any(contains("cut after 4000000 steps, in T1 at") and contains("counts.c:6"))'
expect 3 "$heddle" check --max-steps=100 counts.c
says out 'cut after 100 steps, in T1 at .*counts\.c:6'
