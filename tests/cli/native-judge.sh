#!/bin/bash
# The verdict depends on what ran: what heddle does not cover counts when an execution reaches it,
# with its name and place.
. "$(dirname "$0")/../library.sh"
here=$root/tests/native/judge
cp "$here"/*.c .

gcc -c elsewhere.c -o elsewhere.o
reached() {
    local what=$1 pattern=$2
    shift 2
    expect 3 "$heddle" check "$@" -- "$what"
    says out "$pattern"
    [ "$(grep -c '^Warning: [0-9]' out)" = 1 ] || fail 'one warning'
}
expect 0 "$heddle" check reached.c elsewhere.o
for compiler in gcc clang; do
    program="--cc=$compiler reached.c elsewhere.o"
    [ $compiler = gcc ] || expect 0 "$heddle" check $program
    reached function '1 function .* was called: gethostid \(reached.c:19\)$' $program
    reached pointer 'was called: setlogmask \(reached.c:22\)$' $program
    reached variable 'was accessed: obstack_exit_failure \(reached.c:24\)$' $program
    reached object 'was called: elsewhere of elsewhere.o \(reached.c:32\)$' $program
    expect 2 "$heddle" check $program -- unsupported
    says err 'unsupported: fork at .*reached\.c:36'
    [ "$(uname -m)" = x86_64 ] || continue
    reached assembly 'inline assembly .* was reached: rep.*stosb.* \(reached.c:26\)$' $program
    reached segment 'was reached: lsl.* \(reached.c:28\)$' $program
    reached outside 'was reached: in_assembly \(reached.c\)$' $program
done
reached builtin 'builtin of constant size was reached: .*\(reached.c:34\)$' reached.c elsewhere.o

# The same for what heddle cc linked, and for archives of which a part was compiled elsewhere.
expect 0 "$heddle" cc -c reached.c
echo 'int never(void) { return 0; }' > never.c
expect 0 "$heddle" cc -c never.c
ar rc libmixed.a never.o elsewhere.o
expect 0 "$heddle" cc reached.o libmixed.a -o mixed
expect 0 "$heddle" check mixed
reached object 'was called: elsewhere of libmixed.a\(elsewhere.o\) \(reached.c:32\)$' mixed
reached function 'gethostid \(reached.c:19\)$' mixed

# A table of functions leads to code that nobody watches; main is code, too.
cat > table.c << 'END'
static int one(void) { return 1; }
int (*table[])(void) = {one};
END
echo 'extern int (*table[])(void); int main(void) { return table[0]() - 1; }' > user.c
gcc -c table.c
expect 3 "$heddle" check user.c table.o
says out 'was called: table of table\.o$'
gcc -fPIC -c user.c -o plain-user.o
expect 3 "$heddle" check plain-user.o table.c
says out 'was called: main of plain-user\.o$'

# A weak reference to nothing stays nothing.
cat > weak.c << 'END'
__attribute__((weak)) int nobody(void);
int main(void) { return nobody ? nobody() : 0; }
END
expect 0 "$heddle" check weak.c
expect 0 "$heddle" check weak.c -lm

# Many are counted.
{
    echo '#define _GNU_SOURCE'
    echo '#include <stdio.h>'
    echo '#include <unistd.h>'
    echo 'int main(void) {'
    for call in setlogmask\(0\) gethostid getusershell endusershell setusershell ctermid\(0\) ttyslot \
        getttyent setttyent endttyent; do
        echo "    (void)${call%)}$([[ $call = *\) ]] && echo ')' || echo '()');"
    done
    echo '    return 0; }'
} > many.c
expect 3 "$heddle" check -w many.c
says out '^Warning: [0-9]+ functions that heddle does not control were called: .*, and [0-9]+ more$'

# The thread pointer is the thread's own; what libc has there is not.
if [ "$(uname -m)" = x86_64 ]; then
    for compiler in gcc clang; do
        expect 0 "$heddle" check --cc=$compiler thread_pointer.c
        expect 2 "$heddle" check --cc=$compiler thread_pointer.c -- again
        says err "unsupported: a load from libc's part of the thread at .*thread_pointer\.c:12"
    done
fi

# Models of thread-local variables that would have all threads share them: a crash was reported.
for flags in "" --optimize --cc=clang -ftls-model=initial-exec; do
    expect 0 "$heddle" check $flags thread_models.c
done

# Tables in other sections, as headers of Linux have them.
if [ "$(uname -m)" = x86_64 ]; then
    for compiler in gcc clang; do
        expect 0 "$heddle" check --json --cc=$compiler kernel.c
        json '.executions == 2' # clang writes .text where the source has .previous
    done
    expect 0 "$heddle" check -DMEMORY kernel.c
    expect 3 "$heddle" check -DMEMORY --cc=clang kernel.c
    expect 3 timeout 60 "$heddle" check -DSTRANGE kernel.c
    says out 'was reached: hlt \(kernel.c:27\)$'
fi

# A lock by hand: what its loop keeps on the stack is the same in every execution.
if [ "$(uname -m)" = x86_64 ]; then
    for algorithm in pop source observers; do
        expect 0 "$heddle" check --json --optimize --algorithm=$algorithm assembly_lock.c
        json '.executions == 2'
    done
fi

# Barriers, arithmetic in registers, and text that looks like assembly.
for flags in "" --optimize --cc=clang; do
    expect 0 "$heddle" check $flags harmless.c
done
if [ "$(uname -m)" = x86_64 ]; then
    expect 0 "$heddle" check -fno-asynchronous-unwind-tables harmless.c
fi

# Atomic operations in inline assembly are explored like those of C.
if [ "$(uname -m)" = x86_64 ]; then
    for flags in --cc=gcc --cc=clang --optimize; do
        for case in EXCHANGE:4 COMPARE:8 DECREMENT:4 WIDE:4; do
            expect 0 "$heddle" check $flags -k --json -D${case%:*} assembly.c
            json ".executions == ${case#*:}"
        done
        expect 1 "$heddle" check $flags --json -DLOST assembly.c
        json '.errors[0].kind == "assertion"'
        expect 1 "$heddle" check $flags --json -DRACE assembly.c
        json '.errors[0].kind == "data-race"'
    done
fi

# Structs by value are read and written as one step, and race.
if [ "$(uname -m)" = x86_64 ]; then
    for type in pair mixed big odd huge; do
        for case in GLOBAL POINTER ELEMENT RESULT BOTH; do
            program="-DTYPE=struct_$type -D$case by_value.c"
            [ $case = POINTER ] || program="-DSTATIC $program"
            expect 0 "$heddle" check -k --json --no-race-check -Dstruct_$type="struct $type" $program
            json ".executions == $([ $case = BOTH ] && echo 3 || echo 2)"
            expect 1 "$heddle" check --json -Dstruct_$type="struct $type" $program
            json '.errors[0].kind == "data-race"'
        done
    done
    expect 1 "$heddle" check --optimize --json -DTYPE='struct big' -DGLOBAL by_value.c
    json '.errors[0].kind == "data-race"'
    # Also if they are called as values are in gcc's dump: a global, a static, a member, a local.
    for name in shared_1 'shared_1 -DSTATIC' 'outer.shared_1 -DMEMBER' 'shared_1 -DLOCAL'; do
        expect 1 "$heddle" check --json -DTYPE='struct big' -DGLOBAL -Dshared=$name by_value.c
        json '.errors[0].kind == "data-race"'
    done
fi

# So are complex numbers, whose constants look like calls in gcc's dump.
for flags in '' --optimize; do
    expect 0 "$heddle" check $flags --json complex.c
    json '.executions == 1'
    for name in wide narrow pair.number; do
        expect 1 "$heddle" check $flags --json -DRACE=$name complex.c
        json '.errors[0].kind == "data-race"'
    done
done

# Where a variable or a member names the callee, its value has a name that the dump declares.
cat > called.c << 'END'
#include <pthread.h>
struct big { long x[5]; } shared;
static int use(struct big b) { return (int)b.x[0]; }
static int (*function)(struct big) = use;
static struct { int (*use)(struct big); } table = {use}, *pointer = &table;
static void *work(void *unused) {
#ifdef RACE
    shared.x[0] = 1;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int sum = function(shared) + pointer->use(shared);
    pthread_join(thread, NULL);
    return sum * 0;
}
END
expect 0 "$heddle" check called.c
expect 1 "$heddle" check -DRACE called.c

# What a function returns and has from another one is nobody's access, however many addresses it takes.
cat > passed_on.c << 'END'
struct big {
    long x[5];
};
static struct big add(struct big b, const long *more) {
    b.x[0] += *more;
    return b;
}
static struct big pass_on(const struct big *from, long more) {
    struct big b = *from;
    b.x[1] = from->x[2];
    return add(b, &more);
}
int main(void) {
    struct big b = {{1}};
    return pass_on(&b, 2).x[0] != 3;
}
END
expect 0 "$heddle" check --exit-status passed_on.c

# SV-COMP: one property at a time, and abort ends an execution.
property() {
    local wanted=$1
    shift
    expect "$wanted" "$heddle" check -w "$@" svcomp.c
}
expect 1 "$heddle" check -w --no-race-check --json svcomp.c
json '.errors[0].kind == "abort"'
property 0 --svcomp
property 0 --json --svcomp=unreach-call
json '.executions == 2 and .assume_blocked == 1 and (.warnings | length) == 0'
property 1 --svcomp -DBUG
property 1 --json --svcomp -DBUG -DEMPTY --schedule=found
json '.errors[0].kind == "assertion" and .errors[0].line == 16'
says found '^svcomp unreach-call$'
expect 1 "$heddle" replay found
property 0 --svcomp -DDEAD
says out '^Warning: errors of the kind deadlock do not count for --svcomp=unreach-call'
cat > woken.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *wait(void *p) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); /* no loop: POSIX lets it return before the signal */
    assert(ready);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}
