#!/bin/bash
# Memory grows with the length of executions, not with its square. A thread that spins until a flag
# is set makes one work item per round, each a step longer than the one before; 1,000 rounds took
# 850 MB when items copied what they share.
. "$(dirname "$0")/library.sh"

for first in lowest highest round-robin random:1; do
    expect 3 "$heddle" check --json --max-steps=1000 --first=$first "$root/tests/native/long/spin.c"
    [ "$(jq .executions < out)" = 997 ] || fail "$first: $(jq .executions < out) executions"
    peak=$(jq .peak_bytes < out)
    [ "$peak" -lt 50000000 ] || fail "$first: $peak bytes for executions of 1,000 steps"
done

# The race detector gives back what is no longer needed, and only that.
expect 1 "$heddle" check "$root/tests/native/long/sections.c"
grep -q 'data race on z: .* by T2' out || fail "no race after 20,000 sections: $(cat out)"
