#!/bin/bash
# Files that were changed at random: schedules, abstract programs, objects, linked programs. heddle
# says what is wrong with them, or does with them what they say now; it does not crash or hang.
# HEDDLE_MUTATIONS=N makes N of each.
. "$(dirname "$0")/../library.sh"

runs=${HEDDLE_MUTATIONS:-25}
seed=${HEDDLE_SEED:-1}
gcc -O1 -o mutate "$root/tests/native/hostile/mutate.c"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=abort_on_error=1

cat > lost.heddle << 'EOF'
param N = 2;
shared x = 0;
mutex m;
thread p(i in 1..N) {
    local t = x;
    lock(m);
    x = t + i;
    unlock(m);
}
thread main {
    join p(1);
    join p(2);
    assert(x == 3);
}
EOF
cat > lost.c << 'EOF'
#include <assert.h>
#include <pthread.h>
int x;
static void *run(void *unused) {
    __atomic_store_n(&x, __atomic_load_n(&x, 5) + 1, 5);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    run(0);
    pthread_join(thread, 0);
    assert(x == 2);
    return 0;
}
EOF
expect 1 "$heddle" check --schedule=schedule lost.heddle
expect 0 "$heddle" cc -g -c lost.c
expect 0 "$heddle" cc -g -o program lost.o
expect 1 "$heddle" check --schedule=native-schedule program

# campaign FILE NAME COMMAND…
campaign() {
    expect 0 ./mutate "$runs" "$seed" "$@"
    echo "$1: $(tail -n 1 out)"
}

limits="--time-limit=5s --max-steps=10000 --max-executions=1000 --watchdog=1"
campaign schedule changed "$heddle" replay --time-limit=5s changed
campaign native-schedule changed "$heddle" replay --watchdog=1 --time-limit=5s changed
campaign lost.heddle changed.heddle "$heddle" check $limits changed.heddle
campaign lost.o changed.o "$heddle" check $limits changed.o
campaign program changed-program "$heddle" check $limits changed-program
echo passed
