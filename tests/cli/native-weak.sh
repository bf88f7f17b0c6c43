#!/bin/bash
# Weak memory models of C programs.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/weak

# check MODEL STATUS EXECUTIONS NAME [OPTION...]: all executions.
check() {
    local model=$1 status=$2 executions=$3 name=$4
    shift 4
    expect "$status" "$heddle" check -k --json --leaks=ignore --algorithm=graph --model="$model" "$@" \
        "$programs/$name.c"
    json ".executions == $executions and .model == \"$model\""
}

# As many executions as pop has under sequential consistency; the bug that it hides.
check sc 0 20 treiber -DORDER=0
check rc11 1 244 treiber -DORDER=0
json '.errors[0].kind == "assertion"'
check rc11 0 20 treiber -DORDER=1
check rc11 0 2 message -DORDER=2
expect 1 "$heddle" check --model=rc11 --schedule=kept -DORDER=0 "$programs/message.c"
says out 'data-race'
expect 1 "$heddle" replay kept
says out 'data-race'

# What is nobody's memory has no versions, but the access is a crash nevertheless, at its place.
for call in 'n->value' 'n->value = 3' 'atomic_fetch_add(&n->value, 1)' '*(_Atomic __int128 *)n' \
    'atomic_compare_exchange_strong(&n->value, &old, 2)' '*(_Atomic char *)"x" = 1'; do
    expect 1 "$heddle" check --model=rc11 --json -w "-DCALL=$call" "$programs/nowhere.c"
    json '.errors[0] | .kind == "crash" and .line == 22'
done
expect 1 "$heddle" check --model=rc11 --volatile=atomic --json '-DCALL=*(volatile int *)n = 1' "$programs/nowhere.c"
json '.errors[0] | .kind == "crash" and .line == 22'

# Loops that wait: the thread stands until it can leave, whatever older values it could read, and what
# it waits for decides about races.
loops() {
    check "$1" "$2" "$3" loops -DWHAT="$4" -DORDER="$5"
    json ".deadlocks == $6 and .artifacts == $7"
}
loops rc11 0 1 0 1 0 0
loops rc11 1 1 0 0 0 0
json '.errors[0].kind == "data-race"'
for model in sc rc11; do
    loops $model 0 2 1 1 0 0
    loops $model 0 4 2 1 0 0
    loops $model 0 2 3 1 0 0
    loops $model 0 2 4 1 0 4
    loops $model 0 4 5 0 0 0
done
loops tso 0 2 4 0 0 4
loops rc11 1 8 4 0 0 4
json '.errors[0].kind == "assertion"'
loops tso 1 10 6 1 0 4
loops tso 0 4 6 2 0 4
loops rc11 1 2 7 0 2 0
loops rc11 1 2 8 1 1 0
says out 'deadlock'
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=7 "$programs/loops.c"
says out 'T2 spins in a loop that reads a'
expect 1 "$heddle" replay kept
says out 'T2 spins in a loop that reads a'
check rc11 0 6 loops -DWHAT=1 -DORDER=1 -DN=3

# Under sequential consistency, an execution that has used a weaker order is noted.
for order in 1 3; do
    expect 0 "$heddle" check --json -DORDER=$order "$programs/message.c"
    json "(.notes | length) == $((order == 1))"
done

# What is supported, and what is refused by name.
check rc11 0 2 kinds -DWHAT=0
check tso 0 252 kinds -DWHAT=1
check sc 0 80 kinds -DWHAT=2
refuses() {
    expect 2 "$heddle" check --model=rc11 -DWHAT="$1" "$programs/kinds.c"
    says err "$2"
}
refuses 6 'in several sizes'
check rc11 0 2 kinds -DWHAT=7
check rc11 0 2 kinds -DWHAT=8
expect 2 "$heddle" check --model=rc11 "$root/tests/native/system/pipe.c"
says err 'to several objects: the open files'
expect 2 "$heddle" check --model=rc11 "$root/tests/native/primitives/robust_error.c"
says err 'a mutex that is locked, by its owner or after its owner ended: '

# What stands in for a fence in C programs for x86, locals whose frames are left, plain writes after atomic
# accesses; what is refused by name.
for what in 0 1 2 3; do
    check tso 0 3 corners -DWHAT=$what
    check rc11 0 3 corners -DWHAT=$what