END
expect 0 "$heddle" check woken.c
expect 1 "$heddle" check --svcomp woken.c --schedule=found
expect 1 "$heddle" replay found
cat > goes-on.c << 'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, past;
static void *write(void *p) {
    x = 1;
    return p;
}
int main(void) {
    pthread_t t;
#ifdef OVERFLOW
    (&past)[1] = 1; /* in a real program nothing ends here */
#else
    pthread_mutex_unlock(&m);
#endif
    pthread_create(&t, NULL, write, NULL);
    x = 2;
}
END
for way in OVERFLOW MISUSE; do
    expect 3 "$heddle" check -D$way --svcomp=no-data-race goes-on.c
    says out 'do not count for --svcomp=no-data-race.* what may come after them is not covered'
done
# A thread that ends does not take with it what else went wrong in the same step: a race, a child that fails.
cat > same-step.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void) { assert(0); }
static atomic_int arrived;
static int table, *null;
#ifndef ENDS
#define ENDS
#endif
static void *work(void *unused) {
    arrived++;
    table = 7;
    ENDS;
    return unused;
}
static void *fail(void *unused) {
    reach_error();
    return unused;
}
static void *write_it(void *unused) {
    table = 2;
    return unused;
}
int main(void) {
    pthread_t one, other;
#if defined CHILD
    pthread_create(&one, NULL, fail, NULL);
    *null = 1;
#elif defined OVER
    pthread_create(&one, NULL, write_it, NULL);
    table = 1;
    *null = 1;
#else
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#endif
    (void)fail, (void)work, (void)write_it, (void)other;
}
END
for algorithm in pop optimal observers source none graph; do
    for end in 'assert(0)' '*null=1' 'reach_error()'; do
        checked 1 --json --algorithm=$algorithm --svcomp=no-data-race "-DENDS=$end" same-step.c
        json '.errors[0].kind == "data-race"'
    done
    checked 1 --json --algorithm=$algorithm --svcomp -DCHILD same-step.c
    json '.errors[0].kind == "assertion"'
    checked 1 --json --algorithm=$algorithm --svcomp=no-data-race -DOVER same-step.c
    json '.errors[0].kind == "data-race"'
