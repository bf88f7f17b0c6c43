#!/bin/bash
# Existing builds with heddle-cc: autoconf with libtool, CMake, Meson, each with a shared library; what
# they make runs by itself and under heddle. Then what compilers are asked for besides.
. "$(dirname "$0")/../library.sh"
mkdir bin
ln -s "$heddle" bin/heddle-cc
export PATH=$folder/bin:$PATH CC=heddle-cc

# ---- projects ----

checked() { # program: right, and it runs
    expect 0 "$1"
    [ "$(cat out)" = 2 ] || fail "the program alone prints something else"
    expect 0 "$heddle" check "$1"
}

wrong() { # program: a race in the library
    expect 1 "$heddle" check "$1"
    says out 'counter.c:.*data race'
}

cp -r "$root/tests/native/project" project
(cd project && autoreconf -i) > out 2>&1 || fail "autoreconf"
for flags in '' -DWRONG; do
    build=autoconf$flags
    mkdir "$build"
    (cd "$build" && ../project/configure CFLAGS="-O2 -g $flags" && make) > out 2>&1 || fail "$build"
    if [ "$flags" ]; then wrong "$build/program"; else checked "$build/program"; fi

    build=cmake$flags
    { cmake -S project -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$flags" &&
        cmake --build "$build"; } > out 2>&1 || fail "$build"
    if [ "$flags" ]; then wrong "$build/program"; else checked "$build/program"; fi

    build=meson$flags
    { meson setup "-Dc_args=$flags" "$build" project && ninja -C "$build"; } > out 2>&1 ||
        fail "$build"
    if [ "$flags" ]; then wrong "$build/program"; else checked "$build/program"; fi
done

# What configure scripts ask: which functions there are.
echo 'char NAME(); int main(void) { return NAME(); }' > probe.c
for name in pthread_setname_np timer_create fork thrd_yield shm_open; do
    expect 0 heddle-cc -w -DNAME=$name -o probe probe.c
done
for name in pthread_threadid_np pthread_none mtx_none sem_none re_none strlxpy; do
    expect 1 heddle-cc -w -DNAME=$name -o probe probe.c
    says err "undefined reference to .$name"
done
cat > weak.c << 'END_OF_FILE'
int pthread_none(void) __attribute__((weak)), fork(void) __attribute__((weak));
int main(void) { return pthread_none ? 2 : fork ? 0 : 1; }
END_OF_FILE
expect 0 "$heddle" check --exit-status weak.c

# ---- flags and files ----

mkdir -p one two system
echo 'int one(void) { return 1; }' > one/same.c
echo 'int two(void) { return 2; }' > two/same.c
echo '#define THREE 3' > system/three.h
echo '#define FOUR 4' > four.h
cat > main.c << 'END_OF_FILE'
#include <assert.h>
#include <three.h>
int one(void), two(void);
int main(int count, char **words) {
    assert(one() + two() == THREE && FOUR == 4);
    return count > 1 ? words[1][0] - '0' : 0;
}
END_OF_FILE
expect 0 heddle-cc -c -O3 -Wall -isystem system -include four.h main.c
expect 0 heddle-cc -c -fPIC one/same.c -o one/same.o
expect 0 heddle-cc -c -fPIC two/same.c -o two/same.o
expect 0 heddle-cc -o program main.o one/same.o two/same.o
expect 0 "$heddle" check ./program
expect 5 ./program 5
expect 0 ./program
expect 0 heddle-cc -o sources -isystem system -include four.h main.c one/same.c two/same.c
expect 0 "$heddle" check ./sources
ar rc libboth.a one/same.o two/same.o
expect 0 heddle-cc -o archive main.o -L. -lboth
expect 0 "$heddle" check ./archive
expect 0 heddle-cc -shared -o shared.so one/same.o two/same.o
expect 0 heddle-cc -o with_path main.o ./shared.so
expect 0 "$heddle" check ./with_path
expect 0 ./with_path

# Two shared libraries define the same names: the first counts, and hidden ones are of each library.
for library in first second; do
    cat > $library.c << END_OF_FILE
__attribute__((visibility("hidden"))) const char *hidden(void) { return "$library"; }
const char *common(void) { return "$library"; }
const char *${library}_hidden(void) { return hidden(); }
const char *${library}_common(void) { return common(); }
END_OF_FILE
done
cat > libraries.c << 'END_OF_FILE'
#include <assert.h>
#include <string.h>
const char *first_hidden(void), *second_hidden(void), *first_common(void), *second_common(void);
int main(void) {
    assert(strcmp(first_hidden(), "first") == 0 && strcmp(second_hidden(), "second") == 0);
    assert(strcmp(first_common(), "first") == 0 && strcmp(second_common(), "first") == 0);
    return 0;
}
END_OF_FILE
expect 0 heddle-cc -shared -fPIC -o second.so second.c
expect 0 heddle-cc -shared -fPIC -o first.so first.c ./second.so
expect 0 heddle-cc -o libraries libraries.c ./first.so ./second.so
expect 0 ./libraries
expect 0 "$heddle" check ./libraries

