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
