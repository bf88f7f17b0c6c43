#!/bin/bash
# Tests of the native target alone: builds the drivers against build/libheddle.a and runs every
# program of tests/native whose comment says what to expect:
#
#     expect [FLAGS]: [executions N] [deadlocks N] [errors none|KIND,KIND…]
#     observers [FLAGS]: the same under the algorithm observers
#
# then the papers' programs with their counts, the faults, snapshots and the differential test.
#
#     tests/native/run.sh [ALGORITHM…]        (optimal and pop if none is given)
set -uo pipefail
cd "$(dirname "$0")/../.."
algorithms=("${@:-optimal}")
[ $# -gt 0 ] || algorithms=(optimal pop)
drivers=build/tests/native
mkdir -p "$drivers"
flags="-std=gnu11 -Wall -Wextra -Werror -O2 -g -Isrc -Iinclude -I. -Itests/native"
libraries="build/liboracle.a build/libheddle.a -Wl,--dynamic-list=src/targets/runtime/kernel/exports.list"
libraries="$libraries -ldw -lelf -ldl -lm"
gcc $flags -o $drivers/explore tests/native/explore_driver.c $libraries || exit 1
gcc $flags -o $drivers/random tests/native/random_driver.c $libraries || exit 1
gcc $flags -o $drivers/differential tests/native/{differential,emit,final_state,judged}.c $libraries ||
    exit 1
failures=0
passed=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# name, wanted words, output line
judge() {
    local name=$1 wanted=$2 line=$3 key value
    set -- $wanted
    while [ $# -gt 1 ]; do
        key=$1 value=$2
        shift 2
        if [ "$key" = errors ]; then
            local kind any
            any=$(sed -E 's/.* cut [0-9]+//; s/ \|.*//' <<< "$line")
            if [ "$value" = none ]; then
                [ -z "$any" ] || { fail "$name: errors $any"; return; }
            else
                for kind in ${value//,/ }; do
                    [[ $any == *" $kind "* ]] || { fail "$name: no $kind in '$line'"; return; }
                done
            fi
        elif ! [[ $line =~ (^|\ )$key\ $value\  ]]; then
            fail "$name: wanted $key $value, got '$line'"
            return
        fi
    done
    passed=$((passed + 1))
}

explore() { # algorithms, wanted, arguments
    local algorithms=$1 wanted=$2 output algorithm
    shift 2
    output=$(timeout 1800 $drivers/explore "${algorithms// /,}" "$@" 2>&1)
    for algorithm in $algorithms; do
        judge "$algorithm $*" "$wanted" "$(grep "^$algorithm: " <<< "$output" | tail -1)"
    done
}

for file in tests/native/{counts,real,suite}/*.c; do
    while IFS=: read -r who given wanted; do
        explore "${who/#expect/${algorithms[*]}}" "blocked 0 ${wanted% \*/}" $given "$file"
    done < <(sed -nE 's/^ \* (expect|observers) ?([^:]*): (.*)$/\1:\2:\3/p' "$file")
done

while read -r count file given; do
    if [[ $count = context-source:* ]]; then # source sets may begin what is redundant
        explore "${count%:*}" "executions ${count#*:} errors none" "bench/c/$file" $given
        continue
    elif [[ $count = *:* ]]; then
        explore "${count%:*}" "executions ${count#*:} blocked 0 errors none" "bench/c/$file" $given
        continue
    fi
    explore "${algorithms[*]}" "executions $count blocked 0 errors none" "bench/c/$file" $given
done << 'COUNTS'
4 readers.c -DN=2
256 readers.c -DN=8
5 figure2.c
9 figure10.c -DN=2
17 figure10.c -DN=4
64 lastzero.c -DN=5
3328 lastzero.c -DN=10
12 wakeup_stress.c -DN=3
240 wakeup_stress.c -DN=5
2 filesystem.c -DN=14
8 filesystem.c -DN=16
64 filesystem.c -DN=19
8 indexer.c -DN=12
4096 indexer.c -DN=15
32 pop_figure1.c
10080 exp_mem3.c -DN=7
19605 fib_bench.c -DN=4
3432 circular_buffer.c -DN=7
12870 linuxrwlocks.c -DN=4
32 dispatcher.c -DN=2
398 dispatcher.c -DN=3
6854 dispatcher.c -DN=4
711 poke.c -DN=3
2636 poke.c -DN=4
4 length_param.c -DN=1000
120 lastwrite.c -DN=5
120 floating_read.c -DN=4
120 fr_a.c -DN=4
6 fr_a.c -DN=2
24 lw.c -DN=4
32 lamport.c -DN=2
20741 lamport.c -DN=3
observers:2 exp_mem3.c -DN=6
observers:8 lastwrite.c -DN=8
observers:5 floating_read.c -DN=2
observers:193 floating_read.c -DN=6
observers:449 floating_read.c -DN=7
observers:1025 floating_read.c -DN=8
observers:26 lamport.c -DN=2
observers:11598 lamport.c -DN=3
observers:33 fr_a.c -DN=4
observers:193 fr_a.c -DN=6
observers:6 lw.c -DN=6
4 fib_tasks.c -DN=3
128 fib_tasks.c -DN=5
64 merge_sort.c -DN=7
64 quick_sort.c -DN=7
252 bounded_buffer.c -DN=5
576 database.c -DN=4
20 abs.c -DN=3
observers:460 database.c -DN=4
observers:2 abs.c -DN=4
context-source:24 fr_a.c -DN=4
context-source:120 floating_read.c -DN=4
context-source:24 lw.c -DN=4
context-source:120 lw.c -DN=5
context-source:32 lamport.c -DN=2
context-source:1 fib_tasks.c -DN=5
context-source:64 merge_sort.c -DN=7
context-source:128 quick_sort.c -DN=8
context-source:62 bounded_buffer.c -DN=5
context-source:24 database.c -DN=3
context-source:24 database.c -DN=3 --faithful
context-source:62 bounded_buffer.c -DN=5 --faithful
context-source:64 merge_sort.c -DN=7 --faithful
context-source:1 fib_tasks.c -DN=5 --faithful
context:24 fr_a.c -DN=4
context:120 floating_read.c -DN=4
context:24 lw.c -DN=4
context:1 fib_tasks.c -DN=5
context:64 merge_sort.c -DN=7
context:128 quick_sort.c -DN=8
context:62 bounded_buffer.c -DN=5
context:24 database.c -DN=3
context:24 database.c -DN=3 --faithful
context:62 bounded_buffer.c -DN=5 --faithful
context:64 merge_sort.c -DN=7 --faithful
COUNTS

# Every fault many times in one process, with the same memory at the end, and no more resident than
# after the first tenth of them.
while read -r fault kind runs; do
    output=$(timeout 1800 $drivers/random "$runs" 1 -DFAULT_"$fault" -w --hang=40 --exit-status \
        tests/native/faults/faults.c)
    grown=$(sed -n 's/^grown since the first tenth: \(.*\) KiB$/\1/p' <<< "$output")
    if grep -q "^$kind: $runs\$" <<< "$output" && grep -q '^memory left: 0$' <<< "$output" &&
        [ "$grown" -le 256 ]; then
        passed=$((passed + 1))
    else
        fail "fault $fault: $output"
    fi
done << 'FAULTS'
ASSERT assertion 10000
ABORT abort 10000
SEGV crash 10000
SEGV_READ crash 10000
SEGV_WILD crash 10000
FPE crash 10000
ILL crash 10000
STACK crash 1000
JUMP crash 10000
MEMCPY crash 10000
ATOMIC crash 10000
CAS crash 10000
DOUBLE_FREE double-free 10000
INVALID_FREE invalid-free 10000
UNLOCK misuse 10000
BUS crash 10000
EXIT exit-status 10000
_EXIT exit-status 10000
QUICK_EXIT exit-status 10000
RAISE_ABRT abort 10000
RAISE_BUS crash 10000
EXHAUST cut 10000
LOOP hang 50
WATCHED crash 50
FAULTS

for file in bench/c/{circular_buffer,poke,indexer,lock}.c examples/worker-pool.c \
    tests/actor/both/{predicate,time_out}.c tests/native/real/*.c; do
    output=$($drivers/random 3000 1 --snapshots "$file")
    if grep -q '^3000 runs' <<< "$output"; then
        passed=$((passed + 1))
    else
        fail "snapshots of $file: $output"
    fi
done

# Random programs, abstractly and as C; about seven of ten can be said in C. Those with loops, and with
# loops under locks or beside waits that time out, against all states that they can reach.
for given in --algorithm=pop --algorithm=optimal; do
    for which in "5 60 20 --kind=spin" "11 2 8 --kind=polls --states" "31 80 10 --kind=timed --idle" \
        "22 30 10 --kind=timed --idle" "9100 0 6 --kind=backoff --states" \
        "9100 7 13 --kind=backoff --states" "6 12 19 --kind=rounds --states"; do
        output=$($drivers/differential $which $given)
        if [ $? -eq 0 ]; then
            passed=$((passed + 1))
            echo "differential $which $given: $output"
        else
            fail "differential $which $given: $output"
        fi
    done
done
# The same by execution graphs.
for model in sc tso rc11; do
    output=$($drivers/differential 11 2 20 --kind=polls --states --model=$model)
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
        echo "differential --model=$model: $output"
    else
        fail "differential --model=$model: $output"
    fi
done
seed=7
for given in "" --algorithm=pop --faithful --cc=clang --commuting "--commuting --faithful"; do
    count=${HEDDLE_DIFFERENTIAL:-200}
    # Both orders of every race are run: a few large programs take as long as all the others.
    [[ $given != --commuting* ]] || count=$((count * 2 / 5))
    output=$($drivers/differential $seed 0 "$count" $given)
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
        echo "differential $given: $output"
    else
        fail "differential $given: $output"
    fi
    seed=$((seed + 1))
done

echo "native: $passed passed, $failures failed"
[ $failures -eq 0 ]