done
checked 1 --json -k '-DENDS=assert(0)' same-step.c
json '[.errors[].kind] | sort == ["assertion", "data-race"]'
# A search that cannot treat a race, and stops, does not count what else the thread did either.
checked 0 --svcomp -DOVER same-step.c
checked 2 --json --svcomp --algorithm=graph -DOVER same-step.c
json '.errors[0].kind == "unsupported"'
checked 1 --algorithm=graph --no-race-check -DOVER same-step.c
says out '^Verdict: bug'

property 0 --svcomp -DCRASH
property 1 --json --svcomp=no-data-race
json '.errors[0].kind == "data-race"'
property 1 --json --svcomp=no-deadlock -DDEAD -DBUG
json '.errors[0].kind == "deadlock"'
property 1 --json --svcomp=valid-memsafety -DCRASH
json '.errors[0].kind == "crash"'
property 0 --svcomp=valid-memsafety -DBUG
expect 2 "$heddle" check --svcomp=everything svcomp.c
says err 'expected unreach-call, no-data-race, no-deadlock or valid-memsafety'

# Undetermined values: what the program does not see of them need not be tried.
for level in "" --optimize; do
    expect 0 "$heddle" check $level -w --json undetermined.c
    json '.executions == 20'
    expect 1 "$heddle" check $level -w -DBUG undetermined.c
    for more in NARROW STORED MEMBER PASSED COMPUTED RETURNED ASSEMBLY; do
        expect 3 "$heddle" check $level -w -D$more undetermined.c
        says out 'not all results of __VERIFIER_nondet_(int|long) were tried'
    done
