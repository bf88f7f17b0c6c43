#!/bin/bash
# Loops that poll plain memory under a lock or a semaphore, or the value of a semaphore, under weak memory models
# (tests/native/weak/polling.c). With a mutex, each program has as many executions and deadlocks as the same program in the
# notation of abstract programs, where all that is done under the mutex is one read-modify-write.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/weak

# counts MODEL WHAT THREADS EXECUTIONS DEADLOCKS
counts() {
    last="$heddle check -k --json --algorithm=graph --model=$1 -DWHAT=$2 -DTHREADS=$3"
    "$heddle" check -k --json --algorithm=graph --model="$1" -DWHAT="$2" -DTHREADS="$3" "$programs/polling.c" \
        > out 2> err || true
    json ".executions == $4 and .deadlocks == $5 and .artifacts == 0"
    json ".verdict == if $5 == 0 then \"verified\" else \"bug\" end and ([.errors[].kind] - [\"deadlock\"]) == []"
}

# same WHAT THREADS EXECUTIONS DEADLOCKS: all models; the abstract program is the standard input. EXECUTIONS and
# DEADLOCKS are those of RC11.
same() {
    local model
    cat > program.heddle
    for model in sc tso ra rc11; do
        "$heddle" check -k --json --algorithm=graph --model=$model program.heddle > abstract || true
        counts $model "$1" "$2" "$(field executions abstract)" "$(field deadlocks abstract)"
    done
    json ".executions == $3 and .deadlocks == $4"
}

# The writer comes first; those who poll, in every order.
same 0 2 1 0 << 'END'
shared v, x;
thread p { store(x, 1, relaxed); exchange(v, 1, acq_rel); }
thread q { while (fetch_add(v, 0, acq_rel) != 1) {} assert(load(x, relaxed) == 1); }
END
same 0 3 2 0 << 'END'
shared v, x;
thread p { store(x, 1, relaxed); exchange(v, 1, acq_rel); }
thread q(i in 1..2) { while (fetch_add(v, 0, acq_rel) != 1) {} assert(load(x, relaxed) == 1); }
END
same 1 2 2 1 << 'END'
shared v;
thread p { exchange(v, 1, acq_rel); exchange(v, 2, acq_rel); }
thread q { while (fetch_add(v, 0, acq_rel) != 1) {} }
END
same 2 2 1 0 << 'END'
shared v;
thread p(i in 0..1) {
    for (local round = 0; round < 2; round++) {
        while (fetch_add(v, 0, acq_rel) != 2 * round + i) {}
        exchange(v, 2 * round + i + 1, acq_rel);
    }
}
END
# What it has read of x is old or new; it leaves by v.
same 3 2 2 0 << 'END'
shared v, x;
thread p { exchange(v, 1, acq_rel); store(x, 1, relaxed); }
thread q { local seen, got; while (!seen && !got) { seen = load(x, relaxed); got = fetch_add(v, 0, acq_rel); } }
END
counts rc11 4 2 1 1
counts tso 4 3 1 1

# The operations of readers are ordered: six orders of two readers' four. Looks at a semaphore: in either order.
for model in sc rc11; do
    counts $model 5 2 1 0
    counts $model 5 3 6 0
    counts $model 6 2 1 0
    counts $model 6 3 2 0
done

# Who holds a unit is not known, so that the writer may race with rounds that are left out, and everybody executes one
# of them first, if the writer does not come before it. One unit: that round is there or not; for two threads there are
# none, one, the other, or both in two orders, times two orders of the last rounds. Two units, which the writer takes
# one by one: three orders of the first round's operations with the writer's first wait, or no such round, times three
# of the last round's operations with its second post.
for model in sc tso ra rc11; do
    counts $model 8 2 2 0
    counts $model 8 3 10 0
    counts $model 9 2 12 0
    counts $model 10 2 1 1
done
expect 1 "$heddle" check --model=rc11 -DWHAT=11 -DTHREADS=2 "$programs/polling.c"
says out 'data race on v'

expect 1 "$heddle" check --model=rc11 -DWHAT=7 -DTHREADS=2 "$programs/polling.c"
says out 'data race on v'
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=1 -DTHREADS=2 "$programs/polling.c"
says out 'T2 spins in a loop that reads v'
expect 1 "$heddle" replay kept
says out 'T2 spins in a loop that reads v'
