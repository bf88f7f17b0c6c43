#!/bin/bash
# Steps of C programs that do not end: endless loops, long ones, and calls that wait in the kernel.
. "$(dirname "$0")/../library.sh"

cat > loop.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static void *run(void *text) {
    unsigned long count = strtoul(text, NULL, 10), sum = 0;
    for (unsigned long i = 0; i < count; i++)
        sum += i * i;
    return (void *)sum;
}
int main(int argc, char **arguments) {
    pthread_t thread;
    if (argc == 1)
        for (;;) {
        }
    pthread_create(&thread, NULL, run, arguments[1]);
    return pthread_join(thread, NULL);
}
END
# Back in the same state without an event: that is endless. Otherwise nobody knows.
expect 1 "$heddle" check --json --watchdog=1 loop.c
json '.errors[0].kind == "hang" and (.errors[0].line | . == 12 or . == 13)'
expect 3 "$heddle" check --json --watchdog=1 loop.c -- 1000000000000
json '.verdict == "incomplete" and .errors[0].kind == "unfinished"'
json '.errors[0].line | . == 5 or . == 6'
json '.errors[0].message | contains("--watchdog=SECONDS")'
expect 0 "$heddle" check loop.c -- 1000000

# So is a loop that sleeps: later, but in the same state as long as it does not look at the time.
cat > sleeps.c << 'END'
#include <threads.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec moment = {0, 1000};
    while (UNTIL)
        SLEEP;
}
END
for sleep in 'usleep(10)' 'sleep(1)' 'nanosleep(&moment,NULL)' 'thrd_sleep(&moment,NULL)'; do
    expect 1 "$heddle" check --json --watchdog=1 -DUNTIL=1 "-DSLEEP=$sleep" sleeps.c
    json '.errors[0].kind == "hang"'
done
expect 0 "$heddle" check -DUNTIL='time(NULL)<2000000000' -DSLEEP='sleep(100000)' sleeps.c

# A step that was left because the time is over is no part of an execution, also before the first one.
cat > before.c << 'END'
int main(void) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < 1000000000000; i++)
        sum += i * i;
    return (int)sum;
}
END
expect 0 "$heddle" cc -o before before.c
expect 0 "$heddle" cc -o loop loop.c
expect 3 "$heddle" check --json --watchdog=600 --time-limit=1s ./before
json '.verdict == "incomplete" and .executions == 0 and .errors == []'
expect 3 "$heddle" check --json --watchdog=600 --time-limit=1s -j2 ./loop -- 1000000000000
json '.verdict == "incomplete" and .executions == 0 and .errors == []'

# A call that waits in the kernel is named, with the place: here in a library that is not under
# control.
cat > library.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void library_lock(void) {
    pthread_mutex_lock(&mutex);
}
END
cat > uses.c << 'END'
void library_lock(void);
int main(void) {
    library_lock();
    library_lock();
    return 0;
}
END
gcc -shared -fPIC -o liblocks.so library.c
expect 2 env LD_LIBRARY_PATH=. "$heddle" check --watchdog=1 uses.c -L. -llocks
says err 'unsupported: library_lock, which waits in the kernel at .*uses\.c:[34]'

# An interrupt ends heddle in all these places, and leaves no files.
interrupted() { # signal, arguments of check
    local signal=$1 status=0
    shift
    last="heddle check $* (SIG$signal)"
    mkdir -p temporary
    TMPDIR=$PWD/temporary "$heddle" check --watchdog=600 "$@" > out 2> err &
    local process=$!
    until grep -q 'program\.so' /proc/"$(worker_of $process)"/maps; do
        sleep 0.1
    done 2> /dev/null
    sleep 0.5
    kill -s "$signal" "$process"
    wait "$process" || status=$?
    [ $status = 3 ] || fail "exit status $status instead of 3"
    says out 'interrupted: the remaining executions are not covered'
    [ -z "$(ls temporary)" ] || fail "files left behind"
}
LD_LIBRARY_PATH=. interrupted INT uses.c -L. -llocks
interrupted TERM loop.c -- 1000000000000000

# An exit status is an error if somebody asks.
echo 'int main(void) { return 3; }' > status.c
expect 0 "$heddle" check status.c
expect 1 "$heddle" check --exit-status --schedule=found --json status.c
json '.errors[0].kind == "exit-status" and .errors[0].message == "the program ends with status 3"'
says found '^status checked$'
expect 1 "$heddle" replay found
