#!/bin/bash
# What programs build synchronisation from beside pthreads: futexes, named semaphores, membarrier,
# pipes, sockets, message queues, eventfds, epoll, duplicates of descriptors; directories; signals; cancellation.
# Right programs are verified, each with a bug is found out.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/system

# FILE MACRO STATUS PATTERN: the program with that macro ends so, and the output says so.
check() {
    expect "$3" "$heddle" check --algorithm="${algorithm:-pop}" ${2:+-D${2//$/ }} "$programs/$1.c"
    says out "$4"
}

mkdir -p dir/sub
touch dir/a dir/b
echo '#define a file' > file
printf '%s\n' a b c d > lines

while read -r file macro status pattern; do
    check "$file" "$macro" "$status" "$pattern"
done << 'ROWS'
futex_mutex RIGHT 0 ^No errors
futex_mutex LOST 1 waits for a wake of word
futex_mutex EARLY 1 data race on counter
futex_event RIGHT 0 explored: 19$
futex_event TIMED 0 ^No errors
futex_event ONE 1 deadlock
futex_event UNCHECKED 1 deadlock
futex_event PLAIN 1 data race on message|assertion failed
by_name RIGHT 0 explored: 2$
by_name WRONG 1 data race on n
by_name FREED 1 use after free
kept OWN 0 explored: 1$
kept DOMAIN 1 assertion failed: strcmp
kept CONCURRENCY 1 assertion failed: pthread_getconcurrency
kept TEXT 1 data race on
barriers RIGHT 0 ^No errors
barriers WITHOUT 1 data race on
named_semaphore RIGHT 0 ^No errors
named_semaphore LOST 1 waits for a post of
named_semaphore TWICE 1 sem_close of /token, a semaphore that is not open
named_semaphore CLOSED 1 use of /token, a semaphore that was destroyed
pipe RIGHT 0 explored: 2$
pipe OPEN 1 main waits for bytes from pipe 1
pipe SPLIT 1 assertion failed
pipe CLOSED 1 killed by SIGPIPE
pipe SMALL 1 T1 waits for room in pipe 1
signal_thread RIGHT 0 explored: 2$
signal_thread MERGED 1 assertion failed: count == 2
signal_thread NOBODY 1 T1 waits for one of the pending signals
signal_thread HANDED 0 explored: 1$
signal_thread UNORDERED 1 data race on data
signal_thread PROCESS 1 data race on count
signal_thread SUSPEND 0 explored: 1$
signal_thread UNBLOCK 0 explored: 1$
signal_thread LATE 1 assertion failed: handled == SIGUSR1
signal_thread TIMED 0 explored: 1$
signal_thread LOOK 0 explored: 2$
signal_thread POLL 0 ^No errors
signal_thread IGNORED 0 ^No errors
signal_thread ENDED 0 explored: 2$
signal_thread JOINED 1 pthread_kill of T1, a thread that was joined before
signal_thread OPEN 2 unsupported: pthread_kill of another thread that does not block the signal
signal_thread UNHANDLED 0 ^No errors
signal_thread UNNOTICED 0 ^No errors
signal_thread PAUSE 0 ^No errors
signal_thread PAUSED 1 main waits for one of the pending signals
signal_thread NUMBERED 0 ^No errors
alarm RIGHT 0 explored: 2$
alarm HANGS 1 deadlock
alarm HANDLED 2 unsupported: an alarm that the program handles or waits for
alarm LATER 2 unsupported: an alarm that the program handles or waits for
alarm AWAITED 2 unsupported: an alarm that the program handles or waits for
message_queue RIGHT 0 explored: 1$
message_queue DEEP 1 assertion failed: strcmp
message_queue THIRD 1 main waits for bytes from message queue 1
message_queue FULL 1 T1 waits for room in message queue 1
message_queue TIMED 0 ^No errors
message_queue TWO 0 explored: 4$
message_queue TWO=1$-DSHARED 1 data race on received
message_queue POLLED 0 ^No errors
sockets RIGHT 0 explored: 2$
sockets EARLY 1 assertion failed: connect
sockets TWO=1$-DONE 1 waits for bytes from pipe
sockets FLAG 1 data race on flag
sockets SHUT 0 ^No errors
sockets POLLED 0 ^No errors
packets RIGHT 0 ^No errors
packets STREAM 1 assertion failed
record_lock RIGHT 0 ^No errors
record_lock ALONE 1 data race on counter
resolve RIGHT$--leaks=error 0 ^No errors
resolve LEAK$--leaks=error 1 memory leak
resolve FAR 2 unsupported: getaddrinfo of a name other than localhost
timer ALONE 0 explored: 1$
timer LOOP 0 explored: 4$
timer LOOPS 0 explored: 1$
timer LATER 0 explored: 1$
timer NEVER 1 waits for bytes from timer 1
timer_order READS 0 explored: 1$
timer_order POLLS 0 explored: 1$
timer_order NEVER 1 assertion failed: fired == 1
posix_timer PERIOD=3 0 explored: 1$
posix_timer PERIOD=0$-DTWICE 1 main waits for a signal of changed
posix_timer PERIOD=0$-DRACE 1 data race on plain
posix_timer PERIOD=0$-DSIGNAL 2 unsupported: timer_create with a signal
posix_timer PERIOD=0$-DPROCESSOR 2 unsupported: timer_create with that clock
memory_stream OWN 0 explored: 1$
memory_stream SHARED 0 explored: 2$
memory_stream FLUSH 0 ^No errors
memory_stream EDGES 0 explored: 1$
memory_stream BESIDE 0 explored: 1$
memory_stream SECTIONS 0 explored: 2$
memory_stream ORDER 1 assertion failed: strcmp.text, "ab".
memory_stream EARLY 1 use after free: read and write of 8 bytes .* of a heap block
stream_lock RIGHT 0 ^No errors
stream_lock SPLIT 1 assertion failed: second
stream_lock STATE 1 waits for the lock of stdout, held by
stream_lock CROSSED 1 waits for the lock of stdout, held by
closed_stream WAY=0 0 explored: 1$
closed_stream WAY=0$-DMEANWHILE 1 use of a stream that was closed, in thread T1
shutdown WAKE 0 explored: 1$
shutdown LATE 1 data race on data
select_sets RIGHT 0 ^No errors
select_sets SHORT 1 out of bounds: read and write of 8 bytes
none_made QUEUES 0 ^Verdict: verified
none_made SOCKETS 0 ^Verdict: verified
none_made TIMERS 0 ^Verdict: verified
none_made CLOSE 0 ^Verdict: verified
unconnected RIGHT 0 ^No errors
unconnected PIPE 1 killed by SIGPIPE
unconnected SEEK 2 socket or eventfd used as a file
datagram RIGHT 0 ^Verdict: verified
datagram SENT 2 unsupported: using a datagram socket
datagram BOUND 2 unsupported: using a datagram socket
datagram POLLED 2 unsupported: using a datagram socket
datagram WATCHED 2 unsupported: using a datagram socket
datagram READ 2 unsupported: using a datagram socket
socketpair RIGHT 0 explored: 1$
socketpair CROSSED 1 waits for bytes from pipe 1
socketpair DRY 1 assertion failed
eventfd RIGHT 0 explored: 6$
eventfd FLAG 1 data race on results
eventfd SHORT 1 data race on results|assertion failed
poll RIGHT 0 ^No errors
poll FULL 1 waits for room in pipe 2
epoll RIGHT 0 explored: 2$
epoll LATE 0 explored: 28$
epoll EDGE 1 waits in poll for epoll 1
epoll LOST 1 assertion failed: one.seen == 1
descriptor_end POLL=1$-DUNWANTED=0 1 assertion failed: found != UNWANTED
descriptor_end POLL=1$-DUNWANTED=1 1 assertion failed: found != UNWANTED
descriptor_end CLOSE=1$-DUNWANTED=0 1 assertion failed: found != UNWANTED
descriptor_end CLOSE=1$-DUNWANTED=1 1 assertion failed: found != UNWANTED
descriptor_end EPOLL=1$-DUNWANTED=0 1 assertion failed: found != UNWANTED
descriptor_end EPOLL=1$-DUNWANTED=1 1 assertion failed: found != UNWANTED
descriptor_end STALE=1$-DUNWANTED='p' 1 assertion failed: found != UNWANTED
descriptor_end STALE=1$-DUNWANTED='c' 1 assertion failed: found != UNWANTED
descriptor_end STALE=1$-DUNWANTED='-' 1 assertion failed: found != UNWANTED
descriptor_end STALE=1$-DUNWANTED=0 0 explored: 3$
descriptor_end SERVE 0 explored: 2$
dup RIGHT 0 explored: 2$
dup OPEN 1 waits for bytes from pipe 1
dup EARLY 1 data race on data|assertion failed
directory RIGHT 0 explored: 2$
directory RACE 1 data race on block of 288 bytes
directory AFTER 1 use after free
cancel RIGHT 0 explored: 2$
cancel KEPT 1 main waits for mutex, held by T1 since step
cancel DISABLED 1 T1 waits for a signal of changed
cancel EARLY 1 data race on given_up|assertion failed
cancel_files PRINTED 0 ^No errors
cancel_files CALL=fflush(stdout) 0 ^No errors
cancel_files CALL=write(2,"x",1) 0 ^No errors
cancel_files CALL=read(0,&asked,0) 0 ^No errors
cancel_files CALL=fsync(1) 0 ^No errors
cancel_files LOCKED 1 main waits for mutex, held by T1
cancel_files PAST 1 assertion failed: !"not cancelled"
cancel_files PAST=1$-DCALL=fsync(1) 0 ^No errors
cancel_points RIGHT 0 explored: 3$
cancel_points POSTED 1 assertion failed: result == PTHREAD_CANCELED
cancel_points JOIN 0 ^No errors
cancel_points LOOP 0 ^No errors
cancel_points LOOP=1$-DNO_POINT 1 T1 spins in a loop that reads stop
cancel_points UNWATCHED 0 explored: 1$
annotation RIGHT 0 ^No errors
annotation WITHOUT 1 data race on message
annotation OTHER 1 data race on message
annotated_lock RIGHT 0 ^No errors
annotated_lock WITHOUT 1 data race on value
annotated_lock READERS 1 data race on value
client_request RIGHT 0 ^No errors
client_request WITHOUT 1 data race on value
client_request READERS 1 data race on value
client_request FORGOTTEN 1 data race on message
client_request COUNTED 1 data race on counter
client_request COUNTED=1$-DBENIGN 0 2 data races were ignored, because of annotations in the program
client_request COUNTED=1$-DBENIGN=1$-DAGAIN 1 data race on counter
client_request COUNTED=1$-DPART 1 data race on counter
client_request BENIGN 0 ^Verdict: verified
client_request UNTAKEN 0 ^Verdict: verified
dynamic_annotations RIGHT 0 2 data races were ignored, because of annotations in the program
dynamic_annotations WITHOUT 1 data race on value
ROWS
expect 0 "$heddle" cc -o annotated "$programs/dynamic_annotations.c"
expect 0 ./annotated
# By valgrind's own headers, where they are installed.
for header in helgrind drd; do
    [ -e "/usr/include/valgrind/$header.h" ] || continue
    expect 0 "$heddle" check "-DHEADER=<valgrind/$header.h>" "$programs/client_request.c"
    expect 1 "$heddle" check "-DHEADER=<valgrind/$header.h>" -DREADERS "$programs/client_request.c"
    says out 'data race on value'
done

# A weak memory model knows itself what is ordered: annotations do nothing.
expect 1 "$heddle" check --model=rc11 "$programs/client_request.c"
says out 'data race on (value|message)'
expect 1 "$heddle" check --model=rc11 "$programs/annotated_lock.c"
says out 'data race on value'
expect 0 "$heddle" check -DORDER=memory_order_seq_cst --model=rc11 \
    "$programs/client_request.c"

for algorithm in optimal source observers; do
    check signal_thread HANDED 0 'explored: 1$'
    check signal_thread JOINED 1 'joined before'
    check cancel_points UNWATCHED 0 'explored: 1$'
    check futex_mutex RIGHT 0 'explored: 5622$'
    check futex_event ONE 1 deadlock
done

expect 2 "$heddle" check -DLARGE "$programs/dup.c"
says err 'unsupported: a descriptor of 64 or more at '

cat > other.c << 'EOF'
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word;
int main(void) {
    return (int)syscall(NUMBER, &word, FUTEX_REQUEUE, 1, NULL, NULL, 0);
}
EOF
expect 2 "$heddle" check -DNUMBER=SYS_futex other.c
says err 'unsupported: futex other than wait and wake at .*other\.c:7'
expect 2 "$heddle" check -DNUMBER=SYS_mremap other.c
says err 'unsupported: syscall number 25 at .*other\.c:7'
cat > calls.c << 'EOF'
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <unistd.h>
static volatile double x = 1;
int main(void) {
    return CALL;
}
EOF
expect 0 "$heddle" check '-DCALL=SIGRTMIN >= SIGRTMAX || !finite(x) || (isnan)(x) || (isinf)(x)' calls.c
expect 2 "$heddle" check '-DCALL=close_range(3, ~0U, 0)' calls.c
says err 'unsupported: close_range at .*calls\.c:7'

# signal of strict ISO C takes the handler away when it calls it; neither it nor SA_NODEFER blocks the
# signal meanwhile.
cat > iso.c << 'EOF'
#ifdef NODEFER
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t calls, inner;
static void handler(int number) {
    if (calls++ == 0) {
#ifndef NODEFER
        assert(signal(number, handler) == SIG_DFL);
#endif
        raise(number);
        inner = calls;
    }
}
int main(void) {
#ifdef NODEFER
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_NODEFER};
    sigaction(SIGTERM, &a, 0);
#else
    assert(signal(SIGTERM, handler) == SIG_DFL);
#endif
    raise(SIGTERM);
    assert(calls == 2 && inner == 2);
#ifndef NODEFER
    assert(signal(SIGTERM, SIG_IGN) == SIG_DFL);
#endif
    return 0;
}
EOF
for flags in -std=c11 -DNODEFER; do
    gcc $flags -o iso iso.c && ./iso || fail "$flags"
    expect 0 "$heddle" check $flags iso.c
    says out '^Verdict: verified'
done

cat > random.c << 'EOF'
#include <assert.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    unsigned char bytes[16] = {0};
    assert(syscall(SYS_getrandom, bytes, sizeof bytes, 0) == sizeof bytes);
    for (int i = 0; i < 15; i++) bytes[15] |= bytes[i];
    assert(bytes[15]);
    return 0;
}
EOF
expect 0 "$heddle" check random.c

