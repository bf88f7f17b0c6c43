#!/bin/bash
# A schedule that check wrote is replayed as recorded; of one that does not fit, the step where it diverges is named.
. "$(dirname "$0")/../library.sh"

cat > lost.heddle <<'END'
param N = 2;
shared x = 0;
thread p(i in 1..N) {
    local t = x;
    x = t + 1;
}
thread main {
    join p(1);
    join p(2);
    assert(x == N);
}
END
expect 1 "$heddle" check -DN=2 --schedule=schedule lost.heddle
says out '^To see it again: heddle replay schedule$'
says schedule '^heddle schedule 1$'
says schedule '^file lost.heddle$'
says schedule '^define N=2$'
says schedule '^error assertion '
says schedule '^step [0-9]+ read x -> 0$'
expect 1 "$heddle" replay schedule
says out 'lost.heddle:10:5: error: assertion failed'
says out '^    assert\(x == N\);$'
says out '^> +7 '
says out '4: local t = x;$'
says out '^Replayed 7 steps as recorded\.$'

# The table of the replay is that of the check.
"$heddle" check -DN=2 lost.heddle | sed -n '/step/,/^$/p' > first || true
"$heddle" replay schedule | sed -n '/step/,/^>/p' > second || true
diff <(grep -E '^[> ]' first) <(grep -E '^[> ]' second) || fail "tables differ"

# Descriptions are not needed.
sed -E 's/^(step [0-9]+).*/\1/' schedule > bare
expect 1 "$heddle" replay bare

# A prefix of a run is a run without an error.
{ sed -n '/^error/d; /^end/q; p' schedule | head -n 8 | grep -v '^end'; } > prefix
echo "end $(grep -c '^step' prefix)" >> prefix
expect 0 "$heddle" replay prefix

# What does not fit.
sed '0,/read x -> 0/s//read x -> 1/' schedule > other
expect 2 "$heddle" replay other
says err 'diverged at step 1: recorded was "read x -> 1", now it is "read x -> 0"'
sed '0,/^step .*/s//step 2/' schedule > other
expect 2 "$heddle" replay other
says err 'diverged at step 1: the thread cannot continue here \(thread 2'
sed '0,/^step .*/s//step 9/' schedule > other
expect 2 "$heddle" replay other
says err 'diverged at step 1: the thread does not exist yet'
sed '0,/^step .*/s//step 0:1/' schedule > other
expect 2 "$heddle" replay other
says err 'diverged at step 1: its operation has no such choice'
grep -v '^error' schedule > other
expect 2 "$heddle" replay other
says err 'diverged at the end: recorded was no error, now it is assertion'
sed -i 's/x == N/x <= N/' lost.heddle
expect 2 "$heddle" replay schedule
says err 'diverged at the end: recorded was "assertion .*", now it is no error'
sed -i 's/x = t + 1/x = t + 2/' lost.heddle
expect 2 "$heddle" replay schedule
says err 'diverged at step [0-9]+: recorded was "write x = 1", now it is "write x = 2"'

# Corrupt files have a line number.
corrupt() { expect 2 "$heddle" replay "$1"; says err "^heddle: $1:$2: $3"; silent out; }
head -n 5 schedule > cut
corrupt cut 5 'the file is cut off'
sed '4d; $d' schedule > cut && echo 'end 1' >> cut
corrupt cut '[0-9]+' 'the file has [0-9]+ steps, but its last line says 1'
sed '6s/.*/stop/' schedule > cut
corrupt cut 6 'expected program, file, define'
sed '1s/1/7/' schedule > cut
corrupt cut 1 'schedule of version 7'
head -c 3000 /dev/urandom | tr -d '\0' > cut
corrupt cut 1 'this is not a schedule'
: > cut
corrupt cut 1 'this is not a schedule'
sed 's/^file .*/file none.heddle/' schedule > cut
expect 2 "$heddle" replay cut
says err 'cannot read none.heddle'

# From another directory, and when the files were moved.
made_in=$PWD
mkdir elsewhere moved
expect 1 "$heddle" check --schedule=elsewhere/schedule --program='l0 l0'
printf 'thread t { assert(0); }\n' > now.heddle
expect 1 "$heddle" check --schedule=elsewhere/schedule now.heddle
says elsewhere/schedule "^folder $made_in\$"
cd elsewhere
expect 1 "$heddle" replay schedule
says out '^Replayed '
sed 's,^folder .*,folder /nowhere/at/all,' schedule > ../moved/schedule
cd ../moved
expect 2 "$heddle" replay schedule
says err 'cannot read now.heddle: .*the schedule was made in /nowhere/at/all, which does not exist'
cp ../now.heddle .
expect 1 "$heddle" replay schedule
cd ..

# Deadlocks and choices come back too.
expect 1 "$heddle" check -o dead --program='n2 ?l0 l1 l0 / l1 l0 u0 u1'
says dead '^step 0:[01] choose -> [01]$'
expect 1 "$heddle" replay dead
says out 'deadlock: '

# What the program prints is printed once, even if steps of spin loops are tried on the way, and the
# report begins on a line of its own.
cat > prints.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int *where, n;
static void *t(void *unused) {
    atomic_int mine = 0;
    where = &mine;
    printf("thread\n");
    n++;
    while (!mine) continue;
    return unused;
}
int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, NULL, t, &seen);
    while (!n) continue;
    *where = 1;
    pthread_join(a, NULL);
    printf("main");
    assert(seen);
}
END
expect 1 "$heddle" check --schedule=printed prints.c
expect 1 "$heddle" replay printed
[ "$(grep -cx thread out) $(grep -cx main out)" = '1 1' ] || fail 'the output is not printed once'
