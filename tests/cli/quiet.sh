#!/bin/bash
# --quiet prints a line for each error and nothing else; the exit status is as without it.
. "$(dirname "$0")/../library.sh"

expect 0 "$heddle" check --quiet --program='wx1 / rx'
silent out
silent err
expect 3 "$heddle" check -q --max-executions=1 --program='wx1 / rx'
silent out
expect 1 "$heddle" check --quiet --schedule=found --program='l0 l1 u1 u0 / l1 l0 u0 u1'
[ "$(cat out)" = "program:1:4: error: deadlock: 2 threads are blocked forever [deadlock]" ] || fail "one line expected"
silent err
expect 1 "$heddle" replay found

cat > two.heddle << 'END'
shared x = 0;
thread p { x = 1; }
thread q { local a = x; assert(a == 0); }
thread r { local b = x; assert(b == 1); }
END
expect 1 "$heddle" check -q -k two.heddle
[ "$(grep -Ec '^two\.heddle:[34]:[0-9]+: error: assertion failed' out)" = 2 ] || fail "two errors expected"
[ "$(wc -l < out)" = 2 ] || fail "two lines expected"

expect 2 "$heddle" check --quiet no-such-file.heddle
silent out
says err 'no-such-file'
