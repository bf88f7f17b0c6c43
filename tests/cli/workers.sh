#!/bin/bash
# Several workers (-j): the result is that of one, whoever did what, and whoever died.
. "$(dirname "$0")/../library.sh"
export HEDDLE_WORKERS_DELAY_MS=0 HEDDLE_WORKERS_EAGER=1
facts='del(.seconds, .peak_bytes, .workers)'

# The same counts and findings with any number, with the work moved after every execution.
same() {
    local status=0 wanted
    "$heddle" check -j 1 --json "$@" > one 2> err < /dev/null || status=$?
    wanted=$(jq "$facts" one)
    for jobs in 2 3 7; do
        expect $status "$heddle" check -j $jobs --json "$@"
        [ "$(jq "$facts" out)" = "$wanted" ] || fail "-j $jobs differs"
    done
}

same --program='wx1 / wx2 / rx / rx ry / wy1 / ry rx'
same -k --program='l0 l1 u1 u0 / l1 l0 u0 u1 / l0 u0 / l1 u1'
same --program='l0 l1 u1 u0 / l1 l0 u0 u1 / wx1 rx / wx2 rx'
same -DN=10 "$root/bench/c/lastzero.c"
same -DN=3 "$root/bench/c/dispatcher.c"
same -DN=3 "$root/bench/c/lamport.c"
# Threads that create threads: workers that know more of them than the giver of the work.
same -DN=4 "$root/bench/c/figure10.c"
# What is known about loops with plain reads, which comes with all work, is kept once.
cat > rounds.heddle << 'END'
plain x;
shared f, g, h, k;
thread p { f = 1; g = 1; h = 1; }
thread q { local v; while (!f) { v = x; } g = 2; k = 1; }
thread r { local v; while (!g) { v = x; } h = 2; k = 2; }
thread s { h = 3; k = 3; }
END
same rounds.heddle
cat > errors.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int x, y;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *none) {
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_lock(&b);
    y = x;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return none;
}
static void *other(void *none) {
    pthread_mutex_lock(&b);
    y++;
    pthread_mutex_lock(&a);
    assert(x != 1 || y != 1);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    int *lost = malloc(4);
    *lost = y;
    free(lost);
    return none;
}
int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, i & 1 ? other : one, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
}
END
same errors.c
same -k errors.c
same -k --max-steps=12 errors.c

# Memory that turns out to be shared makes everything start over.
same -k "$root/tests/native/counts/escaped_late.c"

# Plain accesses that race become steps; every worker has to know.
same -k --program='wX1 l0 wy1 u0 rx / rX l0 ry u0 wx1 / wx2 wX2 ry'
expect 0 "$heddle" check -j 2 --json --program='S2.1 / S2.2 / M'
json '.notes | any(startswith("one worker: programs that send"))'

# Algorithms without work to share have one worker, and say so.
expect 0 "$heddle" check -j 2 --json --algorithm=optimal --program='wx1 / rx / rx'
json '.executions == 4 and (.notes | any(startswith("one worker: ")))'
expect 0 "$heddle" check -j 2 --json -DN=5 "$root/bench/c/merge_sort.c"
json '.algorithm == "optimal" and (.notes | any(startswith("one worker: the algorithm")))'

# A worker that is killed costs time, and is named.
unset HEDDLE_WORKERS_EAGER
"$heddle" check -j 1 --json -DN=14 "$root/bench/c/lastzero.c" > one
for which in 1 2; do
    "$heddle" check -j 3 --json -DN=16 "$root/bench/c/lastzero.c" > out 2> err < /dev/null &
    running=$!
    killed=
    for ((tries = 0; tries < 500; tries++)); do
        mapfile -t workers < <(tr ' ' '\n' < "/proc/$running/task/$running/children" | grep .) ||
            true
        [ ${#workers[@]} -ge 3 ] && { killed=${workers[$which]}; break; }
        sleep 0.02
    done
    sleep 0.1
    [ -n "$killed" ] && kill -KILL "$killed" 2> /dev/null || true
    last="a worker killed"
    wait $running || fail "exit status $?"
    json '.verdict == "verified" and .executions == 311296 and .events == 1753051'
done

# An execution that ends every process that explores it is named, and can be replayed.
cat > deadly.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include "raw.h"
#include <signal.h>
#include <sys/syscall.h>
static atomic_int x[6];
static void *writer(void *mine) {
    *(atomic_int *)mine = 1;
    return NULL;
}
int main(void) {
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) {
        pthread_create(&threads[i], NULL, writer, &x[i]);
    }
    int seen = 0;
    for (int i = 0; i < 6; i++) {
        seen = seen * 2 + x[i];
    }
    if (seen == 0x15) {
        raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGKILL, 0, 0);
    }
    for (int i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
    }
}
END
expect 3 "$heddle" check -j 2 --json --schedule=deadly.schedule "-I$root/tests/native/hostile" deadly.c
json '.verdict == "incomplete" and (.message | test("signal 9"))'
json '.warnings | any(test("every process that explored it"))'
expect 3 "$heddle" check -j 1 "-I$root/tests/native/hostile" deadly.c
says err '^Note: with -j 2 the work is done again'
expect 3 "$heddle" replay deadly.schedule
says out 'Replayed 15 steps as recorded; the last one ended the process'
says out '^ *>? *15  read x\[5\] '
says err 'signal 9 .* in main, after the operation at deadly.c:18'
expect 3 "$heddle" replay --json deadly.schedule
json '.verdict == "incomplete" and .errors[0].kind == "unfinished"'
# The same in a thread of a thread, which has a number of its own in each process, after accesses that
# are no steps; and before the first step, where there is no schedule.
cat > nested.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include "raw.h"
#include <signal.h>
#include <sys/syscall.h>
static atomic_int x, y;
static int plain[3];
static void *leaf(void *mine) {
    if (mine ? x++ : y++) {
        return NULL;
    }
    plain[mine != NULL] = 1;
    if (mine && y) {
        raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGKILL, 0, 0);
    }
    return NULL;
}
static void *middle(void *none) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, leaf, NULL);
    pthread_create(&threads[1], NULL, leaf, none);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return NULL;
}
int main(int argc, char **argv) {
    if (argc > 1) {
        raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGKILL, 0, 0);
    }
    pthread_t other;
    pthread_create(&other, NULL, middle, argv);
    middle(argv);
    pthread_join(other, NULL);
}
END
expect 3 "$heddle" check -j 2 --schedule=deadly.schedule "-I$root/tests/native/hostile" nested.c
expect 3 "$heddle" replay deadly.schedule
says out 'the last one ended the process'
expect 3 "$heddle" check -j 2 "-I$root/tests/native/hostile" nested.c -- 1
says err 'signal 9 .* in main'

