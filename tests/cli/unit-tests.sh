#!/bin/bash
# <heddle/check.h>: the example in examples/unit-test by make, CMake and Meson, and a plain main.
. "$(dirname "$0")/../library.sh"
make -s -C "$root" install PREFIX="$folder/installed" > /dev/null
installed=$folder/installed
export PKG_CONFIG_PATH=$installed/lib/pkgconfig PATH=$installed/bin:$PATH
unset HEDDLE HEDDLE_PROGRAM HEDDLE_OPTIONS HEDDLE_REPLAY

# ---- make: the bug, its schedule by name, and the queue without it ----

cp -r "$root/examples/unit-test" make
expect 2 make -s -C make check
says out 'queue_test.c:[0-9]*:[0-9]*: error: assertion failed: item == 1'
says err 'every_item_once has a bug; to run it again: HEDDLE_REPLAY=every_item_once'
says out '^Verdict: verified' # the other one
[ -f make/queue_test.every_item_once.schedule ] || fail "no schedule beside the test"
last="HEDDLE_REPLAY"
HEDDLE_REPLAY=every_item_once make/queue_test > out 2>&1 && fail "the replay passes"
says out 'Replayed [0-9]* steps as recorded'
[ "$(grep -c Verdict out)" = 0 ] || fail "the replay makes other checks"
HEDDLE_REPLAY=every_itm_once make/queue_test > out 2> err && fail "a name that no check has passes"
says err 'HEDDLE_REPLAY=every_itm_once: there is no check of that name'
HEDDLE_OPTIONS='--max-executions=1' make/queue_test > out 2>&1 && fail "the option is not heard"
says out 'Verdict: incomplete'
HEDDLE=nowhere make/queue_test > out 2> err && fail "it passes without heddle"
says err 'cannot run nowhere: No such file or directory; set HEDDLE'
# Who may not write beside the test has the schedule in the working directory.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    chmod 755 . && mkdir elsewhere && chmod 777 elsewhere && rm make/*.schedule
    last="a test that cannot be written beside"
    (cd elsewhere && setpriv --reuid=65534 --clear-groups "$folder/make/queue_test" > ../out 2>&1) && fail "it passes"
    says out 'every_item_once has a bug'
    [ -f elsewhere/queue_test.every_item_once.schedule ] || fail "no schedule in the working directory"
    (cd elsewhere && HEDDLE_REPLAY=every_item_once setpriv --reuid=65534 --clear-groups "$folder/make/queue_test" > ../out 2>&1) &&
        fail "the replay passes"
    says out 'Replayed [0-9]* steps as recorded'
fi
make -s -C make clean
expect 0 make -s -C make check CFLAGS=-DFIXED
[ "$(grep -c '^Verdict: verified' out)" = 2 ] || fail "two checks are wanted"

# ---- by another compiler: each function once ----

make -s -C make clean
expect 0 make -s -C make check CC=gcc CFLAGS=-DFIXED
[ "$(grep -c Verdict out)" = 0 ] || fail "heddle was run"

# ---- CMake and CTest ----

cmake -S "$root/examples/unit-test" -B wrong -DCMAKE_PREFIX_PATH="$installed" > out 2>&1 ||
    fail "cmake"
expect 0 cmake --build wrong
expect 8 ctest --test-dir wrong --output-on-failure
says out 'assertion failed: item == 1'
cmake -S "$root/examples/unit-test" -B right -DCMAKE_PREFIX_PATH="$installed" -DFIXED=ON > out 2>&1
expect 0 cmake --build right
expect 0 ctest --test-dir right --verbose
[ "$(grep -c 'Verdict: verified' out)" = 2 ] || fail "two checks are wanted"

mkdir 'the whole'
cat > 'the whole/CMakeLists.txt' << 'END_OF_FILE'
cmake_minimum_required(VERSION 3.13)
project(bank C)
enable_testing()
find_package(heddle REQUIRED)
heddle_add_test(bank bank.c)
heddle_add_test(bank_ordered bank.c ARGS --algorithm=optimal)
target_compile_definitions(bank_ordered-sources PRIVATE ORDERED)
heddle_add_test(bank_defined "bank two.c" ARGS -DORDERED --algorithm=optimal)
END_OF_FILE
cp "$root/examples/bank.c" 'the whole/bank.c'
cp "$root/examples/bank.c" 'the whole/bank two.c'
cmake -S 'the whole' -B 'the whole/build' -DCMAKE_PREFIX_PATH="$installed" > out 2>&1 || fail "cmake"
expect 0 cmake --build 'the whole/build' -j 2
expect 8 ctest --test-dir 'the whole/build' -j 2 --output-on-failure
says out 'deadlock'
says out '67% tests passed'
# A definition that comes too late is an error: the program is not what it says.
expect 2 heddle check -DORDERED 'the whole/build/bank'
says err 'heddle: -DORDERED has no effect: the whole/build/bank is already compiled'

# ---- Meson ----

cp -r "$root/examples/unit-test" meson
for way in wrong right; do
    flags=$([ $way = right ] && echo -DFIXED || true)
    CC=heddle-cc expect 0 meson setup --buildtype=debug "-Dc_args=$flags" meson/$way meson
    status=0
    last="meson test ($way)"
    meson test -C meson/$way --print-errorlogs > out 2> err || status=$?
    [ $way = wrong ] && { [ $status != 0 ] || fail "passes"; says out 'assertion failed: item == 1'; }
    [ $way = right ] && { [ $status = 0 ] || fail "fails"; }
