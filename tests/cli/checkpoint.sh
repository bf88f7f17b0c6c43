#!/bin/bash
# Checkpoints: an exploration that is interrupted anywhere and resumed, as often as one likes, has the
# result of one that was not; and a file is refused if it is not what it should be.
. "$(dirname "$0")/../library.sh"
export HEDDLE_WORKERS_DELAY_MS=0
facts='del(.seconds, .peak_bytes, .workers)'

# After so many executions, again and again, with that number of workers from the second time on.
interrupted() {
    local jobs=$1 executions=$2 times=0 status=0
    shift 2
    rm -f file
    "$heddle" check --json --checkpoint=file --max-executions="$executions" "$@" > out 2> err \
        < /dev/null || status=$?
    while jq -e '.warnings | any(test("max-executions|^interrupted"))' out \
        > /dev/null; do
        status=0
        last="resume $((++times)) after $executions executions, -j $jobs: $*"
        [ $times -lt 400 ] || fail "no end"
        if [ "$jobs" = 1 ]; then
            "$heddle" check --json --resume=file --max-executions="$executions" > out 2> err \
                < /dev/null || status=$?
        else
            HEDDLE_WORKERS_EAGER=1 HEDDLE_STOP_AFTER=$executions \
                "$heddle" check --json --resume=file -j "$jobs" > out 2> err < /dev/null || status=$?
        fi
    done
    [ $status = "$wanted_status" ] || fail "exit status $status instead of $wanted_status"
    # What is finished is reported again; a report that was interrupted, too, may say less.
    [ "$jobs" != 1 ] || [ "$(jq "$facts" out)" = "$wanted" ] || fail "the result differs"
    status=0
    "$heddle" check --json --resume=file > out 2> err < /dev/null || status=$?
    [ $status = "$wanted_status" ] || fail "exit status $status of the finished file"
    [ "$(jq "$facts" out)" = "$wanted" ] || fail "the finished file differs"
}

same() {
    local each=$1
    shift
    wanted_status=0
    "$heddle" check --json "$@" > one 2> err < /dev/null || wanted_status=$?
    wanted=$(jq "$facts" one)
    for executions in $each; do
        interrupted 1 "$executions" "$@"
        interrupted 3 "$executions" "$@"
    done
}

same "1 7" --program='wx1 / wx2 / rx / rx ry / wy1'
same "5" -k --program='l0 l1 u1 u0 / l1 l0 u0 u1 / l0 u0 / l1 u1'
same "2" --program='l0 l1 u1 u0 / l1 l0 u0 u1 / wx1 rx / wx2 rx'
# Places that race become steps: what was done before is forgotten.
same "6" -k --program='wX1 l0 wy1 u0 rx / rX l0 ry u0 wx1 / wx2 wX2 ry'
same "333" -DN=9 "$root/bench/c/lastzero.c"
same "60" -DN=3 "$root/bench/c/dispatcher.c"
same "11" -DN=4 "$root/bench/c/figure10.c"
same "3" -k "$root/tests/native/counts/escaped_late.c"
# What sends messages is explored by one, from the beginning, and its result is kept.
expect 0 "$heddle" check --json --checkpoint=messages --program='S2.1 / S2.2 / M'
before=$(jq "[.verdict, .executions]" out)
expect 0 "$heddle" check --json -j 2 --resume=messages
[ "$(jq "[.verdict, .executions]" out)" = "$before" ] || fail "messages differ"
cat > leaks.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static void *keep;
static void *writer(void *none) {
    x++;
    return none;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, writer, NULL);
    }
    if (x == 1) {
        *(volatile char *)malloc(7) = 1;
    }
    keep = malloc(3);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}
END
same "9" leaks.c

