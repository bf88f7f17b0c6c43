#!/bin/bash
# Builds everything and runs all tests: unit tests in the release, torture and sanitizer builds, the
# scripts in tests/ and tests/cli/, and a fixed budget of the differential tester. The last line is
# "N passed, N failed", counting test programs and scripts; a build that fails counts as one. What a
# script skips, and why, is shown below its line.
# FUZZ_SECONDS=0 leaves the differential tester out.
set -uo pipefail
cd "$(dirname "$0")/.."

export LOGS=build/test-logs
jobs=$(nproc 2> /dev/null || echo 2)
[ "$jobs" -gt 2 ] || jobs=2
rm -rf "$LOGS"
mkdir -p "$LOGS"

# Runs one test: its output is kept, and shown only if it fails. Tests bound work, not time, because
# machines differ; the time-out is against hangs alone.
run_one() {
    local name=$1 log started=$SECONDS TIMEFORMAT='%U %S' status=0 spent
    shift
    log="$LOGS/${name//\//_}"
    { time timeout 3600 "$@" > "$log.log" 2>&1; } 2> "$log.time" || status=$?
    spent="$((SECONDS - started)) s, $(tail -1 "$log.time" | awk '{ printf "%.1f", $1 + $2 }') s of processor time"
    if [ "$status" = 0 ]; then
        echo "ok      $name ($spent)"
        sed -n 's/^skipped: /        &/p' "$log.log"
        touch "$log.passed"
    else
        echo "FAILED  $name ($spent)"
        sed 's/^/        /' "$log.log" | tail -40
        touch "$log.failed"
    fi
}
export -f run_one

# Builds one mode with its unit tests; what cannot be built has failed.
build() {
    run_one "build-$1" make -s -k -j"$jobs" MODE="$1" "${@:2}"
}

list_tests() {
    local mode script
    for mode in release torture sanitize; do
        make -s MODE="$mode" list-tests | sed 's/.*/& &/'
    done
    printf '%s\n' tests/cli/*.sh tests/*.sh | awk '{ print $0, $0 }' | grep -v 'library\.sh'
    # The command line again, under the sanitizers.
    for script in tests/cli/{verdicts,json,mistakes,replay,table,batch,interrupt}.sh; do
        echo "sanitize-$script env HEDDLE=build/sanitize/heddle $script"
    done
}

# The long ones first, so that they do not run alone at the end.
list_in_order() {
    local long='^(tests/native|build/tests/oracle/mutant_test|tests/cli/native-(each-primitive|memory-errors|judge))'
    list_tests | grep -E "$long"
    list_tests | grep -vE "$long"
}

fuzz() {
    [ "${FUZZ_SECONDS:-15}" != 0 ] && [ -x build/heddle-fuzz ] && [ -x scripts/fuzz.sh ] || return
    run_one fuzz scripts/fuzz.sh "${FUZZ_SECONDS:-15}"
}

build release all tests fuzz measure
build torture all tests fuzz
build sanitize all tests
build clang all tests fuzz
list_in_order | xargs -P "$jobs" -L 1 bash -c 'run_one "$@"' run_one
fuzz

passed=$(ls "$LOGS" | grep -c '\.passed$')
failed=$(ls "$LOGS" | grep -c '\.failed$')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
