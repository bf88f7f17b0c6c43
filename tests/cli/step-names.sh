#!/bin/bash
# Steps of every kind of atomic operation name their object and its value; those on what libc keeps for the process
# name that, and those on pipes have no value of a variable.
. "$(dirname "$0")/../library.sh"

cat > atomics.c << 'END'
#include <assert.h>
#include <stdatomic.h>
static atomic_int x = 6;
int main(void) {
    atomic_fetch_sub(&x, 1);
    atomic_fetch_or(&x, 2);
    atomic_fetch_and(&x, 3);
    atomic_fetch_xor(&x, 4);
    atomic_fetch_add(&x, 1);
    atomic_exchange(&x, 4);
    int four = 4;
    atomic_compare_exchange_strong(&x, &four, 5);
    assert(x != 5);
}
END
expect 1 "$heddle" check --json atomics.c
json '[.errors[0].steps[] | select(.object == "x") | [.kind, .value]] ==
    [["fetch-sub", 6], ["fetch-or", 5], ["fetch-and", 7], ["fetch-xor", 3], ["fetch-add", 7], ["exchange", 8],
     ["compare-and-swap", 1], ["read", 5]]'

cat > process.c << 'END'
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int ends[2];
    char byte = 1;
    setenv("NAME", "value", 1);
    assert(getenv("NAME"));
    signal(SIGUSR1, SIG_IGN);
    pipe(ends);
    write(ends[1], &byte, 1);
    read(ends[0], &byte, 1);
    sem_post(sem_open("/name", O_CREAT, 0600, 0));
    abort();
}
END
expect 1 "$heddle" check --json process.c
json '[.errors[0].steps[] | [.kind, .object, .value, .after]] ==
    [["change", "the environment", null, null], ["look at", "the environment", null, null],
     ["change", "the signal handlers", null, null], ["change", "the open files", null, null],
     ["write to", "pipe 1", 1, null], ["read from", "pipe 1", 1, null],
     ["change", "the named semaphores", null, null], ["post", "/name", null, null]]'
