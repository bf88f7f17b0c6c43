#!/bin/bash
# Every verdict has its exit status, its words and its JSON.
. "$(dirname "$0")/../library.sh"

expect 0 "$heddle" check --program='wx1 / rx / rx'
says out '^No errors were detected\.$'
says out '^Number of complete executions explored: 4$'
says out '^Number of executions blocked .*: 0$'
says out '^Time: [0-9.]+ s( \([0-9]+ executions per second\))?$'
says out '^Verdict: verified '
silent err

expect 1 "$heddle" check --program='l0 l1 u1 u0 / l1 l0 u0 u1'
says out '^program:1:4: error: deadlock: 2 threads are blocked forever \[deadlock\]$'
says out '^  p0 waits for m1, held by p1 since step 2$'
says out '^  p1 waits for m0, held by p0 since step 1$'
says out '^  cycle: p[01] -> p[01] -> p[01]$'
says out '^1 error was detected \(stopped at the first error; -k continues\)\.$'
says out '^Verdict: bug '

expect 3 "$heddle" check --max-executions=2 --program='wx1 / rx / rx'
says out '^No errors were detected, but not everything was covered\.$'
says out '^Incomplete: stopped by --max-executions'
says out '^To cover the rest: fewer threads or iterations'
says out '^Verdict: incomplete '

# A bound that is not hit does not matter; a step bound that is, does, unless there is a bug.
expect 0 "$heddle" check --max-executions=4 --max-steps=3 --program='wx1 / rx / rx'
expect 3 "$heddle" check --max-steps=2 --program='wx1 / rx / rx'
says out '^Incomplete: an execution was cut short: what'
for algorithm in optimal source classic sleep-sets none; do
    expect 3 "$heddle" check --algorithm=$algorithm --max-steps=2 --program='wx1 / rx / rx'
    expect 3 "$heddle" check --algorithm=$algorithm --max-steps=3 --program='wx1 ry / rx / rx wy1'
done
expect 3 "$heddle" check --max-steps=2 --max-executions=1 --program='wx1 / rx / rx'
printf 'shared x;\nthread p { x = 1; assert(0); }\nthread q { x = 2; x = 3; x = 4; }\n' > bug.heddle
expect 1 "$heddle" check -k --max-steps=2 bug.heddle
says out '^Incomplete: '

# A program without a step has one execution.
echo 'thread p { }' > empty.heddle
expect 0 "$heddle" check --json empty.heddle
json '.executions == 1 and .events == 0'

# Without -k the first error ends it; with -k everything is explored and errors are counted.
expect 1 "$heddle" check --json --program='l0 / l0 u0'
json '.errors | length == 1'
expect 1 "$heddle" check --json -k --program='l0 W0.0 u0 / l0 W0.0 u0 / g0 / b0'
json '.executions == 52 and .deadlocks == 24 and ([.errors[].count] | add) == 24'

# A failed assume is no error.
expect 0 "$heddle" check --json --program='wx1 / rx h wy1'
json '.verdict == "verified" and .assume_blocked == 1 and .executions == 2'

# Every algorithm and every first schedule agree; those as published never verify.
for algorithm in $("$heddle" check --help | sed -n '/^algorithms:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'); do
    status=0 verdict=verified
    [[ $algorithm != published-* ]] || status=3 verdict=incomplete
    for first in lowest highest round-robin random:1 random:2; do
        expect $status "$heddle" check --json --algorithm=$algorithm --first=$first \
            --program='wx1 / rx / rx'
        json ".algorithm == \"$algorithm\" and .verdict == \"$verdict\" and .executions > 0"
    done
done
expect 0 "$heddle" check --json --source --sc --program='wx1 / rx'
json '.algorithm == "source"'

# A step to an element that is not there names it.
printf 'shared a[3], x = 5;\nthread t { a[x] = 1; }\n' > outside.heddle
expect 1 "$heddle" check outside.heddle
says out 'index out of bounds in thread t'
says out '^> +2  write a\[5\]'