# Libraries that are linked completely, whatever wants them: their constructors run, and only there.
cat > registers.c << 'END_OF_FILE'
extern int registered;
__attribute__((constructor)) static void add(void) { registered++; }
END_OF_FILE
cat > counts.c << 'END_OF_FILE'
#include <assert.h>
extern int registered;
int main(void) { assert(registered == EXPECTED); return 0; }
END_OF_FILE
echo 'int registered;' > registry.c
expect 0 heddle-cc -fPIC -c registry.c registers.c
ar rc libregisters.a registers.o
for words in "-Wl,--whole-archive libregisters.a -Wl,--no-whole-archive libregisters.a" "-Wl,--whole-archive,libregisters.a,--no-whole-archive" \
    "-L. -Wl,--push-state,--whole-archive -lregisters -Wl,--pop-state" "-L. -Wl,--whole-archive -l:libregisters.a -Xlinker --no-whole-archive"; do
    # shellcheck disable=SC2086
    expect 0 heddle-cc -DEXPECTED=1 -o counts counts.c registry.o $words -Wl,--exclude-libs,libregisters.a
    expect 0 ./counts
    expect 0 "$heddle" check ./counts
done
expect 0 heddle-cc -DEXPECTED=0 -o counts counts.c registry.o libregisters.a
expect 0 "$heddle" check ./counts
for words in "-Wl,--whole-archive libregisters.a -Wl,--no-whole-archive 1" "libregisters.a 0"; do
    # shellcheck disable=SC2086
    expect 0 heddle-cc -shared -o libregistry.so registry.o ${words% *}
    expect 0 heddle-cc -DEXPECTED="${words##* }" -o counts counts.c -L. -lregistry
    expect 0 env LD_LIBRARY_PATH=. ./counts
    expect 0 "$heddle" check ./counts
done

# A shared library by the name of its file, and one that another one needs.
mkdir needed
cat > needs.c << 'END_OF_FILE'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
int next(void) {
    pthread_mutex_lock(&m);
    int result = ++n;
    pthread_mutex_unlock(&m);
    return result;
}
END_OF_FILE
cat > takes.c << 'END_OF_FILE'
#include <pthread.h>
int next(void);
static void *take(void *unused) { next(); return unused; }
int take_two(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    next();
    return pthread_join(thread, 0);
}
END_OF_FILE
echo 'int take_two(void); int main(void) { return take_two(); }' > two_libraries.c
expect 0 heddle-cc -shared -fPIC -o needed/libneeds.so needs.c
expect 0 heddle-cc -shared -fPIC -o needed/libtakes.so takes.c -Lneeded -lneeds
for words in "-ltakes" "-l takes" "-l:libtakes.so -l:libneeds.so"; do
    # shellcheck disable=SC2086
    expect 0 heddle-cc -o two_libraries two_libraries.c -Lneeded $words -Wl,-rpath-link,needed
    expect 0 env LD_LIBRARY_PATH=needed ./two_libraries
    expect 0 "$heddle" check --json ./two_libraries
    json '.executions == 2'
done
expect 0 "$heddle" check two_libraries.c needed/libtakes.so

# A program of another compiler is no program of heddle's.
expect 0 gcc -o foreign two_libraries.c takes.c needs.c
expect 2 "$heddle" check ./foreign
says err 'foreign: was not linked by heddle-cc'
expect 0 heddle-cc -c two_libraries.c takes.c needs.c
expect 0 gcc -o foreign two_libraries.o takes.o needs.o "$(dirname "$heddle")/libheddle-alone.a"
expect 0 ./foreign
expect 2 "$heddle" check ./foreign
says err 'foreign: was not linked by heddle-cc'
echo '#include <thread>' > program.cpp
expect 1 heddle-cc -o foreign two_libraries.o program.cpp
says err 'program.cpp: heddle checks C programs, not C++'

