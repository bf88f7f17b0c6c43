#!/bin/bash
# Programs that are too big: executions at random, and those with few preemptions. Neither says
# "verified" unless everything was covered, and what they find is found by everybody.
. "$(dirname "$0")/../library.sh"

# The four threads that matter are the first of forty: an exploration of everything has the orders of
# the last ones to go through first (with -k, which does not look ahead).
cat > order.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next;
static int place[40];
static void *take(void *mine) {
    *(int *)mine = next++;
    return NULL;
}
int main(void) {
    pthread_t threads[40];
    for (int i = 0; i < 40; i++) {
        pthread_create(&threads[i], NULL, take, &place[i]);
    }
    for (int i = 0; i < 40; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(place[0] < place[1] || place[1] < place[2] || place[2] < place[3]);
}
END
expect 3 "$heddle" check -k --json --max-executions=50000 order.c
json '.verdict == "incomplete"'
for method in --random --random=pos --random=walk --random=pct:4; do
    expect 1 "$heddle" check --json $method --schedule=found order.c
    json '.verdict == "bug" and .algorithm == "random" and .errors[0].kind == "assertion"'
    expect 1 "$heddle" replay found
    says out '^Replayed [0-9]+ steps as recorded'
done

# A hundred threads put a message each into a lock-free list, which is read wrongly if three of them
# follow one another in a certain order.
cat > list.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SENDERS = 100 };

typedef struct message {
    int number;
    struct message *before;
} message;

static message messages[SENDERS];
static _Atomic(message *) last;

static void *send(void *argument) {
    message *own = argument;
    message *seen = atomic_load(&last);
    do {
        own->before = seen;
    } while (!atomic_compare_exchange_weak(&last, &seen, own));
    return NULL;
}

/* From the last one back. Wrong: three in a row that rise by 22 are taken for the end. */
static int count(const message *m) {
    int n = 0;
    for (; m; m = m->before, n++) {
        const message *b = m->before, *a = b ? b->before : NULL;
        if (a && a->number + 22 == b->number && b->number + 22 == m->number) {
            break;
        }
    }
    return n;
}

int main(void) {
    pthread_t threads[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        messages[i].number = i * 37 % SENDERS;
        pthread_create(&threads[i], NULL, send, &messages[i]);
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(count(last) == SENDERS);
    return 0;
}
END
expect 3 "$heddle" check --json --max-executions=20000 list.c
json '.verdict == "incomplete" and .errors == []'
expect 1 "$heddle" check --json --random --schedule=found list.c
json '.errors[0].kind == "assertion" and .executions < 10000'
expect 1 "$heddle" replay found
says out 'assertion failed: count'

# The same seed gives the same executions, another one others.
for seed in 1 1 2; do
    expect 1 "$heddle" check --json --random --seed=$seed order.c
    jq .executions out >> counts
done
[ "$(sed -n 1p counts)" = "$(sed -n 2p counts)" ] || fail "the same seed differs"
[ "$(sed -n 1p counts)" != "$(sed -n 3p counts)" ] || fail "another seed is the same"

# Never verified.
expect 3 "$heddle" check --json --random --max-executions=100 --program='wx1 / rx'
json '.verdict == "incomplete" and .executions == 100 and (.warnings | any(test("at random")))'
expect 3 "$heddle" check --json --random --time-limit=1s --program='wx1 / rx'
json '.verdict == "incomplete" and (.warnings | any(test("--time-limit")))'

# The errors of small programs are those that an exploration of everything has.
cat > programs << 'END'
l0 l1 u1 u0 / l1 l0 u0 u1 / l0 u0 / l1 u1
l0 rx u0 / l0 wx1 / t0 l1 u1
wX1 l0 u0 / l0 rX u0 / rx wx1
[sem 1] P0 / V0 / P0 P0
Rl0 Wl1 / Rl1 Wl0
S2.1 / S2.2 / M M M
wx1 / rx / rx
END
kinds='[[.errors[] | [.kind, .message]] | sort[]]'
"$heddle" check -k --batch=programs > all || true
jq -c "$kinds" all > wanted
for method in --random=pos --random=walk --random=pct --random=pct:3; do
    "$heddle" check -k --batch=programs $method --max-executions=2000 > out || true
    last=$method
    [ "$(jq -c "$kinds" out)" = "$(cat wanted)" ] || fail "the errors differ"
done

# Preemptions. With as many as there can be it is all interleavings.
for each in 0:2:incomplete 1:4:incomplete 2:6:verified 9:6:verified; do
    IFS=: read -r bound executions verdict <<< "$each"
    "$heddle" check --json --preemption-bound="$bound" --program='wx1 ry / wy1 rx' > out || true
    last="$bound preemptions"
    json ".executions == $executions and .verdict == \"$verdict\""
done
expect 0 "$heddle" check --json --preemption-bound=2 --program='wx1 ry / wy1 rx'
expect 3 "$heddle" check --json --preemption-bound=1 --program='wx1 ry / wy1 rx'
json '.warnings | any(. == "executions with more than 1 preemption are not covered")'
"$heddle" check -k --batch=programs --preemption-bound=99 > out || true
last="99 preemptions"
[ "$(jq -c "$kinds" out)" = "$(cat wanted)" ] || fail "the errors differ"
expect 3 "$heddle" check --json --preemption-bound=0 "$root/examples/bank.c"
expect 1 "$heddle" check --json --preemption-bound=1 "$root/examples/bank.c"

# Wrong usage.
expect 2 "$heddle" check --random=best --program='wx1 / rx'
says err 'expected pos, walk, pct or pct:DEPTH'
expect 2 "$heddle" check --random=pct:0 --program='wx1 / rx'
expect 2 "$heddle" check --random --algorithm=pop --program='wx1 / rx'
says err 'only one of --random'
expect 2 "$heddle" check --preemption-bound=few --program='wx1 / rx'
expect 2 "$heddle" check --random --checkpoint=file --program='wx1 / rx'
says err 'no checkpoint can be written'
