#!/bin/bash
# Going back by the log of changes is the same as starting over: HEDDLE_CHECK_UNDO compares both,
# byte by byte, whenever heddle goes back, and begins a unit of the log every three steps.
. "$(dirname "$0")/../library.sh"

programs=$root/tests/native/undo
export HEDDLE_CHECK_UNDO=1

for algorithm in pop optimal source observers; do
    expect 0 "$heddle" check --json --algorithm=$algorithm "$programs/everything.c"
    expect 0 "$heddle" check --json --algorithm=$algorithm -DENTRIES=20 "$programs/table.c"
done

# Writes that nobody announces.
expect 0 "$heddle" check --json "$programs/unseen.c"

# A sample of everything else that steps can do.
expect 0 "$heddle" cc -o program "$root/tests/native/memory/order.c"
for number in 1 2 3 5 6 9 10; do
    expect 0 "$heddle" check --json program -- $number right
done

# As fast as it is: what main does before it creates threads is executed once.
unset HEDDLE_CHECK_UNDO
expect 0 "$heddle" check --json "$programs/table.c"
json '.executions == 2520'