# Killed with everything that it has started, at any moment, with a file that is written all the time.
cd "$folder"
"$heddle" check --json -DN=14 "$root/bench/c/lastzero.c" > one 2> err
wanted=$(jq "$facts" one)
rm -f file
for tries in 1 2 3 4 5 6; do
    arguments=(--checkpoint=file -DN=14 "$root/bench/c/lastzero.c")
    [ -e file ] && arguments=(--resume=file)
    HEDDLE_CHECKPOINT_MS=1 setsid "$heddle" check -j 2 --json "${arguments[@]}" > out 2> err < /dev/null &
    running=$!
    sleep "0.$((tries * 7 % 10))5"
    kill -KILL -- $running $(cat /proc/$running/task/$running/children 2> /dev/null) 2> /dev/null || true
    wait $running 2> /dev/null || true
done
[ -e file ] || "$heddle" check --checkpoint=file -DN=14 "$root/bench/c/lastzero.c" > out
expect 0 "$heddle" check --json --resume=file
[ "$(jq "$facts" out)" = "$wanted" ] || fail "the result after being killed differs"

# The time limit and the user.
rm -f file
expect 0 "$heddle" cc -DN=40 "$root/bench/c/lastzero.c" -o endless # so that no time goes into building it
expect 3 "$heddle" check --json --time-limit=1s --checkpoint=file ./endless
json '.verdict == "incomplete"'
before=$(jq .executions out)
expect 3 "$heddle" check --json -j 2 --time-limit=1s --resume=file
json ".executions > $before"
json '.notes | any(test("^the remaining work is in file: heddle check --resume=file continues"))'
# A lost terminal, too, which may send its signal more than once; nohup has the last word.
for signal in INT TERM HUP; do
    cp file before
    env --default-signal=INT,TERM,HUP "$heddle" check -j 2 --resume=file > out 2> err < /dev/null &
    running=$!
    sleep 1
    kill -$signal $running
    [ $signal != HUP ] || kill -HUP $running
    status=0
    wait $running || status=$?
    last="SIG$signal"
    [ $status = 3 ] || fail "exit status $status"
    says out '^Note: the remaining work is in file: heddle check --resume=file continues'
    ! cmp -s before file || fail "the file was not written"
done
nohup "$heddle" check --json -DN=17 "$root/bench/programs/lastzero.heddle" > out 2> err < /dev/null &
running=$!
sleep 0.2
kill -HUP $running
last="nohup"
wait $running || fail "exit status $?"
json '.executions == 655360'

# What a file does not belong to is refused, and said.
cp "$root/bench/c/lastzero.c" mine.c
rm -f file
expect 3 "$heddle" check --max-executions=5 --checkpoint=file -DN=5 mine.c
cp file good
expect 2 "$heddle" check --resume=file -k
says err 'made without --keep-going'
expect 2 "$heddle" check --resume=file mine.c
says err 'made with --define=N=5'
expect 2 "$heddle" check --resume=file -DN=5 mine.c -- 7
says err 'other arguments'
expect 0 "$heddle" check --resume=file -DN=5 mine.c
cp good file
echo 'int more;' >> mine.c
expect 2 "$heddle" check --resume=file
says err 'not the one that the checkpoint was made of'
cmp -s good file || fail "a file that was refused has changed"
rm mine.c
expect 2 "$heddle" check --resume=file
says err 'made in /'
expect 2 "$heddle" check --resume=nowhere
says err 'cannot read nowhere'
expect 2 "$heddle" check --resume="$root/README.md"
says err 'is not a checkpoint'
expect 2 "$heddle" check --checkpoint="$root/README.md" --program='wx1 / rx'
says err 'is not a checkpoint'
expect 2 "$heddle" check --checkpoint=none/file --program='wx1 / rx'
says err 'cannot write none/file'
for option in --allow-files --first=random:1 --algorithm=optimal; do
    expect 2 "$heddle" check --checkpoint=new $option --program='wx1 / rx'
    says err 'no checkpoint can be written'
done

