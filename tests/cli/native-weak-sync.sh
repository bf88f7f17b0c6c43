#!/bin/bash
# Primitives of C programs under weak memory models: in every model as many executions as under
# sequential consistency, unless something depends on an order that a primitive does not give.
. "$(dirname "$0")/../library.sh"
program=$root/tests/native/weak/primitives.c

# check MODEL STATUS EXECUTIONS OPTION...
check() {
    local model=$1 status=$2 executions=$3
    shift 3
    expect "$status" "$heddle" check -k --json --algorithm=graph --model="$model" "$@" "$program"
    json ".executions == $executions"
}

for model in tso rc11; do
    check $model 0 3 -DWHAT=0
    check $model 0 2 -DWHAT=1 -DN=3
    check $model 0 2 -DWHAT=2
    check $model 0 20 -DWHAT=2 -DN=3
    check $model 0 3 -DWHAT=3 -DN=3
    check $model 0 6 -DWHAT=4 -DN=3
    check $model 0 2 -DWHAT=6
    check $model 0 10 -DWHAT=7 -DN=3
done
check rc11 1 10 -DWHAT=7 -DN=3 -DORDERED=0
json '.deadlocks == 4'

# An attempt to lock that fails, and a signal, order nothing.
check tso 0 3 -DWHAT=0 -DORDERED=0
check rc11 1 4 -DWHAT=0 -DORDERED=0
json '.errors[0].kind == "assertion"'
check tso 0 2 -DWHAT=6 -DORDERED=0
check rc11 1 3 -DWHAT=6 -DORDERED=0
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=6 -DORDERED=0 "$program"
expect 1 "$heddle" replay kept
says out 'assertion'

check rc11 0 2 -DWHAT=5

# Misuse is found, not refused: only a stale read leads to the unlock.
cat > unlock.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m;
static atomic_int x, y;
static void *writes(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    if (atomic_load_explicit(&y, memory_order_relaxed) && !atomic_load_explicit(&x, memory_order_relaxed))
        pthread_mutex_unlock(&m);
    return pthread_join(t, NULL);
}
END
expect 0 "$heddle" check --model=tso unlock.c
expect 1 "$heddle" check --model=rc11 unlock.c
says out 'unlock of m, a mutex that the thread does not hold, in thread main \[misuse\]'

# Futexes: as many executions as under sequential consistency where the word orders enough. The
# numbers without versions are those of pop.
for options in "" -DLOST; do
    status=$([ -z "$options" ] && echo 0 || echo 1)
    expect "$status" "$heddle" check -k --json $options "$root/tests/native/system/futex_mutex.c"
    counts=$(jq -c '[.executions, .deadlocks]' out)
    for model in sc tso rc11; do
        expect "$status" "$heddle" check -k --json --algorithm=graph --model=$model $options \
            "$root/tests/native/system/futex_mutex.c"
        json "[.executions, .deadlocks] == $counts"
    done
done
program=$root/tests/native/weak/futex.c
acquire=-DLOCKS=memory_order_acquire release=-DUNLOCKS=memory_order_release
for model in sc tso ra rc11; do
    check $model 0 12 -DWHAT=0 $acquire $release
    check $model 1 12 -DWHAT=0 $acquire -DUNLOCKS=memory_order_relaxed
    json '.errors[0].kind == "data-race"'
    check $model 1 12 -DWHAT=0 -DLOCKS=memory_order_relaxed $release
    check $model 0 3 -DWHAT=2
    check $model 1 3 -DWHAT=2 -DPLAIN
    json '.errors[0].kind == "data-race"'
done
# Store buffering of the word and the count: nobody is woken, unless a fence orders both.
check sc 0 5 -DWHAT=1
check tso 1 7 -DWHAT=1
json '.deadlocks == 1'
check rc11 1 7 -DWHAT=1
json '.deadlocks == 1'
check tso 0 5 -DWHAT=1 -DFENCE
check rc11 0 6 -DWHAT=1 -DFENCE
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=1 "$program"
says out 'there is no later wake'
says out 'Hint: this cannot happen with a seq_cst fence before the read at .*futex.c:49'
expect 1 "$heddle" replay kept
says out 'deadlock'

# Waits that time out when nobody else can continue: as many executions as under pop, and the same
# deadlocks. Posts, and who looks at the value, are ordered (6 and 7).
program=$root/tests/native/weak/timed.c
for row in '0 1 3 2' '1 0 3 0' '2 0 3 0' '3 0 1 0' '4 0 3 0' '5 0 3 0' '6 0 6 0' '7 1 12 2' '8 0 1 0'; do
    read -r what status executions deadlocks <<< "$row"
    for model in sc tso rc11; do
        [ "$what-$model" != 2-rc11 ] || executions=4
        check $model "$status" "$executions" -DWHAT="$what"
        json ".deadlocks == $deadlocks"
    done
    case $what in 6 | 7) continue ;; esac
    expect "$status" "$heddle" check -k --json -DWHAT="$what" "$program"
    [ "$what" = 2 ] || json "[.executions, .deadlocks] == [$executions, $deadlocks]"
done
# At any time: whether a wait for a condition does is chosen when it begins.
check sc 0 6 --timeouts=may -DWHAT=2
check sc 1 3 --timeouts=never -DWHAT=2
json '.deadlocks == 1'
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=7 "$program"
expect 1 "$heddle" replay kept
says out 'deadlock'