# An abstract program whose only workers are always killed from outside: what they did can be seen again, and
# does nothing. The execution is longer than what is kept of one. A busy machine gets more time.
cat > long.heddle << 'END'
shared x[3] = 0, y = 0;
thread t(j in 1..2) {
    local i = 1900000;
    while (i) { x[j] = i; i--; }
    y = j;
}
END
for pause in 0.3 1 3 9; do
    "$heddle" check -j 2 --schedule=long.schedule long.heddle > out 2> err < /dev/null &
    running=$!
    while sleep $pause && kill -0 $running 2> /dev/null; do
        kill -KILL $(cat /proc/$running/task/$running/children 2> /dev/null) 2> /dev/null || true
    done
    status=0
    wait $running || status=$?
    [ $status = 3 ] && [ -s long.schedule ] && break
done
last="workers killed in a long execution"
says err 'has the beginning of its schedule'
expect 0 "$heddle" replay long.schedule
says out '^Replayed 65536 steps as recorded'
says out '^They did not end this process'

# Workers that are killed again and again, but not in the same work, cost time.
"$heddle" check -j 3 --json -DN=16 "$root/bench/programs/lastzero.heddle" > out 2> err < /dev/null &
running=$!
for ((tries = 0; tries < 40; tries++)); do
    sleep 0.05
    mapfile -t workers < <(tr ' ' '\n' < "/proc/$running/task/$running/children" 2> /dev/null | grep .) || true
    [ ${#workers[@]} = 0 ] || kill -KILL "${workers[tries % ${#workers[@]}]}" 2> /dev/null || true
done
last="workers killed again and again"
wait $running || fail "exit status $?"
json '.verdict == "verified" and .executions == 311296 and .events == 1753034'

# Workers that are stopped, whether they explore or wait for work, are ended and their work is done by the
# first one.
env -u HEDDLE_WORKERS_EAGER "$heddle" check --json --watchdog=1 -j 7 -DN=11 \
    "$root/bench/programs/circular-buffer.heddle" > stopped 2> stopped.err < /dev/null &
stopped=$!
sleep 1
kill -STOP $(cut -d ' ' -f 2- /proc/$stopped/task/$stopped/children) 2> /dev/null || true

# Interruptions and time limits end all of them, with what was covered. A busy machine gets more time.
expect 0 "$heddle" cc -o lastzero -DN=24 "$root/bench/c/lastzero.c"
for seconds in 1 4 16 64; do
    expect 3 "$heddle" check -j 3 --time-limit=${seconds}s --json ./lastzero
    jq -e '.executions > 1000' out > /dev/null && break
done
json '.workers >= 1 and .workers <= 3'
json '.verdict == "incomplete" and .executions > 1000'
for seconds in 1 4 16 64; do
    "$heddle" check -j 3 --json ./lastzero > out 2> err < /dev/null &
    running=$!
    sleep $seconds
    kill -INT $running
    last="an interrupt"
    status=0
    wait $running || status=$?
    [ $status = 3 ] || fail "exit status $status"
    jq -e '.executions > 100' out > /dev/null && break
done
json '.verdict == "incomplete" and .executions > 100'

# How many executions there are is estimated from the work of all, also while it moves between them: what
# was done so far, of 184,756, is no estimate.
unset HEDDLE_WORKERS_EAGER
for jobs in 2 3 2 3; do
    expect 3 env HEDDLE_FORECAST_MS=5 HEDDLE_STOP_AFTER=3000 "$heddle" check -k -j $jobs --json -DN=10 \
        "$root/bench/programs/circular-buffer.heddle"
    json '.estimate == null or .estimate.high > 1.1 * .executions'
    json '.estimate == null or (.estimate.low >= .executions and .estimate.executions >= .executions)'
done

last="stopped workers"
wait $stopped || fail "exit status $?"
cp stopped out
json '.verdict == "verified" and .executions == 705432'
