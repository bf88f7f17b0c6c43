#!/bin/bash
# What reports of C programs call blocks of the heap, and what they show of values: as their types say.
. "$(dirname "$0")/../library.sh"

# Several characters at once are a string, also if they are in two words of memory.
cat > text.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static struct { int length; char name[16]; } shared;
static void *t(void *p) { strcpy(shared.name, "shared"); return p; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    pthread_join(thread, 0);
    assert(!strlen(shared.name));
}
EOF
expect 1 "$heddle" check text.c
says out 'write shared\.name\[0\] = "shared"'

# What is wider than a value is shown with its size: it was shown as 0.
cat > wide.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static struct { int a; short b[8]; } from = {5, {6}}, to;
static char bytes[100];
static struct { int one; float two; } pair;
static short shorts[4] = {1, -2, 3, 4}, others[4];
static long double real;
static __int128 whole;
static atomic_int done;
static void *t(void *p) {
    memset(bytes, 7, sizeof bytes);
    real = 2.5L;
    whole = 7;
    to = from;
    __typeof__(pair) made = {3, 2.5f};
    pair = made;
    memcpy(others, shorts, sizeof others);
    done = 1;
    return p;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    pthread_join(thread, 0);
    assert(whole == 8);
}
EOF
expect 1 "$heddle" check wide.c
says out 'write bytes\[0\] \(100 bytes\)'
says out 'write real \(16 bytes\)'
says out 'write whole \(16 bytes\)'
says out 'write to\.a \(20 bytes\)'
says out 'write pair\.one = 3, 2\.5 '
says out 'write others\[0\] = 1, -2, 3, 4 '
says out 'read whole \(16 bytes\)'

cat > values.c << 'END_OF_FILE'
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <pthread.h>
#include <stdlib.h>

enum colour { RED, GREEN = 7 };
struct node {
    struct node *next;
    _Atomic int value;
    pthread_mutex_t mutex;
};
typedef struct pair {
    atomic_int left, right;
} pair;

static _Atomic int number;
static _Atomic unsigned natural;
static _Atomic signed char letter;
static _Atomic bool truth;
static _Atomic double real;
static _Atomic enum colour colour;
static _Atomic(int *) pointer;
static int target[3];
static struct node *_Atomic list;
static pair *pairs;

static void *run(void *none) {
    struct node *own = malloc(sizeof(struct node));
    own->value = -3;
    list = own;
    atomic_store(&pairs[1].right, 5);
    return none;
}

int main(void) {
    pthread_t thread;
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    pairs = calloc(2, sizeof(pair));
    pthread_mutex_init(&first->mutex, NULL);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&first->mutex);
    number = -1;
    natural = 4000000000u;
    letter = 'a';
    truth = true;
    real = 0.5;
    colour = GREEN;
    pointer = &target[2];
    pointer = NULL;
    list = second;
    second->value = list->value;
    free(first);
    assert(!list);
    return 0;
}
END_OF_FILE
expect 1 "$heddle" check --full -o schedule values.c
for words in "write T1's own->value = -3" "write list = T1's own" 'write pairs\[1\].right = 5' \
    'initialise first->mutex' 'lock first->mutex' 'write number = -1' 'write natural = 4000000000' \
    "write letter = 97 'a'" 'write truth = true' 'write real = 0.5' 'write colour = GREEN' \
    'write pointer = &target\[2\]' 'write pointer = NULL' 'write list = second' \
    'read second->value -> 0' 'free first( |$)'; do
    says out "$words"
done
expect 1 "$heddle" replay schedule
says out 'as recorded'

# Races of blocks that several threads have allocated at one place are one race.
cat > races.c << 'END_OF_FILE'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct item { int count; };
static struct item *_Atomic shared[2];
static void *run(void *place) {
    struct item *item = malloc(sizeof *item);
    item->count = 1;
    atomic_store((struct item *_Atomic *)place, item);
    for (int i = 0; i < 2; i++) {
        struct item *found = atomic_load(&shared[i]);
        if (found) {
            found->count++;
        }
    }
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, run, (void *)&shared[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}
END_OF_FILE
expect 1 "$heddle" check -k --json races.c
json '[.errors[].message | capture("data race on (?<what>[^:]*):").what] | unique == ["item->count"]'
