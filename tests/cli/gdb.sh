#!/bin/bash
# heddle replay --gdb: the real gdb at the failing step, backwards and forwards along the schedule, in
# every thread, with the program's own source; and what is said where that is not possible.
. "$(dirname "$0")/../library.sh"

command -v gdb > /dev/null || fail "gdb is not installed"
if ! gdb -nx -batch -ex run -ex 'python print(gdb.selected_inferior().pid)' /bin/true 2>&1 | grep -q 'exited normally'; then
    echo "skipped: processes cannot be traced here"
    exit 0
fi
mkdir temporary
export TMPDIR=$folder/temporary

# record NAME [OPTION…]: the schedule of a program of tests/findings.
record() {
    cp "$root/tests/findings/$1.c" .
    expect 1 "$heddle" check --schedule="$1.schedule" "${@:2}" "$1.c"
}

# debug NAME COMMAND…: gdb's output is in out, each command before what it prints; errors too.
debug() {
    local arguments=() command
    for command in "${@:2}"; do
        arguments+=(-ex "echo > $command\\n" -ex "$command")
    done
    last="heddle replay --gdb $1: ${*:2}"
    timeout 300 "$heddle" replay --gdb "$1.schedule" -- -nx -batch "${arguments[@]}" \
        > out 2>&1 < /dev/null || true
}

# prints COMMAND PATTERN…: what came after the command has lines that match.
prints() {
    awk -v command="> $1" '$0 == command { on = 1; next } /^> / { on = 0 } on' out > part
    for pattern in "${@:2}"; do
        grep -Eq -- "$pattern" part || { cat part; fail "$1 does not print: $pattern"; }
    done
}

# At the failing step, in the program's own frame.
record assertion
debug assertion backtrace 'print seen' 'heddle step' 'heddle back' 'heddle back 2' 'heddle where' \
    'heddle goto 9' 'heddle goto end' 'heddle step'
says out '^before step 9 of 9: main: read counter -> 1  \(assertion.c:21\)$'
says out '^  it fails: assertion failed: atomic_load\(&counter\) == 2, in main, thread main$'
says out '^21	    assert\(atomic_load\(&counter\) == 2\);$'
prints backtrace '^#[0-9]+ .* main \(\) at assertion.c:21$'
[ "$(grep -c '^#' part)" = 1 ] || fail "heddle's own frames are shown"
prints 'print seen' 'No symbol "seen" in current context'
prints 'heddle step' '^in step 9 of 9: main: ' '^  it failed: assertion failed' ' at assertion.c:21$'
prints 'heddle back' '^before step 9 of 9: '
prints 'heddle back 2' '^before step 7 of 9: main: join T1  \(assertion.c:19\)$' '^19	'
prints 'heddle where' '^before step 7 of 9: main: join T1  \(assertion.c:19\)$' '^19	'
prints 'heddle goto 9' '^before step 9 of 9: '
prints 'heddle goto end' '^after the last step, 9: assertion failed' 'after step 4 the error can no longer'

# Every thread, its backtrace and its locals; then on as if nobody had looked.
debug assertion 'heddle goto 5' 'heddle threads' 'heddle thread T2' 'print seen' 'print &seen' \
    'heddle thread main' 'heddle where' 'heddle thread T1' 'heddle thread T3' 'heddle thread T2' next \
    'heddle goto end'
prints 'heddle threads' '^  main  is blocked: join T1  \(assertion.c:19, main\)$' \
    '^\* T1    takes step 5: write counter  \(assertion.c:11, add\)$' \
    '^  T2    is ready: write counter  \(assertion.c:11, add\)$'
prints 'heddle thread T2' '^T2 is ready: write counter$' ' add \(unused=0x0\) at assertion.c:11$' '^seen = 0$'
prints 'print seen' '= 0$'
prints 'heddle thread main' '^main is blocked: join T1$' ' main \(\) at assertion.c:19$' '^other = '
prints 'heddle where' '^before step 5 of 9: T1: ' '^  shown is main$' '^19	'
prints 'heddle thread T1' '^T1 takes step 5: write counter$' ' add \(unused=0x0\) at assertion.c:11$'
prints 'heddle thread T3' '^there is no thread T3; there are main, T1, T2$'
prints next '^T1 continues, in step 5$' 'assertion.c:12$'
prints 'heddle goto end' '^after the last step, 9: assertion failed'

# Until a value changes: of a variable, of a local in its frame; an expression; nothing.
cat > sum.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static int add(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += atomic_load(&left);
    }
    return sum;
}