# Calls by number that have a function are that function, at the place of the call.
cat > numbers.c << 'EOF'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static struct timespec now;
static int ends[2];
static void *work(void *unused) {
#ifdef RACE
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
#endif
    assert(syscall(SYS_write, ends[1], "hello", 5) == 5);
    return unused;
}
int main(void) {
    char text[6] = "", *line = NULL;
    size_t room = 0;
    pthread_t t;
    assert(pipe(ends) == 0 && sbrk(0) == sbrk(0) && sbrk(0) != (void *)-1);
    pthread_create(&t, NULL, work, NULL);
#ifdef RACE
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
#endif
    assert(syscall(SYS_read, ends[0], text, 5) == 5 && strcmp(text, "hello") == 0);
    int d = (int)syscall(SYS_openat, AT_FDCWD, "numbers.c", O_RDONLY);
    assert(d == 5 && syscall(SYS_read, d, text, 5) == 5 && strcmp(text, "#defi") == 0);
    assert(syscall(SYS_close, d) == 0 && syscall(SYS_close, d) == -1);
    pthread_join(t, NULL);
    assert(syscall(SYS_openat, AT_FDCWD, "absent", O_RDONLY) == -1);
#ifdef WRITE
    syscall(SYS_openat, AT_FDCWD, "numbers.c", O_WRONLY);
#endif
#ifdef LINE
    getline(&line, &room, fopen("numbers.c", "r")), free(line), line[0] = 1;
#endif
    return line != NULL || room;
}
EOF
expect 0 "$heddle" check --exit-status numbers.c
expect 1 "$heddle" check -DRACE numbers.c
says out 'data race on now.tv_sec: write by main at numbers\.c:27, write by T1 at numbers\.c:15|data race on now.tv_sec: write by T1 at numbers\.c:15, write by main at numbers\.c:27'
expect 2 "$heddle" check -DWRITE numbers.c
says err 'unsupported without --allow-files: .*openat writes a file at numbers\.c:36'
expect 1 "$heddle" check -DLINE numbers.c
says out 'of a heap block of 120 bytes, allocated by main at numbers\.c:39, freed by main at numbers\.c:39'