# What the program has read from outside must be the same; nothing else of it matters.
cat > reads.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ALL
extern char **environ;
#endif
static atomic_int x;
static void *writer(void *none) {
    x++;
    x++;
    return none;
}
int main(int argc, char **argv) {
    int count = 2, more = 0;
#ifdef ALL
    for (char **v = environ; *v; v++) {
        count += strcmp(*v, "LIMIT=3") == 0;
    }
#else
    count += getenv("LIMIT") != NULL;
#endif
    if (argc > 1) {
        FILE *file = argv[1][0] == '-' ? stdin : fopen(argv[1], "r");
        if (file && fscanf(file, "%d", &more) != 1) {
            return 1;
        }
    }
    pthread_t threads[4];
    for (int i = 0; i < count + more; i++) {
        pthread_create(&threads[i], NULL, writer, NULL);
    }
    for (int i = 0; i < count + more; i++) {
        pthread_join(threads[i], NULL);
    }
}
END
begin() { rm -f file; expect 3 "$heddle" check --max-executions=10 --checkpoint=file "$@"; }
refused() {
    cp file good
    expect 2 "$heddle" check --resume=file
    says err "^heddle: the $1 .*is not the same as when the program read it"
    cmp -s good file || fail "a file that was refused has changed"
}
continued() { expect 0 "$heddle" check --json --resume=file "$@"; json '.executions == 90'; }
LIMIT=3 begin reads.c
refused 'environment variable LIMIT'
LIMIT=3 OTHER=1 SHLVL=77 PWD=/ continued
LIMIT=3 begin -DALL reads.c
LIMIT=3 OTHER=1 refused 'environment'
LIMIT=3 SHLVL=77 continued
echo 1 > number
begin reads.c -- number
echo 2 > number
refused 'file number'
rm number
refused 'file number'
echo 1 > number
continued
# The standard input may come from a pipe, then and now, and whatever -j is.
rm -f file
last="heddle check of a program that reads a pipe"
echo 1 | "$heddle" check --max-executions=10 --checkpoint=file reads.c -- - > out 2> err && fail "exit status 0"
refused 'standard input'
echo 1 | "$heddle" check --json -j 3 --resume=file > out 2> err || fail "exit status $?"
json '.executions == 90'

# Damage: every truncation of a small file, and changed bytes.
expect 3 "$heddle" check --max-executions=2 --checkpoint=file --program='wx1 / wx2 / rx'
cp file good
size=$(stat -c %s good)
for ((length = 0; length < size; length += 1 + size / 12)); do
    head -c "$length" good > file
    expect 2 "$heddle" check --resume=file
    says err '^heddle: file is (damaged|not a checkpoint)'
    cp good file
    byte=$(od -An -tu1 -j "$length" -N 1 good)
    printf "\\$(printf %o $((byte ^ 255)))" | dd of=file bs=1 seek="$length" conv=notrunc status=none
    expect 2 "$heddle" check --resume=file
    says err '^heddle: file is (damaged|not a checkpoint)'
done

# Only the file that is named is replaced, or what a link of that name leads to; no device or pipe is.
program=(-DN=10 "$root/bench/programs/lastzero.heddle")
echo precious > state.new
expect 3 "$heddle" check --max-executions=20 --checkpoint=state "${program[@]}"
says state.new '^precious$'
ln -s state link
expect 3 "$heddle" check --max-executions=40 --resume=link
[ -L link ] || fail "the link is gone"
expect 0 "$heddle" check --json --resume=state
json '.executions == 3328'
mkfifo pipe
expect 2 "$heddle" check --checkpoint=pipe "${program[@]}"
says err 'cannot write pipe: it is not a regular file'
[ -p pipe ] || fail "the pipe is gone"
expect 2 "$heddle" check --resume=pipe
says err 'cannot read pipe'

# Two explorations that are given the same file, by mistake, write it in turn.
for i in 1 2 3; do
    HEDDLE_CHECKPOINT_MS=1 "$heddle" check -q --checkpoint=both -DN=14 "$root/bench/programs/lastzero.heddle" \
        > /dev/null 2>&1 < /dev/null &
    both[i]=$!
done
for i in 1 2 3; do
    wait "${both[i]}" || fail "exit status $?"
done
[ -z "$(ls -A | grep '^\.both')" ] || fail "files left: $(ls -A)"