done

# Meson has no functions: what heddle_add_test and heddle_add_checks are for CMake is one call each, by any compiler.
mkdir calls
cp "$root/examples/bank.c" "$root"/examples/unit-test/*.[ch] calls/
cat > calls/meson.build << 'END_OF_FILE'
project('calls', 'c')
heddle = find_program('heddle')
test('bank', heddle, args: ['check', files('bank.c')])
test('bank_ordered', heddle, args: ['check', '-DORDERED', files('bank.c')])
checks = custom_target('queue_test', input: files('queue_test.c', 'queue.c'), output: 'queue_test',
    command: [heddle, 'cc', '-g', '-DFIXED', '-o', '@OUTPUT@', '@INPUT@',
              '-I' + dependency('heddle-check').get_variable('includedir'), '-lcmocka'])
test('queue_test', find_program('env'), args: [checks.full_path()], depends: checks)
END_OF_FILE
expect 0 meson setup calls/build calls
meson test -C calls/build --print-errorlogs > out 2> err && fail "bank passes"
says out '^Ok: *2'
says out 'deadlock: 3 threads are blocked forever'

# ---- frameworks: a plain main, a framework's main, assertions that jump ----

cat > counter.h << 'END_OF_FILE'
#include <assert.h>
#include <heddle/check.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
#ifdef FIXED
    x++;
#else
    int seen = x;
    x = seen + 1;
#endif
    return unused;
}
static void twice(void *unused) {
    pthread_t other;
    x = 0;
    pthread_create(&other, NULL, add, unused);
    add(unused);
    pthread_join(other, NULL);
    assert(x == 2);
}
END_OF_FILE

# Both ways: the wrong one fails with the bug, the right one is verified. Arguments: name, libraries
framework() {
    heddle-cc -g "-I$installed/include" -o "$1.wrong" "$1.c" "${@:2}" 2> err || fail "$1 does not link"
    heddle-cc -g -DFIXED "-I$installed/include" -o "$1.right" "$1.c" "${@:2}"
    expect 1 "./$1.wrong"
    says out 'assertion failed: x == 2, in twice'
    HEDDLE_REPLAY=twice expect 1 "./$1.wrong"
    says out 'Replayed [0-9]* steps as recorded'
    expect 0 "./$1.right"
    says out '^Verdict: verified'
}

# As Unity has them: a header, RUN_TEST with setjmp, and a main that returns how many tests failed.
cat > unity.c << 'END_OF_FILE'
#include <setjmp.h>
#include <stdio.h>
#include "counter.h"
static jmp_buf frame;
static int failures;
#define TEST_ASSERT_EQUAL(wanted, got) do { if ((wanted) != (got)) { failures++; longjmp(frame, 1); } } while (0)
#define RUN_TEST(test) do { if (!setjmp(frame)) { test(); } printf(#test "\n"); } while (0)
static void test_twice(void) { TEST_ASSERT_EQUAL(HEDDLE_VERIFIED, heddle_check(twice, NULL, NULL)); }
int main(void) {
    RUN_TEST(test_twice);
    return failures;
}
END_OF_FILE
framework unity

# Criterion has the main, and looks for its tests in the file of the program.
cat > criterion.c << 'END_OF_FILE'
#include <criterion/criterion.h>
#include "counter.h"
Test(counter, twice) { cr_assert(heddle_check(twice, NULL, NULL) == HEDDLE_VERIFIED); }
END_OF_FILE
if echo '#include <criterion/criterion.h>' | gcc -E - > /dev/null 2>&1; then
    framework criterion -lcriterion
    says err 'Tested: .*1.* Passing: .*1'
else
    echo "skipped: Criterion (libcriterion-dev is not installed)"
fi

# ---- a plain main; the program as a whole; arguments ----

cat > plain.c << 'END_OF_FILE'
#include <assert.h>
#include <heddle/check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter;

static void *add(void *times) {
    for (int i = 0; i < *(int *)times; i++) {
        counter++;
    }
    return NULL;
}

static void adds_up(void *times) {
    pthread_t other;
    pthread_create(&other, NULL, add, times);
    add(times);
    pthread_join(other, NULL);
    assert(counter == 2 * *(int *)times);
    counter = 0;
}

int main(void) {
    int times = 2;
    heddle_options options = {.name = "twice", .argument_size = sizeof times};
    printf("%d\n", heddle_check(adds_up, &times, &options));
    times = 1;
    options.name = "once";
    printf("%d\n", heddle_check(adds_up, &times, &options));
    printf("%d\n", heddle_check(adds_up, &times, NULL));
}
END_OF_FILE
gcc -g -o plain plain.c $(pkg-config --cflags --libs heddle-check)
expect 0 ./plain
[ "$(cat out)" = "$(printf '0\n0\n2')" ] || fail "on real threads"
says err 'an argument needs argument_size'
expect 0 heddle cc -g "-I$installed/include" -o plain plain.c
expect 0 ./plain
[ "$(grep -c '^0$' out) $(grep -c '^2$' out)" = "2 1" ] || fail "by heddle"
says out '^Number of complete executions explored: 6$'
says out '^Number of complete executions explored: 2$'
expect 0 heddle check "-I$installed/include" plain.c

# ---- and away ----

make -s -C "$root" uninstall PREFIX="$installed" > /dev/null
[ -z "$(find "$installed" -type f)" ] || fail "uninstall leaves files"