expect 2 "$heddle" check -DFORK "$programs/by_name.c"
says err 'unsupported: dlsym of fork at .*by_name\.c'
expect 2 "$heddle" check -DOTHER "$programs/by_name.c"
says err 'unsupported: dlopen of a library at .*by_name\.c'
expect 0 "$heddle" cc -rdynamic -o by_name "$programs/by_name.c"
expect 0 ./by_name

for way in 1 2 3 4 5 6 7 8 9; do
    check closed_stream "WAY=$way\$-DNONE" 1 'segmentation fault at address 0x0 .null pointer.'
    check closed_stream "WAY=$way\$-DCLOSED" 1 'misuse'
done
for way in 1 2 3; do
    check closed_stream "WAY=$way\$-DTEXT" 1 'segmentation fault at address 0x0 .null pointer.'
done

# Algorithms that plan several steps rely on what is announced; so does going back.
for algorithm in none optimal; do
    check timer_order READS 0 ^No\ errors
    check timer_order POLLS 0 ^No\ errors
done
unset algorithm
expect 0 env HEDDLE_CHECK_UNDO=1 "$heddle" check -DPERIOD=3 "$programs/posix_timer.c"

# Under "may" a timer may have expired before something else happens, or not.
expect 0 "$heddle" check --json --timeouts=may -DLOOP "$programs/timer.c"
json '.executions == 5'
expect 1 "$heddle" check --timeouts=may -DLOOP -DEXPIRED "$programs/timer.c"
says out 'assertion failed: work == 1'
expect 0 "$heddle" check --json --timeouts=may -DPERIOD=0 "$programs/posix_timer.c"
json '.executions == 4'
expect 0 "$heddle" check --timeouts=may -DLOOPS "$programs/timer.c"
for option in --malloc-fails --leaks=error; do
    expect 0 "$heddle" check $option -DPERIOD=0 "$programs/posix_timer.c"
done
for end in STOP SEND; do # a loop around reads that time out ends
    expect 0 "$heddle" check -D$end "$programs/socket_timeout.c"
    expect 0 "$heddle" check --timeouts=may -D$end "$programs/socket_timeout.c"
    expect 0 "$heddle" check --timeouts=may -DQUEUE -D$end "$programs/socket_timeout.c"
done
expect 1 "$heddle" check --timeouts=never -DSTOP "$programs/socket_timeout.c"
says out 'waits for bytes from pipe 3'
expect 0 "$heddle" check -DINHERIT "$programs/socket_timeout.c"
for end in UNREAD READS; do
    expect 0 gcc -pthread -D$end -o reset "$programs/socket_reset.c"
    expect 0 ./reset
    expect 0 "$heddle" check -D$end "$programs/socket_reset.c"
done
