#!/bin/bash
# heddle-mpi: four ranks find what one process finds, whoever does what, and whoever dies.
. "$(dirname "$0")/../library.sh"

if ! command -v mpirun > /dev/null || ! command -v mpicc > /dev/null; then
    echo "skipped: openmpi-bin and libopenmpi-dev are not installed"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HEDDLE_WORKERS_DELAY_MS=0
ranks() { mpirun -q --oversubscribe -n 4 "${heddle%/*}/heddle-mpi" check "$@"; }
facts='del(.seconds, .peak_bytes, .workers)'

same() {
    local status=0 wanted
    "$heddle" check -j 1 --json "$@" > one 2> err < /dev/null || status=$?
    wanted=$(jq "$facts" one)
    expect $status ranks --json "$@"
    [ "$(jq "$facts" out)" = "$wanted" ] || fail "four ranks differ from one process"
}

# The work moves after every execution. Threads that create threads have their numbers from rank 0.
cat > nested.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *leaf(void *second) {
    pthread_mutex_lock(second ? &a : &b);
    pthread_mutex_lock(second ? &b : &a);
    x = 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}
static void *middle(void *none) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, leaf, i ? &x : NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return none;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, middle, NULL);
    middle(NULL);
    pthread_join(other, NULL);
}
END
HEDDLE_WORKERS_EAGER=1 same -k --program='l0 l1 u1 u0 / l1 l0 u0 u1 / l0 u0 / l1 u1 / wX1 / rX'
HEDDLE_WORKERS_EAGER=1 same -k nested.c
same --program='l0 l1 u1 u0 / l1 l0 u0 u1 / wx1 rx / wx2 rx'
same -DN=14 "$root/bench/c/lastzero.c"

# Work that there is no room for goes to a file of rank 0.
cat > comb.c << 'END'
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char chosen;
int main(void) {
    for (int i = 0; i < 100; i++) {
        chosen = __VERIFIER_nondet_uchar();
        if (chosen != 1) {
            return 0;
        }
    }
}
END
HEDDLE_STORE_BYTES=0 same --memory-limit=6M comb.c

# What is wrong is said once.
expect 2 ranks --nonsense
[ "$(grep -c 'unknown option' err)" = 1 ] || fail "said more than once"

# mpirun with these arguments, and `process`: what the given function finds of it.
children() { cat "/proc/$1/task/"*/children 2> /dev/null; }
start() {
    local find=$1
    shift
    mpirun -q --oversubscribe --mca odls_base_sigkill_timeout 0 -n 4 "${heddle%/*}/heddle-mpi" \
        check "$@" > out 2> err < /dev/null &
    running=$! process=
    for ((tries = 0; tries < 6000 && !${#process}; tries++)); do
        process=$($find $running) || true
        sleep 0.01
    done
    [ -n "$process" ] || fail "nothing to be killed"
}

# Waits for mpirun, and sets its exit status. If it hangs, what its processes do is shown.
finish() {
    last=$1 status=0
    for ((tries = 0; tries < 3000; tries++)); do
        if ! is_there $running; then
            wait $running || status=$?
            return
        fi
        sleep 0.1
    done
    ps -eo pid,ppid,stat,wchan:20,args | grep -E 'mpirun|heddle'
    kill -KILL $running $(for relay in $(children $running); do echo "$relay"; children "$relay"; done)
    fail "mpirun hangs"
}

# A process that has ended may stay as a zombie.
is_there() { [ -e "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null; }

# A worker that is killed on another rank is named, and its work done again.
remote_worker() {
    local relays supervisor
    read -r -a relays <<< "$(children "$1")"
    [ ${#relays[@]} = 4 ] && read -r supervisor _ <<< "$(children "${relays[3]}")" &&
        children "$supervisor"
}
start remote_worker --json -DN=17 "$root/bench/programs/lastzero.heddle"
sleep 0.1
kill -KILL $process
finish "a worker killed"
[ $status = 0 ] || fail "exit status $status"
json '.verdict == "verified" and .executions == 655360'
json '.warnings | any(test("on rank [123]"))'

# A rank that is lost ends the job, but not what was done: resumed anywhere, it comes to the same end,
# although mpirun kills all ranks at once.
saved_rank() { [ -s state ] && children "$1" | tr ' ' '\n' | grep . | tail -1; }
HEDDLE_CHECKPOINT_MS=50 start saved_rank --checkpoint=state -DN=17 "$root/bench/programs/lastzero.heddle"
supervisors=$(for relay in $(children $running); do children "$relay"; done)
kill -KILL $process
finish "a rank killed"
[ $status != 0 ] || fail "exit status 0"
for supervisor in $supervisors; do # rank 0 may still write
    while is_there "$supervisor"; do sleep 0.01; done
done
HEDDLE_STOP_AFTER=1000 expect 3 ranks --resume=state
expect 0 "$heddle" check --json -j 2 --resume=state
json '.verdict == "verified" and .executions == 655360 and .events == 3669959'

# A rank that is stopped, or the heddle there, is ended with the job after the report. All ranks must have started
# before: MPI waits forever for a rank that is stopped while they do. They have, when a worker of the last one has
# computed for a while.
last_of() { children "$1" | tr ' ' '\n' | grep . | tail -1; }
computing_rank() {
    local rank supervisor worker spent
    rank=$(last_of "$1") && supervisor=$(last_of "$rank") && worker=$(last_of "$supervisor") &&
        spent=$(cut -d ' ' -f 14 "/proc/$worker/stat") && [ "$spent" -ge 20 ] && echo "$rank"
}
computing_heddle() {
    local rank
    rank=$(computing_rank "$1") && last_of "$rank"
}
for which in computing_rank computing_heddle; do
    HEDDLE_MPI_PATIENCE_MS=500 start $which --json -DN=24 "$root/bench/programs/lastzero.heddle"
    kill -STOP "$process"
    read -r first _ <<< "$(children $running)"
    kill -TERM "$first"
    finish "$which stopped"
    [ $status = 3 ] || fail "exit status $status"
    json '.verdict == "incomplete" and .executions > 0'
    [ $which = computing_heddle ] || says err 'rank [123] does not respond, and is ended with the job'
done

# Without MPI nothing else changes.
expect 2 make -s -C "$root" mpi MPICC=no-such-compiler
says err 'libopenmpi-dev'
expect 0 make -n -C "$root" all MPICC=no-such-compiler
