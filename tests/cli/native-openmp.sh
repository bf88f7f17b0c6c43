#!/bin/bash
# OpenMP: each construct in a right program, and most in a wrong one; numbers of executions; by other
# algorithms and memory models; what is not supported is named.
. "$(dirname "$0")/../library.sh"
program=$root/tests/native/openmp/constructs.c

while read -r macro status pattern; do
    expect "$status" "$heddle" check -fopenmp "-D$macro" "$program"
    says "$([ "$status" = 2 ] && echo err || echo out)" "$pattern"
done << 'ROWS'
STATIC 0 explored: 2$
NEIGHBOUR_WRONG 1 data race on a\[4\]
SHARED_WRONG 1 data race on sum
DYNAMIC 0 explored: 8$
DYNAMIC_WRONG 1 assertion failed: a\[0\] != a\[1\]
GUIDED 0 ^Verdict: verified
UNSIGNED 0 ^Verdict: verified
BY_RUNTIME 0 explored: 8$
ORDERED 0 ^Verdict: verified
ORDERED_WRONG 1 data race on turn
ORDERED_DYNAMIC 0 ^Verdict: verified
SECTIONS 0 explored: 8$
SECTIONS_WRONG 1 data race on a\[0\]
SINGLE 0 ^Verdict: verified
BARRIER 0 explored: 1$
BARRIER_WRONG 1 assertion failed|data race
CRITICAL 0 explored: 4$
CRITICAL_WRONG 1 data race on sum
ATOMIC 0 explored: 6$
ATOMIC_DOUBLE 0 explored: 4$
ATOMIC_DOUBLE_WRONG 1 data race on real
ATOMIC_FORMS 0 explored: 16$
REDUCTION_DOUBLE 0 explored: 4$
LOCK 0 explored: 2$
LOCK_WRONG 1 deadlock: 2 threads are blocked forever
TASK 0 explored: 2$
TASK_WRONG 1 data race on a\[0\]
GRANDCHILD_WRONG 1 data race on a\[0\]
TASKGROUP 0 explored: 2$
DEPEND 0 explored: 2$
DEPEND_WRONG 1 data race on a\[0\]
CHAIN 0 explored: 2$
NESTED 0 explored: 2$
PRIVATE 0 explored: 1$
LASTING 0 explored: 1$
LASTING_WRONG 1 assertion failed: kept == 1
DEPEND_GROUP 0 ^Verdict: verified
DEPEND_GROUP_WRONG 1 data race on a\[0\]
WAIT_IN_GROUP 0 ^Verdict: verified
WAIT_IN_GROUP_WRONG 1 data race on a\[0\]
UNDEFERRED 0 ^Verdict: verified
UNDEFERRED_WRONG 1 data race on a\[1\]
TASKLOOP 0 explored: 2$
TASKLOOP_WRONG 1 data race on sum
TASKLOOP_FORMS 0 explored: 2$
TASKLOOP_REDUCTION 2 unsupported: GOMP_taskloop_with_reductions
UNSIGNED_WIDE 0 ^Verdict: verified
LEVELS 0 explored: 1$
SETTINGS 0 ^Verdict: verified
LEAGUE 0 explored: 1$
LEAGUE_WRONG 1 data race on a\[0\]
CANCEL 0 explored: 1$
NEST_LOCK 0 ^Verdict: verified
NEST_LOCK_WRONG 1 data race on sum
ROWS

# The number of threads: 2, unless the program or the environment wants others.
expect 0 env OMP_NUM_THREADS=3 "$heddle" check -fopenmp -DSTATIC "$program"
says out 'explored: 6$'

for options in --algorithm=optimal --model=rc11; do
    expect 0 "$heddle" check "$options" -fopenmp -DDYNAMIC "$program"
    says out 'explored: 8$'
    expect 1 "$heddle" check "$options" -fopenmp -DTASK_WRONG "$program"
done

# clang calls a runtime of its own.
cat > region.c << 'CODE'
int main(void) {
#pragma omp parallel
    {
    }
    return 0;
}
CODE
expect 2 "$heddle" check --cc=clang -fopenmp region.c
says err 'unsupported: __kmpc_'

# An existing build: the program runs with libgomp by itself, and can be checked.
ln -s "$heddle" heddle-cc
expect 0 ./heddle-cc -fopenmp -DTASK -c -o task.o "$program"
expect 0 ./heddle-cc -fopenmp -o task task.o
expect 0 ./task
says out '^3$'
expect 0 "$heddle" check task
says out 'explored: 2$'
