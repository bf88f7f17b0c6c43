#!/bin/bash
# The context-sensitive algorithms: what they count, and what they say about data races.
. "$(dirname "$0")/../library.sh"

program() { "$heddle" check --json -k "$@"; }

for algorithm in context-source context; do
    expect 0 program --algorithm=$algorithm "$root/bench/programs/running-example.heddle"
    json '.executions == 2 and .pruned > 0 and .warnings == []'
    expect 0 "$heddle" check --algorithm=$algorithm "$root/bench/programs/running-example.heddle"
    says out "^Number of executions pruned \(equal states\): [0-9]+$"
done
expect 0 "$heddle" check --algorithm=context-observers "$root/bench/programs/running-example.heddle"
says out "^Most sequences in don't-do sets at once: [0-9]+$"
for algorithm in optimal context context-source; do
    expect 0 "$heddle" check --algorithm=$algorithm "$root/bench/programs/running-example.heddle"
    ! grep -q "don't-do" out || fail "$algorithm has no don't-do sets"
done

# No trace need be explored in which a data race shows; the others explore all of them.
for algorithm in context-source context context-observers; do
    expect 0 program --algorithm=$algorithm "$root/bench/c/fr_a.c"
    json '.verdict == "verified" and (.warnings | length) == 1'
    json '.warnings[0] | test("^context.* does not prove that there are no others")'
    expect 0 program --algorithm=$algorithm --no-race-check "$root/bench/c/fr_a.c"
    json '.warnings == []'
done
for algorithm in pop optimal observers source; do
    expect 0 program --algorithm=$algorithm "$root/bench/c/fr_a.c"
    json '.warnings == []'
done
