#!/bin/bash
# <heddle/actor.h>. Programs of tests/actor say in their comments what to expect of heddle:
# both/ and counts/ how many executions, faults/ the kind of an error and a pattern for its message.
# Those of both/ check themselves and also run on real threads, many times; so do the examples.
. "$(dirname "$0")/library.sh"

expected() { sed -nE 's/^ \* expect: (.*) \*\/$/\1/p' "$1"; }

# verified N OBSERVERS FILE…: N executions under the exact algorithms, under several first schedules
verified() {
    local count=$1 observers=$2 algorithm
    shift 2
    for algorithm in "--algorithm=optimal" "--algorithm=optimal --first=highest" \
        "--algorithm=optimal --first=random:7" "--algorithm=pop"; do
        expect 0 "$heddle" check --json $algorithm "$@"
        json ".executions == $count and .blocked == 0"
    done
    expect 0 "$heddle" check --json --algorithm=observers "$@"
    json ".executions == $observers and .blocked == 0"
}

for file in "$root"/tests/actor/{both,counts}/*.c; do
    read -r count _ observers _ < <(expected "$file") || fail "$file: no expectation"
    verified "$count" "${observers:-$count}" "$file"
done

for file in "$root"/tests/actor/faults/*.c; do
    read -r kind pattern < <(expected "$file") || fail "$file: no expectation"
    expect 1 "$heddle" check --json --algorithm=optimal "$file"
    json ".errors[0].kind == \"$kind\""
    jq -r '.errors[0].message' out > message
    says message "$pattern"
done

for file in "$root"/tests/actor/unsupported/*.c; do
    expect 2 "$heddle" check --algorithm=optimal "$file"
    says err "$(expected "$file")"
done

# The papers' programs, and the examples.
while read -r count observers arguments; do
    verified "$count" "$observers" $arguments
done << END
1 1 -DN=1 $root/bench/c/selective.c
120 1 -DN=5 $root/bench/c/selective.c
120 120 -DN=5 $root/bench/c/not_selective.c
30 6 -DN=3 $root/bench/c/lock.c
336 24 -DN=4 $root/bench/c/lock.c
5040 120 -DN=5 $root/bench/c/lock.c
95040 720 -DN=6 $root/bench/c/lock.c
24 12 $root/examples/worker-pool.c
20570 4832 $root/examples/replicated-register.c
END
for algorithm in optimal pop observers; do
    expect 1 "$heddle" check --algorithm=$algorithm -DHASTY "$root/examples/worker-pool.c"
    says out 'assertion failed: p->done\[number\] == 1'
    expect 1 "$heddle" check --algorithm=$algorithm -DFORGETFUL \
        "$root/examples/replicated-register.c"
    says out 'assertion failed: first == 0'
done

# On real threads; the library of a sanitizer build would need its flags.
make -s -C "$root" build/libheddle-actor.a
for file in "$root"/tests/actor/both/*.c "$root"/examples/{worker-pool,replicated-register}.c; do
    expect 0 gcc -std=gnu11 -Wall -Wextra -Werror -O1 -I"$root/include" "$file" \
        -L"$root/build" -lheddle-actor -pthread -o program
    for i in {1..40}; do
        expect 0 timeout 600 ./program
        silent err
    done
done

# Misuse on real threads ends the program with a message.
for name in too_small not_a_process predicate_sends; do
    gcc -I"$root/include" "$root/tests/actor/faults/$name.c" -L"$root/build" -lheddle-actor \
        -pthread -o program
    expect 134 bash -c './program 2>&1'
    says out '^heddle-actor: '
done

# A program that names the library is checked as well.
expect 0 "$heddle" check --json --algorithm=optimal "$root/tests/actor/both/fifo.c" \
    -L"$root/build" -lheddle-actor -pthread
json '.executions == 20'