static void *other(void *unused) {
    (void)unused;
    atomic_store(&left, 3);
    atomic_store(&right, 4);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int sum = add(3);
    pthread_join(thread, NULL);
    assert(sum == 0 || atomic_load(&right) == 0);
}
END
expect 1 "$heddle" check --schedule=sum.schedule sum.c
debug sum 'heddle goto 2' 'heddle until left + right == 7 changes' 'heddle goto 1' 'heddle until right changes' \
    'heddle until right changes' 'heddle goto 1' 'heddle until nothing changes' 'heddle until right' \
    'heddle until left changes' 'heddle goto 2' 'heddle until i changes' 'heddle until i changes' \
    'heddle until i changes'
prints 'heddle until left + right == 7 changes' '^left \+ right == 7: 0 -> 1 in step [0-9]+, T1: write right = 4 '
prints 'heddle until right changes' '^right: 0 -> 4 in step [0-9]+, T1: write right = 4 ' '^right stays 4$'
prints 'heddle until nothing changes' 'No symbol "nothing" in current context'
prints 'heddle until right' 'expected an expression of C, and the word changes'
prints 'heddle until left changes' '^left: 0 -> 3 in step [0-9]+, T1: write left = 3 '
prints 'heddle until i changes' '^i: 0 -> 1 in step 2, main: read left -> 0 ' '^i: 1 -> 2 in step 3, main: ' \
    '^i no longer exists after step 6$'

# A member that has the name of a local is no local: what it belongs to outlives the function.
cat > member.c << 'END'
#include <assert.h>
#include <stdatomic.h>
static struct { atomic_int head; } queue;
static int get(void) {
    int head = atomic_load(&queue.head);
    return atomic_load(&queue.head) + head;
}
int main(void) {
    get();
    atomic_store(&queue.head, 5);
    assert(atomic_load(&queue.head) == 0);
}
END
expect 1 "$heddle" check --schedule=member.schedule member.c
debug member 'heddle goto 2' 'heddle until queue.head changes'
prints 'heddle until queue.head changes' '^queue.head: 0 -> 5 in step 3, main: write queue.head = 5 '

# gdb's own commands: breakpoints are the program's, and next goes along a thread's lines.
debug sum 'break other' 'info breakpoints' 'heddle goto 1' continue 'heddle threads' 'heddle thread main' \
    'heddle thread T1' next next 'heddle where' 'finish' continue \
    continue
prints 'info breakpoints' '^1 .* in other at sum.c:'
prints continue '^Breakpoint 1, other \(' '^  it failed: assertion failed' '^after the last step'
prints next '^17	' '^18	'
prints 'heddle where' '^in step [0-9]+ of [0-9]+: T1: write left = 3 '
prints 'heddle threads' '^  main  has taken step 1  \(sum.c:10, add\)$' '^\* T1    starts in step 1  \(sum.c:1[56], other\)$'
prints 'heddle thread main' '^main has taken step 1$' ' main \(\) at sum.c:25$'

# A deadlock: where each thread stands, and who holds what.
record deadlock
debug deadlock 'heddle threads' 'heddle thread T1' next 'heddle back' 'heddle threads'
says out '^after the last step, 3: deadlock: 2 threads are blocked forever$'
says out '^  deadlock.c:20: main waits for right, held by T1 since step 3 \(deadlock.c:9\)$'
says out '^  cycle: main -> T1 -> main$'
prints 'heddle thread T1' '^T1 is blocked: lock left$' ' backwards \(unused=0x0\) at deadlock.c:10$'
prints next '^the replay is over; '
prints 'heddle back' '^before step 3 of 3: T1: lock right  \(deadlock.c:9\)$'
prints 'heddle threads' '^\* main  is blocked: lock right  \(deadlock.c:20, main\)$' \
    '^          holds left since step 2$' '^  T1    is blocked: lock left  \(deadlock.c:10, backwards\)$' \
    '^          holds right since step 3$' '^\* T1    takes step 3: lock right '

# A crash, a race, memory errors: before the step, and where it fails.
record crash
debug crash 'heddle step' 'print seen' 'continue' 'print seen'
says out '^  it fails: segmentation fault at address'
prints 'heddle step' '^  it failed: segmentation fault' ' main \(\) at crash.c:19$'
prints 'print seen' '= \(int \*\) 0x0$'
prints continue '^after the last step, 3: segmentation fault' ' main \(\) at crash.c:19$'
[ "$(grep -c '= (int \*) 0x0$' out)" = 2 ] || fail "the crashed thread is not shown after the end"
record data-race
debug data-race 'heddle step' next
says out '^before step 4 of 4: T1: write total = 1  \(data-race.c:10\)$'
prints 'heddle step' '^  it failed: data race on total' ' add \(unused=0x0\) at data-race.c:10$'
prints next '^11	'
record use-after-free
debug use-after-free 'heddle step'
prints 'heddle step' '^  it failed: use after free: write of 4 bytes' ' main \(\) at use-after-free.c:18$'
record leak --leaks=error
debug leak 'heddle back'
says out '^after the last step, 5: memory leak: '
prints 'heddle back' '^20	'

