#!/bin/bash
# --function: a function of the program in place of main, with or without bytes to point to.
. "$(dirname "$0")/../library.sh"

cat > counter.c << 'END_OF_FILE'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct wanted { int rounds; char name[12]; };
static atomic_int counter;
static int rounds;

static void *add(void *none) {
    for (int i = 0; i < rounds; i++) {
        counter = counter + 1;
    }
    return none;
}

static void count(const struct wanted *w) {
    pthread_t threads[2];
    rounds = w ? w->rounds : 1;
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, add, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void loses_one(void *argument) {
    count(argument);
    assert(counter == 2 * rounds);
}

/* Its argument, and what it changes, are restored for every execution. */
void keeps_some(void *argument) {
    struct wanted *w = argument;
    assert(!w || (w->rounds == 2 && strcmp(w->name, "abc") == 0));
    count(w);
    if (w) {
        w->rounds = 0;
    }
    assert(counter >= 1 && counter <= 2 * rounds);
}

void leaves(void *argument) {
    (void)argument;
    exit(counter == 0 ? 3 : 0);
}

void (*const all[])(void *) = {loses_one};
END_OF_FILE

expect 1 "$heddle" check --function=loses_one -o schedule counter.c
says out 'assertion failed: counter == 2 \* rounds, in loses_one'
expect 1 "$heddle" replay schedule
says out 'Replayed .* steps as recorded'
expect 0 "$heddle" check --json --function=keeps_some counter.c
json '.executions == 4'
expect 0 "$heddle" check --json --function=keeps_some --argument=020000006162630000000000 counter.c
json '.executions == 34'
expect 1 "$heddle" check --function=loses_one --argument=020000006162630000000000 -o schedule counter.c
expect 1 "$heddle" replay schedule
expect 0 "$heddle" check --function=leaves counter.c
expect 1 "$heddle" check --exit-status --function=leaves counter.c

# A function of a program that was linked before, which has a main of its own.
echo 'int main(void) { return 1; }' > main.c
expect 0 "$heddle" cc -o program counter.c main.c
expect 1 "$heddle" check --function=loses_one program
expect 1 "$heddle" check --exit-status program

# Mistakes.
expect 2 "$heddle" check --function=nothing counter.c
says err 'the program has no function of that name'
echo 'static void twice(void *x) { (void)x; } void (*const a)(void *) = twice;' > a.c
echo 'static void twice(void *x) { (void)x; } void (*const b)(void *) = twice;' > b.c
expect 2 "$heddle" check --function=twice a.c b.c
says err 'several functions of that name'
expect 2 "$heddle" check --function=keeps_some --argument=0 counter.c
says err 'two hexadecimal digits'
expect 2 "$heddle" check --argument=00 counter.c main.c
says err 'argument is for the function'
expect 2 "$heddle" check --function=f --program='wx1'
says err 'has no functions'
