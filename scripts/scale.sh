#!/bin/bash
# Compares explorations that were done by several processes, by four MPI ranks (if mpirun is there), in
# parts, or with interruptions, with one process: verdict, counts and the set of errors. For the rows of
# tests/counts.txt, and for random programs of one line. With `kills`, each exploration is killed that
# often with SIGKILL, workers and all, at random moments, and resumed.
#   scripts/scale.sh counts [most executions]
#   scripts/scale.sh random [programs [seed]]
#   scripts/scale.sh kills [times [most executions]]
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "${HEDDLE:-$root/build/heddle}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HEDDLE_WORKERS_DELAY_MS=0 HEDDLE_WORKERS_EAGER=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
differences=0 programs=0 kills=0
ranks=()
if [ -x "$heddle-mpi" ] && command -v mpirun > /dev/null; then
    ranks=(mpirun -q --oversubscribe -n 4 "$heddle-mpi")
fi

facts() { jq -cS '[.verdict, .executions, .events, .deadlocks, .assume_blocked, .blocked,
                   ([.errors[] | [.kind, .message, .file, .line, .count]] | sort)]' "$1" 2> /dev/null; }

differ() {
    differences=$((differences + 1))
    echo "DIFFERENCE: $1: heddle check ${*:2}"
}

# The rest are arguments of heddle check.
compare() {
    local state=$folder/state wanted jobs part
    "$heddle" check --json "$@" > "$folder/one" 2> /dev/null < /dev/null
    wanted=$(facts "$folder/one")
    [ -n "$wanted" ] || { differ "no result" "$@"; return; }
    programs=$((programs + 1))
    for jobs in 2 3 7; do
        "$heddle" check --json -j $jobs "$@" > "$folder/other" 2> /dev/null < /dev/null
        [ "$(facts "$folder/other")" = "$wanted" ] || differ "-j $jobs" "$@"
    done
    if [ ${#ranks[@]} != 0 ]; then
        "${ranks[@]}" check --json "$@" > "$folder/other" 2> /dev/null < /dev/null
        [ "$(facts "$folder/other")" = "$wanted" ] || differ "4 ranks" "$@"
    fi
    rm -f "$state"*
    "$heddle" check -q --checkpoint="$state" --max-executions=3 "$@" > /dev/null 2>&1 < /dev/null
    [ -e "$state" ] || return
    if "$heddle" split --parts=13 "$state" > /dev/null 2>&1; then
        for part in {1..13}; do
            "$heddle" check -q --resume="$state.$part" > /dev/null 2>&1 < /dev/null
        done
        "$heddle" merge --json "$state".* > "$folder/other" 2> /dev/null < /dev/null
        [ "$(facts "$folder/other")" = "$wanted" ] || differ "13 parts" "$@"
    fi
    "$heddle" check -q --resume="$state" --max-executions=5 > /dev/null 2>&1 < /dev/null
    "$heddle" check --json -j 2 --resume="$state" > "$folder/other" 2> /dev/null < /dev/null
    [ "$(facts "$folder/other")" = "$wanted" ] || differ "interrupted twice" "$@"
}

# Kills it so many times; whenever an exploration comes to its end in between, it is begun again.
kill_often() {
    local times=$1 state=$folder/state wanted began arguments running
    shift
    began=${EPOCHREALTIME/./}
    "$heddle" check --json "$@" > "$folder/one" 2> /dev/null < /dev/null
    local takes=$((${EPOCHREALTIME/./} - began)) # microseconds
    wanted=$(facts "$folder/one")
    [ -n "$wanted" ] || { differ "no result" "$@"; return; }
    programs=$((programs + 1))
    rm -f "$state"
    for ((i = 0; i <= times; i++)); do
        arguments=(--checkpoint="$state" "$@")
        [ -e "$state" ] && arguments=(--resume="$state")
        HEDDLE_CHECKPOINT_MS=1 "$heddle" check -j $((1 + RANDOM % 3)) --json "${arguments[@]}" \
            > "$folder/other" 2> /dev/null < /dev/null &
        running=$!
        if [ $i != "$times" ]; then
            printf -v pause '0.%06d' $(((RANDOM * 32768 + RANDOM) % (takes < 999999 ? takes : 999999)))
            sleep "$pause"
            kill -KILL $running $(cat /proc/$running/task/$running/children 2> /dev/null) 2> /dev/null &&
                kills=$((kills + 1))
        fi
        if wait $running 2> /dev/null; [ $? != 137 ]; then
            [ "$(facts "$folder/other")" = "$wanted" ] || differ "killed $i times" "$@"
            rm -f "$state"
        fi
    done
}

# Calls the given function for each row of tests/counts.txt with at most so many executions.
rows() {
    local most=$1 program algorithm executions words
    shift
    while IFS='|' read -r program algorithm executions _; do
        read -r -a words <<< "$program"
        read -r algorithm <<< "$algorithm"
        read -r executions <<< "$executions"
        [[ $algorithm == exact || $algorithm == pop ]] && [[ $executions =~ ^[0-9]+$ ]] || continue
        [ "$executions" -le "$most" ] || continue
        if [ -e "$root/${words[0]}" ]; then
            "$@" -k "$root/${words[0]}" "${words[@]:1}"
        else
            "$@" -k --program="${words[*]}"
        fi
    done < <(grep -v '^ *#' "$root/tests/counts.txt" | grep '|')
}

# program, number, seed: threads of reads, writes, compare-and-swaps, locks, trylocks, plain accesses
random_programs() {
    awk -v count="$1" -v seed="$2" '
        function below(n) { return int(rand() * n) }
        function variable() { return substr("xyz", 1 + below(3), 1) }
        function operation(   kind) {
            kind = below(16)
            if (kind < 5) return "r" variable()
            if (kind < 9) return "w" variable() (1 + below(2))
            if (kind < 11) return "c" variable() below(2) (1 + below(2))
            if (kind < 12) return "t0"
            if (kind < 13) return (below(2) ? "rX" : "wX1")
            kind = below(2)
            return "l" kind " " (below(2) ? "r" variable() : "w" variable() "2") " u" kind
        }
        BEGIN {
            srand(seed)
            for (p = 0; p < count; p++) {
                line = ""
                for (t = 2 + below(3); t; t--) {
                    for (i = 1 + below(3); i; i--) line = line operation() (i > 1 ? " " : "")
                    line = line (t > 1 ? " / " : "")
                }
                print line
            }
        }'
}

case ${1:-} in
    counts) rows "${2:-5000}" compare ;;
    kills) rows "${3:-5000}" kill_often "${2:-10}" ;;
    random)
        while read -r line; do
            compare -k --program="$line"
        done < <(random_programs "${2:-100}" "${3:-1}")
        ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
echo "$programs programs, $kills kills, $differences differences"
[ $differences = 0 ]