# A step that does not end is left to gdb's commands.
record hang
debug hang 'heddle step' 'heddle goto end' next 'heddle back'
prints 'heddle step' '^step 2 does not end '
prints 'heddle goto end' '^step 2 does not end '
prints next '^17	'
prints 'heddle back' '^before step 2 of 2: '

# The document's session gives what the document says, but for addresses, and numbers of frames, which
# depend on how heddle was compiled.
plain() { sed -E 's/0x[0-9a-f]+/0x…/g; s/^> /(gdb) /; s/^#[0-9]+ /# /' "$1"; }
awk '/^\$ heddle replay --gdb bug$/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/DEBUGGING.md" > wanted
mkdir examples
cp "$root/examples/bank.c" examples
expect 1 "$heddle" check --schedule=bank.schedule examples/bank.c
mapfile -t commands < <(sed -n 's/^(gdb) //p' wanted)
[ "${#commands[@]}" -ge 7 ] || fail "docs/DEBUGGING.md has no session"
debug bank "${commands[@]}"
diff <(plain wanted) <(plain out) || fail "docs/DEBUGGING.md differs"

# Mistakes.
debug assertion 'heddle goto 10' 'heddle goto 11' 'heddle goto x' 'heddle step 0' 'heddle goto 1' 'heddle back' \
    kill 'heddle step' 'heddle goto 3'
prints 'heddle goto 10' '^after the last step, 9'
prints 'heddle goto 11' 'expected a step from 1 to 9, or end$'
prints 'heddle goto x' 'expected a step from 1 to 9, or end$'
prints 'heddle back' '^the schedule begins with step 1$'
prints 'heddle step' '^the program does not run; heddle goto N starts it again$'
prints 'heddle goto 3' '^before step 3 of 9: '

# A schedule on standard input, from another directory, for a program that heddle cc linked, by a copy of
# heddle that is alone; what gdb needed is removed.
expect 0 "$heddle" cc assertion.c -o linked
expect 1 "$heddle" check --schedule=linked.schedule ./linked
mkdir alone
cp "$heddle" alone/heddle
cd alone
./heddle replay --gdb - -- -nx -batch -ex 'heddle goto 3' < ../linked.schedule > ../out 2>&1
cd ..
says out '^before step 3 of 9: T2: read counter -> 0  \(assertion.c:10\)$'
[ -z "$(ls temporary)" ] || fail "left behind: $(ls temporary)"

# A weak memory model: before a step that reads an old value, memory has that one, and the latest one otherwise.
cp "$root/tests/findings/weak/store-buffer.c" .
expect 1 "$heddle" check --model=tso --schedule=weak.schedule store-buffer.c
debug weak 'print wants' 'heddle back' 'print wants[0]' 'heddle thread T1' 'heddle goto 2' 'heddle until wants[0] changes'
says out '^  it fails: assertion failed'
prints 'print wants' '= \{1, 1\}$'
prints 'heddle back' '^before step 6 of 7: T1: read wants\[0\] -> 0 \(old; step 2 is newer\)'
prints 'print wants[0]' '= 0$'
prints 'heddle thread T1' '^T1 takes step 6: read wants\[0\]' ' other \(unused=0x0\) at store-buffer.c:16$'
prints 'heddle until wants[0] changes' '^before step 3 of 7: '

# What cannot be debugged.
expect 1 "$heddle" check --schedule=abstract.schedule --program='l0 l0'
expect 2 "$heddle" replay --gdb abstract.schedule
says err 'an abstract program has no machine code to debug; heddle replay shows its steps'
expect 2 "$heddle" replay --gdb --html=page.html assertion.schedule
says err '^heddle: replay: --gdb writes no reports; leave out --html and similar options$'
expect 2 "$heddle" replay --gdb --json assertion.schedule
json '.verdict == "error" and (.message | test("--gdb writes no reports"))'
expect 2 "$heddle" replay assertion.schedule -- -batch
says err 'arguments after -- are for gdb, with --gdb'
mkdir bin
ln -s "$(command -v sh)" bin/sh
expect 2 env PATH="$folder/bin" "$heddle" replay --gdb assertion.schedule
says err 'there is no gdb; on Debian: apt-get install gdb$'
printf '#!/bin/sh\necho "Python scripting is not supported in this copy of GDB." >&2\n' > bin/gdb
chmod +x bin/gdb
expect 2 env PATH="$folder/bin" "$heddle" replay --gdb assertion.schedule
says err 'this gdb cannot run commands in Python; on Debian the package gdb can'
sed -i 's/seen + 1/seen + 2/' assertion.c
expect 2 "$heddle" replay --gdb assertion.schedule -- -batch
says err 'diverged at step [0-9]+: recorded was "write counter = 1", now it is "write counter = 2"'