# Flags whose next word belongs to them.
mkdir quoted
echo '#define ONE 1' > quoted/quoted.h
echo 'int one = ONE;' > imacros.c
for flags in '-iquote quoted -include quoted.h' '-imacros quoted/quoted.h' '-isysroot / -Iquoted -include quoted.h'; do
    # shellcheck disable=SC2086 # several words
    expect 0 heddle-cc -c $flags imacros.c
    nm imacros.o | grep -q __tsan || fail "$flags: not instrumented"
done

# What heddle has of its own, or that gets in its way, is left out with a word.
expect 0 heddle-cc -c -fsanitize=address,undefined -fprofile-arcs -ftest-coverage -flto=auto -pg \
    one/same.c -o one/same.o
says err 'heddle cc: left out: -fsanitize=address,undefined -fprofile-arcs -ftest-coverage -flto=auto -pg'
expect 0 heddle-cc --coverage -fsanitize=thread -o program main.o one/same.o two/same.o
expect 0 "$heddle" check ./program

# Assembly is assembled, and is not under control: only calling it matters. Objects that are put together
# (ld -r) are under control if all of their parts are.
cat > seven.S << 'END_OF_FILE'
#define RESULT 7
    .globl seven
    .type seven, @function
seven:
    mov $RESULT, %eax
    ret
    .section .note.GNU-stack, "", @progbits
END_OF_FILE
cat > calls.c << 'END_OF_FILE'
int seven(void);
int main(int count, char **words) { return count > 1 && words ? seven() - 7 : 0; }
END_OF_FILE
if [ "$(uname -m)" = x86_64 ]; then
    expect 0 heddle-cc -c -fPIC seven.S -o seven.o
    expect 0 heddle-cc -o calls calls.c seven.o
    expect 0 ./calls 1
    expect 0 "$heddle" check ./calls
    expect 3 "$heddle" check calls.c seven.S -- 1
    says out 'heddle does not control was called: seven of seven.S'
    expect 0 heddle-cc -c calls.c
    expect 0 heddle-cc -r -o together.o calls.o seven.o
    expect 3 "$heddle" check together.o -- 1
    says out 'heddle does not control was called: main of together.o'
fi
expect 0 heddle-cc -r -o together.o main.o one/same.o two/same.o
expect 0 "$heddle" check together.o

# Precompiled headers, in the ways of CMake, Meson and by hand, and hidden names, main's too.
cat > precompiled.h << 'END_OF_FILE'
#include <pthread.h>
static int total;
END_OF_FILE
cat > hidden.c << 'END_OF_FILE'
static void *add(void *unused) { total++; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
#ifdef WRONG
    total++;
#endif
    return pthread_join(thread, 0);
}
END_OF_FILE
for header in "-x c-header -c precompiled.h" "-xc-header precompiled.h" precompiled.h; do
    # shellcheck disable=SC2086
    expect 0 heddle-cc -O2 -o precompiled.h.gch $header
    expect 0 heddle-cc -O2 -Werror -Winvalid-pch -fvisibility=hidden -include precompiled.h -o hidden hidden.c
    expect 0 "$heddle" check ./hidden
    rm precompiled.h.gch
done
expect 0 heddle-cc -fvisibility=hidden -include precompiled.h -DWRONG -o hidden hidden.c
expect 1 "$heddle" check ./hidden
expect 0 heddle-cc -fsyntax-only -include precompiled.h hidden.c

# Meson looks for the header only where the precompiled one is.
mkdir headers made
echo '#include "beside.h"' > headers/elsewhere.h
mv precompiled.h headers/beside.h
expect 0 heddle-cc -x c-header -fpch-preprocess -o made/elsewhere.h.gch -c headers/elsewhere.h
expect 0 heddle-cc -Imade -fpch-preprocess -Werror -Winvalid-pch -include elsewhere.h -o hidden hidden.c
expect 0 "$heddle" check ./hidden
mv headers/beside.h precompiled.h

# A hidden main in a section of its own, which nobody wants; names that are to be removed; warnings about
# heddle's own flags; functions of the compiler.
expect 0 heddle-cc -fvisibility=hidden -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -include precompiled.h -o hidden hidden.c
expect 0 "$heddle" check ./hidden
expect 0 heddle-cc -s -Wl,-s -Wl,--strip-all -include precompiled.h -o hidden hidden.c
says err 'left out: -s -Wl,-s -Wl,--strip-all'
expect 0 "$heddle" check ./hidden
echo 'int one(void); int one(void) { return 1; }' > one/prototyped.c
expect 0 heddle-cc -std=c89 -Wpedantic -Werror -c one/prototyped.c -o prototyped.o
[ ! -s err ] || fail "warnings in C89: $(cat err)"
echo 'int main(int count, char **words) { return !words + count + 1 - 2; }' > trapping.c
expect 0 heddle-cc -ftrapv -finstrument-functions -o trapping trapping.c
expect 0 "$heddle" check ./trapping

