#!/bin/bash
# Whatever a program does to the process that runs it, heddle says what happened, with the right
# exit status and one valid JSON object; and it can be ended at any moment, leaving no files.
. "$(dirname "$0")/../library.sh"

hostile=$root/tests/native/hostile
export TMPDIR=$folder/temporary
mkdir "$TMPDIR"
left_nothing() { [ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"; }

# answers STATUS VERDICT PATTERN ARGUMENT…: what check says, on standard error and in JSON
answers() {
    local status=$1 verdict=$2 pattern=$3
    shift 3
    expect "$status" "$heddle" check --json --watchdog=1 "$@"
    [ "$(wc -l < out)" = 1 ] || fail "one line expected"
    json ".verdict == \"$verdict\" and .version != null"
    { cat err; jq -r '.message, .warnings[], .errors[].message' out; } > told
    says told "$pattern"
    left_nothing
}

# ---- programs that end or damage the process ----
if [ "$(uname -m)" = x86_64 ]; then
    act() { local number=$1; shift; answers "$@" "-DACT=$number" --no-race-check "$hostile/acts.c"; }
    act 1 2 unsupported 'ended the process that runs it \(exit status 0\) in T1, after the operation at .*acts\.c:[0-9]+'
    act 2 2 unsupported 'ended the process that runs it \(exit status 0\) in T1'
    act 3 3 incomplete 'ended by signal 9 \(Killed\) in T1, after the operation at .*acts\.c'
    act 4 3 incomplete 'ended by signal 9'
    act 5 2 unsupported 'has closed the descriptor that heddle reports through'
    act 6 3 incomplete 'was reached: syscall'
    act 7 3 incomplete 'ended by signal 9 \(Killed\) while the program was explored'
    act 8 3 incomplete 'was reached: syscall'
    act 9 3 incomplete 'was reached: syscall'
    act 10 3 incomplete 'was reached: syscall'
    act 11 2 unsupported 'stopped responding in T1'
    act 12 2 unsupported 'has closed the descriptor that heddle reports through'
    act 15 2 unsupported 'ended the process that runs it \(exit status 70\) in T1'
    act 16 70 error 'no verdict: .* has sent invalid data'
    act 17 3 incomplete 'interrupted|was reached: syscall'

    # What was found before is not lost.
    rm -f found
    answers 1 bug 'ended the process that runs it \(exit status 0\) in T[0-9]' -k --schedule=found \
        -DENDS '-DORDER={1,2,3,4,0,5,6}' "$hostile/orders.c"
    json '.errors[0].kind == "assertion" and .executions > 1000'
    expect 1 "$heddle" replay found

    # Before and after main.
    phase() { local number=$1; shift; answers "$@" "-DACT=$number" "$hostile/phases.c"; }
    phase 1 2 unsupported 'ended the process that runs it \(exit status 0\)'
    phase 2 2 unsupported 'ended by signal 6'
    phase 3 1 bug 'infinite loop'
    phase 4 1 bug 'segmentation fault'
    phase 5 2 unsupported 'ended the process that runs it \(exit status 0\) in main'
fi

# What a program does to locale and streams is its own affair.
answers 1 bug 'output' "$hostile/output.c"
json '.seconds < 60'

# ---- one JSON object, whatever happens ----
echo 'int main(void) { return x; }' > wrong.c
answers 2 error 'the program does not compile' wrong.c
answers 2 error 'cannot read none.c' none.c
answers 2 error 'unknown algorithm fastest' --algorithm=fastest --program=wx1
answers 2 error 'unknown option --nonsense' --nonsense --program=wx1
answers 2 error 'name a file'
printf 'int fork(void);\nint main(void) { return fork(); }\n' > forks.c
answers 2 unsupported 'unsupported: fork at forks.c:2' forks.c

# ---- files that are not reports are not overwritten ----
echo precious > notes
expect 2 "$heddle" check --schedule=notes --program='l0 l0'
says err 'notes exists and is not a schedule: name another file, or remove it'
expect 2 "$heddle" check --json=notes --program='l0 l0'
says err 'notes exists and is not a JSON report of heddle'
[ "$(cat notes)" = precious ] || fail "overwritten"
for i in 1 2; do
    expect 1 "$heddle" check --schedule=kept --json=kept.json --program='l0 l0'
done

# ---- a schedule does not choose the command that is run ----
printf 'int main(void) { __builtin_trap(); }\n' > traps.c
expect 1 "$heddle" check --schedule=trap traps.c
printf '#!/bin/sh\ntouch was-here\n' > evil
chmod +x evil
sed "s,^file.*,&\ncompiler $PWD/evil," trap > evil-trap
expect 2 "$heddle" replay evil-trap
says err 'made with another compiler; to run it, repeat: --cc='
[ ! -e was-here ] || fail "the compiler of a file was run"
expect 1 "$heddle" replay trap
sed 's,^file.*,&\nflag -fplugin=./evil.so,' trap > evil-trap
expect 2 "$heddle" replay evil-trap
says err 'passes -fplugin=./evil.so to the compiler, which may run other commands'
sed 's,^file.*,&\nflag -Wl\,-O1,' trap > flag-trap
expect 2 "$heddle" replay flag-trap
expect 1 "$heddle" replay --cc=gcc flag-trap

# ---- signals and time limits, in every phase ----
cat > slow << 'EOF'
#!/bin/sh
touch started
sleep 1000 &
exec sleep 1000
EOF
chmod +x slow
cat > endless.c << 'EOF'
__attribute__((constructor)) static void before(void) {
#ifdef CONSTRUCTOR
    for (volatile long i = 0;; i++) {
    }
#endif
}
int main(void) {
    for (volatile long i = 0;; i++) {
    }
}
EOF

# ended_by SIGNAL STATUS ARGUMENT…: after it has started to work
ended_by() {
    local signal=$1 wanted=$2 status=0
    shift 2
    rm -f started
    last="heddle check $* (SIG$signal)"
    env --default-signal "$heddle" check --watchdog=1000 "$@" > out 2> err < /dev/null &
    local process=$!
    until [ -e started ] ||
        grep -q 'program\.so' /proc/"$(worker_of $process)"/maps; do
        sleep 0.05
    done 2> /dev/null
    kill -s "$signal" "$process"
    wait "$process" || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status instead of $wanted"
    left_nothing
}
ended_by INT 3 --cc="$PWD/slow" endless.c
says err 'interrupted while the program was built'
ended_by TERM 3 --cc="$PWD/slow" endless.c
ended_by HUP 3 --cc="$PWD/slow" endless.c
ended_by USR1 138 --cc="$PWD/slow" endless.c
ended_by INT 3 -DCONSTRUCTOR endless.c
ended_by TERM 3 endless.c
ended_by QUIT 131 endless.c
sleep 0.2
! pgrep -f "sleep 1000" -s 0 > /dev/null || fail "a compiler still runs"

answers 3 incomplete 'time limit .--time-limit. was reached while the program was built' \
    --time-limit=1s --cc="$PWD/slow" endless.c
expect 0 "$heddle" cc -o endless endless.c
answers 3 incomplete 'stopped by --time-limit' --time-limit=1s --watchdog=1000 ./endless
answers 3 incomplete 'stopped by --time-limit' --time-limit=1s \
    --program='wx1 / wx2 / wx3 / wx4 / wx5 / wx6 / wx7 / wx8 / wx9 / wx1 / wx2 / wx3'
expect 2 "$heddle" check --time-limit=soon --program=wx1
says err 'expected a time such as 10s, 5m or 2h'

# After a signal that cannot be caught, the process that works ends too, and the next run cleans up.
rm -f started
"$heddle" check --cc="$PWD/slow" endless.c > out 2> err < /dev/null &
process=$!
until [ -e started ]; do sleep 0.05; done
children=$(cat "/proc/$process/task/$process/children")
kill -KILL "$process"
wait "$process" 2> /dev/null || true
for child in $children; do
    while kill -0 "$child" 2> /dev/null; do sleep 0.05; done
done
[ -n "$(ls "$TMPDIR")" ] || fail "nothing to clean up"
expect 1 "$heddle" check traps.c
left_nothing

# A worker that no longer answers is noticed.
"$heddle" check -j 1 --watchdog=1 --program='wx1 / wx2 / wx3 / wx4 / wx5 / wx6 / wx7 / wx8 / wx9 / wx1 / wx2 / wx3' \
    > out 2> err < /dev/null &
process=$!
until child=$(worker_of $process) && [ -n "$child" ]; do sleep 0.05; done
sleep 0.5
kill -STOP $child
status=0
wait "$process" || status=$?
last="a stopped worker"
[ $status = 70 ] || fail "exit status $status instead of 70"
says err 'stopped responding while the program was explored'

# ---- random writes into the memory of the process that works ----
if [ "${HEDDLE_CORRUPTIONS:-20}" != 0 ] && [ "$(uname -m)" = x86_64 ]; then
    gcc -O1 -o corrupt "$hostile/corrupt.c"
    "$heddle" cc -g '-DORDER={1,2,3,4,0,5,6}' -o orders "$hostile/orders.c"
    expect 0 ./corrupt "${HEDDLE_CORRUPTIONS:-20}" 1 50000 "$heddle" check -j 1 --json --watchdog=1 orders
    says out ' 0 wrong$'
fi
echo passed
