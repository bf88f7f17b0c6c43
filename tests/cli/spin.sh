#!/bin/bash
# Spin loops of abstract programs: the thread waits instead of going round, whatever the algorithm.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/abstract/spin

# counts NAME COMPLETE/STUCK/ARTIFACTS [OPTION...]: under every algorithm that explores all traces.
counts() {
    local name=$1 wanted=$2 found algorithm
    shift 2
    for algorithm in optimal pop source; do
        "$heddle" check -k --json --algorithm="$algorithm" "$@" "$programs/$name.heddle" > json || true
        found=$(tally json)
        [ "$found" = "$wanted" ] || fail "$name $*, $algorithm: $found instead of $wanted"
        [ "$(field blocked json)" = 0 ] || [ "$algorithm" = source ] || fail "$name: redundant"
        [ "$(field algorithm json)" = "$algorithm" ] || [ "$name" = polling ] || fail "$name: fell back"
    done
}

counts flag 1/0/0
counts unset 0/1/0
counts passed 1/1/0
for name in tas trylock ticket; do
    counts "$name" 2/0/0
    counts "$name" 6/0/0 -DN=3
    counts "$name" 24/0/0 -DN=4
done
counts cas 2/0/0
counts cas 6/0/0 -DN=3
counts ttas 4/0/0
counts ttas 36/0/0 -DN=3
counts mcs 6/0/0
counts mcs 66/0/0 -DN=3
counts peterson 4/0/4
counts peterson-turn 4/0/2
counts dekker 4/0/5
counts bakery 9/0/0
counts seqlock 9/0/0
counts seqlock 81/0/0 -DN=2
counts increment 2/0/2
counts increment 12/0/9 -DN=3
counts bounded 4/0/0
counts backoff 4/0/0
counts abba 2/1/0
counts polling 1/0/0
counts polling 2/0/0 -DN=2
"$heddle" check -k --json -j2 -DN=3 "$programs/mcs.heddle" > json
[ "$(jq -c '[.algorithm, .executions]' json)" = '["pop",66]' ] || fail "workers: $(cat json)"

# The report names the loop and what it reads; the schedule can be replayed.
expect 1 "$heddle" check --schedule=found "$programs/passed.heddle"
says out 'passed.heddle:3'
says out 'livelock: 1 thread is spinning forever'
says out 'waits spins in a loop that reads x'
expect 1 "$heddle" replay found
expect 1 "$heddle" check -k "$programs/abba.heddle"
says out 'livelock'
cat > mixed.heddle << 'END'
shared x;
mutex m;
thread p { lock(m); while (x == 0) {} unlock(m); }
thread q { lock(m); x = 1; unlock(m); }
END
expect 1 "$heddle" check mixed.heddle
says out 'deadlock: 2 threads are blocked forever'
says out 'p spins in a loop that reads x'
expect 0 "$heddle" check --program='qx1 wy1 / wx1 qy1'

# A mutex that is polled and that somebody keeps is no artifact of the loop.
cat > kept.heddle << 'END'
mutex m;
plain x;
thread p { lock(m); }
thread q { local v = 0; while (!v) { lock(m); v = x; unlock(m); } }
END
expect 1 "$heddle" check -k kept.heddle
says out 'deadlock: 1 thread is blocked forever'

# Who tries to lock the mutex sees that it is polled: nothing is left out.
cat > tried.heddle << 'END'
plain x;
mutex m;
thread p { local v = 0; while (!v) { lock(m); v = x; unlock(m); } }
thread q { if (trylock(m)) { x = 1; unlock(m); } else { assert(0); } }
END
expect 1 "$heddle" check --max-steps=100 tried.heddle
says out 'assertion failed'

# A race with what only the rounds that are left out read is found nevertheless, and no other is.
cat > racy.heddle << 'END'
shared f, e;
plain d;
thread p { e = 1; while (f == 0) { local r = d; } }
thread q { f = 1; }
thread s { d = 5; }
END
for algorithm in pop optimal source; do
    expect 1 "$heddle" check --algorithm=$algorithm racy.heddle
    says out 'data race on d'
done
cat > guarded.heddle << 'END'
shared f, g;
plain d;
thread p { while (1) { if (f) { local r = d; } if (g) break; } }
thread q { d = 1; f = 1; g = 1; }
END
expect 0 "$heddle" check guarded.heddle

# What changes something in every round is no spin loop: the bound, with its place, and not for long.
expect 3 "$heddle" check --max-steps=1000 "$programs/retreat.heddle"
says out 'retreat.heddle:'
says out 'Verdict: incomplete'

# A thread that runs alone for long lets others continue.
cat > long.heddle << 'END'
shared x, y;
thread p { while (x == 0) { fetch_add(y, 1); } }
thread q { x = 1; }
END
expect 3 "$heddle" check --max-steps=5000 --max-executions=1 long.heddle
[ "$("$heddle" check --json --max-executions=1 long.heddle | jq .events)" -lt 10000 ] || fail "long"

# Where plain accesses are steps, a report and a replay take them as such.
cat > plain.heddle << 'END'
shared x;
plain g;
thread a { g = 1; while (x == 0) { } }
thread b { local y = 1; }
END
cat > plain.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int x;
static int g;
static void *nothing(void *unused) { return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    g = 1;
    while (!x) {
    }
    return 0;
}
END
for file in plain.heddle plain.c; do
    for algorithm in none context optimal; do
        expect 1 "$heddle" check --algorithm=$algorithm --schedule=bug $file
        says out 'spins in a loop that reads x'
        expect 1 "$heddle" replay bug
        says out 'spins in a loop that reads x'
    done
done

# A round that is left out may race with what a thread writes before its first step.
cat > first.heddle << 'END'
plain x;
mutex m;
thread a { x = 0; lock(m); x = 1; unlock(m); }
thread b { local v; while (v != 1) { lock(m); v = x; unlock(m); } }
END
for algorithm in pop optimal source classic none graph; do
    expect 1 "$heddle" check --algorithm=$algorithm first.heddle
    says out 'data race on x'
done
# Nor need the round come after what another thread than its creator has written before it was created.
cat > created.heddle << 'END'
plain x, y;
mutex m;
thread a { x = 0; }
thread b { spawn d; }
thread c { lock(m); y = 1; unlock(m); }
spawned thread d { local v, w; while (v != 1) { lock(m); v = y; if (!v) { w = x; } unlock(m); } }
END
for algorithm in pop optimal none graph; do
    expect 1 "$heddle" check --algorithm=$algorithm created.heddle
    says out 'data race on x'
done
