#!/bin/bash
# Going back by the log of changes is the same as starting over: HEDDLE_CHECK_UNDO compares both,
# byte by byte, whenever heddle goes back, and begins a unit of the log every three steps.
. "$(dirname "$0")/../library.sh"

programs=$root/tests/native/undo
export HEDDLE_CHECK_UNDO=1

for algorithm in pop optimal source observers; do
    checked 0 --json --algorithm=$algorithm "$programs/everything.c"
    checked 0 --json --algorithm=$algorithm -DENTRIES=20 "$programs/table.c"
done

# Semaphores, read-write locks, barriers, once, robust mutexes, keys; messages; clocks.
for kind in 1 2 3 4 5 6; do
    for algorithm in pop optimal; do
        checked 0 --json --algorithm=$algorithm -DKIND=$kind "$programs/classes.c"
    done
done
for program in monitor predicate selective time_out; do
    expect 0 "$heddle" check --json "$root/tests/actor/both/$program.c"
done
# Stacks whose deep pages come and go.
expect 0 "$heddle" check --json -DN=4 "$programs/deep.c"
json ".executions == 576"
expect 0 "$heddle" check --json "$programs/names.c"
expect 0 "$heddle" check --json "$programs/clock.c"
json '.executions == 14'

# Versions of atomic memory, wide ones and those of other generations among them, and of locks.
weak=$root/tests/native/weak
for model in tso rc11; do
    expect 1 "$heddle" check --json --model=$model -k -DORDER=0 "$weak/chase-lev.c"
    expect 0 "$heddle" check --json --model=$model -DN=6 -DORDER=0 "$root/bench/c/ring.c"
    expect 0 "$heddle" check --json --model=$model --leaks=ignore -DORDER=1 "$weak/treiber.c"
done
for what in 0 1 2 3 4 5; do
    expect 0 "$heddle" check --json --model=rc11 -DWHAT=$what -DORDER=1 "$weak/lives.c"
done
expect 0 "$heddle" check --json --model=rc11 -DWHAT=2 -DORDER=0 "$weak/wide.c"
expect 0 "$heddle" check --json --model=tso -DWHAT=1 -DORDER=1 "$weak/wide.c"

# Loops over arrays, whose contents are logged before they are written.
for name in STREAK_ENDS STREAK_BACK STREAK_ATOMIC; do
    expect 0 "$heddle" check --json -D$name "$root/tests/native/detector/programs.c"
done

# The comparison can fail.
HEDDLE_CHECK_UNDO=canary expect 70 "$heddle" check --json "$programs/everything.c"
HEDDLE_CHECK_UNDO=canary expect 70 "$heddle" check --json --model=rc11 -DN=6 -DORDER=0 "$root/bench/c/ring.c"
json '.model == "rc11"'

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
