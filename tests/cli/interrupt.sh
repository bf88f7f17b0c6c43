#!/bin/bash
# An interruption in the middle of a long run: what was covered is printed, the verdict is
# "incomplete", the exit status 3; a second one ends the process at once.
. "$(dirname "$0")/../library.sh"

long='wx1 / wx2 / wx3 / wx4 / wx5 / wx6 / wx7 / wx8 / wx9 / wx1 / wx2 / wx3'

# Starts heddle in the background with signals as in a foreground job. (A job that a script puts in
# the background ignores SIGINT.)
start() {
    last="$*"
    env --default-signal=INT,TERM "$@" > out 2> err &
    process=$!
    sleep 0.7
}
ended_with() {
    status=0
    wait "$process" || status=$?
    [ "$status" = "$1" ] || fail "exit status $status instead of $1"
}

for signal in INT TERM; do
    start "$heddle" check --program="$long"
    kill -$signal "$process"
    ended_with 3
    says out '^Incomplete: interrupted'
    says out '^Number of complete executions explored: [1-9]'
    says out '^Verdict: incomplete'
done

start "$heddle" check --json --program="$long"
kill -INT "$process"
ended_with 3
json '.verdict == "incomplete" and .executions > 0'

# A bug that was found before stays found.
start "$heddle" check --json -k --program="$long / l0 l0"
kill -INT "$process"
ended_with 1
json '.verdict == "bug" and .errors[0].kind == "deadlock"'

# timeout(1) sends its signal to the process and to its group: one request, and all is saved.
start "$heddle" check --json --checkpoint=saved --program="$long"
kill -TERM "$process"
kill -TERM "$process"
ended_with 3
json '.executions > 0 and .seconds > 0'
expect 3 "$heddle" check --json --resume=saved --max-executions=10

# A batch stops too.
{ echo 'wx1'; echo "$long"; echo 'wx1'; } > programs
start "$heddle" check --batch=programs
kill -INT "$process"
ended_with 3
says err 'interrupted: the remaining programs were not checked'
[ "$(jq -s length < out)" = 2 ] || fail "two answers expected"

# A time budget: the same, and in a batch for each program.
expect 3 "$heddle" check --max-seconds=1 --program="$long"
says out '^Incomplete: stopped by --time-limit'
expect 3 "$heddle" check --max-seconds=1 --batch=programs
[ "$(jq -r .verdict < out | tr '\n' ' ')" = "verified incomplete verified " ] || fail "verdicts"
expect 0 "$heddle" check --max-seconds=9 --program='wx1 / rx'

# A signal is obeyed at every moment of the start: none is lost between two processes.
expect 0 "$heddle" cc -DN=17 -o lastzero "$root/bench/c/lastzero.c"
for moment in 00 05 10 15 20 22 24 26 28 30 32 34 36 38 40 45; do
    "$heddle" check -j 1 ./lastzero > out 2> err &
    process=$!
    # Until it is heddle: before that it is this shell, which would remove the directory of the test.
    while [ "$(readlink /proc/$process/exe)" = "$(readlink /proc/$$/exe)" ]; do :; done
    sleep 0.0$moment
    kill -TERM $process
    status=0
    wait $process 2> /dev/null || status=$?
    [ $status = 3 ] || [ $status = 143 ] || fail "the signal after 0.0$moment s was lost: status $status"
done
