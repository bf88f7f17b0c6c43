#!/bin/bash
# Names and values of parts: matrices, bit-fields, unions, texts, what pointers of each type point to, numbers
# of threads, what a null pointer was meant to reach, files of one name.
. "$(dirname "$0")/../library.sh"

has() {
    while IFS= read -r line; do
        grep -qF -- "$line" out || fail "the counterexample does not have: $line"
    done
}

cat > parts.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct part { int x; };
typedef struct thing {
    struct part first;
    union { float f; int i; struct { char p, q; }; } u;
    unsigned a : 3, b : 7;
    signed c : 4;
    const char *text;
    char name[24];
    int matrix[3][4];
    long double wide;
    struct thing *next;
    struct part *part;
    void *any;
    void (*call)(void);
} thing;
static thing things[2];
static pthread_t threads[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int pair[2];
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int n;
static void called(void) {}
static void *t(void *unused) {
    thing *one = &things[1];
    pthread_once(&once, called);
    pthread_mutex_lock(&m);
    one->u.i = 7, one->u.q = 'x';
    one->a = 5, one->b = 99, one->c = -3;
    one->text = "first\n\"line\"";
    strcpy(one->name, "somebody else");
    one->matrix[2][1] = 4;
    one->wide = 2.5L;
    one->next = one, one->part = &one->first, one->any = one, one->call = called;
    int both[2] = {3, 4};
    memcpy(pair, both, sizeof pair);
    pthread_mutex_unlock(&m);
    if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
    atomic_flag_test_and_set(&flag);
    atomic_fetch_sub(&n, 2);
    return unused;
}
int main(void) {
    pthread_create(&threads[0], NULL, t, NULL);
    pthread_join(threads[0], NULL);
    assert(n == 2);
}
EOF
expect 1 "$heddle" check --full --schedule=found parts.c
has << 'EOF'
write threads[0] = T1
read threads[0] -> T1
once once (runs it)
write things[1].u.{f, i} = 9.80909e-45, 7
write things[1].u.q = 120 'x'
write things[1].{a, b, c} = 5, 0, 0
write things[1].{a, b, c} = 5, 99, 0
write things[1].{a, b, c} = 5, 99, -3
write things[1].text = "first\n\"line\""
write things[1].name[0] = "somebody else"
write things[1].matrix[2][1] = 4
write things[1].wide (16 bytes)
write things[1].next = &things[1]
write things[1].part = &things[1].first
write things[1].any = &things[1]
write things[1].call = &called
write pair[0] = 3, 4
trylock m succeeded
exchange flag -> false, now true
fetch-sub n -> 0, now -2
EOF
expect 1 "$heddle" replay found

# A write to a bit-field is one to its neighbours, and either of them can be named.
cat > bits.c << 'EOF'
#include <pthread.h>
static struct { unsigned ready : 1, done : 1; } state;
static void *t(void *unused) { state.ready = 1; return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, t, NULL);
    state.done = 1;
    pthread_join(a, NULL);
}
EOF
expect 1 "$heddle" check bits.c
says out 'data race on state\.\{ready, done\}: '
for name in state.ready state.done state; do
    expect 0 "$heddle" check --ignore-race=$name bits.c
done
expect 1 "$heddle" check --ignore-race=state.read bits.c

# Null pointers: what was meant, where the source says so, and nothing where it does not.
cat > null.c << 'EOF'
#include <stdatomic.h>
#include <stddef.h>
struct inner { int a, b[4]; };
struct node { int value; struct inner in; struct node *next; atomic_int refs; };
static struct node first, *table[4];
static int *numbers, **pointers;
int main(void) {
    struct node *n = NULL, *one = &first;
    int i = 3, *local = &i;
    switch (CASE) {
        case 0: n->value = 3; break;
        case 1: n->in.b[2]++; break;
        case 2: one->next->value += 2; break;
        case 3: table[i]->in.a = 3; break;
        case 4: *numbers = 4; break;
        case 5: numbers[7] = 4; break;
        case 6: i = *numbers; break;
        case 7: if (one && one->next->in.a) return 1; break;
        case 8: ++n->value; break;
        case 9: atomic_fetch_add(&n->refs, 1); break;
        case 10: one->value = *numbers; break;
        case 11: pointers = &numbers; **pointers = 3; break;
        case 12: *local = n->next->value; break;
        case 13: return (n + 1)->value;
        case 14: atomic_store(&one->refs, n->in.a); break;
    }
}
EOF
meant=('n in n->value' 'n in n->in.b[2]' 'one->next in one->next->value' 'table[i] in table[i]->in.a'
    'numbers in *numbers' 'numbers in numbers[7]' 'numbers in *numbers' 'one->next in one->next->in.a' 'n in n->value'
    'n in n->refs' 'numbers in *numbers' '' 'n in n->next' '' 'n in n->in.a')
for i in "${!meant[@]}"; do
    expect 1 "$heddle" check -DCASE=$i null.c
    words=${meant[$i]}
    grep -qF "(null pointer${words:+: $words})" out || fail "case $i of null.c is not about: $words"
    [ -z "$words" ] || grep -Eq "^> .* ${words##*\*}.* \(.* is NULL\)|is NULL\)" out || fail "case $i has no step"
done

# Files of one name are distinguished; variables of libraries have names.
mkdir one other
echo 'extern int shared; void bump(void) { shared++; }' > one/util.c
echo 'int shared; void bump_more(void) { shared += 2; }' > other/util.c
cat > user.c << 'EOF'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
void bump(void);
void bump_more(void);
static void *t(void *unused) {
    bump();
    return unused;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, t, NULL);
#ifdef END
    pthread_join(a, NULL);
    fprintf(stderr, "the end\n");
    abort();
#endif
    bump_more();
    pthread_join(a, NULL);
}
EOF
expect 1 "$heddle" check user.c one/util.c other/util.c
says out ' by T1 at one/util\.c:1, .* by main at other/util\.c:1 '
says out ' one/util\.c:1: '
expect 1 "$heddle" check -DEND user.c one/util.c other/util.c
says out ' read stderr -> \? '

# A function that calls itself is named once; of many calls the innermost and the outermost ones are.
cat > deep.c << 'EOF'
#include <pthread.h>
static int x;
static void touch(int depth) {
    if (depth) touch(depth - 1);
    else x++;
}
#define STEP(a, b) static void a(void) { b(); }
static void bottom(void) { x++; }
STEP(c1, bottom) STEP(c2, c1) STEP(c3, c2) STEP(c4, c3) STEP(c5, c4) STEP(c6, c5) STEP(c7, c6)
STEP(c8, c7) STEP(c9, c8) STEP(c10, c9) STEP(c11, c10) STEP(c12, c11) STEP(c13, c12) STEP(c14, c13)
static void *t(void *wide) {
    if (wide) c14();
    else touch(40);
    return NULL;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, t, WIDE);
    x = 5;
    pthread_join(a, NULL);
}
EOF
COLUMNS=400 expect 1 "$heddle" check --first=highest -DWIDE=0 deep.c
says out 'Call stack of T1: touch \(deep\.c:5\), touch \(deep\.c:4\) 40 times, t \(deep\.c:13\)$'
COLUMNS=400 expect 1 "$heddle" check --first=highest '-DWIDE=&x' deep.c
says out 'Call stack of T1: bottom .*, c9 \(deep\.c:10\), \.\.\. 3 more, c13 '