done
expect 1 "$heddle" check -w -DELEMENT undetermined.c
expect 1 "$heddle" check -w -DDIVIDED undetermined.c

# Comparisons with constants say which values are enough; what else is seen has to be tried.
for level in "" --optimize; do
    expect 1 "$heddle" check $level -w -DCOMPARED undetermined.c
    expect 0 "$heddle" check $level --svcomp -DSTRAIGHT ranges.c
    expect 1 "$heddle" check $level --svcomp -DSTRAIGHT -DBUG ranges.c
done
for case in STRAIGHT:6 TOGETHER:6 OUTSIDE:7 THOUSAND:1002 COMPARED:2 VARIABLE:6 MASK:13 REMAINDER:9 LOOP:5 \
    CONVERTED:7 CONVERTED_IN_LOOP:22 NARROWED:4 WIDENED:3 VOLATILE:6 RETURNED:7; do
    expect 0 "$heddle" check --json --svcomp -D${case%:*} ranges.c
    json ".executions == ${case#*:}"
    expect 1 "$heddle" check --svcomp -DBUG -D${case%:*} ranges.c
done
for more in SHARED MASK_AND_MORE WIDE POINTED CONVERTED_TWICE 'STRAIGHT -DEMPTY' 'VARIABLE -DEMPTY'; do
    expect 3 "$heddle" check --svcomp -D$more ranges.c
    says out 'not all results of __VERIFIER_nondet_.* were tried'
done
expect 1 "$heddle" check --svcomp -DTOGETHER -DEMPTY ranges.c
echo 'extern int calls; int __VERIFIER_nondet_int(void) { calls++; return 7; }' > own.c
cat > user.c << 'END'
#include <assert.h>
int __VERIFIER_nondet_int(void), calls;
int main(void) {
    __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int()) calls += 10;
    assert(calls == 12);
    return 0;
}
END
expect 0 "$heddle" check user.c own.c