done
check tso 1 4 corners -DWHAT=4
check rc11 1 4 corners -DWHAT=4
check tso 0 3 corners -DWHAT=5
check rc11 1 4 corners -DWHAT=5
check rc11 0 2 corners -DWHAT=6 -DORDER=1
check rc11 1 4 corners -DWHAT=6 -DORDER=0
check rc11 0 2 corners -DWHAT=7
check rc11 0 2 corners -DWHAT=8
check rc11 0 2 corners -DWHAT=9
check rc11 0 2 corners -DWHAT=10
expect 2 "$heddle" check --model=rc11 --no-race-check -DWHAT=11 "$programs/corners.c"
says err 'a data race that is not reported, under a weak memory model'
check rc11 0 2 corners -DWHAT=12 --no-race-check
check rc11 0 2 corners -DWHAT=13 -DORDER=1
expect 1 "$heddle" check --model=rc11 -DWHAT=13 -DORDER=0 "$programs/corners.c"
says out 'data race on shown'
expect 2 "$heddle" check --model=rc11 --volatile=atomic -DWHAT=13 -DORDER=1 "$programs/corners.c"
check rc11 0 2 corners -DWHAT=14 -DORDER=1
expect 1 "$heddle" check --model=rc11 -DWHAT=14 -DORDER=0 "$programs/corners.c"
says out 'data race on requests\[0\].expected'

# under_all_models NAME WHAT ORDER COUNT...: the executions of one program under the four models; "!" is an
# error.
under_all_models() {
    expect 0 "$heddle" cc -DWHAT="$2" -DORDER="$3" -o program "$programs/$1.c"
    local name="$1 $2 $3" model found
    shift 3
    for model in sc tso ra rc11; do
        "$heddle" check -k --json --leaks=ignore --algorithm=graph --model=$model ./program > json || true
        found=$(field executions json)
        [ "$(field verdict json)" = verified ] || found="$found!"
        [ "$found" = "$1" ] || fail "$name under $model: $found instead of $1"
        shift
    done
}

# Objects that are initialised again while other threads run: as many executions as pop has.
under_all_models lives 0 1 4 4 4 4
under_all_models lives 1 1 64 64 64 64
under_all_models lives 2 1 8 8 8 8
under_all_models lives 3 1 4 4 4 4
under_all_models lives 4 1 4 4 4 4
under_all_models lives 5 1 1 1 1 1
for case in '0 slot.references' '3 n->mutex' '4 n->mutex'; do
    expect 1 "$heddle" check --model=rc11 -DWHAT="${case%% *}" -DORDER=0 "$programs/lives.c"
    says out "data race on ${case#* }"
done

# Sixteen bytes are one location.
under_all_models wide 0 0 2! 2! 2! 2!
under_all_models wide 0 1 2 2 2 2
under_all_models wide 1 0 3 4! 4! 4!
under_all_models wide 1 1 3 3 4! 3
under_all_models wide 2 0 3 3 3 3
under_all_models wide 4 0 2 2 2 2
expect 1 "$heddle" check --model=rc11 --schedule=kept -DWHAT=1 -DORDER=0 "$programs/wide.c"
says out '^ !    6 .* read shared.first \(16 bytes\) \(old; step 3 is newer\)'
says out 'T2 reads the initial value of shared.first in step 6 \(relaxed\), although T1 overwrote it in step 3'
expect 1 "$heddle" replay kept
says out 'assertion'
for order in 0 1; do
    expect $((1 - order)) "$heddle" check --model=rc11 -DWHAT=3 -DORDER=$order "$programs/wide.c"
done
expect 2 "$heddle" check --model=rc11 -DWHAT=5 -DORDER=0 "$programs/wide.c"
says err 'in several sizes'

