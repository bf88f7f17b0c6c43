#!/bin/bash
# Loops of local code in abstract programs: one that comes back to where it was is a hang, one that
# only takes long is not a bug.
. "$(dirname "$0")/../library.sh"

check() { printf '%s\n' "$1" > program.heddle; "$heddle" check --json program.heddle; }

expect 1 check 'shared x; thread p { x = 1; while (1) skip; }'
json '.errors[0].kind == "hang"'
expect 1 check 'shared x; thread p { local i = 0; x = 1; while (1) { i = (i + 1) % 5000; } }'
json '.errors[0].kind == "hang"'
expect 1 check 'shared x; thread p { local i = 0; atomic { while (x < 2) { x = 1 - x; } } }'
json '.errors[0].kind == "hang"'

expect 0 check 'shared x; thread p { local i = 0; while (i < 50000) { i = i + 1; } x = i; }'
expect 0 check 'shared x; thread p { local i = 0; atomic { while (x < 5000) { x = x + 1; } } }'
expect 3 check 'shared x; thread p { local i = 0; while (i < 20000000) { i = i + 1; } x = i; }'
json '.verdict == "incomplete" and .errors[0].kind == "unfinished"'

# Nor is a program wrong that posts or sends more than heddle has room for.
loop() { printf 'local i = 0; while (i < 300) { %s; i = i + 1; }' "$1"; }
for step in 'sem_post(s)' 'send(q, 1)'; do
    expect 3 check "semaphore s; thread p { $(loop "$step") } thread q { skip; }"
    json '.verdict == "incomplete" and .errors[0].kind == "unfinished"'
done

# A loop that changes something in every iteration makes executions of every length: whoever stops
# the exploration is told which loop that is.
counting='shared x; thread p { local i = 0; local s = 0; while (s == 0) { s = x; i = i + 1; } } thread q { x = 1; }'
for workers in 1 2; do
    printf '%s\n' "$counting" > program.heddle
    expect 3 "$heddle" check -j $workers --max-executions=500 program.heddle
    says out 'Warning: executions have up to 4[0-9]* steps, of which 4[0-9]* are by p at program.heddle:1: possible infinite loop'
done
expect 3 "$heddle" check --max-executions=3 --program="wx1 rx rx / wx2 rx rx"
silent=$(grep -c 'infinite' out) || true
[ "$silent" = 0 ] || fail "a warning about an infinite loop, and there is none"

# Stopped before the first execution has ended.
printf '#include <stdlib.h>\nint main(void) { for (long i = 0; i < 1000000000; i++) free(malloc(8)); }\n' > long.c
for workers in 1 2; do
    expect 3 "$heddle" check -j $workers --time-limit=1s long.c
    says out 'Warning: no execution has ended: the program takes long'
    silent=$(grep -c 'executions have' out) || true
    [ "$silent" = 0 ] || fail "the length of executions that have not ended"
done