# Words from files, and the name of the output in the same word.
cat > words << 'END_OF_FILE'
-c "-DNAME=\"a b\"" '-DLETTER="x"'
@more
END_OF_FILE
printf '%s' '-ofrom\ words.o words.c' > more
echo 'int main(void) { return sizeof NAME != 4 || sizeof LETTER != 2; }' > words.c
expect 0 heddle-cc @words
expect 0 "$heddle" check 'from words.o'

# By itself, <heddle.h> means something too.
cat > asserts.c << 'END_OF_FILE'
#include <heddle.h>
int main(void) {
    heddle_atomic_begin();
    unsigned chosen = heddle_choose(3);
    heddle_atomic_end();
    heddle_assert(chosen < 3);
    heddle_assume(0);
    return 1;
}
END_OF_FILE
expect 0 heddle-cc -o asserts asserts.c
expect 0 ./asserts
expect 0 "$heddle" check ./asserts

# What only heddle has does not link by itself.
cat > undetermined.c << 'END_OF_FILE'
int __VERIFIER_nondet_int(void);
int main(void) { return __VERIFIER_nondet_int() > 5; }
END_OF_FILE
expect 0 heddle-cc -o undetermined undetermined.c
expect 2 ./undetermined
says err 'run it with: heddle check'
expect 0 "$heddle" check --json ./undetermined # a value up to 5 and one above stand for all
json ".executions == 2"

# Functions that are only inline have no definition in C99, and without optimisation they are called.
cat > twice.h << 'END_OF_FILE'
inline int twice(int a) { return 2 * a; }
END_OF_FILE
cat > inline_main.c << 'END_OF_FILE'
#include <assert.h>
#include "twice.h"
int other(int);
int main(void) {
    assert(twice(2) + other(1) == 6);
    return 0;
}
END_OF_FILE
cat > inline_other.c << 'END_OF_FILE'
#include "twice.h"
int other(int a) { return twice(a); }
END_OF_FILE
expect 0 "$heddle" check inline_main.c inline_other.c
echo 'extern inline int twice(int);' >> inline_other.c
expect 0 "$heddle" check inline_main.c inline_other.c
expect 2 "$heddle" check inline_main.c
says err 'undefined reference to .other'

# Whatever is put into the program's code is there when it runs by itself.
cat > edited.c << 'END_OF_FILE'
#include <stdatomic.h>
typedef struct pair { long one, two; } pair;
typedef struct tall { long double number; } tall;
typedef struct bits { unsigned low : 3, high : 13; } bits;
__extension__ typedef unsigned __int128 wide;
static pair shared = {1, 2};
static tall tower = {1};
static bits part;
static volatile bits other;
static wide sixteen = 1;
static pair swap(pair p) { return (pair){p.two, p.one}; }
static tall same(tall t) { return t; }
static void fence(void) { __asm__ volatile("mfence" : : : "memory"); }
static int add(int *to) { __asm__ volatile("lock; addl $1, %0" : "+m"(*to)); return *to; }
static unsigned long thread(void) {
    unsigned long word;
    __asm__("movq %%fs:0, %0" : "=r"(word));
    return word;
}
int main(void) {
    int local = 0;
    fence();
    shared = swap(shared);
    tower = same(tower);
    part.low = 2;
    part.high++;
    other.high = 5;
    int changed = __sync_bool_compare_and_swap(&sixteen, 1, 4);
    __sync_fetch_and_add(&sixteen, 2);
    return add(&local) + shared.one == 3 && tower.number == 1 && part.low == 2 && part.high == 1 &&
                   other.high == 5 && changed && sixteen == 6 && thread() == thread() && thread()
               ? 0
               : 1;
}
END_OF_FILE
expect 0 heddle-cc -mcx16 -o edited edited.c
expect 0 ./edited
expect 0 "$heddle" check ./edited

# All that may be put there: functions of the runtime with such names, but for parts of them.
symbols() { nm "$1" | awk '$2 ~ /[TtW]/ { print $3 }' | sort -u; }
symbols "$(dirname "$heddle")/libheddle-alone.a" > alone
symbols "$heddle" | grep -E '^(__tsan_|heddle_struct_(read|written)|heddle_assembly_)' |
    grep -vE '_(park|anew|refused|usual|was_.*|accesses|loading|storing|updating|fencing|reading_thread)$' > called
[ "$(comm -23 called alone)" = "" ] || fail "missing in libheddle-alone: $(comm -23 called alone)"
