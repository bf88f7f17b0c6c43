#!/bin/bash
# Errors that a depth-first search comes to late are found early, by looks ahead; nothing else changes.
. "$(dirname "$0")/../library.sh"

# The threads meet in the order that deadlocks at their start, and race for long afterwards.
late='l0 l1 u1 u0 wx1 rx wx2 rx / l1 l0 u0 u1 wx3 rx wx4 rx/ wx5 rx wx6 rx'
for algorithm in pop optimal source none observers; do
    for first in lowest highest; do
        expect 1 "$heddle" check --json -o schedule --algorithm=$algorithm --first=$first \
            --program="$late"
        json '.executions < 100 and .errors[0].kind == "deadlock"'
        expect 1 "$heddle" replay schedule
        says out 'Replayed .* steps as recorded'
    done
done

# One preemption in a narrow window, before much that takes a depth-first search forever.
cat > window.heddle << 'END_OF_FILE'
shared x, n, m[2];
thread p {
    local i = 0;
    while (i < 10) { fetch_add(n, 1); i++; }
    x = 1;
    x = 0;
    while (i < 20) { fetch_add(n, 1); i++; }
}
thread q { assert(x == 0); }
thread busy(j in 1..3) {
    local i = 0;
    while (i < 5) { fetch_add(m[0], 1); fetch_add(m[1], 1); i++; }
}
END_OF_FILE
for algorithm in pop optimal source; do
    expect 1 "$heddle" check --json --algorithm=$algorithm window.heddle
    json '.executions <= 100 and .errors[0].kind == "assertion"'
done

# One thread must look after the first stage of another and before the second stage of all. A search
# that goes from one order to similar ones came to that after more than 30 million executions. The
# further the end of the exploration, the more it looks ahead.
cat > stages.c << 'END_OF_FILE'
#include <assert.h>
#include <pthread.h>

enum { THREADS = 10 };
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *produce(void *none) {
    pthread_mutex_lock(&one);
    first = 1;
    pthread_mutex_unlock(&one);
    pthread_mutex_lock(&two);
    second = 1;
    pthread_mutex_unlock(&two);
    return none;
}

static void *consume(void *none) {
    pthread_mutex_lock(&one);
    int seen = first;
    pthread_mutex_unlock(&one);
    if (seen) {
        pthread_mutex_lock(&two);
        assert(second == 1);
        pthread_mutex_unlock(&two);
    }
    return none;
}

int main(void) {
    pthread_t threads[THREADS + 1];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, produce, NULL);
    }
    pthread_create(&threads[THREADS], NULL, consume, NULL);
    for (int i = 0; i <= THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
END_OF_FILE
for algorithm in pop optimal; do
    expect 1 "$heddle" check --json --algorithm=$algorithm stages.c
    json '.executions <= 512000 and .errors[0].kind == "assertion"'
done

# The result does not depend on the number of workers.
"$heddle" check --json --program="$late" -j 1 > one || true
for jobs in 2 3; do
    HEDDLE_WORKERS_DELAY_MS=0 expect 1 "$heddle" check --json -j $jobs --program="$late"
    [ "$(jq 'del(.seconds, .peak_bytes, .workers)' out)" = "$(jq 'del(.seconds, .peak_bytes, .workers)' one)" ] ||
        fail "-j $jobs differs"
done

# With -k everything is explored, and counted, as ever.
expect 1 "$heddle" check --json -k --program='l0 l1 u1 u0 wx1 rx / l1 l0 u0 u1 wx3 rx / wx5 rx'
json '.executions == 73 and .deadlocks == 1'
expect 0 "$heddle" check --json --program='wx1 rx wx2 rx / wx3 rx wx4 rx / wx5 rx'
executions=$(jq .executions out)
expect 0 "$heddle" check --json -k --program='wx1 rx wx2 rx / wx3 rx wx4 rx / wx5 rx'
[ "$(jq .executions out)" = "$executions" ] || fail "looks ahead are counted"

# C: a race that shows only if the last thread comes first; choices are drawn, too.
cat > late.c << 'END_OF_FILE'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int gate, noise;
static int data;

static void *reader(void *none) {
    if (gate == 1) {
        data++;
    }
    for (int i = 0; i < 4; i++) {
        noise++;
    }
    return none;
}

static void *writer(void *none) {
    if (noise == 0 && heddle_choose(2) == 1) {
        gate = 1;
        data++;
    }
    for (int i = 0; i < 4; i++) {
        noise++;
    }
    return none;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, i == 2 ? writer : reader, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}
END_OF_FILE
expect 1 "$heddle" check --json late.c
json '.executions < 2100 and .errors[0].kind == "data-race"'

# Executions with many accesses in passing are looked at, too, and end; their beginning is not
# executed again for each.
cat > prepared.c << 'END_OF_FILE'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count;

static void *run(void *none) {
    count++;
    count++;
    return none;
}

int main(void) {
    long *table = malloc(130000 * sizeof *table);
    pthread_t threads[4];
    for (long i = 0; i < 130000; i++) {
        table[i] = i;
    }
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], 0, run, 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], 0);
    }
    free(table);
    return 0;
}
END_OF_FILE
expect 0 "$heddle" check --json prepared.c
json '.executions == 2520'

# Executions that are cut short count for --max-executions.
for options in --random '--algorithm=pop'; do
    expect 3 "$heddle" check --json $options --max-executions=20 --max-steps=6 \
        --program='wx1 rx wx2 rx / wx3 rx wx4 rx / wx5 rx'
    says out 'stopped by --max-executions'
done

# An execution that does not end says nothing about the others: they are explored as well.
cat > endless.heddle << 'END_OF_FILE'
param LEAST = 5;
shared x;
thread counts { while (1) { fetch_add(x, 1); } }
thread looks { assert(x > LEAST); }
END_OF_FILE
expect 1 "$heddle" check --json -o schedule endless.heddle
json '.executions == 0 and .errors[0].kind == "assertion"'
expect 1 "$heddle" replay schedule
expect 3 "$heddle" check --json -DLEAST=-1 endless.heddle
json '.executions == 0 and .errors == []'

# A look ahead may learn that threads wait in loops; what is a step there is one in the report.
cat > ring.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int slots[2];
static atomic_uint head, tail;
static void *puts_in(void *unused) {
    for (int i = 1; i <= 3; i++) {
        while (tail - head == 2) { }
        unsigned place = tail++;
        slots[place % 2] = i;
    }
    return unused;
}
static void *takes_out(void *unused) {
    for (int i = 1; i <= 3; i++) {
        while (head == tail) { }
        int seen = slots[head % 2];
        head++;
        assert(seen == i);
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, puts_in, NULL);
    pthread_create(&threads[1], NULL, takes_out, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
EOF
expect 1 "$heddle" check --algorithm=none --no-race-check ring.c
says out 'assertion failed: seen == i'