# What libc keeps for the process is used by one thread after the other.
cat > process.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int x;
static void at_end(void) {
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
}
static void *work(void *name) {
    const char *value = getenv("OTHER");
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    assert(!value || strcmp(value, "1") == 0);
    setenv(name, "1", 1);
    return NULL;
}
int main(void) {
    pthread_t a, b;
    atexit(at_end);
    pthread_create(&a, NULL, work, "ONE");
    pthread_create(&b, NULL, work, "OTHER");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
expect 0 "$heddle" cc -o process process.c
for model in sc tso ra rc11; do
    expect 0 "$heddle" check --json --algorithm=graph --model=$model ./process
    json '.executions == 10'
done

# The worked examples of docs/MEMORY-MODELS.md: sequential consistency hides the bug, the finding says
# what was read from where and which orders would prevent it, and with these the program is verified.
# example NAME EXECUTIONS MODEL WITH-THE-BUG FIXED HINT...
example() {
    local name=$1 executions=$2 model=$3 bug=$4 fixed=$5
    shift 5
    check sc 0 "$executions" "$name" -DORDER=0
    check "$model" 1 "$bug" "$name" -DORDER=0
    json '.errors[0].kind == "assertion"'
    json '.errors[0].remarks | any(test("although .* overwrote it in step .*no happens-before"))'
    json '.errors[0].steps | any(.order == "relaxed")'
    for hint in "$@"; do
        json ".errors[0].remarks[-1] | test(\"$hint\")"
    done
    check "$model" 0 "$fixed" "$name" -DORDER=1
}
example dekker 7 tso 11 7 'seq_cst in place of release for the write at .*dekker.c:21\\.$'
example dekker 7 rc11 11 7 'with a seq_cst fence before the read at .*dekker.c:25\\.$'
check rc11 0 7 dekker -DORDER=2
example seqlock 11 rc11 17 11 'release fence before the write at .*c:14' 'acquire fence before the read at .*c:28'
example chase-lev 17 tso 19 17 'seq_cst in place of relaxed for the write at .*c:26'
example chase-lev 17 rc11 27 23 'seq_cst fence before the read at .*c:28 and with seq_cst in place of acquire for the read at .*c:44'
example ms-queue 32 rc11 48 32 'release in place of relaxed for the compare-and-swap at .*c:32' \
    'acquire in place of relaxed for the read at .*c:44'
example treiber 20 rc11 244 20 'release in place of relaxed for the compare-and-swap at .*c:31' \
    'acquire in place of relaxed for the compare-and-swap at .*c:39'

# The weakest fence that is enough, and the column where a line has more than one access of the kind.
cat > line.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int payload;
static void *first(void *p) {
    payload = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return p;
}
static void *second(void *p) {
#ifdef CHAIN
    if (atomic_load_explicit(&x, memory_order_relaxed) == 1)
        atomic_store_explicit(&x, 2, memory_order_relaxed);
#endif
    return p;
}
static void *third(void *p) {
#ifdef CHAIN
    return atomic_load_explicit(&x, memory_order_acquire) == 2 && payload ? p : NULL;
#else
    return atomic_load_explicit(&y, memory_order_relaxed) + atomic_load_explicit(&x, memory_order_relaxed) && payload ? p : NULL;
#endif
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
END
expect 1 "$heddle" check --model=rc11 -DCHAIN line.c
says out 'with an acq_rel fence before the write at line.c:13\.'
expect 1 "$heddle" check --model=rc11 line.c
says out 'with acquire in place of relaxed for the read at line.c:21:61\.'

# The order for when a compare-and-exchange fails is changed by itself, and only where it stands: no change of
# the store helps.
cat > failure.c << 'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int data, seen;

static void *publish(void *argument) {
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return argument;
}

static void *look(void *argument) {
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&x, &expected, 2, memory_order_acq_rel, FAILURE)) {
        seen = data;
    }
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, publish, NULL);
    pthread_create(&other, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return seen;
}
END
expect 1 "$heddle" check --json --model=rc11 -DFAILURE=memory_order_relaxed failure.c
json '.errors[0].remarks[-1] == "Hint: this cannot happen with acquire in place of relaxed for the failure of the compare-and-swap at failure.c:15."'
expect 0 "$heddle" check --model=rc11 -DFAILURE=memory_order_acquire failure.c

# The hint of a race; none for what sequential consistency has as well. In the text and in SARIF, too.
expect 1 "$heddle" check --model=rc11 --sarif=log -DORDER=0 "$programs/message.c"
says out 'Hint: this cannot happen with release in place of relaxed for the write'
grep -q 'Hint: this cannot happen with release' log || fail "no hint in the SARIF log"
expect 1 "$heddle" check --model=rc11 -DWHAT=7 "$programs/loops.c"
says out 'Sequential consistency has this error, too'

# A block whose address is passed on by relaxed accesses is not known to be allocated, or to be zero.
cat > block.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *_Atomic place;
static void *makes(void *unused) {
    atomic_store_explicit(&place, MAKE, ORDER);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, makes, NULL);
    int *block = atomic_load_explicit(&place, memory_order_acquire);
    if (block) *block += 1;
    pthread_join(thread, NULL);
    free(place);
    return 0;
}
EOF
for make in 'calloc(1, 4)' 'malloc(4)' 'aligned_alloc(32, 32)' 'realloc(calloc(1, 1), 4)'; do
    expect 1 "$heddle" check --model=rc11 -DMAKE="$make" -DORDER=memory_order_relaxed block.c
    says out 'data race'
    expect 0 "$heddle" check --model=rc11 -DMAKE="$make" -DORDER=memory_order_release block.c
done

# A fence of all threads is no fence of one.
cat > membarrier.c << 'END'
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
    return (int)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
}
END
expect 0 "$heddle" check membarrier.c
expect 2 "$heddle" check --model=rc11 membarrier.c
says err 'membarrier, a fence of all threads, under a weak memory model'
